//! The tests that need more than the program: the reference, a C++ compiler, torch. They download
//! some 2 GB and take minutes: `cargo test --test integration`.
//!
//! One program, so that few link; a name picks a part of it, as `aten/default`, `families::` or
//! `torch::walkthrough`. Tests that need none of this are in `tests/fast`.

#[macro_use]
#[path = "../support/trial.rs"]
mod trial;

#[path = "../conformance/mod.rs"]
mod conformance;
mod counters;
#[path = "../families/mod.rs"]
mod families;
#[path = "../support/mod.rs"]
mod support;
#[path = "../torch/mod.rs"]
mod torch;

use std::process::ExitCode;

use libtest_mimic::Arguments;

fn main() -> ExitCode {
    if let Some(job) = counters::job() {
        job();
        return ExitCode::SUCCESS;
    }
    let arguments = Arguments::from_args();
    let conformance = match conformance::trials() {
        Ok(trials) => trials,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    // The slowest tests start first.
    let trials = [torch::trials(), families::trials(), counters::trials(), conformance];
    libtest_mimic::run(&arguments, trials.into_iter().flatten().collect()).exit_code()
}
