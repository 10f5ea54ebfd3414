//! Ufuncs: operators given by an inner loop, from which CPU kernels (through a dispatch stub) and
//! CUDA functors are made.
//!
//! Invariant: SymInts are integers everywhere. A loop computes in one type, its `compute_t`; a
//! functor's parameters split into those of its constructor and those of its call. Rule:
//! torchgen/api/ufunc.py, signatures of torchgen/dest/ufunc.py.

use super::base_type::BaseCppType;
use super::binding::Binding;
use super::cpp;
use super::ctype::CType;
use super::error::{ApiError, BAD_SHAPE, Result, UNSUPPORTED_TYPE};
use super::signature::{CallingConvention, Convention, SymInts};
use super::structured;
use torchgen_model::model::schema::ArgumentRef;
use torchgen_model::model::{Argument, BaseTy, DispatchKey, FunctionSchema, Type};

/// The name of an out variant's kernel.
///
/// # Errors
/// It is not an out variant.
pub fn schema_kernel_name(out: &FunctionSchema, dispatch_key: DispatchKey) -> Result<String> {
    if !out.is_out_fn() {
        return Err(ApiError::new(&BAD_SHAPE, format!("`{}` has a ufunc kernel, but is not an out variant", out.name)));
    }
    Ok(format!("ufunc_{}_{dispatch_key}", out.name.name))
}

/// The type of an argument in which tensors and scalars are `elem`.
///
/// # Errors
/// It is anything else that is not passed by value.
fn elementwise(a: &Argument, elem: &CType) -> Result<CType> {
    let value = cpp::valuetype_type(&a.ty, SymInts::Numbers).map_err(|error| error.about(&a.name))?;
    match (value, &a.ty) {
        (Some(value), _) => Ok(value),
        (None, Type::Base(BaseTy::Tensor | BaseTy::Scalar)) => Ok(*elem),
        (None, ty) => Err(unsupported(a, ty)),
    }
}

fn unsupported(a: &Argument, ty: &Type) -> ApiError {
    ApiError::new(&UNSUPPORTED_TYPE, format!("ufuncs can't take a `{ty}`")).about(&a.name)
}

fn binding(a: &Argument, ty: CType) -> Binding<'_> {
    Binding::new(&a.name, ty, ArgumentRef::Arg(a))
}

/// The convention of an inner loop: a template over the type of the computation. It is for the
/// functional variant of a group.
#[derive(Debug, Clone)]
pub struct InnerLoop<'n> {
    /// The function's name, without its namespace.
    pub name: &'n str,
    /// The type in which it computes.
    pub compute_t: CType,
}

impl<'a> CallingConvention<'a> for InnerLoop<'_> {
    fn convention(&self) -> Convention {
        Convention::Ufunc
    }

    fn sym_ints(&self) -> SymInts {
        SymInts::Numbers
    }

    fn name(&self, _: &FunctionSchema) -> String {
        format!("ufunc::{}", self.name)
    }

    fn arguments(&self, functional: &'a FunctionSchema) -> Result<Vec<Binding<'a>>> {
        functional.arguments.flat_non_out().map(|a| Ok(binding(a, elementwise(a, &self.compute_t)?))).collect()
    }

    fn returns_type(&self, _: &FunctionSchema) -> Result<CType> {
        Ok(self.compute_t)
    }
}

/// The convention of a functor's call on CUDA, for the functional variant of a group: it takes the
/// elements of the tensors; the functor's constructor takes the other arguments on the host.
#[derive(Debug, Clone, Copy)]
pub struct FunctorCall {
    /// The index among the tensors of the one that goes to the constructor.
    pub scalar_tensor: Option<usize>,
}

impl<'a> CallingConvention<'a> for FunctorCall {
    fn convention(&self) -> Convention {
        Convention::Ufunc
    }

    fn sym_ints(&self) -> SymInts {
        SymInts::Numbers
    }

    fn name(&self, _: &FunctionSchema) -> String {
        "operator()".to_owned()
    }

    fn arguments(&self, functional: &'a FunctionSchema) -> Result<Vec<Binding<'a>>> {
        Ok(self.split(functional)?.1)
    }

    fn returns_type(&self, _: &FunctionSchema) -> Result<CType> {
        Ok(BaseCppType::ScalarT.into())
    }
}

impl FunctorCall {
    /// The parameters of the functor's constructor.
    ///
    /// # Errors
    /// An argument can't be passed so, or there are too few tensors.
    pub fn constructor_arguments<'a>(&self, functional: &'a FunctionSchema) -> Result<Vec<Binding<'a>>> {
        Ok(self.split(functional)?.0)
    }

    /// The parameters of the constructor, and those of the call.
    fn split<'a>(&self, functional: &'a FunctionSchema) -> Result<(Vec<Binding<'a>>, Vec<Binding<'a>>)> {
        let (mut constructor, mut call, mut tensors) = (Vec::new(), Vec::new(), 0);
        for a in functional.arguments.flat_non_out() {
            let is_tensor = a.ty.is_tensor_like();
            if is_tensor && self.scalar_tensor != Some(tensors) {
                // Elements are only those of plain tensors.
                if a.ty != Type::Base(BaseTy::Tensor) {
                    return Err(unsupported(a, &a.ty));
                }
                call.push(binding(a, BaseCppType::ScalarT.into()));
            } else {
                constructor.push(binding(a, elementwise(a, &BaseCppType::OpmathT.into())?));
            }
            tensors += usize::from(is_tensor);
        }
        if self.scalar_tensor.is_some_and(|index| index >= tensors) {
            return Err(ApiError::new(
                &BAD_SHAPE,
                format!("`{}` has too few tensors for a ufunc on scalars", functional.name),
            ));
        }
        Ok((constructor, call))
    }
}

/// The convention of the kernel behind the stub through which CPU kernels reach their vectorized
/// versions, for the out variant of a group. The parameters are those after the iterator, which
/// contains the tensors.
#[derive(Debug, Clone, Copy)]
pub struct StubKernel<'a> {
    /// The group's functional variant, from whose name the other names are derived.
    pub functional: &'a FunctionSchema,
}

impl<'a> CallingConvention<'a> for StubKernel<'_> {
    fn convention(&self) -> Convention {
        Convention::Ufunc
    }

    fn sym_ints(&self) -> SymInts {
        SymInts::Numbers
    }

    fn name(&self, _: &FunctionSchema) -> String {
        self.name_of_kind("kernel")
    }

    fn arguments(&self, out: &'a FunctionSchema) -> Result<Vec<Binding<'a>>> {
        let arguments = out.arguments.flat_non_out().filter(|a| !a.ty.is_tensor_like());
        arguments.map(|a| structured::argument(ArgumentRef::Arg(a), SymInts::Numbers)).collect()
    }

    fn returns_type(&self, _: &FunctionSchema) -> Result<CType> {
        Ok(BaseCppType::Void.into())
    }
}

impl StubKernel<'_> {
    /// A name of that kind: `add_stub`, `add_kernel`, `add_fn`.
    pub fn name_of_kind(&self, kind: &str) -> String {
        format!("{}_{kind}", self.functional.name.name)
    }
}
