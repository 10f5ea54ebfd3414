//! The families: each turns records of its own into C++ or Python, in a folder of its own.
//!
//! Invariant: families never import each other; they share what lies outside this folder. A family is its folder and a line in [`FAMILIES`].

mod graph_ir;
mod op_builders;
mod tensor_ir;
pub(crate) mod torch;
#[cfg(test)]
mod units;

use crate::diag::CodeInfo;
use crate::driver::family::{Command, Family};

/// All families, in the order in which help and `torchgen-rs list` show them.
pub(crate) const FAMILIES: &[&Family] = &[
    &torch::FAMILY,
    &graph_ir::FAMILY,
    &op_builders::FAMILY,
    &tensor_ir::FAMILY,
    #[cfg(test)]
    &units::FAMILY,
];

/// The commands of all families.
pub(crate) fn commands() -> impl Iterator<Item = &'static Command> {
    FAMILIES.iter().flat_map(|family| family.commands)
}

/// The diagnostics of the shared parts and of all families, in order of their ids.
pub(crate) fn codes() -> Vec<&'static CodeInfo> {
    let mut codes = crate::diag::codes::ALL.to_vec();
    codes.extend(FAMILIES.iter().flat_map(|family| family.codes));
    codes.sort_by_key(|code| code.id);
    codes
}
