//! The table `data/torch/static_runtime.yaml`: the operators that are not generated, and the values
//! that tests pass.
//!
//! Invariant: values are in the order of their definitions. Rule:
//! torchgen/static_runtime/config.py.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;
use serde::Deserialize;

use torchgen_kit::driver::data::{self, Tables};

/// The table.
#[derive(Deserialize)]
pub(super) struct Table {
    pub(super) hand_written: HashSet<String>,
    pub(super) blocked: HashSet<String>,
    /// Operators whose tests pass tensors of integers.
    pub(super) int_tensors: HashSet<String>,
    /// Operators whose tests pass tensors of complex numbers.
    pub(super) complex_tensors: HashSet<String>,
    /// How many dimensions the tensors in tests have.
    pub(super) dimensions: HashMap<String, u32>,
    /// Their sizes, as an expression.
    pub(super) shapes: HashMap<String, String>,
    /// Names of schemas whose output is not resized.
    pub(super) no_resize: HashSet<String>,
    /// Values of arguments.
    pub(super) values: HashMap<String, Values>,
}

/// The tests of an operator, by the size of their tensors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TestSize {
    Small,
    Large,
}

/// The values of an operator's arguments.
#[derive(Deserialize)]
pub(super) struct Values {
    small: IndexMap<String, String>,
    large: IndexMap<String, String>,
    /// For arguments that only some overloads have.
    #[serde(default)]
    if_present: IndexMap<String, String>,
}

impl Values {
    /// The values in one of the tests, with their names.
    pub(super) fn in_test(&self, size: TestSize) -> &IndexMap<String, String> {
        match size {
            TestSize::Small => &self.small,
            TestSize::Large => &self.large,
        }
    }

    /// The value of an argument that the overload has.
    pub(super) fn of_present(&self, name: &str) -> Option<&str> {
        self.if_present.get(name).map(String::as_str)
    }
}

impl data::Table for Table {
    const PATH: &'static str = "torch/static_runtime.yaml";
}

/// The table.
pub(super) fn table(tables: &Tables) -> &Table {
    tables.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_table() {
        let table = table(Tables::embedded());
        assert!(table.hand_written.contains("abs") && table.blocked.contains("zero"));
        assert_eq!(table.values["gelu"].in_test(TestSize::Large)["approximate"], "\"tanh\"");
        assert_eq!(table.values["scatter"].of_present("reduce"), Some("\"add\""));
    }
}
