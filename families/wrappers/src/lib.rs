//! Kernel wrappers: PyTorch's operators on a backend's graph API, as torch_spyre's code generator.
//!
//! Data flows `records -> model -> check -> view, docs -> files`; `command` runs these stages,
//! `explain` shows one record, `facts` has all of them as data, `compared` says what their changes
//! break, and `site` has the report as a page. Invariant: a module imports only what comes before
//! it in this line, and a wrapper computes what PyTorch computes or raises an error that names the
//! argument; nothing is dropped silently.
//!
//! Beside them, between `model` and `check`: `matching -> pairing -> results -> wrapper -> plan`
//! decide about each operator, with `shapes`, `values` and `expression` for C++ expressions;
//! `examples` are those of the self-test, and `call` is what a wrapper's template gets. `legacy`
//! runs on torch_spyre's inputs; `flags` are those of both kinds of runs.

mod aliases;
mod call;
mod check;
mod codes;
mod command;
mod compared;
mod defaults;
mod dims;
mod docs;
mod examples;
mod explain;
mod expression;
mod facts;
mod files;
mod flags;
mod legacy;
mod matching;
mod model;
mod pairing;
mod plan;
mod reason;
mod records;
mod results;
mod shapes;
mod site;
#[cfg(test)]
mod tests;
mod together;
mod types;
mod unknown;
mod values;
mod view;
mod wrapper;

use torchgen_base::yaml::format::Style;
use torchgen_base::yaml::json_schema::file_schema;
use torchgen_embedded::{Files, files};
use torchgen_kit::driver::family::{Command, Family, GeneratorInfo, YamlKind};

/// The templates.
static TEMPLATES: Files = files!(Templates, "templates", "wrappers/");

/// Kernel wrappers.
pub const FAMILY: Family = Family {
    name: "wrappers",
    about: "Kernels that call a backend's graph API, as torch_spyre's code generator",
    commands: &[Command::generating::<command::Wrappers>()],
    generators: || GENERATORS.to_vec(),
    yaml_kinds: &[YamlKind {
        name: "wrappers",
        about: "A backend's functions and the operators that it serves",
        schema: || file_schema("wrappers", "Kernel wrappers", &records::DOCUMENT),
    }],
    style: Style { schema_keys: &["fn"], list_keys: &[] },
    codes: codes::ALL,
    files: || vec![&TEMPLATES],
};

const GENERATORS: &[GeneratorInfo] = &[
    GeneratorInfo {
        name: "wrappers",
        command: "wrappers",
        about: "The wrappers and their registration, what they share, and a report of all operators",
        files: &[
            "<name>_torch_ops.cpp",
            "<name>_torch_ops.h",
            "<name>_shape.h",
            "<name>_runtime.h",
            "<name>_expr.h",
            "GeneratedDeclarations.yaml",
            "skip_report.md",
            "skip_report.json",
        ],
        templates: "wrappers",
    },
    GeneratorInfo {
        name: "mock",
        command: "wrappers",
        about: "The backend's graph API on the CPU, and a test of the wrappers",
        files: &["mock_backend.h", "wrappers_test.cpp"],
        templates: "wrappers",
    },
];
