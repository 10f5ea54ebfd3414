//! Numbers of one kind as numbers of another, as C++ converts them.
//!
//! Integers without a sign are computed as Python's, which have one, and are brought into 64 bits
//! where their value counts: sums, products and bits are the same but for multiples of 2**64.
//!
//! Invariant: what is converted has the value that C++ gives it.

use super::Problem;
use super::emitter::{Emitter, Tree};
use super::value::{Value, strength};
use torchgen_formula::{Binary, Node, Unary, ValueKind, is_unsigned};

impl Emitter<'_, '_> {
    /// A number as one of a kind, as C++ converts it. Symbolic numbers stay what they are.
    pub(super) fn as_kind(&mut self, tree: &Tree<'_>, to: ValueKind) -> Result<Value, Problem> {
        let value = match to {
            ValueKind::Int | ValueKind::SymInt => self.with_sign(tree)?,
            _ => self.value(tree)?,
        };
        Ok(converted(value, tree.ty.kind, to))
    }

    /// A number, or an integer without a sign as one with a sign.
    pub(super) fn with_sign(&mut self, tree: &Tree<'_>) -> Result<Value, Problem> {
        Ok(signed(self.computed(tree)?, tree))
    }

    /// An integer where C++ converts it to one without a sign.
    pub(super) fn without_sign(&mut self, tree: &Tree<'_>) -> Result<Value, Problem> {
        let value = self.value(tree)?;
        Ok(if is_unsigned(tree) || is_never_negative(tree) { value } else { unsigned(&value) })
    }
}

/// A number of one kind as one of another, as C++ converts it. Symbolic numbers stay what they are.
pub(super) fn converted(value: Value, from: ValueKind, to: ValueKind) -> Value {
    let is_literal = value.text.bytes().all(|b| b.is_ascii_digit());
    match (from, to) {
        (ValueKind::Bool, ValueKind::Int | ValueKind::SymInt) => Value::atom(format!("_builtins.int({})", value.text)),
        // C++ drops the fraction.
        (ValueKind::Float | ValueKind::SymFloat, ValueKind::Int | ValueKind::SymInt) => {
            Value::atom(format!("_builtins.int({})", value.text))
        }
        (ValueKind::Int | ValueKind::SymInt | ValueKind::Bool, ValueKind::Float | ValueKind::SymFloat) => {
            match is_literal {
                true => Value::atom(format!("{}.0", value.text)),
                false => Value::atom(format!("_torch.sym_float({})", value.text)),
            }
        }
        (ValueKind::Int | ValueKind::SymInt | ValueKind::Float | ValueKind::SymFloat, ValueKind::Bool) => {
            is_not_zero(&value)
        }
        _ => value,
    }
}

/// An integer as C++ has it in 64 bits without a sign.
fn unsigned(value: &Value) -> Value {
    Value::atom(format!("_formulas.unsigned({})", value.text))
}

/// The value of an expression, of what Python computes for it.
pub(super) fn wrapped(computed: Value, tree: &Tree<'_>) -> Value {
    if wraps(tree) { unsigned(&computed) } else { computed }
}

/// The value of an expression as a number with a sign, of what Python computes for it.
pub(super) fn signed(computed: Value, tree: &Tree<'_>) -> Value {
    if fits(tree) { computed } else { Value::atom(format!("_formulas.signed({})", computed.text)) }
}

pub(super) fn is_not_zero(value: &Value) -> Value {
    Value::with_strength(format!("{} != 0", value.within(strength::BIT_OR)), strength::COMPARE)
}

/// Whether Python computes an integer without a sign as one that may be negative, or too large.
fn wraps(tree: &Tree<'_>) -> bool {
    let exceeds = |part: &Tree<'_>| if is_unsigned(part) { wraps(part) } else { !is_never_negative(part) };
    is_unsigned(tree)
        && match &tree.expr.node {
            Node::Unary(Unary::Plus, _) => wraps(&tree.parts[0]),
            Node::Unary(..) | Node::Binary { operator: Binary::Subtract | Binary::ShiftLeft, .. } => true,
            // Its operands are without a sign.
            Node::Binary { operator: Binary::ShiftRight, .. } => false,
            Node::Binary { .. } => tree.parts.iter().any(exceeds),
            Node::Ternary { .. } => tree.parts[1..].iter().any(exceeds),
            _ => false,
        }
}

/// Whether Python computes an integer as the one with a sign that has the same 64 bits.
fn fits(tree: &Tree<'_>) -> bool {
    match &tree.expr.node {
        _ if !is_unsigned(tree) => true,
        Node::Unary(..) => tree.parts.iter().all(fits),
        Node::Binary { operator: Binary::ShiftLeft | Binary::ShiftRight, .. } => false,
        Node::Binary { .. } => tree.parts.iter().all(fits),
        Node::Ternary { .. } => tree.parts[1..].iter().all(fits),
        Node::Method(method) => method.name == "size",
        Node::Number(text) => text.replace('\'', "").trim_end_matches(['u', 'U', 'l', 'L']).parse::<i64>().is_ok(),
        _ => false,
    }
}

/// An integer that is never negative: a literal, a bool, or the size of a list.
fn is_never_negative(part: &Tree<'_>) -> bool {
    let is_size = matches!(&part.expr.node, Node::Method(method) if method.name == "size");
    part.ty.kind == ValueKind::Bool || matches!(part.expr.node, Node::Number(_)) || is_size && is_unsigned(part)
}
