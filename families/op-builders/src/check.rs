//! Checks what several entries say together: their calls form no cycle.
//!
//! Invariant: nothing is changed here. What one entry says is checked where the model is built.

use std::collections::HashSet;

use super::codes;
use super::model::{Edge, Model};
use super::records::EntryKind;
use torchgen_base::diag::{Diagnostic, Diagnostics};

/// Checks everything.
pub(super) fn check_model(model: &Model, diagnostics: &mut Diagnostics) {
    circles(&model.edges, diagnostics);
}

/// Reports cycles of calls.
fn circles(edges: &[Edge], diagnostics: &mut Diagnostics) {
    let mut reported: HashSet<&str> = HashSet::new();
    for edge in edges {
        if reported.contains(edge.from.1.as_str()) {
            continue;
        }
        let mut path = vec![edge.from.1.as_str()];
        let mut seen = HashSet::new();
        if !leads_to(&edge.to, &edge.from, edges, &mut seen, &mut path) {
            continue;
        }
        reported.extend(path.iter().copied());
        path.push(&edge.from.1);
        let message = format!("`{}` calls itself: {}", edge.from.1, path.join(" -> "));
        diagnostics.push(Diagnostic::new(&codes::BUILDER_CYCLE, message).at(edge.place));
    }
}

fn leads_to<'e>(
    from: &'e (EntryKind, String),
    to: &(EntryKind, String),
    edges: &'e [Edge],
    seen: &mut HashSet<&'e str>,
    path: &mut Vec<&'e str>,
) -> bool {
    if from == to {
        return true;
    }
    if !seen.insert(&from.1) {
        return false;
    }
    path.push(&from.1);
    if edges.iter().filter(|edge| edge.from == *from).any(|edge| leads_to(&edge.to, to, edges, seen, path)) {
        return true;
    }
    path.pop();
    false
}
