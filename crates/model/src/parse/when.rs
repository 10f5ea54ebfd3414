//! Parses the conditions of `when:`, in the syntax of `kit::expr`.
//!
//! Invariant: a condition is about names that are known, or about macros, which are written in
//! capitals or as `defined(name)`; so a misspelt name is an error. Conditions that are always true
//! or false are errors.

use crate::codes;
use crate::model::condition::{Condition, Test};
use torchgen_base::diag::{Help, TextError, did_you_mean, did_you_mean_as};
use torchgen_kit::expr::{Binary, Call, Comparison, Expr, ExprKind, Piece, Unary, parse};

/// The names that are not macros.
const NAMES: [&str; 5] = ["torch", "cuda", "rocm", "cuda_arch", "defined"];

/// What a condition may be, for helps.
const FORMS: &str = "conditions are `torch >= 2.14`, `cuda`, `rocm`, `cuda_arch >= 9.0`, `MACRO`, `MACRO >= 3` and `defined(MACRO)`, with `and`, `or` and `not`";

/// Parses a condition.
///
/// # Errors
/// It is not a condition; the range is that of the wrong part.
pub fn when(text: &str) -> Result<Condition, TextError> {
    let tree = parse(text).map_err(|error| TextError { code: &codes::BAD_CONDITION, ..error })?;
    Ok(Condition::new(text, test(&tree)?))
}

fn error(of: &Expr, message: impl Into<String>) -> TextError {
    TextError::new(&codes::BAD_CONDITION, of.range.clone(), message)
}

fn test(e: &Expr) -> Result<Test, TextError> {
    match &e.kind {
        ExprKind::Unary(Unary::Not, inner) => Ok(Test::Not(Box::new(test(inner)?))),
        ExprKind::Binary(Binary::Or, a, b) => {
            let parts = |test| if let Test::Any(tests) = test { tests } else { vec![test] };
            Ok(Test::Any([parts(test(a)?), parts(test(b)?)].concat()))
        }
        ExprKind::Binary(Binary::And, a, b) => {
            let parts = |test| if let Test::All(tests) = test { tests } else { vec![test] };
            Ok(Test::All([parts(test(a)?), parts(test(b)?)].concat()))
        }
        ExprKind::Binary(Binary::Compare(comparison), name, value) => compare(e, name, *comparison, value),
        ExprKind::Binary(operator, ..) => {
            Err(error(e, format!("`{}` is not an operator of conditions", operator.symbol())).help(FORMS))
        }
        ExprKind::Name(name) => test_named(e, name),
        ExprKind::Call(call) => defined(e, call),
        ExprKind::Bool(_) => Err(error(e, "a condition that never changes has no effect").help("delete `when:`")),
        _ => Err(error(e, "this is not a condition").help(FORMS)),
    }
}

/// A name alone.
fn test_named(e: &Expr, name: &str) -> Result<Test, TextError> {
    match name {
        "cuda" => Ok(Test::BuiltFor("CUDA")),
        "rocm" => Ok(Test::BuiltFor("ROCM")),
        "torch" => Err(error(e, "`torch` is a version").help("compare it: `torch >= 2.14`")),
        "cuda_arch" => {
            Err(error(e, "`cuda_arch` is an architecture")
                .help("compare it: `cuda_arch >= 9.0`, `cuda_arch == \"9.0a\"`"))
        }
        _ => Ok(Test::Macro(macro_of(e, name)?)),
    }
}

/// Macros that headers define, which registrations do not include; so they would never hold.
const FROM_HEADERS: [(&str, &str); 6] = [
    ("TORCH_VERSION_MAJOR", "write `torch >= 2.14`"),
    ("TORCH_VERSION_MINOR", "write `torch >= 2.14`"),
    ("TORCH_FEATURE_VERSION", "write `torch >= 2.14`"),
    ("__CUDA_ARCH__", "write `cuda_arch >= 9.0`"),
    ("CUDA_VERSION", "define a macro of your own in CMake, which compares `CUDAToolkit_VERSION`"),
    ("CUDART_VERSION", "define a macro of your own in CMake, which compares `CUDAToolkit_VERSION`"),
];

/// A macro by its spelling.
fn macro_of(e: &Expr, name: &str) -> Result<String, TextError> {
    if let Some((_, help)) = FROM_HEADERS.iter().find(|(known, _)| *known == name) {
        return Err(error(e, format!("`{name}` is not defined where operators are registered")).help(*help));
    }
    if !name.contains(|c: char| c.is_lowercase()) {
        return Ok(name.to_owned());
    }
    let help = did_you_mean(name, NAMES.iter().copied()).unwrap_or_else(|| {
        Help::new(format!("if it is a macro, write `defined({name})`")).word(name, format!("defined({name})"))
    });
    Err(error(e, format!("`{name}` is not a known condition")).help(help))
}

fn defined(e: &Expr, call: &Call) -> Result<Test, TextError> {
    match (call.callee.name.as_str(), call.positional.as_slice(), call.keywords.as_slice()) {
        ("defined", [Expr { kind: ExprKind::Name(name), .. }], [])
            if !FROM_HEADERS.iter().any(|(known, _)| known == name) =>
        {
            Ok(Test::Defined(name.clone()))
        }
        ("defined", [of @ Expr { kind: ExprKind::Name(name), .. }], []) => macro_of(of, name).map(Test::Defined),
        ("defined", ..) => Err(error(e, "`defined` takes the name of a macro").help("write `defined(MACRO)`")),
        (name, ..) => {
            let near = did_you_mean_as(name, ["defined"], |near| format!("{near}(…)"), str::to_owned);
            let wrong = TextError::new(
                &codes::BAD_CONDITION,
                call.callee.range.clone(),
                format!("conditions cannot call `{name}`"),
            );
            Err(wrong.help(near.unwrap_or_else(|| FORMS.into())))
        }
    }
}

