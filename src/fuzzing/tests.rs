//! Runs the fuzz targets over the committed corpus and over inputs derived from it, the same ones
//! every time.
//!
//! The corpus includes the findings of longer runs; docs/fuzzing.md shows how to start one.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;

use super::TARGETS;
use super::mutate::{Random, corpus, mutated};
use torchgen_api::autograd;
use torchgen_base::lang::cpp as cpp_source;
use torchgen_base::lang::python::literals;
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::Language;
use torchgen_model::parse;

/// Runs a target over its corpus and over `count` mutated inputs.
#[track_caller]
fn check(name: &str, mutations: usize) {
    let (_, target) = TARGETS.iter().find(|(known, _)| *known == name).expect("a known target");
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
fn format() {
    check("format", 1500);
}

#[test]
fn entries() {
    check("entries", 500);
}

#[test]
fn formula() {
    check("formula", 100);
}

#[test]
fn cpp() {
    check("cpp", 2000);
}

#[test]
fn registrations() {
    check("registrations", 300);
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

#[test]
fn stable() {
    check("stable", 5);
}

#[test]
fn several() {
    check("several", 10);
}

#[test]
fn family() {
    check("family", 20);
}

/// Pieces of schemas, Python, C++ and YAML.
#[rustfmt::skip]
const PIECES: [&str; 47] = [
    "(", "[", "{", "<", "((a", "a.", "::a", "Dict(", "f(Tensor[", "int[]", "?", "'", "\"", "\\", "f'{", "lambda: ", "not ", "**", "-", "a,",
    "a = [a, a]\n", "if x:\n ", "def f():\n", "class C(C):\n", "namespace a {", "template <", "#if 1\n", "#define a\\\n", "[[", "/*", "R\"(",
    "operator", "a<", "a(", "$", "\n", "\r", " ", "\t", "grad*", "self.sizes().", "TORCH_META_FUNC(", "f(x) {", "Tensor(a", "Tensor(a|b", "->", "é",
];

/// The parsers of strings, on a thread with a small stack.
#[test]
fn repeated_pieces_take_neither_the_stack_nor_long() {
    PIECES.par_iter().for_each(|piece| repeated(piece));
}

fn repeated(piece: &str) {
    let text = piece.repeat(4_000 / piece.len());
    for text in [text.clone(), format!("f({text}"), format!("x = {text}"), format!("f(int {text}) -> Tensor")] {
        let start = std::time::Instant::now();
        for language in [Language::Torchgen, Language::C10] {
            let _ = parse::schema::namespaced(&text, language, Tables::embedded());
            let _ = parse::schema::argument(&text, language);
        }
        let _ = (parse::c10::declared(&text).is_ok(), parse::operator_name(&text), parse::precompute(&[&text]));
        let _ = literals::module(&text).is_ok();
        let _ = (cpp_source::scan_source(&text), cpp_source::signature(&text, std::slice::from_ref(&text)));
        autograd::formula_uses(&text, "self");
        let took = start.elapsed();
        assert!(took.as_secs() < 1, "{piece:?} takes {took:?}");
    }
}
