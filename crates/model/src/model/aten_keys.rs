//! The dispatch keys for which ATen generates kernels, and what decides how.
//!
//! Invariant: `data/torch/dispatch_keys.yaml` has each key once, in the order of the keys' files;
//! nothing else lists them. Rule: torchgen/model.py, `dispatch_keys`.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use torchgen_kit::driver::data::{Table, Tables};

use super::DispatchKey;
use super::rules::Rules;
use super::version::Version;

/// A key with kernels of ATen. The table says what each field means.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AtenKey {
    /// The key.
    pub key: DispatchKey,
    /// Whether it has a header of functions.
    #[serde(default)]
    pub functions: bool,
    #[serde(default)]
    structured: bool,
    /// Whether kernels are made from formulas for elements.
    #[serde(default)]
    pub ufunc: bool,
    built_with: Option<OptionalBackend>,
    /// What makes the outputs of structured kernels, if it has any.
    pub new_tensors: Option<NewTensors>,
    /// The header that declares these functions, below `ATen`.
    pub header: Option<String>,
    /// The class that holds the device while structured kernels run.
    pub guard: Option<String>,
    /// Whether all outputs must be on the device of the guard.
    #[serde(default)]
    pub guards_outputs: bool,
    /// Whether some operator may have out arguments.
    #[serde(default = "yes")]
    pub resizes: bool,
    since: Option<Version>,
}

fn yes() -> bool {
    true
}

/// A backend that PyTorch can be built without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OptionalBackend {
    /// Apple's GPUs
    Mps,
    /// Intel's GPUs
    Xpu,
    /// Meta's accelerators
    Mtia,
}

/// What makes the outputs of structured kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NewTensors {
    /// Functions of the key.
    Own,
    /// Operators, which the dispatcher selects.
    Dispatched,
}

/// The table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyTable {
    kernels: Vec<AtenKey>,
    since: BTreeMap<DispatchKey, Version>,
}

impl Table for KeyTable {
    const PATH: &'static str = "torch/dispatch_keys.yaml";
}

/// The keys for which the torch of a run generates kernels, in the order of their files.
pub fn aten_keys(tables: &Tables) -> impl Iterator<Item = &AtenKey> {
    let torch = Rules::of_tables(tables).torch;
    let table: &KeyTable = tables.get();
    table.kernels.iter().filter(move |row| row.since.is_none_or(|since| since <= torch))
}

/// The row of a key, if ATen generates kernels for it.
pub fn aten_key(key: DispatchKey, tables: &Tables) -> Option<&AtenKey> {
    aten_keys(tables).find(|row| row.key == key)
}

/// The keys whose kernels are ignored: those of optional backends that PyTorch is built without.
pub fn keys_without(built: &[OptionalBackend], tables: &Tables) -> BTreeSet<DispatchKey> {
    let all_of_xpu = Rules::of_tables(tables).all_xpu_keys_are_optional;
    let is_ignored = |row: &&AtenKey| match row.built_with {
        None => false,
        Some(OptionalBackend::Xpu) if row.key != DispatchKey::XPU && !all_of_xpu => false,
        Some(backend) => !built.contains(&backend),
    };
    aten_keys(tables).filter(is_ignored).map(|row| row.key).collect()
}

/// Whether ATen has structured kernels for a key.
pub fn has_structured_kernels(key: DispatchKey, tables: &Tables) -> bool {
    aten_key(key, tables).is_some_and(|row| row.structured)
}

/// The first torch with a key, if the torch of a run is older.
pub fn first_torch_with(key: DispatchKey, tables: &Tables) -> Option<Version> {
    let table: &KeyTable = tables.get();
    table.since.get(&key).copied().filter(|since| *since > Rules::of_tables(tables).torch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::rules::changes_to;
    use torchgen_kit::driver::data::RunTables;

    fn names<'k>(keys: impl IntoIterator<Item = &'k DispatchKey>) -> Vec<&'static str> {
        keys.into_iter().map(|key| key.as_str()).collect()
    }

    #[test]
    fn each_key_is_there_once() {
        let keys: Vec<_> = aten_keys(Tables::embedded()).map(|row| row.key).collect();
        assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len());
    }

    #[test]
    fn optional_backends_leave_keys_out() {
        let tables = Tables::embedded();
        let mps = ["MPS", "SparseMPS", "SparseCsrMPS"];
        let both = keys_without(&[OptionalBackend::Xpu, OptionalBackend::Mtia], tables);
        assert_eq!(names(&both), mps);
        let old = RunTables::default().changed(&changes_to(Version::new(2, 13)));
        assert_eq!(names(&keys_without(&[OptionalBackend::Mps], &old)), ["MTIA", "XPU"]);
    }

    #[test]
    fn a_key_has_a_first_torch() {
        let old = RunTables::default().changed(&changes_to(Version::new(2, 12)));
        assert_eq!(first_torch_with(DispatchKey::AutocastXPU, &old), Some(Version::new(2, 13)));
        assert_eq!(first_torch_with(DispatchKey::AutocastXPU, Tables::embedded()), None);
        assert_eq!(first_torch_with(DispatchKey::CPU, &old), None);
    }
}
