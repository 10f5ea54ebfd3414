//! `torchgen-rs model`: prints the model as data, of any family.
//!
//! Invariant: nothing is written, and without `--outputs` nothing is rendered.

use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args};

use super::explain::documents_of;
use super::heads::{self, Refusal};
use crate::families::Fallback;
use torchgen_base::diag::{Diagnostic, Diagnostics, codes, did_you_mean};
use torchgen_kit::driver::args::{Common, CommonArgs, DATA, INPUT, LONG, OUTPUT, TEMPLATES};
use torchgen_kit::driver::family::{DefaultFamily, ModelQuestion};
use torchgen_kit::driver::head::{self, ByFamily};
use torchgen_kit::driver::job::{Example, Job, JobArgs, example};
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::request::Request;
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::facts::{Facts, Header, Lines, is_named};

/// The command.
pub(super) struct Model;

/// The arguments of `model`.
#[derive(Debug, Clone, Args)]
pub(super) struct ModelArgs {
    /// YAML files, or directories of them
    #[arg(long, short = 's', value_name = "PATH", help_heading = INPUT)]
    source_path: Option<PathBuf>,
    /// A family, such as `graph-ir`
    ///
    /// That of the sources. The default is the one that the head of the YAML names.
    #[arg(long, value_name = "FAMILY", help_heading = INPUT, hide_short_help = true)]
    family: Option<String>,
    /// Print only these, separated by commas
    ///
    /// Operators with or without namespace and overload, or declarations of another family.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', action = clap::ArgAction::Append, help_heading = OUTPUT)]
    only: Vec<String>,
    /// Also print the generated files about each operator, with lines
    ///
    /// Everything is generated once, and nothing is written.
    #[arg(long, help_heading = OUTPUT)]
    outputs: bool,
    /// Those for sources that name no family.
    #[command(flatten)]
    own: <Fallback as DefaultFamily>::ModelFlags,
    /// The flags beyond.
    #[command(flatten)]
    common: Common<{ TEMPLATES | DATA | LONG }>,
}

impl JobArgs for ModelArgs {
    fn common(&self) -> CommonArgs {
        self.common.clone().into()
    }
}

impl Job for Model {
    type Args = ModelArgs;
    const NAME: &'static str = "model";
    const ABOUT: &'static str = "Print the model as data: operators, groups, signatures, kernels, derivatives";
    const EXAMPLES: &'static [Example] = &[
        example("Print all operators of this directory, one JSON object a line", "model"),
        example("Print what torch 2.12 has, without its files", "model --torch 2.12 --only add,mul.Tensor"),
    ];

    fn run(args: &ModelArgs, session: &mut Session) -> Result<Summary, JobError> {
        let ModelArgs { only, outputs, .. } = args;
        let source = args.source_path.as_deref();
        let head = || head::family_of(source?, Fallback::SOURCES);
        if let Some(found) = source.filter(|_| args.family.is_none()) {
            let unknown = heads::unknown(&ByFamily::sort_sources(&[found.to_owned()], Fallback::SOURCES));
            if !unknown.is_empty() {
                session.checks_only = true;
                return Err(Refusal::Unknown(unknown).report(session));
            }
        }
        session.checks_only = true;
        let family = args.family.clone().or_else(head);
        let lines = match family.filter(|family| !Fallback::NAMES.contains(&family.as_str())) {
            None => {
                let question = ModelQuestion { source, only, outputs: *outputs };
                Fallback::model(&question, &args.own, &args.common(), session)?
            }
            Some(family) => {
                let flag = if *outputs { Some("--outputs") } else { Fallback::own_flag(&args.own) };
                of_family(&family, source, only, flag, &args.common(), session)?
            }
        };
        session.check_errors()?;
        // `check` reports them; these lines are for programs.
        session.diagnostics = Diagnostics::new();
        session.host.print_all(lines.into_pieces())?;
        session.timings.lap("print");
        Ok(Summary { silent: true, ..Summary::default() })
    }
}

/// The lines of a family whose files name it. `flag` is one that is given and only for operators.
fn of_family(
    family: &str,
    source: Option<&Path>,
    only: &[String],
    flag: Option<&str>,
    common: &CommonArgs,
    session: &mut Session,
) -> Result<Lines, JobError> {
    let documents = documents_of(family)?;
    if let Some(flag) = flag {
        let message = format!("`{flag}` is for operators, not for the records of {family}");
        return Err(Diagnostic::new(&codes::USAGE, message).help(format!("leave out `{flag}`")).into());
    }
    let sources = vec![source.map_or_else(|| PathBuf::from("."), PathBuf::from)];
    let Facts { namespace, mut things } = (documents.facts)(&Request::to_check(sources, common), session)?;
    session.check_errors()?;
    for word in only {
        if !things.iter().any(|thing| is_named(&thing.name, word)) {
            let error = Diagnostic::new(&codes::USAGE, format!("{family} has no `{word}` here"));
            return Err(error.maybe_help(did_you_mean(word, things.iter().map(|thing| thing.name.as_str()))).into());
        }
    }
    things.retain(|thing| only.is_empty() || only.iter().any(|word| is_named(&thing.name, word)));
    let header = Header { namespace, ..Header::of_family(family.to_owned(), things.len()) };
    Ok(Lines::from_things(&header, &things))
}

/// Whether a command line asks for operators without files: those of a version of torch.
pub(super) fn needs_no_sources(matches: &ArgMatches) -> bool {
    let given = |id: &str| matches.try_contains_id(id).unwrap_or_default();
    given("torch") && !given("source_path")
}
