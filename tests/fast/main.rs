//! The tests that need neither the network, torch nor the reference: `cargo test --lib --test
//! fast`.
//!
//! One program, so that few link; each case of a folder and each example of the documentation is a
//! test of its own, so that they run in parallel and a name picks one: `cargo test --test fast
//! ui::`. What needs torch is in `tests/torch`, what needs the reference in `tests/conformance`.

/// The tests of a module, by their functions.
macro_rules! trials {
    ($($(#[$attribute:meta])* $test:ident),* $(,)?) => {
        Vec::from([$($(#[$attribute])* $crate::trial(module_path!(), stringify!($test), $test)),*])
    };
}

mod explain;
mod explanations;
mod features;
mod fuzz;
mod golden;
mod hostile;
mod incremental;
mod json_schema;
mod kernels;
mod rules;
#[path = "../support/schema.rs"]
mod schema;
mod ui;

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let trials = [
        explain::trials(),
        explanations::trials(),
        features::trials(),
        fuzz::trials(),
        golden::trials(),
        hostile::trials(),
        incremental::trials(),
        incremental::robust::trials(),
        json_schema::trials(),
        kernels::trials(),
        rules::trials(),
        ui::trials(),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials.into_iter().flatten().collect()).exit_code()
}

/// A test that fails by a panic.
fn trial(module: &str, name: &str, test: impl FnOnce() + Send + 'static) -> Trial {
    let module = module.strip_prefix("fast::").unwrap_or(module);
    Trial::test(format!("{module}::{name}"), move || {
        test();
        Ok(())
    })
}

/// The root of the checkout.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
