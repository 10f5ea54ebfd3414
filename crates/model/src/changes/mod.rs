//! Operators as things whose changes are compared: `torchgen-rs breaking` and `diff`.
//!
//! Invariant: what is compared is what users of an operator see: its schema, its kernels by
//! dispatch key, and the keys of its entry that change how it behaves.

mod facts;
mod formulas;
#[cfg(test)]
mod tests;
mod types;

use std::borrow::Cow;

use crate::model::{Annotation, Argument, BackendIndices, DispatchKey, NativeFunction, Return};
use crate::parse::entry::SchemaOnly;
use torchgen_base::diag::{Sources, Span};
use torchgen_kit::changes::{EVERYBODY, Fact, Group, Part, Rules, Thing, kinds};

pub use facts::LEFT_OUT;
pub use formulas::{add_formulas, of_record};

/// What changes of operators break, as `kinds` has it.
pub const RULES: Rules = Rules {
    accepts: types::accepts,
    converts: types::converts,
    added: |part| types::is_container(part).then_some(kinds::CONTAINER_DEFAULT),
    categories: |_| EVERYBODY,
    effects: &[],
    help: |kind| kind.help,
};

/// The kind of operators.
pub const OPERATOR: &str = "operator";

/// An operator with its kernels. `owner` is the structured operator that it is made from, if there
/// is one.
pub fn operator(
    f: &NativeFunction,
    owner: Option<&NativeFunction>,
    indices: &BackendIndices,
    sources: &Sources,
) -> Thing {
    let schema = &f.spans.schema;
    let arguments = &f.func.arguments;
    let part = |argument: &Argument, group| Part {
        role: "argument",
        group,
        name: argument.schema_name().to_owned(),
        ty: argument.ty.to_string(),
        alias: alias(argument.annotation.as_ref()),
        default: argument.default.clone(),
        text: argument.to_string(),
        place: Some(schema.argument(&argument.name)),
    };
    let positional = arguments.flat_positional().map(|argument| part(argument, Group::Positional));
    let keyword = arguments.flat_kwarg_only().map(|argument| part(argument, Group::Keyword));
    let out = arguments.out.iter().map(|argument| part(argument, Group::Out));
    let results = results_place(schema.whole, sources);
    let result = |result: &Return| Part {
        role: "result",
        group: Group::Positional,
        name: result.name.clone().unwrap_or_default(),
        ty: result.ty.to_string(),
        alias: alias(result.annotation.as_ref()),
        default: None,
        text: result.to_string(),
        place: Some(results),
    };
    Thing {
        kind: OPERATOR,
        name: f.full_name(),
        place: Some(f.spans.name),
        text: f.qualified_schema(),
        parts: positional.chain(keyword).chain(out).collect(),
        results: f.func.returns.iter().map(result).collect(),
        facts: facts(f, owner, indices, sources),
        functions: Vec::new(),
        generated: f.is_generated(),
    }
}

/// An operator that is registered by its schema alone.
pub fn schema_only(operator: &SchemaOnly) -> Thing {
    let part = |role, group, name: String, ty: String, default: Option<String>| Part {
        role,
        group,
        text: format!("{ty} {name}"),
        name,
        ty,
        alias: String::new(),
        default,
        place: Some(operator.span),
    };
    let shown =
        |ty: &Option<crate::model::Type>| ty.as_ref().map_or_else(|| "a type of c10".to_owned(), ToString::to_string);
    let argument = |argument: &crate::parse::c10::DeclaredArgument| {
        let group = if argument.keyword_only { Group::Keyword } else { Group::Positional };
        part("argument", group, argument.name.clone(), shown(&argument.ty), argument.default.clone())
    };
    let result = |result: &crate::parse::c10::DeclaredReturn| {
        part("result", Group::Positional, result.name.clone().unwrap_or_default(), shown(&result.ty), None)
    };
    let mut facts: Vec<Fact> = operator.tags.iter().map(|tag| facts::fact(&facts::TAG, tag, "", None)).collect();
    facts.extend(operator.when.iter().map(|when| facts::fact(&facts::CONDITION, "", when.text(), None)));
    Thing {
        kind: OPERATOR,
        name: format!("{}::{}", operator.namespace, operator.name),
        place: Some(operator.span),
        text: format!("{}::{}", operator.namespace, operator.schema),
        parts: operator.arguments.iter().map(argument).collect(),
        results: operator.returns.iter().map(result).collect(),
        facts,
        functions: Vec::new(),
        generated: false,
    }
}

