//! `torchgen-rs breaking`: what changed since an older state, and whom it breaks.
//!
//! Invariant: nothing is written. The lints of both states are not reported, and errors of the old
//! state do not fail the run: nobody can correct them.

use std::path::PathBuf;

use clap::Args;

use crate::families::Fallback;
use torchgen_base::diag::{Diagnostic, Diagnostics, Severity, plural};
use torchgen_kit::changes::report::diagnostic;
use torchgen_kit::changes::{Rules, Thing, compare};
use torchgen_kit::driver::args::{Common, CommonArgs, DATA, INPUT, LONG, ShownChanges};
use torchgen_kit::driver::family::DefaultFamily;
use torchgen_kit::driver::job::{Example, Job, JobArgs, example};
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{JobError, Session};

/// The command.
pub(super) struct Breaking;

/// The arguments of `breaking`.
#[derive(Debug, Clone, Args)]
pub(super) struct BreakingArgs {
    /// Files and directories to compare; `REVISION:PATH` is one in git
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// YAML files, or directories of them
    #[arg(long = "source-path", short = 's', value_name = "PATH", num_args = 1.., action = clap::ArgAction::Append, help_heading = INPUT)]
    source_paths: Vec<PathBuf>,
    /// The old state: a revision of the git repository, or a path
    ///
    /// `v1.0` is a tag, a branch or a commit, in which the sources are where they are now;
    /// `v1.0:ops` has them in the directory `ops`. A path that exists comes first. The revision is
    /// read without a checkout.
    #[arg(long, value_name = "STATE", required = true, help_heading = INPUT)]
    against: String,
    /// Which changes it shows.
    #[command(flatten)]
    shown: ShownChanges,
    /// The flags beyond.
    #[command(flatten)]
    common: Common<{ DATA | LONG }>,
}

impl JobArgs for BreakingArgs {
    fn common(&self) -> CommonArgs {
        self.common.clone().into()
    }
}

impl Job for Breaking {
    type Args = BreakingArgs;
    const NAME: &'static str = "breaking";
    const ABOUT: &'static str = "Show what changed since an older state, and whom it breaks";
    const EXAMPLES: &'static [Example] = &[
        example("Compare the library in this directory with the tag v1.0", "breaking --against v1.0"),
        example("Show only what breaks saved programs", "breaking ops --against main --category saved"),
        example("Compare two revisions, also in a bare repository", "breaking v1.1:ops --against v1.0"),
    ];

    fn run(args: &BreakingArgs, session: &mut Session) -> Result<Summary, JobError> {
        session.checks_only = true;
        let given: Vec<PathBuf> = args.source_paths.iter().chain(&args.paths).cloned().collect();
        let given = if given.is_empty() { vec![".".into()] } else { given };
        let sources = session.sources_at(&given)?;
        let before = session.state_at(&args.against, &given)?;
        let (old, _) = old_state(&before, session)?;
        let mut report = std::mem::take(&mut session.diagnostics);
        let read = Fallback::state(&sources, session);
        let mut found = std::mem::take(&mut session.diagnostics);
        let (new, rules) = match read {
            Ok(state) if !found.has_errors() => state,
            read => {
                session.diagnostics.extend(found);
                return Err(read.err().unwrap_or(JobError::Input));
            }
        };
        let changes = compare(&old, &new, rules);
        let count = changes.len();
        let shown = args.shown.shown();
        // They go to the collector that knows what the entries allow.
        found.extend(changes.into_iter().filter_map(|change| shown.of(change)).map(|change| diagnostic(&change)));
        report.extend(found.into_iter().filter(|one| one.change.is_some()));
        let quiet = report.is_empty();
        session.diagnostics = report;
        session.check(shown.risky_fails())?;
        let operators = old.iter().filter(|thing| !thing.name.is_empty()).count();
        let rest = match count {
            0 => "nothing changed".to_owned(),
            count if quiet => format!("{}, none shown: `--level any` shows all", plural(count, "change")),
            count => format!("{}, nothing breaks", plural(count, "change")),
        };
        let said = format!("compared {} with `{}`: {rest}", plural(operators, "operator"), args.against);
        Ok(Summary { said: Some(said), ..Summary::default() })
    }
}

/// The old state. Its errors become notes.
fn old_state(sources: &[PathBuf], session: &mut Session) -> Result<(Vec<Thing>, Rules), JobError> {
    let read = Fallback::state(sources, session);
    let found = std::mem::take(&mut session.diagnostics);
    let Ok(state) = read else {
        session.diagnostics = found;
        return read;
    };
    let lowered = |error: Diagnostic| {
        error.severity(Severity::Note).note("this is in the old state; what it concerns may be missing here")
    };
    let errors = found.into_iter().filter(|one| one.severity == Severity::Error).map(lowered);
    session.diagnostics = Diagnostics::new();
    session.diagnostics.extend(errors);
    Ok(state)
}
