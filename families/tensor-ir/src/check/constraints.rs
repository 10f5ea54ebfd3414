//! The words of constraints that name nodes and values of enumerations.
//!
//! Invariant: nothing is changed here.

use crate::codes as own;
use crate::model::{Constraint, Ir, Node, Word};
use crate::records::Sort;
use crate::types::SchemaTypeKind;
use torchgen_base::diag::{Diagnostic, Diagnostics, did_you_mean};

/// Reports values that no enumeration has, and kinds that no node has.
pub(super) fn words(ir: &Ir, diagnostics: &mut Diagnostics) {
    let names = |nodes: &[Node], sort: Sort| -> Vec<String> {
        nodes.iter().filter(|node| node.sort == sort).map(|node| node.name.clone()).collect()
    };
    let (exprs, stmts) = (names(&ir.exprs, Sort::Expr), names(&ir.stmts, Sort::Stmt));
    for node in ir.exprs.iter().chain(&ir.stmts).chain(&ir.intrinsics) {
        for constraint in &node.constraints {
            if !has_known_values(ir, node, constraint, diagnostics) {
                continue;
            }
            let known = match constraint.name {
                "kind_in" => &exprs,
                "outside_of" => &stmts,
                _ => continue,
            };
            let missing = constraint.words.iter().filter(|word| !known.contains(&word.text));
            for word in missing.filter(|word| !ir.rejected.contains(&word.text)) {
                let known = known.iter().map(String::as_str);
                unknown(word, format!("there is no node `{}`", word.text), known, diagnostics);
            }
        }
    }
}

/// Whether `when` names values that the enumerations of its fields have.
fn has_known_values(ir: &Ir, node: &Node, constraint: &Constraint, diagnostics: &mut Diagnostics) -> bool {
    let mut correct = true;
    for (at, value) in &constraint.when {
        let SchemaTypeKind::Enum(name) = &node.params[*at].ty.kind else { continue };
        // An enumeration without values was reported.
        let Some(one) = ir.enums.iter().find(|one| one.name.as_str() == name && one.readable) else { continue };
        let known = || one.values.iter().map(|known| known.as_str());
        if !known().any(|known| known == value.text) {
            unknown(value, format!("`{name}` has no value `{}`", value.text), known(), diagnostics);
            correct = false;
        }
    }
    correct
}

fn unknown<'k>(word: &Word, message: String, known: impl Iterator<Item = &'k str>, diagnostics: &mut Diagnostics) {
    let error = Diagnostic::new(&own::BAD_CONSTRAINT, message).at(word.span);
    diagnostics.push(error.maybe_help(did_you_mean(&word.text, known)));
}
