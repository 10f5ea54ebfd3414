//! Ufuncs: operators given by an inner loop, from which CPU kernels (through a dispatch stub) and
//! CUDA functors are made.
//!
//! Invariant: SymInts are integers everywhere. A loop computes in one type, its `compute_t`; a
//! functor's parameters split into those of its constructor and those of its call. Rule:
//! torchgen/api/ufunc.py, signatures of torchgen/dest/ufunc.py.

use super::base_type::BaseCppType;
use super::binding::{Binding, Expr};
use super::cpp;
use super::ctype::CType;
use super::error::{ApiError, BAD_SHAPE, Result, UNSUPPORTED_TYPE, Unsatisfied};
use super::structured;
use super::translate::translate;
use crate::families::torch::api::SymInts;
use crate::families::torch::model::schema::ArgumentRef;
use crate::families::torch::model::{Argument, BaseTy, DispatchKey, FunctionSchema, Type};

/// The name of an out variant's kernel.
///
/// # Errors
/// It is not an out variant.
pub(crate) fn schema_kernel_name(out: &FunctionSchema, dispatch_key: DispatchKey) -> Result<String> {
    if !out.is_out_fn() {
        return Err(ApiError::new(&BAD_SHAPE, format!("`{}` has a ufunc kernel, but is not an out variant", out.name)));
    }
    Ok(format!("ufunc_{}_{dispatch_key}", out.name.name))
}

/// The type of an argument in which tensors and scalars are `elem`.
///
/// # Errors
/// It is anything else that is not passed by value.
fn elementwise(a: &Argument, elem: CType) -> Result<CType> {
    let value = cpp::valuetype_type(&a.ty, SymInts::Numbers).map_err(|error| error.about(&a.name))?;
    match (value, &a.ty) {
        (Some(value), _) => Ok(value),
        (None, Type::Base(BaseTy::Tensor | BaseTy::Scalar)) => Ok(elem),
        (None, ty) => Err(unsupported(a, ty)),
    }
}

fn unsupported(a: &Argument, ty: &Type) -> ApiError {
    ApiError::new(&UNSUPPORTED_TYPE, format!("ufuncs can't take a `{ty}`")).about(&a.name)
}

fn binding(a: &Argument, ty: CType) -> Binding<'_> {
    Binding::new(&a.name, ty, ArgumentRef::Arg(a))
}

/// A functor on CUDA: some arguments go to its constructor on the host, the others to its call on
/// the device.
#[derive(Debug, Clone)]
pub(crate) struct UfunctorSignature<'a> {
    /// The functor's name.
    pub name: String,
    /// Parameters of the constructor.
    pub ctor: Vec<Binding<'a>>,
    /// Parameters of the call.
    pub apply: Vec<Binding<'a>>,
}

impl<'a> UfunctorSignature<'a> {
    /// The functor of the group with that functional variant. The tensor of index
    /// `scalar_tensor_idx` among the tensors goes to the constructor.
    ///
    /// # Errors
    /// An argument can't be passed this way, or there is no tensor of that index.
    pub(crate) fn new(
        functional: &'a FunctionSchema,
        scalar_tensor_idx: Option<usize>,
        name: impl Into<String>,
    ) -> Result<Self> {
        let (mut ctor, mut apply, mut tensors) = (Vec::new(), Vec::new(), 0);
        for a in functional.arguments.flat_non_out() {
            let is_tensor = a.ty.is_tensor_like();
            if is_tensor && scalar_tensor_idx != Some(tensors) {
                // Elements are only those of plain tensors.
                if a.ty != Type::Base(BaseTy::Tensor) {
                    return Err(unsupported(a, &a.ty));
                }
                apply.push(binding(a, BaseCppType::ScalarT.into()));
            } else {
                ctor.push(binding(a, elementwise(a, BaseCppType::OpmathT.into())?));
            }
            tensors += usize::from(is_tensor);
        }
        if scalar_tensor_idx.is_some_and(|index| index >= tensors) {
            return Err(ApiError::new(
                &BAD_SHAPE,
                format!("`{}` has too few tensors for a ufunc on scalars", functional.name),
            ));
        }
        Ok(UfunctorSignature { name: name.into(), ctor, apply })
    }

    /// The return type of a call.
    pub(crate) fn returns_type(&self) -> CType {
        BaseCppType::ScalarT.into()
    }

