//! `torchgen-rs explain`: explains an operator, a record of a family, or a diagnostic code.

use std::path::PathBuf;

use clap::Args;

use crate::families;
use crate::torch;
use torchgen_base::diag::{Diagnostic, codes, did_you_mean};
use torchgen_generators::args::ExplainArgs;
use torchgen_kit::driver::family::{Command, Documents};
use torchgen_kit::driver::report::{Summary, write_data};
use torchgen_kit::driver::request::Request;
use torchgen_kit::driver::{Counters, JobError, Status, explain, head, with_session};

/// The command.
pub(super) const COMMAND: Command =
    Command::plain::<ExplainFlags>("explain", "Explain an operator or a diagnostic code", |_, matches| {
        Command::with_args(matches, run)
    });

/// The arguments of `explain`.
#[derive(Debug, Clone, Args)]
struct ExplainFlags {
    /// Family of the sources [default: the one that the head of the YAML names]
    #[arg(long, value_name = "FAMILY")]
    family: Option<String>,
    #[command(flatten)]
    operator: ExplainArgs,
}

fn run(flags: ExplainFlags) -> (Status, Counters) {
    let ExplainFlags { family, operator: args } = flags;
    let Some(what) = args.what.as_deref().filter(|what| !explain::is_code(what, &families::codes())) else {
        let (codes, pages) = (families::codes(), families::pages());
        return (explain::explain(args.what.as_deref(), &codes, &pages, args.json), Counters::default());
    };
    let family = family.or_else(|| args.source_path.as_deref().and_then(head::family_of));
    let Some(family) = family.filter(|family| family != torch::FAMILY.name && family != "library") else {
        return with_session(&args.common(), None, |session| torch::explain::explain(what, &args, session));
    };
    with_session(&args.common(), None, |session| {
        session.checks_only = true;
        if args.json {
            let message = format!("`--json` explains operators and diagnostics, not the records of {family}");
            return Err(Diagnostic::new(&codes::USAGE, message).help("leave out `--json`").into());
        }
        let documents = documents_of(&family)?;
        let source = args.source_path.clone().unwrap_or_else(|| PathBuf::from("."));
        let request = Request::to_check(vec![source], &args.common());
        let text = (documents.explain)(what, &request, session)?;
        session.check_errors()?;
        write_data(&text)?;
        Ok(Summary { silent: true, ..Summary::default() })
    })
}

/// The part of a family that serves its documents.
///
/// # Errors
/// There is no such family.
pub(super) fn documents_of(family: &str) -> Result<&'static Documents, JobError> {
    let named = || families::commands().filter_map(|command| Some((command.name, command.documents.as_ref()?)));
    match named().find(|(name, _)| *name == family) {
        Some((_, documents)) => Ok(documents),
        None => {
            let diagnostic = Diagnostic::new(&codes::USAGE, format!("there is no family `{family}`"));
            Err(diagnostic.maybe_help(did_you_mean(family, named().map(|(name, _)| name))).into())
        }
    }
}
