//! Graph IR: generates the classes of nodes and instructions, and the code around them, from YAML.
//!
//! Data flows `records -> model -> check -> view, docs -> files`; `command` runs these stages,
//! `explain` shows one record, `facts` has all of them as data, `compared` says what their changes
//! break, and `site` has a page for each, with the rules that `rule_page` draws. Invariant: a
//! module imports only what comes before it in this line, and a model that passes the checks
//! generates code that compiles.
//!
//! Beside them: `schema` makes the model of records, with `gradient` and `verify`; `effects` is the
//! part of the model about memory; `prelude` adds and checks the records that the support library
//! calls, `support` is about base classes of the user's; `expression` reads the C++ of records;
//! `words` and `name` are about names.

mod check;
mod codes;
mod command;
mod compared;
mod docs;
mod effects;
mod explain;
mod expression;
mod facts;
mod files;
mod gradient;
mod model;
mod name;
mod prelude;
mod records;
mod renamed;
mod rewrite;
mod rule_page;
mod schema;
mod site;
mod support;
#[cfg(test)]
mod tests;
mod verify;
mod view;
mod words;

use torchgen_base::yaml::format::Style;
use torchgen_base::yaml::json_schema::file_schema;
use torchgen_embedded::{Files, files};
use torchgen_kit::driver::family::{Command, Family, GeneratorInfo, YamlKind};

/// The templates, and the C++ sources that are written as they are.
static TEMPLATES: Files = files!(Templates, "templates", "graph_ir/", renamed::RENAMED);

/// The registry entry.
pub const FAMILY: Family = Family {
    name: "graph-ir",
    about: "nodes and instructions of a graph, as Glow's ClassGen makes them",
    commands: &[Command::generating::<command::GraphIr>()],
    generators: || GENERATORS.to_vec(),
    yaml_kinds: &[YamlKind {
        name: "graph-ir",
        about: "Nodes and instructions of a graph",
        schema: || file_schema("graph-ir", "Nodes and instructions of a graph", &records::FILE_KEYS),
    }],
    style: Style { schema_keys: &["node", "instr"], list_keys: &[] },
    codes: codes::ALL,
    files: || vec![&TEMPLATES],
};

const GENERATORS: &[GeneratorInfo] = &[
    GeneratorInfo {
        name: "nodes",
        command: "graph-ir",
        about: "the classes of nodes",
        files: &[
            "AutoGenNodes.h",
            "AutoGenNodes.cpp",
            "AutoGenNodes.def",
            "AutoGenNodesImport.h",
            "AutoGenNodesExport.h",
            "AutoGenFactories.h",
            "AutoGenFactories.cpp",
        ],
        templates: "graph_ir",
    },
    GeneratorInfo {
        name: "instructions",
        command: "graph-ir",
        about: "the classes of instructions, their builder, and lowering",
        files: &[
            "AutoGenInstr.h",
            "AutoGenInstr.cpp",
            "AutoGenInstr.def",
            "AutoGenIRBuilder.h",
            "AutoGenIRBuilder.cpp",
            "AutoGenIRGen.h",
        ],
        templates: "graph_ir",
    },
    GeneratorInfo {
        name: "support",
        command: "graph-ir",
        about: "the library that the classes build on",
        files: &["IR<Part>.h", "IR<Part>.cpp"],
        templates: "graph_ir",
    },
    GeneratorInfo {
        name: "rules",
        command: "graph-ir",
        about: "rewriting of graphs, if the files have rules",
        files: &["IRRules.h", "IRRuleWords.h", "IRRules.cpp", "ir_rules_test.cpp"],
        templates: "graph_ir",
    },
    GeneratorInfo {
        name: "docs",
        command: "graph-ir",
        about: "the pages of the site, the model, changes, the self-test",
        files: &["docs/<page>.md", "docs/pictures/<page>.svg", "ir_model.jsonl", "ir_changes.md", "ir_selftest.cpp"],
        templates: "graph_ir",
    },
];
