//! The expressions of `fake:` in Python.
//!
//! Invariant: sizes stay symbolic.

use torchgen_api::python::annotation;
use torchgen_model::model::outputs::{DtypeOf, OutputLike, SizeExpr, SizeOp, SizePart, TensorPlace};

/// An expression for all outputs of an operator.
pub(crate) fn value(outputs: &[OutputLike]) -> String {
    let each: Vec<String> = outputs.iter().map(one).collect();
    each.join(", ")
}

fn one(output: &OutputLike) -> String {
    let like = tensor(&output.tensor);
    let dtype = output.dtype.as_ref().map(|dtype| match dtype {
        DtypeOf::Named(named) => format!(", dtype=_torch.{}", named.python),
        DtypeOf::Argument(argument) => format!(", dtype={}", annotation::variable(argument)),
        DtypeOf::Tensor(place) => format!(", dtype={}.dtype", tensor(place)),
    });
    let dtype = dtype.unwrap_or_default();
    match &output.size {
        None => format!("_torch.empty_like({like}{dtype})"),
        Some(parts) => {
            let parts: Vec<String> = parts.iter().map(part).collect();
            format!("{like}.new_empty([{}]{dtype})", parts.join(", "))
        }
    }
}

fn part(part: &SizePart) -> String {
    let bound = |bound: &Option<i64>| bound.map_or_else(String::new, |bound| bound.to_string());
    match part {
        SizePart::One(expr) => integer(expr),
        SizePart::Several { tensor: place, from: None, to: None } => format!("*{}.shape", tensor(place)),
        SizePart::Several { tensor: place, from, to } => {
            format!("*{}.shape[{}:{}]", tensor(place), bound(from), bound(to))
        }
    }
}

fn integer(expr: &SizeExpr) -> String {
    match expr {
        SizeExpr::Number(number) => number.to_string(),
        SizeExpr::Argument(argument) => annotation::variable(argument).into_owned(),
        SizeExpr::Size(place, dimension) => format!("{}.shape[{dimension}]", tensor(place)),
        SizeExpr::Elements(place) => format!("{}.numel()", tensor(place)),
        SizeExpr::Binary(left, op, right) => {
            let sign = match op {
                SizeOp::Add => "+",
                SizeOp::Subtract => "-",
                SizeOp::Multiply => "*",
                SizeOp::Divide => "//",
                SizeOp::Remainder => "%",
            };
            format!("({} {sign} {})", integer(left), integer(right))
        }
    }
}

fn tensor(place: &TensorPlace) -> String {
    let argument = annotation::variable(&place.argument);
    place.element.map_or_else(|| argument.to_string(), |element| format!("{argument}[{element}]"))
}
