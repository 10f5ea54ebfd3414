//! The flags of the commands for libtorch's stable ABI.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use torchgen_kit::driver::args::CommonArgs;
use torchgen_model::model::version::{Version, torch_min};

/// The flags of `stable-ops`.
#[derive(Debug, Clone, Args)]
pub struct StableOpsArgs {
    /// Operators, separated by commas: aten::cumsum for all its overloads, aten::cumsum.out
    /// for one, aten::cumsum.default for the one without a name, or all; can be repeated
    #[arg(long, value_name = "NAMES", action = clap::ArgAction::Append, required = true)]
    pub ops: Vec<String>,
    /// Oldest version of torch that the functions must work with
    #[arg(long, value_name = "VERSION", default_value = "2.10", value_parser = torch_min)]
    pub torch_min: Version,
    /// C++ namespace of the functions
    #[arg(long, value_name = "NAMESPACE", default_value = "aten")]
    pub namespace: String,
    /// File to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Flags of every subcommand.
    #[command(flatten, next_help_heading = "Tool")]
    pub common: CommonArgs,
}

/// The flags of `audit`.
#[derive(Debug, Clone, Args)]
pub struct AuditArgs {
    /// Libraries to read: ELF, Mach-O or PE; directories are searched [default: those in Python
    /// packages below build/]
    #[arg(value_name = "LIBRARY")]
    pub libraries: Vec<PathBuf>,
    /// The oldest torch that the libraries must work with
    #[arg(long, value_name = "VERSION", default_value = "2.10", value_parser = torch_min)]
    pub torch_min: Version,
    /// Flags of every subcommand.
    #[command(flatten, next_help_heading = "Tool")]
    pub common: CommonArgs,
}

/// The flags of `from-cpp`.
#[derive(Debug, Clone, Args)]
pub struct FromCppArgs {
    /// C++ sources with TORCH_LIBRARY or STABLE_TORCH_LIBRARY blocks; directories are searched
    #[arg(value_name = "PATH", required = true)]
    pub sources: Vec<PathBuf>,
    /// Namespace of operators, where the source has a macro
    #[arg(long, value_name = "NAMESPACE")]
    pub namespace: Option<String>,
    /// File to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Flags of every subcommand.
    #[command(flatten, next_help_heading = "Tool")]
    pub common: CommonArgs,
}

/// The ABI of a library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Abi {
    /// libtorch's C++ API, which changes with every minor version
    Unstable,
    /// libtorch's stable ABI
    Stable,
}
