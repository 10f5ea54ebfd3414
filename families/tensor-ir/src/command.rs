//! `torchgen-rs tensor-ir`: reads the YAML of an IR and generates its C++.
//!
//! Invariant: all errors of all files are reported before anything is rendered.

use super::files::{self, Wanted};
use super::model::{self, Ir};
use super::records::{self, IrRecord};
use super::{check, codes, compared, explain, facts, site};
use torchgen_base::diag::CodeInfo;
use torchgen_kit::changes::family::Compared;
use torchgen_kit::changes::report::{Page, warnings};
use torchgen_kit::driver::args::{INPUT, OUTPUT};
use torchgen_kit::driver::family::GeneratingCommand;
use torchgen_kit::driver::job::{Example, example};
use torchgen_kit::driver::output::GeneratedFiles;
use torchgen_kit::driver::pages;
use torchgen_kit::driver::request::Request;
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::facts::Facts;
use torchgen_kit::site::Site;

/// The command.
pub(crate) struct TensorIr;

/// Its own flags.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Flags {
    /// Do not write easy_build.h, which has macros for builders
    #[arg(long, help_heading = OUTPUT)]
    no_easy_build: bool,
    /// Compare with an older state, and write `ir_changes.md`
    ///
    /// A path or a revision of the git repository, as for `torchgen-rs breaking`.
    #[arg(long, value_name = "STATE", help_heading = INPUT)]
    against: Option<String>,
}

impl GeneratingCommand for TensorIr {
    type Flags = Flags;
    const NAME: &'static str = "tensor-ir";
    const ABOUT: &'static str =
        "Generate a tensor IR: classes of expressions and statements, builders, visitors, printer, parser";
    const CODES: &'static [&'static CodeInfo] = codes::ALL;
    const EXAMPLES: &'static [Example] = &[
        example("Generate the IR of this directory, with a parser", "tensor-ir -s . -d generated --emit parser"),
        example("Compare with an older version of the IR", "tensor-ir -s ir.yaml -d generated --against old/ir.yaml"),
    ];
    const EMIT: &'static [&'static str] = &["docs", "model", "parser", "self-test", "skeletons"];
    const SCAFFOLD: &'static [(&'static str, &'static str)] = &[
        ("ir.yaml", "tensor_ir/new/ir.yaml.j2"),
        ("main.cpp", "tensor_ir/new/main.cpp.j2"),
        ("CMakeLists.txt", "tensor_ir/new/CMakeLists.txt.j2"),
        ("README.md", "tensor_ir/new/README.md.j2"),
        (".gitignore", "tensor_ir/new/gitignore.j2"),
        (".github/workflows/breaking.yml", "kit/new/breaking.yml.j2"),
    ];
    const NEXT: &'static str = "tensor_ir/new/next.j2";
    const COMPARED: &'static Compared = &compared::COMPARED;

    fn make(request: &Request, flags: &Flags, session: &mut Session) -> Result<GeneratedFiles, JobError> {
        let ir = read_sources(request, session)?;
        session.timings.lap("model");
        let renderer = request.renderer("tensor_ir", session)?;
        session.timings.lap("templates");
        let wanted = Wanted {
            easy_build: !flags.no_easy_build,
            parser: request.emits("parser"),
            self_test: request.emits("self-test"),
            model: request.emits("model").then(|| facts::facts(&ir, &session.sources).lines(Self::NAME).text()),
            skeletons: request.emits("skeletons"),
        };
        let changes = match &flags.against {
            Some(old) => {
                let new = facts::facts(&ir, &session.sources);
                let old = read_sources(&request.against(old, session)?, session)?;
                let found = compared::COMPARED.changes(&facts::facts(&old, &session.sources), &new);
                session.diagnostics.extend(warnings(&found));
                session.fail_on_errors(request.common.strict)?;
                Some(Page::from_changes(&found))
            }
            None => None,
        };
        let mut files = files::files(&ir, &wanted, changes.as_ref(), request.files(&renderer))?;
        if request.emits("docs") {
            files.extend(pages::emitted(&site::site(&ir, &session.sources), request.files(&renderer))?);
        }
        session.timings.lap("generate");
        Ok(request.made(files, renderer))
    }

    fn facts(request: &Request, session: &mut Session) -> Result<Facts, JobError> {
        let ir = read_sources(request, session)?;
        Ok(facts::facts(&ir, &session.sources))
    }

    fn explain(what: &str, request: &Request, session: &mut Session) -> Result<String, JobError> {
        let ir = read_sources(request, session)?;
        let renderer = request.renderer("tensor_ir", session)?;
        explain::node(what, &ir, &renderer)
    }

    fn site(request: &Request, session: &mut Session) -> Result<Site, JobError> {
        let ir = read_sources(request, session)?;
        Ok(site::site(&ir, &session.sources))
    }
}

/// Reads and checks the IR of all sources.
fn read_sources(request: &Request, session: &mut Session) -> Result<Ir, JobError> {
    let mut record = IrRecord::default();
    for document in request.documents(TensorIr::NAME, session)? {
        records::read_records(document.root, &mut record, &mut session.diagnostics);
    }
    let ir = model::build(record, &mut session.diagnostics);
    check::check_ir(&ir, &mut session.diagnostics);
    session.check_errors()?;
    Ok(ir)
}
