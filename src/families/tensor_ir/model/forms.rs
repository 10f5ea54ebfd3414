//! What no two nodes may share: operators, and printed forms.
//!
//! Invariant: nothing is changed here, only reported.

use std::collections::HashMap;

use super::super::codes as own;
use super::super::print_form;
use super::super::records::Sort;
use super::{Ir, Node};
use crate::diag::{Diagnostic, Diagnostics};

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

/// Nodes that print alike cannot be told apart when they are read.
pub(super) fn alike(ir: &Ir, diagnostics: &mut Diagnostics) {
    let mut seen: HashMap<String, &Node> = HashMap::new();
    for node in ir.exprs.iter().chain(&ir.stmts) {
        let Some(print) = &node.print else { continue };
        let mut shape = print_form::shape(print);
        // What a node of identity prints is looked up by its name, and what a role prints is read by its type.
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
}
