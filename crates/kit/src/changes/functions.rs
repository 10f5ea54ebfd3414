//! The functions in C++ that are made from a thing, as far as callers see them.
//!
//! Invariant: what is required comes first; a parameter before a required one has no default.

/// A function in C++ that callers can spell.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its name, with the namespace.
    pub name: String,
    /// What it takes.
    pub parameters: Vec<Parameter>,
    /// Whether a value of the second type can be passed for one of the first.
    pub takes: fn(&str, &str) -> bool,
}

/// What a function takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The names of the parts that it is: one, or those of options.
    pub parts: Vec<String>,
    /// Its type in C++.
    pub ty: String,
    /// Whether it can be left out.
    pub has_default: bool,
}

impl Function {
    /// The fewest values of a call.
    pub(super) fn required(&self) -> usize {
        self.parameters.iter().rposition(|parameter| !parameter.has_default).map_or(0, |at| at + 1)
    }

    /// Whether a call can pass that many values.
    pub(super) fn takes_count(&self, count: usize) -> bool {
        (self.required()..=self.parameters.len()).contains(&count)
    }

    /// Whether values of exactly these types can be passed.
    pub(super) fn has_types(&self, values: &[Parameter]) -> bool {
        self.takes_count(values.len()) && self.parameters.iter().zip(values).all(|(own, value)| own.ty == value.ty)
    }
}
