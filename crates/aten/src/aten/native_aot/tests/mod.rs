//! Tests of declarations. The cases are in `declarations.txt`: the text of an `aot.py`, and its
//! values or errors. With `UPDATE_EXPECT=1` in the environment the tests rewrite the latter.

use std::fmt::Write as _;
use std::path::Path;

use super::declaration::declarations;
use torchgen_base::diag::{Color, Diagnostics, Sources, human};
use torchgen_generators::native_aot::Manifests;

/// The separator between the input and the output.
const SHOWS: &str = "---- shows\n";
/// Replaced by the functions that every declaration must have.
const FUNCTIONS: &str = "<functions>\n";
const REQUIRED: &str = "\
def kernel_precompile_grid(): return [{}]
def covered_axes(self): return {}
def cpp_dispatch(spec): return ''
def cpp_launch(spec, launch_fn): return launch_fn
";

/// The manifests, then the errors.
fn check(input: &str) -> String {
    let mut sources = Sources::new();
    let file = sources.add("aot.py", input.replace(FUNCTIONS, REQUIRED));
    let mut diagnostics = Diagnostics::new();
    let found = declarations(file, sources.text(file), &mut diagnostics);
    let manifests = Manifests::new(found, &mut diagnostics);
    let mut shown = String::new();
    for manifest in manifests.iter() {
        let stub = manifest.qualified_stub_name();
        let _ = write!(shown, "{} for {}: {stub}, {}", manifest.op, manifest.dispatch_key, manifest.fn_type_name());
        shown.push_str(if manifest.unconditional { ", unconditional\n" } else { "\n" });
    }
    for diagnostic in diagnostics.into_sorted() {
        shown.push_str(&human(&diagnostic, &sources, Color::Never));
        shown.push('\n');
    }
    shown
}

#[test]
fn cases() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/aten/native_aot/tests/declarations.txt");
    let cases = include_str!("declarations.txt");
    let mut updated = String::new();
    for case in cases.split_inclusive("=== ").filter(|case| *case != "=== ") {
        let case = case.strip_suffix("=== ").unwrap_or(case);
        let (name, rest) = case.split_once('\n').unwrap();
        let input = rest.split_once(SHOWS).map_or(rest, |(input, _)| input);
        let _ = write!(updated, "=== {name}\n{input}{SHOWS}{}", check(input));
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &updated).unwrap();
    } else {
        assert_eq!(updated, cases);
    }
}
