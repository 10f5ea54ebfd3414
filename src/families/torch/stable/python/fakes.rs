//! What compilers need to know of the operators of a library on the stable ABI: fakes that follow
//! from schemas, exactly one for each operator, and functional variants of operators that write.
//!
//! An operator that returns what it writes returns its arguments. One that only writes needs no
//! fake, and neither does a composite one. The functional variant of an operator that writes `self`
//! has an output like it, as have operators with one tensor that are tagged `pointwise`.
//!
//! Invariant: sizes stay symbolic, because fakes are in Python.

use serde::Serialize;

use super::signature::{Signature, variable};
use crate::families::torch::generators::Outcome;
use crate::families::torch::library::python::{directory, overload_expr};
use crate::families::torch::library::{Inputs, MANAGER};
use crate::families::torch::model::{NativeFunction, SchemaKind};
use crate::write::OutputFile;

#[derive(Serialize)]
struct Module<'a> {
    namespace: &'a str,
    fakes: Vec<Fake<'a>>,
}

/// The fake of an operator.
#[derive(Serialize)]
struct Fake<'a> {
    name: String,
    operator: String,
    #[serde(flatten)]
    signature: Signature<'a>,
    /// An expression for the outputs.
    value: String,
    functional: Option<Functional>,
}

/// The functional variant of an operator that writes and returns its arguments. Compilers call it
/// instead.
#[derive(Serialize)]
struct Functional {
    /// The operator that writes, with its overload.
    overload: String,
    /// Its functional variant.
    variant: String,
    /// The variant's arguments.
    arguments: Vec<String>,
    /// What is written, in the order of the variant's outputs.
    written: Vec<String>,
}

/// The file with the fakes; none if no operator needs one.
pub(super) fn files(inputs: &Inputs<'_, '_>, package: &str) -> Outcome {
    let ctx = &inputs.context;
    let fake = |f| {
        Some(Fake {
            name: NativeFunction::root_name(f).to_owned(),
            operator: format!("{}::{}", f.namespace, f.func.name),
            signature: Signature::new(f),
            value: value(f, ctx.functions)?,
            functional: functional(f, ctx.functions),
        })
    };
    let mut fakes: Vec<Fake<'_>> = ctx
        .functions
        .iter()
        .filter(|f| f.fake.is_none() && !f.has_composite_implicit_autograd_kernel)
        .filter_map(fake)
        .collect();
    for (i, fake) in fakes.iter_mut().enumerate() {
        // Overloads share their names.
        fake.name = format!("_{}_{i}", fake.name);
    }
    if fakes.is_empty() {
        return Ok(Vec::new());
    }
    let module = Module { namespace: &ctx.namespaces.api, fakes };
    let text = ctx.renderer.fragment("torch/stable/python/_fakes.py.j2", &module)?;
    Ok(vec![OutputFile::new(MANAGER, format!("{}/_fakes.py", directory(package)), text)])
}

/// What an operator does if nothing may be written.
fn functional(f: &NativeFunction, all: &[NativeFunction]) -> Option<Functional> {
    if !matches!(f.func.kind(), SchemaKind::Inplace | SchemaKind::Out) {
        return None;
    }
    let signature = f.func.signature();
    let variant = all.iter().find(|other| {
        other.namespace == f.namespace
            && other.root_name() == f.root_name()
            && other.func.kind() == SchemaKind::Functional
            && other.func.signature() == signature
            && other.func.returns.len() == f.func.returns.len()
    })?;
    let of = |ret| f.func.aliased_arguments(ret).next().map(variable);
    Some(Functional {
        overload: overload_expr(f),
        variant: overload_expr(variant),
        arguments: Signature::new(variant).arguments,
        written: f.func.returns.iter().map(of).collect::<Option<_>>()?,
    })
}

/// The outputs of an operator, if they follow from its schema.
fn value(f: &NativeFunction, all: &[NativeFunction]) -> Option<String> {
    let returns = &f.func.returns;
    if f.func.is_mutable() {
        let of = |ret| f.func.aliased_arguments(ret).next().map(variable);
        let written: Vec<String> = returns.iter().map(of).collect::<Option<_>>()?;
        return (!written.is_empty()).then(|| written.join(", "));
    }
    let [one] = returns.as_slice() else { return None };
    let mut tensors = f.func.schema_order_arguments().filter(|a| a.ty.is_tensor_like());
    let first = tensors.next().filter(|a| a.ty == one.ty && one.annotation.is_none())?;
    let signature = f.func.signature();
    let is_variant = |other: &NativeFunction| {
        other.namespace == f.namespace
            && other.func.kind() == SchemaKind::Inplace
            && other.root_name() == f.root_name()
            && other.func.signature() == signature
    };
    let pointwise = f.has_tag("pointwise") && tensors.next().is_none();
    let is_self = first.schema_name() == "self" && all.iter().any(is_variant);
    (is_self || pointwise).then(|| format!("_torch.empty_like({})", variable(first)))
}
