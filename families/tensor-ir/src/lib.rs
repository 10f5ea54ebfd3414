//! Tensor IRs: typed trees of expressions and statements in C++17, generated from one record for
//! each node.
//!
//! Data flows `records -> model -> check -> view -> files`; `command` runs these stages, `explain`
//! shows one record, `facts` has all of them as data, `compared` says what their changes break, and
//! `site` has a page for each. Invariant: a module imports only what comes before it in this line,
//! and a model with errors is not rendered. No `docs`: pages are made of the same view as the
//! classes.
//!
//! Beside them: `types`, `dtype_rule`, `print_form`, `constraint` and `roles` read the values of
//! keys for the model; `names` is about names in C++.

mod check;
mod codes;
mod command;
mod compared;
mod constraint;
mod dtype_rule;
mod explain;
mod facts;
mod files;
mod model;
mod names;
mod print_form;
mod records;
mod renamed;
mod roles;
mod site;
#[cfg(test)]
mod tests;
mod types;
mod view;

use torchgen_base::yaml::format::Style;
use torchgen_base::yaml::json_schema::file_schema;
use torchgen_embedded::{Files, files};
use torchgen_kit::driver::family::{Command, Family, GeneratorInfo, YamlKind};

/// The templates, and the C++ sources that are written as they are.
static TEMPLATES: Files = files!(Templates, "templates", "tensor_ir/", renamed::RENAMED);

/// The tables of facts.
static TABLES: Files = files!(Tables, "data", "tensor_ir/");

/// The registry entry.
pub const FAMILY: Family = Family {
    name: "tensor-ir",
    about: "IRs of expressions and statements, as oneDNN Graph Compiler's Tensor IR",
    commands: &[Command::generating::<command::TensorIr>()],
    generators: || GENERATORS.to_vec(),
    yaml_kinds: &[YamlKind {
        name: "tensor-ir",
        about: "An IR of expressions and statements",
        schema: || file_schema("tensor-ir", "An IR of expressions and statements", &records::FILE_KEYS),
    }],
    style: Style { schema_keys: &["expr", "base", "stmt", "struct", "intrinsic"], list_keys: &[] },
    codes: codes::ALL,
    files: || vec![&TEMPLATES, &TABLES],
};

const fn generator(name: &'static str, about: &'static str, files: &'static [&'static str]) -> GeneratorInfo {
    GeneratorInfo { name, command: "tensor-ir", about, files, templates: "tensor_ir" }
}

const GENERATORS: &[GeneratorInfo] = &[
    generator(
        "nodes",
        "classes of nodes, pointers, data types and attributes",
        &[
            "any_map.h",
            "dtype.h",
            "dtype.cpp",
            "node_ptr.h",
            "node_names.def",
            "nodes.h",
            "nodes.cpp",
            "function.h",
            "function.cpp",
            "module.h",
            "module.cpp",
        ],
    ),
    generator(
        "builder",
        "functions and macros that make nodes",
        &["builder.h", "builder.cpp", "easy_build.h", "easy_build.cpp", "easy_build_undef.h"],
    ),
    generator("compare", "comparing and hashing", &["comparer.h", "comparer.cpp", "hash.h", "hash.cpp"]),
    generator(
        "visit",
        "visitors, viewers, walks and deep copies",
        &[
            "visitor.h",
            "visitor.cpp",
            "viewer.h",
            "viewer.cpp",
            "walk.h",
            "walk.cpp",
            "copier.h",
            "copier.cpp",
            "visitor_skeletons.h",
        ],
    ),
    generator(
        "print",
        "the printed form, and with --emit parser its reader",
        &["printer.h", "printer.cpp", "parser.h", "parser.cpp"],
    ),
    generator("validate", "the rules of the IR", &["validator.h", "validator.cpp"]),
    generator(
        "describe",
        "with --emit: the pages of the site, the IR as JSON, a self-test",
        &["docs/<page>.md", "docs/pictures/<page>.svg", "ir_model.jsonl", "ir_changes.md", "selftest.cpp"],
    ),
];
