//! PyTorch's helpers for formulas: what each takes and returns, and what it is in Python.
//!
//! Invariant: a helper is here only if every torch version has it. One without a form in Python has
//! no translation; a test of the library calls all others.

use super::{Path, ValueKind};

/// A helper of PyTorch for formulas.
pub struct Helper {
    /// Its name.
    pub name: &'static str,
    /// What it takes; [`ValueKind::Text`] is a string literal.
    pub parameters: &'static [ValueKind],
    /// How many of the last parameters have defaults.
    pub defaults: usize,
    /// What it returns.
    pub returns: ValueKind,
    /// What it is in Python; `None` if that has none.
    pub python: Option<Python>,
}

/// What a helper is in Python.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Python {
    /// A function of the same name beside the translated formulas.
    Function,
    /// An attribute of its only argument.
    Attribute(&'static str),
}

impl Helper {
    const fn new(name: &'static str, parameters: &'static [ValueKind], returns: ValueKind) -> Helper {
        Helper { name, parameters, defaults: 0, returns, python: Some(Python::Function) }
    }

    /// Whether it takes that number of arguments.
    pub fn takes(&self, count: usize) -> bool {
        (self.parameters.len() - self.defaults..=self.parameters.len()).contains(&count)
    }

    /// The function of `at` or `c10` on a dtype.
    pub fn of_dtypes(path: &Path) -> Option<&'static Helper> {
        let [namespace, name] = path.parts.as_slice() else { return None };
        let named = |helper: &&Helper| helper.name == name && matches!(namespace.as_str(), "at" | "c10");
        OF_DTYPES.iter().find(named)
    }

    /// The helper of that name.
    pub fn find(name: &str) -> Option<&'static Helper> {
        HELPERS.iter().find(|helper| helper.name == name)
    }
}

/// Functions of dtypes.
const OF_DTYPES: &[Helper] = &[
    Helper {
        python: Some(Python::Attribute("is_floating_point")),
        ..Helper::new("isFloatingType", &[ValueKind::Dtype], ValueKind::Bool)
    },
    Helper {
        python: Some(Python::Attribute("is_complex")),
        ..Helper::new("isComplexType", &[ValueKind::Dtype], ValueKind::Bool)
    },
    Helper::new("isIntegralType", &[ValueKind::Dtype, ValueKind::Bool], ValueKind::Bool),
];

/// PyTorch's own helpers that are typed.
const HELPERS: &[Helper] = &[
    Helper::new("any_variable_defined", &[ValueKind::Tensors], ValueKind::Bool),
    Helper::new(
        "copysign_tensor_self_backward",
        &[ValueKind::Tensor, ValueKind::Tensor, ValueKind::Tensor],
        ValueKind::Tensor,
    ),
    Helper::new("apply_loss_reduction", &[ValueKind::Tensor, ValueKind::Int], ValueKind::Tensor),
    Helper::new("handle_r_to_c", &[ValueKind::Dtype, ValueKind::Tensor], ValueKind::Tensor),
    Helper::new("isDifferentiableType", &[ValueKind::Dtype], ValueKind::Bool),
    Helper::new(
        "masked_fill_inplace_if_safe",
        &[ValueKind::Tensor, ValueKind::Tensor, ValueKind::Scalar],
        ValueKind::Tensor,
    ),
    Helper::new("maybe_multiply", &[ValueKind::Tensor, ValueKind::Scalar], ValueKind::Tensor),
    Helper { defaults: 1, ..Helper::new("not_implemented", &[ValueKind::Text, ValueKind::Text], ValueKind::Tensor) },
    Helper {
        defaults: 1,
        ..Helper::new("not_implemented_list", &[ValueKind::Text, ValueKind::Text], ValueKind::Tensors)
    },
];
