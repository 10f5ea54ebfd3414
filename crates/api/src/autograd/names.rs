//! The names of a formula that are not in scope.
//!
//! Invariant: a reported name would not compile. Functions and members are not checked: there are
//! too many to know.

use std::collections::HashSet;
use std::ops::Range;

use serde::Deserialize;

use super::cpp_names::InCpp;
use super::formula;
use torchgen_base::diag::{Diagnostic, Help, did_you_mean, nearest};
use torchgen_base::lang::cpp::{is_keyword, only_names_template_parameters};
use torchgen_base::yaml::Text;
use torchgen_formula::{Path, called, open_names, parse};
use torchgen_kit::driver::data::{Table, Tables};
use torchgen_model::codes;

#[derive(Deserialize)]
struct Known {
    cpp: Vec<String>,
    types: Vec<String>,
    backward: Vec<String>,
    forward: Vec<String>,
    c_functions: HashSet<String>,
}

impl Table for Known {
    const PATH: &'static str = "torch/formula_names.yaml";
}

/// The kind of formula, which decides what is in scope besides inputs and outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// For gradients.
    Backward,
    /// For tangents.
    Forward,
    /// For whether an output is differentiable, before the operator is called.
    Condition,
}

/// Reports the names of a formula that are not in scope. `inputs_and_outputs` are the names that
/// are, besides those in `manual`, the author's own header. Messages have the names of the file.
pub(super) fn unknown_names(
    text: &Text,
    direction: Direction,
    inputs_and_outputs: &[String],
    in_cpp: &InCpp,
    manual: &str,
    tables: &Tables,
) -> Vec<Diagnostic> {
    let table: &Known = tables.get();
    let scope: &[String] = match direction {
        Direction::Backward => &table.backward,
        Direction::Forward => &table.forward,
        Direction::Condition => &[],
    };
    let in_scope = || inputs_and_outputs.iter().chain(scope).map(String::as_str);
    let known = |name: &str| in_scope().any(|n| n == name) || table.cpp.iter().chain(&table.types).any(|n| n == name);
    let shown = || in_scope().map(|name| in_cpp.written(name));
    let unknown = |range: Range<usize>| {
        let name = &text.as_str()[range.clone()];
        let author = || formula::uses(manual, name) && !only_names_template_parameters(manual, name);
        if known(name) || is_constant(name) || is_keyword(name) || author() {
            return None;
        }
        let name = in_cpp.written(name);
        let diagnostic =
            Diagnostic::new(&codes::UNKNOWN_FORMULA_NAME, format!("`{name}` does not exist in this formula"))
                .at(text.sub_span(range.clone()));
        let known = |name: &str| shown().any(|own| own == name) || known(name);
        let value = name.strip_suffix("_t").or_else(|| name.strip_suffix("_p")).filter(|value| known(value));
        if let (Direction::Forward, Some(value)) = (direction, value) {
            return Some(
                diagnostic.help(
                    Help::new(format!("`{value}` has no formula and therefore no tangent: write `{value}`"))
                        .instead(value)
                        .certainly(),
                ),
            );
        }
        if name == "None" {
            return Some(diagnostic.help(
                Help::new("write `non_differentiable` for an input without a gradient").instead("non_differentiable"),
            ));
        }
        if let Some(function) = function_of_python(name, &text.as_str()[range.end..]) {
            let called = function.rsplit(':').next().unwrap_or_default();
            let help = Help::new(format!("formulas are C++: write `{function}`"));
            return Some(diagnostic.help(help.after(format!("{name}.{called}"), function.as_str())));
        }
        let is_gradient = name.starts_with("grad_") || matches!(name, "dout" | "dy" | "d_out");
        if direction == Direction::Backward && is_gradient && nearest(name, shown()).is_none() {
            return Some(diagnostic.help("the gradient of the output is `grad`; of several outputs, `grads[0]`"));
        }
        Some(match did_you_mean(name, shown()) {
            Some(near) => diagnostic.help(near),
            None => {
                let mut names: Vec<&str> = inputs_and_outputs.iter().map(|name| in_cpp.written(name)).collect();
                names.sort_unstable();
                names.dedup();
                if direction == Direction::Backward {
                    names.insert(0, "grad");
                }
                let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
                diagnostic.help(format!("the names in it are {}", names.join(", "))).help(match direction {
                    Direction::Backward => "use inputs, outputs and gradients, and qualify other names: `at::name`",
                    Direction::Condition => "use inputs, and qualify other names: `at::name`",
                    Direction::Forward => {
                        "use primals (`self_p`), tangents (`self_t`) and outputs, and qualify other names: `at::name`"
                    }
                })
            }
        })
    };
    // Without a tree, which PyTorch's own formulas may lack, nothing is known.
    let Ok(expr) = parse(text.as_str()) else { return Vec::new() };
    open_names(&expr).unwrap_or_default().into_iter().filter_map(unknown).collect()
}

/// The C++ function for one of a module of Python, which is followed by `rest`.
fn function_of_python(module: &str, rest: &str) -> Option<String> {
    let namespace = match module {
        "torch" | "np" | "numpy" | "F" => "at",
        "math" => "std",
        _ => return None,
    };
    let rest = rest.strip_prefix('.')?;
    let name = &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())];
    Some(format!("{namespace}::{name}"))
}

