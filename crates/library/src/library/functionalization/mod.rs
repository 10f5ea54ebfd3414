//! Functionalization of a library: kernels of views and mutable operators, for
//! compilers, which need programs without either.
//!
//! Invariant: a kernel calls only the library's own operators, below functionalization. PyTorch
//! itself functionalizes mutable operators that return none of their mutable arguments, and inplace
//! and out= variants without a functional variant; composites decompose before.

mod inverse;
mod view;
mod viewed;

use std::collections::HashMap;

use serde::Serialize;

use super::{unwritten, wants_registrations};
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::Fragment;
use torchgen_generators::functionalization::mutation_kernel;
use torchgen_generators::guard::{Guard, guarded, together};
use torchgen_generators::{Context, Errors, ItemError};
use torchgen_model::codes;
use torchgen_model::group::{functional_schema, out_schema};
use torchgen_model::model::{DispatchKey, FunctionSchema, NativeFunction, Return, SchemaKind};
use view::ViewKernel;

pub(crate) use inverse::{declarations as inverse_declarations, view_inverse};

/// The values for the template of all kernels.
#[derive(Serialize)]
struct File<'a> {
    namespace: &'a str,
    /// There are mutable operators.
    mutations: bool,
    /// An argument is a list of tensors that may be `None`.
    optional_lists: bool,
    view_metas: Vec<Fragment>,
    kernels: Vec<Fragment>,
    registrations: Vec<Registration>,
}

/// A kernel and its operator.
#[derive(Serialize)]
struct Registration {
    operator: String,
    kernel: String,
    /// The builds that have it.
    guard: Option<Guard>,
}

#[derive(Serialize)]
struct Mutation<'a> {
    #[serde(flatten)]
    kernel: mutation_kernel::MutationKernel<'a>,
    /// The operator, for messages.
    schema_name: String,
    schema: String,
}

/// Why an operator needs a kernel.
enum Task<'a> {
    /// It is mutable, and this is its functional variant.
    Write(&'a NativeFunction),
    View,
}

/// The kernels, if any operator needs one.
pub(super) fn section(ctx: &Context) -> Result<Option<Fragment>, Errors> {
    if !wants_registrations(ctx) {
        return Ok(None);
    }
    let functional = functional_variants(ctx);
    let tasks: Vec<_> = ctx.functions.iter().filter_map(|f| Some((f, task(ctx, f, &functional)?))).collect();
    let functions: Vec<&NativeFunction> = tasks.iter().map(|(f, _)| *f).collect();
    let by_name: HashMap<_, _> = tasks.iter().map(|(f, task)| (&f.func.name, task)).collect();
    let condition = |f: &NativeFunction| match by_name[&f.func.name] {
        Task::Write(functional) => together(f, &[functional]),
        Task::View => together(f, &[]),
    };
    let made = ctx.per_item(&functions, |f| {
        let (metas, kernel) = match by_name[&f.func.name] {
            Task::Write(functional) => (Vec::new(), mutation(ctx, f, functional)?),
            Task::View => view(ctx, f)?,
        };
        Ok((metas, guarded(ctx.renderer, condition(f).as_ref(), kernel)?))
    })?;
    if made.is_empty() {
        return Ok(None);
    }
    let registering = |f| ctx.renderer.registering(f, DispatchKey::Functionalize.as_str(), &kernel_name(f));
    let mut file = File {
        namespace: &ctx.namespaces.api,
        mutations: tasks.iter().any(|(_, task)| matches!(task, Task::Write(_))),
        optional_lists: functions.iter().any(|f| takes_optional_list(f)),
        view_metas: Vec::new(),
        kernels: Vec::new(),
        registrations: functions
            .iter()
            .map(|f| Registration {
                operator: registering(f).marked(f.func.name.to_string()),
                kernel: kernel_name(f),
                guard: Guard::compiled(condition(f)),
            })
            .collect(),
    };
    for (view_metas, kernel) in made {
        file.view_metas.extend(view_metas);
        file.kernels.push(kernel);
    }
    let text = ctx.renderer.fragment("torch/library/RegisterFunctionalization.cpp.j2", &file)?;
    Ok(Some(Fragment::of_template(text)))
}

/// Warns about operators that compilers refuse: they return their mutable arguments, PyTorch does
/// not functionalize them itself, and they have no functional variant.
pub(crate) fn lints(ctx: &Context) -> Vec<Diagnostic> {
    refused_if(ctx, |ret| ret.given_back || ret.is_write())
}

/// The same only for operators that return an argument that is neither `self` nor an out argument.
pub(crate) fn lints_for_given_back(ctx: &Context) -> Vec<Diagnostic> {
    refused_if(ctx, |ret| ret.given_back)
}

