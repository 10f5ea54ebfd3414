//! The registry of the families: each reads its own kind of YAML, generates C++ or Python from it,
//! and is a crate; PyTorch's is several.
//!
//! Invariant: families other than PyTorch's are not imported elsewhere. A family is its crate and a
//! line in [`FAMILIES`].

#[cfg(test)]
mod identity_tests;
mod provider;
#[cfg(test)]
mod tests;

pub(crate) use provider::{Listed, for_editors, listed};
use torchgen_base::diag::CodeInfo;
use torchgen_embedded::{File, Files, files};
use torchgen_kit::driver::family::{Command, Family};

use crate::torch;

/// The family of the sources that name none.
pub(crate) use crate::torch::Torch as Fallback;
pub(crate) use crate::torch::site::DocsFlags as FallbackDocsFlags;

/// All families, in the order in which help and `torchgen-rs list` show them.
pub(crate) const FAMILIES: &[&Family] = &[
    &torch::FAMILY,
    &torchgen_graph_ir::FAMILY,
    &torchgen_op_builders::FAMILY,
    &torchgen_tensor_ir::FAMILY,
    &torchgen_wrappers::FAMILY,
    &torchgen_generator::Generators::<provider::Things>::FAMILY,
    #[cfg(test)]
    &torchgen_units::FAMILY,
];

/// The commands of all families.
pub(crate) fn commands() -> impl Iterator<Item = &'static Command> {
    FAMILIES.iter().flat_map(|family| family.commands)
}

/// Makes the files of all families known: a run looks for templates and tables by name.
pub(crate) fn serve_files() {
    torchgen_embedded::serve(FAMILIES.iter().flat_map(|family| (family.files)()));
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

/// The page of a code. Those of `units` have none.
pub(crate) fn page(code: &CodeInfo) -> Option<&'static str> {
    static PAGES: Files = files!(Pages, "docs/diagnostics", "");
    PAGES.file_named(&format!("{}.md", code.id)).map(File::text)
}
