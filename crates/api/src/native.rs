//! In-tree kernels: the functions of `at::native` and of a library's own kernels.
//!
//! Invariant: parameters follow the schema, so that calls from the dispatcher need little
//! translation; functional kernels keep defaults for direct callers. Rule: torchgen/api/native.py.

use std::borrow::Cow;

use super::Locals;
use super::base_type::BaseCppType;
use super::binding::Binding;
use super::cpp::{self, TypeStyle};
use super::ctype::CType;
use super::default::argument_default;
use super::error::Result;
use super::signature::{CallingConvention, Convention, SymInts};
use torchgen_model::model::schema::ArgumentRef;
use torchgen_model::model::{Argument, BaseTy, FunctionSchema, Type};

/// The convention.
#[derive(Debug, Clone, Copy, Default)]
pub struct Native {
    /// How SymInts are spelled.
    pub sym_ints: SymInts,
    /// The toggles to apply.
    pub locals: Locals,
}

impl<'a> CallingConvention<'a> for Native {
    fn convention(&self) -> Convention {
        Convention::Native
    }

    fn sym_ints(&self) -> SymInts {
        self.sym_ints
    }

    fn name(&self, func: &FunctionSchema) -> String {
        name(func)
    }

    fn arguments(&self, func: &'a FunctionSchema) -> Result<Vec<Binding<'a>>> {
        let with_defaults = !func.is_out_fn();
        let mut bindings = Vec::new();
        for argument in func.arguments.non_out().into_iter().chain(func.arguments.out.iter().map(ArgumentRef::Arg)) {
            match argument {
                ArgumentRef::Arg(a) | ArgumentRef::SelfArg(a) => {
                    let ty = argument_type(a, self.sym_ints, self.locals)?;
                    let default = if with_defaults {
                        argument_default(a, self.sym_ints).map_err(|error| error.about(&a.name))?
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

    fn returns_type(&self, func: &FunctionSchema) -> Result<CType> {
        cpp::returns_type(&func.returns, self.locals)
    }
}

/// The default name of a kernel: the C++ name and the overload.
pub fn name(func: &FunctionSchema) -> String {
    let mut name = cpp::name(func);
    if !func.name.overload_name.is_empty() {
        name.push('_');
        name.push_str(&func.name.overload_name);
    }
    name
}

/// The type of an argument.
pub(crate) fn argument_type(a: &Argument, sym_ints: SymInts, locals: Locals) -> Result<CType> {
    if let Some(list) = cpp::bool_list(a) {
        return Ok(list);
    }
    let style = TypeStyle { mutable: a.is_mutable_reference(), sym_ints, locals, ..TypeStyle::default() };
    argumenttype_type(&a.ty, style).map_err(|error| error.about(&a.name))
}

/// The C++ type of an argument's type.
pub fn argumenttype_type(ty: &Type, style: TypeStyle) -> Result<CType> {
    // Unlike the other conventions, this one shows that a mutable tensor is optional.
    if let Type::Optional(elem) = ty
        && **elem == Type::Base(BaseTy::Tensor)
        && style.mutable
        && !style.locals.use_const_ref_for_mutable_tensors
    {
        return Ok(CType::base(BaseCppType::Tensor).optional().mut_ref());
    }
    cpp::argumenttype_type(ty, style)
}
