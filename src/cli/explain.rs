//! `torchgen-rs explain`: explains an operator, a record of a family, or a diagnostic code.

use std::path::PathBuf;

use clap::{ArgMatches, Args};

use super::heads::{self, Refusal};
use crate::families::{self, Fallback};
use torchgen_base::diag::{self, Diagnostic, codes, did_you_mean};
use torchgen_kit::changes::kinds;
use torchgen_kit::driver::args::{Common, CommonArgs, DATA, INPUT, OUTPUT, TEMPLATES};
use torchgen_kit::driver::family::{DefaultFamily, Documents, Format, Question};
use torchgen_kit::driver::head::ByFamily;
use torchgen_kit::driver::job::{Example, Job, JobArgs, example};
use torchgen_kit::driver::report::{Summary, print_data};
use torchgen_kit::driver::request::Request;
use torchgen_kit::driver::{JobError, Session, explain, head};

/// The command.
pub(super) struct Explain;

/// The arguments of `explain`.
#[derive(Debug, Clone, Args)]
pub(super) struct ExplainArgs {
    /// A family, such as `graph-ir`
    ///
    /// That of the sources. The default is the one that the head of the YAML names.
    #[arg(long, value_name = "FAMILY", help_heading = INPUT, hide_short_help = true)]
    family: Option<String>,
    /// A declaration, or the id or name of a diagnostic code. Without it, list all codes
    #[arg(value_name = "WHAT")]
    what: Option<String>,
    /// YAML files, or directories of them
    #[arg(long, short = 's', value_name = "PATH", help_heading = INPUT)]
    source_path: Option<PathBuf>,
    /// Those for sources that name no family.
    #[command(flatten)]
    own: <Fallback as DefaultFamily>::ExplainFlags,
    /// What to print
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = OUTPUT)]
    format: Format,
    /// Print JSON instead of text
    ///
    /// The same as `--format json`.
    #[arg(long, conflicts_with = "format", help_heading = OUTPUT)]
    json: bool,
    /// The flags beyond.
    #[command(flatten)]
    common: Common<{ TEMPLATES | DATA }>,
}

impl JobArgs for ExplainArgs {
    fn common(&self) -> CommonArgs {
        self.common.clone().into()
    }
}

impl Job for Explain {
    type Args = ExplainArgs;
    const NAME: &'static str = "explain";
    const ABOUT: &'static str = "Explain an operator or a diagnostic code";
    const EXAMPLES: &'static [Example] = &[
        example("Explain an operator of this directory: its kernels, its derivative, its code", "explain add.Tensor"),
        example("Explain a diagnostic", "explain TG0203"),
    ];

    fn run(args: &ExplainArgs, session: &mut Session) -> Result<Summary, JobError> {
        let ExplainArgs { what, .. } = args;
        let format = if args.json { Format::Json } else { args.format };
        let json = format == Format::Json;
        let only_operators = |what: &str| {
            let is_drawn = matches!(format, Format::Svg | Format::Dot);
            let error = || Diagnostic::new(&codes::USAGE, format!("there is no picture of {what}"));
            if is_drawn { Err(error().help("`--format svg` and `--format dot` draw operators")) } else { Ok(()) }
        };
        if let Some(kind) = what.as_deref().and_then(kinds::find) {
            only_operators("a change")?;
            let summary = if json { diag::explain::json(&kind.code, None) } else { kind.lines().join("\n") + "\n" };
            return print_data(&summary, session);
        }
        let Some(what) = what.as_deref().filter(|what| !explain::is_code(what, &families::codes())) else {
            only_operators("diagnostics")?;
            return explain::explain(what.as_deref(), &families::codes(), families::page, json, session);
        };
        let source = args.source_path.as_deref();
        let head = || head::family_of(source?, Fallback::SOURCES);
        if let Some(found) = source.filter(|_| args.family.is_none()) {
            let unknown = heads::unknown(&ByFamily::sort_sources(&[found.to_owned()], Fallback::SOURCES));
            if !unknown.is_empty() {
                session.checks_only = true;
                return Err(Refusal::Unknown(unknown).report(session));
            }
        }
        let family = args.family.clone().or_else(head);
        let Some(family) = family.filter(|family| !Fallback::NAMES.contains(&family.as_str())) else {
            let question = Question { what, source, format };
            return Fallback::explain(&question, &args.own, &args.common(), session);
        };
        session.checks_only = true;
        let documents = documents_of(&family)?;
        only_operators(&format!("the records of {family}"))?;
        if json {
            let message = format!("`--json` explains operators and diagnostics, not the records of {family}");
            return Err(Diagnostic::new(&codes::USAGE, message).help("leave out `--json`").into());
        }
        let sources = vec![source.map_or_else(|| PathBuf::from("."), PathBuf::from)];
        let text = (documents.explain)(what, &Request::to_check(sources, &args.common()), session)?;
        session.check_errors()?;
        session.host.print(&text)?;
        Ok(Summary { silent: true, ..Summary::default() })
    }
}

/// Whether a command line asks about something in sources: not about a code, and not for all codes.
pub(super) fn asks_about_sources(matches: &ArgMatches) -> bool {
    let what = matches.get_one::<String>("what");
    what.is_some_and(|what| !explain::is_code(what, &families::codes()))
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
            let near = did_you_mean(family, named().map(|(name, _)| name));
            Err(diagnostic.help(near.unwrap_or_else(|| heads::known_families().into())).into())
        }
    }
}
