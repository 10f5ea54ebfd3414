//! Structured operators: the functional, inplace and out variants around one kernel, which writes
//! outputs that generated code makes from the expressions of `fake:`.
//!
//! Invariant: the kernel gets outputs of the right dtype, device and size. One whose size is given
//! is contiguous. An out argument with other strides gets a copy.

use serde::Serialize;

use super::outputs::Outline;
use crate::families::torch::api::{cpp_string, stable};
use crate::families::torch::generators::Context;
use crate::families::torch::generators::guard::Guard;
use crate::families::torch::group::NativeFunctionsGroup;
use crate::families::torch::model::condition::ComparedTorch;
use crate::families::torch::model::outputs::OutputLike;
use crate::families::torch::model::{Argument, BackendIndex, NativeFunction, SchemaKind};

/// A variant of a structured operator, for a key.
#[derive(Debug, Serialize)]
pub(super) struct Variant {
    pub(super) function: String,
    returns: String,
    parameters: Vec<String>,
    /// The operator's name, as a literal.
    operator: String,
    kernel: String,
    arguments: Vec<String>,
    outputs: Vec<Output>,
    /// It makes its outputs.
    functional: bool,
    /// Out arguments are resized.
    resizes: bool,
    /// The builds that have it.
    when: Option<Guard>,
}

/// An output.
#[derive(Debug, Serialize)]
struct Output {
    variable: String,
    /// The argument that is written, and its name as a literal.
    argument: String,
    name: String,
    #[serde(flatten)]
    outline: Outline,
}

/// A name that no other operator or key has.
pub(super) fn for_key(f: &NativeFunction, index: &BackendIndex) -> String {
    format!("{}_{}", f.func.name.unambiguous_name(), index.dispatch_key.as_str().to_lowercase())
}

/// The group of a structured operator, and the fake that all its variants share.
pub(super) fn group<'a>(ctx: &Context<'a>, f: &NativeFunction) -> Option<NativeFunctionsGroup<'a>> {
    let is_member = |group: &&NativeFunctionsGroup<'a>| group.structured() && group.functions().any(|one| one == f);
    ctx.groups.iter().find(is_member).copied()
}

/// The builds that have an operator's kernel. A variant needs the kernel of its group.
pub(super) fn when(ctx: &Context, f: &NativeFunction, index: &BackendIndex) -> Option<Guard> {
    let of_group: Vec<&NativeFunction> = group(ctx, f).map(|group| group.out).into_iter().collect();
    let condition = f.condition_for(index.dispatch_key, &of_group)?;
    Some(Guard::new(&condition, ComparedTorch::Oldest))
}

/// The variant for a key that has a kernel.
pub(super) fn variant(ctx: &Context, f: &NativeFunction, index: &BackendIndex) -> Option<Variant> {
    let group = group(ctx, f)?;
    let kernel = index.get_kernel(group.out)?;
    let outlines = group.functional.fake.as_ref()?.outputs()?;
    let is_out = |a: &Argument| f.func.arguments.out.iter().any(|own| own.name == a.name);
    let inputs = || f.func.schema_order_arguments().filter(|a| !is_out(a));
    let written = f.func.aliased_return_names();
    let output = |(i, outline): (usize, &OutputLike)| {
        let argument: &str = written.get(i).copied().flatten().unwrap_or_default();
        Output {
            variable: format!("_output_{i}"),
            argument: argument.to_owned(),
            name: cpp_string(argument),
            outline: Outline::new(f, outline),
        }
    };
    Some(Variant {
        function: format!("structured_{}", for_key(f, index)),
        returns: stable::kernel_returns(&f.func),
        parameters: f
            .func
            .schema_order_arguments()
            .map(|a| format!("{} {}", stable::kernel_parameter(a), a.name))
            .collect(),
        operator: cpp_string(&format!("{}::{}", f.namespace, f.func.name)),
        kernel: format!("{}::{}", kernel.cpp_namespace, kernel.kernel),
        arguments: inputs().map(|a| a.name.clone()).collect(),
        outputs: outlines.iter().enumerate().map(output).collect(),
        functional: f.func.kind() == SchemaKind::Functional,
        resizes: f.func.kind() == SchemaKind::Out,
        when: when(ctx, f, index),
    })
}
