//! What the original generator makes of a declaration: the data of its template, or nothing.
//!
//! Invariant: the checks are upstream's, in its order. Rule: generate_replacements of
//! codegen/utils/template_tools.py of torch-spyre/torch-spyre at 859df83.

use serde_json::{Map, Value, json};

use super::inputs::{Inputs, data, text};
use super::{mapping, warn};
use crate::codes;
use crate::explain::ArgumentClass;
use crate::flags::Flags;
use crate::flags::OnMissing;
use crate::reason::Reason;
use torchgen_base::diag::{Diagnostic, Span};
use torchgen_base::yaml::{Node, Text};
use torchgen_kit::driver::Session;

/// A declaration that gets a function.
pub(super) struct Chosen {
    /// The data of the template.
    pub(super) value: Map<String, Value>,
    pub(super) template: String,
    /// The word of the report.
    pub(super) decision: &'static str,
    /// Its place in Metadata.yaml, if it is there.
    pub(super) span: Option<Span>,
    /// The function of the backend.
    pub(super) call: String,
    pub(super) arguments: Vec<ArgumentClass>,
    pub(super) shape: String,
    /// Arguments that the wrapper ignores.
    pub(super) ignored: Vec<String>,
}

/// A declaration, as far as every row of the report shows it.
pub(super) struct Declared<'n> {
    pub(super) entry: &'n Node,
    pub(super) operator: &'n str,
    pub(super) overload: &'n str,
    pub(super) required: bool,
}

/// The types that cannot come first.
const NUMBERS: [&str; 4] = ["int", "double", "float", "Scalar"];

/// Upstream's rules for one declaration.
///
/// # Errors
/// Why there is no function.
pub(super) fn choose(
    declared: &Declared,
    inputs: &Inputs,
    flags: &Flags,
    session: &mut Session,
) -> Result<Chosen, (Reason, String)> {
    let skip = |reason, detail: &str| Err((reason, detail.to_owned()));
    let Declared { operator, overload, required, .. } = *declared;
    if flags.required_only && !required {
        return skip(Reason::NotRequired, "PyTorch has a kernel for every backend");
    }
    let full = if overload.is_empty() { operator.to_owned() } else { format!("{operator}.{overload}") };
    let known = inputs.metadata.get(operator);
    let (template, decision) = match known {
        Some(known) => (text(&known.value, "template_name").to_owned(), "generated"),
        None => {
            let named = match flags.on_missing {
                OnMissing::Skip => return skip(Reason::NoMetadata, "Metadata.yaml does not name it"),
                _ if !required => return skip(Reason::NoMetadata, "Metadata.yaml does not name it"),
                OnMissing::Fallback => ("fallback".to_owned(), "fallback"),
                OnMissing::Native => ("native_call".to_owned(), "native"),
            };
            if inputs.body.registered.contains(&full) {
                return skip(Reason::ManualInBody, "the body registers it");
            }
            named
        }
    };
    let nothing = Value::Null;
    let (known, span) = known.map_or((&nothing, None), |known| (&known.value, Some(known.span)));
    let Value::Object(mut value) = data(declared.entry) else {
        return skip(Reason::UnsupportedType, "its declaration is not a mapping");
    };
    let mut arguments = match value.remove("schema_order_arguments") {
        Some(Value::Array(arguments)) => arguments,
        _ => Vec::new(),
    };
    let first = arguments.first().map_or("", |first| text(first, "type"));
    if NUMBERS.iter().any(|number| first.contains(number)) {
        return skip(Reason::FirstArgNotTensor, "its first argument is a number");
    }
    let function = text(known, &format!("{}_func_name", inputs.prefix)).to_owned();
    value.insert("template_name".to_owned(), json!(template));
    value.insert("template_data".to_owned(), template_data(declared, &full, &function, &inputs.prefix));
    signature(&mut value, &arguments);
    let class_key = format!("{}_type", inputs.prefix);
    let mut ignored = Vec::new();
    if ["base", "list_inp"].contains(&template.as_str()) {
        if arguments.iter().any(|argument| text(argument, "type").contains("Dimname")) {
            return skip(Reason::UnsupportedType, "an argument is a Dimname");
        }
        let Some(overloads) = inputs.functions.get(&function) else {
            let message = format!("`{operator}` calls `{function}`, which has no docstring");
            let diagnostic = Diagnostic::new(&codes::UNKNOWN_FUNCTION, message);
            session.diagnostics.push(span.map_or(diagnostic.clone(), |span| diagnostic.at(span)));
            return skip(Reason::NoTemplate, "its entry has errors");
        };
        let extra = known.get("extra_arguments").and_then(Value::as_array).cloned().unwrap_or_default();
        let Some(order) = mapping::map(&mut arguments, overloads, &extra, &class_key) else {
            let detail = format!("no overload of `{function}` takes its arguments");
            return Err((Reason::ExtraBackendArgs, detail));
        };
        let is_ignored =
            |argument: &&Value| text(argument, &class_key) == "Ignore" && !text(argument, "name").contains("out");
        ignored.extend(arguments.iter().filter(is_ignored).map(|argument| text(argument, "name").to_owned()));
        value.insert(format!("{}_arg_order_list", inputs.prefix), json!(order));
    }
    if ["view", "view_copy"].contains(&template.as_str()) && overload == "dtype" {
        return skip(Reason::ViewDtype, "it views memory as another type");
    }
    for argument in &mut arguments {
        if let Some(Value::Bool(default)) = argument.get("default") {
            argument["default"] = json!(default.to_string());
        }
    }
    let shape = known.get("out_shape_stride_expr").and_then(Value::as_str).unwrap_or("bypass").to_owned();
    if template == "base" && shape == "infer" {
        if let Some(span) = span {
            warn(session, span, format!("`{full}` has no function: its sizes would be traced with torch"));
        }
        return skip(Reason::ShapeFailed, "`infer` would trace it with torch");
    }
    if !inputs.templates.has(&format!("{template}.jinja2")) {
        return Err((Reason::NoTemplate, format!("there is no file `{template}.jinja2`")));
    }
    if let Some(span) = span.filter(|_| !ignored.is_empty()) {
        let names: Vec<String> = ignored.iter().map(|name| format!("`{name}`")).collect();
        warn(session, span, format!("`{full}` ignores {}", names.join(", ")));
    }
    let class = |argument: &Value| ArgumentClass {
        name: text(argument, "name").to_owned(),
        class: text(argument, &class_key).to_owned(),
        parameter: String::new(),
    };
    let classes = arguments.iter().filter(|argument| argument.get(&class_key).is_some()).map(class).collect();
    value.insert("arguments".to_owned(), Value::Array(arguments));
    value.insert("out_shape_stride_expr".to_owned(), json!(shape));
    Ok(Chosen { value, template, decision, span, call: function, arguments: classes, shape, ignored })
}

