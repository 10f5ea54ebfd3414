//! C functions of operators, which models call that AOTInductor or Inductor's `cpp_wrapper`
//! compiled. Without one, such a model goes through boxes of a proxy executor, or Python.
//!
//! Invariant: a C function has the parameters that Inductor passes
//! (torch/_inductor/codegen/cpp_wrapper_cpu.py), and a name of its own among all libraries.
//! Inductor's name lacks namespace and overload, which the declaration that it gets adds.

use std::collections::HashMap;

use serde::Serialize;

use super::view::is_selected;
use crate::library::Inputs;
use torchgen_api::{c_shim, cpp_string};
use torchgen_base::diag::Diagnostics;
use torchgen_base::render::{Fragment, RenderError};
use torchgen_generators::Context;
use torchgen_generators::guard::{Guard, together};
use torchgen_model::model::{BackendIndex, BackendIndices, BaseTy, DispatchKey, NativeFunction};
use torchgen_model::parse::entry::c_functions::impossible;

/// The keys whose kernels compiled models call, and the names of their devices.
const DEVICES: [(DispatchKey, &str); 4] =
    [(DispatchKey::CPU, "cpu"), (DispatchKey::CUDA, "cuda"), (DispatchKey::XPU, "xpu"), (DispatchKey::MPS, "mps")];

/// The keys of kernels for all devices.
const FOR_ALL: [DispatchKey; 2] =
    [DispatchKey::CompositeExplicitAutograd, DispatchKey::CompositeExplicitAutogradNonFunctional];

/// The devices on which a C++ kernel serves an operator, with the key of the kernel.
fn devices(f: &NativeFunction, indices: &BackendIndices) -> Vec<(&'static str, DispatchKey)> {
    let of_index = |index: &BackendIndex| {
        index.has_kernel(f) || f.structured_delegate.as_ref().is_some_and(|delegate| index.index.contains_key(delegate))
    };
    let has = |key: &DispatchKey| indices.find(*key).is_some_and(of_index);
    let serving = |key: DispatchKey| match f.python_kernels.iter().any(|kernel| kernel.key == key) {
        true => None,
        false => std::iter::once(key).chain(FOR_ALL).find(has),
    };
    DEVICES.into_iter().filter_map(|(key, device)| Some((device, serving(key)?))).collect()
}

/// The devices that the kernel for a key serves; none of an operator without C functions.
pub(crate) fn devices_of_key(f: &NativeFunction, indices: &BackendIndices, key: DispatchKey) -> Vec<&'static str> {
    if !f.aoti {
        return Vec::new();
    }
    devices(f, indices).into_iter().filter(|(_, own)| *own == key).map(|(device, _)| device).collect()
}

/// The C function of an operator for a device.
#[derive(Debug, Serialize)]
pub(crate) struct CFunction {
    /// `aoti_torch_cpu_my_ops_norm`
    name: String,
    /// The name by which Inductor calls it: `aoti_torch_cpu_norm`.
    called: String,
    device: &'static str,
    /// Its parameters, with those for results.
    parameters: Vec<String>,
    /// Their names.
    names: Vec<String>,
    results: Vec<CResult>,
}

/// A result.
#[derive(Debug, Serialize)]
pub(crate) struct CResult {
    pointer: String,
    /// It is a tensor, or else an integer.
    is_tensor: bool,
    /// It can be a symbol.
    is_symbolic: bool,
}

/// The C function of an operator whose arguments have the names that bodies have.
pub(crate) fn c_function(ctx: &Context, f: &NativeFunction, device: &'static str) -> CFunction {
    let word = |text: &str| text.replace("::", "_");
    let own = word(&format!("{}_{}", f.namespace, f.func.name.unambiguous_name()));
    let (mut parameters, mut names) = (Vec::new(), Vec::new());
    for parameter in passed(f) {
        parameters.push(parameter.to_string());
        names.push(parameter.name);
    }
    let result = |(at, ret): (usize, &torchgen_model::model::Return)| CResult {
        pointer: format!("ret{at}"),
        is_tensor: ret.ty.is(BaseTy::Tensor),
        is_symbolic: ret.ty.is(BaseTy::SymInt),
    };
    let results: Vec<CResult> = f.func.returns.iter().enumerate().map(result).collect();
    for CResult { pointer, is_tensor, .. } in &results {
        let ty = if *is_tensor { "AtenTensorHandle" } else { "int64_t" };
        parameters.push(format!("{ty}* {pointer}"));
        names.push(pointer.clone());
    }
    if results.is_empty() {
        // Inductor passes null where an operator returns nothing.
        parameters.push("AtenTensorHandle* /*none*/".to_owned());
        names.push("nullptr".to_owned());
    }
    CFunction {
        name: ctx.renderer.about([f]).marked(format!("aoti_torch_{device}_{own}")),
        called: format!("aoti_torch_{device}_{}", f.func.name.name),
        device,
        parameters,
        names,
        results,
    }
}

