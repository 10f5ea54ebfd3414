//! The classes of nodes, for `LazyIr.h` and `LazyNonNativeIr.h`.
//!
//! Rule: torchgen/dest/lazy_ir.py, `GenLazyIR` and `GenTSLazyIR`;
//! torchgen/dest/lazy_ts_lowering.py.

use serde::{Deserialize, Serialize};

use super::schema::{LazySchema, Member, Shapes};
use super::types::LazyArgument;
use super::{Options, parts_of};
use crate::backend::decided::NodeText;
use torchgen_api::error::{ApiError, Result};
use torchgen_api::{BaseCppType, CType, CTypeKind};
use torchgen_base::render::{RenderError, Renderer};
use torchgen_generators::decider::Parts;
use torchgen_kit::driver::data::{Table, Tables};
use torchgen_model::codes;

#[derive(Deserialize)]
struct Symbols {
    not_interned: Vec<String>,
}

impl Table for Symbols {
    const PATH: &'static str = "torch/lazy.yaml";
}

/// A class.
#[derive(Serialize)]
pub(super) struct Node<'a> {
    name: String,
    base: &'a str,
    /// The expression of its operator.
    kind: String,
    /// The parameters of its computation.
    parameters: String,
    /// The parameters of the constructor.
    constructor: String,
    /// The operands for the base class.
    operands: String,
    shapes: Option<ShapeSource>,
    /// The operator's unique name, which shape functions are named after.
    operator: String,
    outputs: usize,
    /// The inputs of the hash.
    hashed: String,
    members: Vec<Data<'a>>,
    /// Values that may be missing.
    optional_values: Vec<&'a str>,
    /// It lowers to TorchScript.
    script: bool,
    lower: &'static str,
    can_be_reused: &'static str,
    create: &'static str,
    lowering: Lowering<'a>,
    /// Conditions under which another node can replace it; all must be true.
    same: Vec<String>,
    /// What the caller of the program wrote in place of them.
    pub(super) own: NodeText,
}

impl Node<'_> {
    /// Its text.
    pub(super) fn text(&self, renderer: &Renderer, operator: &str) -> std::result::Result<String, RenderError> {
        renderer.fragment_for("torch/lazy/node.j2", self, operator)
    }

    /// The parts that the caller of the program can decide.
    pub(super) fn parts(&self, renderer: &Renderer, operator: &str) -> std::result::Result<Parts, RenderError> {
        let templates = [
            ("node", "torch/lazy/node.j2"),
            ("base", "torch/lazy/base.j2"),
            ("create", "torch/lazy/create.j2"),
            ("can_be_reused", "torch/lazy/can_be_reused.j2"),
            ("lowering", "torch/lazy/lower.j2"),
        ];
        parts_of(self, &templates, renderer, operator)
    }
}

/// The source of its shapes.
#[derive(Serialize)]
#[serde(tag = "from", rename_all = "snake_case")]
enum ShapeSource {
    Parameter,
    Function { arguments: String },
    Closure { arguments: String },
}

/// A data member.
#[derive(Serialize)]
struct Data<'a> {
    name: &'a str,
    /// Its type.
    ty: CType,
    /// It was a string view, and is a string here.
    text: bool,
    optional: bool,
    generator: bool,
}

/// An argument in TorchScript.
#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    value: bool,
    optional: bool,
}

/// The lowering to TorchScript.
#[derive(Serialize)]
struct Lowering<'a> {
    /// The operator's name.
    aten_name: String,
    arguments: Vec<Named<'a>>,
    keywords: Vec<Named<'a>>,
}

