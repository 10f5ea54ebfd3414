//! Kernels of generated variants: functional ones that call the operator that writes, and out
//! variants that call the functional one and copy its results.
//!
//! Invariant: as for [`composite_kernels`](torchgen_generators::composite_kernels),
//! a generated kernel calls only operators with an entry, or one that does so.

use serde::Serialize;

use torchgen_api::cpp_string;
use torchgen_api::stable::{KernelSignature, Parameter, StableType, has_readable_results, result_types};
use torchgen_base::diag::Diagnostic;
use torchgen_generators::{Context, Errors};
use torchgen_model::codes;
use torchgen_model::group::NativeFunctionsGroup;
use torchgen_model::model::{DispatchKey, NativeFunction, Type};

/// A kernel.
#[derive(Debug, Serialize)]
pub(super) struct Composite<'a> {
    namespace: &'a str,
    name: &'a str,
    returns: String,
    parameters: Vec<Parameter>,
    /// The operator that it is for, as a literal.
    shown: String,
    /// The operator and the overload that it calls, as literals.
    operator: String,
    overload: String,
    /// The types of that operator's results.
    results: Vec<StableType>,
    /// The arguments that are copied before the call, since it writes to them.
    cloned: Vec<&'a str>,
    arguments: Vec<String>,
    /// The arguments that get results.
    copies: Vec<Copy<'a>>,
    returned: Vec<String>,
}

/// An argument and the index of the result that is copied to it.
#[derive(Debug, Serialize)]
struct Copy<'a> {
    argument: &'a str,
    /// Its name as a literal.
    name: String,
    index: usize,
}

/// The kernels of all generated variants.
///
/// # Errors
/// The operator to call has results that libtorch confuses, or there is none.
pub(super) fn composites<'a>(ctx: &Context<'a>) -> Result<Vec<Composite<'a>>, Errors> {
    let of = |group: &NativeFunctionsGroup<'a>| -> Result<Vec<Composite<'a>>, Errors> {
        let mut made = Vec::new();
        if group.functional.is_generated() {
            made.push(functional(ctx, group)?);
        }
        if group.out.is_generated() {
            made.push(out(ctx, group.out, group.functional)?);
        }
        Ok(made)
    };
    let made: Vec<Vec<Composite>> = ctx.groups.iter().map(of).collect::<Result<_, _>>()?;
    Ok(made.into_iter().flatten().collect())
}

fn functional<'a>(ctx: &Context<'a>, group: &NativeFunctionsGroup<'a>) -> Result<Composite<'a>, Errors> {
    let f = group.functional;
    let written = [group.inplace, group.mutable].into_iter().flatten().find(|f| !f.is_generated());
    let callee = written.ok_or_else(|| nothing_to_call(f))?;
    let mut made = calling(ctx, f, callee)?;
    for (own, theirs) in f.func.schema_order_arguments().zip(callee.func.schema_order_arguments()) {
        if theirs.is_write() {
            made.cloned.push(&own.name);
        }
        made.arguments.push(argument(&own.name, &own.ty, theirs.is_write()));
    }
    let aliased = callee.func.aliased_return_names();
    let new = aliased.iter().enumerate().filter(|(_, argument)| argument.is_none());
    made.returned = new.map(|(index, _)| format!("::std::get<{index}>(results)")).collect();
    made.returned.extend(made.cloned.iter().map(|name| format!("{name}_clone")));
    Ok(made)
}

fn out<'a>(ctx: &Context<'a>, f: &'a NativeFunction, callee: &'a NativeFunction) -> Result<Composite<'a>, Errors> {
    let mut made = calling(ctx, f, callee)?;
    let is_out = |name: &str| f.func.arguments.out.iter().any(|own| own.name == name);
    let inputs = f.func.schema_order_arguments().filter(|argument| !is_out(&argument.name));
    made.arguments = inputs.map(|own| own.name.clone()).collect();
    // Other arguments that are written come after out arguments.
    let besides = f.func.arguments.flat_non_out().filter(|argument| argument.is_write());
    let written = f.func.arguments.out.iter().chain(besides).enumerate();
    made.copies = written
        .map(|(index, argument)| Copy { argument: &argument.name, name: cpp_string(argument.schema_name()), index })
        .collect();
    let value = |(index, argument): (usize, Option<&str>)| match argument {
        Some(name) => name.to_owned(),
        None => format!("::std::get<{index}>(results)"),
    };
    made.returned = f.func.aliased_return_names().into_iter().enumerate().map(value).collect();
    Ok(made)
}

/// What a kernel is besides arguments and results.
fn calling<'a>(ctx: &Context<'a>, f: &'a NativeFunction, callee: &NativeFunction) -> Result<Composite<'a>, Errors> {
    if !has_readable_results(&callee.func) {
        let message =
            format!("no kernel for `{}` can be generated: C++ cannot call `{}`", f.func.name, callee.func.name);
        let error = Diagnostic::new(&codes::STABLE_TYPE, message).at(callee.spans.name);
        return Err(error.help("give its results one type, or write the variant yourself").into());
    }
    let index = ctx.indices.get(DispatchKey::CompositeExplicitAutograd);
    let kernel = index.get_kernel(f).ok_or_else(|| nothing_to_call(f))?;
    let KernelSignature { returns, parameters } = KernelSignature::registered(&f.func);
    Ok(Composite {
        namespace: &kernel.cpp_namespace,
        name: &kernel.kernel,
        returns: ctx.renderer.about([f, callee]).marked(returns.to_string()),
        parameters,
        shown: cpp_string(&f.full_name()),
        operator: cpp_string(&format!("{}::{}", callee.namespace, callee.func.name.name)),
        overload: cpp_string(&callee.func.name.overload_name),
        results: result_types(&callee.func),
        cloned: Vec::new(),
        arguments: Vec::new(),
        copies: Vec::new(),
        returned: Vec::new(),
    })
}

/// An argument of the call. A list that was copied is a vector.
fn argument(name: &str, ty: &Type, cloned: bool) -> String {
    match (cloned, ty) {
        (true, Type::List(..)) => format!("ArrayRef<Tensor>({name}_clone)"),
        (true, _) => format!("{name}_clone"),
        (false, _) => name.to_owned(),
    }
}

fn nothing_to_call(f: &NativeFunction) -> Diagnostic {
    let message =
        format!("`{}` is generated, but has no inplace or mutable variant that its kernel could call", f.func.name);
    Diagnostic::new(&codes::BAD_SHAPE, message).at(f.spans.name)
}
