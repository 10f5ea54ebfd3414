//! The operators, kernels and training code that a build selects.
//!
//! Invariant: operators are named with their namespace (`aten::add.Tensor`). `records::selective`
//! reads selective-build YAML. Rule: torchgen/selective_build/selector.py and operator.py.

use indexmap::IndexMap;

use super::NativeFunction;
use torchgen_base::diag::Span;

/// A selection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selector {
    pub(crate) include_all_operators: bool,
    pub(crate) include_all_non_op_selectives: bool,
    /// The operators named, with their settings.
    pub operators: IndexMap<String, Selected>,
    /// For each kernel the dtypes that it is built for.
    pub kernel_metadata: IndexMap<String, Vec<String>>,
    pub(crate) custom_classes: Vec<String>,
    pub(crate) build_features: Vec<String>,
}

/// A selection's settings for an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selected {
    pub(crate) root: bool,
    pub(crate) training: bool,
    pub(crate) all_overloads: bool,
    /// Where the selection names it, if it is from a file.
    pub span: Option<Span>,
}

impl Selector {
    /// The number of operators named.
    pub fn operator_count(&self) -> usize {
        self.operators.len()
    }

    /// Everything is selected: the build is not selective.
    pub fn nop() -> Selector {
        Selector { include_all_operators: true, ..Selector::default() }
    }

    /// The operators of a whitelist, each as a root operator, without training. A name without an
    /// overload means all overloads.
    ///
    /// Rule: torchgen/gen.py, `get_custom_build_selector`.
    pub fn from_whitelist<S: Into<String>>(names: impl IntoIterator<Item = (S, Option<Span>)>) -> Selector {
        Selector::from_names(names, Selected { root: true, training: false, all_overloads: true, span: None })
    }

    /// The operators that are used in training, each as a root operator. A name without an overload
    /// means all overloads.
    pub fn for_training<S: Into<String>>(names: impl IntoIterator<Item = (S, Option<Span>)>) -> Selector {
        Selector::from_names(names, Selected { root: true, training: true, all_overloads: true, span: None })
    }

    /// Operators by name, each with the same settings. Rule:
    /// `SelectiveBuilder.from_legacy_op_registration_allow_list`.
    fn from_names<S: Into<String>>(names: impl IntoIterator<Item = (S, Option<Span>)>, settings: Selected) -> Selector {
        let selected = |(name, span): (S, _)| (name.into(), Selected { span, ..settings });
        Selector {
            operators: names.into_iter().map(selected).collect(),
            include_all_non_op_selectives: true,
            ..Selector::default()
        }
    }

    /// The build is not selective.
    pub fn include_all_operators(&self) -> bool {
        self.include_all_operators
    }

    /// The operator is selected, by its full name or by the name of all its overloads.
    pub(crate) fn is_operator_selected(&self, name: &str) -> bool {
        self.include_all_operators
            || self.operators.contains_key(name)
            || self.family(name).is_some_and(|family| family.all_overloads)
    }

    /// `Selector::is_operator_selected` for an operator.
    pub fn is_native_function_selected(&self, f: &NativeFunction) -> bool {
        self.include_all_operators || self.is_operator_selected(&f.full_name())
    }

    /// Models call the operator directly, so it needs a boxed kernel.
    pub fn is_root_operator(&self, name: &str) -> bool {
        self.include_all_operators
            || match self.operators.get(name) {
                Some(operator) => operator.root,
                None => self.family(name).is_some_and(|family| family.all_overloads && family.root),
            }
    }

    /// The operator is selected and used in training.
    pub(crate) fn is_operator_selected_for_training(&self, name: &str) -> bool {
        self.include_all_operators
            || self.operators.get(name).is_some_and(|operator| operator.training)
            || self.family(name).is_some_and(|family| family.all_overloads && family.training)
    }

    /// `Selector::is_operator_selected_for_training` for an operator.
    pub fn is_native_function_selected_for_training(&self, f: &NativeFunction) -> bool {
        self.include_all_operators || self.is_operator_selected_for_training(&f.full_name())
    }

    /// The selected names that match none of the operators `known` (full names), with their places,
    /// in order.
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

    /// The settings for the name without its overload.
    fn family(&self, name: &str) -> Option<&Selected> {
        self.operators.get(base(name))
    }
}

fn base(name: &str) -> &str {
    name.split_once('.').map_or(name, |(base, _)| base)
}
