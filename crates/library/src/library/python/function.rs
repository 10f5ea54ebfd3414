//! One Python function per operator name, its signatures and its calls.
//!
//! An operator and its out variant are one signature with an optional `out`, which is a tuple if
//! there are several outputs. A name with several signatures passes its arguments on unchanged to
//! `torch.ops`, which selects the overload; then only stubs show its signatures.
//!
//! Invariant: parameters have the names and defaults of the schema, as far as Python allows them.

use std::collections::HashSet;

use indexmap::IndexMap;
use serde::Serialize;

use super::absence::{Absence, absence, described, described_as};
use super::results::{self, Results};
use torchgen_api::python::annotation;
use torchgen_base::lang::python::is_keyword;
use torchgen_base::lang::replace_words;
use torchgen_kit::comment::docstring;
use torchgen_model::model::{Argument, BaseTy, NativeFunction, Return, Type};
use torchgen_model::parse::c10::{DeclaredArgument, DeclaredReturn};
use torchgen_model::parse::entry::SchemaOnly;

/// Longer signatures have one line for each parameter.
const WIDTH: usize = 100;

/// A Python function.
#[derive(Serialize)]
pub(crate) struct Function<'a> {
    pub name: String,
    /// An expression for all its overloads.
    packet: String,
    /// Its docstring: what it does, and its schemas; the lines between the quotes.
    doc: Vec<String>,
    signatures: Vec<Signature<'a>>,
    /// Its results by name, if all its signatures have the same ones.
    pub(crate) results: Option<Results>,
    /// Keywords with other names in the schemas.
    renamed: Vec<Renamed<'a>>,
    /// Lists of symbolic integers that all overloads have in one size: they can be given as one
    /// element, which `torch.ops` does not repeat.
    expanded: Vec<Expanded<'a>>,
    /// The keywords for `out`, if all overloads with out arguments agree.
    outs: Vec<&'a str>,
    /// Some builds lack all overloads.
    pub(crate) absence: Option<Absence>,
    /// Its overloads.
    #[serde(skip)]
    pub(super) operators: Vec<&'a NativeFunction>,
}

#[derive(Serialize, PartialEq)]
struct Expanded<'a> {
    name: &'a str,
    size: u32,
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
    /// Their names.
    #[serde(skip)]
    names: HashSet<String>,
    /// The number of positional ones, if not all are.
    star: Option<usize>,
    /// Each is on a line of its own.
    wide: bool,
    returns: String,
    #[serde(skip)]
    results: Option<Results>,
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
    /// The size of a list of symbolic integers, which is made from one element.
    size: Option<u32>,
}

#[derive(Serialize)]
struct Out<'a> {
    /// The parameter.
    parameter: String,
    overload: String,
    outputs: Vec<Value<'a>>,
}

/// The overloads of an operator's name, but for helpers. The second ones are registered by their
/// schemas alone.
type Overloads<'a> = (Vec<&'a NativeFunction>, Vec<&'a SchemaOnly>);

