//! The dispatcher's unboxed convention: every argument of the schema on its own, in order, without defaults.
//!
//! Invariant: there is one parameter per argument of the schema. Rule: torchgen/api/dispatcher.py.

use super::Locals;
use super::binding::Binding;
use super::cpp::{self, TypeStyle};
use super::ctype::CType;
use super::error::Result;
use super::signature::{Convention, Signature};
use crate::families::torch::model::schema::ArgumentRef;
use crate::families::torch::model::{Argument, FunctionSchema, Return};

/// What the function is called.
pub fn name(func: &FunctionSchema) -> String {
    cpp::name(func, false, false)
}

/// The type of an argument. `style.mutable` is taken from the argument. Errors: it has none.
pub fn argument_type(a: &Argument, style: TypeStyle) -> Result<CType> {
    let style = TypeStyle { mutable: a.is_mutable_reference(), ..style };
    cpp::argumenttype_type(&a.ty, style).map_err(|error| error.about(&a.name))
}

/// The type of what is returned. Errors: operators can't return it.
pub fn returns_type(returns: &[Return], locals: Locals) -> Result<CType> {
    cpp::returns_type(returns, locals)
}

/// The arguments of the schema, in order, tensor options taken apart.
pub fn jit_arguments(func: &FunctionSchema) -> Vec<&Argument> {
    func.schema_order_arguments().collect()
}

/// The parameter for one argument. Errors: it has no C++ type.
pub fn argument(a: &Argument, style: TypeStyle) -> Result<Binding<'_>> {
    Ok(Binding::new(&a.name, argument_type(a, style)?, ArgumentRef::Arg(a)))
}

/// The parameters. Errors: an argument has no C++ type.
pub fn arguments(func: &FunctionSchema, symint: bool, locals: Locals) -> Result<Vec<Binding<'_>>> {
    let style = TypeStyle { symint, locals, ..TypeStyle::default() };
    func.schema_order_arguments().map(|a| argument(a, style)).collect()
}

/// The signature, under its own name or with a prefix before it. Errors: an argument or a return has no C++ type.
pub fn signature<'a>(func: &'a FunctionSchema, prefix: &str, symint: bool, locals: Locals) -> Result<Signature<'a>> {
    Ok(Signature {
        func,
        convention: Convention::Dispatcher,
        symint,
        name: format!("{prefix}{}", name(func)),
        returns_type: returns_type(&func.returns, locals)?,
        arguments: arguments(func, symint, locals)?,
    })
}
