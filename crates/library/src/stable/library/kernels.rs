//! The kernels of a library, with the types of their declarations.
//!
//! Invariant: a header declares a kernel once, however many keys and operators name it.

use indexmap::IndexMap;
use serde::Serialize;

use super::c_functions::{c_functions, from_c};
use super::structured::{Groups, Variant, for_key, variant, when};
use crate::library::c_functions::CFunction;
use crate::library::implied::is_replaced;
use torchgen_api::cpp_string;
use torchgen_api::stable::{KernelSignature, Parameter, StableType, held_type};
use torchgen_generators::Context;
use torchgen_generators::guard::Guard;
use torchgen_generators::size_check::SizeCheck;
use torchgen_model::group::Variants;
use torchgen_model::model::cpp_names::in_namespace;
use torchgen_model::model::native_function::DeviceCheckType;
use torchgen_model::model::{Argument, BackendIndex, DispatchKey, NativeFunction, Type};

/// A declaration, with the types that its author wrote.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub(super) struct Declaration {
    returns: String,
    parameters: Vec<String>,
    name: String,
}

/// The kernels of a C++ namespace.
#[derive(Debug, Serialize)]
pub(super) struct Namespace {
    name: String,
    kernels: Vec<Declaration>,
}

/// A kernel for a key, as it is registered.
#[derive(Debug, Serialize)]
pub(super) struct Registered {
    /// The boxed function's name.
    function: String,
    /// `opkit::rms_norm.out`, as a literal.
    operator: String,
    /// The name below the namespace, as a literal.
    name: String,
    /// The kernel with its namespace, or what calls it.
    kernel: String,
    /// What it takes, without references.
    held: Vec<StableType>,
    /// What it is given.
    passed: Vec<String>,
    /// The arguments' names, as literals.
    arguments: Vec<String>,
    /// Lists with a size.
    sizes: Vec<Size>,
    /// The number of its results.
    results: usize,
    /// All tensors must be on one device.
    same_device: bool,
    /// The device of the first tensor is the current one during the call.
    guards: bool,
    /// What it compares first.
    size_check: Option<SizeCheck>,
    /// The builds that have it.
    when: Option<Guard>,
    /// The C functions that call it.
    c_functions: Vec<CFunction>,
    /// The values that these pass.
    from_c: Vec<String>,
}

/// The size that a list must have.
#[derive(Debug, Serialize)]
struct Size {
    index: usize,
    size: u32,
}

/// An operator's kernel for a key: its namespace and name.
fn kernel_for_key<'a>(
    variants: &Variants<'_>,
    f: &'a NativeFunction,
    index: &'a BackendIndex,
) -> Option<(&'a str, &'a str)> {
    let is_own = !f.manual_kernel_registration && !is_replaced(f, index.dispatch_key, variants);
    let kernel = index.get_kernel(f).filter(|_| is_own)?;
    Some((&kernel.cpp_namespace, &kernel.kernel))
}

/// The declarations of the operators' kernels, by namespace, in the order of the YAML. Kernels that
/// headers register have none.
pub(super) fn declarations<'a>(
    ctx: &Context<'a>,
    functions: impl IntoIterator<Item = &'a NativeFunction>,
) -> Vec<Namespace> {
    let variants = Variants::new(ctx.functions);
    let mut namespaces: IndexMap<&str, IndexMap<Declaration, Vec<&NativeFunction>>> = IndexMap::new();
    for f in functions.into_iter().filter(|f| !f.is_included()) {
        for (namespace, kernel) in ctx.indices.iter().filter_map(|index| kernel_for_key(&variants, f, index)) {
            namespaces.entry(namespace).or_default().entry(declaration(ctx, f, namespace, kernel)).or_default().push(f);
        }
    }
    let marked = |(declaration, operators): (Declaration, Vec<&NativeFunction>)| {
        let name = ctx.renderer.about(operators).marked(declaration.name);
        Declaration { name, ..declaration }
    };
    let namespace = |(name, kernels): (&str, IndexMap<Declaration, _>)| Namespace {
        name: name.to_owned(),
        kernels: kernels.into_iter().map(marked).collect(),
    };
    namespaces.into_iter().map(namespace).collect()
}

