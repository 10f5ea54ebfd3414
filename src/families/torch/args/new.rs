//! What `torchgen-rs new` is asked for, for an operator library.
//!
//! Invariant: as in the module above. Deliberately absent: what the files say (`templates/torch/new`, `cmake/`).

use std::path::PathBuf;

use clap::Args;

use crate::driver::args::CommonArgs;

/// What `new` is told.
#[derive(Debug, Clone, Args)]
pub(crate) struct NewLibraryArgs {
    /// Directory to make the library in; it must not exist, or be empty
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// Namespace of the operators, in YAML, C++ and torch.ops; the Python package is called after it [default: the directory's name]
    #[arg(long, value_name = "NS")]
    pub namespace: Option<String>,
    /// With a CUDA kernel, which is compiled where a toolkit is found
    #[arg(long)]
    pub cuda: bool,

    /// Flags of every subcommand.
    #[command(flatten, next_help_heading = "Tool")]
    pub common: CommonArgs,
}
