//! Op builders: composite operators of MIGraphX, from a signature and a body in YAML.
//!
//! Data flows `records -> model -> check -> view, docs -> files`; `command` runs these stages,
//! `explain` shows one record, `facts` has all of them as data, `compared` says what their changes
//! break, and `site` has a page for each, with what `expansion` draws. Invariant: a module imports
//! only what comes before it in this line, and generated builders insert instructions only
//! immediately before the given position, because the class that inserts them cannot do anything
//! else. Nothing here optimizes, or defines operators.
//!
//! Beside them: `signature`, `vocabulary`, `literals` and `names` read schema strings and bodies
//! for the model; `lower` converts bodies to lines for `view`; `examples` makes the self-test.

mod check;
mod codes;
mod command;
mod compared;
mod docs;
mod examples;
mod expansion;
mod explain;
mod facts;
mod files;
mod literals;
mod lower;
mod model;
mod names;
mod records;
mod renamed;
mod signature;
mod site;
#[cfg(test)]
mod tests;
mod view;
mod vocabulary;

use torchgen_base::yaml::format::Style;
use torchgen_base::yaml::json_schema::file_schema;
use torchgen_embedded::{Files, files};
use torchgen_kit::driver::family::{Command, Family, GeneratorInfo, YamlKind};

/// The templates, and the C++ sources that are written as they are.
static TEMPLATES: Files = files!(Templates, "templates", "op_builders/", renamed::RENAMED);

/// Op builders.
pub const FAMILY: Family = Family {
    name: "op_builders",
    about: "Composite operators from a signature and a body, as MIGraphX's op builders",
    commands: &[Command::generating::<command::OpBuilders>()],
    generators: || GENERATORS.to_vec(),
    yaml_kinds: &[YamlKind {
        name: "op-builders",
        about: "Op builders and primitive operators",
        schema: || file_schema("op-builders", "Op builders", &records::DOCUMENT),
    }],
    style: Style { schema_keys: &["builder", "helper", "op"], list_keys: &[] },
    codes: codes::ALL,
    files: || vec![&TEMPLATES],
};

const GENERATORS: &[GeneratorInfo] = &[
    GeneratorInfo {
        name: "builders",
        command: "op-builders",
        about: "The builders, and typed functions that call them",
        files: &["op_builders.h", "op_builders.cpp", "op_builders_typed.h"],
        templates: "op_builders",
    },
    GeneratorInfo {
        name: "support",
        command: "op-builders",
        about: "The support library: values, shapes, modules, the registry, a reference evaluator",
        files: &["builder_support.h", "builder_<part>.h", "builder_<part>.cpp", "op_builder_registry.cpp"],
        templates: "op_builders/support",
    },
];
