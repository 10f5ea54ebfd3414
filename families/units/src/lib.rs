//! A family for tests: units of measurement, as C++ constants and as pages in Markdown.
//!
//! Data flows `records -> model -> view -> files`; `command` runs these stages, `facts` has the
//! records as data, `compared` says what their changes break, and `explain` shows one. Invariant: a
//! module imports only what comes before it in this line.
//!
//! The smallest complete family, which only tests register. CONTRIBUTING describes it.
//! No `check`: `model` reports what it cannot resolve. No `docs`: the pages are made of the
//! facts.

mod codes;
mod command;
mod compared;
mod explain;
mod facts;
mod files;
mod model;
mod records;
#[cfg(test)]
mod tests;
mod view;

use torchgen_base::yaml::format::Style;
use torchgen_base::yaml::json_schema::file_schema;
use torchgen_embedded::{Files, files};
use torchgen_kit::driver::family::{Command, Family, GeneratorInfo, YamlKind};

/// The templates.
static TEMPLATES: Files = files!(Templates, "templates", "units/");

/// The registry entry.
pub const FAMILY: Family = Family {
    name: "units",
    about: "units of measurement",
    commands: &[Command::generating::<command::Units>()],
    generators: || GENERATORS.to_vec(),
    yaml_kinds: &[YamlKind {
        name: "units",
        about: "Units of measurement",
        schema: || file_schema("units", "Units of measurement", &records::FILE_KEYS),
    }],
    style: Style { schema_keys: &[], list_keys: &[] },
    codes: codes::ALL,
    files: || vec![&TEMPLATES],
};

const GENERATORS: &[GeneratorInfo] = &[
    GeneratorInfo {
        name: "header",
        command: "units",
        about: "constants",
        files: &["units.h"],
        templates: "units/units.h.j2",
    },
    GeneratorInfo {
        name: "docs",
        command: "units",
        about: "pages about them",
        files: &["docs/<page>.md"],
        templates: "kit/site",
    },
];
