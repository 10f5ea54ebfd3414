//! What the templates of tracing kernels need.

use serde::Serialize;

use crate::autograd::tracing;
use torchgen_api::{ApiError, CType, cpp, wrapper};
use torchgen_generators::AutogradContext;
use torchgen_model::model::{NativeFunction, SchemaKind};

/// The kernel of an operator.
#[derive(Serialize)]
pub(crate) struct TracedKernel<'a> {
    pub(super) name: String,
    returns_type: CType,
    /// The parameters after the dispatch key set.
    parameters: Vec<String>,
    /// The operator and its overload, as registered.
    operator_name: String,
    /// The namespace of the Operators API.
    ops: &'a str,
    /// The operator's name in it.
    unambiguous_name: String,
    arguments: Vec<&'a str>,
    /// The declaration of the results, unless they are arguments.
    declared: Option<String>,
    returned: Option<String>,
    trace: Option<Trace<'a>>,
}

/// How a call is recorded.
#[derive(Serialize)]
struct Trace<'a> {
    /// The namespace of recorded names.
    namespace: &'a str,
    /// The recorded name.
    name: String,
    /// The recorded name where traces must not contain mutations.
    outplace_name: Option<&'a str>,
    inputs: Vec<&'a str>,
    /// Arguments that receive the results. If `is_factory`, their options are inputs where traces
    /// must not contain mutations.
    outs: Vec<&'a str>,
    is_factory: bool,
    /// The operator that replaces this one takes tensor options, which this one lacks.
    adds_options: bool,
    /// The mutable argument, and the operator's name in the message about it.
    written: Option<WrittenArgument<'a>>,
    outputs: Vec<String>,
    /// The arguments that receive results, if they differ from the outputs.
    outplace_outputs: Option<Vec<&'a str>>,
}

#[derive(Serialize)]
struct WrittenArgument<'a> {
    name: String,
    argument: &'a str,
}

impl<'a> TracedKernel<'a> {
    pub(super) fn new(ctx: &AutogradContext<'a, '_>, f: &'a NativeFunction) -> Result<Self, ApiError> {
        let makes_results = matches!(f.func.kind(), SchemaKind::Functional | SchemaKind::Mutable);
        let declares = makes_results && !f.func.returns.is_empty();
        let signature = wrapper::signature(f)?;
        Ok(TracedKernel {
            parameters: signature.parameters(),
            returns_type: signature.returns_type,
            name: signature.name,
            operator_name: f.func.name.to_string(),
            ops: &ctx.namespaces.operators,
            unambiguous_name: f.func.name.unambiguous_name(),
            arguments: f.func.schema_order_arguments().map(|a| a.name.as_str()).collect(),
            declared: declares.then(|| wrapper::declared(f)).transpose()?,
            returned: wrapper::returned(f)?,
            trace: tracing::should_trace(f, ctx.target.tables).then(|| Trace::new(ctx, f)).transpose()?,
        })
    }
}

impl<'a> Trace<'a> {
    fn new(ctx: &AutogradContext<'a, '_>, f: &'a NativeFunction) -> Result<Self, ApiError> {
        let (func, base) = (&f.func, f.root_name());
        let tables = ctx.target.tables;
        let kind = func.kind();
        let is_dunder = func.name.name.dunder_method;
        // Out variants share their name with the functional one, so one name works for both ways of
        // tracing; a dunder method has no other.
        let one_name = matches!(kind, SchemaKind::Functional | SchemaKind::Out) || is_dunder;
        let own_name = if one_name { func.name.name.to_string() } else { cpp::name(func) };
        let writes = matches!(kind, SchemaKind::Inplace | SchemaKind::Out) && !is_dunder;
        let names = |argument: &'a torchgen_model::model::Argument| argument.name.as_str();
        let outs: Vec<&str> = func.arguments.out.iter().map(names).collect();
        let written = writes
            .then(|| WrittenArgument { name: cpp::name(func), argument: outs.first().copied().unwrap_or("self") });
        let outputs: Vec<String> = cpp::return_names(f, "result")?.into_iter().map(String::from).collect();
        let outplace_outputs = (func.is_out_fn() && outs != outputs).then(|| outs.clone());
        Ok(Trace {
            namespace: ctx.schema_namespace(f),
            name: tracing::renamed(&own_name, tables).map_or(own_name, str::to_owned),
            outplace_name: (!one_name).then(|| tracing::renamed(base, tables).unwrap_or(base)),
            inputs: func.arguments.flat_non_out().map(names).collect(),
            is_factory: func.is_out_fn() && tracing::is_factory(f, tables),
            adds_options: writes && tracing::renamed(base, tables).is_some(),
            written,
            outputs,
            outplace_outputs,
            outs,
        })
    }
}
