//! Which operators, kernels and training code a build shall have.
//!
//! Invariant: operators are named with their namespace (`aten::add.Tensor`). Deliberately absent: reading selective-build YAML (see
//! `yaml::selective`) and complaining about names that match nothing, which needs the operators.
//! Rule: torchgen/selective_build/selector.py and operator.py.

use indexmap::IndexMap;

use super::NativeFunction;
use crate::diag::Span;
use crate::families::torch::records::SelectiveRecord;

/// A selection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selector {
    include_all_operators: bool,
    include_all_non_op_selectives: bool,
    operators: IndexMap<String, Selected>,
    kernel_metadata: IndexMap<String, Vec<String>>,
    custom_classes: Vec<String>,
    build_features: Vec<String>,
}

/// What a selection says about an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Selected {
    root: bool,
    training: bool,
    all_overloads: bool,
    span: Option<Span>,
}

impl Selector {
    /// Everything is selected: the build is not selective.
    pub fn nop() -> Selector {
        Selector { include_all_operators: true, ..Selector::default() }
    }

    /// The operators of a whitelist, each as a root operator, none for training. A name without an overload means all overloads.
    ///
    /// Rule: torchgen/gen.py, `get_custom_build_selector`.
    pub fn from_whitelist<S: Into<String>>(names: impl IntoIterator<Item = (S, Option<Span>)>) -> Selector {
        Selector::from_names(names, true, false)
    }

    /// Operators by name. A name without an overload means all overloads.
    ///
    /// Rule: `SelectiveBuilder.from_legacy_op_registration_allow_list`.
    pub fn from_names<S: Into<String>>(
        names: impl IntoIterator<Item = (S, Option<Span>)>,
        root: bool,
        training: bool,
    ) -> Selector {
        let selected = |(name, span): (S, _)| (name.into(), Selected { root, training, all_overloads: true, span });
        Selector {
            operators: names.into_iter().map(selected).collect(),
            include_all_non_op_selectives: true,
            ..Selector::default()
        }
    }

    /// What a selective-build file selects.
    pub fn from_record(record: SelectiveRecord) -> Selector {
        let operators = record.operators.into_iter().map(|operator| {
            let selected = Selected {
                root: operator.is_root_operator,
                training: operator.is_used_for_training,
                all_overloads: operator.include_all_overloads,
                span: Some(operator.name.span()),
            };
            (operator.name.into_string(), selected)
        });
        Selector {
            include_all_operators: record.include_all_operators,
            include_all_non_op_selectives: record.include_all_non_op_selectives,
            operators: operators.collect(),
            kernel_metadata: record.kernel_metadata,
            custom_classes: record.custom_classes,
            build_features: record.build_features,
        }
    }

    /// The build is not selective.
    pub fn include_all_operators(&self) -> bool {
        self.include_all_operators
    }

    /// All kernel types and custom classes are selected.
    pub fn include_all_non_op_selectives(&self) -> bool {
        self.include_all_non_op_selectives
    }

    /// The operator is selected, by its full name or by the name of all its overloads.
    pub fn is_operator_selected(&self, name: &str) -> bool {
        self.include_all_operators
            || self.operators.contains_key(name)
            || self.family(name).is_some_and(|family| family.all_overloads)
    }

    /// [`Selector::is_operator_selected`] for an operator.
    pub fn is_native_function_selected(&self, f: &NativeFunction) -> bool {
        self.include_all_operators || self.is_operator_selected(&full_name(f))
    }

    /// The operator is called by models directly, so that it needs a boxed kernel.
    pub fn is_root_operator(&self, name: &str) -> bool {
        self.include_all_operators
            || match self.operators.get(name) {
                Some(operator) => operator.root,
                None => self.family(name).is_some_and(|family| family.all_overloads && family.root),
            }
    }

    /// The operator is selected and used in training.
    pub fn is_operator_selected_for_training(&self, name: &str) -> bool {
        self.include_all_operators
            || self.operators.get(name).is_some_and(|operator| operator.training)
            || self.family(name).is_some_and(|family| family.all_overloads && family.training)
    }

    /// [`Selector::is_operator_selected_for_training`] for an operator.
    pub fn is_native_function_selected_for_training(&self, f: &NativeFunction) -> bool {
        self.include_all_operators || self.is_operator_selected_for_training(&full_name(f))
    }

    /// The code of a kernel for a type is selected.
    pub fn is_kernel_dtype_selected(&self, kernel_tag: &str, dtype: &str) -> bool {
        self.include_all_operators
            || self.include_all_non_op_selectives
            || self.kernel_metadata.get(kernel_tag).is_some_and(|dtypes| dtypes.iter().any(|known| known == dtype))
    }

