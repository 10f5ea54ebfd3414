//! Kernels of the generated variants.
//!
//! Invariant: their names are those that variant generation gave their kernels. Rule:
//! torchgen/native_function_generation.py, `gen_composite_functional_kernel` and
//! `gen_composite_out_kernel`.

use serde::Serialize;

use crate::functionalization::kernel::{part, result, returned_arguments};
use crate::{Context, ItemError};
use torchgen_api::CallingConvention;
use torchgen_api::cpp::TypeStyle;
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::functionalization::forward_name;
use torchgen_api::{Expr, Locals, NamedCType, SymInts, dispatcher, joined, translate_with};
use torchgen_base::diag::Diagnostic;
use torchgen_model::codes;
use torchgen_model::group::NativeFunctionsGroup;
use torchgen_model::model::{FunctionSchema, NativeFunction};

#[derive(Serialize)]
struct Functional<'a> {
    /// The operator's schema, if authors read the text.
    schema: Option<String>,
    definition: String,
    /// The arguments that the called variant mutates, as clones.
    cloned: Vec<&'a str>,
    call: String,
    /// The call has a result.
    has_result: bool,
    returned: Option<String>,
}

#[derive(Serialize)]
struct Out<'a> {
    /// The operator's schema, if authors read the text.
    schema: Option<String>,
    definition: String,
    call: String,
    copies: Vec<Copy<'a>>,
    returned: Option<String>,
}

/// An out argument, and the value that is copied to it.
#[derive(Serialize)]
struct Copy<'a> {
    out: &'a str,
    value: String,
}

/// The kernel of a generated functional variant.
///
/// # Errors
/// There is no variant to call, it does not match, or something has no C++ form.
pub(crate) fn functional(ctx: &Context, g: &NativeFunctionsGroup) -> Result<Option<String>, ItemError> {
    let f = g.functional;
    if !f.is_generated() {
        return Ok(None);
    }
    let locals = Locals::for_operator(g.out);
    let written = [g.inplace, g.mutable].into_iter().flatten().find(|f| !f.is_generated());
    let callee = written.ok_or_else(|| nothing_to_call(f))?;
    let own = Dispatcher::symbolic(locals).signature(&f.func)?;
    let target = Dispatcher::symbolic(locals).signature(&callee.func)?;
    let style = TypeStyle { sym_ints: SymInts::Kept, locals, ..TypeStyle::default() };
    let mut cloned = Vec::new();
    let mut known = Vec::new();
    for (own, theirs) in f.func.schema_order_arguments().zip(callee.func.schema_order_arguments()) {
        let ty = dispatcher::argument_type(own, style)?;
        let mut expr = own.name.clone();
        if theirs.is_write() {
            expr.push_str("_clone");
            cloned.push(own.name.as_str());
        }
        known.push(Expr::new(expr, NamedCType::new(&own.name, ty)));
    }
    let arguments = joined(&translate_with(&known, &target.arguments, ctx.mode())?);
    let returns = returned_arguments(callee)?;
    let new = returns.iter().enumerate().filter(|(_, argument)| argument.is_none());
    let mut returned: Vec<String> = new.map(|(index, _)| part("output", index, returns.len())).collect();
    returned.extend(cloned.iter().map(|name| format!("{name}_clone")));
    if returned.len() != f.func.returns.len() {
        return Err(mismatch(f, callee, returned.len()).into());
    }
    let view = Functional {
        schema: ctx.target.authors_read.then(|| f.qualified_schema()),
        definition: own.defn_as(&with_symint(own.name.clone(), &g.out.func)),
        cloned,
        call: format!("{}({arguments})", forward_name(&callee.func, &ctx.namespaces.operators)),
        has_result: !callee.func.returns.is_empty(),
        returned: result(&returned, &own.returns_type),
    };
    let template =
        ctx.target.template("torch/composite_kernels/functional.j2", "torch/library/composite/functional.j2");
    Ok(Some(ctx.renderer.about([f, callee]).fragment(template, &view)?))
}

/// The kernel of a generated out= variant.
///
/// # Errors
/// The functional variant does not match, or something has no C++ form.
pub(crate) fn out(ctx: &Context, g: &NativeFunctionsGroup) -> Result<Option<String>, ItemError> {
    let (f, callee) = (g.out, g.functional);
    if !f.is_generated() {
        return Ok(None);
    }
    let locals = Locals::for_operator(f);
    let own = Dispatcher::symbolic(locals).signature(&f.func)?;
    let target = Dispatcher::symbolic(locals).signature(&callee.func)?;
    let arguments = joined(&translate_with(&own.arguments, &target.arguments, ctx.mode())?);
    let value = |index| part("tmp_output", index, callee.func.returns.len());
    // Other mutable arguments come after out arguments. The reference's kernels leave them
    // unchanged.
    let besides = f.func.arguments.flat_non_out().filter(|a| a.is_write() && ctx.target.writes_besides_out);
    let written = f.func.arguments.out.iter().chain(besides).enumerate();
    let returns = returned_arguments(f)?;
    let returned =
        returns.iter().enumerate().map(|(index, argument)| argument.map_or_else(|| value(index), str::to_owned));
    let view = Out {
        schema: ctx.target.authors_read.then(|| f.qualified_schema()),
        definition: own.defn_as(&with_symint(f.func.name.unambiguous_name(), &f.func)),
        call: format!("{}({arguments})", forward_name(&callee.func, &ctx.namespaces.operators)),
        copies: written.map(|(index, out)| Copy { out: &out.name, value: value(index) }).collect(),
        returned: result(&returned.collect::<Vec<_>>(), &own.returns_type),
    };
    let template = ctx.target.template("torch/composite_kernels/out.j2", "torch/library/composite/out.j2");
    Ok(Some(ctx.renderer.about([f, callee]).fragment(template, &view)?))
}

/// A kernel's name shows that it takes symbolic integers.
fn with_symint(mut name: String, out: &FunctionSchema) -> String {
    if out.has_symint() {
        name.push_str("_symint");
    }
    name
}

fn nothing_to_call(f: &NativeFunction) -> Diagnostic {
    let message =
        format!("`{}` is generated, but has no inplace or mutable variant that its kernel could call", f.func.name);
    Diagnostic::new(&codes::BAD_SHAPE, message).at(f.spans.name)
}

fn mismatch(f: &NativeFunction, callee: &NativeFunction, found: usize) -> Diagnostic {
    let (name, expected) = (&f.func.name, f.func.returns.len());
    let message = format!(
        "`{name}` has {expected} results, but the results and mutable arguments of `{}` add up to {found}",
        callee.func.name
    );
    Diagnostic::new(&codes::FUNCTIONAL_MISMATCH, message)
        .at(f.spans.func)
        .also(callee.spans.func, "the mutable variant")
}
