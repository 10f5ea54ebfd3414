//! Names that arguments and returns cannot have in C++, although their schemas can:
//! `data/torch/reserved_names.yaml`.
//!
//! Invariant: a parameter that has none of these names neither hides nor repeats a name that the
//! generated code uses itself. `tests/names` compiles an operator of each shape with each of them.

use crate::model::{ReservedNames, cpp_names};
use torchgen_base::lang::cpp::is_keyword;

impl ReservedNames {
    /// Whether generated C++ would mean something else by a parameter's name. `others` knows the
    /// names of the other arguments and of the returns, from which the generated code makes names
    /// of its own; returns without a name are called `result` and a number.
    pub(super) fn has(&self, name: &str, is_view: bool, others: impl Fn(&str) -> bool) -> bool {
        let views: &[String] = if is_view { &self.views } else { &[] };
        let is_made_of_result = |suffix: &String| {
            let made_of = name.strip_suffix(suffix.as_str()).and_then(|start| start.strip_prefix("result"));
            made_of.is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()))
        };
        self.is_taken(name, others)
            || name.strip_prefix("result").is_some_and(is_number)
            || views.iter().chain(&self.arguments).any(|own| own == name)
            || self.suffixes.iter().any(is_made_of_result)
    }

    /// Whether generated C++ would mean something else by the name of a return. `arguments`
    /// knows the names of the arguments, from which the generated code makes names of its own.
    pub(super) fn has_for_returns(&self, name: &str, arguments: impl Fn(&str) -> bool) -> bool {
        // The gradient of `x` is `grad_x`.
        let is_of_gradient = |own: &String| own.strip_prefix("grad_") == Some(name);
        self.is_taken(name, arguments) || self.nodes.iter().any(is_of_gradient)
    }

    fn is_taken(&self, name: &str, is_argument: impl Fn(&str) -> bool) -> bool {
        let is_made_of_argument = |suffix: &String| name.strip_suffix(suffix.as_str()).is_some_and(&is_argument);
        let mut listed = self.kernels.iter().chain(&self.nodes).chain(&self.parameters).chain(&self.macros);
        is_keyword(name)
            || cpp_names::is_made(name)
            || self.belongs_to_others(name)
            || listed.any(|own| own == name)
            || self.numbered.iter().any(|start| name.strip_prefix(start.as_str()).is_some_and(is_number))
            || self.suffixes.iter().any(is_made_of_argument)
    }

    /// Whether names that begin so are not for authors. Macros are in uppercase, and names that
    /// begin with two underscores, or with one and a capital letter, are the compiler's.
    pub(super) fn belongs_to_others(&self, name: &str) -> bool {
        let shouts = name.len() > 1 && !name.contains(|c: char| c.is_ascii_lowercase());
        let letters = name.contains(|c: char| c.is_ascii_uppercase());
        let hidden =
            name.strip_prefix('_').is_some_and(|rest| rest.starts_with(|c: char| c == '_' || c.is_ascii_uppercase()));
        (shouts && letters) || hidden || self.prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()))
    }
}

fn is_number(rest: &str) -> bool {
    !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use torchgen_kit::driver::data::Tables;

    #[test]
    fn names_of_parameters() {
        let table: &ReservedNames = Tables::embedded().get();
        let reserved = |name| table.has(name, true, |other| ["weight", "self"].contains(&other));
        for name in
            ["op", "xor", "NAN", "__FILE__", "ks", "weight_t", "weight_", "int64_t", "linux", "result0", "result1_p"]
        {
            assert!(reserved(name), "{name}");
        }
        for name in ["x", "N", "weight", "weight2", "_x", "x_t", "self", "out", "input", "inputs_", "results1"] {
            assert!(!reserved(name), "{name}");
        }
    }

    #[test]
    fn names_of_returns() {
        let table: &ReservedNames = Tables::embedded().get();
        let reserved = |name| table.has_for_returns(name, |other| ["weight", "self"].contains(&other));
        for name in ["op", "xor", "self_", "weight_t", "result", "inputs"] {
            assert!(reserved(name), "{name}");
        }
        for name in ["self", "weight", "other_", "x_t", "out", "result0"] {
            assert!(!reserved(name), "{name}");
        }
    }
}
