//! Errors in derivatives.yaml with the full text of their diagnostics, and the results of entries
//! without errors.
//!
//! Cases are in `cases.txt` in the folder of this module. With `UPDATE_EXPECT=1` in the environment
//! the tests rewrite the expected text; review it before you commit.

use std::fmt::Write as _;

use super::{DEFAULT_KEY, Matched};
use crate::testing::{CopyVariants, derivative_cases, with_derivatives};
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::Target;

/// Nodes and formulas.
fn shown(matched: &Matched) -> String {
    let mut shown = String::new();
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
    shown
}

/// Reads operators and derivatives; shows nodes, formulas and errors.
fn check(target: Target, native: &str, derivatives: &str) -> String {
    with_derivatives(target, CopyVariants::Required, native, derivatives, |_, _, matched| Ok(shown(matched)))
}

#[test]
fn cases() {
    let cases = derivative_cases("src/autograd/tests/cases.txt", |_, target, yaml| check(target, yaml.0, yaml.1));
    for code in torchgen_model::codes::ALL.iter().filter(|code| ("TG0601".."TG0621").contains(&code.id)) {
        assert!(cases.contains(code.id), "no case shows {}", code.id);
    }
}

proptest::proptest! {
    /// Any text in derivatives.yaml is processed to the end, and every place that a diagnostic
    /// names can be shown.
    #[test]
    fn anything_can_be_understood(parts in proptest::collection::vec(proptest::sample::select(PARTS), 0..24)) {
        for target in [Target::pytorch(Tables::embedded()), Target::library(Tables::embedded())] {
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
