//! The expressions of `fake:` in C++, for outputs that generated code makes.
//!
//! Invariant: they have the meaning that they have in Python: quotients are rounded down, and
//! negative dimensions count from the end.

use serde::Serialize;

use torchgen_model::model::NativeFunction;
use torchgen_model::model::outputs::{DtypeOf, OutputLike, SizeExpr, SizeOp, SizePart, TensorPlace};

/// What an output is like, as expressions.
#[derive(Debug, Serialize)]
pub(super) struct Outline {
    like: String,
    size: Option<String>,
    dtype: Option<String>,
}

impl Outline {
    /// That of an output of an operator.
    pub(super) fn new(f: &NativeFunction, output: &OutputLike) -> Outline {
        let parts = |parts: &Vec<SizePart>| {
            let parts: Vec<String> = parts.iter().map(|each| part(f, each)).collect();
            format!("detail::Sizes(){}", parts.concat())
        };
        let dtype = |dtype: &DtypeOf| match dtype {
            DtypeOf::Named(named) => format!("ScalarType::{}", named.cpp),
            DtypeOf::Argument(argument) => name(f, argument),
            DtypeOf::Tensor(place) => format!("{}.scalar_type()", tensor(f, place)),
        };
        Outline {
            like: tensor(f, &output.tensor),
            size: output.size.as_ref().map(parts),
            dtype: output.dtype.as_ref().map(dtype),
        }
    }
}

fn part(f: &NativeFunction, part: &SizePart) -> String {
    match part {
        SizePart::One(expr) => format!(".one({})", integer(f, expr)),
        SizePart::Several { tensor: place, from, to } => {
            let from = from.unwrap_or(0);
            let to = to.map_or_else(|| format!("{}.dim()", tensor(f, place)), |to| to.to_string());
            format!(".several({}, {from}, {to})", tensor(f, place))
        }
    }
}

fn integer(f: &NativeFunction, expr: &SizeExpr) -> String {
    match expr {
        SizeExpr::Number(number) => format!("int64_t({number})"),
        SizeExpr::Argument(argument) => name(f, argument),
        SizeExpr::Size(place, dimension) => format!("detail::size_of({}, {dimension})", tensor(f, place)),
        SizeExpr::Elements(place) => format!("{}.numel()", tensor(f, place)),
        SizeExpr::Binary(left, op, right) => {
            let (left, right) = (integer(f, left), integer(f, right));
            match op {
                SizeOp::Add => format!("({left} + {right})"),
                SizeOp::Subtract => format!("({left} - {right})"),
                SizeOp::Multiply => format!("({left} * {right})"),
                SizeOp::Divide => format!("detail::quotient({left}, {right})"),
                SizeOp::Remainder => format!("({left} - {right} * detail::quotient({left}, {right}))"),
            }
        }
    }
}

fn tensor(f: &NativeFunction, place: &TensorPlace) -> String {
    let argument = name(f, &place.argument);
    place.element.map_or(argument.clone(), |element| format!("detail::element({argument}, {element})"))
}

/// The parameter of an argument.
fn name(f: &NativeFunction, argument: &str) -> String {
    let found = f.func.schema_order_arguments().find(|a| a.schema_name() == argument);
    found.map_or_else(|| argument.to_owned(), |found| found.name.clone())
}