    /// The fields that store the constructor's arguments: named like them, with an underscore at
    /// the end.
    pub(crate) fn fields(&self) -> Vec<Binding<'a>> {
        self.ctor.iter().map(|b| b.with_name(format!("{}_", b.name))).collect()
    }

    /// The head of the call's definition.
    pub(crate) fn apply_decl(&self) -> String {
        let arguments: Vec<String> = self.apply.iter().map(Binding::decl).collect();
        format!("{} operator()({}) const", self.returns_type(), arguments.join(", "))
    }

    /// What is in scope within a call: fields and the call's own parameters.
    pub(crate) fn apply_context(&self) -> Vec<Binding<'a>> {
        let mut context = self.fields();
        context.extend(self.apply.iter().cloned());
        context
    }
}

/// The hand-written inner loop, a template over the type of the computation.
#[derive(Debug, Clone)]
pub(crate) struct UfuncSignature<'a> {
    /// The function's name.
    pub name: String,
    /// Its parameters.
    pub arguments: Vec<Binding<'a>>,
}

impl<'a> UfuncSignature<'a> {
    /// The loop of the group with that functional variant, computing in `compute_t`.
    ///
    /// # Errors
    /// An argument can't be passed so.
    pub(crate) fn new(functional: &'a FunctionSchema, name: impl Into<String>, compute_t: CType) -> Result<Self> {
        let arguments = functional.arguments.flat_non_out().map(|a| Ok(binding(a, elementwise(a, compute_t)?)));
        Ok(UfuncSignature { name: name.into(), arguments: arguments.collect::<Result<_>>()? })
    }

    /// A call with what is in scope.
    ///
    /// # Errors
    /// Something is missing.
    pub(crate) fn call<B: Into<Expr<'a>>>(
        &self,
        context: impl IntoIterator<Item = B>,
    ) -> std::result::Result<String, Unsatisfied> {
        Ok(format!("{}({})", self.name, joined(context, &self.arguments)?))
    }
}

/// The trampoline through which CPU kernels reach their vectorized versions.
#[derive(Debug, Clone)]
pub(crate) struct StubSignature<'a> {
    /// The operator's name, from which the other names are derived.
    base: String,
    /// Its parameters after the iterator, which contains the tensors.
    pub arguments: Vec<Binding<'a>>,
}

impl<'a> StubSignature<'a> {
    /// The stub of the group with that functional and out variant.
    ///
    /// # Errors
    /// An argument has no C++ type.
    pub(crate) fn new(functional: &FunctionSchema, out: &'a FunctionSchema) -> Result<Self> {
        let arguments = out.arguments.flat_non_out().filter(|a| !a.ty.is_tensor_like());
        Ok(StubSignature {
            base: functional.name.name.to_string(),
            arguments: arguments
                .map(|a| structured::argument(ArgumentRef::Arg(a), SymInts::Numbers))
                .collect::<Result<_>>()?,
        })
    }

    /// The stub.
    pub(crate) fn name(&self) -> String {
        format!("{}_stub", self.base)
    }

    /// The kernel behind it.
    pub(crate) fn kernel_name(&self) -> String {
        format!("{}_kernel", self.base)
    }

    /// The name of the kernel's type.
    pub(crate) fn type_name(&self) -> String {
        format!("{}_fn", self.base)
    }

    /// The type of a pointer to the kernel.
    pub(crate) fn ptr_type(&self) -> String {
        let types: Vec<&str> = self.arguments.iter().map(Binding::ty).collect();
        format!("void(*)(TensorIteratorBase&, {})", types.join(", "))
    }

    /// The head of the kernel's definition.
    pub(crate) fn kernel_defn(&self) -> String {
        let arguments: Vec<String> = self.arguments.iter().map(Binding::defn).collect();
        format!("void {}(TensorIteratorBase& iter, {})", self.kernel_name(), arguments.join(", "))
    }

    /// A call of the stub from within an iterator.
    ///
    /// # Errors
    /// Something is missing.
    pub(crate) fn call<B: Into<Expr<'a>>>(
        &self,
        context: impl IntoIterator<Item = B>,
    ) -> std::result::Result<String, Unsatisfied> {
        Ok(format!("{}(device_type(), *this, {})", self.name(), joined(context, &self.arguments)?))
    }

    /// A call of the kernel itself from within an iterator.
    ///
    /// # Errors
    /// Something is missing.
    pub(crate) fn direct_call<B: Into<Expr<'a>>>(
        &self,
        context: impl IntoIterator<Item = B>,
    ) -> std::result::Result<String, Unsatisfied> {
        Ok(format!("{}(*this, {})", self.kernel_name(), joined(context, &self.arguments)?))
    }
}

fn joined<'a, B: Into<Expr<'a>>>(
    context: impl IntoIterator<Item = B>,
    goals: &[Binding<'a>],
) -> std::result::Result<String, Unsatisfied> {
    let exprs: Vec<_> = translate(context, goals)?.into_iter().map(|e| e.expr).collect();
    Ok(exprs.join(", "))
}