/// The operators with a kernel for the key that a header declares.
pub(super) fn declared<'a>(ctx: &Context<'a>, key: DispatchKey) -> Vec<&'a NativeFunction> {
    let (variants, index) = (Variants::new(ctx.functions), ctx.indices.get(key));
    let has_kernel = |f: &&NativeFunction| !f.is_included() && kernel_for_key(&variants, f, index).is_some();
    ctx.functions.iter().filter(has_kernel).collect()
}

fn declaration(ctx: &Context, f: &NativeFunction, namespace: &str, kernel: &str) -> Declaration {
    let KernelSignature { returns, parameters } = KernelSignature::written(f);
    let mut own: Vec<String> = parameters.iter().map(Parameter::to_string).collect();
    let mut returned = returns.to_string();
    if let Some(written) = ctx.author_signature(&in_namespace(namespace, kernel), &own) {
        for ((own, parameter), written) in own.iter_mut().zip(&parameters).zip(&written.parameters) {
            if let Some((ty, _)) = written {
                *own = format!("{ty} {}", parameter.name());
            }
        }
        returned = written.returns.clone().unwrap_or(returned);
    }
    Declaration { returns: returned, parameters: own, name: kernel.to_owned() }
}

/// What is passed to an operator's kernel, which may take other types than it is given.
fn passed(ctx: &Context, f: &NativeFunction, kernel: &str) -> Vec<String> {
    let parameters = KernelSignature::written(f).parameters;
    let own: Vec<String> = parameters.iter().map(Parameter::to_string).collect();
    let written = ctx.author_signature(kernel, &own).map(|signature| signature.parameters.as_slice());
    let value = |(at, argument): (usize, &Argument)| {
        let value = format!("std::get<{at}>(values).get()");
        match written.and_then(|written| written.get(at)?.as_ref()) {
            Some((_, conversion)) => conversion.apply(&value, argument.schema_name()),
            None => value,
        }
    };
    f.func.schema_order_arguments().enumerate().map(value).collect()
}

/// The kernels for a key.
#[derive(Debug, Default)]
pub(super) struct Kernels {
    pub(super) registered: Vec<Registered>,
    /// What calls structured ones.
    pub(super) structured: Vec<Variant>,
}

/// The kernels of some operators for a key.
pub(super) fn kernels<'a>(
    ctx: &Context,
    groups: &Groups,
    index: &BackendIndex,
    functions: impl IntoIterator<Item = &'a NativeFunction>,
) -> Kernels {
    let variants = Variants::new(ctx.functions);
    let mut kernels = Kernels::default();
    for f in functions {
        let group = groups.group_of(f);
        let variant = group.and_then(|group| variant(f, group, index));
        let kernel = match &variant {
            Some(variant) => variant.function.clone(),
            None => match kernel_for_key(&variants, f, index) {
                Some((namespace, kernel)) => format!("::{}", in_namespace(namespace, kernel)),
                None => continue,
            },
        };
        let about = ctx.renderer.about([f]);
        let registering = ctx.renderer.registering(f, index.dispatch_key.as_str(), &kernel);
        let arguments = || f.func.schema_order_arguments();
        let size = |(at, ty): (usize, &Type)| match ty {
            Type::List(_, Some(size)) => Some(Size { index: at, size: *size }),
            _ => None,
        };
        let has_tensors = arguments().any(|argument| argument.ty.is_tensor_like());
        kernels.registered.push(Registered {
            function: about.marked(for_key(f, index)),
            operator: cpp_string(&f.full_name()),
            name: registering.marked(cpp_string(&f.func.name.to_string())),
            passed: passed(ctx, f, kernel.trim_start_matches("::")),
            kernel,
            held: arguments().map(|argument| held_type(&argument.ty)).collect(),
            arguments: arguments().map(|argument| cpp_string(argument.schema_name())).collect(),
            sizes: arguments().map(|argument| &argument.ty).enumerate().filter_map(size).collect(),
            results: f.func.returns.len(),
            same_device: index.device_guard && has_tensors && f.device_check == DeviceCheckType::ExactSame,
            guards: index.device_guard && has_tensors && f.device_guard,
            size_check: SizeCheck::new(ctx, f, |at, _| format!("std::get<{at}>(values).get()")),
            when: when(f, group, index),
            c_functions: c_functions(ctx, f, index),
            from_c: arguments().map(from_c).collect(),
        });
        kernels.structured.extend(variant.map(|mut made| {
            made.returns = about.marked(made.returns);
            made
        }));
    }
    kernels
}
