//! The operator that all formulas belong to: its arguments, which are the names of formulas.
//!
//! Invariant: `tests/formulas/node.h` has a field for each name, and `tests/formulas/values.py`
//! values for each argument.

/// The arguments of each operator.
const ARGUMENTS: &str = "Tensor self, Tensor other, Tensor? maybe, Tensor[] tensors, int k, int n, SymInt m, float x, \
    float y, bool b, bool c, int? ki, float? xf, bool? bf, int[] ks, SymInt[] ms, str text, ScalarType? dtype";

/// The namespace of the operators.
pub(super) const NAMESPACE: &str = "looked";

/// How formulas name the gradients and results of an operator with two results.
pub(super) const OF_TWO: [&str; 6] = ["grads[0]", "grads[1]", "grad_first", "grad_second", "first", "second"];

/// The schema of the operator of a formula.
pub(super) fn schema(name: &str, formula: &str) -> String {
    let returns = if has_two(formula) { "(Tensor first, Tensor second)" } else { "Tensor" };
    format!("{NAMESPACE}::{name}({ARGUMENTS}) -> {returns}")
}

/// Whether the operator of a formula has two results.
fn has_two(formula: &str) -> bool {
    formula.contains("grads[") || OF_TWO[2..].iter().any(|name| formula.contains(name))
}

/// The entries of an operator with this formula: of native_functions.yaml, and of derivatives.yaml.
pub(super) fn entries(name: &str, formula: &str) -> (String, String) {
    let schema = schema(name, formula);
    let fake = if has_two(formula) { "like(self), like(self)" } else { "like(self)" };
    let formula = formula.replace('\'', "''");
    (
        format!("- func: {schema}\n  fake: {fake}\n  dispatch: {{CPU: kernel_symint}}\n"),
        format!(
            "- name: {schema}\n  complex_gradients: True\n  self: '{formula}'\n  other: non_differentiable\n  \
             maybe: non_differentiable\n  tensors: non_differentiable\n"
        ),
    )
}

/// Names of tensors, numbers and others, with literals, in formulas.
pub(super) mod names {
    pub(in super::super) const TENSORS: &[&str] = &["grad", "self", "other", "result"];
    pub(in super::super) const INTS: &[&str] = &["k", "n", "ks[0]", "ks[1]"];
    pub(in super::super) const SYMBOLIC: &[&str] = &["m", "ms[0]", "ms[1]"];
    pub(in super::super) const FLOATS: &[&str] = &["x", "y"];
    pub(in super::super) const BOOLS: &[&str] = &["b", "c"];
}
