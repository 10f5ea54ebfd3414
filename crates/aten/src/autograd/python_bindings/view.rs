//! Views of bindings, made from signatures through `api::python`.
//!
//! Invariant: a field contains one type, name or expression. Rule:
//! tools/autograd/gen_python_functions.py, `method_impl`, `emit_single_dispatch`.

use serde::Serialize;

use super::overloads::{Overload, Pair, group_overloads};
use super::return_types::Structseqs;
use super::table::{File, Scope};
use crate::autograd::tracing::should_trace;
use torchgen_api::python::{self, Bound, OutCheck, PythonSignature, TensorOptionsExprs};
use torchgen_api::{ApiError, BaseCppType, CType, cpp, cpp_string};
use torchgen_base::diag::{Diagnostic, gather};
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::{ATEN, BaseOperatorName, NativeFunction, SchemaKind};

/// The entry of a Python function or method in the lists of functions.
#[derive(Serialize)]
pub(crate) struct Head<'a> {
    name: String,
    /// The name without inplace and dunder underscores.
    base: &'a str,
    pycname: String,
    /// `__and__` and the like may return `NotImplemented`, so that Python tries the other operand.
    dunder: bool,
    method: bool,
    #[serde(rename = "static")]
    is_static: bool,
    /// There is nothing to parse.
    noarg: bool,
}

/// All overloads of one Python function or method.
#[derive(Serialize)]
pub(crate) struct Function<'a> {
    #[serde(flatten)]
    pub(crate) head: Head<'a>,
    module: &'a str,
    object: &'a str,
    /// The structseqs it may return.
    structseqs: Vec<StructseqVariable>,
    signatures: Vec<String>,
    traceable: bool,
    max_args: usize,
    overloads: Vec<OverloadView<'a>>,
}

#[derive(Serialize)]
struct StructseqVariable {
    variable: String,
    name: String,
}

/// One signature and its calls.
#[derive(Serialize)]
struct OverloadView<'a> {
    /// The argument number of `out`.
    out_index: usize,
    base: Call<'a>,
    out: Option<Call<'a>>,
}

/// The call of one operator.
#[derive(Serialize)]
struct Call<'a> {
    namespace: &'static str,
    schema: String,
    deprecated: bool,
    method: bool,
    name: String,
    formals: Vec<String>,
    returns: CType,
    void: bool,
    callee: String,
    call_arguments: Vec<&'a str>,
    arguments: Vec<String>,
    self_init: Option<String>,
    out_init: Option<String>,
    name_lists: Vec<(String, String)>,
    options: Option<OptionsView>,
    out_check: Option<OutCheckView>,
    requires_grad: Option<String>,
    structseq: Option<String>,
    /// An inplace operator on a list returns the list it was given.
    returns_list: bool,
}

/// The parts of a variable `options`.
#[derive(Serialize)]
pub(super) struct OptionsView {
    dtype: String,
    device: String,
    layout: String,
    requires_grad: String,
    pin_memory: String,
}

/// What is compared with an output.
#[derive(Serialize)]
pub(super) struct OutCheckView {
    out: String,
    dtype: String,
    dtype_is_none: String,
    layout: String,
    device: String,
    device_is_none: String,
}

impl<'a> Function<'a> {
    /// The view of the overloads of one name.
    pub(super) fn new(
        name: &'a BaseOperatorName,
        file: &'a File,
        pairs: &[&Pair<'a>],
        tables: &Tables,
    ) -> Result<Function<'a>, Vec<Diagnostic>> {
        let structseqs = Structseqs::from_overloads(pairs)?;
        let overloads = group_overloads(pairs)?;
        let method = file.scope == Scope::Methods;
        let views = gather(overloads.iter().map(|overload| overload_view(overload, &structseqs, tables)))?;
        let counts = || pairs.iter().map(|pair| pair.signature.arguments_count());
        let name_text = name.to_string();
        let head = Head {
            pycname: format!("THPVariable_{name_text}"),
            name: name_text,
            base: &name.base,
            dunder: name.dunder_method,
            method,
            is_static: file.is_static,
            noarg: counts().eq([0]),
        };
        Ok(Function {
            head,
            module: &file.module,
            object: &file.object,
            structseqs: structseqs.variables().map(|(variable, name)| StructseqVariable { variable, name }).collect(),
            signatures: overloads.iter().map(|overload| cpp_string(&overload.parser_string)).collect(),
            traceable: pairs.iter().all(|pair| should_trace(pair.function, tables)),
            max_args: counts().max().unwrap_or(0),
            overloads: views,
        })
    }
}

fn overload_view<'a>(
    overload: &Overload<'_, 'a>,
    structseqs: &Structseqs,
    tables: &Tables,
) -> Result<OverloadView<'a>, Diagnostic> {
    let call = |pair: &Pair<'a>| {
        Call::new(&overload.signature, pair.function, structseqs, tables).map_err(|error| pair.error(error))
    };
    Ok(OverloadView {
        out_index: overload.signature.out_index(),
        base: call(overload.base)?,
        out: overload.out.map(call).transpose()?,
    })
}

impl<'a> Call<'a> {
    fn new(
        signature: &PythonSignature<'a>,
        f: &'a NativeFunction,
        structseqs: &Structseqs,
        tables: &Tables,
    ) -> Result<Self, ApiError> {
        let formals = python::lambda_arguments(signature, f)?;
        let returns = python::returns_type(f, tables)?;
        let Bound { arguments, self_init, out_init, name_lists, options, out_check, requires_grad } =
            python::bind(signature, f)?;
        Ok(Call {
            namespace: ATEN,
            schema: signature.deprecated.map_or(&f.func, |deprecated| deprecated.schema).to_string(),
            deprecated: signature.deprecated.is_some(),
            method: signature.is_method(),
            name: cpp::name(&f.func),
            formals: formals.iter().map(|a| format!("{} {}", a.ty, a.name)).collect(),
            void: returns.is(BaseCppType::Void),
            returns,
            callee: python::callee(f),
            call_arguments: python::call_arguments(signature, f)?,
            arguments,
            self_init,
            out_init,
            name_lists,
            options: options.map(OptionsView::from),
            out_check: out_check.map(OutCheckView::from),
            requires_grad,
            structseq: structseqs.variable_of(&f.func)?,
            returns_list: f.func.name.to_string().starts_with("_foreach_") && f.func.kind() == SchemaKind::Inplace,
        })
    }
}

impl From<TensorOptionsExprs> for OptionsView {
    fn from(exprs: TensorOptionsExprs) -> Self {
        let TensorOptionsExprs { dtype, device, layout, requires_grad, pin_memory } = exprs;
        OptionsView { dtype, device, layout, requires_grad, pin_memory }
    }
}

impl From<OutCheck> for OutCheckView {
    fn from(check: OutCheck) -> Self {
        let OutCheck { out, dtype, dtype_is_none, layout, device, device_is_none } = check;
        OutCheckView { out, dtype, dtype_is_none, layout, device, device_is_none }
    }
}
