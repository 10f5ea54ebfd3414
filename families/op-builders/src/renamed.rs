//! The former names of C++ sources that were templates, so that an overlay of an old name is
//! answered with the new one.
//!
//! Invariant: no file has an old name, and each new name is a file; a test checks both.

/// The former name of each, and the name now.
pub(crate) const RENAMED: &[(&str, &str)] = &[
    ("op_builders/support/argument.cpp.j2", "op_builders/support/builder_argument.cpp"),
    ("op_builders/support/argument.h.j2", "op_builders/support/builder_argument.h"),
    ("op_builders/support/common.cpp.j2", "op_builders/support/builder_common.cpp"),
    ("op_builders/support/common.h.j2", "op_builders/support/builder_common.h"),
    ("op_builders/support/module.cpp.j2", "op_builders/support/builder_module.cpp"),
    ("op_builders/support/module.h.j2", "op_builders/support/builder_module.h"),
    ("op_builders/support/registry.cpp.j2", "op_builders/support/op_builder_registry.cpp"),
    ("op_builders/support/registry.h.j2", "op_builders/support/builder_registry.h"),
    ("op_builders/support/rules.h.j2", "op_builders/support/builder_rules.h"),
    ("op_builders/support/rules_elementwise.cpp.j2", "op_builders/support/builder_rules_elementwise.cpp"),
    ("op_builders/support/rules_indexing.cpp.j2", "op_builders/support/builder_rules_indexing.cpp"),
    ("op_builders/support/rules_layout.cpp.j2", "op_builders/support/builder_rules_layout.cpp"),
    ("op_builders/support/rules_matrix.cpp.j2", "op_builders/support/builder_rules_matrix.cpp"),
    ("op_builders/support/rules_quantization.cpp.j2", "op_builders/support/builder_rules_quantization.cpp"),
    ("op_builders/support/shape.cpp.j2", "op_builders/support/builder_shape.cpp"),
    ("op_builders/support/shape.h.j2", "op_builders/support/builder_shape.h"),
    ("op_builders/support/value.cpp.j2", "op_builders/support/builder_value.cpp"),
    ("op_builders/support/value.h.j2", "op_builders/support/builder_value.h"),
    ("op_builders/support_header.j2", "op_builders/support/builder_support.h"),
];
