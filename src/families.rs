//! The registry of the families: each reads its own kind of YAML, generates C++ or Python from it,
//! and is a crate; PyTorch's is several.
//!
//! Invariant: families other than PyTorch's are not imported elsewhere. A family is its crate and a
//! line in [`FAMILIES`].

#[cfg(test)]
mod identity_tests;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use rust_embed::RustEmbed;
use torchgen_base::diag::CodeInfo;
use torchgen_embedded::{File, files};
use torchgen_kit::driver::family::{Command, Family};

use crate::torch;

/// The family of the sources that name none.
pub(crate) use crate::torch::Torch as Fallback;

/// All families, in the order in which help and `torchgen-rs list` show them.
pub(crate) const FAMILIES: &[&Family] = &[
    &torch::FAMILY,
    &torchgen_graph_ir::FAMILY,
    &torchgen_op_builders::FAMILY,
    &torchgen_tensor_ir::FAMILY,
    &torchgen_wrappers::FAMILY,
    #[cfg(test)]
    &torchgen_units::FAMILY,
];

/// The commands of all families.
pub(crate) fn commands() -> impl Iterator<Item = &'static Command> {
    FAMILIES.iter().flat_map(|family| family.commands)
}

/// The names of the families whose files name them.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    commands().filter(|command| command.documents.is_some()).map(|command| command.name)
}

/// The codes of the shared modules and of all families, sorted by id.
pub(crate) fn codes() -> Vec<&'static CodeInfo> {
    let mut codes = torchgen_base::diag::codes::ALL.to_vec();
    codes.extend(FAMILIES.iter().flat_map(|family| family.codes));
    codes.sort_by_key(|code| code.id);
    codes
}

/// The pages of diagnostics of all families.
#[derive(RustEmbed)]
#[folder = "docs/diagnostics"]
struct Pages;

/// The page of a code. Those of `units` have none.
pub(crate) fn page(code: &CodeInfo) -> Option<&'static str> {
    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/diagnostics");
    static ALL: LazyLock<Vec<File>> = LazyLock::new(|| files::<Pages>(FOLDER, &[".md"]));
    let name = format!("{}.md", code.id);
    let found = ALL.binary_search_by_key(&name.as_str(), |file| file.name).ok()?;
    Some(ALL[found].text())
}
