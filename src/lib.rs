//! The library behind `torchgen-rs`: schemas in YAML become C++ and Python source.
//!
//! The public items are for other programs: a command line as a call, the diagnostic codes, and
//! PyTorch's reading of a schema. The crates of the workspace do the work; ARCHITECTURE.md has
//! their subjects and what each imports.

mod cli;
mod families;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod lsp;
mod torch;

use std::ffi::OsString;
use std::ops::Range;
use std::sync::LazyLock;

use torchgen_kit::driver::data::Tables;

pub use torchgen_base::diag::{CodeInfo, Place, Severity, Shown, ShownEdit, ShownFix, ShownLabel};
pub use torchgen_kit::driver::report::Summary;
pub use torchgen_kit::driver::{Counters, Host, Kept, Outcome, Status, Stop, Tool};

/// Runs the command line of this process.
///
/// Returns the exit status: 0 done, 1 errors in the input, 2 bad usage or I/O.
pub fn main() -> std::process::ExitCode {
    run(std::env::args_os(), Host::process()).status.into()
}

/// Runs a command line, whose first word is the name of the program. The host says where it prints,
/// and can stop the run. Several runs can go on at once, in threads: they share the current
/// directory, the environment and the file system, and nothing else.
pub fn run(arguments: impl IntoIterator<Item = OsString>, host: Host) -> Outcome {
    cli::run(arguments, host)
}

/// The definition of the command line, for a reference of its commands and flags.
pub fn command_line() -> clap::Command {
    let mut definition = cli::definition();
    definition.build();
    definition
}

/// Every diagnostic code of all families, in order.
pub fn codes() -> &'static [&'static CodeInfo] {
    static ALL: LazyLock<Vec<&'static CodeInfo>> = LazyLock::new(families::codes);
    &ALL
}

/// The page of the documentation about a code, in Markdown without its title; `None` if it has
/// none.
pub fn explanation(code: &CodeInfo) -> Option<&'static str> {
    families::page(code).map(torchgen_base::diag::explain::body)
}

/// A schema as PyTorch's `torch._C.parse_schema` reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema {
    /// The namespace, as `aten`, if the text has one.
    pub namespace: Option<String>,
    /// The schema without its namespace, spaced as in native_functions.yaml.
    pub text: String,
    /// The schema that C++ is generated for, or the code of the diagnostic that explains why there
    /// is none.
    pub generated: Result<String, &'static CodeInfo>,
}

/// Why a text is not a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaError {
    /// The code of the diagnostic.
    pub code: &'static CodeInfo,
    /// The message, without a full stop.
    pub message: String,
    /// The bytes of the text that are wrong.
    pub range: Range<usize>,
}

/// Reads a schema as PyTorch reads the argument of `m.def("...")`, with or without a namespace.
///
/// # Errors
/// PyTorch would reject the text.
pub fn parse_schema(text: &str) -> Result<Schema, SchemaError> {
    let declared = torchgen_model::parse::c10::declared(text).map_err(|error| SchemaError {
        code: error.code,
        message: error.message,
        range: error.range,
    })?;
    let generated =
        declared.generated(Tables::embedded()).map(|located| located.schema.to_string()).map_err(|error| error.code);
    Ok(Schema { namespace: declared.namespace, text: declared.text, generated })
}
