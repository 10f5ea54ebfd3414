//! The tests that need more than the program: the reference, a C++ compiler, torch. They download
//! some 2 GB and take minutes: `cargo test --test integration`.
//!
//! One program, so that few link; a name picks a part of it, as `aten/default`, `families::` or
//! `torch::walkthrough`. Tests that need none of this are in `tests/fast`, but for sweeps that run
//! the program hundreds of times, [`hostile`] and [`templates`]. [`site`] needs a browser.
//! `--record` and `--live` are for the conformance suite; `--record` runs nothing else.
//!
//! Each core runs a test. Compilers take most of the memory: sources of [`support::cxx`] are
//! compiled one for each core, and two threads build CMake projects with two jobs each, so that at
//! most six compilers of some 1 GB run at once on two cores.

#[macro_use]
#[path = "../support/trial.rs"]
mod trial;

#[path = "../conformance/mod.rs"]
mod conformance;
mod counters;
mod downstream;
#[path = "../families/mod.rs"]
mod families;
mod growth;
mod hostile;
mod site;
#[path = "../support/mod.rs"]
mod support;
mod templates;
#[path = "../torch/mod.rs"]
mod torch;

use std::process::ExitCode;

use conformance::Mode;
use libtest_mimic::{Arguments, Trial};

/// How many of the slowest tests a run of all tests prints.
const SLOWEST: usize = 20;

/// The seconds of processor time that a test may cost, by the beginning of its name: those of
/// CONTRIBUTING, "Where a test goes".
const LIMITS: &[(&str, f64)] = &[("families::", 20.0), ("torch::", 30.0)];

/// The slowest tests, and what they may cost. They start before the others, so that none runs alone
/// at the end.
const LONG: &[(&str, f64)] = &[
    ("families::graph_ir::glows_lists_behave_under_sanitizers", 60.0),
    ("families::graph_ir::contract::the_names_work", 40.0),
    ("families::generator::a_vendors_generator_runs", 40.0),
    ("families::graph_ir::rules::rules_rewrite_graphs", 40.0),
    ("families::graph_ir::names::names_are_safe_or_refused", 40.0),
    ("families::tensor_ir::behaviour_as_shipped", 60.0),
    ("families::tensor_ir::behaviour", 30.0),
    ("families::op_builders::self_test", 40.0),
    ("torch::gradients::random_libraries_have_the_gradients_of_their_composites", 150.0),
    ("torch::opkit::stable_compile", 100.0),
    ("torch::opkit::compile", 60.0),
    ("torch::walkthrough::the_walk_through_works_as_written", 60.0),
    ("torch::walkthrough::the_page_of_the_stable_abi_works_as_written", 60.0),
    ("torch::dims::processes_give_the_results_of_one", 60.0),
    ("torch::project::a_new_project_is_developed_and_tested", 60.0),
    ("torch::names::every_header_compiles_alone", 60.0),
    ("torch::conditions::both_values_of_a_condition_work", 60.0),
    ("torch::stable_autograd::gradients_tangents_and_versions", 60.0),
];

fn main() -> ExitCode {
    if let Some(job) = counters::job() {
        job();
        return ExitCode::SUCCESS;
    }
    support::memory::hold_temporary_files();
    let (mode, arguments) = Mode::of(std::env::args());
    let arguments = Arguments::from_iter(arguments);
    let conformance = match conformance::trials(mode) {
        Ok(trials) => trials,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    if mode == Mode::Record {
        return libtest_mimic::run(&arguments, conformance).exit_code();
    }
    let all = arguments.filter.is_none() && arguments.skip.is_empty() && !arguments.list;
    if all {
        // What families generate is compiled meanwhile.
        std::thread::spawn(support::torch::make_environments);
    }
    // Torch's need the environments.
    let sweeps = [
        counters::trials(),
        downstream::trials(),
        growth::trials(),
        hostile::trials(),
        site::trials(),
        templates::trials(),
    ];
    let sweeps = sweeps.into_iter().flatten().collect();
    let mut suites = [families::trials(), torch::trials(), sweeps, conformance];
    let place = |trial: &Trial| LONG.iter().position(|(name, _)| *name == trial.name());
    let found = suites.iter().flatten().filter(|trial| place(trial).is_some()).count();
    assert_eq!(found, LONG.len(), "a test in `LONG` has another name");
    suites.iter_mut().for_each(|suite| suite.sort_by_key(|trial| place(trial).unwrap_or(LONG.len())));
    let slowness = support::processor::slowness;
    trial::LIMITS.get_or_init(|| trial::Limits { seconds: [LONG, LIMITS].concat(), slowness });
    let conclusion = libtest_mimic::run(&arguments, suites.into_iter().flatten().collect());
    if !arguments.list {
        trial::print_slowest(SLOWEST);
    }
    conclusion.exit_code()
}