/// A number with a point: as written, or in quotes.
fn dotted(value: &Expr) -> Option<&str> {
    match &value.kind {
        ExprKind::Float(text) => Some(text),
        ExprKind::Str(pieces) => match pieces.as_slice() {
            [Piece::Text(text)] => Some(text),
            _ => None,
        },
        _ => None,
    }
}

fn compare(e: &Expr, left: &Expr, comparison: Comparison, value: &Expr) -> Result<Test, TextError> {
    let ExprKind::Name(name) = &left.kind else {
        return Err(error(left, "a comparison starts with `torch`, `cuda_arch` or a macro").help(FORMS));
    };
    match name.as_str() {
        "torch" => {
            let text = dotted(value).filter(|text| text.matches('.').count() == 1);
            let version = text.and_then(|text| text.parse().ok());
            let wrong = || error(value, "this is not a minor version of torch").help("write it like `2.14`");
            Ok(Test::Torch(comparison, version.ok_or_else(wrong)?))
        }
        "cuda_arch" => architecture(comparison, value),
        "cuda" | "rocm" => Err(error(e, format!("`{name}` is not a number")).help(format!("write `{name}` alone"))),
        _ => match (macro_of(left, name)?, &value.kind) {
            (name, ExprKind::Int(number)) => Ok(Test::Value(name, comparison, *number)),
            _ => Err(error(value, "macros are compared with integers").help(format!("write `{name} >= 3`"))),
        },
    }
}

/// `9.0`, or `"9.0a"` for exactly that one.
fn architecture(comparison: Comparison, value: &Expr) -> Result<Test, TextError> {
    let wrong = || error(value, "this is not an architecture").help("write it like `9.0`, or `\"9.0a\"` in quotes");
    let text = dotted(value).ok_or_else(wrong)?;
    let number = text.trim_end_matches(['a', 'f']);
    let suffix = &text[number.len()..];
    let (major, minor) = number.split_once('.').ok_or_else(wrong)?;
    let digits = |text: &str| !text.is_empty() && text.len() < 3 && text.chars().all(|c| c.is_ascii_digit());
    if !digits(major) || minor.len() != 1 || !digits(minor) || suffix.len() > 1 {
        return Err(wrong());
    }
    let compact = format!("{major}{minor}");
    match comparison {
        Comparison::Equal => Ok(Test::ExactArchitecture(format!("{compact}{suffix}"))),
        Comparison::NotEqual => Ok(Test::Not(Box::new(Test::ExactArchitecture(format!("{compact}{suffix}"))))),
        _ if !suffix.is_empty() => {
            Err(error(value, format!("`{text}` has no order among architectures")).help("compare it with `==`"))
        }
        _ => Ok(Test::Architecture(comparison, compact.parse().map_err(|_| wrong())?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::condition::ComparedTorch;

    fn cpp(text: &str) -> String {
        when(text).map_or_else(|error| error.message, |condition| condition.cpp(ComparedTorch::Compiled))
    }

    #[test]
    fn conditions_in_cpp() {
        for (text, expected) in [
            ("torch >= 2.10", "TORCH_VERSION_MAJOR * 1000 + TORCH_VERSION_MINOR >= 2010"),
            ("torch < \"2.14\"", "TORCH_VERSION_MAJOR * 1000 + TORCH_VERSION_MINOR < 2014"),
            ("cuda and not rocm", "defined(TORCHGEN_WITH_CUDA) && !defined(TORCHGEN_WITH_ROCM)"),
            ("cuda_arch >= 9.0", "TORCHGEN_CUDA_ARCH_MAX >= 90"),
            ("cuda_arch < 8.0", "defined(TORCHGEN_CUDA_ARCH_MIN) && TORCHGEN_CUDA_ARCH_MIN < 80"),
            ("cuda_arch == \"10.0a\"", "defined(TORCHGEN_CUDA_ARCH_100a)"),
            ("cuda_arch != 9.0", "!defined(TORCHGEN_CUDA_ARCH_90)"),
            ("WITH_A or WITH_B", "(defined(WITH_A) && WITH_A) || (defined(WITH_B) && WITH_B)"),
            ("A and (B or defined(c))", "defined(A) && A && ((defined(B) && B) || defined(c))"),
            ("not (A and B)", "!(defined(A) && A && defined(B) && B)"),
            ("KERNELS >= 3", "defined(KERNELS) && KERNELS >= 3"),
            ("CUDA_VERSION >= 12080", "`CUDA_VERSION` is not defined where operators are registered"),
            ("torch >= 2", "this is not a minor version of torch"),
            ("torch >= \"2.14.1\"", "this is not a minor version of torch"),
            ("troch >= 2.14", "`troch` is not a known condition"),
            ("KERNELS >= 12.8", "macros are compared with integers"),
            ("cdua", "`cdua` is not a known condition"),
            ("cuda_arch >= \"9.0a\"", "`9.0a` has no order among architectures"),
            ("cuda_arch >= 90", "this is not an architecture"),
            ("torch", "`torch` is a version"),
            ("True", "a condition that never changes has no effect"),
            ("A + B", "`+` is not an operator of conditions"),
            ("2.14 <= torch", "a comparison starts with `torch`, `cuda_arch` or a macro"),
            ("f(A)", "conditions cannot call `f`"),
        ] {
            assert_eq!(cpp(text), expected, "{text}");
        }
        let stable = when("torch >= 2.10").map(|condition| condition.cpp(ComparedTorch::Oldest));
        assert_eq!(stable, Ok("(TORCH_FEATURE_VERSION >> 48) >= 0x020a".to_owned()));
    }
}
