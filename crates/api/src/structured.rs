//! Structured kernels: `impl` functions that write into prepared outputs, and the parameters of
//! their meta functions.
//!
//! Invariant: parameters never have defaults, tensors are never mutable references and the SymInts
//! of kernels are integers. The caller chooses those of meta functions: integers in ATen, symbolic
//! in libraries. Nothing is returned. Rule: torchgen/api/structured.py.

use super::base_type::BaseCppType;
use super::binding::Binding;
use super::cpp;
use super::ctype::CType;
use super::error::{ApiError, BAD_SHAPE, Result};
use super::signature::{CallingConvention, Convention, Signature, SymInts};
use torchgen_model::model::schema::ArgumentRef;
use torchgen_model::model::{Argument, BaseTy, FunctionSchema, NativeFunction, Type};

/// The C++ type of an argument's type.
pub fn argumenttype_type(ty: &Type, sym_ints: SymInts) -> Result<CType> {
    if let Some(value) = cpp::valuetype_type(ty, sym_ints)? {
        return Ok(value);
    }
    let is_symint = |ty: &Type| *ty == Type::Base(BaseTy::SymInt);
    Ok(match ty {
        Type::Base(BaseTy::Tensor) => CType::base(BaseCppType::Tensor).const_ref(),
        Type::Optional(elem) => match &**elem {
            Type::Base(BaseTy::Tensor) => BaseCppType::OptionalTensorRef.into(),
            Type::Base(BaseTy::Scalar) => BaseCppType::OptionalScalarRef.into(),
            Type::List(ints, _) if is_symint(ints) && sym_ints.are_kept() => BaseCppType::OptionalSymIntArrayRef.into(),
            Type::List(ints, _) if is_symint(ints) || **ints == Type::Base(BaseTy::Int) => {
                BaseCppType::OptionalIntArrayRef.into()
            }
            elem => argumenttype_type(elem, sym_ints)?.optional(),
        },
        Type::List(elem, _) => match &**elem {
            Type::Base(BaseTy::Tensor) => CType::base(BaseCppType::ITensorListRef).const_ref(),
            Type::Optional(elem) if **elem == Type::Base(BaseTy::Tensor) => BaseCppType::IOptTensorListRef.into(),
            Type::Base(BaseTy::Int) => BaseCppType::IntArrayRef.into(),
            Type::Base(BaseTy::Dimname) => BaseCppType::DimnameList.into(),
            Type::Base(BaseTy::SymInt) if sym_ints.are_kept() => BaseCppType::SymIntArrayRef.into(),
            elem => argumenttype_type(elem, sym_ints)?.array_ref(),
        },
        // Anything else than a value, a tensor or a container of them is a scalar.
        Type::Base(_) | Type::Dict(..) | Type::CustomClass(_) => CType::base(BaseCppType::Scalar).const_ref(),
    })
}

/// The C++ type of an argument.
pub fn argument_type(a: &Argument, sym_ints: SymInts) -> Result<CType> {
    if let Some(list) = cpp::bool_list(a) {
        return Ok(list);
    }
    argumenttype_type(&a.ty, sym_ints).map_err(|error| error.about(&a.name))
}

/// The parameter for an argument.
///
/// # Errors
/// It has no C++ type, or it represents gathered tensor options.
pub fn argument(a: ArgumentRef<'_>, sym_ints: SymInts) -> Result<Binding<'_>> {
    match a {
        ArgumentRef::Arg(a) | ArgumentRef::SelfArg(a) => {
            Ok(Binding::new(&a.name, argument_type(a, sym_ints)?, ArgumentRef::Arg(a)))
        }
        ArgumentRef::TensorOptions(options) => {
            Err(ApiError::new(&BAD_SHAPE, "structured kernels can't take tensor options").about(&options.dtype.name))
        }
    }
}

/// The parameters of the `impl` function of the group with that out variant: precomputed values
/// replace the arguments that they are made from.
pub fn impl_arguments(out: &NativeFunction) -> Result<Vec<Binding<'_>>> {
    let mut bindings = Vec::new();
    for a in out.func.arguments.non_out() {
        let replacement = match (a, &out.precomputed) {
            // `self` is never replaced.
            (ArgumentRef::Arg(a), Some(precomputed)) => precomputed.replace.get(&a.name),
            _ => None,
        };
        match replacement {
            Some(replacement) => bindings.extend(plain_arguments(replacement)?),
            None => bindings.push(argument(a, SymInts::Numbers)?),
        }
    }
    if let Some(precomputed) = &out.precomputed {
        bindings.extend(plain_arguments(&precomputed.add)?);
    }
    bindings.extend(out_arguments(&out.func)?);
    Ok(bindings)
}

/// The outputs among the parameters of `impl`.
pub fn out_arguments(out: &FunctionSchema) -> Result<Vec<Binding<'_>>> {
    plain_arguments(&out.arguments.out)
}

fn plain_arguments(arguments: &[Argument]) -> Result<Vec<Binding<'_>>> {
    arguments.iter().map(|a| argument(ArgumentRef::Arg(a), SymInts::Numbers)).collect()
}

/// The convention of a group's `impl` function.
#[derive(Debug, Clone)]
pub(crate) struct Impl<'a> {
    /// The group's out variant.
    pub(crate) out: &'a NativeFunction,
    /// The kernel's name.
    pub name: String,
}

impl<'a> CallingConvention<'a> for Impl<'a> {
    fn convention(&self) -> Convention {
        Convention::Structured
    }

    fn sym_ints(&self) -> SymInts {
        SymInts::Numbers
    }

    fn name(&self, _: &FunctionSchema) -> String {
        self.name.clone()
    }

    fn arguments(&self, _: &'a FunctionSchema) -> Result<Vec<Binding<'a>>> {
        impl_arguments(self.out)
    }

    fn returns_type(&self, _: &FunctionSchema) -> Result<CType> {
        Ok(BaseCppType::Void.into())
    }
}

/// The signature of a group's `impl` function under that name.
pub fn signature(out: &NativeFunction, name: impl Into<String>) -> Result<Signature<'_>> {
    Impl { out, name: name.into() }.signature(&out.func)
}
