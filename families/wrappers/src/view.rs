//! The data of the templates.
//!
//! Invariant: fields are names, types, single expressions and flags; templates write all
//! statements.

use serde::Serialize;

use super::call::CallView;
use super::examples;
use super::model::body::Body;
use super::model::functions::{Function, Parameter, ParameterType};
use super::model::{Model, Names};
use super::plan::{Code, Decision, Row};
use super::records::ExampleRecord;
use super::types::{TypeSuffixes, form};
use torchgen_kit::comment::Comment;
use torchgen_kit::expr::string_literal;
use torchgen_model::model::Argument;

/// An argument and what becomes of it.
#[derive(Debug, Serialize)]
pub(super) struct ClassView {
    pub(super) name: String,
    pub(super) class: &'static str,
}

/// A wrapper.
#[derive(Debug, Serialize)]
pub(super) struct WrapperView {
    pub(super) operator: String,
    pub(super) overload: String,
    pub(super) label: String,
    pub(super) function: String,
    pub(super) registered: String,
    pub(super) schema: String,
    /// The schema inside single quotes of YAML.
    pub(super) schema_quoted: String,
    pub(super) template: String,
    pub(super) result: String,
    /// Types and names.
    pub(super) parameters: Vec<String>,
    /// What is passed to a function of `at::native`.
    pub(super) arguments: Vec<String>,
    /// `call`, `native` or `custom`.
    pub(super) kind: &'static str,
    pub(super) native: String,
    pub(super) call: Option<CallView>,
    pub(super) classes: Vec<ClassView>,
    pub(super) order: Vec<usize>,
    pub(super) shape: String,
    pub(super) conditions: Vec<String>,
    pub(super) lossy: Vec<String>,
    pub(super) reason: Comment,
}

/// A registration.
#[derive(Debug, Serialize)]
pub(super) struct RegistrationView {
    pub(super) registered: String,
    pub(super) function: String,
    /// `fallback`, `fallthrough` or `function`.
    pub(super) kind: &'static str,
}

/// The body file.
#[derive(Debug, Serialize)]
pub(super) struct BodyView {
    pub(super) head: String,
    pub(super) before: String,
    pub(super) after: String,
}

/// A parameter of a function of the backend.
#[derive(Debug, Serialize)]
pub(super) struct ParameterView {
    pub(super) name: String,
    pub(super) ty: &'static str,
    /// The type of the number that `cpu:` sees, of a constant.
    pub(super) number: &'static str,
}

/// A function of the backend.
#[derive(Debug, Serialize)]
pub(super) struct FunctionView {
    pub(super) name: String,
    pub(super) schema: String,
    pub(super) parameters: Vec<ParameterView>,
    pub(super) results: usize,
    pub(super) cpu: String,
    pub(super) doc: Comment,
}

/// A comparison of the self-test.
#[derive(Debug, Serialize)]
pub(super) struct ExampleView {
    pub(super) function: String,
    pub(super) operator: String,
    pub(super) arguments: String,
    /// The call as a string literal.
    pub(super) literal: String,
    /// A part of the message, as a string literal.
    pub(super) error: Option<String>,
}

/// The data of all files.
#[derive(Debug, Serialize)]
pub(super) struct FileView {
    pub(super) banner: String,
    pub(super) name: String,
    pub(super) namespace: String,
    pub(super) api: String,
    pub(super) dispatch_key: String,
    pub(super) includes: Vec<String>,
    pub(super) body: Option<BodyView>,
    pub(super) wrappers: Vec<WrapperView>,
    pub(super) registrations: Vec<RegistrationView>,
    pub(super) functions: Vec<FunctionView>,
    pub(super) examples: Vec<ExampleView>,
    pub(super) has_calls: bool,
    pub(super) has_native: bool,
    pub(super) has_fallback: bool,
    pub(super) has_operators: bool,
    /// Whether a wrapper counts lists of dimensions one by one.
    pub(super) wraps_each: bool,
}

