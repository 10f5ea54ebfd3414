//! The command `wrappers`. Its flags are in `flags`, since runs with `legacy:` have them too.
//!
//! Invariant: nothing is rendered after an error.

use super::docs::{self, Report};
use super::explain::{self, Explanation};
use super::files::{self, Options};
use super::flags::Flags;
use super::model::Model;
use super::model::functions::Function;
use super::plan::{Plan, Row};
use super::{check, codes, compared, facts, legacy, records, site};
use torchgen_base::diag::{CodeInfo, Diagnostics};
use torchgen_kit::changes::family::Compared;
use torchgen_kit::driver::family::GeneratingCommand;
use torchgen_kit::driver::job::{Example, example};
use torchgen_kit::driver::output::GeneratedFiles;
use torchgen_kit::driver::request::Request;
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::facts::Facts;
use torchgen_kit::site::Site;

/// The command.
pub(super) struct Wrappers;

impl GeneratingCommand for Wrappers {
    type Flags = Flags;
    const NAME: &'static str = "wrappers";
    const ABOUT: &'static str = "Generate kernels of PyTorch's operators that call a backend's graph API";
    const CODES: &'static [&'static CodeInfo] = codes::ALL;
    const EXAMPLES: &'static [Example] = &[
        example("Generate the kernels of this directory for the installed torch", "wrappers -s . -d generated"),
        example(
            "Fail if fewer than 60 operators have a kernel",
            "wrappers -s backend.yaml -d generated --coverage-min 60",
        ),
    ];
    const EMIT: &'static [&'static str] = &["stubs"];
    const SCAFFOLD: &'static [(&'static str, &'static str)] = &[
        ("backend.yaml", "wrappers/new/backend.yaml.j2"),
        ("CMakeLists.txt", "wrappers/new/CMakeLists.txt.j2"),
        ("setup.py", "wrappers/new/setup.py.j2"),
        ("README.md", "wrappers/new/README.md.j2"),
        (".gitignore", "wrappers/new/gitignore.j2"),
        (".github/workflows/breaking.yml", "kit/new/breaking.yml.j2"),
    ];
    const NEXT: &'static str = "wrappers/new/next.j2";
    const COMPARED: &'static Compared = &compared::COMPARED;

    fn make(request: &Request, flags: &Flags, session: &mut Session) -> Result<GeneratedFiles, JobError> {
        let record = records::only(request, session)?;
        if record.legacy.is_some() {
            return legacy::make(&record, request, flags, session);
        }
        let model = Model::read_model(record, flags, session)?;
        let rows = rows(&model, flags, session);
        session.fail_on_errors(request.common.strict)?;
        let report = Report::from_rows(&model.names.name, docs::listed(&rows, flags.all));
        if let Some(diagnostic) = report.uncovered(model.record.coverage_min, flags.coverage_min) {
            session.diagnostics.push(diagnostic);
        }
        session.fail_on_errors(request.common.strict)?;
        let renderer = request.renderer("wrappers", session)?;
        let options = Options { stubs: request.emits("stubs"), mock: flags.mock };
        let files = files::files(&model, &rows, &report, options, request.files(&renderer))?;
        let mut made = request.made(files, renderer);
        if let Some(path) = &flags.report {
            report.copy_to(path, &mut made);
        }
        Ok(made)
    }

    fn facts(request: &Request, session: &mut Session) -> Result<Facts, JobError> {
        let (functions, all) = explanations(request, session)?;
        Ok(facts::facts(&functions, all, &session.sources))
    }

    fn explain(what: &str, request: &Request, session: &mut Session) -> Result<String, JobError> {
        let (_, all) = explanations(request, session)?;
        // Warnings about other operators do not explain this one.
        session.diagnostics = Diagnostics::new();
        explain::text(what, all, request, session)
    }

    fn site(request: &Request, session: &mut Session) -> Result<Site, JobError> {
        let flags = Flags::default();
        let record = records::only(request, session)?;
        let report = if record.legacy.is_some() {
            legacy::report(&record, &flags, session)?
        } else {
            let model = Model::read_model(record, &flags, session)?;
            let rows = rows(&model, &flags, session);
            Report::from_rows(&model.names.name, docs::listed(&rows, flags.all))
        };
        session.check_errors()?;
        Ok(site::site(&report))
    }
}

/// The functions of the graph API, and the explanations of all operators.
fn explanations(request: &Request, session: &mut Session) -> Result<(Vec<Function>, Vec<Explanation>), JobError> {
    let flags = Flags::default();
    let record = records::only(request, session)?;
    let all = if record.legacy.is_some() {
        (Vec::new(), legacy::explanations(&record, &flags, session)?)
    } else {
        let model = Model::read_model(record, &flags, session)?;
        let all: Vec<Explanation> = rows(&model, &flags, session).iter().map(Explanation::from_row).collect();
        (model.functions, all)
    };
    session.check_errors()?;
    Ok(all)
}

/// Decides about every operator, and checks the entries.
fn rows<'m>(model: &'m Model, flags: &'m Flags, session: &mut Session) -> Vec<Row<'m>> {
    let rows = Plan::new(model, flags).rows(&mut session.diagnostics);
    check::check_decisions(model, &rows, flags.required_only, &mut session.diagnostics);
    session.timings.lap("plan");
    rows
}
