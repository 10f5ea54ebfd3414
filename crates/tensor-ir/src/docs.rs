//! The records of an IR, to compare versions of it.
//!
//! Invariant: everything that a program can see of the generated C++ is there.

use super::facts::kind;
use super::model::{Ir, Node};
use torchgen_base::yaml::Text;
use torchgen_kit::ir::{EnumRecord, Field, Model, Record};

/// The IR as data.
pub(crate) fn model(ir: &Ir) -> Model {
    let mut records: Vec<Record> = ir.enums.iter().map(enumeration).collect();
    let nodes = ir.structs.iter().chain(&ir.exprs).chain(&ir.stmts).chain(&ir.intrinsics);
    records.extend(nodes.map(|node| record(ir, node)));
    Model { family: "tensor-ir".to_owned(), namespace: ir.namespace.clone(), records }
}

fn enumeration(one: &EnumRecord) -> Record {
    let number = |value: &Text| one.numbers.iter().find(|(name, _)| name == value).map(|(_, number)| number);
    let field = |value: &Text| Field {
        role: "value".to_owned(),
        name: value.to_string(),
        ty: one.name.to_string(),
        default: number(value).map(ToString::to_string),
    };
    Record {
        kind: "enum".to_owned(),
        name: one.name.to_string(),
        doc: one.doc.as_ref().map(ToString::to_string).unwrap_or_default(),
        fields: one.values.iter().map(field).collect(),
        facts: Vec::new(),
    }
}

fn record(ir: &Ir, node: &Node) -> Record {
    let field = |param: &super::model::Param| Field {
        role: if param.keyword_only { "keyword" } else { "field" }.to_owned(),
        name: param.name.clone(),
        ty: param.spelling.clone(),
        default: param.default.as_ref().map(|default| default.text.clone()),
    };
    let mut facts = Vec::new();
    facts.extend(node.base.map(|base| format!("extends {}", ir.exprs[base].name)));
    facts.extend(node.operator.as_ref().map(|operator| format!("operator {operator}")));
    facts.extend(node.commutative.then(|| "commutative".to_owned()));
    facts.extend(node.identity.then(|| "identity".to_owned()));
    facts.extend(node.builder.as_ref().filter(|name| **name != node.name).map(|name| format!("builder {name}")));
    Record {
        kind: kind(node.sort).to_owned(),
        name: node.name.clone(),
        doc: node.doc.clone().unwrap_or_default(),
        fields: node.params.iter().map(field).collect(),
        facts,
    }
}
