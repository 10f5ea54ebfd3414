//! The variants that PyTorch generates for the names under `autogen:`.
//!
//! Invariant: a variant is written as a schema string and parsed like any other. Rule:
//! torchgen/native_function_generation.py.

use super::operator::{Operator, Role};
use super::types::{Kind, TYPES};
use torchgen_base::yaml::{Node, NodeKind};
use torchgen_kit::schema::{self, Alias, Parameter, Rules, Spanned};

/// The arguments that say what kind of tensor to make.
const OPTIONS: [&str; 4] = ["dtype", "layout", "device", "pin_memory"];

/// The variants of an operator. PyTorch has kernels for all of them. What it computes from other
/// operators has none, unless it is tagged as `core`.
pub(super) fn variants(operator: &Operator, names: Option<&Node>, is_core: bool) -> Vec<Operator> {
    if operator.composite_implicit && !is_core {
        return Vec::new();
    }
    let mut found: Vec<&str> = Vec::new();
    match names.map(|names| &names.kind) {
        Some(NodeKind::Scalar(text)) => found.extend(text.as_str().split(',').map(str::trim)),
        Some(NodeKind::Sequence(items)) => {
            found.extend(items.iter().filter_map(Node::as_text).map(|text| text.as_str()));
        }
        _ => {}
    }
    let made = found.into_iter().filter_map(|name| {
        let overload = name.split_once('.').map_or("", |(_, overload)| overload);
        let is_out = overload == "out" || overload.ends_with("_out");
        let text = if is_out { out(operator, name) } else { functional(operator, name) };
        let schema = schema::parse(&text, &TYPES, &Rules::ANY).ok()?;
        Some(Operator {
            schema,
            required: false,
            composite_implicit: false,
            structured: false,
            constant: operator.constant,
            meta: operator.meta,
            native: None,
        })
    });
    made.collect()
}

/// A parameter whose alias set is dropped.
fn plain(parameter: &Parameter<Kind>) -> String {
    let mut parameter = parameter.clone();
    parameter.ty.value.alias = None;
    parameter.to_string()
}

/// The results of the functional variant: those of the operator, then one for each other argument
/// that it writes to.
fn results(operator: &Operator) -> Vec<String> {
    let sets = |alias: Option<&Spanned<Alias>>| -> Vec<String> {
        alias.map_or(Vec::new(), |alias| alias.before.iter().map(|set| set.value.clone()).collect())
    };
    let results = operator.schema.results();
    let returned: Vec<String> = results.iter().flat_map(|result| sets(result.ty.alias.as_ref())).collect();
    let mut types: Vec<String> = results
        .iter()
        .map(|result| {
            let mut result = result.value.clone();
            result.ty.value.alias = None;
            result.to_string()
        })
        .collect();
    for parameter in operator.schema.parameters.iter().filter(|parameter| parameter.ty.is_write()) {
        if !sets(parameter.ty.alias.as_ref()).iter().any(|set| returned.contains(set)) {
            let mut ty = parameter.ty.value.clone();
            ty.alias = None;
            types.push(format!("{ty} {}_out", parameter.name));
        }
    }
    types
}

fn list(positional: Vec<String>, keyword_only: Vec<String>) -> String {
    let mut all = positional;
    if !keyword_only.is_empty() {
        all.push("*".to_owned());
        all.extend(keyword_only);
    }
    all.join(", ")
}

fn tuple(types: &[String]) -> String {
    match types {
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    }
}

fn functional(operator: &Operator, name: &str) -> String {
    let is_out = operator.role() == Role::Out;
    let kept = |parameter: &&Parameter<Kind>| !(is_out && parameter.keyword_only && parameter.ty.is_write());
    let (keyword_only, positional): (Vec<_>, Vec<_>) =
        operator.schema.parameters.iter().map(|p| &p.value).filter(kept).partition(|parameter| parameter.keyword_only);
    let text = |parameters: Vec<&Parameter<Kind>>| parameters.into_iter().map(plain).collect();
    format!("{name}({}) -> {}", list(text(positional), text(keyword_only)), tuple(&results(operator)))
}

fn out(operator: &Operator, name: &str) -> String {
    let has_options =
        OPTIONS.iter().all(|option| operator.schema.keyword_only().any(|parameter| parameter.name.as_str() == *option));
    let kept = |parameter: &&Parameter<Kind>| {
        !(has_options && parameter.keyword_only && OPTIONS.contains(&parameter.name.as_str()))
    };
    let (keyword_only, positional): (Vec<_>, Vec<_>) =
        operator.schema.parameters.iter().map(|p| &p.value).filter(kept).partition(|parameter| parameter.keyword_only);
    // The out argument replaces `self`; other arguments are still written to.
    let is_replaced = |parameter: &Parameter<Kind>| {
        operator.role() == Role::Functional || (operator.role() == Role::Inplace && parameter.name.as_str() == "self")
    };
    let text =
        |parameter: &Parameter<Kind>| if is_replaced(parameter) { plain(parameter) } else { parameter.to_string() };
    let taken: Vec<char> = operator
        .schema
        .parameters
        .iter()
        .filter(|parameter| parameter.ty.is_write() && !is_replaced(parameter))
        .flat_map(|parameter| parameter.ty.alias.as_ref().and_then(|alias| alias.before.first()?.chars().next()))
        .collect();
    let outputs: Vec<String> = match operator.role() {
        Role::Inplace => operator
            .schema
            .parameters
            .iter()
            .take(1)
            .map(|parameter| {
                let mut ty = parameter.ty.value.clone();
                ty.alias = None;
                ty.to_string()
            })
            .collect(),
        _ => operator
            .schema
            .results()
            .iter()
            .filter(|result| !result.ty.is_write())
            .map(|result| {
                let mut ty = result.ty.value.clone();
                ty.alias = None;
                ty.to_string()
            })
            .collect(),
    };
    let many = outputs.len() > 1;
    let letters = ('a'..='z').filter(|letter| !taken.contains(letter));
    let mut outs = Vec::new();
    let mut returned = Vec::new();
    for ((index, ty), letter) in outputs.iter().enumerate().zip(letters) {
        let (base, suffix) = ty.split_at(ty.find(['[', '?']).unwrap_or(ty.len()));
        let name = if many { format!("out{index}") } else { "out".to_owned() };
        outs.push(format!("{base}({letter}!){suffix} {name}"));
        if suffix.is_empty() {
            returned.push(format!("{base}({letter}!)"));
        }
    }
    let mut keyword_only: Vec<String> = keyword_only.into_iter().map(text).collect();
    keyword_only.extend(outs);
    let results = if returned.len() == outputs.len() { tuple(&returned) } else { "()".to_owned() };
    format!("{name}({}) -> {results}", list(positional.into_iter().map(text).collect(), keyword_only))
}
