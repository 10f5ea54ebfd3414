//! `onnx.py`: how `torch.onnx.export` writes operators with `onnx:`, on both ABIs.
//!
//! Invariant: nothing imports it but its users, and importing it does not import onnx.

use serde::Serialize;

use super::{directory, overload_expr};
use crate::library::view::is_selected;
use crate::library::{Inputs, MANAGER};
use torchgen_api::cpp_string;
use torchgen_base::write::OutputFile;
use torchgen_generators::Outcome;
use torchgen_model::model::NativeFunction;
use torchgen_model::model::onnx::OnnxPart;

#[derive(Serialize)]
struct Module<'a> {
    namespace: &'a str,
    operators: Vec<Exported<'a>>,
}

/// An operator with its operator of ONNX.
#[derive(Serialize)]
struct Exported<'a> {
    /// Its name, as a text.
    literal: String,
    /// The operator with its overload, an expression.
    overload: String,
    domain: &'a str,
    name: &'a str,
    arguments: Vec<Argument<'a>>,
    results: usize,
    /// Some builds lack it.
    conditional: bool,
}

#[derive(Serialize)]
struct Argument<'a> {
    name: &'a str,
    part: OnnxPart,
}

/// The file; none if no operator has one of ONNX.
pub(crate) fn files(inputs: &Inputs, package: &str) -> Outcome {
    let ctx = &inputs.context;
    let own = ctx.functions.iter().filter(|f| ctx.target.defines_operators && is_selected(ctx, f));
    let operators: Vec<Exported> = own.filter_map(exported).collect();
    if operators.is_empty() {
        return Ok(Vec::new());
    }
    let module = Module { namespace: &ctx.namespaces.api, operators };
    let text = ctx.renderer.fragment("torch/library/python/onnx.py.j2", &module)?;
    Ok(vec![OutputFile::new(MANAGER, format!("{}/onnx.py", directory(package)), text)])
}

fn exported(f: &NativeFunction) -> Option<Exported<'_>> {
    let operator = f.onnx.as_ref()?;
    let argument = |a| {
        let a: &torchgen_model::model::Argument = a;
        Some(Argument { name: a.schema_name(), part: OnnxPart::of_type(&a.ty)? })
    };
    Some(Exported {
        literal: cpp_string(&f.full_name()),
        overload: overload_expr(f),
        domain: &operator.domain,
        name: &operator.name,
        arguments: f.func.schema_order_arguments().filter_map(argument).collect(),
        results: f.func.returns.len(),
        conditional: f.conditions.operator.is_some(),
    })
}
