//! Structured operators: the functional, inplace and out variants around one kernel, which writes
//! outputs that generated code makes from the expressions of `fake:`.
//!
//! Invariant: the kernel gets outputs of the right dtype, device and size. One whose size is given
//! is contiguous. An out argument with other strides gets a copy.

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::outputs::Outline;
use torchgen_api::cpp_string;
use torchgen_api::stable::{KernelSignature, Parameter};
use torchgen_generators::Context;
use torchgen_generators::guard::Guard;
use torchgen_model::group::NativeFunctionsGroup;
use torchgen_model::model::condition::ComparedTorch;
use torchgen_model::model::cpp_names::in_namespace;
use torchgen_model::model::outputs::OutputLike;
use torchgen_model::model::{Argument, BackendIndex, NativeFunction, OperatorName, SchemaKind, cpp_names};

/// A variant of a structured operator, for a key.
#[derive(Debug, Serialize)]
pub(super) struct Variant {
    pub(super) function: String,
    pub(super) returns: String,
    parameters: Vec<Parameter>,
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

/// The groups of structured operators, by the names of their variants.
pub(super) struct Groups<'a>(FxHashMap<&'a OperatorName, &'a NativeFunctionsGroup<'a>>);

impl<'a> Groups<'a> {
    /// Those of a namespace.
    pub(super) fn new(ctx: &Context<'a>) -> Groups<'a> {
        let structured = ctx.groups.iter().filter(|group| group.structured());
        Groups(structured.flat_map(|group| group.functions().map(move |f| (&f.func.name, group))).collect())
    }

    /// The group of an operator, if it is structured.
    pub(super) fn group_of(&self, f: &NativeFunction) -> Option<&'a NativeFunctionsGroup<'a>> {
        self.0.get(&f.func.name).copied()
    }
}

/// The builds that have an operator's kernel. A variant needs the kernel of its group.
pub(super) fn when(f: &NativeFunction, group: Option<&NativeFunctionsGroup>, index: &BackendIndex) -> Option<Guard> {
    let of_group: Vec<&NativeFunction> = group.map(|group| group.out).into_iter().collect();
    let condition = f.condition_for(index.dispatch_key, &of_group)?;
    Some(Guard::new(&condition, ComparedTorch::Oldest))
}

/// The variant of a group for a key that has a kernel.
pub(super) fn variant(f: &NativeFunction, group: &NativeFunctionsGroup, index: &BackendIndex) -> Option<Variant> {
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
            name: cpp_string(cpp_names::written(argument)),
            outline: Outline::new(f, outline),
        }
    };
    let KernelSignature { returns, parameters } = KernelSignature::registered(&f.func);
    Some(Variant {
        function: format!("structured_{}", for_key(f, index)),
        returns: returns.to_string(),
        parameters,
        operator: cpp_string(&f.full_name()),
        kernel: in_namespace(&kernel.cpp_namespace, &kernel.kernel),
        arguments: inputs().map(|a| a.name.clone()).collect(),
        outputs: outlines.iter().enumerate().map(output).collect(),
        functional: f.func.kind() == SchemaKind::Functional,
        resizes: f.func.kind() == SchemaKind::Out,
        when: when(f, Some(group), index),
    })
}
