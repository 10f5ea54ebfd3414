//! The expressions of `fake:` in Python.
//!
//! Invariant: sizes stay symbolic.

use super::signature::variable;
use crate::families::torch::model::outputs::{DtypeOf, OutputLike, SizeExpr, SizeOp, SizePart, TensorPlace};
use crate::families::torch::model::{Argument, NativeFunction};

/// An expression for all outputs of an operator.
pub(crate) fn value(f: &NativeFunction, outputs: &[OutputLike]) -> String {
    let each: Vec<String> = outputs.iter().map(|output| one(f, output)).collect();
    each.join(", ")
}

fn one(f: &NativeFunction, output: &OutputLike) -> String {
    let like = tensor(f, &output.tensor);
    let dtype = output.dtype.as_ref().map(|dtype| match dtype {
        DtypeOf::Named(named) => format!(", dtype=_torch.{}", named.python),
        DtypeOf::Argument(argument) => format!(", dtype={}", name(f, argument)),
        DtypeOf::Tensor(place) => format!(", dtype={}.dtype", tensor(f, place)),
    });
    let dtype = dtype.unwrap_or_default();
    match &output.size {
        None => format!("_torch.empty_like({like}{dtype})"),
        Some(parts) => {
            let parts: Vec<String> = parts.iter().map(|each| part(f, each)).collect();
            format!("{like}.new_empty([{}]{dtype})", parts.join(", "))
        }
    }
}

fn part(f: &NativeFunction, part: &SizePart) -> String {
    let bound = |bound: &Option<i64>| bound.map_or_else(String::new, |bound| bound.to_string());
    match part {
        SizePart::One(expr) => integer(f, expr),
        SizePart::Several { tensor: place, from: None, to: None } => format!("*{}.shape", tensor(f, place)),
        SizePart::Several { tensor: place, from, to } => {
            format!("*{}.shape[{}:{}]", tensor(f, place), bound(from), bound(to))
        }
    }
}

fn integer(f: &NativeFunction, expr: &SizeExpr) -> String {
    match expr {
        SizeExpr::Number(number) => number.to_string(),
        SizeExpr::Argument(argument) => name(f, argument),
        SizeExpr::Size(place, dimension) => format!("{}.shape[{dimension}]", tensor(f, place)),
        SizeExpr::Elements(place) => format!("{}.numel()", tensor(f, place)),
        SizeExpr::Binary(left, op, right) => {
            let sign = match op {
                SizeOp::Add => "+".to_owned(),
                SizeOp::Subtract => "-".to_owned(),
                SizeOp::Multiply => "*".to_owned(),
                // Two slashes round down.
                SizeOp::Divide => "/".repeat(2),
                SizeOp::Remainder => "%".to_owned(),
            };
            format!("({} {sign} {})", integer(f, left), integer(f, right))
        }
    }
}

fn tensor(f: &NativeFunction, place: &TensorPlace) -> String {
    let argument = name(f, &place.argument);
    place.element.map_or(argument.clone(), |element| format!("{argument}[{element}]"))
}

/// The variable of an argument.
fn name(f: &NativeFunction, argument: &str) -> String {
    let found = f.func.schema_order_arguments().find(|a| a.schema_name() == argument);
    found.map_or_else(|| argument.to_owned(), |found: &Argument| variable(found))
}
