//! Lines of public operators, and errors of every kind of line.
//!
//! `tests/operators.yaml` has forty operators and their lines, which are sound and print as they
//! are read. Whole messages are in `tests/mistakes`.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::grammar;
use crate::model::dims::DimsLine;
use crate::model::{NativeFunction, Target};
use crate::parse::entry::{EntryOptions, entry};
use crate::records;
use crate::records::native;
use torchgen_base::diag::{Diagnostics, Sources};
use torchgen_base::yaml;
use torchgen_kit::driver::data::Tables;

/// The operators of a text in the layout of libraries, and its diagnostics as text.
fn operators(text: &str) -> (Vec<NativeFunction>, String) {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let file = sources.add("native_functions.yaml", text.to_owned());
    let root = yaml::parse(&sources, file, yaml::Options::LIBRARY, &mut diagnostics).unwrap();
    let tags: BTreeSet<String> = ["dynamic_output_shape", "nondeterministic_seeded", "pointwise", "reduction"]
        .into_iter()
        .map(str::to_owned)
        .collect();
    let ignore_keys = BTreeSet::new();
    let options =
        EntryOptions { target: Target::library(Tables::embedded()), valid_tags: &tags, ignore_keys: &ignore_keys };
    let records = records::read_native_functions(root, &native::LIBRARY_KEYS, &mut diagnostics);
    let entries = records.iter().filter_map(|record| entry(record, options, &mut diagnostics));
    let mut functions: Vec<NativeFunction> = entries.map(|entry| entry.function).collect();
    super::derive(&mut functions, &mut diagnostics);
    let shown: Vec<String> = diagnostics.iter().map(|error| format!("{}: {}", error.code.id, error.message)).collect();
    (functions, shown.join("\n"))
}

fn lines(f: &NativeFunction) -> Vec<String> {
    f.dims.iter().flat_map(|dims| dims.lines.iter().map(DimsLine::to_string)).collect()
}

#[test]
fn forty_operators_have_lines_that_print_as_they_are_read() {
    // A kernel for a device, since words mean nothing for composite operators.
    let text = include_str!("tests/operators.yaml").replace("\n- func:", "\n  dispatch: {CPU: f}\n- func:");
    let (functions, errors) =
        operators(&format!("{}\n  dispatch: {{CPU: f}}\n", text.replacen("  dispatch: {CPU: f}\n", "", 1)));
    assert_eq!(functions.len(), 40);
    let errors: Vec<&str> = errors.lines().filter(|line| !line.starts_with("TG0951")).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    for f in &functions {
        let lines = lines(f);
        assert!(!lines.is_empty(), "{}", f.func.name);
        for line in lines {
            assert!(include_str!("tests/operators.yaml").contains(&line), "{line}");
            assert_eq!(grammar::line(&line).unwrap().to_string(), line);
        }
    }
}

fn derived(text: &str) -> String {
    let (functions, errors) = operators(text);
    let lines = functions.iter().flat_map(|f| lines(f).into_iter().map(|line| format!("{}: {line}\n", f.func.name)));
    lines.collect::<String>() + &errors
}

#[test]
fn backwards_follow() {
    let text = "
- func: t::linear(Tensor x, Tensor w, Tensor? bias) -> Tensor
  dims: (x[*b, k], w[n, k], bias[n]) -> [*b, n] map(b, n) reduce(k=sum + bias)
  dispatch: {CPU: f}
- func: t::linear_backward(Tensor grad, Tensor x, Tensor w) -> (Tensor grad_x, Tensor grad_w, Tensor grad_bias)
  dims: backward(linear)
  dispatch: {CPU: f}
- func: t::norm(Tensor x, Tensor w) -> Tensor
  dims: (x[*b, n], w[n]) -> [*b, n] map(b)
  dispatch: {CPU: f}
- func: t::norm_backward(Tensor g, Tensor x, Tensor w) -> (Tensor, Tensor)
  dims: backward(norm)
  dispatch: {CPU: f}
- func: t::amax(Tensor x, int dim) -> Tensor
  dims: (x[*b, n@dim]) -> [*b] map(b) reduce(n=max)
  dispatch: {CPU: f}
- func: t::amax_backward(Tensor g, Tensor x, int dim) -> Tensor
  dims: backward(amax)
  dispatch: {CPU: f}
";
    let expected = "\
linear: (x[*b, k], w[n, k], bias[n]) -> [*b, n] map(b, n) reduce(k=sum + bias)
linear_backward: (grad[*b, n], x[*b, k], w[n, k]) -> ([*b, k], [n, k], [n]) reduce(b=sum, n=sum, k=same) linear(grad)
norm: (x[*b, n], w[n]) -> [*b, n] map(b)
norm_backward: (g[*b, n], x[*b, n], w[n]) -> ([*b, n], [n]) reduce(b=sum) linear(g)
amax: (x[*b, n@dim]) -> [*b] map(b) reduce(n=max)
amax_backward: (g[*b], x[*b, n@dim]) -> [*b, n@dim] map(b) linear(g)
";
    assert_eq!(derived(text), expected);
}

#[test]
fn variants_and_pointwise_operators_follow() {
    let text = "
- func: t::scale.out(Tensor x, Tensor s, *, Tensor(a!) out) -> Tensor(a!)
  dims: (x[*b, n], s[n], out[*b, n]) -> out map(b, n)
  dispatch: {CPU: f}
- func: t::scale(Tensor x, Tensor s) -> Tensor
  dispatch: {CPU: f}
- func: t::add3(Tensor x, Tensor y, Tensor z) -> Tensor
  tags: pointwise
  dispatch: {CPU: f}
- func: t::draw(Tensor x, Generator? generator) -> Tensor
  tags: [pointwise, nondeterministic_seeded]
  dispatch: {CPU: f}
";
    let expected = "\
scale.out: (x[*b, n], s[n], out[*b, n]) -> out map(b, n)
scale: (x[*b, n], s[n]) -> [*b, n] map(b, n)
add3: (x[*b|1], y[*b|1], z[*b|1]) -> [*b] map(b)
";
    assert_eq!(derived(text), expected);
}

proptest! {
    #[test]
    fn no_text_panics(text in "[a-z(),\\[\\]*~@|_?+ /=0-9>-]{0,60}") {
        let _ = grammar::line(&text);
        let _ = grammar::flops(&text);
        let _ = grammar::backward(&text);
        if let Ok(line) = grammar::line(&text) {
            let printed = line.to_string();
            prop_assert_eq!(grammar::line(&printed).map(|line| line.to_string()).ok(), Some(printed));
        }
    }
}
