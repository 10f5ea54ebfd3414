//! The implicit conversions of C++ from values of formulas to parameters of functions.
//!
//! Invariant: a conversion that is refused does not exist in C++, or not in the language that the
//! formula is translated to.

use super::{Ty, ValueKind};
use torchgen_model::model::{BaseTy, Type};

/// Whose rules decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// Those of the compiler that reads the formula.
    Cpp,
    /// Those of a translation to Python, which has one type of integers, and no optionals.
    Python,
}

/// A value has the type of the parameter.
pub(super) const EXACT: u8 = 0;
/// A conversion between types of the language.
const STANDARD: u8 = 1;
/// A conversion that a class declares.
pub(super) const DECLARED: u8 = 2;

/// How far a value is from a parameter's type: 0 if it is of that type, `None` if there is no
/// conversion. `symbolic` parameters take symbolic integers where the schema has `SymInt`.
pub(super) fn distance(value: Ty, parameter: &Type, symbolic: bool, rules: Rules) -> Option<u8> {
    use ValueKind::*;
    let nullable = matches!(parameter, Type::Optional(_));
    let wanted = wanted(parameter, symbolic);
    if value.is_optional() && rules == Rules::Cpp {
        // A `std::optional` fits into one of the same type only.
        return (nullable && value.kind == wanted || wanted == Unknown || value.kind == Unknown).then_some(EXACT);
    }
    let kind = if rules == Rules::Python { plain(value.kind) } else { value.kind };
    let wanted = if rules == Rules::Python { plain(wanted) } else { wanted };
    if is_dim_vector(parameter) {
        return matches!(kind, Unknown | Never | Ints | Int | Empty | Braces | Elements).then_some(EXACT);
    }
    let found = between(kind, wanted, parameter, rules)?;
    // An optional is made by a constructor.
    let made = nullable && rules == Rules::Cpp && !matches!(kind, Unknown | Never) && wanted != Unknown;
    Some(if made { found.max(DECLARED) } else { found })
}

/// The same for kinds.
fn between(kind: ValueKind, wanted: ValueKind, parameter: &Type, rules: Rules) -> Option<u8> {
    use ValueKind::*;
    let nullable = matches!(parameter, Type::Optional(_));
    match (kind, wanted) {
        (Unknown | Never, _) | (_, Unknown) => Some(EXACT),
        (Other | Mixed, _) => None,
        (Nested, Ints | SymInts | Floats) => nullable.then_some(EXACT),
        (OptionalTensor, Tensor) => nullable.then_some(EXACT),
        (Tensors | Empty, Optionals) => Some(STANDARD),
        // A number is made of it, and a list by a constructor.
        (Braces, Int | SymInt | Float | Bool | Scalar) => Some(EXACT),
        (Braces, Ints | SymInts | Floats | Bools) => Some(DECLARED),
        (Elements, Ints | SymInts | Floats) | (Braced, Tensor | Tensors | Optionals) => Some(EXACT),
        (Fraction, Float | Floats | SymFloat | Scalar) => Some(EXACT),
        (Complex, Scalar) => Some(STANDARD),
        (Bool, Bools) if matches!(parameter, Type::List(_, Some(_))) => None,
        (one, other) if one == other => Some(EXACT),
        (Undefined, Tensor) => Some(EXACT),
        (Undefined, Tensors) => Some(STANDARD),
        (Nothing, _) => (nullable || wanted == Tensor && rules == Rules::Python).then_some(EXACT),
        // No constructor runs for a number.
        (Empty, Int | Float | Bool) if rules == Rules::Cpp && !nullable => Some(EXACT),
        (Empty, _) if rules == Rules::Cpp => Some(STANDARD),
        (Empty, _) => (nullable || wanted == Tensor || wanted.is_list()).then_some(EXACT),
        (Int, Float | Bool) | (Bool, Int | Float) | (Float, Int | Bool) => Some(STANDARD),
        (Int | Bool | Float, Scalar) | (SymInt | SymFloat, Scalar) => Some(STANDARD),
        (Int | Bool | Float, SymInt | SymFloat) => Some(DECLARED),
        (Int | Bool | Float, Ints) | (Int | Bool | Float, Floats) => Some(DECLARED),
        (SymInt, SymInts) | (Bool, Bools) | (Tensor, Tensors) => Some(STANDARD),
        (Dtype | TypeMeta | Layout | Device | MemoryFormat, Options) => Some(DECLARED),
        (Text, Device) => Some(DECLARED),
        _ => None,
    }
}

/// The kind that a parameter of the C++ function has.
fn wanted(parameter: &Type, symbolic: bool) -> ValueKind {
    match ValueKind::from_schema_type(parameter) {
        ValueKind::SymInt if !symbolic => ValueKind::Int,
        ValueKind::SymInts if !symbolic => ValueKind::Ints,
        other => other,
    }
}

fn is_dim_vector(parameter: &Type) -> bool {
    matches!(parameter.base(), Some(BaseTy::DimVector))
}

/// The kind with plain integers for symbolic ones.
fn plain(kind: ValueKind) -> ValueKind {
    match kind {
        ValueKind::SymInt => ValueKind::Int,
        ValueKind::SymInts => ValueKind::Ints,
        ValueKind::SymFloat => ValueKind::Float,
        ValueKind::TypeMeta => ValueKind::Dtype,
        other => other,
    }
}

/// Whether a value fits into a parameter of a plain C++ type, with a list of tensors as the only
/// list.
pub(super) fn fits(value: Ty, wanted: ValueKind, rules: Rules) -> bool {
    let base = match wanted {
        ValueKind::Tensor => BaseTy::Tensor,
        ValueKind::Tensors => {
            let list = Type::List(Box::new(Type::TENSOR), None);
            return distance(value, &list, true, rules).is_some();
        }
        ValueKind::Int => BaseTy::Int,
        ValueKind::SymInt => BaseTy::SymInt,
        ValueKind::Float => BaseTy::Float,
        ValueKind::Scalar => BaseTy::Scalar,
        ValueKind::Dtype => BaseTy::ScalarType,
        ValueKind::Bool => BaseTy::Bool,
        _ => return true,
    };
    distance(value, &Type::Base(base), true, rules).is_some()
}
