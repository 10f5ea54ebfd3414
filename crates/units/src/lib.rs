//! A family for tests: units of measurement, as C++ constants and as a table in Markdown.
//!
//! The smallest complete family: records with a key table, its own diagnostics, a model, a view and
//! two templates. Only tests register it. CONTRIBUTING describes it.

mod codes;
mod model;
mod records;
mod view;

use model::Unit;
use torchgen_base::diag::Diagnostic;
use torchgen_base::yaml::json_schema::file_schema;
use torchgen_kit::driver::args::NoFlags;
use torchgen_kit::driver::family::{Command, Family, GeneratingCommand, GeneratorInfo, YamlKind};
use torchgen_kit::driver::output::GeneratedFiles;
use torchgen_kit::driver::request::Request;
use torchgen_kit::driver::{JobError, Session};
use view::View;

/// The registry entry.
pub const FAMILY: Family = Family {
    name: "units",
    about: "units of measurement",
    commands: &[Command::of::<Units>()],
    generators: || GENERATORS.to_vec(),
    yaml_kinds: &[YamlKind {
        name: "units",
        about: "Units of measurement",
        schema: || file_schema("units", "Units of measurement", &records::FILE_KEYS),
    }],
    codes: codes::ALL,
    diagnostics: include_str!("../diagnostics.md"),
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
        about: "a table",
        files: &["units.md"],
        templates: "units/units.md.j2",
    },
];

struct Units;

impl GeneratingCommand for Units {
    type Flags = NoFlags;
    const NAME: &'static str = "units";
    const ABOUT: &'static str = "Generate constants from units of measurement";
    const CODES: &'static [&'static torchgen_base::diag::CodeInfo] = codes::ALL;
    const EMIT: &'static [&'static str] = &["docs"];

    fn make(request: &Request, _: &NoFlags, session: &mut Session) -> Result<GeneratedFiles, JobError> {
        let units = units(request, session)?;
        let renderer = request.renderer("units", session)?;
        let view = View::new(&units);
        let render = |template: &str| renderer.fragment(template, &view).map_err(|error| error.diagnostic());
        let mut files = vec![request.file("units.h", render("units/units.h.j2")?)];
        if request.emits("docs") {
            files.push(request.file("units.md", render("units/units.md.j2")?));
        }
        Ok(request.made(files, renderer))
    }

    fn explain(what: &str, request: &Request, session: &mut Session) -> Result<String, JobError> {
        let units = units(request, session)?;
        match units.iter().find(|unit| unit.name == what) {
            Some(unit) => Ok(format!("{} is {} in base units\n", unit.name, unit.factor)),
            None => Err(Diagnostic::new(&codes::UNKNOWN_UNIT, format!("there is no unit `{what}`")).into()),
        }
    }
}

/// Reads and checks the units of all sources.
fn units(request: &Request, session: &mut Session) -> Result<Vec<Unit>, JobError> {
    let mut records = Vec::new();
    for document in request.documents(Units::NAME, session)? {
        records.extend(records::read(document.root, &mut session.diagnostics));
    }
    let units = model::resolve(&records, &mut session.diagnostics);
    session.check_errors()?;
    Ok(units)
}
