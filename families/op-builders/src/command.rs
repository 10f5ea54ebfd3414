//! The command `op-builders`.
//!
//! Invariant: nothing is rendered after an error.

use std::path::PathBuf;

use clap::Args;

use super::files::{self, Options, Target};
use super::model::{self, Model};
use super::{check, codes, compared, examples, explain, facts, records, site};
use torchgen_base::diag::CodeInfo;
use torchgen_kit::changes::family::Compared;
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
pub(super) struct OpBuilders;

/// The flags of `op-builders`.
#[derive(Debug, Clone, Args)]
pub(super) struct Flags {
    /// YAML file with additional primitive operators; can be repeated
    #[arg(long, value_name = "FILE", help_heading = INPUT, action = clap::ArgAction::Append)]
    primitives: Vec<PathBuf>,
    /// The headers to compile the builders with
    #[arg(long, value_enum, default_value_t, value_name = "TARGET", help_heading = OUTPUT, hide_short_help = true)]
    target: Target,
    /// Write the support library (`emit`), or include it from here
    ///
    /// PATH is a directory of headers.
    #[arg(long, default_value = "emit", value_name = "emit|PATH", help_heading = OUTPUT, hide_short_help = true)]
    support: String,
}

impl GeneratingCommand for OpBuilders {
    type Flags = Flags;
    const NAME: &'static str = "op-builders";
    const ABOUT: &'static str = "Generate op builders (composite operators) in C++ from signatures and bodies";
    const CODES: &'static [&'static CodeInfo] = codes::ALL;
    const EXAMPLES: &'static [Example] = &[
        example("Generate the builders of this directory", "op-builders -s . -d generated"),
        example("Also write documentation and a test", "op-builders -s ops.yaml -d generated --emit docs,self-test"),
    ];
    const EMIT: &'static [&'static str] = &["docs", "model", "self-test"];
    const SCAFFOLD: &'static [(&'static str, &'static str)] = &[
        ("ops.yaml", "op_builders/new/ops.yaml.j2"),
        ("main.cpp", "op_builders/new/main.cpp.j2"),
        ("CMakeLists.txt", "op_builders/new/CMakeLists.txt.j2"),
        ("README.md", "op_builders/new/README.md.j2"),
        (".gitignore", "op_builders/new/gitignore.j2"),
        (".github/workflows/breaking.yml", "kit/new/breaking.yml.j2"),
    ];
    const NEXT: &'static str = "op_builders/new/next.j2";
    const COMPARED: &'static Compared = &compared::COMPARED;

    fn make(request: &Request, flags: &Flags, session: &mut Session) -> Result<GeneratedFiles, JobError> {
        let model = read_documents(request, &flags.primitives, session)?;
        let tests = examples::tests(&model, &mut session.diagnostics);
        session.fail_on_errors(request.common.strict)?;
        let renderer = request.renderer("op_builders", session)?;
        let options = Options {
            target: flags.target,
            support: flags.support.clone(),
            model: request.emits("model").then(|| facts::facts(&model, &session.sources).lines(Self::NAME).text()),
            self_test: request.emits("self-test"),
        };
        let mut files = files::files(&model, &options, &tests, request.files(&renderer))?;
        if request.emits("docs") {
            files.extend(pages::emitted(&site::site(&model, &session.sources), request.files(&renderer))?);
        }
        Ok(request.made(files, renderer))
    }

    fn facts(request: &Request, session: &mut Session) -> Result<Facts, JobError> {
        let model = read_documents(request, &[], session)?;
        Ok(facts::facts(&model, &session.sources))
    }

    fn explain(what: &str, request: &Request, session: &mut Session) -> Result<String, JobError> {
        let model = read_documents(request, &[], session)?;
        session.check_errors()?;
        let callable = explain::find(what, &model)?;
        let renderer = request.renderer("op_builders", session)?;
        explain::builder(callable, &session.sources, &renderer)
    }

    fn site(request: &Request, session: &mut Session) -> Result<Site, JobError> {
        let model = read_documents(request, &[], session)?;
        session.check_errors()?;
        Ok(site::site(&model, &session.sources))
    }
}

/// The documents of a request, checked.
fn read_documents(request: &Request, primitives: &[PathBuf], session: &mut Session) -> Result<Model, JobError> {
    let mut sources = request.clone();
    sources.sources.extend(primitives.iter().cloned());
    let documents = sources.documents(OpBuilders::NAME, session)?;
    let records = records::read_records(documents, &mut session.diagnostics);
    let model = model::build(records, session)?;
    check::check_model(&model, &mut session.diagnostics);
    Ok(model)
}
