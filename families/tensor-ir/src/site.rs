//! The site about an IR: a page for each record, and the classes.
//!
//! Invariant: what a page says of a class comes from the same view as the C++.

use torchgen_base::diag::Sources;
use torchgen_kit::site::{Class, Page, Part, Piece, Site, Table, page_of_classes, pieces};

use super::facts;
use super::model::Ir;
use super::view::{self, ConstraintView, FieldView, NodeView};

/// The site.
pub(crate) fn site(ir: &Ir, sources: &Sources) -> Site {
    let view = view::ir(ir);
    let targets = [("extends", "base")];
    let mut site = Site::of_facts(&ir.namespace, "Expressions and statements", &facts::facts(ir, sources), &targets);
    let nodes = || ir.structs.iter().chain(&ir.exprs).chain(&ir.stmts).chain(&ir.intrinsics);
    let kind = |name: &str| nodes().find(|node| node.name == name).map_or("", |node| facts::kind(node.sort));
    let short = |cpp: &str| cpp.replace(&format!("::{}::", ir.namespace), "").replace("detail::", "");
    let own = || view.classes.iter().chain(&view.stmts);
    for node in own() {
        let Some(page) = site.page(kind(&node.name), &node.name) else { continue };
        page.add("Class", "class", class_parts(node, &short));
        add_rules(&node.constraints, page);
    }
    for intrinsic in &view.intrinsics {
        let Some(page) = site.page("intrinsic", &intrinsic.name) else { continue };
        let mut facts = vec![("type".to_owned(), vec![Piece::code(&short(&intrinsic.rule))])];
        facts.extend(intrinsic.builder.iter().map(|name| made_by(name)));
        page.add("Call", "call", vec![Part::Facts(facts)]);
        add_rules(&intrinsic.constraints, page);
    }
    let class = |node: &NodeView| Class {
        name: node.class.clone(),
        bases: vec![short(&node.base_class)],
        record: site.link(kind(&node.name), &node.name),
    };
    let classes: Vec<Class> = own().map(class).collect();
    site.more.push(page_of_classes(&ir.namespace, &classes));
    site
}

/// What is generated for a node.
fn class_parts(node: &NodeView, short: &impl Fn(&str) -> String) -> Vec<Part> {
    let mut facts = vec![
        ("class".to_owned(), vec![Piece::code(&node.class)]),
        ("base class".to_owned(), vec![Piece::code(&short(&node.base_class))]),
    ];
    facts.extend(node.rule.iter().map(|rule| ("type".to_owned(), vec![Piece::code(&short(rule))])));
    facts.extend(node.builder.iter().filter(|_| !node.is_base).map(|name| made_by(name)));
    if !node.children.is_empty() {
        let names: Vec<&str> = node.children.iter().map(|field| field.name.as_str()).collect();
        facts.push(("visits".to_owned(), vec![Piece::text(&names.join(", "))]));
    }
    let row = |field: &FieldView| {
        let default = field.default.iter().map(|default| Piece::code(&short(default))).collect();
        vec![vec![Piece::text(&field.name)], vec![Piece::code(&short(&field.cpp))], default, pieces(&field.doc.line())]
    };
    let rows: Vec<_> = node.params.iter().map(row).collect();
    let table = Table::plain("Fields in C++", &["Field", "Type", "Default", "What it is"], rows);
    let fields = (!table.rows.is_empty()).then_some(Part::Table(table));
    [Part::Facts(facts)].into_iter().chain(fields).collect()
}

fn made_by(builder: &str) -> (String, Vec<Piece>) {
    ("made by".to_owned(), vec![Piece::code(&format!("make_{builder}"))])
}

/// The rules that a validator checks.
fn add_rules(constraints: &[ConstraintView], page: &mut Page) {
    let rule = |constraint: &ConstraintView| {
        let mut words = vec![Piece::code(constraint.rule)];
        let names: Vec<&str> = constraint.operands.iter().map(|operand| operand.name.as_str()).collect();
        words.extend((!names.is_empty()).then(|| Piece::text(&format!(" of {}", names.join(", ")))));
        words.extend((!constraint.shown.is_empty()).then(|| Piece::text(&format!(" ({})", constraint.shown))));
        words
    };
    if !constraints.is_empty() {
        page.add("Verified", "verified", vec![Part::List(constraints.iter().map(rule).collect())]);
    }
}