    /// The custom classes that are named, in order.
    pub fn custom_classes(&self) -> &[String] {
        &self.custom_classes
    }

    /// The build features that are named, in order.
    pub fn build_features(&self) -> &[String] {
        &self.build_features
    }

    /// The selected names that match none of the operators `known` (full names), with their places, in order.
    pub fn unmatched<'a>(&self, known: impl IntoIterator<Item = &'a str>) -> Vec<(&str, Option<Span>)> {
        let mut matched = vec![false; self.operators.len()];
        for name in known {
            if let Some(at) = self.operators.get_index_of(name) {
                matched[at] = true;
            }
            if let Some((at, _, family)) = self.operators.get_full(base(name))
                && family.all_overloads
            {
                matched[at] = true;
            }
        }
        let names = self.operators.iter().zip(matched).filter(|(_, matched)| !matched);
        names.map(|((name, operator), _)| (name.as_str(), operator.span)).collect()
    }

    /// What is said about the name without its overload.
    fn family(&self, name: &str) -> Option<&Selected> {
        self.operators.get(base(name))
    }
}

/// An operator's name as selections spell it.
pub fn full_name(f: &NativeFunction) -> String {
    format!("{}::{}", f.namespace, f.func.name)
}

fn base(name: &str) -> &str {
    name.split_once('.').map_or(name, |(base, _)| base)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{Diagnostics, Sources};
    use crate::families::torch::records::read_selective;
    use crate::yaml::{Options, parse};

    /// Selected, root, for training: `s`, `r`, `t`, or a dash for each that is not.
    fn check(selector: &Selector, name: &str, expected: &str) {
        let flags = [
            (selector.is_operator_selected(name), 's'),
            (selector.is_root_operator(name), 'r'),
            (selector.is_operator_selected_for_training(name), 't'),
        ];
        let found: String = flags.iter().map(|&(set, letter)| if set { letter } else { '-' }).collect();
        assert_eq!(found, expected, "{name}");
    }

    #[test]
    fn everything() {
        check(&Selector::nop(), "any::thing.at_all", "srt");
        assert!(Selector::nop().is_kernel_dtype_selected("k", "int"));
    }

    #[test]
    fn whitelists() {
        let selector = Selector::from_whitelist([("aten::add", None), ("aten::mul.out", None)]);
        for (name, expected) in [
            ("aten::add", "sr-"),
            ("aten::add.Tensor", "sr-"),
            ("aten::mul.out", "sr-"),
            ("aten::mul.Tensor", "---"),
            ("aten::mul", "---"),
            ("aten::add_", "---"),
        ] {
            check(&selector, name, expected);
        }
        assert_eq!(selector.unmatched(["aten::add.Tensor", "aten::mul"]), [("aten::mul.out", None)]);
        assert!(selector.is_kernel_dtype_selected("k", "int"));
    }

    #[test]
    fn files() {
        let text = "\
operators:
  aten::a: {is_root_operator: No, is_used_for_training: yes}
  aten::b.x: {is_used_for_training: false}
  aten::b: {include_all_overloads: false}
  aten::c: {is_used_for_training: false}
  aten::c.x: {is_root_operator: false, include_all_overloads: false}
  aten::a: {is_root_operator: false}
kernel_metadata:
  add: [int, float]
custom_classes: [C]
";
        let mut sources = Sources::new();
        let mut diagnostics = Diagnostics::new();
        let file = sources.add("selected.yaml", text.to_owned());
        let root = parse(&sources, file, Options::SAFE_LOAD, &mut diagnostics).expect("valid");
        let selector = Selector::from_record(read_selective(root, &mut diagnostics).expect("valid"));
        assert!(diagnostics.is_empty());
        for (name, expected) in [
            ("aten::a", "s-t"),
            ("aten::a.y", "s-t"),
            ("aten::b", "srt"),
            ("aten::b.x", "sr-"),
            ("aten::b.y", "---"),
            ("aten::c.x", "s-t"),
            ("aten::c.y", "sr-"),
        ] {
            check(&selector, name, expected);
        }
        let unmatched = selector.unmatched(["aten::a.q", "aten::b.x", "aten::c", "aten::c.x"]);
        let shown: Vec<_> =
            unmatched.iter().map(|(name, span)| (*name, sources.line_col(span.unwrap_or_default()))).collect();
        assert_eq!(shown, [("aten::b", (4, 3))]);
        assert!(selector.is_kernel_dtype_selected("add", "int"));
        assert!(!selector.is_kernel_dtype_selected("add", "bool"));
        assert!(!selector.is_kernel_dtype_selected("mul", "int"));
        assert_eq!(selector.custom_classes(), ["C"]);
    }
}
