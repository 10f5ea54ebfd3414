//! The values of `extra:` and `default:`: from YAML to C++ expressions.
//!
//! Invariant: a value fits the parameter that it is for.

use super::codes;
use super::expression::DTYPES;
use super::model::functions::ParameterType;
use torchgen_base::diag::{Diagnostic, Help, did_you_mean};
use torchgen_base::yaml::{Node, NodeKind, Resolved, resolve};
use torchgen_kit::expr::string_literal;

/// What values can refer to.
pub(super) struct Surroundings<'s> {
    /// The namespace of `<name>_shape.h`, with its colons.
    pub(super) shape: &'s str,
    /// The namespace of `<name>_expr.h`, with its colons.
    pub(super) helpers: &'s str,
    /// The rank of the first tensor.
    pub(super) rank: &'s str,
    /// The type of the result's elements.
    pub(super) dtype: &'s str,
}

/// The C++ expression of a value for a parameter.
///
/// # Errors
/// The value does not fit.
pub(super) fn cpp(node: &Node, taken: ParameterType, name: &str, around: &Surroundings) -> Result<String, Diagnostic> {
    let wrong = |help: Option<Help>| {
        let message = format!("the value of `{name}` must be {}", taken.noun());
        Err(Diagnostic::new(&codes::BAD_VALUE, message).at(node.span).maybe_help(help))
    };
    if let NodeKind::Sequence(items) = &node.kind {
        if taken != ParameterType::Shape {
            return wrong(None);
        }
        let mut numbers = Vec::new();
        for item in items {
            match integer(item) {
                Some(number) => numbers.push(number.to_string()),
                None => return wrong(None),
            }
        }
        return Ok(format!("{}list_of<std::int64_t>({})", around.helpers, numbers.join(", ")));
    }
    let Some(text) = node.as_text() else { return wrong(None) };
    let word = text.as_str();
    match (taken, resolve(node)) {
        (ParameterType::Bool, Resolved::Bool(value)) => Ok(value.to_string()),
        (ParameterType::Int, Resolved::Int(_)) => match integer(node) {
            Some(number) => Ok(format!("std::int64_t({number})")),
            None => wrong(None),
        },
        (ParameterType::Shape, Resolved::Int(_)) => match integer(node) {
            Some(number) => Ok(format!("{}list_of<std::int64_t>({number})", around.helpers)),
            None => wrong(None),
        },
        (ParameterType::Shape, _) if word == "all" => Ok(format!("{}all_dims({})", around.shape, around.rank)),
        (ParameterType::Float | ParameterType::Const, Resolved::Int(_) | Resolved::Float(_)) => {
            match word.parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(format!("{number:?}")),
                _ => wrong(None),
            }
        }
        (ParameterType::Float | ParameterType::Const, _) => match word {
            "lowest" | "highest" => Ok(format!("{}{word}({})", around.shape, around.dtype)),
            "max" => Ok(format!("{}highest({})", around.shape, around.dtype)),
            "inf" => Ok("std::numeric_limits<double>::infinity()".to_owned()),
            "-inf" => Ok("-std::numeric_limits<double>::infinity()".to_owned()),
            "nan" => Ok("std::numeric_limits<double>::quiet_NaN()".to_owned()),
            _ => {
                // YAML 1.1 reads a number without a dot, such as `1e-5`, as a string.
                let number = word.parse::<f64>().ok().filter(|number| number.is_finite() && word.contains('e'));
                if let Some(number) = number {
                    return Ok(format!("{number:?}"));
                }
                let near = did_you_mean(word, ["lowest", "highest", "inf", "-inf", "nan"]);
                let help = "numbers, `lowest`, `highest`, `inf`, `-inf` and `nan` are possible";
                wrong(near.or_else(|| Some(help.into())))
            }
        },
        (ParameterType::Str, Resolved::Str) => Ok(format!("std::string({})", string_literal(word))),
        (ParameterType::Dtype, _) => match DTYPES.iter().find(|(name, _)| *name == word) {
            Some((_, cpp)) => Ok((*cpp).to_owned()),
            None => wrong(did_you_mean(word, DTYPES.map(|(name, _)| name))),
        },
        _ => wrong(None),
    }
}

fn integer(node: &Node) -> Option<i64> {
    match resolve(node) {
        Resolved::Int(_) => node.as_text().and_then(|text| text.as_str().parse().ok()),
        _ => None,
    }
}