/// Whether formulas can call a word without a namespace, or cast to it: a keyword, type, macro,
/// function of C or of FunctionsManual.h.
pub fn is_formula_word(name: &str, tables: &Tables) -> bool {
    let (table, manual): (&Known, &FunctionsManual) = (tables.get(), tables.get());
    let mut listed = [&table.cpp, &table.types, &table.forward, &manual.exported, &manual.inline].into_iter().flatten();
    is_keyword(name)
        || is_constant(name)
        || table.c_functions.contains(name)
        || manual.unexported.contains(name)
        || listed.any(|word| word == name)
}

/// Functions of FunctionsManual.h, by whether libtorch exports them.
#[derive(Deserialize)]
struct FunctionsManual {
    exported: Vec<String>,
    inline: Vec<String>,
    unexported: HashSet<String>,
}

impl Table for FunctionsManual {
    const PATH: &'static str = "torch/functions_manual.yaml";
}

impl FunctionsManual {
    /// Those that libraries can call.
    fn usable(&self) -> impl Iterator<Item = &String> + Clone {
        self.exported.iter().chain(&self.inline)
    }
}

/// Whether a library's formulas can call a function of FunctionsManual.h. Generated sources declare
/// these functions.
pub fn is_usable_function(name: &str, tables: &Tables) -> bool {
    tables.get::<FunctionsManual>().usable().any(|usable| usable == name)
}

/// Reports the functions that a library's formula calls and libtorch does not export. `manual` is
/// the author's own header, which may define functions of such names.
pub(super) fn unexported(text: &Text, manual: &str, tables: &Tables) -> Vec<Diagnostic> {
    let table: &FunctionsManual = tables.get();
    let Ok(expr) = parse(text.as_str()) else { return Vec::new() };
    let check = |path: &Path| {
        let name = path.name();
        let own = match path.parts.as_slice() {
            [_] => formula::uses(manual, name),
            [.., namespace, _] if namespace == DETAILS => false,
            _ => return None,
        };
        if own || !table.unexported.contains(name) {
            return None;
        }
        let range = path.range.end - name.len()..path.range.end;
        let usable: Vec<&str> = table.usable().map(String::as_str).collect();
        Some(
            Diagnostic::new(
                &codes::NOT_EXPORTED,
                format!("libtorch does not export `{name}`, so libraries cannot call it"),
            )
            .at(text.sub_span(range.clone()))
            .note(format!("of PyTorch's helper functions for formulas, libtorch exports {}", usable.join(", ")))
            .help(format!(
                "define `{name}` in derivatives_manual.h beside derivatives.yaml, or use functions of `at::`"
            )),
        )
    };
    called(&expr).into_iter().filter_map(check).collect()
}

/// The namespace of the functions of FunctionsManual.h.
const DETAILS: &str = "details";

/// Macros and constants are in uppercase.
fn is_constant(name: &str) -> bool {
    let shouts = !name.contains(|c: char| c.is_lowercase()) && name.len() > 1;
    let k_name = name.strip_prefix('k').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
    // Those of C are all known.
    let of_math = name.starts_with("M_") && !MATH_CONSTANTS.contains(&name);
    let is_name = name.trim_start_matches('_').starts_with(|c: char| c.is_alphabetic());
    shouts && is_name && !of_math || k_name
}

/// The constants of `math.h`.
const MATH_CONSTANTS: &[&str] = &[
    "M_E",
    "M_LOG2E",
    "M_LOG10E",
    "M_LN2",
    "M_LN10",
    "M_PI",
    "M_PI_2",
    "M_PI_4",
    "M_1_PI",
    "M_2_PI",
    "M_2_SQRTPI",
    "M_SQRT2",
    "M_SQRT1_2",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_libtorch() {
        let table: &FunctionsManual = Tables::embedded().get();
        let usable = table.usable();
        assert!(usable.clone().all(|name| !table.unexported.contains(name)));
        // The templates declare these names, and bring them into scope.
        let declarations = include_str!("../../../../templates/torch/library/formula_functions.j2");
        assert!(usable.clone().all(|name| declarations.contains(&format!(" {name}("))));
        let skeleton = include_str!("../../../../templates/torch/library/formula_names.j2");
        assert!(usable.clone().all(|name| skeleton.contains(&format!("::{name};"))));
        assert_eq!(skeleton.matches("::details::").count(), usable.count());
    }

    #[test]
    fn right_formulas_pass() {
        for formula in [
            "not a.any() ? grad : -grad",
            "grad * (a not_eq b and compl(b) or (b xor a) bitand true)",
            "b > 0 ? grad : throw std::runtime_error(\"no\")",
            "grad * (short) b + (signed char)b + (unsigned long) b + (ptrdiff_t)b",
            "grad * static_cast<ptrdiff_t>(b) + static_cast<const long long>(b)",
            "({ auto x = grad * a; x * b; })",
            "grad * my_factor",
        ] {
            let names = ["a", "b"].map(str::to_owned);
            let found = unknown_names(
                &Text::from(formula),
                Direction::Backward,
                &names,
                &InCpp::default(),
                "constexpr int my_factor = 2;",
                Tables::embedded(),
            );
            assert!(found.is_empty(), "{formula}: {found:?}");
        }
    }

    #[test]
    fn constants() {
        assert!(
            is_constant("M_PI")
                && is_constant("kCPU")
                && !is_constant("k")
                && !is_constant("N")
                && !is_constant("keep")
        );
    }
}
