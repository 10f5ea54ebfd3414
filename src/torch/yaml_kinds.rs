//! The kinds of YAML that the commands for PyTorch's operators read, with PyTorch's fixed words.
//!
//! Invariant: a schema depends only on the kind, so the files in `schemas/` are those of every run.

use torchgen_kit::driver::family::YamlKind;
use torchgen_model::records::json_schema::{YamlFileKind, schema};

/// All of them.
pub(crate) const YAML_KINDS: &[YamlKind] = &[
    YamlKind {
        name: "native-functions",
        about: "PyTorch's native_functions.yaml",
        schema: || schema(YamlFileKind::NativeFunctions),
    },
    YamlKind {
        name: "library",
        about: "The native_functions.yaml of an operator library",
        schema: || schema(YamlFileKind::Library),
    },
    YamlKind {
        name: "library-settings",
        about: "The library.yaml of an operator library",
        schema: || schema(YamlFileKind::Settings),
    },
    YamlKind { name: "derivatives", about: "derivatives.yaml", schema: || schema(YamlFileKind::Derivatives) },
    YamlKind { name: "tags", about: "tags.yaml", schema: || schema(YamlFileKind::Tags) },
    YamlKind { name: "deprecated", about: "deprecated.yaml", schema: || schema(YamlFileKind::Deprecated) },
    YamlKind { name: "selective", about: "Selective-build YAML", schema: || schema(YamlFileKind::Selective) },
    YamlKind { name: "backend", about: "The YAML of an external backend", schema: || schema(YamlFileKind::Backend) },
];
