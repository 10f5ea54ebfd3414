//! The values of `extra:`, `map:` and `default:`: from YAML to C++ expressions.
//!
//! A value is a constant, or an expression of the operator's arguments. Invariant: a value fits the
//! parameter that it is for.

use super::codes;
use super::expression::{Language, dtype, dtype_named, dtypes};
use super::model::functions::ParameterType;
use super::model::operators::Operator;
use torchgen_base::diag::{Diagnostic, Help, did_you_mean};
use torchgen_base::lang::{is_identifier, whole_words};
use torchgen_base::yaml::{Node, NodeKind, Resolved, Text, resolve};
use torchgen_kit::expr::{Type, string_literal};

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
    /// The language of expressions.
    pub(super) language: &'s Language,
    /// The operator whose arguments they have.
    pub(super) operator: &'s Operator,
}

impl Surroundings<'_> {
    /// The C++ of a text that is an expression and not a word of its own; `None` otherwise.
    fn expression(&self, text: &Text, wanted: &Type) -> Option<Result<String, Diagnostic>> {
        let names_argument = || self.operator.inputs().any(|input| input.name.as_str() == text.as_str());
        let is_word = is_identifier(text) && !names_argument();
        (!is_word).then(|| self.language.expression(text, self.operator, wanted))
    }
}

/// Whether a value is an expression with that word.
pub(super) fn mentions(node: &Node, word: &str) -> bool {
    match &node.kind {
        NodeKind::Scalar(text) => whole_words(text, word).next().is_some(),
        NodeKind::Sequence(items) => items.iter().any(|item| mentions(item, word)),
        NodeKind::Mapping(_) => false,
    }
}

/// The C++ expression of a value for a parameter.
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
            let text = item.as_text().and_then(|text| around.expression(text, &Type::Int));
            match (integer(item), text) {
                (Some(number), _) => numbers.push(number.to_string()),
                (None, Some(text)) => numbers.push(text?),
                (None, None) => return wrong(None),
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
        (
            ParameterType::Float | ParameterType::Const | ParameterType::ConstInt,
            Resolved::Int(_) | Resolved::Float(_),
        ) => match word.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(format!("{number:?}")),
            _ => wrong(None),
        },
        (ParameterType::Float | ParameterType::Const | ParameterType::ConstInt, _) => match word {
            "lowest" | "highest" => Ok(format!("{}{word}({})", around.shape, around.dtype)),
            "max" => Ok(format!("{}highest({})", around.shape, around.dtype)),
            "inf" => Ok("std::numeric_limits<double>::infinity()".to_owned()),
            "-inf" => Ok("-std::numeric_limits<double>::infinity()".to_owned()),
            "nan" => Ok("std::numeric_limits<double>::quiet_NaN()".to_owned()),
            _ => {
                // YAML 1.1 reads a number without a dot, such as `1e-5`, as a string.
                let number = word.parse::<f64>().ok().filter(|_| word.contains('e'));
                if let Some(number) = number.filter(|number| number.is_finite()) {
                    return Ok(format!("{number:?}"));
                }
                if let Some(text) = around.expression(text, &Type::Float).filter(|_| number.is_none()) {
                    return text.map(|text| format!("double({text})"));
                }
                let near = did_you_mean(word, ["lowest", "highest", "inf", "-inf", "nan"]);
                let help = "numbers, `lowest`, `highest`, `inf`, `-inf`, `nan` and expressions are possible";
                wrong(near.or_else(|| Some(help.into())))
            }
        },
        (ParameterType::Str, Resolved::Str) => Ok(format!("std::string({})", string_literal(word))),
        (ParameterType::Dtype, _) => match dtype_named(word) {
            Some(cpp) => Ok(cpp),
            None if !is_identifier(word) => around.language.expression(text, around.operator, &dtype()),
            None => wrong(did_you_mean(word, dtypes().map(|(name, _)| name))),
        },
        (ParameterType::Int, Resolved::Str) => match around.expression(text, &Type::Int) {
            Some(text) => text.map(|text| format!("std::int64_t({text})")),
            None => wrong(None),
        },
        (ParameterType::Shape, Resolved::Str) => {
            around.expression(text, &Type::Int.list()).unwrap_or_else(|| wrong(None))
        }
        (ParameterType::Bool, Resolved::Str) => around.expression(text, &Type::Bool).unwrap_or_else(|| wrong(None)),
        _ => wrong(None),
    }
}

fn integer(node: &Node) -> Option<i64> {
    match resolve(node) {
        Resolved::Int(_) => node.as_text().and_then(|text| text.as_str().parse().ok()),
        _ => None,
    }
}
