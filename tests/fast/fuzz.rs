//! Runs the fuzz targets over the committed corpus and over inputs made of it, the same ones every
//! time.
//!
//! What a longer run found stands in the corpus; docs/fuzzing.md tells how to run for longer.

#[path = "../fuzz/mutate.rs"]
mod mutate;
#[path = "../fuzz/targets.rs"]
mod targets;

use std::panic::{AssertUnwindSafe, catch_unwind};

use libtest_mimic::Trial;
use mutate::{Random, corpus, mutated};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![schema, yaml, entries, formula, cpp, python, template, run,]
}

/// Runs a target over its corpus and over so many mutated inputs.
#[track_caller]
fn check(name: &str, mutations: usize) {
    let (_, target) = targets::TARGETS.iter().find(|(known, _)| *known == name).expect("a known target");
    let corpus = corpus(name);
    assert!(corpus.len() >= 5, "the corpus of {name} has {} inputs", corpus.len());
    for (path, data) in &corpus {
        let outcome = catch_unwind(AssertUnwindSafe(|| target(data)));
        assert!(outcome.is_ok(), "{}", path.display());
    }
    let inputs: Vec<Vec<u8>> = corpus.into_iter().map(|(_, data)| data).collect();
    let mut random = Random::new(1);
    for _ in 0..mutations {
        let data = mutated(&inputs, &mut random);
        let outcome = catch_unwind(AssertUnwindSafe(|| target(&data)));
        assert!(outcome.is_ok(), "{:?}", String::from_utf8_lossy(&data));
    }
}

fn schema() {
    check("schema", 2000);
}

fn yaml() {
    check("yaml", 1500);
}

fn entries() {
    check("entries", 500);
}

fn formula() {
    check("formula", 200);
}

fn cpp() {
    check("cpp", 2000);
}

fn python() {
    check("python", 2000);
}

fn template() {
    check("template", 500);
}

fn run() {
    check("run", 20);
}
