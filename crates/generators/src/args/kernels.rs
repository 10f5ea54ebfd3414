//! The flags of `torchgen-rs kernels`.

use std::path::PathBuf;

use clap::Args;

use super::stable::Abi;
use torchgen_kit::driver::args::{Common, DATA, INPUT, LONG, OUTPUT, STRICT, TEMPLATES, VERIFY};

/// The flags of `kernels`.
#[derive(Debug, Clone, Args)]
pub struct KernelsArgs {
    /// YAML files, or directories of them
    ///
    /// A library may have further directories, and files of operators.
    #[arg(
        long = "source-path", short = 's', value_name = "PATH", num_args = 1.., action = clap::ArgAction::Append,
        default_value = ".", help_heading = INPUT
    )]
    pub source_paths: Vec<PathBuf>,
    /// C++ sources with kernels, and directories of them
    ///
    /// Directories are searched for .cpp, .cc, .cxx, .cu, .cuh, .h, .hpp, .mm and similar
    /// files. Headers that they `#include` by relative path are read too. The default is
    /// SOURCE_PATH/kernels.
    #[arg(long, alias = "kernels", num_args = 1.., action = clap::ArgAction::Append, value_name = "PATH", help_heading = INPUT)]
    pub sources: Vec<PathBuf>,
    /// Only the kernels of these operators, separated by commas
    ///
    /// Operators with or without namespace and overload.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', action = clap::ArgAction::Append, help_heading = OUTPUT, hide_short_help = true)]
    pub only: Vec<String>,
    /// Write the skeletons of missing kernels instead of printing them
    ///
    /// Those in C++ go to one file for each operator beside the sources, and those in Python to the
    /// modules that the YAML names. Existing files are appended to.
    #[arg(long, help_heading = OUTPUT)]
    pub write: bool,
    /// File to write [default: standard output]
    ///
    /// All skeletons in C++ go to it.
    #[arg(long = "out-file", alias = "write-to", value_name = "FILE", help_heading = OUTPUT)]
    pub write_to: Option<PathBuf>,
    /// The Python modules of the library's package
    ///
    /// Kernels in Python are looked for in them. The default is those in SOURCE_PATH/python and
    /// SOURCE_PATH.
    #[arg(long, num_args = 1.., action = clap::ArgAction::Append, value_name = "FILE", help_heading = INPUT, hide_short_help = true)]
    pub python_modules: Vec<PathBuf>,
    /// Print JSON instead of text
    ///
    /// What the kernels do: for each its place, and the arguments that it mutates, returns, reads
    /// as numbers, makes contiguous and keeps, as far as its text shows it. Skeletons are not
    /// printed.
    #[arg(long, conflicts_with_all = ["write", "write_to", "tests"], help_heading = OUTPUT, hide_short_help = true)]
    pub json: bool,
    /// Write tests for operators that have none
    ///
    /// They go to this directory; the default is SOURCE_PATH/tests. An operator has tests if a
    /// Python file there has its name: after a dot, in quotes, or in an import. Each of the others
    /// gets a file for pytest: opcheck, gradcheck and torch.compile. Lines of `dims:` are compared
    /// with their kernels by test_dims.py. Files that exist are not changed, and kernels are not
    /// compared.
    #[arg(
        long, value_name = "DIR", num_args = 0..=1, conflicts_with_all = ["write", "write_to"], help_heading = OUTPUT
    )]
    pub tests: Option<Option<PathBuf>>,
    /// Write tests on DTensors too
    ///
    /// They run the operators with `dims:` on 2 and on 4 processes, and take a minute or more.
    #[arg(long, requires = "tests", help_heading = OUTPUT, hide_short_help = true)]
    pub sharding: bool,
    /// Name of the Python package
    ///
    /// Tests import it. The default is that of library.yaml, or the last part of the namespace.
    #[arg(long, value_name = "NAME", help_heading = OUTPUT, hide_short_help = true)]
    pub python_package: Option<String>,
    /// What the library needs of libtorch
    ///
    /// The default is that of library.yaml, or unstable.
    #[arg(long, value_enum, value_name = "ABI", help_heading = INPUT, hide_short_help = true)]
    pub abi: Option<Abi>,
    /// Where torch is: a checkout, or a directory that it is installed in
    ///
    /// That is a checkout of PyTorch, site-packages, or the package torch or torchgen in it.
    /// Without it, the environment's torch is used.
    #[arg(long, value_name = "DIR", help_heading = INPUT)]
    pub torch_path: Option<PathBuf>,

    /// The flags beyond.
    #[command(flatten)]
    pub common: Common<{ TEMPLATES | DATA | STRICT | LONG | VERIFY }>,
}
