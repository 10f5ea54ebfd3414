//! The operators of C++ on values of formulas.
//!
//! Invariant: an operator that is refused has no such operands in C++. A translation to Python
//! takes some that C++ does not have, such as a symbolic integer beside a plain one.

use super::convert::Rules;
use super::{Binary, Kind, Ty, Unary};

/// What an operator between two values results in; `None` if it does not take them.
pub(super) fn binary(operator: Binary, left: Ty, right: Ty, rules: Rules) -> Option<Ty> {
    use Binary::{Add, And, Assign, Comma, Compare, Divide, Multiply, Or, Remainder, ShiftLeft, ShiftRight, Subtract};
    match operator {
        Comma => return Some(right),
        Assign => {
            let unknown = [left.kind, right.kind].contains(&Kind::Unknown);
            let numbers = left.kind.is_number() && right.kind.is_number();
            return (unknown || numbers || left.kind == right.kind || left.kind.is_tensor() && right.kind.is_tensor())
                .then_some(left);
        }
        And | Or => return Some(Kind::Bool.into()),
        _ => {}
    }
    let python = rules == Rules::Python;
    if (left.is_optional() || right.is_optional()) && !python {
        let numbers = left.kind.is_number() && right.kind.is_number();
        let open = [left.kind, right.kind].iter().any(|kind| matches!(kind, Kind::Nothing | Kind::Unknown));
        let comparable = numbers || open || left.kind == right.kind;
        return (operator.compares() && comparable).then_some(Kind::Bool.into());
    }
    let kinds = [left.kind, right.kind];
    let has = |kind: Kind| kinds.contains(&kind);
    let all = |test: fn(Kind) -> bool| kinds.iter().all(|kind| test(*kind));
    if has(Kind::Tensor) || has(Kind::Undefined) {
        let other = |kind: Kind| {
            kind.is_tensor() || kind.is_number() || matches!(kind, Kind::Scalar | Kind::Complex | Kind::Unknown)
        };
        let shifts = matches!(operator, ShiftLeft | ShiftRight) && !python;
        let compared = python && operator.compares() && has(Kind::Nothing);
        return (compared || all(other) && !shifts).then_some(Kind::Tensor.into());
    }
    if has(Kind::Complex) && !python {
        let plain = |kind: Kind| matches!(kind, Kind::Int | Kind::Float | Kind::Bool | Kind::Complex | Kind::Unknown);
        let computes = matches!(operator, Add | Subtract | Multiply | Divide);
        // Only numbers of the same precision are equal or not, and none is less.
        let exact = |kind: Kind| matches!(kind, Kind::Float | Kind::Complex | Kind::Unknown);
        let compares = matches!(operator, Compare(comparison) if !comparison.orders()) && all(exact);
        return (all(plain) && (computes || compares)).then_some(match operator.compares() {
            true => Kind::Bool.into(),
            false => Kind::Complex.into(),
        });
    }
    let iterators = all(|kind| kind == Kind::Other) && (operator == Subtract || operator.compares());
    if has(Kind::Unknown) || has(Kind::Never) || iterators {
        return Some(Ty::UNKNOWN);
    }
    // Operators of a symbolic number are its methods, which take others at the right.
    if right.kind == Kind::SymFloat && left.kind.is_number() && left.kind != Kind::SymFloat && !python {
        return None;
    }
    if all(Kind::is_number) || python && all(Kind::is_number_or_scalar) {
        let float = has(Kind::Float) || has(Kind::SymFloat);
        let symbolic = has(Kind::SymInt) || has(Kind::SymFloat);
        return match operator {
            Compare(_) => Some(Kind::Bool),
            _ if has(Kind::Scalar) => Some(Kind::Scalar),
            Add | Subtract | Multiply | Divide => Some(match (float, symbolic) {
                (true, true) => Kind::SymFloat,
                (true, false) => Kind::Float,
                (false, true) => Kind::SymInt,
                (false, false) => Kind::Int,
            }),
            Remainder if float => None,
            _ if (float || symbolic) && !python && operator != Remainder => None,
            _ if symbolic => Some(Kind::SymInt),
            _ => Some(Kind::Int),
        }
        .map(Ty::from);
    }
    // Lists, strings, dtypes and other values can be compared with their like.
    let alike = left.kind == right.kind && left.kind != Kind::OptionalTensor
        || all(|kind| matches!(kind, Kind::Ints | Kind::SymInts))
        || all(|kind| matches!(kind, Kind::Dtype | Kind::TypeMeta));
    match operator {
        Compare(_) if python || alike && left.kind != Kind::Scalar => Some(Kind::Bool.into()),
        _ => None,
    }
}

