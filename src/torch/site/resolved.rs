//! Which kernel the dispatcher calls for each runtime key: its own, or that of an alias.
//!
//! Invariant: the order and the conditions are those of c10, `computeDispatchTableEntryWithDebug`
//! in aten/src/ATen/core/dispatch/OperatorEntry.cpp, for the kernels that an operator has.
//! Fallbacks of all operators are not among them.

use std::borrow::Cow;

use crate::torch::facts::{Kernel, OperatorFacts, Origin};

/// The keys of backends, with what c10 calls their functionalities.
const BACKENDS: [&str; 16] = [
    "CPU",
    "CUDA",
    "MPS",
    "XPU",
    "MTIA",
    "HIP",
    "HPU",
    "IPU",
    "Lazy",
    "MAIA",
    "Meta",
    "PrivateUse1",
    "PrivateUse2",
    "PrivateUse3",
    "VE",
    "XLA",
];
/// Functionalities that each backend has.
const OF_EACH_BACKEND: [&str; 5] = ["", "Quantized", "Sparse", "SparseCsr", "NestedTensor"];
/// Keys of backends that have no functionalities.
const OTHERS: [&str; 8] = ["FPGA", "Vulkan", "Metal", "MKLDNN", "OpenGL", "OpenCL", "IDEEP", "CustomRNGKeyId"];

/// The runtime keys that operators are dispatched by, in groups.
pub(super) fn keys() -> Vec<String> {
    let of_backends =
        OF_EACH_BACKEND.iter().flat_map(|of| BACKENDS.iter().map(move |backend| format!("{of}{backend}")));
    let others = OTHERS.iter().map(|key| (*key).to_owned());
    let autograd = BACKENDS.iter().map(|backend| format!("Autograd{backend}"));
    let more = ["AutogradOther", "AutogradNestedTensor"].map(str::to_owned);
    of_backends.chain(others).chain(autograd).chain(more).collect()
}

/// The kernels of an operator with those that are generated without an entry of `dispatch`.
///
/// A structured operator has one for Meta, and unless it is an out variant, which makes no result,
/// one for the backends without a kernel. What changes its argument in place has one for Meta that
/// only returns it. Rule: torchgen/dest/register_dispatch_key.py.
pub(super) fn with_generated<'f>(name: &str, facts: &'f OperatorFacts) -> Cow<'f, [Kernel]> {
    let is_composite = || facts.dispatch.iter().any(|kernel| kernel.key.starts_with("Composite"));
    let keys = match (facts.structured, &facts.structured_delegate) {
        (true, _) => &["Meta"][..],
        (false, Some(_)) => &["Meta", "CompositeExplicitAutogradNonFunctional"],
        (false, None) if facts.schema_kind == "inplace" && !is_composite() => &["Meta"],
        (false, None) => return Cow::Borrowed(&facts.dispatch),
    };
    let name = name.rsplit("::").next().unwrap_or_default().replace('.', "_");
    let missing = keys.iter().filter(|key| facts.dispatch.iter().all(|kernel| kernel.key != **key));
    let generated = missing.map(|key| Kernel {
        key: (*key).to_owned(),
        function: format!("wrapper_{key}_{name}"),
        structured: facts.structured_delegate.is_some() || facts.structured,
        symint: false,
        origin: Origin::Registered,
        at: None,
        registered: None,
        through: None,
        when: None,
    });
    facts.dispatch.iter().cloned().chain(generated).collect()
}

/// The kernel of a runtime key: its place in the operator's list.
pub(super) fn kernel_of(key: &str, kernels: &[Kernel]) -> Option<usize> {
    let of = |wanted: &str| kernels.iter().position(|kernel| kernel.key == wanted);
    let own = of(key);
    if own.is_some() {
        return own;
    }
    let autograd = key.strip_prefix("Autograd");
    let is_backend = autograd.is_none();
    let is_nested = key.starts_with("NestedTensor") || key == "AutogradNestedTensor";
    let is_dense_nested = key.starts_with("NestedTensor");
    let changes_in_place =
        key.starts_with("Sparse") && !key.starts_with("SparseCsr") || key.ends_with("XLA") || key.ends_with("Lazy");
    if is_backend && !is_dense_nested {
        if !changes_in_place && let Some(found) = of("CompositeExplicitAutogradNonFunctional") {
            return Some(found);
        }
        if let Some(found) = of("CompositeExplicitAutograd") {
            return Some(found);
        }
    }
    if is_nested && let Some(found) = of("CompositeImplicitAutogradNestedTensor") {
        return Some(found);
    }
    let has_backend_kernel = of("CompositeExplicitAutograd").is_some()
        || autograd.is_some_and(|backend| kernels.iter().any(|kernel| is_below(&kernel.key, backend)));
    if !has_backend_kernel && let Some(found) = of("CompositeImplicitAutograd") {
        return Some(found);
    }
    autograd.and_then(|_| of("Autograd"))
}

/// Whether a kernel's key is that of a backend below an autograd key: `Autograd` with this word.
fn is_below(key: &str, autograd: &str) -> bool {
    match autograd {
        "NestedTensor" => key.starts_with("NestedTensor"),
        "Other" => OTHERS.contains(&key),
        backend => OF_EACH_BACKEND.iter().any(|of| *of != "NestedTensor" && key.strip_prefix(of) == Some(backend)),
    }
}