fn alias(annotation: Option<&Annotation>) -> String {
    annotation.map(ToString::to_string).unwrap_or_default()
}

/// The place of what follows the arrow of a schema.
fn results_place(schema: Span, sources: &Sources) -> Span {
    let text = sources.snippet(schema);
    let Some(arrow) = text.rfind("->") else { return schema };
    let rest = &text[arrow + 2..];
    let start = schema.start as usize + arrow + 2 + (rest.len() - rest.trim_start().len());
    Span::new(schema.file, start, start + rest.trim().trim_end_matches(['"', '\'']).len())
}

/// What is known about an operator besides its schema.
fn facts(f: &NativeFunction, owner: Option<&NativeFunction>, indices: &BackendIndices, sources: &Sources) -> Vec<Fact> {
    let mut found: Vec<Fact> = f.tags.iter().map(|tag| facts::fact(&facts::TAG, tag, "", None)).collect();
    // An operator that is made from a structured one has its kernels.
    let owner = owner.unwrap_or(f);
    let kernel = |key: DispatchKey, cpp_namespace: &str, kernel: &str| {
        let place = f.spans.kernels.iter().find(|(own, _)| *own == key).map(|(_, place)| *place);
        facts::fact(&facts::KERNEL, key.as_str(), &format!("{cpp_namespace}::{kernel}"), place)
    };
    for index in indices.iter() {
        let own = index.get_kernel(owner).or_else(|| index.get_kernel(f));
        found.extend(own.map(|own| kernel(index.dispatch_key, &own.cpp_namespace, &own.kernel)));
    }
    found.extend(f.python_kernels.iter().map(|kernel| {
        facts::fact(&facts::KERNEL, kernel.key.as_str(), &kernel.function.to_string(), Some(kernel.span))
    }));
    if f.is_helper {
        found.push(facts::fact(&facts::HELPER, "", "", None));
    }
    if !f.differentiable {
        found.push(facts::fact(&facts::NOT_DIFFERENTIABLE, "", "", None));
    }
    if f.fake.is_some() {
        let text: Cow<'_, str> = f.spans.fake.map_or("", |place| sources.snippet(place)).into();
        found.push(facts::fact(&facts::FAKE, "", &text, f.spans.fake));
    }
    let rule = f.vmap.iter();
    found.extend(rule.map(|rule| facts::fact(&facts::VMAP, "", &rule.to_string(), f.spans.vmap)));
    found.extend(dims(f));
    if f.aoti {
        found.push(facts::fact(&facts::C_FUNCTION, "", "", None));
    }
    let exported = f.onnx.iter();
    found.extend(exported.map(|onnx| facts::fact(&facts::ONNX, "", &onnx.to_string(), f.spans.onnx)));
    found.extend(f.python_module.iter().map(|module| facts::fact(&facts::PYTHON_MODULE, "", module, None)));
    found.extend(f.cpp_no_default_args.iter().map(|name| facts::fact(&facts::NO_CPP_DEFAULT, name, "", None)));
    let condition = f.conditions.operator.iter();
    found.extend(condition.map(|condition| facts::fact(&facts::CONDITION, "", condition.text(), None)));
    found
}

/// What the lines of its dimensions say.
fn dims(f: &NativeFunction) -> Vec<Fact> {
    let (mut found, place) = (Vec::new(), f.spans.dims);
    let lines = f.dims_lines();
    for (at, line) in lines.iter().enumerate() {
        // Alternatives are compared in their order.
        let number = if lines.len() > 1 { format!(" in line {}", at + 1) } else { String::new() };
        for (name, dims) in &line.tensors {
            let dims: Vec<String> = dims.iter().map(|dim| dim.value.to_string()).collect();
            let dims = format!("[{}]", dims.join(", "));
            found.push(facts::fact(&facts::DIMS, &format!("{}{number}", name.value), &dims, place));
        }
        for word in line.split() {
            let clause = if line.map.contains(word) { "map" } else { "reduce" };
            found.push(facts::fact(&facts::SPLIT, &format!("{clause}({}){number}", word.value), "", place));
        }
    }
    let flops = f.flops.iter();
    found.extend(flops.map(|flops| facts::fact(&facts::FLOPS, "", &flops.count.to_string(), f.spans.flops)));
    found
}
