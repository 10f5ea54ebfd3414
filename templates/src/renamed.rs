//! The former names of C++ sources that were templates, so that an overlay of an old name is
//! answered with the new one.
//!
//! Invariant: no file has an old name, and each new name is a file; a test checks both.

/// The former name of each, and the name now.
pub(crate) const RENAMED: &[(&str, &str)] = &[
    ("graph_ir/IRGen.h.j2", "graph_ir/IRGen.h"),
    ("graph_ir/IRSerialize.h.j2", "graph_ir/IRSerialize.h"),
    ("graph_ir/IRShapes.cpp.j2", "graph_ir/IRShapes.cpp"),
    ("graph_ir/graph/module.cpp.j2", "graph_ir/graph/module.cpp"),
    ("graph_ir/graph/module.h.j2", "graph_ir/graph/module.h"),
    ("graph_ir/graph/node.cpp.j2", "graph_ir/graph/node.cpp"),
    ("graph_ir/graph/node.h.j2", "graph_ir/graph/node.h"),
    ("graph_ir/graph/storage.cpp.j2", "graph_ir/graph/storage.cpp"),
    ("graph_ir/graph/storage.h.j2", "graph_ir/graph/storage.h"),
    ("graph_ir/graph/values.h.j2", "graph_ir/graph/values.h"),
    ("kit/cpp/array_view.j2", "kit/cpp/array_view.h"),
    ("kit/cpp/casting.j2", "kit/cpp/casting.h"),
    ("kit/cpp/diagnostics.j2", "kit/cpp/diagnostics.h"),
    ("kit/cpp/expr.h.j2", "kit/cpp/expr.h"),
    ("kit/cpp/float_bits.j2", "kit/cpp/float_bits.h"),
    ("kit/cpp/hash.j2", "kit/cpp/hash.h"),
    ("kit/cpp/print.j2", "kit/cpp/print.h"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_names_are_gone_and_new_ones_exist() {
        for (old, new) in RENAMED {
            assert!(crate::named(old).is_none() && crate::named(new).is_some(), "{old} is now {new}");
        }
    }
}
