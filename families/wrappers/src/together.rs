//! One diagnostic for the overloads of an entry that have the same problem.
//!
//! Invariant: diagnostics are merged only if nothing but the operator's name differs.

use torchgen_base::diag::Diagnostic;

/// Diagnostics, each with the operator of the first and those of the others.
#[derive(Debug, Default)]
pub(super) struct DiagnosticsByOperator {
    found: Vec<(Diagnostic, String, Vec<String>)>,
}

impl DiagnosticsByOperator {
    /// Adds what is wrong with an operator.
    pub(super) fn add(&mut self, operator: &str, diagnostic: Diagnostic) {
        let quoted = |name: &str| format!("`{name}`");
        let is_same = |(first, name, _): &&mut (Diagnostic, String, Vec<String>)| {
            let message = first.message.replace(&quoted(name), &quoted(operator));
            Diagnostic { message, ..first.clone() } == diagnostic
        };
        match self.found.iter_mut().find(is_same) {
            // Without the name, it is said already.
            Some((first, ..)) if *first == diagnostic => {}
            Some((_, _, others)) => others.push(quoted(operator)),
            None => self.found.push((diagnostic, operator.to_owned(), Vec::new())),
        }
    }

    /// The diagnostics, in the order of their first operators.
    pub(super) fn diagnostics(self) -> impl Iterator<Item = Diagnostic> {
        self.found.into_iter().map(|(diagnostic, _, others)| match others.is_empty() {
            true => diagnostic,
            false => diagnostic.note(format!("the same holds for {}", others.join(", "))),
        })
    }
}
