//! The flags of `torchgen-rs kernels`.

use std::path::PathBuf;

use clap::Args;

use super::stable::Abi;
use torchgen_kit::driver::args::CommonArgs;

/// The flags of `kernels`.
#[derive(Debug, Clone, Args)]
pub struct KernelsArgs {
    /// Directory with the operator library's native_functions.yaml, further directories, and files
    /// of operators
    #[arg(
        long = "source-path", short = 's', value_name = "PATH", num_args = 1.., action = clap::ArgAction::Append,
        default_value = "."
    )]
    pub source_paths: Vec<PathBuf>,
    /// C++ sources with kernels; directories are searched for .cpp, .cc, .cxx, .cu, .cuh, .h, .hpp,
    /// .mm and similar files. Headers that they `#include` by relative path are read too [default:
    /// SOURCE_PATH/kernels]
    #[arg(long, alias = "kernels", num_args = 1.., action = clap::ArgAction::Append, value_name = "PATH")]
    pub sources: Vec<PathBuf>,
    /// Write the skeletons of missing kernels instead of printing them, to one file for each
    /// operator beside the sources; existing files are appended to
    #[arg(long)]
    pub write: bool,
    /// Write them all to this file
    #[arg(long, value_name = "FILE")]
    pub write_to: Option<PathBuf>,
    /// What the library needs of libtorch [default: that of library.yaml, or unstable]
    #[arg(long, value_enum, value_name = "ABI")]
    pub abi: Option<Abi>,
    /// Directory of the torch that a library is built for: a checkout of PyTorch, site-packages, or
    /// the package torch or torchgen in it [default: found in the environment]
    #[arg(long, value_name = "DIR")]
    pub torch_path: Option<PathBuf>,

    /// Flags of every subcommand.
    #[command(flatten, next_help_heading = "Tool")]
    pub common: CommonArgs,
}
