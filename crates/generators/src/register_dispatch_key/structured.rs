//! Wrappers of structured groups: a class that makes or checks the outputs for the meta function,
//! then the kernel.
//!
//! Invariant: kernels get precomputed values in place of the arguments that they were made from.
//! Rule: torchgen/dest/register_dispatch_key.py, `StructuredRegisterDispatchKey`.

use serde::Serialize;

use super::backend::Backend;
use super::device_check::DeviceCheck;
use crate::{Context, ItemError};
use torchgen_api::CallingConvention;
use torchgen_api::cpp::BindingKind;
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::meta::Meta;
use torchgen_api::native::Native;
use torchgen_api::structured::{argument_type, impl_arguments, out_arguments};
use torchgen_api::{
    BaseCppType, CType, CppSignatureGroup, Expr, Locals, NamedCType, Signature, SymInts, joined, translate_with,
};
use torchgen_model::group::NativeFunctionsGroup;
use torchgen_model::model::{DispatchKey, NativeFunction, SchemaKind, Target, Type};

/// A wrapper of a member of a structured group.
#[derive(Serialize)]
pub(crate) struct Structured<'a> {
    at: &'static str,
    /// `functional`, `inplace` or `out`.
    variant: &'static str,
    class: String,
    parent: String,
    /// Outputs are also reported to the parent.
    pub(super) inherits: bool,
    /// How outputs are set.
    sizes: Sizes,
    /// Sizes may be symbolic although the parent needs numbers.
    stand_ins: Option<StandIns<'a>>,
    guard: Option<&'a str>,
    guards_outputs: bool,
    /// One index per output.
    pub(super) outputs: Vec<usize>,
    signature: String,
    /// Wrappers of this key check devices.
    checks_devices: bool,
    device_check: Option<DeviceCheck<'a>>,
    /// The arguments of the class's constructor.
    targets: Vec<&'a str>,
    meta_arguments: String,
    precomputes: bool,
    kernel: Kernel,
    result: String,
}

impl Structured<'_> {
    /// The names of the class and of its base class.
    pub(super) fn names(&self) -> (&str, &str) {
        (&self.class, &self.parent)
    }

    /// Gives the class and its base class other names.
    pub(super) fn rename(&mut self, class: Option<String>, parent: Option<String>) {
        self.class = class.unwrap_or_else(|| std::mem::take(&mut self.class));
        self.parent = parent.unwrap_or_else(|| std::mem::take(&mut self.parent));
    }

    /// Whether it makes its outputs, and does not get them.
    pub(super) fn makes_outputs(&self) -> bool {
        self.variant == SchemaKind::Functional.as_str()
    }
}

/// The sizes and strides of outputs, as the parent passes them.
#[derive(Serialize)]
struct Sizes {
    ty: &'static str,
    /// The prefix of those that must be converted to numbers first; empty if they can be used
    /// directly.
    prefix: &'static str,
}

impl Sizes {
    fn new(backend: &Backend, ctx: &Context, g: &NativeFunctionsGroup) -> Self {
        let symbolic = ctx.target.symbolic_meta_functions && g.out.structured_inherits.is_none();
        match (ctx.target.outside_at, symbolic, backend.symbolic) {
            (false, ..) => Sizes { ty: "IntArrayRef", prefix: "" },
            (_, false, _) => Sizes { ty: "at::IntArrayRef", prefix: "" },
            (.., true) => Sizes { ty: "c10::SymIntArrayRef", prefix: "" },
            (.., false) => Sizes { ty: "c10::SymIntArrayRef", prefix: "sym_" },
        }
    }
}

/// Tensors in place of those with symbolic sizes.
#[derive(Serialize)]
struct StandIns<'a> {
    tensors: Vec<StandIn<'a>>,
    /// The arguments of the meta function.
    meta_arguments: String,
}

#[derive(Serialize)]
struct StandIn<'a> {
    /// The argument.
    of: &'a str,
    /// It, or an undefined tensor.
    value: String,
    name: String,
}

/// The call after the meta function.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Kernel {
    Nothing,
    /// The out variant, through the dispatcher.
    Operator {
        function: String,
        arguments: String,
    },
    /// The hand-written kernel, unless an ahead-of-time compiled one handles the call.
    Impl {
        arguments: String,
        native_aot: Option<NativeAot>,
    },
}

/// An ahead-of-time compiled kernel that is tried first.
#[derive(Serialize)]
pub(crate) struct NativeAot {
    stub: String,
    device_type: String,
    /// Users cannot disable it.
    unconditional: bool,
}

