//! VariableType: the kernels that make an operator differentiable. Writes VariableType.h, the
//! shards of VariableType.cpp, and the template that the shards are made from.
//!
//! Invariant: an operator has one kernel for each key that it has derivatives for, and one for all
//! other keys if it has none. An operator without the derivatives that it needs is registered as
//! not implemented. Rule: tools/autograd/gen_variable_type.py.

mod checks;
mod forward;
mod gradient;
mod kernel;
mod lists;
mod operator;
mod saved;
pub mod single;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::Serialize;

use self::lists::Traits;
use self::operator::DispatchedOperator;
use super::autograd_common::{is_manual_backend, of_all_operators, shared_kernel, use_derived};
use super::guard::{guarded, together};
use super::{AutogradContext, Errors, ItemError, Outcome, per_item};
use torchgen_api::autograd::{
    DEFAULT_KEY, DifferentiabilityInfo, NativeFunctionWithDifferentiabilityInfo, gen_differentiable_outputs,
};
use torchgen_api::{cpp, native};
use torchgen_base::diag::{Diagnostic, Span};
use torchgen_base::render::{Env, Fragment, RenderError, Sharded};
use torchgen_base::write::OutputFile;
use torchgen_model::codes;
use torchgen_model::model::Target;
use torchgen_model::model::rules::Rules;
use torchgen_model::model::{DispatchKey, NativeFunction, SchemaKind};

/// The number of shards of VariableType.cpp, and of TraceType.cpp.
pub fn shards(ctx: &AutogradContext) -> u32 {
    if Rules::of_tables(ctx.target.tables).autograd_has_ten_shards { 10 } else { 5 }
}

/// The differences between PyTorch and operator libraries that are not in the context.
#[derive(Debug, Clone, Copy)]
pub struct Style<'s> {
    /// The qualifier of a kernel's name in its registration.
    pub kernel_prefix: &'s str,
    /// Whether operators without forward formulas try the decompositions that libtorch has for its
    /// own operators.
    pub jvp_decompositions: bool,
    /// Composite operators may have kernels for a backend, which bypass those that count versions.
    pub counts_versions: bool,
    /// Calls below autograd go to the Operators API, which each operator declares in a header of
    /// its own, and not to the functions of RedispatchFunctions.h.
    pub calls_operators: bool,
    /// Operators without a derivative share a kernel.
    pub shares_kernels: bool,
}

/// PyTorch's own.
const PYTORCH: Style = Style {
    kernel_prefix: "VariableType::",
    jvp_decompositions: true,
    counts_versions: false,
    calls_operators: false,
    shares_kernels: false,
};

/// The kernels of one operator.
#[derive(Debug, Clone)]
pub struct Kernels {
    /// The text that selects its shard.
    pub shard_key: String,
    /// One for each key.
    pub by_key: Vec<KeyedKernel>,
}

/// The kernel of one operator for one key.
#[derive(Debug, Clone)]
pub struct KeyedKernel {
    /// The key.
    pub key: DispatchKey,
    /// The function; `None` if the kernel is one of many operators.
    pub definition: Option<Fragment>,
    /// The kernel is that of all operators without a derivative that mutate arguments.
    pub is_shared: bool,
    /// Its registration with the dispatcher.
    pub registration: Fragment,
}

/// Makes the kernels of all operators that have one, in their order.
pub fn kernels(ctx: &AutogradContext, style: Style) -> Result<Vec<Kernels>, Errors> {
    let has_kernel = |fn_: &&NativeFunctionWithDifferentiabilityInfo| {
        use_derived(fn_, ctx.target) && !fn_.func.has_autograd_kernel && can_be_called(fn_.func, ctx.target)
    };
    let functions: Vec<_> = ctx.matched.functions.iter().filter(has_kernel).collect();
    per_item(&functions, |fn_| kernels_of(ctx, style, fn_))
}

/// Whether an argument can select the kernel. PyTorch has kernels for all operators; those without
/// tensors are never called, and a library without derivatives would compile one for each.
fn can_be_called(f: &NativeFunction, target: Target) -> bool {
    target.known_by_name || f.func.arguments.flat_all().any(|argument| argument.ty.is_tensor_like())
}

/// The name of the kernel for a key, given that of the kernel for the default key.
fn name_for_key(name: String, key: DispatchKey) -> String {
    if key == DEFAULT_KEY { name } else { format!("{name}_{key}") }
}

/// The kernel of operators that autograd does not implement.
const FALLBACK: &str = "torch::autograd::autogradNotImplementedFallback()";