/// The wrapper of a row, if it has a function.
pub(super) fn wrapper(backend: &str, row: &Row) -> Option<WrapperView> {
    let Decision::Made(code) = &row.decision else { return None };
    let operator = row.operator;
    let kind = match code {
        Code::Call(_) => "call",
        Code::Native(_) => "native",
        Code::Custom => "custom",
        Code::Fallback | Code::Fallthrough => return None,
    };
    let wrapped = if let Code::Call(wrapped) = code { Some(wrapped) } else { None };
    let native = if let Code::Native(native) = code { native.clone() } else { String::new() };
    let symbolic = native.ends_with("_symint");
    let argument = |parameter: &Argument| {
        let name = &parameter.name;
        match form(&parameter.ty).0 {
            TypeSuffixes::List if symbolic && parameter.ty.is_symint_like() => {
                format!("c10::fromIntArrayRefSlow({name})")
            }
            _ => name.clone(),
        }
    };
    let classes = wrapped.map_or(&[][..], |wrapped| &wrapped.classes);
    let schema = operator.schema.to_string();
    Some(WrapperView {
        operator: operator.name().to_owned(),
        overload: operator.overload().to_owned(),
        label: operator.label(),
        function: format!("{backend}__{}", operator.label()),
        registered: operator.full_name(),
        schema_quoted: schema.replace('\'', "''"),
        schema,
        template: row.template.to_owned(),
        result: operator.cpp_result(),
        parameters: operator
            .schema
            .schema_order_arguments()
            .map(|parameter| format!("{} {}", operator.cpp_type(parameter), parameter.name))
            .collect(),
        arguments: operator.schema.schema_order_arguments().map(argument).collect(),
        kind,
        native,
        call: wrapped.map(|wrapped| wrapped.call.clone()),
        classes: classes.iter().map(|(name, class)| ClassView { name: name.clone(), class: class.as_str() }).collect(),
        order: wrapped.map_or(Vec::new(), |wrapped| wrapped.order.clone()),
        shape: wrapped.map_or(String::new(), |wrapped| wrapped.shape.clone()),
        conditions: wrapped.map_or(Vec::new(), |wrapped| wrapped.conditions.clone()),
        lossy: wrapped.map_or(Vec::new(), |wrapped| wrapped.lossy.clone()),
        reason: Comment::from_optional_text(
            row.entry.and_then(|entry| entry.reason.as_ref()).map(|reason| reason.as_str()),
        ),
    })
}

/// The view that most templates share; with `mock`, of code for the mock of the backend.
pub(super) fn file(model: &Model, mock: bool, rows: &[Row]) -> FileView {
    let Names { name, namespace, api, dispatch_key } = &model.names;
    let wrappers: Vec<_> = rows.iter().filter_map(|row| wrapper(name, row)).collect();
    let registrations = registrations(name, rows);
    let mut includes: Vec<String> = model.record.include.clone();
    if mock {
        includes = vec!["\"mock_backend.h\"".to_owned()];
    }
    let source = model.record.path.file_name().and_then(|name| name.to_str()).unwrap_or("YAML");
    let is_meta = |shape: &str| matches!(shape, "meta" | "infer");
    FileView {
        banner: format!("@generated by torchgen-rs from {source}. Do not edit."),
        name: name.clone(),
        namespace: namespace.clone(),
        api: api.clone(),
        dispatch_key: dispatch_key.clone(),
        includes,
        body: model.body.clone().map(Into::into),
        has_calls: wrappers.iter().any(|wrapper| wrapper.kind == "call"),
        has_native: wrappers.iter().any(|wrapper| wrapper.kind == "native"),
        has_fallback: registrations.iter().any(|registration| registration.kind == "fallback"),
        wraps_each: rows
            .iter()
            .any(|row| matches!(&row.decision, Decision::Made(Code::Call(wrapped)) if wrapped.wraps_each)),
        has_operators: wrappers.iter().any(|wrapper| is_meta(&wrapper.shape)),
        examples: examples(name, rows),
        functions: functions(&model.functions),
        wrappers,
        registrations,
    }
}

/// The registrations of all rows, in order.
pub(super) fn registrations(backend: &str, rows: &[Row]) -> Vec<RegistrationView> {
    let made = rows.iter().filter_map(|row| match &row.decision {
        Decision::Made(code) => Some((row.operator, code)),
        Decision::Skipped(..) => None,
    });
    made.map(|(operator, code)| RegistrationView {
        registered: operator.full_name(),
        function: format!("{backend}__{}", operator.label()),
        kind: match code {
            Code::Fallback => "fallback",
            Code::Fallthrough => "fallthrough",
            _ => "function",
        },
    })
    .collect()
}

/// The functions of the backend.
pub(super) fn functions(functions: &[Function]) -> Vec<FunctionView> {
    let number = |taken| match taken {
        ParameterType::Const => "double",
        ParameterType::ConstInt => "std::int64_t",
        _ => "",
    };
    let parameter =
        |p: &Parameter| ParameterView { name: p.name.clone(), ty: p.taken.cpp_type(), number: number(p.taken) };
    let view = |function: &Function| FunctionView {
        name: function.name.clone(),
        schema: Comment::new(&function.text).line(),
        parameters: function.parameters.iter().map(parameter).collect(),
        results: function.results.len(),
        cpu: function.cpu.clone().unwrap_or_default(),
        doc: Comment::from_optional_text(function.doc.as_deref()),
    };
    functions.iter().map(view).collect()
}

/// The examples of all entries.
pub(super) fn examples(backend: &str, rows: &[Row]) -> Vec<ExampleView> {
    let view = |(row, example): (&Row, &ExampleRecord)| ExampleView {
        function: format!("{backend}__{}", row.operator.label()),
        operator: row.operator.name().to_owned(),
        arguments: example.arguments.to_string(),
        literal: string_literal(&format!("{}({})", row.operator.full_name(), example.arguments)),
        error: example.error.as_ref().map(|error| string_literal(error.as_str())),
    };
    examples::called(rows).into_iter().map(view).collect()
}

impl From<Body> for BodyView {
    fn from(body: Body) -> BodyView {
        BodyView { head: body.head, before: body.before, after: body.after }
    }
}
