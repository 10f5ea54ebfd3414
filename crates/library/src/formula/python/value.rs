//! Expressions of Python.
//!
//! Invariant: parentheses keep the meaning of an expression within another.

/// How tightly the parts of a Python expression bind.
pub(super) mod strength {
    pub(in super::super) const TERNARY: u8 = 1;
    pub(in super::super) const OR: u8 = 2;
    pub(in super::super) const AND: u8 = 3;
    pub(in super::super) const NOT: u8 = 4;
    pub(in super::super) const COMPARE: u8 = 5;
    pub(in super::super) const BIT_OR: u8 = 6;
    pub(in super::super) const BIT_XOR: u8 = 7;
    pub(in super::super) const BIT_AND: u8 = 8;
    pub(in super::super) const SHIFT: u8 = 9;
    pub(in super::super) const ADD: u8 = 10;
    pub(in super::super) const MULTIPLY: u8 = 11;
    pub(in super::super) const UNARY: u8 = 12;
    pub(in super::super) const ATOM: u8 = 20;
}

/// An expression of Python.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Value {
    /// Its text.
    pub(crate) text: String,
    pub(super) strength: u8,
}

impl Value {
    /// An expression that never needs parentheses.
    pub(crate) fn atom(text: impl Into<String>) -> Value {
        Value { text: text.into(), strength: strength::ATOM }
    }

    /// An expression that binds that tightly.
    pub(super) fn with_strength(text: String, strength: u8) -> Value {
        Value { text, strength }
    }

    /// The text as an operand of something that binds that tightly.
    pub(super) fn within(&self, strength: u8) -> String {
        if self.strength < strength { format!("({})", self.text) } else { self.text.clone() }
    }

    /// The text before a dot or a bracket.
    pub(super) fn object(&self) -> String {
        let is_number = self.text.starts_with(|c: char| c.is_ascii_digit());
        if is_number { format!("({})", self.text) } else { self.within(strength::ATOM) }
    }
}
