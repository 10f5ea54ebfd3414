//! Runs the fuzz targets over the committed corpus and over inputs made of it, the same ones every time.
//!
//! What a longer run found stands in the corpus; docs/fuzzing.md tells how to run for longer.

mod mutate;
mod targets;

use std::panic::{AssertUnwindSafe, catch_unwind};

use mutate::{Random, corpus, mutated};

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

#[test]
fn schema() {
    check("schema", 2000);
}

#[test]
fn yaml() {
    check("yaml", 1500);
}

#[test]
fn entries() {
    check("entries", 500);
}

#[test]
fn formula() {
    check("formula", 200);
}

#[test]
fn cpp() {
    check("cpp", 2000);
}

#[test]
fn python() {
    check("python", 2000);
}

#[test]
fn template() {
    check("template", 500);
}

#[test]
fn run() {
    check("run", 20);
}
