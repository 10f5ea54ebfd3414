//! The flags of `torchgen-rs new` for an operator library.
//!
//! Invariant: as in the parent module. The text of the files is in `templates/torch/new` and
//! `cmake/`.

use std::path::PathBuf;

use clap::Args;

use crate::driver::args::CommonArgs;

/// The flags of `new`.
#[derive(Debug, Clone, Args)]
pub(crate) struct NewLibraryArgs {
    /// Directory of the new project; must be empty or not exist
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// Namespace of the operators in YAML, C++ and torch.ops; also the name of the Python package
    /// [default: the directory's name]
    #[arg(long, value_name = "NS")]
    pub namespace: Option<String>,
    /// Add a CUDA kernel, compiled if a CUDA toolkit is found
    #[arg(long)]
    pub cuda: bool,

    /// Flags of every subcommand.
    #[command(flatten, next_help_heading = "Tool")]
    pub common: CommonArgs,
}
