//! The families: each reads its own kind of YAML, generates C++ or Python from it, and has its own
//! folder.
//!
//! Invariant: families never import each other; they share modules outside this folder. A family is
//! its folder and a line in [`FAMILIES`].

mod graph_ir;
mod op_builders;
mod tensor_ir;
pub(crate) mod torch;
#[cfg(test)]
mod units;
mod wrappers;

use crate::diag::CodeInfo;
use crate::driver::family::{Command, Family};

/// All families, in the order in which help and `torchgen-rs list` show them.
pub(crate) const FAMILIES: &[&Family] = &[
    &torch::FAMILY,
    &graph_ir::FAMILY,
    &op_builders::FAMILY,
    &tensor_ir::FAMILY,
    &wrappers::FAMILY,
    #[cfg(test)]
    &units::FAMILY,
];

/// The commands of all families.
pub(crate) fn commands() -> impl Iterator<Item = &'static Command> {
    FAMILIES.iter().flat_map(|family| family.commands)
}

/// The codes of the shared modules and of all families, sorted by id.
pub(crate) fn codes() -> Vec<&'static CodeInfo> {
    let mut codes = crate::diag::codes::ALL.to_vec();
    codes.extend(FAMILIES.iter().flat_map(|family| family.codes));
    codes.sort_by_key(|code| code.id);
    codes
}

/// The families' pages of diagnostics.
pub(crate) fn pages() -> Vec<&'static str> {
    FAMILIES.iter().map(|family| family.diagnostics).collect()
}
