//! The operators of C++ on values of formulas.
//!
//! Invariant: an operator that is refused has no such operands in C++. A translation to Python
//! takes some that C++ does not have, such as a symbolic integer beside a plain one.

use super::convert::Rules;
use super::{Binary, Ty, Unary, ValueKind};

/// What an operator between two values results in; `None` if it does not take them.
pub(super) fn binary(operator: Binary, left: Ty, right: Ty, rules: Rules) -> Option<Ty> {
    use Binary::{Add, And, Assign, Comma, Compare, Divide, Multiply, Or, Remainder, ShiftLeft, ShiftRight, Subtract};
    match operator {
        Comma => return Some(right),
        Assign => {
            let unknown = [left.kind, right.kind].contains(&ValueKind::Unknown);
            let numbers = left.kind.is_number() && right.kind.is_number();
            return (unknown || numbers || left.kind == right.kind || left.kind.is_tensor() && right.kind.is_tensor())
                .then_some(left);
        }
        And | Or => return Some(ValueKind::Bool.into()),
        _ => {}
    }
    let python = rules == Rules::Python;
    if (left.is_optional() || right.is_optional()) && !python {
        let numbers = left.kind.is_number() && right.kind.is_number();
        let open = [left.kind, right.kind].iter().any(|kind| matches!(kind, ValueKind::Nothing | ValueKind::Unknown));
        let comparable = numbers || open || left.kind == right.kind;
        return (operator.compares() && comparable).then_some(ValueKind::Bool.into());
    }
    let kinds = [left.kind, right.kind];
    let has = |kind: ValueKind| kinds.contains(&kind);
    let all = |test: fn(ValueKind) -> bool| kinds.iter().all(|kind| test(*kind));
    if has(ValueKind::Tensor) || has(ValueKind::Undefined) {
        let other = |kind: ValueKind| {
            kind.is_tensor()
                || kind.is_number()
                || matches!(kind, ValueKind::Scalar | ValueKind::Complex | ValueKind::Unknown)
        };
        let shifts = matches!(operator, ShiftLeft | ShiftRight) && !python;
        let compared = python && operator.compares() && has(ValueKind::Nothing);
        return (compared || all(other) && !shifts).then_some(ValueKind::Tensor.into());
    }
    if has(ValueKind::Complex) && !python {
        let plain = |kind: ValueKind| {
            matches!(
                kind,
                ValueKind::Int | ValueKind::Float | ValueKind::Bool | ValueKind::Complex | ValueKind::Unknown
            )
        };
        let computes = matches!(operator, Add | Subtract | Multiply | Divide);
        // Only numbers of the same precision are equal or not, and none is less.
        let exact = |kind: ValueKind| matches!(kind, ValueKind::Float | ValueKind::Complex | ValueKind::Unknown);
        let compares = matches!(operator, Compare(comparison) if !comparison.orders()) && all(exact);
        return (all(plain) && (computes || compares)).then_some(match operator.compares() {
            true => ValueKind::Bool.into(),
            false => ValueKind::Complex.into(),
        });
    }
    let iterators = all(|kind| kind == ValueKind::Other) && (operator == Subtract || operator.compares());
    if has(ValueKind::Unknown) || has(ValueKind::Never) || iterators {
        return Some(Ty::UNKNOWN);
    }
    // Operators of a symbolic number are its methods, which take others at the right.
    if right.kind == ValueKind::SymFloat && left.kind.is_number() && left.kind != ValueKind::SymFloat && !python {
        return None;
    }
    if all(ValueKind::is_number) || python && all(ValueKind::is_number_or_scalar) {
        let float = has(ValueKind::Float) || has(ValueKind::SymFloat);
        let symbolic = has(ValueKind::SymInt) || has(ValueKind::SymFloat);
        return match operator {
            Compare(_) => Some(ValueKind::Bool),
            _ if has(ValueKind::Scalar) => Some(ValueKind::Scalar),
            Add | Subtract | Multiply | Divide => Some(match (float, symbolic) {
                (true, true) => ValueKind::SymFloat,
                (true, false) => ValueKind::Float,
                (false, true) => ValueKind::SymInt,
                (false, false) => ValueKind::Int,
            }),
            Remainder if float => None,
            _ if (float || symbolic) && !python && operator != Remainder => None,
            _ if symbolic => Some(ValueKind::SymInt),
            _ => Some(ValueKind::Int),
        }
        .map(Ty::from);
    }
    // Lists, strings, dtypes and other values can be compared with their like.
    let alike = left.kind == right.kind && left.kind != ValueKind::OptionalTensor
        || all(|kind| matches!(kind, ValueKind::Ints | ValueKind::SymInts))
        || all(|kind| matches!(kind, ValueKind::Dtype | ValueKind::TypeMeta));
    match operator {
        Compare(_) if python || alike && left.kind != ValueKind::Scalar => Some(ValueKind::Bool.into()),
        _ => None,
    }
}

