//! What the author of a library must define: kernels, structured kernels, meta functions and
//! inverses of views, as heads and as skeletons.
//!
//! Invariant: it is what the headers of `native_functions` and of the view inverses declare, except
//! kernels of generated variants.

use serde::Serialize;

use crate::library::functionalization::view_inverse;
use crate::library::implied::is_replaced;
use crate::library::settings::Settings;
use torchgen_api::CallingConvention;
use torchgen_api::meta::Meta;
use torchgen_api::stable::{KernelSignature, Parameter};
use torchgen_api::{Binding, Locals, SymInts, kernel_signature, structured};
use torchgen_base::diag::Span;
use torchgen_base::lang::cpp::Form;
use torchgen_base::render::{Fragment, RenderError, Renderer};
use torchgen_generators::args::Abi;
use torchgen_generators::{Context, Errors, ItemError};
use torchgen_model::group::{Grouped, NativeFunctionsGroup};
use torchgen_model::model::{BackendIndex, DispatchKey, NativeFunction};

/// A function that must be defined.
#[derive(Debug, Clone)]
pub(crate) struct WantedKernel {
    /// Its namespace.
    pub namespace: String,
    /// Its name there. For a structured kernel or meta function, the argument of the macro.
    pub name: String,
    /// How it is defined.
    pub(crate) form: Form,
    /// Its return type; empty after a macro.
    pub returns: String,
    /// Its parameters, without defaults.
    pub(crate) parameters: Vec<String>,
    /// It also computes values for the kernel.
    pub(crate) precomputes: bool,
    /// The dispatch key, if it is for one.
    pub(crate) key: Option<DispatchKey>,
    /// It uses only libtorch's stable ABI.
    pub(crate) stable: bool,
    /// Some builds do not have it.
    pub(crate) conditional: bool,
    /// The operator's name, and its place.
    pub operator: String,
    /// The name that the operator's variants share.
    pub(crate) root_name: String,
    /// Where the YAML names the kernel, or else the operator.
    pub span: Span,
}

impl WantedKernel {
    /// The name with its namespace.
    pub(crate) fn full_name(&self) -> String {
        format!("{}::{}", self.namespace, self.name)
    }
}

/// All of them, in the order of the YAML, each once.
///
/// # Errors
/// An argument or a return has no C++ form.
pub(crate) fn wanted(ctx: &Context, settings: &Settings) -> Result<Vec<WantedKernel>, Errors> {
    let per_item = match settings.abi {
        Abi::Unstable => ctx.per_item(ctx.grouped, |item| of_item(ctx, item))?,
        Abi::Stable => {
            let kept = settings.adapted(ctx.functions, ctx.indices);
            let functions = kept.as_deref().unwrap_or(ctx.functions);
            functions.iter().map(|f| stable_kernels(ctx, f, functions)).collect()
        }
    };
    let mut kernels: Vec<WantedKernel> = Vec::new();
    for kernel in per_item.into_iter().flatten() {
        let same = |known: &WantedKernel| {
            known.form == kernel.form
                && known.parameters == kernel.parameters
                && known.full_name() == kernel.full_name()
        };
        if !kernels.iter().any(same) {
            kernels.push(kernel);
        }
    }
    Ok(kernels)
}

fn of_item(ctx: &Context, item: &Grouped) -> Result<Vec<WantedKernel>, ItemError> {
    let mut kernels = Vec::new();
    if let Grouped::Group(g) = item
        && g.structured()
        && ctx.target.defines_operators
    {
        kernels.push(meta_function(ctx, g)?);
    }
    for index in ctx.indices.iter() {
        if let Grouped::Group(g) = item
            && let Some(kernel) = g.get_kernel(index).filter(|kernel| kernel.structured)
        {
            kernels.push(WantedKernel {
                namespace: kernel.cpp_namespace.clone(),
                name: kernel.kernel.clone(),
                form: Form::Impl,
                returns: String::new(),
                parameters: parameters(&structured::impl_arguments(g.out)?),
                precomputes: false,
                key: Some(index.dispatch_key),
                conditional: g.out.condition_for(index.dispatch_key, &[]).is_some(),
                span: g.out.spans.kernel(index.dispatch_key),
                ..of(g.out)
            });
            continue;
        }
        for f in item.functions().into_iter().filter(|f| !f.is_generated() && !f.manual_kernel_registration) {
            let Some(kernel) = index.get_kernel(f) else { continue };
            let signature = kernel_signature(f, index, Locals::of(f))?;
            kernels.push(WantedKernel {
                namespace: kernel.cpp_namespace.clone(),
                name: kernel.kernel.clone(),
                returns: signature.returns_type.cpp_type().to_owned(),
                parameters: parameters(&signature.arguments),
                key: Some(index.dispatch_key),
                conditional: f.condition_for(index.dispatch_key, &[]).is_some(),
                span: f.spans.kernel(index.dispatch_key),
                ..of(f)
            });
        }
    }
    for f in item.functions() {
        if let Some(inverse) = view_inverse(f)? {
            kernels.push(WantedKernel {
                namespace: inverse.namespace.to_owned(),
                name: inverse.name.to_owned(),
                returns: "at::Tensor".to_owned(),
                parameters: inverse.parameters.iter().map(|(ty, name)| format!("{ty} {name}")).collect(),
                ..of(f)
            });
        }
    }
    Ok(kernels)
}

