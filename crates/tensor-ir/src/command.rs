//! `torchgen-rs tensor-ir`: reads the YAML of an IR and generates its C++.
//!
//! Invariant: all errors of all files are reported before anything is rendered.

use std::path::PathBuf;

use super::codes;
use super::describe;
use super::emit::{self, Wanted};
use super::explain;
use super::model::{self, Ir};
use super::records::{self, IrRecord};
use super::view;
use torchgen_base::diag::{CodeInfo, Diagnostic, did_you_mean};
use torchgen_kit::driver::family::GeneratingCommand;
use torchgen_kit::driver::output::GeneratedFiles;
use torchgen_kit::driver::request::Request;
use torchgen_kit::driver::{JobError, Session};

/// The command.
pub(crate) struct TensorIr;

/// Its own flags.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Flags {
    /// Do not write easy_build.h, which has macros for builders
    #[arg(long)]
    no_easy_build: bool,
    /// Compare with the YAML at this path, and write the differences to `ir_changes.md`
    #[arg(long, value_name = "PATH")]
    against: Option<PathBuf>,
}

impl GeneratingCommand for TensorIr {
    type Flags = Flags;
    const NAME: &'static str = "tensor-ir";
    const ABOUT: &'static str =
        "Generate a tensor IR: classes of expressions and statements, builders, visitors, printer, parser";
    const CODES: &'static [&'static CodeInfo] = codes::ALL;
    const EMIT: &'static [&'static str] = &["docs", "model", "parser", "self-test", "skeletons"];
    const SCAFFOLD: &'static [(&'static str, &'static str)] = &[
        ("ir.yaml", "tensor_ir/new/ir.yaml.j2"),
        ("main.cpp", "tensor_ir/new/main.cpp.j2"),
        ("CMakeLists.txt", "tensor_ir/new/CMakeLists.txt.j2"),
        ("README.md", "tensor_ir/new/README.md.j2"),
    ];

    fn make(request: &Request, flags: &Flags, session: &mut Session) -> Result<GeneratedFiles, JobError> {
        let ir = read(request, session)?;
        session.timings.lap("model");
        let renderer = request.renderer("tensor_ir", session)?;
        session.timings.lap("templates");
        let wanted = Wanted {
            easy_build: !flags.no_easy_build,
            parser: request.emits("parser"),
            self_test: request.emits("self-test"),
            docs: request.emits("docs"),
            skeletons: request.emits("skeletons"),
        };
        let view = view::ir(&ir);
        let context = request.files(&renderer);
        let mut files = emit::files(&view, wanted, context).map_err(JobError::Failed)?;
        session.timings.lap("generate");
        if request.emits("model") {
            files.push(request.file("ir_model.json", describe::json(&describe::model(&ir))));
        }
        if let Some(old) = &flags.against {
            let old = read(&Request::to_check(vec![old.clone()], &request.common), session)?;
            let changes = describe::changes(&describe::model(&old), &describe::model(&ir));
            files.push(context.view_file("ir_changes.md", "tensor_ir/ir_changes.md.j2", &changes)?);
        }
        Ok(request.made(files, renderer))
    }

    fn explain(what: &str, request: &Request, session: &mut Session) -> Result<String, JobError> {
        let ir = read(request, session)?;
        let renderer = request.renderer("tensor_ir", session)?;
        let view = view::ir(&ir);
        match explain::node(what, &view, &renderer) {
            Some(text) => Ok(text.map_err(|error| error.diagnostic())?),
            None => {
                let names = ir.exprs.iter().chain(&ir.stmts).chain(&ir.intrinsics).map(|node| node.name.as_str());
                let help = did_you_mean(what, names);
                let message = format!("there is no node or intrinsic `{what}`");
                Err(Diagnostic::new(&codes::UNKNOWN_NODE, message).maybe_help(help).into())
            }
        }
    }
}

/// Reads and checks the IR of all sources.
fn read(request: &Request, session: &mut Session) -> Result<Ir, JobError> {
    let mut record = IrRecord::default();
    for document in request.documents(TensorIr::NAME, session)? {
        records::read(document.root, &mut record, &mut session.diagnostics);
    }
    let ir = model::build(record, &mut session.diagnostics);
    session.check_errors()?;
    Ok(ir)
}
