//! What takes minutes or hours and changes seldom: `cargo test --test slow`. Plain `cargo test` and
//! `.ci/run` neither build nor run it; README.md beside this file lists the tests.
//!
//! Invariant: a random case depends on its seed only, and its name has the seed.

// Slow tests use a part of it.
#[allow(dead_code)]
#[macro_use]
#[path = "../support/trial.rs"]
mod trial;

mod callers;
mod changes;
#[path = "../conformance/mod.rs"]
mod conformance;
mod conversions;
mod cuda;
mod edited;
mod edits;
mod formulas;
mod fuzz;
mod gradients;
mod model;
mod older;
mod packages;
mod python_module;
mod random;
mod saved;
mod selections;
// Slow tests use a part of it.
#[allow(unused_imports)]
#[path = "../support/mod.rs"]
mod support;
mod vision;

use std::process::ExitCode;

use conformance::Mode;
use libtest_mimic::Arguments;

fn main() -> ExitCode {
    let changes = changes::trials();
    let live = conformance::trials(Mode::Live);
    let against = [live, random::trials(), edited::trials(), model::trials(), changes, python_module::trials()];
    match against.into_iter().collect::<Result<Vec<_>, _>>() {
        Ok(against) => {
            let more = [
                callers::trials(),
                conversions::trials(),
                cuda::trials(),
                edits::trials(),
                formulas::trials(),
                fuzz::trials(),
                gradients::trials(),
                older::trials(),
                packages::trials(),
                saved::trials(),
                selections::trials(),
                vision::trials(),
            ];
            let trials = against.into_iter().chain(more).flatten().collect();
            libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// The number in an environment variable, or this one.
fn number(variable: &str, otherwise: u64) -> u64 {
    let text = std::env::var(variable).ok();
    text.map_or(otherwise, |text| text.parse().unwrap_or_else(|error| panic!("{variable}={text}: {error}")))
}
