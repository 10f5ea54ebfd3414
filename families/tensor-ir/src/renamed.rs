//! The former names of C++ sources that were templates, so that an overlay of an old name is
//! answered with the new one.
//!
//! Invariant: no file has an old name, and each new name is a file; a test checks both.

/// The former name of each, and the name now.
pub(crate) const RENAMED: &[(&str, &str)] = &[
    ("tensor_ir/any_map.h.j2", "tensor_ir/any_map.h"),
    ("tensor_ir/comparer.cpp.j2", "tensor_ir/comparer.cpp"),
    ("tensor_ir/comparer.h.j2", "tensor_ir/comparer.h"),
    ("tensor_ir/copier.cpp.j2", "tensor_ir/copier.cpp"),
    ("tensor_ir/copier.h.j2", "tensor_ir/copier.h"),
    ("tensor_ir/function.cpp.j2", "tensor_ir/function.cpp"),
    ("tensor_ir/hash.cpp.j2", "tensor_ir/hash.cpp"),
    ("tensor_ir/hash.h.j2", "tensor_ir/hash.h"),
    ("tensor_ir/node_ptr.h.j2", "tensor_ir/node_ptr.h"),
    ("tensor_ir/parser.h.j2", "tensor_ir/parser.h"),
    ("tensor_ir/parser/literals.j2", "tensor_ir/parts/parser_literals.h"),
    ("tensor_ir/validator.h.j2", "tensor_ir/validator.h"),
];
