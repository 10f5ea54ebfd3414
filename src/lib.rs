//! The library behind `torchgen-rs`: operator schemas in YAML become C++ and Python source.
//!
//! Stages, each using only what stands to its left:
//!
//! ```text
//! yaml -> parse -> model -> group -> api -> view -> render -> write
//! ```
//!
//! The view stage lives in `generate`, one folder per generator. ARCHITECTURE.md tells what each stage owns and what it never sees.

pub mod alloc;
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
/// Returns the exit status: 0 done, 1 faults in the input, 2 bad usage or I/O.
pub fn run() -> std::process::ExitCode {
    match cli::Cli::read(std::env::args_os()) {
        Ok(cli) => driver::run(cli).into(),
        // Help and version go to standard output, with status 0; usage errors to standard error, with status 2.
        Err(error) => error.exit(),
    }
}
