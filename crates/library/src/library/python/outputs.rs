//! The expressions of `fake:` in Python, and those that follow from `dims:`.
//!
//! Invariant: sizes stay symbolic.

use torchgen_api::python::annotation;
use torchgen_kit::expr::{Python, Typed, TypedKind};
use torchgen_model::model::outputs::{DtypeOf, OutputLike, member};
use torchgen_model::model::{NativeFunction, Return};

/// The sizes of the outputs, by their line.
pub(crate) const SIZES: &str = "_sizes";

/// An expression for all outputs of an operator, by `fake:`.
pub(crate) fn value(f: &NativeFunction, outputs: &[OutputLike]) -> String {
    let each: Vec<String> = outputs.iter().enumerate().map(|(at, output)| one(f, at, output)).collect();
    each.join(", ")
}

/// An expression for all outputs of an operator whose sizes its line gives.
pub(crate) fn of_line(f: &NativeFunction) -> String {
    let first = f.func.tensor_arguments().find(|a| !a.ty.is_nullable());
    let first = first.map(|a| match a.ty.is_list_like() {
        Some(_) => format!("{}[0]", annotation::variable(a.schema_name())),
        None => annotation::variable(a.schema_name()).into_owned(),
    });
    let first = first.unwrap_or_default();
    let of = |(at, ret): (usize, &Return)| match f.func.mutated_argument(ret) {
        Some(argument) => annotation::variable(argument.schema_name()).into_owned(),
        None if ret.ty.is_list_like().is_some() => format!("[{first}.new_empty(_each) for _each in {SIZES}[{at}]]"),
        None => format!("{first}.new_empty({SIZES}[{at}])"),
    };
    let each: Vec<String> = f.func.returns.iter().enumerate().map(of).collect();
    each.join(", ")
}

/// Whether a line gives an output other sizes than the tensor that it is like has.
fn has_other_sizes(f: &NativeFunction, at: usize, output: &OutputLike) -> bool {
    let TypedKind::Variable { name, .. } = &output.tensor.kind else { return false };
    f.dims_lines().iter().any(|line| {
        let result = line.results.get(at).and_then(|result| line.result(result));
        result.is_some_and(|dims| line.tensor(name) != Some(dims))
    })
}

fn one(f: &NativeFunction, at: usize, output: &OutputLike) -> String {
    let like = printed(&output.tensor);
    let dtype = output.dtype.as_ref().map(|dtype| match dtype {
        DtypeOf::Named(named) => format!(", dtype=_torch.{}", named.torch),
        DtypeOf::Value(value) => format!(", dtype={}", printed(value)),
    });
    let dtype = dtype.unwrap_or_default();
    let made = match &output.size {
        None if has_other_sizes(f, at, output) => format!("{like}.new_empty({SIZES}[{at}]{dtype})"),
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