/// The class of a node.
pub(super) fn node<'a>(
    options: &'a Options,
    schema: &LazySchema<'a>,
    opkind: Option<&'a str>,
    tables: &Tables,
) -> Result<Node<'a>> {
    let properties = schema.properties;
    let parameters: Vec<String> =
        schema.arguments().map(|a| format!("const {}& {}", a.ty.cpp_type(), a.name())).collect();
    let parameters = parameters.join(", ");
    let mut constructor = parameters.clone();
    if options.lazy_shape && properties.shapes == Some(Shapes::Precomputed) {
        let comma = if constructor.is_empty() { "" } else { ", " };
        constructor = format!("{constructor}{comma}std::vector<torch::lazy::Shape>&& shapes");
    }
    let values: Vec<&LazyArgument> = schema.values().collect();
    let scalars: Vec<&LazyArgument> = schema.scalars().collect();
    let operands = values.iter().map(|a| operand(a)).collect::<Result<Vec<_>>>()?.join(", ");
    let names = |arguments: &[&LazyArgument<'a>]| arguments.iter().map(|a| a.name().to_owned()).collect::<Vec<_>>();
    let shapes = properties.shapes.map(|source| match source {
        Shapes::Precomputed => ShapeSource::Parameter,
        Shapes::Computed => ShapeSource::Function { arguments: [names(&values), names(&scalars)].concat().join(", ") },
        Shapes::Cached => {
            let operands: Vec<String> = (0..values.len()).map(|i| format!("operand({i})")).collect();
            ShapeSource::Closure { arguments: [operands, names(&scalars)].concat().join(", ") }
        }
    });
    let aten_name = schema.aten_name();
    let kind = opkind.filter(|kind| !kind.is_empty()).map_or_else(|| symbol(&aten_name, tables), str::to_owned);
    let optional_values = values.iter().filter(|a| a.optional().is_some()).map(|a| a.name()).collect();
    Ok(Node {
        name: schema.node_name(),
        base: &options.names.node_base,
        kind,
        parameters,
        constructor,
        operands,
        shapes,
        operator: schema.func.name.to_string(),
        outputs: schema.func.returns.len(),
        hashed: names(&scalars).join(", "),
        members: scalars.iter().map(|a| data(a)).collect(),
        optional_values,
        script: options.ts_lowerings,
        lower: word(properties.lower),
        can_be_reused: word(properties.can_be_reused),
        create: word(properties.create),
        lowering: Lowering {
            aten_name,
            arguments: schema.positional.iter().map(named_argument).collect(),
            keywords: by_value(schema.keyword.iter()).map(named_argument).collect(),
        },
        same: schema.values().chain(schema.scalars()).map(same).collect(),
        own: NodeText::default(),
    })
}

/// The symbol of an operator.
pub fn symbol(aten_name: &str, tables: &Tables) -> String {
    match tables.get::<Symbols>().not_interned.iter().any(|name| name == aten_name) {
        true => format!("c10::Symbol::fromQualString(\"aten::{aten_name}\")"),
        false => format!("at::aten::{aten_name}"),
    }
}

/// Values first; each kind in order.
fn by_value<'s, 'a: 's>(
    arguments: impl Iterator<Item = &'s LazyArgument<'a>> + Clone,
) -> impl Iterator<Item = &'s LazyArgument<'a>> {
    arguments.clone().filter(|a| a.is_value).chain(arguments.filter(|a| !a.is_value))
}

fn word(member: Option<Member>) -> &'static str {
    match member {
        None => "no",
        Some(Member::Declared) => "declared",
        Some(Member::Defined) => "defined",
    }
}

/// A value as an operand of the base class.
fn operand(a: &LazyArgument) -> Result<String> {
    match a.ty.kind() {
        CTypeKind::Base(_) | CTypeKind::Named(_) | CTypeKind::Vector(_) => Ok(a.name().to_owned()),
        CTypeKind::Optional(_) => Ok(format!("{}.value_or(kNullValue)", a.name())),
        _ => Err(not_a_value(a)),
    }
}

/// A value of a type that generated code does not support.
pub(super) fn not_a_value(a: &LazyArgument) -> ApiError {
    let message = format!("a lazy kernel cannot take an argument of type `{}`", a.argument.ty);
    ApiError::new(&codes::LAZY_OPERATOR, message).about(a.name())
}

fn data<'a>(a: &LazyArgument<'a>) -> Data<'a> {
    let text = CType::base(BaseCppType::String);
    Data {
        name: a.name(),
        ty: a.ty,
        text: a.ty == text || a.optional() == Some(&text),
        optional: a.optional().is_some(),
        generator: a.is_generator,
    }
}

fn named_argument<'a>(a: &LazyArgument<'a>) -> Named<'a> {
    Named { name: a.name(), value: a.is_value, optional: a.optional().is_some() }
}

/// The condition that an argument is the same.
fn same(a: &LazyArgument) -> String {
    let name = a.name();
    match (a.is_value, a.optional().is_some()) {
        (true, true) => format!("nullable_operand(i++) == {name}.value_or(kNullValue)"),
        (true, false) => format!("operand(i++) == {name}"),
        (false, true) => format!("((!this->{name}&&!{name}) || (this->{name}&&{name} && *(this->{name}) == *{name}))"),
        (false, false) => format!("this->{name} == {name}"),
    }
}

#[cfg(test)]
mod tests {
    use torchgen_kit::driver::data::Tables;

    #[test]
    fn the_embedded_table() {
        assert_eq!(Tables::embedded().get::<super::Symbols>().not_interned, ["sigmoid_backward"]);
    }
}
