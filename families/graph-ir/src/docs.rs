//! What people read about a record, in a terminal or on a page of the site.
//!
//! Invariant: an entry has what the author wrote; gradients have entries too.

use serde::Serialize;

use crate::effects::{OperandKind, Reuse};
use crate::model::{Family, Gradient, Instruction, Member, Node, Property, Rule, Term, Verify};

/// The node and the instruction of that name.
pub(crate) fn entries_of(family: &Family, name: &str) -> Vec<Entry> {
    let node = family.node(name).map(node_entry);
    node.into_iter().chain(family.instruction(name).map(instruction_entry)).collect()
}

/// A record.
#[derive(Debug, Serialize)]
struct Record {
    /// `node` or `instruction`.
    kind: String,
    name: String,
    /// One or more sentences.
    doc: String,
    /// Its parts, in order.
    fields: Vec<Field>,
    /// Further properties: `data parallel`, `gradient of Add`.
    facts: Vec<String>,
}

/// A part of a record.
#[derive(Debug, Serialize)]
struct Field {
    /// `input`, `member`, …
    role: String,
    name: String,
    /// As in the schema.
    #[serde(rename = "type")]
    ty: String,
    /// As in the schema.
    default: Option<String>,
}

/// A record as people read it.
#[derive(Debug, Serialize)]
pub(crate) struct Entry {
    #[serde(flatten)]
    record: Record,
    class: String,
    /// What makes one, without types.
    pub(crate) calls: Vec<String>,
    /// The rules of verification, in words.
    pub(crate) rules: Vec<String>,
}

impl Entry {
    fn new(record: Record, class: String, calls: Vec<String>, rules: Vec<String>) -> Entry {
        Entry { record, class, calls, rules }
    }
}

fn rules(verify: &Verify) -> Vec<String> {
    match verify {
        Verify::ByHand(_) => vec!["a method of yours finds nothing wrong".to_owned()],
        Verify::Rules(rules) => rules.iter().filter_map(rule_words).collect(),
    }
}

/// What people read about a node.
pub(crate) fn node_entry(node: &Node) -> Entry {
    let parts = node.all_inputs().map(|input| input.name.text.as_str());
    let parts: Vec<&str> = parts.chain(node.members.iter().map(|member| member.name.text.as_str())).collect();
    let call = |types: &[&str]| {
        let mode = (!node.modes.is_empty()).then_some("mode");
        let arguments: Vec<&str> = ["name"].iter().chain(types).chain(&mode).chain(&parts).copied().collect();
        format!("create{}({})", node.name, arguments.join(", "))
    };
    let taken = || node.results.iter().filter(|result| result.same_as.is_none());
    let lists = || node.variable_results.iter().map(|name| name.text.as_str());
    let all: Vec<&str> = taken().map(|result| result.name.text.as_str()).chain(lists()).collect();
    let given = taken().filter(|result| result.infer.is_none()).map(|result| result.name.text.as_str());
    let few: Vec<&str> = given.chain(lists()).collect();
    let mut calls = vec![call(&few)];
    if few.len() < all.len() {
        calls.push(call(&all));
    }
    Entry::new(node_record(node), node.class(), calls, rules(&node.verify))
}

/// What people read about an instruction.
pub(crate) fn instruction_entry(instruction: &Instruction) -> Entry {
    let operands = instruction.operands.iter().filter(|operand| operand.kind != OperandKind::Scratch);
    let operands = operands.chain(&instruction.variable_operands).map(|operand| operand.name.text.as_str());
    let members = instruction.members.iter().map(|member| member.name.text.as_str());
    let arguments: Vec<&str> = std::iter::once("name").chain(operands).chain(members).collect();
    let call = format!("create{}({})", instruction.class(), arguments.join(", "));
    Entry::new(instruction_record(instruction), instruction.class(), vec![call], rules(&instruction.verify))
}

