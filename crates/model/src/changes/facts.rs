//! The properties of operators that are compared, and the kinds of their changes.
//!
//! Invariant: a kernel for all backends serves a key whose own kernel is gone.

use torchgen_base::diag::Span;
use torchgen_kit::changes::{Fact, FactKind, Thing, kinds};

/// A tag.
pub(super) static TAG: FactKind = FactKind::flag(
    (&kinds::TAG_ADDED, "THING has the tag `KEY` now"),
    (&kinds::TAG_REMOVED, "THING does not have the tag `KEY` any more"),
);
/// The kernel for a dispatch key.
pub(super) static KERNEL: FactKind = FactKind {
    added: Some((&kinds::KERNEL_ADDED, "THING has a kernel for KEY now")),
    removed: Some((&kinds::KERNEL_REMOVED, "THING has no kernel for KEY any more")),
    changed: (&kinds::KERNEL_CHANGED, "the kernel of THING for KEY was `OLD`, and is `NEW` now"),
    names_parts: false,
    served: is_general,
};
/// No gradients flow through it.
pub(super) static NOT_DIFFERENTIABLE: FactKind = FactKind::new(
    (&kinds::NOT_DIFFERENTIABLE, "THING is not differentiable any more"),
    (&kinds::DIFFERENTIABLE, "THING is differentiable now"),
    (&kinds::DIFFERENTIABLE, "THING is differentiable now"),
);
/// Python has no function for it.
pub(super) static HELPER: FactKind = FactKind::flag(
    (&kinds::PYTHON_FUNCTION_REMOVED, "THING has no function in the Python package any more"),
    (&kinds::PYTHON_FUNCTION_ADDED, "THING has a function in the Python package now"),
);
/// What makes its outputs without data.
pub(super) static FAKE: FactKind = FactKind::new(
    (&kinds::FAKE_ADDED, "THING has a fake now"),
    (&kinds::FAKE_REMOVED, "THING has no fake any more"),
    (&kinds::FAKE_CHANGED, "the fake of THING is another one"),
);
/// How `torch.vmap` runs it.
pub(super) static VMAP: FactKind = FactKind::new(
    (&kinds::VMAP_ADDED, "THING has a batching rule now"),
    (&kinds::VMAP_REMOVED, "THING has no batching rule any more"),
    (&kinds::VMAP_CHANGED, "the batching rule of THING was `OLD`, and is `NEW` now"),
);
/// The dimensions of a tensor of a line.
pub(super) static DIMS: FactKind = FactKind::new(
    (&kinds::DIMS_ADDED, "the dimensions of `KEY` of THING are `NEW` now"),
    (&kinds::DIMS_REMOVED, "the dimensions of `KEY` of THING have no names any more"),
    (&kinds::DIMS_CHANGED, "the dimensions of `KEY` of THING were `OLD`, and are `NEW` now"),
);
/// A word of a line, with its dimension.
pub(super) static SPLIT: FactKind = FactKind::flag(
    (&kinds::SPLIT_ADDED, "THING has `KEY` now"),
    (&kinds::SPLIT_REMOVED, "THING has no `KEY` any more"),
);
/// The number of floating-point operations of a call.
pub(super) static FLOPS: FactKind = FactKind::new(
    (&kinds::FLOPS_CHANGED, "THING has `flops: NEW` now"),
    (&kinds::FLOPS_CHANGED, "THING has no `flops:` any more"),
    (&kinds::FLOPS_CHANGED, "THING had `flops: OLD`, and has `flops: NEW` now"),
);
/// Compiled models call it by a C function.
pub(super) static C_FUNCTION: FactKind = FactKind::flag(
    (&kinds::C_FUNCTION_ADDED, "compiled models call THING by a C function now"),
    (&kinds::C_FUNCTION_REMOVED, "THING has no C function for compiled models any more"),
);
/// Its operator of ONNX.
pub(super) static ONNX: FactKind = FactKind::new(
    (&kinds::ONNX_ADDED, "THING is exported as the ONNX operator `NEW` now"),
    (&kinds::ONNX_REMOVED, "THING was exported as the ONNX operator `OLD`, and is not any more"),
    (&kinds::ONNX_CHANGED, "THING was exported as the ONNX operator `OLD`, and is exported as `NEW` now"),
);
/// Its module in Python.
pub(super) static PYTHON_MODULE: FactKind = FactKind::new(
    (&kinds::PYTHON_NAME_CHANGED, "THING is in the Python module `NEW` now"),
    (&kinds::PYTHON_NAME_CHANGED, "THING is not in the Python module `OLD` any more"),
    (&kinds::PYTHON_NAME_CHANGED, "THING was in the Python module `OLD`, and is in `NEW` now"),
);
/// An argument whose default is not in C++.
pub(super) static NO_CPP_DEFAULT: FactKind = FactKind::new(
    (&kinds::CPP_DEFAULT_REMOVED, "the argument `KEY` of THING has no default in C++ any more"),
    (&kinds::CPP_DEFAULT_ADDED, "the argument `KEY` of THING has a default in C++ now"),
    (&kinds::CPP_DEFAULT_ADDED, "the argument `KEY` of THING has a default in C++ now"),
);
/// The builds that have it.
pub(super) static CONDITION: FactKind = FactKind::new(
    (&kinds::CONDITION_CHANGED, "only builds with `NEW` have THING now"),
    (&kinds::CONDITION_REMOVED, "all builds have THING now"),
    (&kinds::CONDITION_CHANGED, "builds with `OLD` had THING, and those with `NEW` have it now"),
);
/// The formula of a gradient.
pub(super) static FORMULA: FactKind = FactKind::new(
    (&kinds::FORMULA_ADDED, "THING has a formula for `KEY` now"),
    (&kinds::FORMULA_REMOVED, "THING has no formula for `KEY` any more"),
    (&kinds::FORMULA_CHANGED, "the formula of THING for `KEY` is another one"),
);
/// It is not on the stable ABI.
pub static LEFT_OUT: FactKind = FactKind::flag(
    (&kinds::LEFT_OUT, "THING is left out on the stable ABI now"),
    (&kinds::NO_LONGER_LEFT_OUT, "THING is on the stable ABI now"),
);

/// A property with its value.
pub(super) fn fact(of: &'static FactKind, key: &str, value: &str, place: Option<Span>) -> Fact {
    Fact { of, key: key.to_owned(), value: value.to_owned(), place }
}

/// The keys whose kernels serve every backend.
const FOR_ALL: [&str; 3] =
    ["CompositeImplicitAutograd", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional"];

/// Whether a kernel for all backends serves a key.
fn is_general(thing: &Thing, _: &str) -> bool {
    let is_kernel = |fact: &&Fact| std::ptr::eq(fact.of, &raw const KERNEL);
    thing.facts.iter().filter(is_kernel).any(|fact| FOR_ALL.contains(&fact.key.as_str()))
}
