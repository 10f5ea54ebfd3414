//! CUDA kernels: functors over elements, and one case per scalar type that selects one.
//!
//! Binary operators have two more functors, for when one operand is a scalar on the CPU. Rule:
//! torchgen/dest/ufunc.py, `compute_ufunc_cuda`.

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;

use super::{Stub, bad_loops, stub_signature};
use torchgen_api::ufunc::{FunctorCall, InnerLoop, schema_kernel_name};
use torchgen_api::{
    BaseCppType, Binding, CType, CallingConvention, Expr, NamedCType, Signature, joined, structured, translate,
};
use torchgen_generators::ItemError;
use torchgen_model::group::NativeFunctionsGroup;
use torchgen_model::model::DispatchKey;
use torchgen_model::model::native_function::UfuncKey;

/// The headers of CUDA's loops.
#[derive(Serialize)]
pub(crate) struct Headers {
    pub rocm: bool,
}

#[derive(Serialize)]
pub(crate) struct CudaKernel<'a> {
    stub: Stub,
    functors: Vec<Functor>,
    cases: Vec<Case<'a>>,
    /// The structured kernel, which calls the one behind the stub.
    name: String,
    signature: String,
    /// The arguments after the iterator.
    arguments: String,
}

/// A functor made from an inner loop.
#[derive(Serialize)]
struct Functor {
    name: String,
    /// Types and names.
    fields: Vec<String>,
    parameters: String,
    /// The fields again, each with its initial value.
    initializers: String,
    /// The signature of the call's definition, without its qualifier.
    apply: String,
    call: String,
}

#[derive(Serialize)]
struct Case<'a> {
    dtype: &'a str,
    scalars: Vec<ScalarCase>,
    functor: String,
    arguments: String,
}

/// One operand is a scalar on the CPU.
#[derive(Serialize)]
struct ScalarCase {
    /// The index of the operand, counting the outputs.
    operand: usize,
    functor: String,
    arguments: String,
}

/// A possible functor: its key, and which of the tensors goes to its constructor.
struct Slot {
    key: UfuncKey,
    prefix: &'static str,
    scalar_tensor: Option<usize>,
}

const ON_SELF: Slot = Slot { key: UfuncKey::CUDAFunctorOnSelf, prefix: "CUDAFunctorOnSelf", scalar_tensor: Some(1) };
const ON_OTHER: Slot = Slot { key: UfuncKey::CUDAFunctorOnOther, prefix: "CUDAFunctorOnOther", scalar_tensor: Some(0) };
const PLAIN: Slot = Slot { key: UfuncKey::CUDAFunctor, prefix: "CUDAFunctor", scalar_tensor: None };

/// A functor by its name, and the parameters of its constructor.
#[derive(Clone)]
struct NamedFunctor<'a> {
    name: String,
    constructor: Vec<Binding<'a>>,
}

/// The functors for a scalar type, by key.
type ByDtype<'a> = IndexMap<&'a str, Vec<(UfuncKey, NamedFunctor<'a>)>>;

pub(super) fn kernel<'a>(g: &'a NativeFunctionsGroup<'a>) -> Result<CudaKernel<'a>, ItemError> {
    let stub = stub_signature(g)?;
    let signature = structured::signature(g.out, schema_kernel_name(&g.out.func, DispatchKey::CUDA)?)?;
    let (functors, by_dtype) = functors(g)?;
    let mut cases = Vec::new();
    for (dtype, functors) in &by_dtype {
        cases.push(case(g, dtype, functors, &signature)?);
    }
    let arguments = joined(&translate(&signature.arguments, &stub.arguments)?);
    let (stub, definition) = (Stub::new(g, &stub), signature.defn());
    Ok(CudaKernel { stub, functors, cases, signature: definition, name: signature.name, arguments })
}

fn functors<'a>(g: &NativeFunctionsGroup<'a>) -> Result<(Vec<Functor>, ByDtype<'a>), ItemError> {
    let loops = &g.out.ufunc_inner_loop;
    let is_binary = g.functional.func.arguments.flat_non_out().filter(|a| a.ty.is_tensor_like()).count() == 2;
    let slots: &[Slot] = if is_binary { &[ON_SELF, ON_OTHER, PLAIN] } else { &[PLAIN] };
    for slot in [ON_SELF, ON_OTHER] {
        if !is_binary && loops.contains_key(&slot.key) {
            let name = &g.out.func.name;
            return Err(bad_loops(
                g,
                format!("`{}` is for operators on two tensors, but `{name}` is not one", slot.prefix),
            ));
        }
    }
    let (mut functors, mut by_dtype) = (Vec::new(), ByDtype::new());
    for slot in slots {
        // A function declared as a functor is one already; a loop must be wrapped in one.
        let (name, dtypes) = match loops.get(&slot.key) {
            Some(functor) => (functor.name.clone(), functor.supported_dtypes.iter().collect()),
            None => {
                let (function, dtypes) = generic(g)?;
                (format!("{}_{function}", slot.prefix), dtypes)
            }
        };
        let call = FunctorCall { scalar_tensor: slot.scalar_tensor };
        let named = NamedFunctor { name, constructor: call.constructor_arguments(&g.functional.func)? };
        if !loops.contains_key(&slot.key) {
            functors.push(functor(g, generic(g)?.0, &named, call)?);
        }
        for dtype in dtypes {
            by_dtype.entry(dtype).or_default().push((slot.key, named.clone()));
        }
    }
    Ok((functors, by_dtype))
}

