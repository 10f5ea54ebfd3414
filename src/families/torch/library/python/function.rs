//! One Python function per operator name, its signatures and its calls.
//!
//! An operator and its out variant are one signature with an optional `out`, which is a tuple if
//! there are several outputs. A name with several signatures passes its arguments on unchanged to
//! `torch.ops`, which selects the overload; then only stubs show its signatures.
//!
//! Invariant: parameters have the names and defaults of the schema, as far as Python allows them.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde::Serialize;

use crate::families::torch::api::python::annotation;
use crate::families::torch::model::{Argument, NativeFunction};
use crate::lang::python::is_keyword;

/// Longer signatures have one line for each parameter.
const WIDTH: usize = 100;

/// A Python function.
#[derive(Serialize)]
pub(crate) struct Function<'a> {
    pub(crate) name: String,
    /// An expression for all its overloads.
    packet: String,
    /// Its docstring: what it does, or its schemas; the lines between the quotes.
    doc: Vec<String>,
    signatures: Vec<Signature<'a>>,
    /// Keywords with other names in the schemas.
    renamed: Vec<Renamed<'a>>,
}

#[derive(Serialize, PartialEq)]
struct Renamed<'a> {
    python: String,
    schema: &'a str,
}

/// One way to call it.
#[derive(Serialize)]
struct Signature<'a> {
    doc: Vec<String>,
    parameters: Vec<Parameter>,
    /// The number of positional ones, if not all are.
    star: Option<usize>,
    /// Each is on a line of its own.
    wide: bool,
    returns: String,
    /// The overload without out arguments, an expression.
    overload: Option<String>,
    arguments: Vec<Value<'a>>,
    /// The overload with them.
    out: Option<Out<'a>>,
}

#[derive(Serialize)]
struct Parameter {
    name: String,
    ty: String,
    default: Option<String>,
}

/// The argument that is passed on.
#[derive(Serialize)]
struct Value<'a> {
    value: String,
    /// The keyword for it; `None` for a positional one.
    keyword: Option<&'a str>,
    /// Python cannot spell the name as a keyword.
    reserved: bool,
}

#[derive(Serialize)]
struct Out<'a> {
    /// The parameter.
    parameter: String,
    overload: String,
    outputs: Vec<Value<'a>>,
}

/// The functions of some operators, in order of first appearance.
pub(crate) fn functions<'a>(operators: &[&'a NativeFunction]) -> Vec<Function<'a>> {
    let mut by_name: IndexMap<String, Vec<&NativeFunction>> = IndexMap::new();
    for f in operators {
        by_name.entry(f.func.name.name.to_string()).or_default().push(f);
    }
    by_name.iter().map(|(name, overloads)| function(name, overloads)).collect()
}

fn function<'a>(name: &str, overloads: &[&'a NativeFunction]) -> Function<'a> {
    let pairs = pairs(overloads);
    let signatures: Vec<Signature> = match pairs.as_slice() {
        [(f, out)] => vec![merged(*f, *out)],
        _ => overloads.iter().map(|f| overload(f)).collect(),
    };
    let mut renamed: Vec<Renamed> = Vec::new();
    for a in overloads.iter().flat_map(|f| f.func.arguments.flat_all()) {
        let entry = Renamed { python: annotation::name(&a.name).into_owned(), schema: a.schema_name() };
        if entry.python != entry.schema && !renamed.contains(&entry) {
            renamed.push(entry);
        }
    }
    let documented = overloads.iter().any(|f| f.doc.is_some());
    let mut doc: Vec<String> = Vec::new();
    for f in overloads {
        match &f.doc {
            Some(text) => {
                // A blank line between the docs of two overloads.
                doc.extend((!doc.is_empty()).then(String::new));
                doc.extend(text.lines().map(str::to_owned));
            }
            None if !documented => doc.push(format!("{}::{}", f.namespace, f.func)),
            None => {}
        }
    }
    Function {
        name: annotation::name(name).into_owned(),
        packet: overloads.first().map(|f| operator_expr(f)).unwrap_or_default(),
        doc: lines(doc.iter().map(String::as_str)),
        signatures,
        renamed,
    }
}

/// Operators with their out variants; one of the two may be missing.
fn pairs<'a>(overloads: &[&'a NativeFunction]) -> Vec<(Option<&'a NativeFunction>, Option<&'a NativeFunction>)> {
    let (mut outs, others): (Vec<_>, Vec<_>) = overloads.iter().copied().partition(|f| f.func.is_out_fn());
    let mut pairs = Vec::new();
    for f in others {
        let signature = f.func.signature();
        let out = outs.iter().position(|out| out.func.signature() == signature).map(|at| outs.remove(at));
        pairs.push((Some(f), out));
    }
    pairs.extend(outs.into_iter().map(|out| (None, Some(out))));
    pairs
}

