//! The names that C++, Python or torch has for something else: `data/torch/reserved_names.yaml`.
//!
//! Invariant: every list of the table is here, so that a run reads the table once. What the lists
//! mean for arguments, operators and kernels is where these are checked.

use serde::Deserialize;

use torchgen_kit::driver::data::Table;

/// The names, by what uses them. The table describes each list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the table describes them")]
pub struct ReservedNames {
    pub declarations: Vec<String>,
    pub operators: Vec<String>,
    pub macros: Vec<String>,
    pub macro_prefixes: Vec<String>,
    pub unreachable_operators: Vec<String>,
    pub unreachable_overloads: Vec<String>,
    pub namespaces: Vec<String>,
}

impl Table for ReservedNames {
    const PATH: &'static str = "torch/reserved_names.yaml";
}
