//! The tests that need neither the network, torch nor the reference: `cargo test --lib --test
//! fast`.
//!
//! One program, so that few link; each case of a folder and each example of the documentation is a
//! test of its own, so that they run in parallel and a name picks one:
//! `cargo test --test fast ui::`. Tests that need torch, a C++ compiler or the reference are in
//! `tests/integration`.

#[macro_use]
#[path = "../support/trial.rs"]
mod trial;

mod adopt;
mod affixes;
mod backend;
mod book;
mod bound;
mod breaking;
mod builds;
#[path = "../support/cases.rs"]
#[allow(dead_code)]
mod cases;
mod classes;
mod command_line;
mod crates;
mod cycles;
mod declarations;
mod deep;
mod defaults;
mod diff;
mod editors;
mod english;
#[path = "../support/expected.rs"]
mod expected;
mod explain;
mod explanations;
mod features;
mod files;
mod fixes;
mod flags;
mod format;
mod from_cpp;
mod git;
mod golden;
mod here;
mod hostile;
mod incremental;
mod json_messages;
mod json_schema;
mod kernels;
mod lsp;
#[path = "../support/memory.rs"]
mod memory;
mod mistakes;
mod model;
mod overlays;
mod paths;
mod pictures;
mod python_functions;
#[path = "../support/pytorch.rs"]
mod pytorch;
#[path = "../support/random.rs"]
mod random;
mod readme;
mod reported;
mod rules;
#[path = "../support/schema.rs"]
#[allow(dead_code)]
mod schema;
mod selection;
mod site;
mod torch_versions;
mod types;
mod ui;

use std::process::ExitCode;

use libtest_mimic::Arguments;
use pytorch::{copy, root};

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    if arguments.test_threads.is_none() {
        // Most tests wait for files and for programs that they run.
        arguments.test_threads = std::thread::available_parallelism().ok().map(|cores| 2 * cores.get());
    }
    memory::hold_temporary_files();
    // The slowest tests start first.
    let trials = [
        overlays::trials(),
        incremental::robust::trials(),
        incremental::trials(),
        here::trials(),
        hostile::trials(),
        adopt::trials(),
        bound::trials(),
        affixes::trials(),
        backend::trials(),
        book::trials(),
        breaking::trials(),
        builds::trials(),
        classes::trials(),
        readme::trials(),
        command_line::trials(),
        flags::trials(),
        cycles::trials(),
        declarations::trials(),
        deep::trials(),
        diff::trials(),
        defaults::trials(),
        editors::trials(),
        english::trials(),
        explain::trials(),
        explanations::trials(),
        features::trials(),
        files::trials(),
        fixes::trials(),
        format::trials(),
        from_cpp::trials(),
        golden::trials(),
        json_messages::trials(),
        json_schema::trials(),
        lsp::trials(),
        mistakes::trials(),
        model::trials(),
        kernels::trials(),
        paths::trials(),
        pictures::trials(),
        python_functions::trials(),
        crates::trials(),
        rules::trials(),
        selection::trials(),
        site::trials(),
        torch_versions::trials(),
        types::trials(),
        ui::trials(),
    ];
    let all = arguments.filter.is_none() && arguments.skip.is_empty() && !arguments.list;
    let conclusion = libtest_mimic::run(&arguments, trials.into_iter().flatten().collect());
    match reported::wrong().filter(|_| all && !conclusion.has_failed()) {
        Some(wrong) => {
            eprintln!("error: {wrong}");
            ExitCode::FAILURE
        }
        None => conclusion.exit_code(),
    }
}
