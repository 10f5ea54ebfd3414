//! `torchgen-rs breaking`: what changed since an older state, and whom it breaks.
//!
//! Invariant: nothing is written. The lints of both states are not reported. Errors of the old
//! state do not fail the run if it can be read all the same: nobody can correct them.

use std::path::PathBuf;

use clap::Args;
use indexmap::IndexSet;

use super::heads::{self, Refusal};
use crate::families::{self, Fallback};
use torchgen_base::diag::{Diagnostic, Diagnostics, Severity, plural};
use torchgen_kit::changes::report::{Shown, diagnostic, verdict};
use torchgen_kit::changes::{Rules, Thing, compare};
use torchgen_kit::driver::args::{Common, CommonArgs, DATA, INPUT, LONG, ShownChanges};
use torchgen_kit::driver::family::{DefaultFamily, Documents};
use torchgen_kit::driver::head::ByFamily;
use torchgen_kit::driver::job::{Example, Job, JobArgs, example};
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::request::Request;
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
        example("Compare the sources in this directory with the tag v1.0", "breaking --against v1.0"),
        example("Show only what breaks saved programs", "breaking ops --against main --category saved"),
        example("Compare two revisions, also in a bare repository", "breaking v1.1:ops --against v1.0"),
    ];

    fn run(args: &BreakingArgs, session: &mut Session) -> Result<Summary, JobError> {
        session.checks_only = true;
        let given: Vec<PathBuf> = args.source_paths.iter().chain(&args.paths).cloned().collect();
        let given = if given.is_empty() { vec![".".into()] } else { given };
        let sources = session.sources_at(&given)?;
        let before = session.state_at(&args.against, &given)?;
        let parts = parts(&before, &sources, session)?;
        let shown = args.shown.shown();
        let mut total = Count::default();
        for part in parts {
            let count = session.apart(|session| part.compare(&shown, &args.common(), session))?;
            total = Count {
                declared: total.declared + count.declared,
                changes: total.changes + count.changes,
                others: total.others || count.others,
            };
        }
        let quiet = session.diagnostics.is_empty();
        let noun = if total.others { "declaration" } else { "operator" };
        let compared = format!("compared {} with `{}`", plural(total.declared, noun), args.against);
        args.shown.print(&compared, session)?;
        session.fail_on_errors(shown.risky_fails())?;
        let said = format!("{compared}: {}", verdict(total.changes, quiet));
        Ok(Summary { said: Some(said), ..Summary::default() })
    }
}

/// How much was compared.
#[derive(Debug, Default)]
struct Count {
    declared: usize,
    changes: usize,
    /// Whether there is something else than operators.
    others: bool,
}

/// The sources of one family, in both states.
struct Part {
    /// The family; `None` for the sources that name none.
    documents: Option<&'static Documents>,
    old: Vec<PathBuf>,
    new: Vec<PathBuf>,
}

/// The parts of both states, in the order of the new one.
fn parts(old: &[PathBuf], new: &[PathBuf], session: &mut Session) -> Result<Vec<Part>, JobError> {
    let [old, new] = [old, new].map(|sources| ByFamily::seen(sources, Fallback::SOURCES, &mut session.seen));
    let unknown = heads::unknown(&new);
    if !unknown.is_empty() {
        return Err(Refusal::Unknown(unknown).report(session));
    }
    let is_ours = |name: &&String| !Fallback::NAMES.contains(&name.as_str());
    let names: IndexSet<&String> = new.families.keys().chain(old.families.keys()).filter(is_ours).collect();
    let files = |side: &ByFamily, name: &str| side.families.get(name).map_or(Vec::new(), |all| ByFamily::sources(all));
    let unnamed = |side: &ByFamily| {
        let named = Fallback::NAMES.iter().flat_map(|name| files(side, name));
        side.unnamed.iter().cloned().chain(named).collect::<Vec<_>>()
    };
    let mut parts = Vec::new();
    for name in names {
        let command = families::commands().find(|command| command.name == name.as_str());
        let documents = command.and_then(|command| command.documents.as_ref());
        parts.extend(documents.map(|documents| Part {
            documents: Some(documents),
            old: files(&old, name),
            new: files(&new, name),
        }));
    }
    let part = Part { documents: None, old: unnamed(&old), new: unnamed(&new) };
    if parts.is_empty() || !part.old.is_empty() && !part.new.is_empty() {
        parts.push(part);
    }
    Ok(parts)
}

impl Part {
    /// Reports what changed.
    fn compare(&self, shown: &Shown, common: &CommonArgs, session: &mut Session) -> Result<Count, JobError> {
        let (old, _) = self.old_state(common, session)?;
        let mut report = std::mem::take(&mut session.diagnostics);
        let read = self.state(&self.new, common, session);
        let mut found = std::mem::take(&mut session.diagnostics);
        let (new, rules) = match read {
            Ok(state) if !found.has_errors() => state,
            read => {
                session.diagnostics.extend(found);
                return Err(read.err().unwrap_or(JobError::Input));
            }
        };
        let changes = compare(&old, &new, rules);
        let declared = || old.iter().filter(|thing| !thing.name.is_empty());
        let others = declared().any(|thing| thing.kind != "operator");
        let count = Count { declared: declared().count(), changes: changes.len(), others };
        // They go to the collector that knows what the entries allow.
        found.extend(
            changes.into_iter().filter_map(|change| shown.with_shown_effects(change)).map(|change| diagnostic(&change)),
        );
        report.extend(found.into_iter().filter(|one| one.change.is_some()));
        session.diagnostics = report;
        Ok(count)
    }

    /// What sources declare.
    fn state(
        &self,
        sources: &[PathBuf],
        common: &CommonArgs,
        session: &mut Session,
    ) -> Result<(Vec<Thing>, Rules), JobError> {
        let Some(documents) = self.documents else { return Fallback::state(sources, session) };
        let compared = documents.compared;
        // The family is new, or gone.
        if sources.is_empty() {
            return Ok((Vec::new(), compared.rules));
        }
        let facts = (documents.facts)(&Request::to_check(sources.to_vec(), common), session)?;
        Ok((compared.things(&facts), compared.rules))
    }

    /// The old state. Its errors become notes.
    fn old_state(&self, common: &CommonArgs, session: &mut Session) -> Result<(Vec<Thing>, Rules), JobError> {
        let read = self.state(&self.old, common, session);
        let found = std::mem::take(&mut session.diagnostics);
        let Ok(state) = read else {
            let is_old = |error: Diagnostic| error.note("this is in the old state");
            session.diagnostics.extend(found.into_iter().filter(|one| one.severity == Severity::Error).map(is_old));
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
}
