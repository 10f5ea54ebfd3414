//! Kernels of a few operators in full, and the diagnostics for derivatives without a possible
//! kernel.
//!
//! Cases are in `cases.txt` in the folder of this module. With `UPDATE_EXPECT=1` in the environment
//! the tests rewrite the expected text; review it before you commit.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use super::{PYTORCH, Style, kernels};
use crate::diag::{Color, Diagnostics, Sources, human};
use crate::driver::context::FileContext;
use crate::families::torch::api::autograd::{self, Operators};
use crate::families::torch::generators::{AutogradContext, Namespaces};
use crate::families::torch::group;
use crate::families::torch::managers;
use crate::families::torch::model::NativeFunction;
use crate::families::torch::model::Target;
use crate::families::torch::parse::entry;
use crate::families::torch::records;
use crate::families::torch::records::native;
use crate::render::Renderer;
use crate::yaml;

/// The operators of a text.
fn operators(text: &str, target: Target, sources: &mut Sources, diagnostics: &mut Diagnostics) -> Vec<NativeFunction> {
    let file = sources.add("native_functions.yaml", text.to_owned());
    let root = yaml::parse(sources, file, yaml::Options::OPERATORS, diagnostics).unwrap();
    let keys = if target == Target::PYTORCH { &native::ATEN_KEYS } else { &native::LIBRARY_KEYS };
    let options = entry::EntryOptions { target, valid_tags: &BTreeSet::new(), ignore_keys: &BTreeSet::new() };
    let records = records::read_native_functions(root, keys, diagnostics);
    records.iter().filter_map(|record| entry::entry(record, options, diagnostics)).map(|e| e.function).collect()
}

/// Shows kernels and registrations, or errors.
fn check(target: Target, native: &str, derivatives: &str) -> String {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let functions = operators(native, target, &mut sources, &mut diagnostics);
    let file = sources.add("derivatives.yaml", derivatives.to_owned());
    let root = yaml::parse(&sources, file, yaml::Options::OPERATORS, &mut diagnostics).unwrap();
    let records = records::read_derivatives(root, &mut diagnostics);
    let view_groups = group::view_groups(&functions, target, &mut diagnostics);
    let (all, groups): (Vec<_>, Vec<_>) = (functions.iter().collect(), view_groups.iter().collect());
    let operators = Operators { functions: &all, view_groups: &groups, target, manual: "" };
    let infos = autograd::load(&records, operators, &mut diagnostics);
    let matched = autograd::match_differentiability_info(&functions, &infos, target, &mut diagnostics);
    let namespaces = Namespaces::of(target, "my");
    let renderer = Renderer::new("torch").unwrap();
    let files =
        FileContext { program: "generator", template_dir: "templates", ..FileContext::new(&renderer, managers::CPU) };
    let ctx = AutogradContext::new(target, &namespaces, &functions, (&matched, &infos), files);
    let style = if target == Target::PYTORCH {
        PYTORCH
    } else {
        Style { kernel_prefix: "", jvp_decompositions: false, counts_versions: false }
    };
    let mut shown = String::new();
    match kernels(&ctx, style) {
        Ok(kernels) => {
            for kernel in kernels.iter().flat_map(|kernels| &kernels.by_key) {
                let _ = writeln!(shown, "[{}]", kernel.key);
                kernel.definition.iter().for_each(|definition| shown.push_str(definition));
                shown.push_str(&kernel.registration);
            }
        }
        Err(errors) => diagnostics.extend(errors.0),
    }
    for diagnostic in diagnostics.into_sorted() {
        shown.push_str(&human(&diagnostic, &sources, Color::Never));
    }
    shown
}

/// A case is a name, operators, derivatives and the shown text; `library` in the name chooses the
/// layout.
#[test]
fn cases() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src/families/torch/generators/variable_type/tests/cases.txt");
    let cases = std::fs::read_to_string(&path).unwrap();
    let mut updated = String::new();
    let mut wrong = Vec::new();
    for case in cases.split("=== ").skip(1) {
        let (name, rest) = case.split_once('\n').unwrap();
        let (native, rest) = rest.split_once("---- derivatives.yaml\n").unwrap();
        let (derivatives, expected) = rest.split_once("---- shows\n").unwrap();
        let target = if name.starts_with("library") { Target::LIBRARY } else { Target::PYTORCH };
        let found = check(target, native, derivatives);
        let _ = write!(updated, "=== {name}\n{native}---- derivatives.yaml\n{derivatives}---- shows\n{found}\n");
        if found.trim_end() != expected.trim_end() {
            wrong.push(format!("{name}\n---- shows\n{found}"));
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, updated).unwrap();
        return;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for code in crate::diag::codes::ALL.iter().filter(|code| ("TG0631".."TG0634").contains(&code.id)) {
        assert!(cases.contains(code.id), "no case shows {}", code.id);
    }
}