/// The signature of a member's wrapper.
pub(super) fn signature<'a>(backend: &Backend, f: &'a NativeFunction) -> Result<Signature<'a>, ItemError> {
    let prefix = format!("wrapper_{}_", backend.index.dispatch_key);
    let symint = backend.symbolic || backend.index.get_kernel(f).is_some_and(|kernel| kernel.supports_symint());
    Ok(Native { sym_ints: SymInts::kept_if(symint), locals: Locals::for_operator(f) }
        .signature(&f.func)?
        .prefixed(&prefix))
}

/// The wrapper of a member.
pub(crate) fn wrapper<'a>(
    ctx: &Context<'a>,
    backend: &Backend<'a>,
    f: &'a NativeFunction,
    g: NativeFunctionsGroup<'a>,
    signature: &Signature<'a>,
) -> Result<Structured<'a>, ItemError> {
    let kind = f.func.kind();
    let (class, parent) = class(ctx, backend, kind, &g);
    let mode = backend.mode();
    let mut scope: Vec<Expr> = signature.arguments.iter().map(|a| a.to_expr()).collect();
    let symint_meta = SymInts::kept_if(ctx.target.symbolic_meta_functions);
    let for_meta = translate_with(&scope, &Meta { sym_ints: symint_meta }.arguments(&g.functional.func)?, mode)?;
    let stand_ins = stand_ins(ctx, backend, f, &g, &scope)?;
    add_precomputed(&mut scope, &g, symint_meta)?;
    add_outputs(&mut scope, kind, &g, ctx.target)?;
    let kernel = match backend.index.dispatch_key {
        DispatchKey::Meta => Kernel::Nothing,
        DispatchKey::CompositeExplicitAutogradNonFunctional if backend.symbolic => {
            let out = Dispatcher::symbolic(Locals::for_operator(f)).signature(&g.out.func)?;
            Kernel::Operator {
                function: format!("{}::{}::call", ctx.namespaces.operators, g.out.func.name.unambiguous_name()),
                arguments: joined(&translate_with(&scope, &out.arguments, mode)?),
            }
        }
        DispatchKey::CompositeExplicitAutogradNonFunctional => {
            let group = CppSignatureGroup::from_native_function(
                g.out,
                BindingKind::FUNCTION.binding_of(f),
                Locals::for_operator(f),
            )?;
            let out = group.most_faithful_signature();
            Kernel::Operator {
                function: format!("{}::{}", ctx.namespaces.api, out.name),
                arguments: joined(&translate_with(&scope, &out.arguments, mode)?),
            }
        }
        _ => Kernel::Impl {
            arguments: joined(&translate_with(&scope, &impl_arguments(g.out)?, mode)?),
            native_aot: native_aot(ctx, backend, &g),
        },
    };
    let outs: Vec<&str> = f.func.arguments.out.iter().map(|a| a.name.as_str()).collect();
    let outputs: Vec<usize> = (0..f.func.returns.len()).collect();
    let result = result(kind, &outputs, &outs);
    let inherits = g.out.structured_inherits.is_some();
    Ok(Structured {
        at: backend.at,
        variant: kind.as_str(),
        class,
        parent,
        inherits,
        sizes: Sizes::new(backend, ctx, &g),
        stand_ins,
        guard: backend.guard,
        guards_outputs: backend.guards_outputs,
        outputs,
        signature: super::unstructured::definition(ctx, f, signature),
        checks_devices: backend.index.device_guard,
        device_check: DeviceCheck::for_operator(backend, f, signature),
        targets: if kind == SchemaKind::Inplace { vec!["self"] } else { outs },
        meta_arguments: joined(&for_meta),
        precomputes: g.out.precomputed.is_some(),
        kernel,
        result,
    })
}

/// The names of the class and of its base class.
fn class(ctx: &Context, backend: &Backend, kind: SchemaKind, g: &NativeFunctionsGroup) -> (String, String) {
    let name = Meta::default().name(&g.functional.func);
    match g.get_kernel(backend.index).filter(|_| !backend.needs_no_kernels()) {
        Some(kernel) => (
            format!("structured_{}_{kind}", kernel.kernel),
            format!("{}::structured_{}", kernel.cpp_namespace, kernel.kernel),
        ),
        None => {
            let own = if backend.index.dispatch_key == DispatchKey::Meta { "meta" } else { "default_backend" };
            (format!("structured_{name}_{own}_{kind}"), format!("{}::meta::structured_{name}", ctx.namespaces.api))
        }
    }
}

