//! What compilers need to know of the operators of a library on the stable ABI: fakes that follow
//! from schemas, exactly one for each operator, and functional variants of operators that write.
//! Those of `fake:` are in `_ops.py`.
//!
//! Invariant: sizes stay symbolic, because fakes are in Python.

use serde::Serialize;

use crate::families::torch::generators::Outcome;
use crate::families::torch::library::implied::{Implied, implied};
use crate::families::torch::library::python::signature::{Signature, variable};
use crate::families::torch::library::python::{directory, overload_expr};
use crate::families::torch::library::{Inputs, MANAGER};
use crate::families::torch::model::native_function::DeviceCheckType;
use crate::families::torch::model::{Argument, NativeFunction, SchemaKind, Type};
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
    /// The tensors that must be on one device; lists have a star.
    on_one_device: Vec<String>,
    functional: Option<Functional>,
    /// The operators that exist in builds with it, if some builds lack one.
    conditional: Vec<String>,
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
        let variant = variant(f, ctx.functions);
        Some(Fake {
            name: NativeFunction::root_name(f).to_owned(),
            operator: ctx.renderer.about([f]).marked(f.full_name()),
            signature: Signature::new(f),
            value: value(f, ctx.functions)?,
            on_one_device: on_one_device(f),
            functional: variant.and_then(|variant| functional(f, variant)),
            conditional: conditional(f, variant),
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

/// The tensors that an operator that writes checks before: without data, nothing else would.
fn on_one_device(f: &NativeFunction) -> Vec<String> {
    let tensors: Vec<&Argument> = f.func.schema_order_arguments().filter(|a| a.ty.is_tensor_like()).collect();
    // A generated out variant copies one tensor to each argument, so both are on one device.
    let copies = f.is_generated() && tensors.iter().all(|a| !matches!(a.ty, Type::List(..)));
    if !f.func.is_mutable() || (f.device_check != DeviceCheckType::ExactSame && !copies) {
        return Vec::new();
    }
    let starred = |a: &&Argument| match a.ty {
        Type::List(..) => format!("*{}", variable(a)),
        _ => variable(a),
    };
    if tensors.len() > 1 { tensors.iter().map(starred).collect() } else { Vec::new() }
}

/// The functional variant of an operator that writes.
fn variant<'a>(f: &NativeFunction, all: &'a [NativeFunction]) -> Option<&'a NativeFunction> {
    if !matches!(f.func.kind(), SchemaKind::Inplace | SchemaKind::Out) {
        return None;
    }
    let is_functional = |other: &&NativeFunction| {
        other.func.kind() == SchemaKind::Functional
            && other.func.returns.len() == f.func.returns.len()
            && other.is_variant_of(f)
    };
    all.iter().find(is_functional)
}

/// The operators to look for before a fake is registered.
fn conditional(f: &NativeFunction, variant: Option<&NativeFunction>) -> Vec<String> {
    let needed = std::iter::once(f).chain(variant).filter(|f| f.conditions.operator.is_some());
    needed.map(|f| f.full_name()).collect()
}

/// What an operator does if nothing may be written: it calls its functional variant.
fn functional(f: &NativeFunction, variant: &NativeFunction) -> Option<Functional> {
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
    match implied(f, all)? {
        Implied::Written => {
            let of = |ret| f.func.aliased_arguments(ret).next().map(variable);
            let written: Vec<String> = f.func.returns.iter().map(of).collect::<Option<_>>()?;
            // Otherwise a composite kernel would be called, which sees concrete sizes.
            Some(if written.is_empty() { "None".to_owned() } else { written.join(", ") })
        }
        Implied::LikeFirst => {
            let first = variable(f.func.schema_order_arguments().find(|a| a.ty.is_tensor_like())?);
            let is_list = f.func.returns.iter().any(|ret| matches!(ret.ty, Type::List(..)));
            Some(match is_list {
                true => format!("[_torch.empty_like(tensor) for tensor in {first}]"),
                false => format!("_torch.empty_like({first})"),
            })
        }
    }
}
