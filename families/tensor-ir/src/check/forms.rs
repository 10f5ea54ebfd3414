//! Reports operators and printed forms that two nodes share.
//!
//! Invariant: nothing is changed here.

use std::collections::HashMap;

use crate::codes as own;
use crate::model::{Ir, Node};
use crate::names;
use crate::print_form;
use crate::records::Sort;
use torchgen_base::diag::{Diagnostic, Diagnostics, Span};
use torchgen_base::yaml::Text;

/// No two nodes have one operator.
pub(super) fn operators(ir: &Ir, diagnostics: &mut Diagnostics) {
    let mut seen: HashMap<(&str, usize), &Node> = HashMap::new();
    for node in ir.exprs.iter().chain(&ir.intrinsics) {
        let Some(operator) = node.operator.as_deref() else { continue };
        if let Some(first) = seen.insert((operator, node.params.len()), node) {
            let message = format!("the operator `{operator}` makes two nodes");
            let error = Diagnostic::new(&own::DUPLICATE_OPERATOR_OF_NODE, message);
            let error = error.at_with(node.span, format!("`{}`", node.name));
            diagnostics.push(error.also(first.span, format!("`{}`", first.name)));
        }
    }
}

/// No two nodes have one builder.
pub(super) fn builders(ir: &Ir, diagnostics: &mut Diagnostics) {
    let mut seen: HashMap<String, &Node> = HashMap::new();
    for node in ir.exprs.iter().filter(|node| node.sort == Sort::Expr).chain(&ir.intrinsics).chain(&ir.stmts) {
        let Some(builder) = node.builder.as_deref() else { continue };
        let end = if node.sort == Sort::Stmt { "_unattached" } else { "" };
        let function = format!("make_{builder}{end}");
        if let Some(first) = seen.insert(function.clone(), node) {
            let message = format!("two builders would be called `{function}`");
            let error = Diagnostic::new(&own::DUPLICATE_NODE, message).at_with(node.span, "the second");
            let error = error.also(first.span, "the first");
            diagnostics.push(error.help("give one of them another name by `builder`, or none by `builder: false`"));
        }
    }
}

/// No class or pointer of a node has the name of another one's, or of something of the library's.
pub(super) fn classes(ir: &Ir, diagnostics: &mut Diagnostics) {
    let nodes = || ir.exprs.iter().chain(&ir.stmts);
    let mut names: HashMap<&str, Span> = nodes().map(|node| (node.name.as_str(), node.span)).collect();
    names.extend(ir.structs.iter().map(|node| (node.name.as_str(), node.span)));
    names.extend(ir.enums.iter().map(|one| (one.name.as_str(), one.name.span())));
    for node in nodes() {
        let suffix = if node.sort == Sort::Stmt { &ir.naming.stmt_suffix } else { &ir.naming.expr_suffix };
        for made in [format!("{}_c", node.name), format!("{}{suffix}", node.name)] {
            if let Some(what) = names::taken(&made) {
                let message = format!("a class or a pointer of `{}` would be called `{made}`, {what}", node.name);
                let error = Diagnostic::new(&own::BAD_NODE_NAME, message).at(node.span);
                diagnostics.push(error.help(format!("call it `{}_op`, for example", node.name)));
            } else if let Some(span) = names.get(made.as_str()) {
                let message = format!("`{made}` is a name that `{}` gets too", node.name);
                let error = Diagnostic::new(&own::DUPLICATE_NODE, message).at(*span);
                diagnostics.push(error.also(node.span, "its class or a pointer to it has the name"));
            }
        }
    }
}

/// No builder is one of the library's.
pub(super) fn own_builders(ir: &Ir, diagnostics: &mut Diagnostics) {
    let exprs = ir.exprs.iter().filter(|node| node.sort == Sort::Expr);
    for node in exprs.chain(&ir.stmts).chain(&ir.intrinsics) {
        let Some(builder) = node.builder.as_deref().filter(|builder| has_builder(ir, node, builder)) else { continue };
        let message = format!("the library has a builder for `{builder}` already");
        let error = Diagnostic::new(&own::BAD_NODE_NAME, message).at(node.span);
        diagnostics.push(error.help(format!("write `builder: {builder}_op`, or `builder: false`")));
    }
}

