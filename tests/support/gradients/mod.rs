//! Random operator libraries with derivatives, compared with what autograd computes for the same
//! operators in Python, and on both ABIs.
//!
//! A seed is a library: `draw.rs` draws it as data (`model.rs`), and the other modules write its
//! YAML, its kernels, and its composites in Python. `build.rs` builds many libraries as one shared
//! object for each ABI, and runs `tests/gradients/harness.py` with it. `shrink.rs` reduces a
//! library that fails. With `TORCHGEN_UNREDUCED=1`, libraries that fail are reported as they are.
//!
//! Invariant: the library of a seed is the same on every machine, and all its formulas are right.
//! So a failure is an error of the program, or of this test.

mod build;
mod composite;
mod draw;
mod formula;
mod kernel;
mod model;
mod names;
mod shrink;
mod yaml;

use std::collections::BTreeMap;
use std::ops::Range;

use self::build::{Failure, Run, Runs};
use self::model::Library;

/// The two ABIs that libraries are generated for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Abi {
    Cpp,
    Stable,
}

/// Builds the libraries of seeds in batches, and checks their operators. In each library, that many
/// operators are compiled by torch.compile too.
///
/// # Panics
///
/// If a check fails, with the smallest library that fails it.
#[track_caller]
pub(crate) fn check(seeds: Range<u64>, batch: usize, compiled: usize) {
    let mut summary = Summary::default();
    let seeds: Vec<u64> = seeds.collect();
    let mut reports = Vec::new();
    for seeds in seeds.chunks(batch) {
        let libraries = seeds.iter().map(|&seed| summary.settled(draw::library(seed))).collect::<Vec<Library>>();
        let runs = build::runs(&libraries, compiled, None);
        summary.add(&runs);
        let mut seen: Vec<(String, Run)> = Vec::new();
        for failure in runs.failures() {
            // One report for each check that fails in a library.
            let key = (format!("{} {}", failure.operator, failure.check), failure.run);
            if seen.contains(&key) {
                continue;
            }
            seen.push(key);
            let library = libraries.iter().find(|library| failure.is_of(library));
            reports.push(report(library, &failure));
        }
        println!("seeds {}..={}: {summary}", seeds[0], seeds[seeds.len() - 1]);
    }
    assert!(reports.is_empty(), "{} failures: {summary}\n\n{}", reports.len(), reports.join("\n\n"));
}

/// A failure, with the library reduced.
fn report(library: Option<&Library>, failure: &Failure) -> String {
    let Some(library) = library else { return failure.to_string() };
    match std::env::var_os("TORCHGEN_UNREDUCED") {
        Some(_) => failure.to_string(),
        None => {
            let (reduced, failure) = shrink::reduced(library, failure);
            format!("{failure}\n\n{}\n{}", yaml::functions(&reduced), yaml::derivatives(&reduced))
        }
    }
}

/// What was built and compared.
#[derive(Default)]
struct Summary {
    libraries: usize,
    operators: usize,
    checks: u64,
    gradients: u64,
    /// The number of libraries that were refused for each reason, and got plain names.
    refused: BTreeMap<String, usize>,
}

impl Summary {
    /// The library, with plain names if the program refuses its names.
    fn settled(&mut self, mut library: Library) -> Library {
        let Err(refusal) = build::accepted(&library) else { return library };
        *self.refused.entry(refusal).or_default() += 1;
        shrink::with_plain_names(&mut library);
        library
    }

    fn add(&mut self, runs: &Runs) {
        self.libraries += runs.libraries;
        self.operators += runs.operators;
        self.checks += runs.checks;
        self.gradients += runs.gradients;
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Summary { libraries, operators, checks, gradients, refused } = self;
        write!(f, "{libraries} libraries, {operators} operators, {checks} checks, {gradients} gradients")?;
        refused.iter().try_for_each(|(reason, count)| write!(f, "; {count} refused: {reason}"))
    }
}
