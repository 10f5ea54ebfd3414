//! Compares the kernels that a library wants with the definitions in its sources.
//!
//! Invariant: pure; one kernel at most takes each definition. Reading sources and reporting are in
//! `command`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::skeletons::WantedKernel;
use crate::diag::{FileId, Span, plural};
use crate::families::torch::model::DispatchKey;
use crate::lang::cpp::{Definition, Form, Signature, signature};

/// A definition and its place.
pub(super) struct LocatedDefinition {
    pub(super) file: FileId,
    pub(super) path: PathBuf,
    pub(super) definition: Definition,
    pub(super) signature: Signature,
}

impl LocatedDefinition {
    pub(super) fn span(&self) -> Span {
        Span::new(self.file, self.definition.range.start, self.definition.range.end)
    }
}

/// The result of the comparison: indices of kernels and of definitions.
#[derive(Default)]
pub(super) struct Comparison {
    /// Kernels that nothing defines.
    pub(super) missing: Vec<usize>,
    /// Kernels, and what is defined under their names otherwise.
    pub(super) differs: Vec<(usize, usize)>,
    /// Definitions that no operator names.
    pub(super) unnamed: Vec<usize>,
    /// Kernels that a second source defines too, with both definitions.
    pub(super) repeated: Vec<(usize, usize, usize)>,
}

/// Compares the wanted kernels with the definitions; `declared` are the names of declarations.
pub(super) fn compare(
    wanted: &[(WantedKernel, String)],
    found: &[LocatedDefinition],
    declared: &BTreeSet<String>,
) -> Comparison {
    let mut by_name: HashMap<(Form, &str), Vec<usize>> = HashMap::new();
    for (i, one) in found.iter().enumerate() {
        by_name.entry((one.definition.form, &one.definition.name)).or_default().push(i);
    }
    let mut outcome = Comparison::default();
    let mut taken = BTreeSet::new();
    let mut open = Vec::new();
    let mut named: BTreeSet<(Form, String)> = BTreeSet::new();
    for (i, (kernel, _)) in wanted.iter().enumerate() {
        let name = kernel.full_name();
        let candidates = by_name.get(&(kernel.form, name.as_str())).cloned().unwrap_or_default();
        let own = signature(&kernel.returns, &kernel.parameters);
        let fits = |at: &&usize| found[**at].signature == own && !found[**at].definition.is_private;
        match candidates.iter().find(fits) {
            Some(at) => {
                taken.insert(*at);
                let again = candidates.iter().filter(fits).find(|other| found[**other].file != found[*at].file);
                outcome.repeated.extend(again.map(|other| (i, *at, *other)));
            }
            None => open.push((i, candidates)),
        }
        named.insert((kernel.form, name));
    }
    for (i, candidates) in open {
        match candidates.into_iter().find(|at| !taken.contains(at)) {
            Some(at) => {
                taken.insert(at);
                outcome.differs.push((i, at));
            }
            None => outcome.missing.push(i),
        }
    }
    // A function that the author declares is a helper that several sources share.
    let is_unnamed = |one: &LocatedDefinition| {
        let Definition { form, name, .. } = &one.definition;
        !(named.contains(&(*form, name.clone())) || *form == Form::Function && declared.contains(name))
    };
    outcome.unnamed = (0..found.len()).filter(|i| is_unnamed(&found[*i])).collect();
    outcome
}

/// The first difference between two signatures.
pub(crate) fn difference(wanted: &Signature, found: &Signature) -> Option<String> {
    if wanted.returns != found.returns {
        return Some(format!("it must return `{}`, not `{}`", wanted.returns, found.returns));
    }
    let (takes, given) = (wanted.parameters.len(), found.parameters.len());
    if takes != given {
        return Some(format!("it must take {}, not {given}", plural(takes, "parameter")));
    }
    let differs = wanted.parameters.iter().zip(&found.parameters).position(|(wanted, found)| wanted != found)?;
    Some(format!(
        "parameter {} must be `{}`, not `{}`",
        differs + 1,
        wanted.parameters[differs],
        found.parameters[differs]
    ))
}

/// The sources with the most kernels for each key.
pub(super) struct Homes<'a> {
    counts: HashMap<DispatchKey, BTreeMap<&'a Path, usize>>,
}

impl<'a> Homes<'a> {
    pub(super) fn new(wanted: &[(WantedKernel, String)], found: &'a [LocatedDefinition]) -> Homes<'a> {
        let mut counts: HashMap<DispatchKey, BTreeMap<&Path, usize>> = HashMap::new();
        for (kernel, _) in wanted {
            let Some(key) = kernel.key else { continue };
            let name = kernel.full_name();
            for one in found.iter().filter(|one| one.definition.form == kernel.form && one.definition.name == name) {
                *counts.entry(key).or_default().entry(&one.path).or_default() += 1;
            }
        }
        Homes { counts }
    }

    /// The source for a kernel, if there is one for its key already.
    pub(super) fn of(&self, kernel: &WantedKernel) -> Option<&'a Path> {
        let files = kernel.key.and_then(|key| self.counts.get(&key))?;
        files.iter().max_by_key(|(_, count)| **count).map(|(path, _)| *path)
    }
}
