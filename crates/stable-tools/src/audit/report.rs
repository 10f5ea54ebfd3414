//! The messages about a library.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use torchgen_base::diag::{Diagnostic, plural};
use torchgen_library::stable::shim::ShimFunction;
use torchgen_model::codes;
use torchgen_model::model::version::Version;

/// The imports of a library that matter.
#[derive(Debug, Default)]
pub(super) struct RelevantImports {
    /// Functions of the C shim.
    pub(super) shim: Vec<(String, ShimFunction)>,
    /// Other symbols of libtorch, as in C++.
    pub(super) torch: BTreeSet<String>,
    /// Symbols of the Python interpreter.
    pub(super) python: BTreeSet<String>,
}

impl RelevantImports {
    /// The oldest torch that has all its functions of the shim.
    fn oldest(&self) -> Version {
        self.shim.iter().map(|(_, function)| function.since).max().unwrap_or(Version::OLDEST)
    }
}

/// How many names a note shows, unless `--verbose` is given.
const SHOWN: usize = 8;

/// The errors and warnings about a library.
pub(super) fn diagnostics(path: &Path, found: &RelevantImports, min: Version) -> Vec<Diagnostic> {
    let mut said = Vec::new();
    let file = path.display();
    if !found.torch.is_empty() {
        let count = plural(found.torch.len(), "symbol");
        let message = format!("`{file}` needs {count} of libtorch that may change in any version");
        let help = "include torch/csrc/stable and torch/headeronly only; `stable-ops` writes calls of operators";
        said.push(with_names(Diagnostic::new(&codes::AUDIT_UNSTABLE, message).help(help), &found.torch));
        said.extend(all(&codes::AUDIT_UNSTABLE, &file.to_string(), &found.torch));
    }
    let mut newer: BTreeMap<Version, BTreeSet<String>> = BTreeMap::new();
    let mut gone: BTreeSet<String> = BTreeSet::new();
    for (name, function) in &found.shim {
        if function.since > min {
            newer.entry(function.since).or_default().insert(format!("{name} ({})", function.header));
        }
        if let Some(until) = function.until {
            gone.insert(format!("{name} (up to {until})"));
        }
    }
    for (version, names) in &newer {
        let count = plural(names.len(), "function");
        let message = format!("`{file}` needs {count} that torch has since {version}, not in {min}");
        let help =
            format!("define TORCH_TARGET_VERSION for torch {min} when it is compiled, or use `--torch-min {version}`");
        said.push(with_names(Diagnostic::new(&codes::AUDIT_NEWER, message).help(help), names));
        said.extend(all(&codes::AUDIT_NEWER, &format!("{file}, since {version}"), names));
    }
    if !gone.is_empty() {
        let message = format!("`{file}` needs {} that newer versions of torch lack", plural(gone.len(), "function"));
        said.push(with_names(Diagnostic::new(&codes::AUDIT_NEWER, message), &gone));
    }
    if !found.python.is_empty() {
        let count = plural(found.python.len(), "symbol");
        let message = format!("`{file}` needs {count} of the Python interpreter");
        let help = "a library that is loaded with `torch.ops.load_library` needs none, and works with any Python";
        said.push(with_names(Diagnostic::new(&codes::AUDIT_PYTHON, message).help(help), &found.python));
    }
    said
}

/// Adds the first names as a note.
fn with_names(diagnostic: Diagnostic, names: &BTreeSet<String>) -> Diagnostic {
    let mut lines: Vec<String> = names.iter().take(SHOWN).cloned().collect();
    if names.len() > SHOWN {
        lines.push(format!("... and {} more, with `--verbose`", names.len() - SHOWN));
    }
    diagnostic.note(lines.join("\n"))
}

/// A note with all names, for `--verbose`, if the other one does not have them.
fn all(code: &'static torchgen_base::diag::CodeInfo, what: &str, names: &BTreeSet<String>) -> Option<Diagnostic> {
    let lines: Vec<&str> = names.iter().map(String::as_str).collect();
    let note = || Diagnostic::new(code, format!("all of {what}")).severity(torchgen_base::diag::Severity::Note);
    (names.len() > SHOWN).then(|| note().note(lines.join("\n")).only_verbose())
}

/// The summary of a library without errors.
pub(super) fn verdict(path: &Path, found: &RelevantImports, min: Version) -> String {
    let file = path.display();
    if found.shim.is_empty() {
        return format!("{file} needs nothing of libtorch");
    }
    let count = plural(found.shim.len(), "function");
    let oldest = found.oldest();
    let older = if oldest < min { format!(", and all of them are in {oldest}") } else { String::new() };
    format!("{file} works with torch {min} and newer: it needs {count} of the C shim{older}")
}
