//! Enumerations, nodes and instructions as facts.
//!
//! Invariant: every record is there, also those of gradients and of the support library, which have
//! no place.

use serde_json::{Value, json};

use super::effects::{Operand, OperandKind, Reuse};
use super::model::{Family, Gradient, Instruction, Member, Name, Node};
use torchgen_base::diag::{Sources, Span};
use torchgen_base::yaml::Text;
use torchgen_kit::facts::{Facts, Own, Part, Place, Relation, Thing, own};
use torchgen_kit::ir::EnumRecord;

/// All enumerations and mix-ins, then all nodes, then all instructions.
pub(crate) fn facts(family: &Family, sources: &Sources) -> Facts {
    let enums = family.enums.iter().map(|own| enumeration(own, sources));
    let nodes = family.nodes.iter().map(|own| node(own, sources));
    let instructions = family.instructions.iter().map(|own| instruction(own, sources));
    let things = enums.chain(family.traits.things(sources)).chain(nodes).chain(instructions).collect();
    Facts { namespace: Some(family.namespace.clone()), things }
}

fn enumeration(one: &EnumRecord, sources: &Sources) -> Thing {
    let part = |value: &Text| Part {
        at: Place::inside(value.span(), one.name.span(), sources),
        ..Part::new("value", value.as_str(), one.name.as_str())
    };
    Thing {
        at: Place::from_span(one.name.span(), sources),
        parts: one.values.iter().map(part).collect(),
        ..Thing::new("enum", one.name.as_str(), own(json!({"scoped": one.scoped})))
    }
}

fn names_of(names: &[Name]) -> Vec<&str> {
    names.iter().map(|name| name.text.as_str()).collect()
}

/// The name of the thing around a part, and the sources of both.
type In<'a> = (Span, &'a Sources);

fn part(role: &'static str, name: &Name, ty: &str, (thing, sources): In<'_>) -> Part {
    Part { at: Place::inside(name.span, thing, sources), ..Part::new(role, &name.text, ty) }
}

fn member(member: &Member, place: In<'_>) -> Part {
    let (default, cpp_default) = member.default.clone().unzip();
    Part { default, cpp_default, ..part("member", &member.name, &member.spelling, place) }
}

fn operand(operand: &Operand, ty: &str, place: In<'_>) -> Part {
    let role = match operand.kind {
        OperandKind::In => "in",
        OperandKind::Out => "out",
        OperandKind::InOut => "inout",
        OperandKind::Scratch => "scratch",
    };
    part(role, &operand.name, ty, place)
}

fn text(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn node(node: &Node, sources: &Sources) -> Thing {
    let place = (node.span, sources);
    let mut parts: Vec<Part> = node.inputs.iter().map(|input| part("input", &input.name, "Tensor", place)).collect();
    parts.extend(node.variable_inputs.iter().map(|input| part("input", &input.name, "Tensor[]", place)));
    parts.extend(node.members.iter().map(|own| member(own, place)));
    parts.extend(node.results.iter().map(|result| part("result", &result.name, "Tensor", place)));
    parts.extend(node.variable_results.iter().map(|result| part("result", result, "Tensor[]", place)));
    let names = |reads: bool| {
        let written = node.all_inputs().filter(|input| input.kind.writes() && input.kind.reads() == reads);
        written.map(|input| input.name.text.clone()).collect::<Vec<_>>()
    };
    let same_type = node.results.iter().filter_map(|r| Some((r.name.text.clone(), Value::from(r.same_as.clone()?))));
    let facts = json!({
        "class": node.class(),
        "modes": node.modes,
        "data_parallel": node.data_parallel,
        "side_effects": node.side_effects,
        "backend_specific": node.backend_specific,
        "extra_results": node.extra_results,
        "fused_activation": node.fused_activation,
        "serialized": !node.by_hand.serialization,
        "differentiable": node.gradient != Gradient::None,
        "reads_and_writes": names(true),
        "writes": names(false),
        "same_type": same_type.collect::<Own>(),
        "traits": names_of(&node.traits),
    });
    let gradient_of = node.gradient_of.as_ref().map(|of| Relation::new("gradient_of", of));
    Thing {
        at: Place::from_span(node.span, sources),
        doc: text(&node.doc),
        parts,
        relations: gradient_of.into_iter().collect(),
        ..Thing::new("node", &node.name, own(facts))
    }
}

fn instruction(instruction: &Instruction, sources: &Sources) -> Thing {
    let place = (instruction.span, sources);
    let mut parts: Vec<Part> = instruction.operands.iter().map(|own| operand(own, "Tensor", place)).collect();
    parts.extend(instruction.variable_operands.iter().map(|own| operand(own, "Tensor[]", place)));
    parts.extend(instruction.members.iter().map(|own| member(own, place)));
    let reuse = |reuse: &Reuse| json!({"result": reuse.result, "operand": reuse.operand});
    let facts = json!({
        "class": instruction.class(),
        "data_parallel": instruction.data_parallel,
        "side_effects": instruction.side_effects,
        "backend_specific": instruction.backend_specific,
        "memory": instruction.memory,
        "traits": names_of(&instruction.traits),
        "may_reuse": instruction.reuses.iter().map(reuse).collect::<Vec<_>>(),
    });
    let lowered = instruction.lowering.as_ref().map(|lowering| Relation::new("lowered_from", &lowering.node.text));
    let gradient_of = instruction.gradient_of.as_ref().map(|of| Relation::new("gradient_of", of));
    Thing {
        at: Place::from_span(instruction.span, sources),
        doc: text(&instruction.doc),
        parts,
        relations: lowered.into_iter().chain(gradient_of).collect(),
        ..Thing::new("instruction", &instruction.name, own(facts))
    }
}