#[derive(Serialize)]
struct Registration {
    operator: String,
    /// The kernel; `None` if autograd is not implemented.
    kernel: Option<String>,
}

fn kernels_of<'a>(
    ctx: &AutogradContext<'_, 'a>,
    style: Style,
    fn_: &NativeFunctionWithDifferentiabilityInfo<'a>,
) -> Result<Kernels, ItemError> {
    let (f, target, renderer) = (fn_.func, ctx.target, ctx.renderer);
    check_entry(fn_, target)?;
    let condition = together(f, &[]);
    let register = |key: DispatchKey, kernel: Option<String>| -> Result<Fragment, RenderError> {
        let registering = renderer.registering(f, key.as_str(), kernel.as_deref().unwrap_or(FALLBACK));
        let view = Registration { operator: f.func.name.to_string(), kernel };
        let template = target.template("torch/variable_type/registration.j2", "torch/library/autograd/registration.j2");
        guarded(renderer, condition.as_ref(), registering.fragment(template, &view)?.into())
    };
    let define = |key: DispatchKey| -> Result<KeyedKernel, ItemError> {
        let op = DispatchedOperator::new(fn_, key, target)?;
        let view = kernel::view(ctx, style, &op)?;
        let template = target.template("torch/variable_type/definition.j2", "torch/library/autograd/kernel.j2");
        let definition = renderer.about([f]).fragment(template, &view)?;
        let definition = guarded(renderer, condition.as_ref(), definition.into())?;
        let registration =
            register(key, Some(format!("{}{}", style.kernel_prefix, name_for_key(native::name(&f.func), key))))?;
        Ok(KeyedKernel { key, definition: Some(definition), is_shared: false, registration })
    };
    let by_key = match &fn_.info {
        None if is_not_implemented(fn_, target)? => {
            let registration = register(DEFAULT_KEY, None)?;
            vec![KeyedKernel { key: DEFAULT_KEY, definition: None, is_shared: false, registration }]
        }
        None => match shared(ctx, style, f) {
            Some(kernel) => {
                let registration = register(DEFAULT_KEY, Some(kernel))?;
                vec![KeyedKernel { key: DEFAULT_KEY, definition: None, is_shared: true, registration }]
            }
            None => vec![define(DEFAULT_KEY)?],
        },
        Some(by_key) => by_key.keys().map(|key| define(*key)).collect::<Result<_, _>>()?,
    };
    Ok(Kernels { shard_key: cpp::name(&f.func), by_key })
}

/// The kernel of an operator without a derivative that mutates arguments, none of which it
/// returns, if the code is that of all such operators.
fn shared(ctx: &AutogradContext, style: Style, f: &NativeFunction) -> Option<String> {
    let returns_none = f.func.returns.iter().all(|ret| ret.annotation.is_none());
    let has_own = !style.shares_kernels || !f.differentiable || f.func.kind() == SchemaKind::Out || !returns_none;
    let written = shared_kernel(f, ctx.target).filter(|_| !has_own)?;
    Some(of_all_operators(ctx, f, "NotDifferentiable", &written))
}

/// The fallback is enough: the operator's outputs would need derivatives, and its kernel would do
/// nothing else of importance.
fn is_not_implemented(fn_: &NativeFunctionWithDifferentiabilityInfo, target: Target) -> Result<bool, ItemError> {
    let f = fn_.func;
    let traits = Traits::for_operator(f, &cpp::name(&f.func), target);
    // The fallback supports one view at most, and no arguments that are mutated and not returned.
    let views = f.func.returns.iter().filter(|ret| ret.annotation.is_some()).count();
    let is_beyond_it = !target.known_by_name
        && ((f.func.kind() != SchemaKind::Out && views > 1) || !operator::unreturned(f, target).is_empty());
    let has_a_purpose = is_beyond_it
        || traits.resets_grad_accumulator
        || traits.base_dont_require_derivative
        || traits.may_exchange_impl_or_storage
        || traits.may_share_storage;
    Ok(!has_a_purpose && !gen_differentiable_outputs(fn_, DEFAULT_KEY)?.is_empty())
}