/// What an operator on one value results in; `None` if it does not take it.
pub(super) fn unary(operator: Unary, value: Ty, rules: Rules) -> Option<Ty> {
    let kind = if value.is_optional() { Kind::Other } else { value.kind };
    let fits = match operator {
        Unary::Not => return Some(Kind::Bool.into()),
        Unary::AddressOf => return Some(Kind::Other.into()),
        Unary::Minus | Unary::Plus | Unary::Step => {
            // A symbolic integer has only `-`.
            let symbolic = kind == Kind::SymFloat || kind == Kind::SymInt && operator != Unary::Minus;
            let scalar = matches!(kind, Kind::Scalar | Kind::Complex) && operator == Unary::Minus;
            let tensor = kind.is_tensor() && operator == Unary::Minus;
            scalar || tensor || kind.is_number() && !symbolic
        }
        Unary::Invert => kind.is_tensor() || matches!(kind, Kind::Int | Kind::Bool),
    };
    match fits || rules == Rules::Python || matches!(kind, Kind::Unknown | Kind::Never) {
        true if kind == Kind::Bool => Some(Kind::Int.into()),
        true => Some(value),
        false => None,
    }
}

/// Whether a value decides: C++ converts it to `bool`.
pub(super) fn is_condition(value: Ty, rules: Rules) -> bool {
    if rules == Rules::Python {
        return !value.kind.is_tensor() && value.kind != Kind::Tensors;
    }
    if value.is_optional() {
        // A list that may be missing has a class of its own.
        return !value.kind.is_list();
    }
    // A literal is a pointer. Symbolic numbers are compared.
    value.kind.is_plain_number() || matches!(value.kind, Kind::Text | Kind::Other | Kind::Unknown | Kind::Never)
}

/// Whether numbers of one kind convert to those of the other.
fn converts(from: Kind, to: Kind) -> bool {
    let plain = Kind::is_plain_number;
    match to {
        _ if from == to => true,
        Kind::Scalar => true,
        Kind::SymInt => plain(from),
        Kind::SymFloat => plain(from) || from == Kind::SymInt,
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
fn related(one: Kind, other: Kind) -> bool {
    let open = |kind: Kind| matches!(kind, Kind::Unknown | Kind::Never | Kind::Other | Kind::Complex);
    let alike = |test: fn(Kind) -> bool| test(one) && test(other);
    open(one)
        || open(other)
        || one.is_number_or_scalar() && other.is_number_or_scalar()
        || alike(Kind::is_list)
        || alike(Kind::is_tensor)
}

/// The type of `condition ? yes : no`; `None` if the two have none in common.
pub(super) fn either(yes: Ty, no: Ty, rules: Rules) -> Option<Ty> {
    if yes == no {
        return Some(yes);
    }
    let missing = yes.kind == Kind::Nothing || no.kind == Kind::Nothing;
    if yes.is_optional() || no.is_optional() || missing && (yes.optional || no.optional) {
        let alike = yes.kind == no.kind || yes.kind == Kind::Nothing || no.kind == Kind::Nothing;
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
    let all = |test: fn(Kind) -> bool| kinds.iter().all(|kind| test(*kind));
    let kind = match kinds {
        [Kind::Never, other] | [other, Kind::Never] => other,
        [Kind::Unknown, _] | [_, Kind::Unknown] => Kind::Unknown,
        _ if all(Kind::is_tensor) => Kind::Tensor,
        [Kind::Tensor, Kind::Nothing] | [Kind::Nothing, Kind::Tensor] if python => Kind::Tensor,
        _ if all(Kind::is_number) => match () {
            () if kinds.contains(&Kind::SymFloat) => Kind::SymFloat,
            // A number converts to a symbolic integer, and not the other way.
            () if kinds.contains(&Kind::SymInt) => Kind::SymInt,
            () if kinds.contains(&Kind::Float) => Kind::Float,
            () => Kind::Int,
        },
        [Kind::Scalar, other] | [other, Kind::Scalar] if other.is_number() => Kind::Scalar,
        _ if python => Kind::Unknown,
        // One list may be made of the other.
        _ if all(Kind::is_list) => Kind::Unknown,
        _ => return None,
    };
    Some(kind.into())
}