/// A string of a declaration.
pub(super) fn word<'n>(entry: &'n Node, key: &str) -> &'n str {
    crate::model::declared::value(entry, key).and_then(Node::as_text).map_or("", Text::as_str)
}

fn template_data(declared: &Declared, full: &str, function: &str, prefix: &str) -> Value {
    let Declared { operator, overload, .. } = *declared;
    let label = if overload.is_empty() { "default" } else { overload };
    // As Python's `capitalize`.
    let mut shown: Vec<char> = operator.to_lowercase().chars().collect();
    if let Some(first) = shown.first_mut() {
        *first = first.to_ascii_uppercase();
    }
    let shown: String = shown.into_iter().collect();
    json!({
        "op_name": format!("{operator}_{label}"),
        "op_label": format!("\"{shown}\""),
        format!("{prefix}_func_name"): function,
        "reg_name": format!("\"{full}\""),
    })
}

/// Adds the types of results, and the types and names of arguments.
fn signature(value: &mut Map<String, Value>, arguments: &[Value]) {
    let returns: Vec<String> = value
        .get("returns")
        .and_then(Value::as_array)
        .map_or(Vec::new(), |returns| returns.iter().map(|result| text(result, "type").to_owned()).collect());
    let result = match returns.as_slice() {
        [] => "void".to_owned(),
        [one] => one.clone(),
        several => format!("::std::tuple<{}>", several.join(",")),
    };
    let parameter = |argument: &Value| format!("{} {}", text(argument, "type"), text(argument, "name"));
    let parameters: Vec<String> = arguments.iter().map(parameter).collect();
    value.insert("signature_out".to_owned(), json!(result));
    value.insert("signature_in".to_owned(), json!(parameters.join(", ")));
}
