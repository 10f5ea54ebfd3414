//! Kernels of mutable operators: they call the functional variant, and its results replace the
//! mutable arguments.
//!
//! Invariant: the functional variant returns the operator's own new results first, then the new
//! values of its mutable arguments. Rule: torchgen/gen_functionalization_type.py,
//! `emit_inplace_functionalization_body`.

use serde::Serialize;

use super::kernel::{self, Tensor};
use super::table;
use crate::{Context, ItemError};
use torchgen_api::CallingConvention;
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::{CType, Expr, Locals, Signature, functionalization, joined, native, translate_with};
use torchgen_base::diag::Diagnostic;
use torchgen_kit::driver::data::Tables;
use torchgen_model::codes;
use torchgen_model::group::NativeFunctionsGroup;
use torchgen_model::model::{Argument, BaseTy, NativeFunction, SchemaKind, Target};

/// The kernel's name for the result of the operator below.
const RESULT: &str = "tmp_output";

/// What a template needs for such a kernel.
#[derive(Serialize)]
pub struct MutationKernel<'a> {
    definition: String,
    /// The operator runs on meta tensors first, to find errors in shapes.
    checks_shapes: bool,
    tensors: Vec<Tensor<'a>>,
    /// The arguments that contain tensors: the mutable ones, the others, and the plain tensors
    /// among the others.
    written: Vec<&'a str>,
    read: Vec<&'a str>,
    read_tensors: Vec<&'a str>,
    /// The operator itself, for arguments that need no functionalization.
    operator: Call,
    meta_arguments: String,
    /// Its return value.
    passed_on: Option<String>,
    functional: Call,
    /// The results that are new to the caller.
    fresh: Vec<String>,
    /// The mutable arguments, each with its result.
    updates: Vec<Update<'a>>,
    returned: Option<String>,
}

#[derive(Serialize)]
struct Call {
    function: String,
    arguments: String,
    /// The type of the result, if there is any.
    result_type: Option<CType>,
}

#[derive(Serialize)]
struct Update<'a> {
    name: &'a str,
    value: String,
}

/// The kernel of a mutable member.
///
/// # Errors
/// The functional variant does not match, or something has no C++ form.
pub(crate) fn mutation_kernel(
    ctx: &Context,
    f: &NativeFunction,
    g: &NativeFunctionsGroup,
) -> Result<String, ItemError> {
    let kernel = MutationKernel::new(ctx, &native::name(&f.func), f, g.functional)?;
    Ok(ctx.renderer.about([f, g.functional]).fragment("torch/functionalization/mutation_kernel.j2", &kernel)?)
}

impl<'a> MutationKernel<'a> {
    /// The kernel of that name.
    ///
    /// # Errors
    /// The functional variant does not match, or something has no C++ form.
    pub fn new(
        ctx: &Context,
        name: &str,
        f: &'a NativeFunction,
        functional: &NativeFunction,
    ) -> Result<Self, ItemError> {
        let locals = Locals::for_operator(f);
        let own = Dispatcher::symbolic(locals).signature(&f.func)?;
        let unwrapped = kernel::unwrapped(&own);
        let callee = Dispatcher::symbolic(locals).signature(&functional.func)?;
        let mut arguments = translate_with(&unwrapped, &callee.arguments, ctx.mode())?;
        if ctx.target.keeps_type_of_out {
            keep_type_of_out(f, &callee, &mut arguments, ctx.target.tables)?;
        }
        let results = Results::new(f, functional, ctx.target)?;
        let all = || f.func.arguments.flat_all();
        let holding = |chosen: fn(&Argument) -> bool| -> Vec<&str> {
            all().filter(|a| a.ty.is_tensor_like() && chosen(a)).map(|a| a.name.as_str()).collect()
        };
        let meta: Vec<String> = kernel::meta(&own).into_iter().map(|b| b.name.into_owned()).collect();
        Ok(MutationKernel {
            definition: own.redispatch_defn_as(name),
            checks_shapes: f.func.kind() == SchemaKind::Inplace && !all().any(|a| a.ty.is(BaseTy::Storage)),
            tensors: kernel::tensors(&own),
            written: holding(|a| a.annotation.is_some()),
            read: holding(|a| a.annotation.is_none()),
            read_tensors: holding(|a| a.annotation.is_none() && a.ty.is(BaseTy::Tensor)),
            operator: Call {
                function: functionalization::forward_name(&f.func, &ctx.namespaces.operators),
                arguments: joined(&translate_with(&unwrapped, &own.arguments, ctx.mode())?),
                result_type: (!f.func.returns.is_empty()).then(|| own.returns_type.remove_const_ref()),
            },
            meta_arguments: meta.join(", "),
            passed_on: kernel::result(&results.passed_on, &own.returns_type),
            functional: Call {
                function: functionalization::forward_name(&functional.func, &ctx.namespaces.operators),
                arguments: joined(&arguments),
                result_type: Some(callee.returns_type.remove_const_ref()),
            },
            returned: kernel::result(&results.returned, &own.returns_type),
            fresh: results.fresh,
            updates: results.updates,
        })
    }
}