/// Its C functions for all devices on which a C++ kernel serves it.
fn c_functions(ctx: &Context, f: &NativeFunction) -> Vec<CFunction> {
    devices(f, ctx.indices).into_iter().map(|(device, _)| c_function(ctx, f, device)).collect()
}

/// The parameters for its arguments. Their types were checked.
fn passed(f: &NativeFunction) -> impl Iterator<Item = c_shim::Parameter> {
    f.func.schema_order_arguments().flat_map(|a| c_shim::argument(a).map_or(Vec::new(), |passed| passed.parameters))
}

/// Reports operators whose entries ask for C functions that they cannot have beside others.
pub(crate) fn check(functions: &[NativeFunction], indices: &BackendIndices, diagnostics: &mut Diagnostics) {
    let mut known: HashMap<(String, Vec<String>), &NativeFunction> = HashMap::new();
    for f in functions.iter().filter(|f| f.aoti) {
        let types = passed(f).map(|parameter| parameter.ty).collect();
        let first = known.insert((f.func.name.name.to_string(), types), f);
        let Some(span) = f.spans.aoti else { continue };
        let error = |reason: &str| impossible(f, reason).at(span).help("delete `aoti:`");
        if devices(f, indices).is_empty() {
            diagnostics.push(error("it has no kernel in C++ for CPU, CUDA, XPU, MPS or all devices"));
        }
        if let Some(first) = first {
            let reason = format!(
                "that of `{}` has the same parameters, and Inductor's names have no overloads",
                first.func.name
            );
            diagnostics.push(error(&reason).also(first.spans.name, "the other overload"));
        }
    }
}

/// A C function that calls the operator on libtorch's C++ API.
#[derive(Serialize)]
struct Called {
    functions: Vec<CFunction>,
    schema: String,
    /// What it calls, and with what.
    call: String,
    arguments: Vec<String>,
    guard: Option<Guard>,
}

#[derive(Serialize)]
struct Section {
    operators: Vec<Called>,
}

/// The C functions of a source on libtorch's C++ API, where the dispatcher finds the kernel.
pub(super) fn section(ctx: &Context) -> Result<Option<Fragment>, RenderError> {
    let wanted = ctx.functions.iter().filter(|f| f.aoti && ctx.target.defines_operators);
    let called = |f: &NativeFunction| Called {
        functions: c_functions(ctx, f),
        schema: f.qualified_schema(),
        call: format!("::{}::{}::call", ctx.namespaces.operators, f.func.name.unambiguous_name()),
        arguments: f.func.schema_order_arguments().filter_map(|a| Some(c_shim::argument(a).ok()?.expr)).collect(),
        guard: Guard::compiled(together(f, &[])),
    };
    let operators: Vec<Called> = wanted.map(called).collect();
    if operators.is_empty() {
        return Ok(None);
    }
    let text = ctx.renderer.fragment("torch/library/CFunctions.cpp.j2", &Section { operators })?;
    Ok(Some(Fragment::of_template(text)))
}

/// An operator with C functions, for Python.
#[derive(Serialize)]
pub(crate) struct Declared {
    /// The name with the namespace and the overload.
    operator: String,
    functions: Vec<CFunction>,
    /// Some builds lack it.
    conditional: bool,
    /// The operator, as a text.
    literal: String,
}

/// The operators of a namespace with C functions.
pub(crate) fn declared(inputs: &Inputs) -> Vec<Declared> {
    let ctx = &inputs.bodies;
    let wanted = ctx.functions.iter().filter(|f| f.aoti && ctx.target.defines_operators && is_selected(ctx, f));
    let declared = |f: &NativeFunction| Declared {
        operator: super::python::overload_expr(f),
        functions: c_functions(ctx, f),
        conditional: f.conditions.operator.is_some(),
        literal: cpp_string(&f.full_name()),
    };
    wanted.map(declared).collect()
}
