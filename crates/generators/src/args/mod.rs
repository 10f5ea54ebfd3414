//! The flags of the commands for PyTorch's operators, as clap reads them.
//!
//! Invariant: plain data; commands turn it into the input of generators. Rule for flags shared with
//! the reference: torchgen/gen.py, `main`.

mod autograd;
mod backend;
mod check;
mod declarations;
mod generate;
mod kernels;
mod model;
mod new;
mod project;
mod selection;
mod stable;
mod static_runtime;
mod stubs;
mod unboxing;

use std::path::{Path, PathBuf};

use clap::Args;

pub use autograd::{AutogradArgs, AutogradSubset, GenerateCodeArgs, GenerateCodeSubset};
pub use backend::{BackendArgs, BackendStubsArgs, LazyNames, LazyTensorArgs};
pub use check::{CheckFlags, ExplainFlags, everything_of};
pub use declarations::DeclarationsArgs;
pub use generate::{GenerateArgs, LayoutChoice};
pub use kernels::KernelsArgs;
pub use model::{AlsoKind, ModelFlags};
pub use new::{NewLibraryArgs, NewLibraryFlags};
pub use project::{DevArgs, TestArgs, TorchVersions};
pub use selection::{AllowlistArgs, OperatorsYamlArgs, OplistArgs, VersionHeaderArgs};
pub use stable::{Abi, AdoptArgs, AuditArgs, FromCppArgs, StableOpsArgs};
pub use static_runtime::StaticRuntimeArgs;
pub use stubs::StubsArgs;
pub use unboxing::UnboxingArgs;

use torchgen_base::diag::Diagnostic;
use torchgen_kit::driver::args::{CommonArgs, INPUT};
use torchgen_kit::driver::job::JobArgs;
use torchgen_model::codes;
use torchgen_model::model::version::Version;

/// The version of torch whose rules apply.
#[derive(Debug, Clone, Default, Args)]
pub struct ReleaseArgs {
    /// Generate what this version of torch generates, such as 2.12
    ///
    /// Without it, PyTorch's files show the version.
    #[arg(long, value_name = "VERSION", help_heading = INPUT)]
    pub torch: Option<Version>,
}

impl ReleaseArgs {
    /// Refuses the flag for an operator library, whose code is the same for all versions.
    ///
    /// # Errors
    /// It is given.
    pub fn not_for_a_library(&self, source_path: &Path) -> Result<(), Diagnostic> {
        match self.torch {
            None => Ok(()),
            Some(_) => Err(Diagnostic::new(&codes::USAGE, "--torch is for ATen's own files")
                .note(format!("`{}` is an operator library", source_path.display()))),
        }
    }
}

/// PyTorch's sources in a checkout.
pub const SOURCES: &str = "aten/src/ATen";

/// The source path that counts in PyTorch's layout: the last one, as in the reference.
pub fn last_source_path(paths: &[PathBuf]) -> &Path {
    paths.last().map_or(Path::new(""), PathBuf::as_path)
}

/// The arguments of commands that take too little time to skip a run, or that do not only write.
macro_rules! never_skipped {
    ($($args:ty),*) => {$(
        impl JobArgs for $args {
            fn common(&self) -> CommonArgs {
                self.common.clone().into()
            }
        }
    )*};
}

never_skipped!(KernelsArgs, OplistArgs, OperatorsYamlArgs, AllowlistArgs, VersionHeaderArgs);
never_skipped!(StableOpsArgs, AuditArgs, FromCppArgs, AdoptArgs, StaticRuntimeArgs, DevArgs, TestArgs);
