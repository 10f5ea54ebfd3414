//! The flags of the commands for libtorch's stable ABI.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use torchgen_base::lang::is_identifier;
use torchgen_kit::driver::args::{Common, DATA, DEPFILE, INPUT, LONG, OUTPUT, STRICT, TEMPLATES, VERIFY};
use torchgen_model::model::rules::torch_min;
use torchgen_model::model::version::Version;

/// The flags of `stable-ops`.
#[derive(Debug, Clone, Args)]
pub struct StableOpsArgs {
    /// Operators, separated by commas, or `all`; can be repeated
    ///
    /// `aten::cumsum` means all its overloads, `aten::cumsum.out` one, and `aten::cumsum.default`
    /// the one without a name.
    #[arg(long, value_name = "NAMES", action = clap::ArgAction::Append, required = true, help_heading = INPUT)]
    pub ops: Vec<String>,
    /// The oldest torch to work with, on the stable ABI
    #[arg(long, value_name = "VERSION", default_value = "2.10", value_parser = torch_min, help_heading = INPUT)]
    pub torch_min: Version,
    /// C++ namespace of the functions
    #[arg(long, value_name = "NAME", default_value = "aten", help_heading = OUTPUT)]
    pub namespace: String,
    /// File to write [default: standard output]
    #[arg(long = "out-file", alias = "output", value_name = "FILE", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
    /// The flags beyond.
    #[command(flatten)]
    pub common: Common<{ TEMPLATES | DATA | STRICT | LONG | DEPFILE | VERIFY }>,
}

/// The flags of `audit`.
#[derive(Debug, Clone, Args)]
pub struct AuditArgs {
    /// Libraries to read: ELF, Mach-O or PE; directories are searched [default: those in Python
    /// packages below build/]
    #[arg(value_name = "LIBRARY")]
    pub libraries: Vec<PathBuf>,
    /// The oldest torch to work with, on the stable ABI
    #[arg(long, value_name = "VERSION", default_value = "2.10", value_parser = torch_min, help_heading = INPUT)]
    pub torch_min: Version,
    /// The flags beyond.
    #[command(flatten)]
    pub common: Common<STRICT>,
}

/// The flags of `from-cpp`.
#[derive(Debug, Clone, Args)]
pub struct FromCppArgs {
    /// C++ sources with TORCH_LIBRARY or STABLE_TORCH_LIBRARY blocks; directories are searched
    #[arg(value_name = "PATH", required = true)]
    pub sources: Vec<PathBuf>,
    /// Files and directories to leave out, by their paths; can be repeated
    #[arg(long, value_name = "PATH", action = clap::ArgAction::Append, help_heading = INPUT)]
    pub exclude: Vec<PathBuf>,
    /// A macro of your build, as `NAME` or `NAME=VALUE`; can be repeated
    #[arg(long, value_name = "MACRO", action = clap::ArgAction::Append, value_parser = define, help_heading = INPUT)]
    pub define: Vec<(String, String)>,
    /// Namespace of operators, where the source has a macro
    #[arg(long, value_name = "NAME", help_heading = OUTPUT)]
    pub namespace: Option<String>,
    /// File to write [default: standard output]
    #[arg(long = "out-file", alias = "output", value_name = "FILE", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
    /// The flags beyond.
    #[command(flatten)]
    pub common: Common<{ TEMPLATES | DATA | STRICT | VERIFY }>,
}

/// The flags of `adopt`.
#[derive(Debug, Clone, Args)]
pub struct AdoptArgs {
    /// Sources in C++ and Python that register operators; directories are searched
    #[arg(value_name = "PATH")]
    pub sources: Vec<PathBuf>,
    /// Files and directories to leave out, by their paths; can be repeated
    #[arg(long, value_name = "PATH", action = clap::ArgAction::Append, help_heading = INPUT)]
    pub exclude: Vec<PathBuf>,
    /// A macro of your build, as `NAME` or `NAME=VALUE`; can be repeated
    #[arg(long, value_name = "MACRO", action = clap::ArgAction::Append, value_parser = define, help_heading = INPUT)]
    pub define: Vec<(String, String)>,
    /// Name of the Python package
    ///
    /// It is imported, and what it registers with torch's dispatcher is read too.
    #[arg(long, value_name = "NAME", help_heading = INPUT)]
    pub python_package: Option<String>,
    /// Interpreter that has torch and the package
    ///
    /// It also parses sources in Python, and needs no torch for that.
    #[arg(long, value_name = "FILE", default_value = "python3", help_heading = INPUT)]
    pub python: PathBuf,
    /// Namespace of operators, where the source has a macro
    #[arg(long, value_name = "NAME", help_heading = INPUT)]
    pub namespace: Option<String>,
    /// Directory to write to
    ///
    /// By default it is ops/ beside the sources.
    #[arg(long, value_name = "DIR", help_heading = OUTPUT)]
    pub out_dir: Option<PathBuf>,
    /// Write the YAML and the report; files that exist stay
    #[arg(long, help_heading = OUTPUT)]
    pub write: bool,
    /// Write nothing, and fail if an output would change
    ///
    /// The YAML is compared with what the library registers: schemas by what they say.
    #[arg(long, conflicts_with = "write", help_heading = OUTPUT)]
    pub verify: bool,
    /// The flags beyond.
    #[command(flatten)]
    pub common: Common<{ TEMPLATES | DATA | STRICT }>,
}

/// A macro and what replaces it; 1 by itself, as for a compiler.
fn define(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    match is_identifier(name) {
        true => Ok((name.to_owned(), value.to_owned())),
        false => Err("this is not the name of a macro".to_owned()),
    }
}

/// The ABI of a library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Abi {
    /// libtorch's C++ API, which changes with every minor version
    Unstable,
    /// libtorch's stable ABI
    Stable,
}
