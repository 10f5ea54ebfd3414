//! Operators of C++ on numbers and conditions.
//!
//! Invariant: the value of an operator is that of C++, not Python's. `and` and `or` are between
//! bools, since they return one of their operands; comparisons do not chain; a bool in a sum is a
//! number; a choice has one type; integers are not divided; and a quotient of zero is infinite or
//! not a number.

use std::ops::Range;

use super::emitter::{Emitter, Tree};
use super::numbers::{converted, is_not_zero};
use super::plain::in_single_precision;
use super::value::{Value, strength};
use super::{Problem, has_no_form};
use torchgen_formula::vocabulary::TypeName;
use torchgen_formula::{Binary, Node, Unary, ValueKind, is_single, is_unsigned, is_unsigned_word};

impl Emitter<'_, '_> {
    /// A value that decides. An optional does by whether it has a value, which may be zero, and a
    /// string literal is a pointer.
    fn condition(&mut self, tree: &Tree<'_>) -> Result<Value, Problem> {
        let value = self.value(tree)?;
        Ok(match tree.ty.is_optional() {
            true => Value::with_strength(format!("{} is not None", value.within(strength::BIT_OR)), strength::COMPARE),
            false if matches!(tree.expr.node, Node::Literal(_)) => Value::atom("True"),
            false => value,
        })
    }

    /// The same as a bool.
    fn truth(&mut self, tree: &Tree<'_>) -> Result<Value, Problem> {
        let value = self.condition(tree)?;
        Ok(match tree.ty.kind {
            _ if tree.ty.is_optional() => value,
            ValueKind::Bool | ValueKind::Text => value,
            kind if kind.is_number() || kind == ValueKind::Scalar => is_not_zero(&value),
            _ => Value::atom(format!("_builtins.bool({})", value.text)),
        })
    }

    pub(super) fn unary(&mut self, operator: Unary, operand: &Tree<'_>) -> Result<Value, Problem> {
        let value = match operator {
            Unary::Not => self.condition(operand)?,
            _ if operand.ty.kind == ValueKind::Bool => converted(self.value(operand)?, ValueKind::Bool, ValueKind::Int),
            _ => self.computed(operand)?,
        };
        if matches!(operator, Unary::Minus | Unary::Invert) && is_unsigned_word(operand) {
            return Err(in_a_word(&operand.expr.range));
        }
        Ok(match operator {
            Unary::Plus => value,
            Unary::Minus => Value::with_strength(format!("-{}", value.within(strength::UNARY)), strength::UNARY),
            Unary::Invert if matches!(operand.ty.kind, ValueKind::Float | ValueKind::SymFloat) => {
                return Err(has_no_form(&operand.expr.range, "`~` of a number with a fraction"));
            }
            Unary::Invert => Value::with_strength(format!("~{}", value.within(strength::UNARY)), strength::UNARY),
            Unary::Not => Value::with_strength(format!("not {}", value.within(strength::NOT)), strength::NOT),
            Unary::AddressOf | Unary::Step => return Err(has_no_form(&operand.expr.range, "a pointer or a step")),
        })
    }

    pub(super) fn binary(&mut self, operator: Binary, place: &Range<usize>, tree: &Tree<'_>) -> Result<Value, Problem> {
        use Binary::*;
        let parts = tree.parts.as_slice();
        let values = self.operands(operator, tree)?;
        let kinds = [parts[0].ty.kind, parts[1].ty.kind];
        let all = |test: fn(ValueKind) -> bool| kinds.iter().all(|kind| test(*kind));
        // Sizes are tuples, which are not equal to lists.
        let as_list = |value: &Value| Value::atom(format!("_builtins.list({})", value.text));
        let values = match operator.compares() && all(ValueKind::is_list) {
            true => values.iter().map(as_list).collect(),
            false => values,
        };
        let (left, right) = (&values[0], &values[1]);
        if kinds.iter().any(|kind| matches!(kind, ValueKind::Nothing | ValueKind::Undefined | ValueKind::Empty)) {
            return Err(has_no_form(place, "an operation on nothing"));
        }
        let is_optional = parts.iter().any(|part| part.ty.is_optional());
        if matches!(operator, Compare(comparison) if comparison.orders()) && is_optional {
            return Err(ordered_optionals(place));
        }
        if matches!(operator, Divide | Remainder) && all(|kind| kind.is_integer() || kind == ValueKind::Bool) {
            let message = "C++ rounds the quotient of integers to zero, which Python does not";
            return Err(Problem::new(place.clone(), message)
                .help("divide a `double`: `1.0 / n`, or `static_cast<double>(n) / m`"));
        }
        if all(ValueKind::is_number) && !operator.compares() && !matches!(operator, And | Or) && is_single_pair(parts) {
            return Err(in_single_precision(place));
        }
        if is_unsigned_word(tree) {
            return Err(in_a_word(place));
        }
        // In C++ the number becomes a tensor like the other.
        let function = match operator {
            // A small integer has the same value in each dtype.
            Subtract if !matches!(parts[0].expr.node, Node::Number(_)) || kinds[0] != ValueKind::Int => {
                Some("difference")
            }
            Divide => Some("divided"),
            Remainder => Some("remainder"),
            _ => None,
        };
        if let Some(function) = function.filter(|_| kinds[1].is_tensor() && kinds[0].is_number_or_scalar()) {
            return Ok(Value::atom(format!("_formulas.{function}({}, {})", left.text, right.text)));
        }
        if operator == Divide && all(ValueKind::is_number) && !is_certainly_not_zero(right) {
            return Ok(Value::atom(format!("_formulas.quotient({}, {})", left.text, right.text)));
        }
        let own = match operator {
            Assign | Comma => return Err(has_no_form(place, &format!("`{}`", operator.symbol()))),
            Or => strength::OR,
            And => strength::AND,
            BitOr => strength::BIT_OR,
            BitXor => strength::BIT_XOR,
            BitAnd => strength::BIT_AND,
            ShiftLeft | ShiftRight => strength::SHIFT,
            Add | Subtract => strength::ADD,
            Multiply | Divide | Remainder => strength::MULTIPLY,
            Compare(_) => strength::COMPARE,
        };
        let first = left.within(if operator.compares() { own + 1 } else { own });
        let value = Value::with_strength(format!("{first} {} {}", operator.python(), right.within(own + 1)), own);
        Ok(match operator {
            // Bools become integers before.
            BitOr | BitXor | BitAnd if all(|kind| kind == ValueKind::Bool) => {
                converted(value, ValueKind::Bool, ValueKind::Int)
            }
            _ => value,
        })
    }

