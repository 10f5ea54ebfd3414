//! Translates a formula, which is an expression of C++, to an expression of Python.
//!
//! Functions and methods of `at::` become calls of `torch.ops.aten`: their arguments are matched
//! with the schemas of the operator, so that keywords and overloads are those of the schema.
//!
//! Invariant: the translation has the formula's meaning, or there is a [`Problem`] at the token
//! that has none in Python. Names that are not inputs, outputs or gradients start with an
//! underscore.

mod builtins;
mod calls;
mod emit;
mod emitter;
mod methods;
pub(crate) mod names;
mod numbers;
pub(crate) mod operators;
mod plain;
mod scalars;
mod value;

use std::ops::Range;

use self::emitter::Emitter;
use self::names::{Names, Used};
use self::value::strength;
use super::check::{wrong_condition, wrong_result};
use torchgen_formula::{Problem, parse, typed};
use torchgen_model::model::FunctionSchema;

/// How to do without something of C++.
const OTHER: &str = "call a function that `python:` of the entry lists, or an operator of the library";

/// The problem of something without a form in Python.
fn has_no_form(range: &Range<usize>, what: &str) -> Problem {
    Problem::new(range.clone(), format!("Python has no expression for {what}")).help(OTHER)
}

/// A property of a tensor that formulas can have without the tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Property {
    Shape,
    Strides,
    Numel,
    Dim,
    Dtype,
    Layout,
    Device,
    /// Dtype, layout and device, as keywords of a factory function.
    Options,
}

impl Property {
    /// The suffix of a variable with it.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Property::Shape => "shape",
            Property::Strides => "strides",
            Property::Numel => "numel",
            Property::Dim => "dim",
            Property::Dtype => "dtype",
            Property::Layout => "layout",
            Property::Device => "device",
            Property::Options => "options",
        }
    }

    /// What C++ has for an undefined tensor; `None` if that raises an error, or has no form.
    pub(crate) fn of_undefined(self) -> Option<&'static str> {
        match self {
            Property::Shape => Some("(0,)"),
            Property::Numel => Some("0"),
            Property::Dim => Some("1"),
            // It is no other dtype.
            Property::Dtype => Some("None"),
            Property::Strides | Property::Layout | Property::Device | Property::Options => None,
        }
    }

    /// The expression for it, of an expression that needs no parentheses.
    pub(crate) fn expression_of(self, tensor: &str) -> String {
        match self {
            Property::Shape | Property::Dtype | Property::Layout | Property::Device => {
                format!("{tensor}.{}", self.suffix())
            }
            Property::Numel | Property::Dim => format!("{tensor}.{}()", self.suffix()),
            Property::Strides => format!("{tensor}.stride()"),
            Property::Options => format!("_formulas.options({tensor})"),
        }
    }
}

/// Translates a formula for inputs or outputs of an operator.
///
/// Returns its expression, and what it uses.
///
/// # Errors
/// The first thing that is wrong or has no translation.
pub(crate) fn translate(
    formula: &str,
    names: &Names<'_>,
    wanted: &[&str],
    schema: &FunctionSchema,
) -> Result<(String, Used), Problem> {
    let expr = parse(formula)?;
    let (tree, problems) = typed(&expr, names);
    let problem = problems.into_iter().next();
    if let Some(problem) = problem.or_else(|| wrong_result(tree.ty, &expr, wanted, schema)) {
        return Err(problem);
    }
    let mut emitter = Emitter { names, used: Used::default() };
    let value = emitter.value(&tree)?;
    Ok((value.text, emitter.used))
}

/// Translates a condition, to an expression that `not` can precede.
///
/// # Errors
/// The first thing that is wrong or has no translation.
pub(crate) fn translate_condition(condition: &str, names: &Names<'_>) -> Result<String, Problem> {
    let expr = parse(condition)?;
    let (tree, problems) = typed(&expr, names);
    let problem = problems.into_iter().next();
    if let Some(problem) = problem.or_else(|| wrong_condition(tree.ty, &expr)) {
        return Err(problem);
    }
    let mut emitter = Emitter { names, used: Used::default() };
    Ok(emitter.value(&tree)?.within(strength::NOT))
}
