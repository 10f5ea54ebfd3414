//! Methods of tensors, and what they are in Python.
//!
//! Invariant: a name that is not here, and not an operator, has no translation.

use torchgen_formula::ValueKind;

/// Methods of tensors without arguments that are attributes in Python.
pub(super) const ATTRIBUTES: &[&str] = &[
    "is_cpu",
    "is_cuda",
    "is_meta",
    "is_mkldnn",
    "is_mps",
    "is_nested",
    "is_quantized",
    "is_sparse",
    "is_sparse_csr",
    "is_xpu",
    "requires_grad",
];

/// Methods of tensors without arguments that are the same in Python.
pub(super) const METHODS: &[&str] = &[
    "element_size",
    "is_complex",
    "is_conj",
    "is_contiguous",
    "is_floating_point",
    "is_inference",
    "is_neg",
    "is_signed",
];

/// What such a method of tensors returns for an undefined tensor in C++; `None` if it raises an
/// error.
pub(super) fn of_undefined(name: &str) -> Option<bool> {
    (!matches!(name, "element_size" | "is_signed")).then_some(name == "is_contiguous")
}

/// What a method of tensors returns that is no call of an operator in Python.
pub(super) fn member(name: &str) -> Option<ValueKind> {
    Some(match name {
        "sym_sizes" | "sym_strides" => ValueKind::SymInts,
        "sizes" | "strides" => ValueKind::Ints,
        "sym_size" | "sym_stride" | "sym_numel" => ValueKind::SymInt,
        "size" | "stride" | "numel" | "dim" | "ndimension" | "element_size" => ValueKind::Int,
        "scalar_type" | "dtype" => ValueKind::Dtype,
        "layout" => ValueKind::Layout,
        "device" => ValueKind::Device,
        "options" => ValueKind::Options,
        "defined" => ValueKind::Bool,
        _ if ATTRIBUTES.contains(&name) || METHODS.contains(&name) => ValueKind::Bool,
        _ => return None,
    })
}