/// Whether the library has a function `make_` or `push_` and this that a call could mean too.
fn has_builder(ir: &Ir, node: &Node, builder: &str) -> bool {
    let role = |role: &str| ir.exprs.iter().any(|other| other.role == Some(role) && other.name != node.name);
    match (node.sort, builder) {
        // Without an argument, it would be the library's own.
        (Sort::Stmt, "scope" | "anchor") => node.params.iter().all(|param| param.default.is_some()),
        (Sort::Stmt, _) => false,
        (_, "func") => true,
        (_, "clip") => ir.has_clip(),
        (_, "stensor") => role("tensor"),
        (_, "call" | "constant" | "indexing" | "tensor") => role(builder),
        _ => false,
    }
}

/// No name is one that a type of the author's begins with.
pub(super) fn own_types(ir: &Ir, diagnostics: &mut Diagnostics) {
    let nodes = ir.structs.iter().chain(&ir.exprs).chain(&ir.stmts).map(|node| (node.name.as_str(), node.span));
    let names: Vec<(&str, Span)> =
        nodes.chain(ir.enums.iter().map(|one| (one.name.as_str(), one.name.span()))).collect();
    for ty in &ir.types {
        let first = ty.ty.storage.split("::").next().unwrap_or_default();
        for (name, span) in names.iter().filter(|(name, _)| *name == first) {
            let message = format!("`{name}` is a name in the C++ type of `{}`", ty.name);
            let error = Diagnostic::new(&own::BAD_NODE_NAME, message).at(*span);
            let error = error.also(ty.name.span(), format!("is `{}`", ty.ty.storage));
            diagnostics.push(error.help(format!("write `cpp: ::{}`, or call it `{name}_op`", ty.ty.storage)));
        }
    }
}

/// What the support library writes of the enumerations of roles.
const VALUES_OF_ROLES: &[(&str, &str, &[&str])] = &[
    ("define", "linkage", &["public_global", "private_global", "local"]),
    ("tensor", "address_space", &["automatic"]),
    ("for_loop", "for_type", &["NORMAL"]),
];

/// The enumerations of nodes with roles have the values that the support library knows.
pub(super) fn values_of_roles(ir: &Ir, diagnostics: &mut Diagnostics) {
    for (role, name, values) in VALUES_OF_ROLES {
        let node = ir.exprs.iter().chain(&ir.stmts).find(|node| node.role == Some(*role));
        let one = ir.enums.iter().find(|one| one.name.as_str() == *name);
        let (Some(node), Some(one)) = (node, one) else { continue };
        for value in values.iter().filter(|value| !one.values.iter().any(|known| known.as_str() == **value)) {
            let message = format!("`{name}` lacks the value `{value}`, which the library needs for `{}`", node.name);
            let error = Diagnostic::new(&own::BAD_ENUM, message).at(one.name.span());
            diagnostics.push(error.also(node.span, format!("is the `{role}` of the library")));
        }
    }
}

/// Nodes that print alike cannot be distinguished when they are read.
pub(super) fn alike(ir: &Ir, diagnostics: &mut Diagnostics) {
    let mut seen: HashMap<String, &Node> = HashMap::new();
    for node in ir.exprs.iter().chain(&ir.stmts) {
        let Some(print) = &node.print else { continue };
        let mut shape = print_form::shape(print);
        // What a node of identity prints is looked up by its name, and what a role prints is read
        // by its type.
        if node.identity || shape == "\u{1}" {
            continue;
        }
        shape.insert(0, if node.sort == Sort::Stmt { 's' } else { 'e' });
        let kinds: Vec<String> = node.params.iter().map(|param| format!("{:?}", param.ty.kind)).collect();
        shape.push_str(&kinds.join(","));
        if let Some(first) = seen.insert(shape, node) {
            let message = format!("`{}` and `{}` print alike", first.name, node.name);
            let lint = Diagnostic::new(&own::AMBIGUOUS_PRINT_FORM, message).at(node.span);
            diagnostics.push(
                lint.also(first.span, "prints the same")
                    .help("give one of them another `print`; the parser reads it as the first"),
            );
        }
    }
    for one in &ir.enums {
        let mut seen: HashMap<&str, &Text> = HashMap::new();
        for value in &one.values {
            let print = one.print.iter().find(|(own, _)| own.as_str() == value.as_str());
            let print = print.map_or(value.as_str(), |(_, print)| print.as_str());
            let Some(first) = seen.insert(print, value) else { continue };
            let message = format!("`{first}` and `{value}` of `{}` print alike", one.name);
            let lint = Diagnostic::new(&own::AMBIGUOUS_PRINT_FORM, message).at(value.span());
            let help = "give one of them another `print`; the parser reads it as the first";
            diagnostics.push(lint.also(first.span(), "prints the same").help(help));
        }
    }
}
