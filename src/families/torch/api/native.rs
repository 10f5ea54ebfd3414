//! Kernels in the tree: the functions of `at::native` and of a library's own kernels.
//!
//! Invariant: parameters follow the schema, so that calls from the dispatcher need little translation; functional kernels keep defaults
//! for those who call them directly. Rule: torchgen/api/native.py.

use std::borrow::Cow;

use super::Locals;
use super::base_type::BaseCppType;
use super::binding::Binding;
use super::cpp;
use super::ctype::CType;
use super::default::argument_default;
use super::error::Result;
use super::signature::{Convention, Signature};
use crate::families::torch::model::schema::ArgumentRef;
use crate::families::torch::model::{Argument, BaseTy, FunctionSchema, Return, Type};

/// What the kernel is called when nothing else is said: the C++ name and the overload.
pub fn name(func: &FunctionSchema) -> String {
    let mut name = cpp::name(func, false, false);
    if !func.name.overload_name.is_empty() {
        name.push('_');
        name.push_str(&func.name.overload_name);
    }
    name
}

/// The type of an argument. Errors: it has none.
pub fn argument_type(a: &Argument, symint: bool, locals: Locals) -> Result<CType> {
    // Unlike the other conventions, this one keeps it visible that a written tensor is optional.
    if let Type::Optional(elem) = &a.ty
        && **elem == Type::Base(BaseTy::Tensor)
        && a.is_mutable_reference()
        && !locals.use_const_ref_for_mutable_tensors
    {
        return Ok(CType::base(BaseCppType::Tensor).optional().mut_ref());
    }
    cpp::argument_type(a, symint, locals)
}

/// The type of what is returned. Errors: operators can't return it.
pub fn returns_type(returns: &[Return], locals: Locals) -> Result<CType> {
    cpp::returns_type(returns, locals)
}

/// The parameters. Errors: an argument or its default has no C++ form.
pub fn arguments(func: &FunctionSchema, symint: bool, locals: Locals) -> Result<Vec<Binding<'_>>> {
    let with_defaults = !func.is_out_fn();
    let mut bindings = Vec::new();
    for argument in func.arguments.non_out().into_iter().chain(func.arguments.out.iter().map(ArgumentRef::Arg)) {
        match argument {
            ArgumentRef::Arg(a) | ArgumentRef::SelfArg(a) => {
                let ty = argument_type(a, symint, locals)?;
                let default = if with_defaults {
                    argument_default(a, symint).map_err(|error| error.about(&a.name))?
                } else {
                    None
                };
                bindings.push(Binding { default, ..Binding::new(&a.name, ty, ArgumentRef::Arg(a)) });
            }
            ArgumentRef::TensorOptions(_) => {
                let parts = [
                    ("dtype", BaseCppType::ScalarType),
                    ("layout", BaseCppType::Layout),
                    ("device", BaseCppType::Device),
                    ("pin_memory", BaseCppType::Bool),
                ];
                bindings.extend(parts.map(|(name, ty)| Binding {
                    default: with_defaults.then_some(Cow::Borrowed("{}")),
                    ..Binding::new(name, CType::base(ty).optional(), argument)
                }));
            }
        }
    }
    cpp::drop_unreachable_defaults(&mut bindings);
    Ok(bindings)
}

/// The signature, under its own name or with a prefix before it. Errors: an argument, a default or a return has no C++ form.
pub fn signature<'a>(func: &'a FunctionSchema, prefix: &str, symint: bool, locals: Locals) -> Result<Signature<'a>> {
    Ok(Signature {
        func,
        convention: Convention::Native,
        symint,
        name: format!("{prefix}{}", name(func)),
        returns_type: returns_type(&func.returns, locals)?,
        arguments: arguments(func, symint, locals)?,
    })
}