fn overloads<'a>(operators: &[&'a NativeFunction], boxed: &[&'a SchemaOnly]) -> IndexMap<String, Overloads<'a>> {
    let mut by_name: IndexMap<String, Overloads> = IndexMap::new();
    for f in operators.iter().filter(|f| !f.is_helper) {
        by_name.entry(f.func.name.name.to_string()).or_default().0.push(f);
    }
    for f in boxed.iter().filter(|f| !f.is_helper) {
        by_name.entry(f.parts.0.clone()).or_default().1.push(f);
    }
    by_name
}

/// The names of [`functions`].
pub(crate) fn function_names(operators: &[&NativeFunction], boxed: &[&SchemaOnly]) -> Vec<String> {
    python_names(overloads(operators, boxed).keys().map(String::as_str))
}

/// The functions of some operators, in order of first appearance. `boxed` are those that are
/// registered by their schemas alone.
pub(crate) fn functions<'a>(operators: &[&'a NativeFunction], boxed: &[&'a SchemaOnly]) -> Vec<Function<'a>> {
    let by_name = overloads(operators, boxed);
    let names = python_names(by_name.keys().map(String::as_str));
    let function = |((overloads, boxed), python): (&Overloads<'a>, String)| {
        let mut function = function(python, overloads);
        boxed.iter().for_each(|f| function.add_boxed(f));
        function.name_results();
        let named = overloads.iter().map(|f| (f.full_name(), f.conditions.operator.as_ref()));
        let boxed = boxed.iter().map(|f| (format!("{}::{}", f.namespace, f.name), f.when.as_ref()));
        function.absence = absence(named.chain(boxed));
        function
    };
    by_name.values().zip(names).map(function).collect()
}

/// The names in Python, each different: names that Python allows stay as they are.
fn python_names<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Vec<String> {
    let free = |wanted: &str| {
        let mut name = annotation::name(wanted).into_owned();
        while name != wanted && names.clone().any(|other| other == name) {
            name.push('_');
        }
        name
    };
    names.clone().map(free).collect()
}

fn function<'a>(python: String, overloads: &[&'a NativeFunction]) -> Function<'a> {
    let pairs = pairs(overloads);
    let outs = outs(overloads);
    let signatures: Vec<Signature> = match pairs.as_slice() {
        [] => Vec::new(),
        [(f, out)] => vec![merged(*f, *out)],
        _ if outs.is_empty() => overloads.iter().map(|f| overload(f)).collect(),
        _ => pairs.iter().map(|(f, out)| merged(*f, *out)).collect(),
    };
    let mut renamed: Vec<Renamed> = Vec::new();
    for a in overloads.iter().flat_map(|f| f.func.arguments.flat_all()) {
        let entry = Renamed { python: annotation::name(a.schema_name()).into_owned(), schema: a.schema_name() };
        if entry.python != entry.schema && !renamed.contains(&entry) {
            renamed.push(entry);
        }
    }
    let mut doc: Vec<String> = Vec::new();
    for own in overloads.iter().map(|f| described(f)).filter(|own| !own.is_empty()) {
        // A blank line between the docs of two overloads.
        doc.extend((!doc.is_empty()).then(String::new));
        doc.extend(own);
    }
    doc.extend((!doc.is_empty()).then(String::new));
    doc.extend(overloads.iter().map(|f| format!("{}::{}", f.namespace, f.func)));
    Function {
        name: python,
        packet: overloads.first().map(|f| operator_expr(f)).unwrap_or_default(),
        doc: docstring(doc.iter().map(String::as_str)),
        signatures,
        results: None,
        renamed,
        expanded: expanded(overloads),
        outs,
        operators: overloads.to_vec(),
        absence: None,
    }
}

/// The names of the out arguments, if all overloads that have some agree, and no overload uses
/// `out` for something else.
fn outs<'a>(overloads: &[&'a NativeFunction]) -> Vec<&'a str> {
    let names = |f: &'a NativeFunction| f.func.arguments.out.iter().map(Argument::schema_name).collect::<Vec<_>>();
    let mut found = overloads.iter().map(|f| names(f)).filter(|names| !names.is_empty());
    let Some(first) = found.next() else { return Vec::new() };
    let is_input = |f: &&NativeFunction| f.func.arguments.flat_non_out().any(|a| a.schema_name() == "out");
    let agree = found.all(|names| names == first) && !overloads.iter().any(is_input);
    // A single out argument is the keyword `out` only if that is its name.
    if agree && (first.len() > 1 || first == ["out"]) { first } else { Vec::new() }
}

/// The lists that may be given as one element and have one size in all overloads.
fn expanded<'a>(overloads: &[&'a NativeFunction]) -> Vec<Expanded<'a>> {
    let all = || overloads.iter().flat_map(|f| f.func.arguments.flat_all());
    let mut found: Vec<Expanded> = Vec::new();
    for a in all() {
        let Some(size) = size_of_symbolic_list(&a.ty) else { continue };
        let entry = Expanded { name: a.schema_name(), size };
        let same =
            |other: &Argument| other.schema_name() != entry.name || size_of_symbolic_list(&other.ty) == Some(size);
        if all().all(same) && !found.contains(&entry) {
            found.push(entry);
        }
    }
    found
}

