//! The flags of the commands for PyTorch's operators, as clap reads them.
//!
//! Invariant: plain data; commands turn it into the input of generators. Rule for flags shared with
//! the reference: torchgen/gen.py, `main`.

mod autograd;
mod backend;
mod check;
mod declarations;
mod generate;
mod invocation;
mod kernels;
mod new;
mod selection;
mod stable;
mod static_runtime;
mod stubs;
mod unboxing;

use std::path::{Path, PathBuf};

pub(crate) use autograd::{AutogradArgs, AutogradSubset, GenerateCodeArgs, GenerateCodeSubset};
pub(crate) use backend::{BackendArgs, BackendStubsArgs, LazyNames, LazyTensorArgs};
pub(crate) use check::{CheckArgs, ExplainArgs, everything_of};
pub(crate) use declarations::DeclarationsArgs;
pub(crate) use generate::{GenerateArgs, LayoutChoice};
pub(crate) use kernels::KernelsArgs;
pub(crate) use new::NewLibraryArgs;
pub(crate) use selection::{AllowlistArgs, OperatorsYamlArgs, OplistArgs, VersionHeaderArgs};
pub(crate) use stable::{Abi, AuditArgs, FromCppArgs, StableOpsArgs};
pub(crate) use static_runtime::StaticRuntimeArgs;
pub(crate) use stubs::StubsArgs;
pub(crate) use unboxing::UnboxingArgs;

/// The source path that counts in PyTorch's layout: the last one, as in the reference.
pub(crate) fn last_source_path(paths: &[PathBuf]) -> &Path {
    paths.last().map_or(Path::new(""), PathBuf::as_path)
}
