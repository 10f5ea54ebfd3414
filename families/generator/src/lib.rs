//! Users' generators: a folder with a manifest and templates, over the model of the program.
//!
//! Data flows `records -> model -> files`: the manifest, its folder and own YAML; the things of a
//! provider with the entries about them; what the manifest's templates make of them. The modules
//! are `manifest, folder -> provider -> things, signature -> entries -> functions, called, report
//! -> render -> run`; `command` runs these stages, `facts` has own entries as data, `compared` says
//! what their changes break, `docs`, `schema` and `described` describe own YAML, `explain` shows an
//! operator, `compare` and `own_tests` look at files that are there. `objects` gives operators to
//! the templates of other families.
//! Invariant: a module imports only what comes before it in this line, but for the objects of
//! templates, which lead to each other.
//!
//! No `records`: they are `manifest`, with `types` and `values`, which own YAML shares. No `model`:
//! things are the provider's. No `check`: `entries` reports what it cannot read. No `view`:
//! templates see things as they are. No `files`: the manifest has them.

mod called;
mod codes;
mod command;
mod compare;
mod compared;
mod described;
mod docs;
mod entries;
mod explain;
mod facts;
mod folder;
mod functions;
mod manifest;
mod objects;
mod own_tests;
mod provider;
mod render;
mod report;
mod run;
mod schema;
mod signature;
#[cfg(test)]
mod tests;
mod things;
mod types;
mod values;

use std::marker::PhantomData;

use torchgen_base::yaml::format::Style;
use torchgen_base::yaml::json_schema::file_schema;
use torchgen_embedded::{Files, files};
use torchgen_kit::driver::family::{Command, Family, GeneratorInfo, YamlKind};

pub use described::{ForEditors, Listed, for_editors, listed};
pub use objects::{OwnKeys, objects};
pub use provider::{FunctionOf, LazyFacts, Provider, Wanted, World};

/// The templates.
static TEMPLATES: Files = files!(Templates, "templates", "generator/");

/// The family over a provider of things.
pub struct Generators<P>(PhantomData<P>);

impl<P: Provider> Generators<P> {
    const COMMANDS: &'static [Command] = &[Command::generating::<command::Generate<P>>()];

    /// The registry entry.
    pub const FAMILY: Family = Family {
        name: "generator",
        about: "users' generators: a manifest and templates over PyTorch's model",
        commands: Self::COMMANDS,
        generators: || GENERATORS.to_vec(),
        yaml_kinds: &[YamlKind {
            name: "generator",
            about: "A manifest of a generator, or its own YAML",
            schema: || file_schema("generator", "A manifest of a generator, or its own YAML", &manifest::MANIFEST_KEYS),
        }],
        style: Style { schema_keys: &["op", "func"], list_keys: &[] },
        codes: codes::ALL,
        files: || vec![&TEMPLATES],
    };
}

const GENERATORS: &[GeneratorInfo] = &[
    GeneratorInfo {
        name: "outputs",
        command: "generator",
        about: "what the manifest lists under `outputs`",
        files: &["<file>"],
        templates: "<folder>",
    },
    GeneratorInfo {
        name: "docs",
        command: "generator",
        about: "the keys of own YAML, and their JSON Schema",
        files: &["<name>.md", "<name>.schema.json"],
        templates: "generator/keys.md.j2",
    },
];