/// The size of a list of symbolic integers. For lists of other types `torch.ops` itself repeats one
/// element.
fn size_of_symbolic_list(ty: &Type) -> Option<u32> {
    match ty {
        Type::Optional(elem) => size_of_symbolic_list(elem),
        Type::List(elem, size) if **elem == Type::Base(BaseTy::SymInt) => *size,
        _ => None,
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
        [single] => (signature.free_name(single.schema_name()), annotation::argument_type(&single.ty)),
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
        let name = signature.free_name(a.schema_name());
        signature.parameters.push(Parameter { name, ty: annotation::argument_type(&a.ty), default: None });
    }
    signature.finish()
}

impl<'a> Function<'a> {
    /// Adds an overload that is registered by its schema alone.
    fn add_boxed(&mut self, f: &'a SchemaOnly) {
        let packet = attribute(operators_of(&f.namespace), &f.parts.0);
        let overload = if f.parts.1.is_empty() { "default" } else { &f.parts.1 };
        let schema = || format!("{}::{}", f.namespace, f.schema);
        let described = described_as(f.doc.as_deref(), f.when.as_ref(), schema);
        let mut doc = described.clone();
        doc.extend((!doc.is_empty()).then(String::new));
        doc.push(schema());
        self.doc.extend((!self.doc.is_empty()).then(String::new));
        self.doc.extend(docstring(doc.iter().map(String::as_str)));
        let mut signature = Signature::of_declared(&f.arguments, &f.returns);
        signature.doc = docstring(described.iter().map(String::as_str));
        signature.overload = Some(attribute(packet.clone(), overload));
        self.signatures.push(signature);
        if self.packet.is_empty() {
            self.packet = packet;
        }
        for a in &f.arguments {
            let entry = Renamed { python: annotation::name(&a.name).into_owned(), schema: &a.name };
            if entry.python != entry.schema && !self.renamed.contains(&entry) {
                self.renamed.push(entry);
            }
        }
    }
}

impl Function<'_> {
    /// Gives the results their names, if all signatures agree about them.
    fn name_results(&mut self) {
        let mut all = self.signatures.iter().map(|s| s.results.as_ref());
        let first = all.next().flatten();
        self.results = first.filter(|first| all.all(|other| other == Some(first))).cloned();
        if self.results.is_some() {
            let returns = results::annotation(&self.name);
            self.signatures.iter_mut().for_each(|s| s.returns.clone_from(&returns));
        }
    }

    /// Uses a type by its private alias in all signatures.
    pub(crate) fn use_alias(&mut self, ty: &str) {
        for signature in &mut self.signatures {
            let types = signature.parameters.iter_mut().map(|p| &mut p.ty).chain([&mut signature.returns]);
            for text in types {
                *text = with_alias(text, ty);
            }
        }
        for text in self.results.iter_mut().flat_map(Results::types) {
            *text = with_alias(text, ty);
        }
    }

    /// Whether a list is made from one element.
    pub(crate) fn expands(&self) -> bool {
        if self.signatures.len() > 1 {
            return !self.expanded.is_empty();
        }
        self.signatures.iter().flat_map(|s| &s.arguments).any(|a| a.size.is_some())
    }
}

/// The annotation with a type by its private alias.
fn with_alias(annotation: &str, ty: &str) -> String {
    replace_words(annotation, ty, |range| (!annotation[..range.start].ends_with('.')).then(|| format!("_{ty}")))
}

impl<'a> Signature<'a> {
    fn empty() -> Self {
        Signature {
            doc: Vec::new(),
            parameters: Vec::new(),
            names: HashSet::new(),
            star: None,
            wide: false,
            returns: annotation::returns_type(&[]),
            results: None,
            overload: None,
            arguments: Vec::new(),
            out: None,
        }
    }