    /// The operands of an operator, as C++ converts them.
    fn operands(&mut self, operator: Binary, tree: &Tree<'_>) -> Result<Vec<Value>, Problem> {
        let parts = &tree.parts;
        let is_integer = |part: &Tree<'_>| matches!(part.ty.kind, ValueKind::Int | ValueKind::Bool);
        let without_sign = parts.iter().all(is_integer) && parts.iter().any(is_unsigned);
        let is_symbolic = parts.iter().any(|part| part.ty.kind == ValueKind::SymInt);
        let operand = |part: &Tree<'_>| match operator {
            Binary::And | Binary::Or => self.truth(part),
            // A symbolic integer has a sign.
            _ if is_symbolic => self.with_sign(part),
            Binary::Compare(_) if without_sign => self.without_sign(part),
            Binary::Compare(_) | Binary::ShiftRight => self.value(part),
            // All of it is brought into 64 bits.
            _ if is_unsigned(tree) => self.computed(part),
            _ => self.value(part),
        };
        parts.iter().map(operand).collect()
    }

    pub(super) fn ternary(&mut self, tree: &Tree<'_>) -> Result<Value, Problem> {
        let parts = &tree.parts;
        let condition = self.condition(&parts[0])?;
        let branch = |part: &Tree<'_>| {
            let numbers = part.ty.kind.is_number() && tree.ty.kind.is_number();
            match !part.ty.is_optional() && (!tree.ty.is_optional() || numbers) {
                true if is_unsigned(tree) => Ok(converted(self.computed(part)?, part.ty.kind, ValueKind::Int)),
                true => self.as_kind(part, tree.ty.kind),
                false => self.value(part),
            }
        };
        let values: Vec<Value> = parts[1..].iter().map(branch).collect::<Result<_, _>>()?;
        let text = format!(
            "{} if {} else {}",
            values[0].within(strength::OR),
            condition.within(strength::OR),
            values[1].within(strength::TERNARY)
        );
        Ok(Value::with_strength(text, strength::TERNARY))
    }

    pub(super) fn cast(&mut self, ty: TypeName, operand: &Tree<'_>) -> Result<Value, Problem> {
        let wanted = match ty {
            TypeName::Integer => ValueKind::Int,
            TypeName::Double => ValueKind::Float,
            _ => ValueKind::Bool,
        };
        if operand.ty.is_optional() || !operand.ty.kind.is_number() {
            return Err(has_no_form(&operand.expr.range, "a cast of this"));
        }
        self.as_kind(operand, wanted)
    }
}

/// The problem of what C++ computes in 32 bits without a sign.
fn in_a_word(place: &Range<usize>) -> Problem {
    has_no_form(place, "a computation in 32 bits without a sign").help("write a number without the `u`")
}

/// The problem of an order of values of which one may be missing.
pub(super) fn ordered_optionals(place: &Range<usize>) -> Problem {
    has_no_form(place, "an order of values that may be missing: in C++ nothing is less").help("compare `x.value_or(y)`")
}

/// A literal that is not zero.
fn is_certainly_not_zero(value: &Value) -> bool {
    value.text.parse::<f64>().is_ok_and(|number| number != 0.0)
}

/// Whether C++ computes with two numbers in single precision.
fn is_single_pair(parts: &[Tree<'_>]) -> bool {
    parts.iter().any(is_single) && parts.iter().all(|part| is_single(part) || part.ty.certain().is_integer())
}
