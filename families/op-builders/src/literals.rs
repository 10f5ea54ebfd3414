//! Whether constants fit their types, as far as both are known.
//!
//! Invariant: a number in the text is accepted for a type only if the type has it, or, for
//! floating-point numbers, a neighbour of it. `expr::fitted` checks all other numbers when the
//! builder runs.

use super::codes;
use torchgen_base::diag::TextError;
use torchgen_kit::expr::{Typed, TypedKind, Unary};

/// The numbers of an element type.
#[derive(Debug, Clone, Copy)]
enum Numbers {
    /// Integers from the first to the second.
    Whole(i128, i128),
    /// Numbers up to this one.
    Real(f64),
}

fn numbers(ty: &str) -> Option<Numbers> {
    let whole = |least: i128, most: i128| Some(Numbers::Whole(least, most));
    match ty {
        "bool_type" => whole(0, 1),
        "uint8_type" => whole(0, u8::MAX.into()),
        "uint16_type" => whole(0, u16::MAX.into()),
        "uint32_type" => whole(0, u32::MAX.into()),
        "uint64_type" => whole(0, u64::MAX.into()),
        "int8_type" => whole(i8::MIN.into(), i8::MAX.into()),
        "int16_type" => whole(i16::MIN.into(), i16::MAX.into()),
        "int32_type" => whole(i32::MIN.into(), i32::MAX.into()),
        "int64_type" => whole(i64::MIN.into(), i64::MAX.into()),
        "half_type" => Some(Numbers::Real(65504.0)),
        "float_type" => Some(Numbers::Real(f32::MAX.into())),
        // The exponent of float, and eight bits of its fraction.
        "bf16_type" => Some(Numbers::Real(f32::from_bits(0x7f7f_0000).into())),
        "fp8e4m3fnuz_type" => Some(Numbers::Real(240.0)),
        "fp8e4m3fn_type" => Some(Numbers::Real(448.0)),
        "fp8e5m2_type" | "fp8e5m2fnuz_type" => Some(Numbers::Real(57344.0)),
        // `double_type` has all numbers; an element of `fp4x2_type` is a pair.
        _ => None,
    }
}

/// A number of the text.
#[derive(Debug, Clone, Copy)]
enum Constant {
    Whole(i64),
    Real(f64),
}

impl Constant {
    fn fits(self, numbers: Numbers) -> bool {
        match (self, numbers) {
            (Constant::Whole(value), Numbers::Whole(least, most)) => (least..=most).contains(&value.into()),
            #[expect(clippy::cast_precision_loss, reason = "the limits of types are far from the error")]
            (Constant::Real(value), Numbers::Whole(least, most)) => {
                value.fract() == 0.0 && value >= least as f64 && value < most as f64 + 1.0
            }
            #[expect(clippy::cast_precision_loss, reason = "the limits of types are far from the error")]
            (Constant::Whole(value), Numbers::Real(most)) => (value as f64).abs() <= most,
            (Constant::Real(value), Numbers::Real(most)) => value.is_infinite() || value.abs() <= most,
        }
    }
}

/// The error that a constant, or one of several, does not fit the type under `type=`.
///
/// # Errors
/// The first constant that does not fit.
pub(super) fn check_constant(value: &Typed, ty: &Typed) -> Result<(), TextError> {
    let TypedKind::Constant { cpp, .. } = &ty.kind else { return Ok(()) };
    let name = cpp.rsplit("::").next().unwrap_or(cpp);
    match numbers(name) {
        Some(numbers) => fits(value, name, numbers),
        None => Ok(()),
    }
}

fn fits(value: &Typed, ty: &str, numbers: Numbers) -> Result<(), TextError> {
    let constant = match &value.kind {
        TypedKind::Int(value) => Constant::Whole(*value),
        TypedKind::Float(text) => match text.parse() {
            Ok(value) => Constant::Real(value),
            Err(_) => return Ok(()),
        },
        TypedKind::Unary(Unary::Negate, inner) => match &inner.kind {
            TypedKind::Float(text) => match text.parse::<f64>() {
                Ok(value) => Constant::Real(-value),
                Err(_) => return Ok(()),
            },
            _ => return Ok(()),
        },
        TypedKind::Convert(inner) => return fits(inner, ty, numbers),
        TypedKind::List(items) => return items.iter().try_for_each(|item| fits(item, ty, numbers)),
        TypedKind::Starred(list) => return fits(list, ty, numbers),
        TypedKind::Conditional { then, otherwise, .. } => {
            fits(then, ty, numbers)?;
            return fits(otherwise, ty, numbers);
        }
        _ => return Ok(()),
    };
    if constant.fits(numbers) {
        return Ok(());
    }
    let shown = match constant {
        Constant::Whole(value) => value.to_string(),
        Constant::Real(value) => format!("{value:?}"),
    };
    let (message, help) = match numbers {
        Numbers::Whole(least, most) => (
            format!("`{ty}` does not have the number {shown}"),
            format!("it has the integers from {least} to {most}; write one of them, or another type"),
        ),
        Numbers::Real(most) => (
            format!("{shown} is out of the range of `{ty}`"),
            format!("its greatest number is {most:?}; write a smaller one, or another type"),
        ),
    };
    Err(TextError::new(&codes::LITERAL_VALUE, value.range.clone(), message).help(help))
}

#[cfg(test)]
mod tests {
    use super::{Constant, numbers};

    /// The limits of every type, and the numbers beyond them.
    #[test]
    fn limits() {
        let fits = |ty: &str, value: Constant| numbers(ty).is_none_or(|numbers| value.fits(numbers));
        for (ty, least, most) in [
            ("bool_type", 0, 1),
            ("uint8_type", 0, 255),
            ("int8_type", -128, 127),
            ("uint16_type", 0, 65535),
            ("int32_type", -2_147_483_648, 2_147_483_647),
            ("half_type", -65504, 65504),
            ("fp8e4m3fn_type", -448, 448),
        ] {
            assert!(fits(ty, Constant::Whole(least)) && fits(ty, Constant::Whole(most)), "{ty}");
            assert!(!fits(ty, Constant::Whole(least - 1)) && !fits(ty, Constant::Whole(most + 1)), "{ty}");
        }
        assert!(fits("uint64_type", Constant::Whole(i64::MAX)) && !fits("uint64_type", Constant::Whole(-1)));
        assert!(fits("int64_type", Constant::Real(-9.223_372_036_854_776e18)));
        assert!(!fits("int64_type", Constant::Real(9.223_372_036_854_776e18)));
        assert!(!fits("int32_type", Constant::Real(0.5)) && fits("int32_type", Constant::Real(2.0)));
        assert!(fits("half_type", Constant::Real(f64::INFINITY)) && !fits("int8_type", Constant::Real(f64::INFINITY)));
        assert!(fits("bf16_type", Constant::Real(3.38e38)) && !fits("bf16_type", Constant::Real(3.4e38)));
    }
}
