//! Compares the kernels that a library wants with the definitions in its sources.
//!
//! Invariant: pure; one kernel at most takes each definition. Reading sources is in `sources`,
//! reporting in `report`.

use std::collections::{BTreeSet, HashMap};

use super::conversions::{TypeSpelling, author_signature};
use super::sources::{KernelSources, LocatedDefinition};
use super::wanted::WantedKernel;
use torchgen_base::lang::cpp::{Definition, DefinitionForm, Signature, signature};
use torchgen_generators::AuthorSignature;

/// The result of the comparison: indices of kernels and of definitions.
#[derive(Default)]
pub(crate) struct Comparison {
    /// Kernels that nothing defines.
    pub(crate) missing: Vec<usize>,
    /// Kernels that nothing visible defines, but perhaps a macro.
    pub(crate) hidden: Vec<usize>,
    /// Kernels and their definitions, also those with types that are converted.
    pub(crate) found: Vec<(usize, usize)>,
    /// Kernels, and what is defined under their names otherwise.
    pub(crate) differs: Vec<(usize, usize)>,
    /// Kernels with other types, which wrappers can convert to.
    pub(crate) adapted: Vec<(usize, AuthorSignature)>,
    /// Definitions that no operator names.
    pub(crate) unnamed: Vec<usize>,
    /// Kernels that a second source defines too, with both definitions.
    pub(crate) repeated: Vec<(usize, usize, usize)>,
}

/// Compares the wanted kernels with the definitions.
pub(crate) fn compare(wanted: &[WantedKernel], sources: &KernelSources) -> Comparison {
    let found = &sources.definitions;
    let mut by_name: HashMap<(DefinitionForm, &str), Vec<usize>> = HashMap::new();
    for (i, one) in found.iter().enumerate() {
        by_name.entry((one.definition.form, &one.definition.name)).or_default().push(i);
    }
    let mut outcome = Comparison::default();
    let mut taken = BTreeSet::new();
    let mut open = Vec::new();
    let mut named: BTreeSet<(DefinitionForm, String)> = BTreeSet::new();
    for (i, kernel) in wanted.iter().enumerate() {
        let name = kernel.full_name();
        let candidates = by_name.get(&(kernel.form, name.as_str())).cloned().unwrap_or_default();
        let own = signature(&kernel.returns, &kernel.parameters);
        let fits =
            |at: &&usize| found[**at].signature == own && (kernel.is_included || !found[**at].definition.is_private);
        match candidates.iter().find(fits) {
            Some(at) => {
                taken.insert(*at);
                outcome.found.push((i, *at));
                let again = candidates
                    .iter()
                    .filter(|_| !kernel.is_included)
                    .filter(fits)
                    .find(|other| found[**other].file != found[*at].file);
                outcome.repeated.extend(again.map(|other| (i, *at, *other)));
            }
            None => open.push((i, candidates, own)),
        }
        named.insert((kernel.form, name));
    }
    // Structured kernels are members of generated classes, whose signatures are fixed.
    let written = |at: usize, own: &Signature, abi: &TypeSpelling, is_included: bool| {
        let Definition { form, is_private, .. } = found[at].definition;
        let adapts = form == DefinitionForm::Function && (is_included || !is_private);
        adapts.then(|| author_signature(own, &found[at].signature, abi)).flatten()
    };
    let mut unlike = Vec::new();
    for (i, candidates, own) in open {
        let free = |at: &&usize| !taken.contains(*at);
        let may_differ = |_: &&usize| !wanted[i].is_structured;
        let (abi, is_included) = (wanted[i].abi.spelling(), wanted[i].is_included);
        let adapted = |at: &usize| Some((*at, written(*at, &own, abi, is_included)?));
        match candidates.iter().filter(free).filter(may_differ).find_map(adapted) {
            Some((at, signature)) => {
                taken.insert(at);
                outcome.found.push((i, at));
                outcome.adapted.push((i, signature));
            }
            None => unlike.push((i, candidates)),
        }
    }
    for (i, candidates) in unlike {
        match candidates.into_iter().find(|at| !taken.contains(at)) {
            Some(at) => {
                taken.insert(at);
                outcome.differs.push((i, at));
            }
            None if sources.mentioned.contains(&wanted[i].name) => outcome.hidden.push(i),
            None => outcome.missing.push(i),
        }
    }
    // A function that the author declares is a helper that several sources share.
    let is_unnamed = |one: &LocatedDefinition| {
        let Definition { form, name, .. } = &one.definition;
        let is_known = named.contains(&(*form, name.clone()));
        one.listed && !(is_known || *form == DefinitionForm::Function && sources.declared.contains(name))
    };
    outcome.unnamed = (0..found.len()).filter(|i| is_unnamed(&found[*i])).collect();
    outcome
}
