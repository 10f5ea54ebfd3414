//! The operators that others call, directly or not.
//!
//! Invariant: names have no overloads. Rule: gen_op_registration_allowlist.py,
//! `gen_transitive_closure`.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use torchgen_base::yaml;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::records;

/// What every build has.
const BASE: &str = "__BASE__";
/// What C++ calls, which training needs.
const ROOT: &str = "__ROOT__";

/// What a build runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BuildUse {
    Inference,
    Training,
}

/// The graph of operators.
#[derive(Debug, Default)]
pub(super) struct Dependencies(HashMap<String, Vec<String>>);

/// The name of an operator without its overload.
pub(super) fn canonical_name(name: &str) -> String {
    name.split('.').next().unwrap_or(name).to_owned()
}

impl Dependencies {
    /// Reads a graph.
    ///
    /// # Errors
    /// The file cannot be read. What is wrong in it is a diagnostic.
    pub(super) fn read_graph(path: &Path, session: &mut Session) -> Result<Self, JobError> {
        let root = session.read_yaml(path, yaml::Options::SAFE_LOAD)?;
        let mut graph: HashMap<String, Vec<String>> = HashMap::new();
        for record in records::read_dependencies(root, &mut session.diagnostics) {
            let called = record.depends.iter().map(|name| canonical_name(name));
            graph.entry(canonical_name(&record.name)).or_default().extend(called);
        }
        Ok(Dependencies(graph))
    }

    /// Some operators with all that they call.
    pub(super) fn closure(&self, roots: impl Iterator<Item = String>, used_in: BuildUse) -> BTreeSet<String> {
        let mut found: BTreeSet<String> = roots.collect();
        let mut open: Vec<String> = found.iter().cloned().chain([BASE.to_owned()]).collect();
        if used_in == BuildUse::Training {
            open.push(ROOT.to_owned());
        }
        while let Some(name) = open.pop() {
            for called in self.0.get(&name).into_iter().flatten() {
                if found.insert(called.clone()) {
                    open.push(called.clone());
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_called_and_what_always_is() {
        let edges = [("a", vec!["b", "c"]), ("b", vec!["a"]), (BASE, vec!["always"]), (ROOT, vec!["cpp"])];
        let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
        let graph = Dependencies(edges.into_iter().map(|(name, called)| (name.to_owned(), owned(called))).collect());
        let closure = |roots: &[&str], used_in| {
            let found = graph.closure(roots.iter().map(|name| canonical_name(name)), used_in);
            found.into_iter().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(closure(&["a.Tensor"], BuildUse::Inference), "a always b c");
        assert_eq!(closure(&["x"], BuildUse::Training), "always cpp x");
    }
}