/// # Errors
/// The operator's entry contradicts its treatment by autograd.
fn check_entry(fn_: &NativeFunctionWithDifferentiabilityInfo, target: Target) -> Result<(), Diagnostic> {
    let f = fn_.func;
    if f.manual_kernel_registration && !is_manual_backend(f, target) {
        let message = format!("`{}` is not one of the operators that are registered by hand", f.func.name);
        return Err(Diagnostic::new(&codes::BAD_SHAPE, message)
            .at(f.spans.func)
            .help("delete `manual_kernel_registration`"));
    }
    let info = fn_.info.iter().flat_map(|by_key| by_key.values()).find(|info| info.has_derivatives());
    let derivative = info.map(|info: &DifferentiabilityInfo| info.span);
    derivative.filter(|_| !f.is_abstract).map_or(Ok(()), |derivative| Err(no_kernel(f, derivative)))
}

/// The error that an operator with a derivative has no kernel below autograd.
pub fn no_kernel(f: &NativeFunction, derivative: Span) -> Diagnostic {
    let message = format!("`{}` has a derivative, but no kernel of its own below autograd", f.func.name);
    Diagnostic::new(&codes::NO_KERNEL_FOR_DERIVATIVE, message)
        .at(f.spans.func)
        .also(derivative, "the derivative")
        .help("add `dispatch:` with a kernel for each backend, or for CompositeExplicitAutograd")
}

const HEADER: &str = "VariableType.h";
const SOURCE: &str = "VariableType.cpp";

/// Makes all files of ATen's VariableType.
///
/// # Errors
/// The errors of all operators, or of a template.
pub fn run(ctx: &AutogradContext) -> Outcome {
    let kernels = kernels(ctx, PYTORCH)?;
    let names = KeyNames::from_keys(&ctx.derivatives.used_dispatch_keys);
    let template = template(ctx, &names)?;
    let sharded = Sharded {
        file: SOURCE.to_owned(),
        template: SOURCE.to_owned(),
        shards: shards(ctx),
        base: Env::new(),
        keys: names.0.values().flat_map(|names| [names.definitions.clone(), names.registrations.clone()]).collect(),
        items: kernels.into_iter().map(|kernels| (kernels.shard_key, names.env(kernels.by_key))).collect(),
    };
    let shards = ctx.renderer.render_sharded_text(&sharded, &template.contents.to_string())?;
    let shards = shards.into_iter().map(|shard| OutputFile::rendered(ctx.manager, shard));
    let header = ctx.file(HEADER, &ctx.env(HEADER)?)?;
    Ok([header, template].into_iter().chain(shards).collect())
}

#[derive(Serialize)]
struct Template<'k> {
    /// The namespace of the operators.
    library: &'k str,
    keys: Vec<&'k KeyName>,
}

/// The template that the shards are made from: with a place for the kernels of each key.
fn template(ctx: &AutogradContext, names: &KeyNames) -> Result<OutputFile, RenderError> {
    let library = ctx.namespaces.schema.as_deref().unwrap_or(&ctx.namespaces.api);
    let view = Template { library, keys: names.0.values().collect() };
    let places =
        |name: &str| ctx.renderer.fragment(&format!("torch/variable_type/{name}.j2"), &view).map(Fragment::of_template);
    let env = Env::from_iter([
        ("type_derived_method_definitions", places("definitions")?),
        ("wrapper_registrations", places("registrations")?),
    ]);
    ctx.files.file(&format!("templates/{SOURCE}"), SOURCE, &env)
}

/// The names of a key in the template, in the order of the names.
struct KeyNames(BTreeMap<&'static str, KeyName>);

#[derive(Serialize)]
struct KeyName {
    /// As in derivatives.yaml.
    name: &'static str,
    dispatch_key: DispatchKey,
    /// The name of the list of definitions.
    definitions: String,
    /// The name of the list of registrations.
    registrations: String,
}

impl KeyNames {
    fn from_keys<'k>(keys: impl IntoIterator<Item = &'k DispatchKey>) -> Self {
        let names = |key: &DispatchKey| {
            let name = key_name(*key);
            let definitions = format!("type_derived_method_definitions_{name}");
            let registrations = format!("wrapper_registrations_{name}");
            (name, KeyName { name, dispatch_key: *key, definitions, registrations })
        };
        KeyNames(keys.into_iter().map(names).collect())
    }

    /// The kernels under the names of their keys.
    fn env(&self, kernels: Vec<KeyedKernel>) -> Env {
        let mut env = Env::new();
        for kernel in kernels {
            if let Some(names) = self.0.get(key_name(kernel.key)) {
                env.set(&names.definitions, kernel.definition.into_iter().collect::<Vec<_>>());
                env.set(&names.registrations, vec![kernel.registration]);
            }
        }
        env
    }
}

/// The key as in derivatives.yaml.
fn key_name(key: DispatchKey) -> &'static str {
    if key == DEFAULT_KEY { "Default" } else { key.as_str() }
}
