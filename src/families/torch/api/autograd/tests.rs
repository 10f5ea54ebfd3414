//! Errors in derivatives.yaml with the full text of their diagnostics, and the results of entries
//! without errors.
//!
//! Cases are in `cases.txt` in the folder of this module. With `UPDATE_EXPECT=1` in the environment
//! the tests rewrite the expected text; review it before you commit.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use super::{DEFAULT_KEY, Operators, load, match_differentiability_info};
use crate::diag::{Color, Diagnostics, Sources, human};
use crate::families::torch::group;
use crate::families::torch::model::Target;
use crate::families::torch::model::{BackendIndices, NativeFunction};
use crate::families::torch::parse::entry;
use crate::families::torch::records;
use crate::families::torch::records::native;
use crate::yaml;

/// The operators of a text, generated ones included.
pub(crate) fn operators(
    text: &str,
    target: Target,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Vec<NativeFunction> {
    let file = sources.add("native_functions.yaml", text.to_owned());
    let root = yaml::parse(sources, file, yaml::Options::OPERATORS, diagnostics).unwrap();
    let keys = if target == Target::PYTORCH { &native::ATEN_KEYS } else { &native::LIBRARY_KEYS };
    let tags = ["generated", "view_copy", "inplace_view"].map(str::to_owned).into();
    let options = entry::EntryOptions { target, valid_tags: &tags, ignore_keys: &BTreeSet::new() };
    let records = records::read_native_functions(root, keys, diagnostics);
    let mut functions: Vec<_> =
        records.iter().filter_map(|record| entry::entry(record, options, diagnostics)).map(|e| e.function).collect();
    group::variants::add_generated(&mut functions, &mut BackendIndices::default(), target, diagnostics);
    functions
}

/// Reads operators and derivatives; shows nodes, formulas and errors.
fn check(target: Target, native: &str, derivatives: &str) -> String {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let functions = operators(native, target, &mut sources, &mut diagnostics);
    let file = sources.add("derivatives.yaml", derivatives.to_owned());
    let mut shown = String::new();
    if let Some(root) = yaml::parse(&sources, file, yaml::Options::OPERATORS, &mut diagnostics) {
        let records = records::read_derivatives(root, &mut diagnostics);
        let view_groups = group::view_groups(&functions, target, &mut diagnostics);
        let (all, groups): (Vec<_>, Vec<_>) = (functions.iter().collect(), view_groups.iter().collect());
        let operators = Operators { functions: &all, view_groups: &groups, target, manual: "" };
        let infos = load(&records, operators, &mut diagnostics);
        let matched = match_differentiability_info(&functions, &infos, target, &mut diagnostics);
        for f in matched.functions.iter().filter(|f| f.info.is_some()) {
            for (key, info) in f.info.iter().flat_map(|by_key| by_key.iter()) {
                let key = if *key == DEFAULT_KEY { "" } else { key.as_str() };
                let op = info.op.as_deref().unwrap_or("no node");
                let _ = writeln!(shown, "{}::{} {key}: {op}", f.func.namespace, f.func.func.name);
                for d in &info.derivatives {
                    let saved: Vec<String> = d
                        .saved_inputs
                        .iter()
                        .chain(&d.saved_outputs)
                        .map(|s| format!("{} {}={}", s.ty, s.name, s.expr))
                        .collect();
                    let _ = writeln!(shown, "  {}: {} [{}]", d.var_names.join(", "), d.formula, saved.join("; "));
                }
            }
            for d in f.fw_derivatives.values().flat_map(|formulas| formulas.iter()) {
                let _ = writeln!(shown, "  {} -> {}", d.var_names.join(", "), d.formula);
            }
        }
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
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/families/torch/api/autograd/tests/cases.txt");
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
            wrong.push(format!("{name}\n{derivatives}---- shows\n{found}"));
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, updated).unwrap();
        return;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for code in crate::diag::codes::ALL.iter().filter(|code| ("TG0601".."TG0621").contains(&code.id)) {
        assert!(cases.contains(code.id), "no case shows {}", code.id);
    }
}

proptest::proptest! {
    /// Any text in derivatives.yaml is processed to the end, and every place that a diagnostic
    /// names can be shown.
    #[test]
    fn anything_can_be_understood(parts in proptest::collection::vec(proptest::sample::select(PARTS), 0..24)) {
        for target in [Target::PYTORCH, Target::LIBRARY] {
            check(target, NATIVE, &parts.concat());
            check(target, NATIVE, &format!("- name: mix(Tensor self, Tensor[] xs, str? s) -> (Tensor a, Tensor b)\n  self: '{}'", parts.concat()));
        }
    }
}

const NATIVE: &str = "
- func: mix(Tensor self, Tensor[] xs, str? s) -> (Tensor a, Tensor b)
- func: mix_(Tensor(a!) self) -> Tensor(a!)
- func: _foreach_mix_(Tensor(a!)[] self) -> ()
  device_check: NoCheck
";

const PARTS: &[&str] = &[
    "- name: mix(Tensor self, Tensor[] xs, str? s) -> (Tensor a, Tensor b)\n",
    "- name: mix_(Tensor(a!) self) -> Tensor(a!)\n",
    "- name: mix_(Tensor self) -> é\n",
    "- name: é\n",
    "  self: ",
    "  self, xs: ",
    "  a, b: ",
    "  result: ",
    "  dispatch:\n    Default:\n",
    "  output_differentiability: ",
    "[True, False]\n",
    "self",
    "self_p",
    "self_t",
    "grad",
    "grads[",
    "grad_a",
    "xs",
    "s",
    "0",
    "99999999999999999999",
    "]",
    ".sym_sizes()",
    "->sym_sizes()",
    ".sym_size(",
    ".sym_strides()",
    ".sizes()",
    ".size(",
    "zeros_like(",
    "to_args_sizes(",
    ")",
    "(",
    "-",
    ".",
    "::",
    "é",
    " ",
    "\n",
    "auto_linear",
    "auto_element_wise",
    "non_differentiable",
    "\"",
    "/*",
    "[&](",
    "result",
    "+",
];
