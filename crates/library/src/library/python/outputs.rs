//! The expressions of `fake:` in Python.
//!
//! Invariant: sizes stay symbolic.

use torchgen_api::python::annotation;
use torchgen_kit::expr::{Python, Typed};
use torchgen_model::model::outputs::{DtypeOf, OutputLike, member};

/// An expression for all outputs of an operator.
pub(crate) fn value(outputs: &[OutputLike]) -> String {
    let each: Vec<String> = outputs.iter().map(one).collect();
    each.join(", ")
}

fn one(output: &OutputLike) -> String {
    let like = printed(&output.tensor);
    let dtype = output.dtype.as_ref().map(|dtype| match dtype {
        DtypeOf::Named(named) => format!(", dtype=_torch.{}", named.torch),
        DtypeOf::Value(value) => format!(", dtype={}", printed(value)),
    });
    let dtype = dtype.unwrap_or_default();
    let made = match &output.size {
        None => format!("_torch.empty_like({like}{dtype})"),
        Some(size) => format!("{like}.new_empty({}{dtype})", printed(size)),
    };
    match &output.condition {
        None => made,
        Some(condition) => format!("({made} if {} else None)", printed(condition)),
    }
}

fn printed(typed: &Typed) -> String {
    let function = |name: &str, arguments: &[String]| match (name, arguments) {
        (member::SIZES, [x]) => Some(format!("{x}.shape")),
        (member::SIZE, [x, dimension]) => Some(format!("{x}.shape[{dimension}]")),
        (member::DIM, [x]) => Some(format!("{x}.dim()")),
        (member::LEN, [list]) => Some(format!("_builtins.len({list})")),
        (member::NUMEL, [x]) => Some(format!("{x}.numel()")),
        (member::DTYPE, [x]) => Some(format!("{x}.dtype")),
        _ => None,
    };
    let variable = |name: &str| annotation::variable(name).into_owned();
    Python { helpers: "", function: &function, variable: &variable, constant: &str::to_owned }.print(typed)
}
