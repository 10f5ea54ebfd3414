//! Operator names: base name, inplace and dunder forms, overloads.
//!
//! Invariant: `Display` prints the text that the name was parsed from. The namespace of an operator
//! is not part of its name here.

use std::fmt;

use super::types::write_all;

/// An operator name without its overload: `add`, `add_`, `__iand__`,
/// `native_batch_norm_functional`.
///
/// Rule: torchgen/model.py, `BaseOperatorName`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BaseOperatorName {
    /// The root of the name: no inplace underscore, no dunder underscores, no `_functional` suffix.
    pub base: String,
    /// The name shows that `self` is mutable: `add_`, `__iadd__`.
    pub inplace: bool,
    /// The name is a Python special method: `__and__`.
    pub dunder_method: bool,
    /// The name ends in `_functional`: the functional counterpart of a mutable operator.
    pub functional_overload: bool,
}

/// A base name and the overload: `add.Tensor`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OperatorName {
    /// The part before the dot.
    pub name: BaseOperatorName,
    /// The part after the dot; empty if there is none.
    pub overload_name: String,
}

impl BaseOperatorName {
    /// The texts that make the name: what is before the base, the base, and what is after it.
    pub fn parts(&self) -> [&str; 3] {
        let (before, after) = match (self.dunder_method, self.inplace, self.functional_overload) {
            (true, true, _) => ("__i", "__"),
            (true, false, _) => ("__", "__"),
            (false, true, _) => ("", "_"),
            (false, false, true) => ("", "_functional"),
            (false, false, false) => ("", ""),
        };
        [before, &self.base, after]
    }

    /// A plain name: neither inplace nor dunder.
    pub(crate) fn plain(base: impl Into<String>) -> BaseOperatorName {
        BaseOperatorName { base: base.into(), inplace: false, dunder_method: false, functional_overload: false }
    }

    /// The name of the variant that mutates nothing and has no special suffix; a dunder name stays
    /// one.
    pub(crate) fn functional(&self) -> BaseOperatorName {
        BaseOperatorName { dunder_method: self.dunder_method, ..BaseOperatorName::plain(self.base.clone()) }
    }
}

impl OperatorName {
    /// The name as part of a C++ identifier: the overload follows after an underscore.
    ///
    /// Rule: torchgen/model.py, `OperatorName.unambiguous_name`.
    pub fn unambiguous_name(&self) -> String {
        let [before, base, after] = self.name.parts();
        let separator = if self.overload_name.is_empty() { "" } else { "_" };
        [before, base, after, separator, &self.overload_name].concat()
    }

    /// The name of the functional variant with another overload.
    pub fn with_overload(&self, overload: impl Into<String>) -> OperatorName {
        OperatorName { name: self.name.functional(), overload_name: overload.into() }
    }
}

impl fmt::Display for BaseOperatorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_all(f, self.parts())
    }
}

impl fmt::Display for OperatorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)?;
        match self.overload_name.as_str() {
            "" => Ok(()),
            overload => write_all(f, [".", overload]),
        }
    }
}
