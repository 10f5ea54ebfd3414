//! Contexts for a few operators, for tests of generators, and tables of such tests.
//!
//! There are no templates of a source path; tests look at fragments.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use super::{Context, Errors, Namespaces};
use crate::diag::{Color, Diagnostics, Sources, human};
use crate::families::torch::generators::Model;
use crate::families::torch::group;
use crate::families::torch::model::Target;
use crate::families::torch::model::{BackendIndices, DispatchKey};
use crate::families::torch::parse::entry;
use crate::families::torch::records;
use crate::families::torch::records::native;
use crate::render::Renderer;
use crate::yaml;

/// The result of `show` for the operators of a YAML text in PyTorch's layout, or all errors in
/// them.
pub(crate) fn with_operators(text: &str, show: impl Fn(&Context) -> Result<String, Errors>) -> String {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let file = sources.add("native_functions.yaml", text.to_owned());
    let root = yaml::parse(&sources, file, yaml::Options::OPERATORS, &mut diagnostics).unwrap();
    let tags = BTreeSet::new();
    let options = entry::EntryOptions { target: Target::PYTORCH, valid_tags: &tags, ignore_keys: &BTreeSet::new() };
    let records = records::read_native_functions(root, &native::ATEN_KEYS, &mut diagnostics);
    let (mut functions, mut indices) = (Vec::new(), BackendIndices::default());
    for entry in records.iter().filter_map(|record| entry::entry(record, options, &mut diagnostics)) {
        for (key, kernel) in entry.kernels {
            indices.add(key, &entry.function.func.name, kernel);
        }
        functions.push(entry.function);
    }
    group::variants::add_generated(&mut functions, &mut indices, Target::PYTORCH, &mut diagnostics);
    let grouped = group::group(&functions, Target::PYTORCH, &mut diagnostics);
    let view_groups = group::view_groups(&functions, Target::PYTORCH, &mut diagnostics);
    let groups = group::groups(&grouped);
    let (namespaces, renderer) = (Namespaces::aten(), Renderer::new("torch").unwrap());
    let functions_keys = BTreeSet::from([DispatchKey::CPU, DispatchKey::CUDA]);
    let model = Model {
        functions: &functions,
        indices: &indices,
        grouped: &grouped,
        groups: &groups,
        view_groups: &view_groups,
    };
    let context = Context::new(Target::PYTORCH, &namespaces, model, &renderer)
        .tags(&tags)
        .keys(DispatchKey::SUPPORTED, &functions_keys);
    let mut shown = String::new();
    match show(&context) {
        Ok(text) => shown.push_str(&text),
        Err(Errors(errors)) => diagnostics.extend(errors),
    }
    for diagnostic in diagnostics.into_sorted() {
        shown.push_str(&human(&diagnostic, &sources, Color::Never));
    }
    shown
}

/// Checks a table of cases below `src/families/torch/generators/`: `=== name`, a YAML text, `----
/// shows` and the expected text. `check` gets the name and the YAML text.
///
/// With `UPDATE_EXPECT=1` in the environment the expected text is rewritten; review it before you
/// commit.
#[track_caller]
pub(crate) fn cases(table: &str, check: impl Fn(&str, &str) -> String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/families/torch/generators").join(table);
    let cases = std::fs::read_to_string(&path).unwrap();
    let (mut updated, mut wrong) = (String::new(), String::new());
    for case in cases.split("=== ").skip(1) {
        let (name, rest) = case.split_once('\n').unwrap();
        let (text, expected) = rest.split_once("---- shows\n").unwrap();
        let shown = check(name, text);
        let _ = write!(updated, "=== {name}\n{text}---- shows\n{shown}\n");
        if shown.trim_end() != expected.trim_end() {
            let _ = write!(wrong, "=== {name}\n{shown}\n");
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, updated).unwrap();
        return;
    }
    assert!(wrong.is_empty(), "{wrong}");
}
