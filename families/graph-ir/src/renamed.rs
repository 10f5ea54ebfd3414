//! The former names of C++ sources that were templates, so that an overlay of an old name is
//! answered with the new one.
//!
//! Invariant: no file has an old name, and each new name is a file; a test checks both.

/// The former name of each, and the name now.
pub(crate) const RENAMED: &[(&str, &str)] = &[
    ("graph_ir/IRGen.h.j2", "graph_ir/IRGen.h"),
    ("graph_ir/IRSerialize.h", "graph_ir/IRSerialize.h.j2"),
    ("graph_ir/IRShapes.cpp.j2", "graph_ir/IRShapes.cpp"),
    ("graph_ir/graph/module.cpp.j2", "graph_ir/graph/module.cpp"),
    ("graph_ir/graph/module.h.j2", "graph_ir/graph/module.h"),
    ("graph_ir/graph/node.cpp.j2", "graph_ir/graph/node.cpp"),
    ("graph_ir/graph/node.h.j2", "graph_ir/graph/node.h"),
    ("graph_ir/graph/storage.cpp.j2", "graph_ir/graph/storage.cpp"),
    ("graph_ir/graph/storage.h.j2", "graph_ir/graph/storage.h"),
    ("graph_ir/graph/values.h.j2", "graph_ir/graph/values.h"),
];