/// TensorIterator does not support symbolic sizes. An elementwise operator does not need it: its
/// outputs have the size to which its inputs broadcast.
fn stand_ins<'a>(
    ctx: &Context,
    backend: &Backend,
    f: &'a NativeFunction,
    g: &NativeFunctionsGroup<'a>,
    scope: &[Expr<'a>],
) -> Result<Option<StandIns<'a>>, ItemError> {
    if !ctx.target.symbolic_meta_functions || backend.key != DispatchKey::Meta || !is_elementwise_iterator(g) {
        return Ok(None);
    }
    let inputs: Vec<_> = f.func.arguments.flat_non_out().filter(|a| a.ty.is_tensor_like()).collect();
    let tensors: Vec<StandIn> = inputs
        .iter()
        .map(|a| StandIn {
            of: &a.name,
            value: match a.ty {
                Type::Optional(_) => format!("{name}.value_or(at::Tensor())", name = a.name),
                _ => a.name.clone(),
            },
            name: format!("{}_stand_in", a.name),
        })
        .collect();
    let substituted = |fact: &Expr<'a>| match tensors.iter().find(|tensor| tensor.of == fact.expr) {
        Some(tensor) => Expr::new(tensor.name.clone(), fact.nctype.clone()),
        None => fact.clone(),
    };
    let scope: Vec<Expr> = scope.iter().map(substituted).collect();
    let goals = Meta { sym_ints: SymInts::Kept }.arguments(&g.functional.func)?;
    let meta_arguments = joined(&translate_with(&scope, &goals, backend.mode())?);
    Ok(Some(StandIns { tensors, meta_arguments }))
}

/// The group's meta function uses TensorIterator, and its outputs have the size to which its inputs
/// broadcast.
pub(crate) fn is_elementwise_iterator(g: &NativeFunctionsGroup) -> bool {
    let is_list = |ty: &Type| ty.is_tensor_like() && ty.is_list_like().is_some();
    g.out.structured_inherits.is_some()
        && g.out.tags.contains("pointwise")
        && !g.out.func.arguments.flat_non_out().any(|a| is_list(&a.ty))
}

fn add_precomputed<'a>(
    scope: &mut Vec<Expr<'a>>,
    g: &NativeFunctionsGroup<'a>,
    sym_ints: SymInts,
) -> Result<(), ItemError> {
    let Some(precomputed) = &g.out.precomputed else { return Ok(()) };
    for a in precomputed.replace.values().flatten().chain(&precomputed.add) {
        scope.push(Expr::new(format!("precompute.{}", a.name), NamedCType::new(&a.name, argument_type(a, sym_ints)?)));
    }
    Ok(())
}

/// After the meta function, the outputs exist.
fn add_outputs<'a>(
    scope: &mut Vec<Expr<'a>>,
    kind: SchemaKind,
    g: &NativeFunctionsGroup<'a>,
    target: Target,
) -> Result<(), ItemError> {
    let tensor = CType::base(BaseCppType::Tensor).mut_ref();
    for (i, out) in out_arguments(&g.out.func)?.into_iter().enumerate() {
        let expr = match kind {
            SchemaKind::Out => format!("op.maybe_get_output({i})"),
            SchemaKind::Inplace if target.inplace_has_required_strides => format!("op.output({i})"),
            _ => format!("op.outputs_[{i}]"),
        };
        scope.push(Expr::new(expr, NamedCType { name: out.nctype.name, ty: tensor }));
    }
    Ok(())
}

/// The wrapper's return value.
fn result(kind: SchemaKind, outputs: &[usize], outs: &[&str]) -> String {
    let moved = |i: &usize| format!("std::move(op.outputs_[{i}])");
    match (kind, outputs, outs) {
        (SchemaKind::Inplace, ..) => "self".to_owned(),
        (SchemaKind::Out, [_], [out, ..]) => (*out).to_owned(),
        (SchemaKind::Out, ..) => format!("std::forward_as_tuple({})", outs.join(", ")),
        (_, [one], _) => moved(one),
        _ => format!("std::make_tuple({})", outputs.iter().map(moved).collect::<Vec<_>>().join(", ")),
    }
}

/// The ahead-of-time compiled kernel that a declaration promises for the group.
fn native_aot(ctx: &Context, backend: &Backend, g: &NativeFunctionsGroup) -> Option<NativeAot> {
    let manifest = ctx.native_aot.find(backend.index.dispatch_key, g)?;
    Some(NativeAot {
        stub: manifest.qualified_stub_name(),
        device_type: manifest.device_type(),
        unconditional: manifest.unconditional,
    })
}

/// Some kernel of the key is compiled ahead of time.
pub(crate) fn has_native_aot(ctx: &Context, backend: &Backend) -> bool {
    ctx.native_aot.has_key(backend.index.dispatch_key)
}