    /// All arguments of a schema that has no model.
    fn of_declared(arguments: &'a [DeclaredArgument], returns: &[DeclaredReturn]) -> Self {
        let mut signature = Signature::empty();
        let types: Vec<String> = returns.iter().map(|r| annotation::declared_return(r.ty.as_ref())).collect();
        signature.returns = annotation::returned(&types);
        signature.results = Results::new(returns.iter().map(|r| r.name.as_deref()).zip(types));
        let positional = arguments.iter().filter(|a| !a.keyword_only).count();
        let required = arguments[..positional].iter().rposition(|a| a.default.is_none()).map_or(0, |last| last + 1);
        let names = python_names(arguments.iter().map(|a| a.name.as_str()));
        for (i, (a, name)) in arguments.iter().zip(names).enumerate() {
            let name = signature.free_name(&name);
            let default = a.default.as_deref().filter(|_| i >= required);
            let shown = default.map(|text| match &a.ty {
                Some(ty) => annotation::default(text, ty).into_owned(),
                None => text.to_owned(),
            });
            let ty = a.ty.as_ref().map_or_else(|| "object".to_owned(), annotation::argument_type);
            signature.parameters.push(Parameter { name: name.clone(), ty, default: shown });
            let reserved = is_keyword(&a.name) || a.name == "__debug__";
            let keyword = (i >= positional).then_some(a.name.as_str());
            let size = a.ty.as_ref().and_then(size_of_symbolic_list);
            signature.arguments.push(Value { value: name, keyword, reserved: reserved && keyword.is_some(), size });
        }
        if arguments.len() > positional {
            signature.star = Some(positional);
        }
        signature.finish()
    }

    /// All except out arguments.
    fn of_inputs(f: &'a NativeFunction) -> Self {
        let arguments = &f.func.arguments;
        let mut signature = Signature::empty();
        signature.doc = docstring(described(f).iter().map(String::as_str));
        signature.returns = annotation::returns_type(&f.func.returns);
        let result = |r: &'a Return| (r.name.as_deref(), annotation::result_type(r));
        signature.results = Results::new(f.func.returns.iter().map(result));
        let positional = arguments.flat_positional().count();
        // Python does not allow a parameter without a default after one with a default.
        let required = arguments.flat_positional().enumerate().filter(|(_, a)| a.default.is_none()).map(|(i, _)| i + 1);
        let required = required.last().unwrap_or(0);
        let names = python_names(arguments.flat_non_out().map(Argument::schema_name));
        for (i, (a, name)) in arguments.flat_non_out().zip(names).enumerate() {
            let name = signature.free_name(&name);
            let default = a.default.as_deref().filter(|_| i >= required);
            signature.parameters.push(Parameter {
                name: name.clone(),
                ty: annotation::argument_type(&a.ty),
                default: default.map(|text| annotation::default(text, &a.ty).into_owned()),
            });
            signature.arguments.push(match i < positional {
                true => Value { keyword: None, reserved: false, ..Value::keyword(a, name) },
                false => Value::keyword(a, name),
            });
        }
        if signature.parameters.len() > positional {
            signature.star = Some(positional);
        }
        signature.finish()
    }

    /// The name as Python allows it, and different from those before it.
    fn free_name(&mut self, wanted: &str) -> String {
        let mut name = annotation::name(wanted).into_owned();
        while !self.names.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    fn finish(mut self) -> Self {
        let width: usize = self.parameters.iter().map(|p| p.name.len() + p.ty.len() + 4).sum();
        self.wide = width + self.returns.len() > WIDTH;
        self
    }
}

impl<'a> Value<'a> {
    fn keyword(a: &'a Argument, value: String) -> Self {
        let reserved = is_keyword(a.schema_name()) || a.schema_name() == "__debug__";
        Value { value, keyword: Some(a.schema_name()), reserved, size: size_of_symbolic_list(&a.ty) }
    }
}

/// An expression for all operators of the operator's namespace.
pub(crate) fn operators_expr(f: &NativeFunction) -> String {
    operators_of(&f.namespace)
}

/// An expression for all operators of a namespace.
pub(crate) fn operators_of(namespace: &str) -> String {
    attribute("_torch.ops".to_owned(), namespace)
}

/// An expression for all overloads of the operator's name.
fn operator_expr(f: &NativeFunction) -> String {
    attribute(operators_expr(f), &f.func.name.name.to_string())
}

/// An expression for an operator with its overload.
pub(crate) fn overload_expr(f: &NativeFunction) -> String {
    let overload = f.func.name.overload_name.as_str();
    attribute(operator_expr(f), if overload.is_empty() { "default" } else { overload })
}

fn attribute(of: String, name: &str) -> String {
    let call = is_keyword(name) || name == "__debug__" || name.contains("::");
    if call { format!("_builtins.getattr({of}, \"{name}\")") } else { format!("{of}.{name}") }
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_differ() {
        let names = super::python_names(["from", "from_", "x", "_torch", "lambda"].into_iter());
        assert_eq!(names, ["from__", "from_", "x", "_torch_", "lambda_"]);
    }
}