/// The loop for the functors and its scalar types, with those that only scalars have first.
fn generic<'a>(g: &NativeFunctionsGroup<'a>) -> Result<(&'a str, IndexSet<&'a String>), ItemError> {
    let loops = [UfuncKey::ScalarOnly, UfuncKey::Generic].map(|key| g.out.ufunc_inner_loop.get(&key));
    let mut dtypes = IndexSet::new();
    let mut function: Option<&str> = None;
    for inner in loops.into_iter().flatten() {
        if function.is_some_and(|function| function != inner.name) {
            let name = &g.out.func.name;
            return Err(bad_loops(g, format!("`ScalarOnly` and `Generic` of `{name}` must name the same function")));
        }
        function = Some(&inner.name);
        dtypes.extend(&inner.supported_dtypes);
    }
    match function {
        Some(function) => Ok((function, dtypes)),
        None => Err(bad_loops(g, format!("`{}` has no loop to make CUDA functors of", g.out.func.name))),
    }
}

fn functor<'a>(
    g: &NativeFunctionsGroup<'a>,
    function: &str,
    named: &NamedFunctor<'a>,
    call: FunctorCall,
) -> Result<Functor, ItemError> {
    let inner = InnerLoop { name: function, compute_t: BaseCppType::OpmathT.into() }.signature(&g.functional.func)?;
    let apply = call.signature(&g.functional.func)?;
    let fields: Vec<Binding> = named.constructor.iter().map(|a| a.with_name(format!("{}_", a.name))).collect();
    let parameters: Vec<String> = named.constructor.iter().map(Binding::decl).collect();
    let initializer = |(field, a): (&Binding, &Binding)| format!("{}({})", field.name, a.name);
    let initializers: Vec<String> = fields.iter().zip(&named.constructor).map(initializer).collect();
    // In scope are the fields and the call's own parameters.
    let arguments = joined(&translate(fields.iter().chain(&apply.arguments), &inner.arguments)?);
    Ok(Functor {
        name: named.name.clone(),
        fields: fields.iter().map(Binding::defn).collect(),
        parameters: parameters.join(", "),
        initializers: initializers.join(", "),
        apply: apply.decl(),
        call: format!("{}({arguments})", inner.name),
    })
}

fn case<'a>(
    g: &NativeFunctionsGroup<'a>,
    dtype: &'a str,
    functors: &[(UfuncKey, NamedFunctor<'a>)],
    kernel: &Signature<'a>,
) -> Result<Case<'a>, ItemError> {
    let find = |key| functors.iter().find(|(k, _)| *k == key).map(|(_, functor)| functor);
    let Some(plain) = find(PLAIN.key) else {
        let name = &g.out.func.name;
        return Err(bad_loops(g, format!("`{name}` has a functor for a scalar of `{dtype}`, but none for tensors")));
    };
    let opmath: CType = BaseCppType::OpmathT.into();
    let mut scalars = Vec::new();
    for (slot, tensor) in [(ON_OTHER, "self"), (ON_SELF, "other")] {
        let (Some(functor), Some(index)) = (find(slot.key), slot.scalar_tensor) else { continue };
        // Operands are counted from the output.
        let operand = index + 1;
        let value = Expr::new(format!("iter.scalar_value<opmath_t>({operand})"), NamedCType::new(tensor, opmath));
        let scope = kernel.arguments.iter().map(Expr::from).chain([value]);
        let arguments = joined(&translate(scope, &functor.constructor)?);
        scalars.push(ScalarCase { operand, functor: functor.name.clone(), arguments });
    }
    let arguments = joined(&translate(&kernel.arguments, &plain.constructor)?);
    Ok(Case { dtype, scalars, functor: plain.name.clone(), arguments })
}
