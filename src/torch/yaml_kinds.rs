//! The kinds of YAML that the commands for PyTorch's operators read, with PyTorch's fixed words.
//!
//! Invariant: a schema depends only on the kind, so the files in `schemas/` are those of every run.

use torchgen_kit::driver::family::YamlKind;
use torchgen_model::records::json_schema::{Kind, schema};

/// All of them.
pub(crate) const YAML_KINDS: &[YamlKind] = &[
    YamlKind {
        name: "native-functions",
        about: "PyTorch's native_functions.yaml",
        schema: || schema(Kind::NativeFunctions),
    },
    YamlKind {
        name: "library",
        about: "The native_functions.yaml of an operator library",
        schema: || schema(Kind::Library),
    },
    YamlKind {
        name: "library-settings",
        about: "The library.yaml of an operator library",
        schema: || schema(Kind::Settings),
    },
    YamlKind { name: "derivatives", about: "derivatives.yaml", schema: || schema(Kind::Derivatives) },
    YamlKind { name: "tags", about: "tags.yaml", schema: || schema(Kind::Tags) },
    YamlKind { name: "deprecated", about: "deprecated.yaml", schema: || schema(Kind::Deprecated) },
    YamlKind { name: "selective", about: "Selective-build YAML", schema: || schema(Kind::Selective) },
    YamlKind { name: "backend", about: "The YAML of an external backend", schema: || schema(Kind::Backend) },
];