/// The kernels of an operator on the stable ABI.
fn stable_kernels(ctx: &Context, f: &NativeFunction, all: &[NativeFunction]) -> Vec<WantedKernel> {
    if f.is_generated() || f.manual_kernel_registration {
        return Vec::new();
    }
    let kernel = |index: &BackendIndex| {
        let kernel = index.get_kernel(f).filter(|_| !is_replaced(f, index.dispatch_key, all))?;
        let KernelSignature { returns, parameters } = KernelSignature::written(f);
        Some(WantedKernel {
            namespace: kernel.cpp_namespace.clone(),
            name: kernel.kernel.clone(),
            returns: returns.to_string(),
            parameters: parameters.iter().map(Parameter::to_string).collect(),
            key: Some(index.dispatch_key),
            stable: true,
            conditional: f.condition_for(index.dispatch_key, &[]).is_some(),
            span: f.spans.kernel(index.dispatch_key),
            ..of(f)
        })
    };
    ctx.indices.iter().filter_map(kernel).collect()
}

/// What all kernels of an operator share.
fn of(f: &NativeFunction) -> WantedKernel {
    WantedKernel {
        namespace: String::new(),
        name: String::new(),
        form: Form::Function,
        returns: String::new(),
        parameters: Vec::new(),
        precomputes: false,
        key: None,
        stable: false,
        conditional: f.conditions.operator.is_some(),
        operator: f.full_name(),
        root_name: f.root_name().to_string(),
        span: f.spans.name,
    }
}

fn meta_function(ctx: &Context, g: &NativeFunctionsGroup) -> Result<WantedKernel, ItemError> {
    Ok(WantedKernel {
        namespace: format!("{}::meta", ctx.namespaces.api),
        name: Meta::default().name(&g.functional.func),
        form: Form::Meta,
        parameters: parameters(
            &Meta { sym_ints: SymInts::kept_if(ctx.target.symbolic_meta_functions) }.arguments(&g.functional.func)?,
        ),
        precomputes: g.out.precomputed.is_some(),
        key: Some(DispatchKey::Meta),
        ..of(g.out)
    })
}

fn parameters(bindings: &[Binding]) -> Vec<String> {
    bindings.iter().map(Binding::defn).collect()
}

#[derive(Serialize)]
struct Skeletons<'a> {
    namespace: &'a str,
    kernels: Vec<Skeleton<'a>>,
}

#[derive(Serialize)]
struct Skeleton<'a> {
    form: &'static str,
    name: &'a str,
    full_name: String,
    returns: &'a str,
    parameters: String,
    precomputes: bool,
    stable: bool,
}

impl<'a> From<&'a WantedKernel> for Skeleton<'a> {
    fn from(kernel: &'a WantedKernel) -> Self {
        Skeleton {
            form: match kernel.form {
                Form::Function => "function",
                Form::Impl => "impl",
                Form::Meta => "meta",
            },
            name: &kernel.name,
            full_name: kernel.full_name(),
            returns: &kernel.returns,
            parameters: kernel.parameters.join(", "),
            precomputes: kernel.precomputes,
            stable: kernel.stable,
        }
    }
}

/// The head of a definition, for messages.
///
/// # Errors
/// A template fails.
pub(crate) fn head(renderer: &Renderer, kernel: &WantedKernel) -> Result<String, RenderError> {
    let text = renderer.fragment("torch/kernels/head.j2", &Skeleton::from(kernel))?;
    Ok(text.trim_end().to_owned())
}

/// Definitions that compile and fail when they are called, in their namespaces.
///
/// # Errors
/// A template fails.
pub(crate) fn skeletons(renderer: &Renderer, kernels: &[&WantedKernel]) -> Result<Fragment, RenderError> {
    let mut text = String::new();
    let mut rest = kernels;
    while let Some(first) = rest.first() {
        let len = rest.iter().position(|kernel| kernel.namespace != first.namespace).unwrap_or(rest.len());
        let kernels = rest[..len].iter().map(|kernel| Skeleton::from(*kernel)).collect();
        text.push_str(
            &renderer.fragment("torch/kernels/skeletons.j2", &Skeletons { namespace: &first.namespace, kernels })?,
        );
        rest = &rest[len..];
    }
    Ok(Fragment::new(text))
}

#[derive(Serialize)]
struct Source {
    /// The header that declares the kernels.
    header: String,
}

/// The header that declares the kernels.
pub(crate) fn header(include_dir: &str) -> String {
    format!("{include_dir}/NativeFunctions.h")
}

/// The line that includes it.
///
/// # Errors
/// A template fails.
pub(crate) fn include(renderer: &Renderer, include_dir: &str) -> Result<String, RenderError> {
    renderer.fragment("torch/kernels/source.j2", &Source { header: header(include_dir) })
}
