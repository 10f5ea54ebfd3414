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
pub(crate) mod names;
pub(crate) mod operators;
mod plain;
#[cfg(test)]
mod tests;
mod value;

use std::ops::Range;

pub(super) use self::value::Kind;
pub(crate) use self::value::Value;
use torchgen_model::model::FunctionSchema;
pub(super) use torchgen_model::parse::formula::Problem;
use torchgen_model::parse::formula::parse;

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

    /// The expression for it, of an expression that needs no parentheses.
    pub(crate) fn of(self, tensor: &str) -> String {
        match self {
            Property::Shape | Property::Dtype | Property::Layout | Property::Device => {
                format!("{tensor}.{}", self.suffix())
            }
            Property::Numel | Property::Dim => format!("{tensor}.{}()", self.suffix()),
            Property::Strides => format!("{tensor}.stride()"),
            Property::Options => format!("_formulas.options({tensor})"),
        }
    }

    fn kind(self) -> Kind {
        match self {
            Property::Shape | Property::Strides => Kind::Ints,
            Property::Numel | Property::Dim => Kind::Int,
            Property::Dtype => Kind::Dtype,
            Property::Layout => Kind::Layout,
            Property::Device => Kind::Device,
            Property::Options => Kind::Options,
        }
    }
}

/// The operators of a name.
pub(crate) enum Found<'s> {
    /// Their schemas.
    Overloads(Vec<&'s FunctionSchema>),
    /// There are none, and the reason, if it is known.
    None(Option<String>),
}

/// What a formula can name.
pub(super) trait Scope {
    /// An input, an output, a gradient, or something else with a name of its own.
    fn value(&mut self, name: &str) -> Option<Value>;

    /// Whether a name may be for no value, which `*` takes.
    fn is_optional(&self, name: &str) -> bool;

    /// A variable that has a property of a named tensor; `None` if the property is that of the
    /// value.
    fn property(&mut self, name: &str, property: Property) -> Option<String>;

    /// The gradient with that index, or all of them.
    fn gradient(&mut self, index: Option<usize>) -> Option<Value>;

    /// A function of the author, as an expression.
    fn function(&mut self, name: &str) -> Option<String>;

    /// The operators with that name in a C++ namespace; `at` is that of PyTorch's.
    fn overloads(&self, namespace: &str, name: &str) -> Found<'_>;
}

/// Translates a formula.
///
/// # Errors
/// The first thing that has no translation.
pub(super) fn translate(formula: &str, scope: &mut dyn Scope) -> Result<Value, Problem> {
    let expr = parse(formula)?;
    emit::Emitter { scope }.value(&expr)
}
