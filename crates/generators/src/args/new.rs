//! The flags of `torchgen-rs new` for an operator library.
//!
//! Invariant: as in the parent module. The text of the files is in `templates/torch/new` and
//! `cmake/`.

use std::path::PathBuf;

use clap::Args;

use super::stable::Abi;
use torchgen_kit::driver::args::CommonArgs;
use torchgen_model::model::version::{Version, torch_min};

/// The flags of `new`.
#[derive(Debug, Clone, Args)]
pub struct NewLibraryArgs {
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
    /// What the library needs of libtorch: its C++ API, or its stable ABI
    #[arg(long, value_enum, value_name = "ABI", default_value = "unstable")]
    pub abi: Abi,
    /// The oldest torch that a library on the stable ABI must work with [default: 2.10]
    #[arg(long, value_name = "VERSION", value_parser = torch_min)]
    pub torch_min: Option<Version>,

    /// Flags of every subcommand.
    #[command(flatten, next_help_heading = "Tool")]
    pub common: CommonArgs,
}
