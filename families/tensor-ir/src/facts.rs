//! The IR as facts.
//!
//! Invariant: the facts have everything that a program can see of the generated C++.

use serde_json::{Value, json};

use super::model::{Ir, Node, Param};
use super::records::Sort;
use torchgen_base::diag::Sources;
use torchgen_base::yaml::Text;
use torchgen_kit::facts::{Facts, Own, Part, Place, Relation, Thing, own};
use torchgen_kit::ir::EnumRecord;

/// Enumerations, mix-ins, then nodes.
pub(crate) fn facts(ir: &Ir, sources: &Sources) -> Facts {
    let nodes = ir.structs.iter().chain(&ir.exprs).chain(&ir.stmts).chain(&ir.intrinsics);
    let enums = ir.enums.iter().map(|one| enumeration(one, sources));
    let things = enums.chain(ir.traits.things(sources)).chain(nodes.map(|own| node(ir, own, sources))).collect();
    Facts { namespace: Some(ir.namespace.clone()), things }
}

fn enumeration(one: &EnumRecord, sources: &Sources) -> Thing {
    let number = |value: &Text| one.numbers.iter().find(|(name, _)| name == value).map(|(_, number)| number);
    let part = |value: &Text| Part {
        default: number(value).map(ToString::to_string),
        at: Place::inside(value.span(), one.name.span(), sources),
        ..Part::new("value", value.as_str(), one.name.as_str())
    };
    let printed = one.print.iter().map(|(value, form)| (value.to_string(), Value::from(form.as_str())));
    let printed: Own = printed.collect();
    Thing {
        at: Place::from_span(one.name.span(), sources),
        doc: one.doc.as_ref().map(ToString::to_string),
        parts: one.values.iter().map(part).collect(),
        ..Thing::new("enum", one.name.as_str(), own(json!({"scoped": one.scoped, "printed": printed})))
    }
}

/// The kind of a node.
pub(crate) fn kind(sort: Sort) -> &'static str {
    match sort {
        Sort::Expr => "expr",
        Sort::Base => "base",
        Sort::Stmt => "stmt",
        Sort::Struct => "struct",
        Sort::Intrinsic => "intrinsic",
    }
}

fn node(ir: &Ir, node: &Node, sources: &Sources) -> Thing {
    let part = |param: &Param| Part {
        default: param.default.as_ref().map(|default| default.text.clone()),
        at: Place::inside(param.span, node.span, sources),
        ..Part::new(if param.keyword_only { "keyword" } else { "field" }, &param.name, &param.spelling)
    };
    let facts = json!({
        "operator": node.operator,
        "commutative": node.commutative,
        "identity": node.identity,
        "builder": node.builder,
        "print": node.form,
        "traits": node.traits,
    });
    let extends = node.base.map(|base| Relation::new("extends", &ir.exprs[base].name));
    Thing {
        at: Place::from_span(node.span, sources),
        doc: node.doc.clone(),
        schema: Some(node.schema.clone()),
        parts: node.params.iter().map(part).collect(),
        relations: extends.into_iter().collect(),
        ..Thing::new(kind(node.sort), &node.name, own(facts))
    }
}
