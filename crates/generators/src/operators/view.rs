//! What the templates of the Operators API need.

use serde::Serialize;

use super::static_dispatch::{StaticDispatch, static_dispatch};
use crate::{Context, ItemError};
use torchgen_api::CallingConvention;
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::{Locals, cpp_string};
use torchgen_model::model::NativeFunction;

/// The struct of an operator.
#[derive(Serialize)]
pub(crate) struct Declaration<'a> {
    /// The struct's name: base name and overload.
    name: String,
    /// The macro that exports it from its shared library.
    export: &'a str,
    namespace: &'a str,
    base_name: String,
    overload_name: &'a str,
    /// The operator's schema, if authors read the text.
    schema: Option<String>,
    /// The schema as a C++ literal.
    schema_str: String,
    /// The type of a function with the operator's signature.
    schema_type: String,
    call: String,
    redispatch: String,
}

pub(crate) fn declaration<'a>(ctx: &Context<'a>, f: &'a NativeFunction) -> Result<Declaration<'a>, ItemError> {
    let signature = Dispatcher::symbolic(Locals::for_operator(f)).signature(&f.func)?;
    Ok(Declaration {
        name: f.func.name.unambiguous_name(),
        export: &ctx.namespaces.export,
        namespace: ctx.schema_namespace(f),
        base_name: f.func.name.name.to_string(),
        overload_name: &f.func.name.overload_name,
        schema: ctx.target.authors_read.then(|| f.func.text()),
        schema_str: cpp_string(&f.func.text()),
        schema_type: signature.function_type(),
        call: signature.defn_as("call"),
        redispatch: signature.redispatch_defn_as("redispatch"),
    })
}

/// The entry points into the dispatcher.
#[derive(Serialize)]
pub(crate) struct Definition<'a> {
    name: String,
    namespace: &'a str,
    /// The schema, for comments.
    schema: String,
    call: String,
    redispatch: String,
    /// The names of the parameters.
    arguments: String,
    /// The body of `call` that replaces the dispatcher.
    static_dispatch: Option<StaticDispatch>,
}

pub(super) fn definition<'a>(ctx: &Context<'a>, f: &'a NativeFunction) -> Result<Definition<'a>, ItemError> {
    let signature = Dispatcher::symbolic(Locals::for_operator(f)).signature(&f.func)?;
    let name = f.func.name.unambiguous_name();
    Ok(Definition {
        namespace: ctx.schema_namespace(f),
        schema: f.func.text(),
        call: signature.defn_as(&format!("{name}::call")),
        redispatch: signature.redispatch_defn_as(&format!("{name}::redispatch")),
        arguments: signature.argument_names().collect::<Vec<_>>().join(", "),
        static_dispatch: static_dispatch(ctx, f, &signature)?,
        name,
    })
}
