//! Operator names: base name, inplace and dunder forms, overloads.
//!
//! Invariant: `Display` gives back the text the name was parsed from. The namespace of an operator is not part of its name here.

/// An operator name without its overload: `add`, `add_`, `__iand__`, `native_batch_norm_functional`.
///
/// Rule: torchgen/model.py, `BaseOperatorName`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BaseOperatorName {
    /// The root of the name: no inplace underscore, no dunder underscores, no `_functional` suffix.
    pub base: String,
    /// The name says that `self` is modified: `add_`, `__iadd__`.
    pub inplace: bool,
    /// The name is a Python special method: `__and__`.
    pub dunder_method: bool,
    /// The name ends in `_functional`: the functional twin of a mutable operator.
    pub functional_overload: bool,
}

/// A base name and the overload: `add.Tensor`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OperatorName {
    /// What stands before the dot.
    pub name: BaseOperatorName,
    /// What stands after the dot; empty when there is none.
    pub overload_name: String,
}
