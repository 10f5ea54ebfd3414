//! The library behind `torchgen-rs`: schemas in YAML become C++ and Python source.
//!
//! ARCHITECTURE.md says what each module owns and what it may import.

pub mod cli;
pub mod diag;
pub mod driver;
pub mod families;
pub mod kit;
pub mod lang;
pub mod render;
pub mod write;
pub mod yaml;

/// Runs the command line of this process.
///
/// Returns the exit status: 0 done, 1 errors in the input, 2 bad usage or I/O.
pub fn run() -> std::process::ExitCode {
    cli::run(std::env::args_os()).0.into()
}