/// The destinations of the functional variant's results.
struct Results<'a> {
    /// The return value if the operator itself was called.
    passed_on: Vec<String>,
    fresh: Vec<String>,
    updates: Vec<Update<'a>>,
    returned: Vec<String>,
}

impl<'a> Results<'a> {
    /// # Errors
    /// A return may be one of several arguments, or the numbers of results do not agree.
    fn new(f: &'a NativeFunction, functional: &NativeFunction, target: Target) -> Result<Results<'a>, Diagnostic> {
        let own = kernel::returned_arguments(f)?;
        let aliased: Vec<&str> = own.iter().copied().flatten().collect();
        let new = parts(&own);
        let mut inner = parts(&kernel::returned_arguments(functional)?);
        let mut written = f.func.arguments.mutable_arg_names();
        if target.writes_besides_out {
            // The functional variant returns the values of out arguments before those of an out=
            // variant's other mutable arguments.
            written.sort_by_key(|name| !f.func.arguments.out.iter().any(|out| out.name == *name));
        }
        if written.len() + new.len() != inner.len() {
            return Err(mismatch(f, functional, written.len() + new.len(), inner.len()));
        }
        let updated = inner.split_off(new.len());
        let outputs = (0..new.len()).map(|index| format!("output_{index}"));
        let start = || aliased.iter().map(|name| (*name).to_owned());
        Ok(Results {
            returned: start().chain(outputs).collect(),
            passed_on: start().chain(new).collect(),
            fresh: inner,
            updates: written.into_iter().zip(updated).map(|(name, value)| Update { name, value }).collect(),
        })
    }
}

/// The elements of a result that are not arguments.
fn parts(returns: &[Option<&str>]) -> Vec<String> {
    let new = returns.iter().enumerate().filter(|(_, argument)| argument.is_none());
    new.map(|(index, _)| kernel::part(RESULT, index, returns.len())).collect()
}

fn mismatch(f: &NativeFunction, functional: &NativeFunction, expected: usize, found: usize) -> Diagnostic {
    let (name, counterpart) = (&f.func.name, &functional.func.name);
    let message = format!(
        "`{counterpart}` must have {expected} new results, those of `{name}` and its mutable arguments, not {found}"
    );
    Diagnostic::new(&codes::FUNCTIONAL_MISMATCH, message)
        .at(functional.spans.func)
        .also(f.spans.func, "the mutable variant")
}

/// Where eager mode computes in the type of the out argument, the functional variant gets that
/// type.
///
/// Rule: torchgen/gen_functionalization_type.py, `maybe_replace_cumulative_out_dtype_exprs`.
fn keep_type_of_out(
    f: &NativeFunction,
    callee: &Signature,
    arguments: &mut [Expr],
    tables: &Tables,
) -> Result<(), Diagnostic> {
    if f.func.kind() != SchemaKind::Out || !table::computed_in_type_of_out(f, tables) {
        return Ok(());
    }
    let error = |message: String| Err(Diagnostic::new(&codes::BAD_SHAPE, message).at(f.spans.func));
    let [out] = f.func.arguments.out.as_slice() else {
        return error(format!(
            "`{}` computes in the type of its out argument, so it must have exactly one out argument",
            f.func.name
        ));
    };
    let dtype = callee.argument_names().position(|name| name == "dtype").and_then(|at| arguments.get_mut(at));
    let Some(dtype) = dtype else {
        return error(format!(
            "`{}` computes in the type of its out argument, so it needs an argument `dtype`",
            f.func.name
        ));
    };
    let (given, out) = (&dtype.expr, &out.name);
    let expr = format!("{given}.has_value() ? {given} : std::optional<at::ScalarType>({out}_.scalar_type())");
    dtype.expr = expr.into();
    Ok(())
}
