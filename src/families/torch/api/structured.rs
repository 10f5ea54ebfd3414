//! Structured kernels: `impl` functions that write into prepared outputs, and the parameters of their meta functions.
//!
//! Invariant: parameters never have defaults, tensors are never mutable references and the SymInts of kernels are integers. Those of meta
//! functions are what the caller asks for: integers in ATen, symbolic in libraries. Nothing is returned.
//! Rule: torchgen/api/structured.py.

use super::base_type::BaseCppType;
use super::binding::Binding;
use super::cpp;
use super::ctype::CType;
use super::error::{ApiError, BAD_SHAPE, Result};
use crate::families::torch::model::schema::ArgumentRef;
use crate::families::torch::model::{Argument, BaseTy, FunctionSchema, NativeFunction, Type};

/// The C++ type of an argument's type; with `symint`, a `SymInt` stays one. Errors: it has none.
pub fn argumenttype_type(ty: &Type, symint: bool) -> Result<CType> {
    if let Some(value) = cpp::valuetype_type(ty, symint)? {
        return Ok(value);
    }
    let is_symint = |ty: &Type| *ty == Type::Base(BaseTy::SymInt);
    Ok(match ty {
        Type::Base(BaseTy::Tensor) => CType::base(BaseCppType::Tensor).const_ref(),
        Type::Optional(elem) => match &**elem {
            Type::Base(BaseTy::Tensor) => BaseCppType::OptionalTensorRef.into(),
            Type::Base(BaseTy::Scalar) => BaseCppType::OptionalScalarRef.into(),
            Type::List(ints, _) if is_symint(ints) && symint => BaseCppType::OptionalSymIntArrayRef.into(),
            Type::List(ints, _) if is_symint(ints) || **ints == Type::Base(BaseTy::Int) => {
                BaseCppType::OptionalIntArrayRef.into()
            }
            elem => argumenttype_type(elem, symint)?.optional(),
        },
        Type::List(elem, _) => match &**elem {
            Type::Base(BaseTy::Tensor) => CType::base(BaseCppType::ITensorListRef).const_ref(),
            Type::Optional(elem) if **elem == Type::Base(BaseTy::Tensor) => BaseCppType::IOptTensorListRef.into(),
            Type::Base(BaseTy::Int) => BaseCppType::IntArrayRef.into(),
            Type::Base(BaseTy::SymInt) if symint => BaseCppType::SymIntArrayRef.into(),
            elem => argumenttype_type(elem, symint)?.array_ref(),
        },
        // What is neither a value, a tensor nor a container of them is a scalar.
        Type::Base(_) | Type::Dict(..) | Type::CustomClass(_) => CType::base(BaseCppType::Scalar).const_ref(),
    })
}

/// The C++ type of an argument; with `symint`, a `SymInt` stays one. Errors: it has none.
pub fn argument_type(a: &Argument, symint: bool) -> Result<CType> {
    argumenttype_type(&a.ty, symint).map_err(|error| error.about(&a.name))
}

/// The parameter for an argument. Errors: it has no C++ type, or it stands for gathered tensor options.
pub fn argument(a: ArgumentRef<'_>, symint: bool) -> Result<Binding<'_>> {
    match a {
        ArgumentRef::Arg(a) | ArgumentRef::SelfArg(a) => {
            Ok(Binding::new(&a.name, argument_type(a, symint)?, ArgumentRef::Arg(a)))
        }
        ArgumentRef::TensorOptions(options) => {
            Err(ApiError::new(&BAD_SHAPE, "structured kernels can't take tensor options").about(&options.dtype.name))
        }
    }
}

/// The parameters of a group's `impl` function, told by its out variant: what was precomputed takes the place of what it was made from.
///
/// Errors: an argument has no C++ type.
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
            None => bindings.push(argument(a, false)?),
        }
    }
    if let Some(precomputed) = &out.precomputed {
        bindings.extend(plain_arguments(&precomputed.add)?);
    }
    bindings.extend(out_arguments(&out.func)?);
    Ok(bindings)
}

/// The parameters of a group's meta function, told by its functional variant; with `symint`, a `SymInt` stays one.
///
/// Errors: an argument has no C++ type.
pub fn meta_arguments(functional: &FunctionSchema, symint: bool) -> Result<Vec<Binding<'_>>> {
    functional.arguments.non_out().into_iter().map(|a| argument(a, symint)).collect()
}

/// The outputs among the parameters of `impl`. Errors: an argument has no C++ type.
pub fn out_arguments(out: &FunctionSchema) -> Result<Vec<Binding<'_>>> {
    plain_arguments(&out.arguments.out)
}

fn plain_arguments(arguments: &[Argument]) -> Result<Vec<Binding<'_>>> {
    arguments.iter().map(|a| argument(ArgumentRef::Arg(a), false)).collect()
}

/// What an `impl` function is defined as.
#[derive(Debug, Clone)]
pub struct ImplSignature<'a> {
    /// The kernel's name.
    pub name: String,
    /// Its parameters.
    pub arguments: Vec<Binding<'a>>,
}

impl ImplSignature<'_> {
    /// `TORCH_IMPL_FUNC(name)(type a, type b)`
    pub fn defn(&self) -> String {
        let arguments: Vec<String> = self.arguments.iter().map(Binding::defn).collect();
        format!("TORCH_IMPL_FUNC({})({})", self.name, arguments.join(", "))
    }
}

/// The signature of a group's `impl` function under that name. Errors: an argument has no C++ type.
pub fn signature(out: &NativeFunction, name: impl Into<String>) -> Result<ImplSignature<'_>> {
    Ok(ImplSignature { name: name.into(), arguments: impl_arguments(out)? })
}
