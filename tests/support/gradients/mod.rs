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
mod spent;
mod yaml;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;

use self::build::{Failure, Run, Runs};
use self::model::Library;
use self::spent::Spent;

/// The two ABIs that libraries are generated for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Abi {
    Cpp,
    Stable,
}

impl Abi {
    /// The namespace of all operators. Both are loaded in one process.
    fn namespace(self) -> &'static str {
        match self {
            Abi::Cpp => "drawn",
            Abi::Stable => "drawn_stable",
        }
    }
}

/// How libraries are checked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// How many libraries are built together.
    pub(crate) batch: usize,
    /// torch.compile compiles the first operator of every so many libraries.
    pub(crate) compiled: usize,
    /// The kinds of arguments of operators whose composites are wrong on purpose.
    pub(crate) planted: String,
    /// Only this ABI in the newest torch.
    pub(crate) only: Option<Abi>,
    /// Templates with a guard that is broken on purpose.
    pub(crate) templates: Option<PathBuf>,
}

/// Builds the libraries of seeds in batches, and checks their operators.
///
/// # Panics
///
/// If a check fails, with the smallest library that fails it.
#[track_caller]
pub(crate) fn check(seeds: Range<u64>, plan: &Plan) {
    let mut summary = Summary::default();
    let seeds: Vec<u64> = seeds.collect();
    let mut reports = Vec::new();
    let mut found = BTreeSet::new();
    for seeds in seeds.chunks(plan.batch) {
        let libraries = summary.settled(seeds.iter().map(|&seed| draw::library(seed)).collect());
        let only = plan.only.map(|abi| (Run { abi, oldest: false }, "all"));
        let runs = build::runs(&libraries, plan, only);
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
            found.extend(library.map(|library| library.name.clone()));
            reports.push(report(library, &failure, plan));
        }
        println!("seeds {}..={}: {summary}", seeds[0], seeds[seeds.len() - 1]);
    }
    let (count, found) = (reports.len(), found.len());
    assert!(count == 0, "{count} failures in {found} libraries: {summary}\n\n{}", reports.join("\n\n"));
}

/// A failure, with the library reduced.
fn report(library: Option<&Library>, failure: &Failure, plan: &Plan) -> String {
    let Some(library) = library else { return failure.to_string() };
    match std::env::var_os("TORCHGEN_UNREDUCED") {
        Some(_) => failure.to_string(),
        None => {
            let (reduced, failure) = shrink::reduced(library, failure, plan);
            let abi = failure.run.abi;
            format!("{failure}\n\n{}\n{}", yaml::functions(&reduced, abi), yaml::derivatives(&reduced, abi))
        }
    }
}

/// The YAML of the smallest operator for which a planted error is found, in the library of a seed.
///
/// # Panics
///
/// If the error is not found.
#[track_caller]
pub(crate) fn reduced(seed: u64, plan: &Plan) -> String {
    let library = draw::library(seed);
    let run = Run { abi: Abi::Stable, oldest: false };
    let runs = build::runs(std::slice::from_ref(&library), plan, Some((run, "values")));
    let failures = runs.failures();
    let failure = failures.first().expect("the planted error is found");
    let (smallest, _) = shrink::reduced(&library, failure, plan);
    yaml::functions(&smallest, run.abi)
}

/// The first seed whose library has an operator with arguments of these kinds.
pub(crate) fn with_kinds(kinds: &[&str]) -> u64 {
    let has = |o: &model::Operator| {
        let of = |kind: &&str| o.arguments.iter().any(|a| format!("{:?}", a.kind) == **kind);
        kinds.iter().all(of) && o.outputs.len() > 1 && o.arguments.len() > 3
    };
    (0..).find(|&seed| draw::library(seed).operators.iter().any(has)).expect("a seed")
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
    spent: Spent,
}

impl Summary {
    /// The libraries, with plain names where the program refuses the names.
    fn settled(&mut self, mut libraries: Vec<Library>) -> Vec<Library> {
        for (name, refusal) in self.spent.on("checked", || build::refused(&libraries)) {
            *self.refused.entry(refusal).or_default() += 1;
            let refused = |library: &&mut Library| library.name == name;
            libraries.iter_mut().filter(refused).for_each(shrink::with_plain_names);
        }
        libraries
    }

    fn add(&mut self, runs: &Runs) {
        self.libraries += runs.libraries;
        self.operators += runs.operators;
        self.checks += runs.checks;
        self.gradients += runs.gradients;
        self.spent += &runs.spent;
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Summary { libraries, operators, checks, gradients, refused, spent } = self;
        write!(f, "{libraries} libraries, {operators} operators, {checks} checks, {gradients} gradients; {spent}")?;
        refused.iter().try_for_each(|(reason, count)| write!(f, "; {count} refused: {reason}"))
    }
}