/// The signature for an operator and its out variant.
fn merged<'a>(f: Option<&'a NativeFunction>, out: Option<&'a NativeFunction>) -> Signature<'a> {
    let Some(shown) = f.or(out) else { return Signature::empty() };
    let mut signature = Signature::of_inputs(shown);
    signature.overload = f.map(overload_expr);
    let Some(out) = out else { return signature };
    let outs = &out.func.arguments.out;
    let (name, ty) = match outs.as_slice() {
        [single] => (signature.free_name(&single.name), annotation::argument_type(&single.ty)),
        several => {
            let types: Vec<String> = several.iter().map(|a| annotation::argument_type(&a.ty)).collect();
            (signature.free_name("out"), format!("tuple[{}]", types.join(", ")))
        }
    };
    let optional = f.is_some();
    signature.star.get_or_insert(signature.parameters.len());
    signature.parameters.push(Parameter {
        name: name.clone(),
        ty: if optional { format!("{ty} | None") } else { ty },
        default: optional.then(|| "None".to_owned()),
    });
    let value = |i: usize| if outs.len() == 1 { name.clone() } else { format!("{name}[{i}]") };
    let outputs = outs.iter().enumerate().map(|(i, a)| Value::keyword(a, value(i))).collect();
    signature.out = Some(Out { overload: overload_expr(out), outputs, parameter: name });
    signature.finish()
}

/// The signature of one overload among several, as in `torch.ops`.
fn overload(f: &NativeFunction) -> Signature<'_> {
    let mut signature = Signature::of_inputs(f);
    if !f.func.arguments.out.is_empty() {
        signature.star.get_or_insert(signature.parameters.len());
    }
    for a in &f.func.arguments.out {
        let name = signature.free_name(&a.name);
        signature.parameters.push(Parameter { name, ty: annotation::argument_type(&a.ty), default: None });
    }
    signature.finish()
}

impl<'a> Signature<'a> {
    fn empty() -> Self {
        Signature {
            doc: Vec::new(),
            parameters: Vec::new(),
            star: None,
            wide: false,
            returns: annotation::returns_type(&[]),
            overload: None,
            arguments: Vec::new(),
            out: None,
        }
    }

    /// All except out arguments.
    fn of_inputs(f: &'a NativeFunction) -> Self {
        let arguments = &f.func.arguments;
        let mut signature = Signature::empty();
        signature.doc = lines(f.doc.iter().flat_map(|text| text.lines()));
        signature.returns = annotation::returns_type(&f.func.returns);
        let positional = arguments.flat_positional().count();
        // Python does not allow a parameter without a default after one with a default.
        let required = arguments.flat_positional().enumerate().filter(|(_, a)| a.default.is_none()).map(|(i, _)| i + 1);
        let required = required.last().unwrap_or(0);
        for (i, a) in arguments.flat_non_out().enumerate() {
            let name = signature.free_name(&a.name);
            let default = a.default.as_deref().filter(|_| i >= required);
            signature.parameters.push(Parameter {
                name: name.clone(),
                ty: annotation::argument_type(&a.ty),
                default: default.map(|text| annotation::default(text, &a.ty).into_owned()),
            });
            signature.arguments.push(match i < positional {
                true => Value { value: name, keyword: None, reserved: false },
                false => Value::keyword(a, name),
            });
        }
        if signature.parameters.len() > positional {
            signature.star = Some(positional);
        }
        signature.finish()
    }

    /// The name as Python allows it, and different from those before it.
    fn free_name(&self, wanted: &str) -> String {
        let taken = |name: &str| self.parameters.iter().any(|p| p.name == name);
        let mut name = annotation::name(wanted);
        while taken(&name) {
            name = Cow::Owned(format!("{name}_"));
        }
        name.into_owned()
    }

    fn finish(mut self) -> Self {
        let width: usize = self.parameters.iter().map(|p| p.name.len() + p.ty.len() + 4).sum();
        self.wide = width + self.returns.len() > WIDTH;
        self
    }
}

impl<'a> Value<'a> {
    fn keyword(a: &'a Argument, value: String) -> Self {
        Value { value, keyword: Some(a.schema_name()), reserved: is_keyword(a.schema_name()) }
    }
}

/// An expression for all operators of the operator's namespace.
pub(crate) fn operators_expr(f: &NativeFunction) -> String {
    attribute("_torch.ops".to_owned(), &f.namespace)
}

/// An expression for all overloads of the operator's name.
fn operator_expr(f: &NativeFunction) -> String {
    attribute(operators_expr(f), &f.func.name.name.to_string())
}

fn overload_expr(f: &NativeFunction) -> String {
    let overload = f.func.name.overload_name.as_str();
    attribute(operator_expr(f), if overload.is_empty() { "default" } else { overload })
}

fn attribute(of: String, name: &str) -> String {
    if is_keyword(name) || name.contains("::") { format!("getattr({of}, \"{name}\")") } else { format!("{of}.{name}") }
}

/// The lines of a text between triple quotes.
fn lines<'a>(text: impl Iterator<Item = &'a str>) -> Vec<String> {
    let quote = "\\\"";
    let escaped = |line: &str| line.trim_end().replace('\\', "\\\\");
    let parted = |line: &str| line.replace("\"\"\"", &quote.repeat(3));
    let mut lines: Vec<String> = text.map(escaped).collect();
    let Some(last) = lines.pop() else { return lines };
    // Quotes at the end would be read as the closing ones.
    let body = last.trim_end_matches('"');
    let last = format!("{}{}", parted(body), quote.repeat(last.len() - body.len()));
    lines.iter().map(|line| parted(line)).chain([last]).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn docstrings() {
        for (text, expected) in [
            ("Plain.", "Plain."),
            ("a \\ and \"b\"", "a \\\\ and \"b\\\""),
            ("\"\"\"a\"\"\"", "\\\"\\\"\\\"a\\\"\\\"\\\""),
            ("ends in \\", "ends in \\\\"),
        ] {
            assert_eq!(super::lines(text.lines()), [expected], "{text}");
        }
    }
}