fn refused_if(ctx: &Context, returns_argument: fn(&Return) -> bool) -> Vec<Diagnostic> {
    let functional = functional_variants(ctx);
    let is_refused = |f: &&NativeFunction| {
        ctx.target.defines_operators
            && !f.is_view_op()
            && !f.has_composite_implicit_autograd_kernel
            && f.func.returns.iter().any(returns_argument)
            && !f.has_tag("inplace")
            && !f.has_tag("out")
            && !functional.contains_key(&f.func.signature())
            // Its schema is reported.
            && unwritten(f).is_none()
    };
    ctx.functions.iter().filter(is_refused).map(refused).collect()
}

fn refused(f: &NativeFunction) -> Diagnostic {
    let name = &f.func.name;
    if f.func.returns.iter().any(|r| r.given_back) {
        let message =
            format!("torch.compile and torch.export will refuse `{name}`: it returns an argument that it mutates");
        return Diagnostic::new(&codes::NOT_FUNCTIONALIZABLE, message)
            .at(f.spans.name)
            .help("add an operator that returns only new values, or nothing, for compiled programs");
    }
    let message =
        format!("torch.compile and torch.export will refuse `{name}`: it lacks a functional variant to call instead");
    let overload = name.overload_name.strip_suffix("out").unwrap_or(&name.overload_name).trim_end_matches('_');
    let functional = functional_schema(&f.func);
    let functional = functional.with_name(functional.name.with_overload(overload));
    let diagnostic = Diagnostic::new(&codes::NOT_FUNCTIONALIZABLE, message).at(f.spans.name);
    match out_schema(&f.func) {
        Ok(out) => diagnostic
            .help({
                let line = format!("autogen: {}, {}", functional.name, out.name);
                f.spans.with_key(format!("add `{line}`, so that it is generated"), line)
            })
            .help(format!("or write it: `{}::{functional}`", f.namespace)),
        Err(_) => diagnostic.help(format!("add `{}::{functional}`", f.namespace)),
    }
}

/// The functional operators by the properties that they share with their variants.
fn functional_variants<'a>(ctx: &Context<'a>) -> HashMap<FunctionSchema, &'a NativeFunction> {
    let is_functional = |f: &&NativeFunction| f.func.kind() == SchemaKind::Functional && !f.is_view_op();
    ctx.functions.iter().filter(is_functional).map(|f| (f.func.signature(), f)).collect()
}

/// The work for an operator, if there is any.
fn task<'a>(
    ctx: &Context,
    f: &NativeFunction,
    functional: &HashMap<FunctionSchema, &'a NativeFunction>,
) -> Option<Task<'a>> {
    let registered = |f: &NativeFunction| ctx.selector.is_native_function_selected(f);
    if !ctx.target.defines_operators || f.has_composite_implicit_autograd_kernel || !registered(f) {
        return None;
    }
    if f.is_view_op() {
        return Some(Task::View);
    }
    let kind = f.func.kind();
    let gives_back = f.func.returns.iter().any(|r| r.is_write());
    if !gives_back && kind != SchemaKind::Out {
        return None;
    }
    functional.get(&f.func.signature()).filter(|f| registered(f)).map(|f| Task::Write(f))
}

fn takes_optional_list(f: &NativeFunction) -> bool {
    f.func.tensor_arguments().any(|a| a.ty.is_optional_list())
}

fn kernel_name(f: &NativeFunction) -> String {
    format!("wrapper_Functionalize_{}", f.func.name.unambiguous_name())
}

fn mutation(ctx: &Context, f: &NativeFunction, functional: &NativeFunction) -> Result<Fragment, ItemError> {
    let kernel = mutation_kernel::MutationKernel::new(ctx, &kernel_name(f), f, functional)?;
    let view = Mutation { kernel, schema_name: f.full_name(), schema: f.qualified_schema() };
    Ok(Fragment::new(
        ctx.renderer.about([f, functional]).fragment("torch/library/functionalization/mutation.j2", &view)?,
    ))
}

/// The view metas of a view and its kernel. An inplace view has those of its out-of-place
/// counterpart.
fn view(ctx: &Context, f: &NativeFunction) -> Result<(Vec<Fragment>, Fragment), ItemError> {
    let is_inplace = f.func.name.name.inplace;
    let counterpart = match is_inplace {
        false => f,
        true => ctx
            .view_groups
            .iter()
            .find(|g| g.view_inplace.is_some_and(|inplace| std::ptr::eq(inplace, f)))
            .map(|g| g.view)
            .ok_or_else(|| no_counterpart(f))?,
    };
    let metas = match is_inplace {
        false => view::metas(ctx, f)?,
        true => Vec::new(),
    };
    let view = ViewKernel::new(ctx, &kernel_name(f), f, counterpart)?;
    Ok((metas, Fragment::new(ctx.renderer.about([f]).fragment("torch/library/functionalization/view.j2", &view)?)))
}

fn no_counterpart(f: &NativeFunction) -> Diagnostic {
    let message = format!("inplace view `{}` has no out-of-place counterpart with the same arguments", f.func.name);
    Diagnostic::new(&codes::VIEW_WITHOUT_GROUP, message).at(f.spans.name)
}
