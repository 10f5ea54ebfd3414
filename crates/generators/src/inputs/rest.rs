//! What is wrong with operators together, where single entries have errors already: the operators
//! without errors are grouped as if they were all, so that one run reports what is wrong with them.
//!
//! Invariant: nothing is reported that may follow from an error: an operator counts as one with an
//! error if any of its variants has one. Deliberately absent: what only generators find.

use std::collections::BTreeSet;

use super::Operators;
use torchgen_base::diag::{Diagnostics, Severity, Span};
use torchgen_model::group;
use torchgen_model::model::{NativeFunction, Target};

/// Endings of the names of variants that are looked for by the name of another operator.
const ENDINGS: [&str; 3] = ["_copy", "_scatter", "_functional"];

impl Operators {
    /// Groups the operators that have no errors. `unread` are the names of those whose entries
    /// could not be read.
    pub(super) fn check_rest(&self, unread: &BTreeSet<String>, target: Target, diagnostics: &mut Diagnostics) {
        let mut found = Diagnostics::new();
        let functions = self.without_errors(unread, target, diagnostics, &mut found);
        if !found.has_errors() {
            group::group(&functions, target, &mut found);
            group::view_groups(&functions, target, &mut found);
        }
        diagnostics.extend(found);
    }

    /// The operators whose families have no error in `diagnostics`, with the variants generated for
    /// them. New errors are added to `found`.
    pub fn without_errors(
        &self,
        unread: &BTreeSet<String>,
        target: Target,
        diagnostics: &Diagnostics,
        found: &mut Diagnostics,
    ) -> Vec<NativeFunction> {
        let wrong = self.with_errors(unread, diagnostics);
        let is_right = |f: &&NativeFunction| !f.is_generated() && !wrong.contains(family(f.root_name()));
        let mut functions: Vec<NativeFunction> = self.functions.iter().filter(is_right).cloned().collect();
        let mut indices = self.indices.clone();
        group::variants::add_generated(&mut functions, &mut indices, target, found);
        functions
    }

    /// The families of names with an error in some entry.
    fn with_errors(&self, unread: &BTreeSet<String>, diagnostics: &Diagnostics) -> BTreeSet<String> {
        let mut wrong: BTreeSet<String> = unread.iter().map(|name| family(name).to_owned()).collect();
        // An entry ends where the next one begins.
        let mut entries: Vec<(Span, &str)> = self.functions.iter().map(|f| (f.spans.entry, f.root_name())).collect();
        entries.sort();
        let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        for label in errors.flat_map(|error| error.primary.iter().chain(&error.labels)) {
            let behind =
                entries.partition_point(|(start, _)| (start.file, start.start) <= (label.span.file, label.span.start));
            let entry = behind.checked_sub(1).map(|at| entries[at]).filter(|(start, _)| start.file == label.span.file);
            wrong.extend(entry.map(|(_, name)| family(name).to_owned()));
        }
        wrong
    }
}

/// The name that an operator shares with its variants and copies.
fn family(name: &str) -> &str {
    let base = name.split('.').next().unwrap_or_default();
    let base = base.strip_suffix('_').filter(|base| !base.ends_with('_')).unwrap_or(base);
    ENDINGS.iter().find_map(|ending| base.strip_suffix(ending)).unwrap_or(base)
}

#[cfg(test)]
mod tests {
    use super::family;

    #[test]
    fn families() {
        for (name, expected) in [
            ("add.out", "add"),
            ("add_", "add"),
            ("__and__", "__and__"),
            ("view_copy.out", "view"),
            ("f_functional", "f"),
        ] {
            assert_eq!(family(name), expected);
        }
    }
}