/// What an operator on one value results in; `None` if it does not take it.
pub(super) fn unary(operator: Unary, value: Ty, rules: Rules) -> Option<Ty> {
    let kind = if value.is_optional() { ValueKind::Other } else { value.kind };
    let fits = match operator {
        Unary::Not => return Some(ValueKind::Bool.into()),
        Unary::AddressOf => return Some(ValueKind::Other.into()),
        Unary::Minus | Unary::Plus | Unary::Step => {
            // A symbolic integer has only `-`.
            let symbolic = kind == ValueKind::SymFloat || kind == ValueKind::SymInt && operator != Unary::Minus;
            let scalar = matches!(kind, ValueKind::Scalar | ValueKind::Complex) && operator == Unary::Minus;
            let tensor = kind.is_tensor() && operator == Unary::Minus;
            scalar || tensor || kind.is_number() && !symbolic
        }
        Unary::Invert => kind.is_tensor() || matches!(kind, ValueKind::Int | ValueKind::Bool),
    };
    match fits || rules == Rules::Python || matches!(kind, ValueKind::Unknown | ValueKind::Never) {
        true if kind == ValueKind::Bool => Some(ValueKind::Int.into()),
        true => Some(value),
        false => None,
    }
}

/// Whether a value decides: C++ converts it to `bool`.
pub(super) fn is_condition(value: Ty, rules: Rules) -> bool {
    if rules == Rules::Python {
        return !value.kind.is_tensor() && value.kind != ValueKind::Tensors;
    }
    if value.is_optional() {
        // A list that may be missing has a class of its own.
        return !value.kind.is_list();
    }
    // A literal is a pointer. Symbolic numbers are compared.
    value.kind.is_plain_number()
        || matches!(value.kind, ValueKind::Text | ValueKind::Other | ValueKind::Unknown | ValueKind::Never)
}

/// Whether numbers of one kind convert to those of the other.
fn converts(from: ValueKind, to: ValueKind) -> bool {
    let plain = ValueKind::is_plain_number;
    match to {
        _ if from == to => true,
        ValueKind::Scalar => true,
        ValueKind::SymInt => plain(from),
        ValueKind::SymFloat => plain(from) || from == ValueKind::SymInt,
        _ => plain(from) && plain(to),
    }
}

/// The type of a choice between numbers of which at least one may be missing, and which are of
/// different kinds: the optional that the other converts to. Two that convert to each other are
/// ambiguous.
fn optional_number(yes: Ty, no: Ty) -> Option<Ty> {
    let to_no = no.is_optional() && converts(yes.kind, no.kind);
    let to_yes = yes.is_optional() && converts(no.kind, yes.kind);
    match (to_no, to_yes) {
        (true, false) => Some(no),
        (false, true) => Some(yes),
        _ => None,
    }
}

/// Whether a value of one kind may convert to an optional of the other.
fn related(one: ValueKind, other: ValueKind) -> bool {
    let open =
        |kind: ValueKind| matches!(kind, ValueKind::Unknown | ValueKind::Never | ValueKind::Other | ValueKind::Complex);
    let alike = |test: fn(ValueKind) -> bool| test(one) && test(other);
    open(one)
        || open(other)
        || one.is_number_or_scalar() && other.is_number_or_scalar()
        || alike(ValueKind::is_list)
        || alike(ValueKind::is_tensor)
}

/// The type of `condition ? yes : no`; `None` if the two have none in common.
pub(super) fn either(yes: Ty, no: Ty, rules: Rules) -> Option<Ty> {
    if yes == no {
        return Some(yes);
    }
    let missing = yes.kind == ValueKind::Nothing || no.kind == ValueKind::Nothing;
    if yes.is_optional() || no.is_optional() || missing && (yes.optional || no.optional) {
        let alike = yes.kind == no.kind || yes.kind == ValueKind::Nothing || no.kind == ValueKind::Nothing;
        let python = rules == Rules::Python;
        return match alike {
            true => Some(Ty { kind: yes.kind, optional: true }),
            false if yes.kind.is_number_or_scalar() && no.kind.is_number_or_scalar() => {
                optional_number(yes, no).or_else(|| python.then_some(Ty::UNKNOWN))
            }
            false => (python || related(yes.kind, no.kind)).then_some(Ty::UNKNOWN),
        };
    }
    let python = rules == Rules::Python;
    let kinds = [yes.kind, no.kind];
    let all = |test: fn(ValueKind) -> bool| kinds.iter().all(|kind| test(*kind));
    let kind = match kinds {
        [ValueKind::Never, other] | [other, ValueKind::Never] => other,
        [ValueKind::Unknown, _] | [_, ValueKind::Unknown] => ValueKind::Unknown,
        _ if all(ValueKind::is_tensor) => ValueKind::Tensor,
        [ValueKind::Tensor, ValueKind::Nothing] | [ValueKind::Nothing, ValueKind::Tensor] if python => {
            ValueKind::Tensor
        }
        _ if all(ValueKind::is_number) => match () {
            () if kinds.contains(&ValueKind::SymFloat) => ValueKind::SymFloat,
            // A number converts to a symbolic integer, and not the other way.
            () if kinds.contains(&ValueKind::SymInt) => ValueKind::SymInt,
            () if kinds.contains(&ValueKind::Float) => ValueKind::Float,
            () => ValueKind::Int,
        },
        [ValueKind::Scalar, other] | [other, ValueKind::Scalar] if other.is_number() => ValueKind::Scalar,
        _ if python => ValueKind::Unknown,
        // One list may be made of the other.
        _ if all(ValueKind::is_list) => ValueKind::Unknown,
        _ => return None,
    };
    Some(kind.into())
}
