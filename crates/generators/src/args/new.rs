//! PyTorch's flags of `torchgen-rs new`, for an operator library.
//!
//! Invariant: as in the parent module. The text of the files is in `templates/torch/new` and
//! `cmake/`.

use std::path::PathBuf;

use clap::Args;

use super::stable::Abi;
use torchgen_kit::driver::args::{CommonArgs, OUTPUT};
use torchgen_model::model::rules::torch_min;
use torchgen_model::model::version::Version;

/// The flags of `new`.
#[derive(Debug, Clone, Args)]
#[command(mut_arg("namespace", |arg| arg.long_help("Name of the project [default: the directory's name]\n\nIn an operator library, it is the namespace of the operators in YAML, C++ and torch.ops, and the name of the Python package.")))]
pub struct NewLibraryFlags {
    /// Add a CUDA kernel, compiled if a CUDA toolkit is found
    #[arg(long, help_heading = OUTPUT)]
    pub cuda: bool,
    /// What the library needs of libtorch
    ///
    /// A library on the stable ABI is built once for all versions of torch. One on libtorch's C++
    /// API has less overhead in autograd, and C++ formulas.
    #[arg(long, value_enum, value_name = "ABI", default_value = "stable", help_heading = OUTPUT, hide_short_help = true)]
    pub abi: Abi,
    /// Put the operators into this Python package of your own, as `NAME._ops`
    ///
    /// The project has its directory, `src/NAME`. Without it, the package is generated as a whole.
    #[arg(long, value_name = "NAME", help_heading = OUTPUT, hide_short_help = true)]
    pub inside: Option<String>,
    /// The oldest torch to work with, on the stable ABI
    ///
    /// The default is 2.10.
    #[arg(long, value_name = "VERSION", value_parser = torch_min, help_heading = OUTPUT)]
    pub torch_min: Option<Version>,
}

/// A new library.
#[derive(Debug, Clone)]
pub struct NewLibraryArgs {
    /// Its directory.
    pub dir: PathBuf,
    /// Its namespace, unless it is the directory's name.
    pub namespace: Option<String>,
    /// Whether it has a CUDA kernel.
    pub cuda: bool,
    /// What it needs of libtorch.
    pub abi: Abi,
    /// The author's Python package around the generated one.
    pub inside: Option<String>,
    /// The oldest torch, on the stable ABI.
    pub torch_min: Option<Version>,
    /// The flags of every command.
    pub common: CommonArgs,
}
