//! The command `units`.
//!
//! Invariant: nothing is rendered after an error.

use super::model::{self, Unit};
use super::{codes, compared, explain, facts, files, records};
use torchgen_base::diag::CodeInfo;
use torchgen_kit::changes::family::Compared;
use torchgen_kit::driver::args::NoFlags;
use torchgen_kit::driver::family::GeneratingCommand;
use torchgen_kit::driver::job::{Example, example};
use torchgen_kit::driver::output::GeneratedFiles;
use torchgen_kit::driver::pages;
use torchgen_kit::driver::request::Request;
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::facts::Facts;
use torchgen_kit::site::Site;

/// The command.
pub(crate) struct Units;

impl GeneratingCommand for Units {
    type Flags = NoFlags;
    const NAME: &'static str = "units";
    const ABOUT: &'static str = "Generate constants from units of measurement";
    const CODES: &'static [&'static CodeInfo] = codes::ALL;
    const EXAMPLES: &'static [Example] = &[
        example("Generate the header of this directory", "units -s . -d generated"),
        example("Also write documentation", "units -s units.yaml -d generated --emit docs"),
    ];
    const EMIT: &'static [&'static str] = &["docs"];
    const COMPARED: &'static Compared = &compared::COMPARED;

    fn make(request: &Request, _: &NoFlags, session: &mut Session) -> Result<GeneratedFiles, JobError> {
        let units = read_units(request, session)?;
        let renderer = request.renderer("units", session)?;
        let mut files = files::files(&units, request.files(&renderer))?;
        if request.emits("docs") {
            files.extend(pages::emitted(
                &Site::of_plain_facts(Units::NAME, &facts::facts(&units)),
                request.files(&renderer),
            )?);
        }
        Ok(request.made(files, renderer))
    }

    fn facts(request: &Request, session: &mut Session) -> Result<Facts, JobError> {
        Ok(facts::facts(&read_units(request, session)?))
    }

    fn explain(what: &str, request: &Request, session: &mut Session) -> Result<String, JobError> {
        let units = read_units(request, session)?;
        explain::unit(what, &units, &request.renderer("units", session)?)
    }
}

/// Reads and checks the units of all sources.
fn read_units(request: &Request, session: &mut Session) -> Result<Vec<Unit>, JobError> {
    let mut records = Vec::new();
    for document in request.documents(Units::NAME, session)? {
        records.extend(records::read_unit_records(document.root, &mut session.diagnostics));
    }
    let units = model::resolve(&records, &mut session.diagnostics);
    session.check_errors()?;
    Ok(units)
}
