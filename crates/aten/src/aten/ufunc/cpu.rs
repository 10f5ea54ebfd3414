//! CPU kernels: a stub in one file, and its loops in another, which is compiled
//! once per instruction set.
//!
//! Rule: torchgen/dest/ufunc.py, `compute_ufunc_cpu` and `compute_ufunc_cpu_kernel`.

use indexmap::IndexMap;
use serde::Serialize;

use super::{Stub, bad_loops, stub_signature};
use torchgen_api::ufunc::{InnerLoop, schema_kernel_name};
use torchgen_api::{BaseCppType, Binding, CType, CallingConvention, Expr, NamedCType, joined, structured, translate};
use torchgen_generators::ItemError;
use torchgen_model::group::NativeFunctionsGroup;
use torchgen_model::model::native_function::UfuncKey;
use torchgen_model::model::schema::ArgumentRef;
use torchgen_model::model::{BaseTy, DispatchKey, Type};

/// The structured kernel, which calls the stub.
#[derive(Serialize)]
pub(crate) struct CpuKernel {
    stub: Stub,
    signature: String,
    /// The arguments after the iterator.
    arguments: String,
}

pub(super) fn kernel(g: &NativeFunctionsGroup) -> Result<CpuKernel, ItemError> {
    let stub = stub_signature(g)?;
    let signature = structured::signature(g.out, schema_kernel_name(&g.out.func, DispatchKey::CPU)?)?;
    let arguments = joined(&translate(&signature.arguments, &stub.arguments)?);
    Ok(CpuKernel { stub: Stub::new(g, &stub), signature: signature.defn(), arguments })
}

/// The kernel behind the stub: one case per scalar type.
#[derive(Serialize)]
pub(crate) struct Loops<'a> {
    stub: Stub,
    cases: Vec<Case<'a>>,
}

#[derive(Serialize)]
struct Case<'a> {
    dtype: &'a str,
    /// The scalars among the arguments.
    scalars: Vec<Scalar<'a>>,
    scalar: Loop,
    vectorized: Option<Loop>,
}

#[derive(Serialize)]
struct Scalar<'a> {
    argument: &'a str,
    /// It as a scalar of the case's type.
    scalar: String,
    /// It as a vector with the same value everywhere.
    vector: String,
}

/// A function of elements.
#[derive(Serialize)]
struct Loop {
    parameters: String,
    call: String,
}

/// The functions for a scalar type.
#[derive(Default)]
struct Functions<'a> {
    scalar: Option<&'a str>,
    vectorized: Option<&'a str>,
}

pub(crate) fn loops<'a>(g: &'a NativeFunctionsGroup<'a>) -> Result<Loops<'a>, ItemError> {
    let stub = stub_signature(g)?;
    let mut cases = Vec::new();
    for (dtype, functions) in functions(g) {
        let Some(scalar) = functions.scalar else {
            let name = &g.out.func.name;
            return Err(bad_loops(g, format!("`{name}` has a vectorized loop for `{dtype}`, but none for scalars")));
        };
        cases.push(case(g, dtype, scalar, functions.vectorized)?);
    }
    Ok(Loops { stub: Stub::new(g, &stub), cases })
}

/// The functions by scalar type, in order of first appearance. Specific loops take precedence over
/// generic ones.
fn functions<'a>(g: &NativeFunctionsGroup<'a>) -> IndexMap<&'a str, Functions<'a>> {
    let mut by_dtype: IndexMap<&str, Functions> = IndexMap::new();
    let mut serve = |keys: &[UfuncKey], place: for<'f> fn(&'f mut Functions<'a>) -> &'f mut Option<&'a str>| {
        for inner in keys.iter().filter_map(|key| g.out.ufunc_inner_loop.get(key)) {
            for dtype in &inner.supported_dtypes {
                place(by_dtype.entry(dtype).or_default()).get_or_insert(&inner.name);
            }
        }
    };
    serve(&[UfuncKey::CPUScalar, UfuncKey::ScalarOnly, UfuncKey::Generic], |functions| &mut functions.scalar);
    serve(&[UfuncKey::CPUVector, UfuncKey::Generic], |functions| &mut functions.vectorized);
    by_dtype
}

fn case<'a>(
    g: &'a NativeFunctionsGroup<'a>,
    dtype: &'a str,
    scalar: &str,
    vectorized: Option<&str>,
) -> Result<Case<'a>, ItemError> {
    let arguments = || g.out.func.arguments.flat_non_out();
    let scalars = arguments().filter(|a| a.ty == Type::Base(BaseTy::Scalar)).map(|a| Scalar {
        argument: &a.name,
        scalar: format!("_s_{}", a.name),
        vector: format!("_v_{}", a.name),
    });
    let scalars: Vec<Scalar> = scalars.collect();
    let element: CType = BaseCppType::ScalarT.into();
    let vector = element.vectorized();
    let fact = |expr: &str, name: &'a str, ty: &CType| Expr::new(expr.to_owned(), NamedCType::new(name, *ty));
    let mut scope: Vec<Expr> = scalars.iter().map(|s| fact(&s.scalar, s.argument, &element)).collect();
    if vectorized.is_some() {
        scope.extend(scalars.iter().map(|s| fact(&s.vector, s.argument, &vector)));
    }
    let make = |name: &str, compute_t: &CType| -> Result<Loop, ItemError> {
        let inner = InnerLoop { name, compute_t: *compute_t }.signature(&g.functional.func)?;
        let tensors = g.functional.func.arguments.flat_non_out().filter(|a| a.ty.is_tensor_like());
        let parameters: Vec<Binding> =
            tensors.map(|a| Binding::new(&a.name, *compute_t, ArgumentRef::Arg(a))).collect();
        let arguments = translate(scope.iter().cloned().chain(parameters.iter().map(Expr::from)), &inner.arguments)?;
        let parameters: Vec<String> = parameters.iter().map(Binding::decl).collect();
        Ok(Loop { parameters: parameters.join(", "), call: format!("{}({})", inner.name, joined(&arguments)) })
    };
    let scalar = make(scalar, &element)?;
    let vectorized = vectorized.map(|function| make(function, &vector)).transpose()?;
    Ok(Case { dtype, scalars, scalar, vectorized })
}