fn rule_words(rule: &Rule) -> Option<String> {
    let word = |term: &Term| match term {
        Term::Operand(name) => format!("`{}`", name.text),
        Term::Element(element) => format!("`{element}`"),
    };
    Some(match rule {
        Rule::Same(property, terms) => {
            let what = match property {
                Property::Shape => "shape",
                Property::Type => "type",
                Property::ElementType => "element type",
            };
            let terms: Vec<String> = terms.iter().map(word).collect();
            format!("{} have the same {what}", terms.join(", "))
        }
        Rule::OneOf(name, elements) => format!("the elements of `{}` are {}", name.text, elements.join(" or ")),
        Rule::TypeCheck(name, predicates) => {
            format!("the type of `{}` satisfies {}", name.text, predicates.join(", "))
        }
        Rule::Check { message, .. } => message.clone(),
        Rule::Inferred(name) => format!("`{}` has the shape that inputs and members give", name.text),
        Rule::Method(name) => format!("`{name}` finds nothing wrong"),
    })
}

fn field(role: &str, name: &str, ty: &str) -> Field {
    Field { role: role.to_owned(), name: name.to_owned(), ty: ty.to_owned(), default: None }
}

fn member_field(member: &Member) -> Field {
    let default = member.default.as_ref().map(|(written, _)| written.clone());
    Field { default, ..field("member", &member.name.text, &member.spelling) }
}

fn node_record(node: &Node) -> Record {
    let mut fields: Vec<Field> = node.inputs.iter().map(|input| field("input", &input.name.text, "Tensor")).collect();
    fields.extend(node.variable_inputs.iter().map(|input| field("input", &input.name.text, "Tensor[]")));
    fields.extend(node.members.iter().map(member_field));
    fields.extend(node.results.iter().map(|result| field("result", &result.name.text, "Tensor")));
    fields.extend(node.variable_results.iter().map(|result| field("result", &result.text, "Tensor[]")));
    let mut facts = Vec::new();
    let mut fact = |holds: bool, words: &str| facts.extend(holds.then(|| words.to_owned()));
    fact(node.data_parallel, "data parallel");
    fact(node.side_effects, "has side effects");
    fact(node.backend_specific, "backend specific");
    fact(node.extra_results, "may get more results");
    fact(node.fused_activation, "may apply an activation");
    fact(node.by_hand.serialization, "not written to files");
    fact(node.gradient != Gradient::None, "differentiable");
    let written = node.all_inputs().filter(|input| input.kind.writes());
    facts.extend(written.map(|input| match input.kind.reads() {
        true => format!("reads and writes {}", input.name.text),
        false => format!("writes {}", input.name.text),
    }));
    facts.extend(node.results.iter().filter_map(|result| {
        result.same_as.as_ref().map(|input| format!("{} has the type of {input}", result.name.text))
    }));
    facts.extend(node.traits.iter().map(|name| format!("has the trait {}", name.text)));
    facts.extend(node.gradient_of.as_ref().map(|original| format!("gradient of {original}")));
    Record { kind: "node".to_owned(), name: node.name.clone(), doc: node.doc.clone(), fields, facts }
}

fn instruction_record(instruction: &Instruction) -> Record {
    let role = |kind| match kind {
        OperandKind::In => "in",
        OperandKind::Out => "out",
        OperandKind::InOut => "inout",
        OperandKind::Scratch => "scratch",
    };
    let operands = instruction.operands.iter();
    let mut fields: Vec<Field> =
        operands.map(|operand| field(role(operand.kind), &operand.name.text, "Tensor")).collect();
    let lists = instruction.variable_operands.iter();
    fields.extend(lists.map(|list| field(role(list.kind), &list.name.text, "Tensor[]")));
    fields.extend(instruction.members.iter().map(member_field));
    let mut facts = Vec::new();
    let mut fact = |holds: bool, words: &str| facts.extend(holds.then(|| words.to_owned()));
    fact(instruction.data_parallel, "data parallel");
    fact(instruction.side_effects, "has side effects");
    fact(instruction.backend_specific, "backend specific");
    fact(instruction.memory, "memory");
    let reuse = |reuse: &Reuse| format!("{} may reuse {}", reuse.result, reuse.operand);
    facts.extend(instruction.reuses.iter().map(reuse));
    facts.extend(instruction.lowering.as_ref().map(|lowering| format!("from node {}", lowering.node.text)));
    facts.extend(instruction.traits.iter().map(|name| format!("has the trait {}", name.text)));
    facts.extend(instruction.gradient_of.as_ref().map(|original| format!("gradient of {original}")));
    let doc = instruction.doc.clone();
    Record { kind: "instruction".to_owned(), name: instruction.name.clone(), doc, fields, facts }
}
