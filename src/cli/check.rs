//! `torchgen-rs check`: finds the errors in YAML files of any family, and writes nothing.
//!
//! Invariant: every source is checked, by each family that its files name. The errors of one part
//! do not hide those of another.

use std::path::PathBuf;

use clap::Args;

use super::changed;
use super::heads::{no_such_family, unknown};
use crate::families::{self, Fallback};
use torchgen_base::diag::{Diagnostic, Severity};
use torchgen_kit::driver::args::{ColorChoice, CommonArgs, MAX_ERRORS, MessageFormat, threads};
use torchgen_kit::driver::family::DefaultFamily;
use torchgen_kit::driver::head::ByFamily;
use torchgen_kit::driver::job::{Job, JobArgs};
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{JobError, Session};

/// The command.
pub(super) struct Check;

/// The arguments of `check`.
#[derive(Debug, Clone, Args)]
pub(super) struct CheckArgs {
    /// Files and directories to check, of any family
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The same
    #[arg(long = "source-path", short = 's', value_name = "PATH", num_args = 1.., action = clap::ArgAction::Append)]
    source_paths: Vec<PathBuf>,
    /// Those for sources that name no family.
    #[command(flatten)]
    own: <Fallback as DefaultFamily>::CheckFlags,
    /// Extend the tool's tables of facts with those of the same name in this directory; can be
    /// repeated
    #[arg(long, value_name = "DIR", action = clap::ArgAction::Append)]
    data_dir: Vec<PathBuf>,
    /// The paths are changed files, as pre-commit passes them: check each library and each
    /// directory of a family that one of them is in, one after the other; other files are skipped
    #[arg(long)]
    changed: bool,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
    /// Maximum number of errors to show; 0 means no limit
    #[arg(long, value_name = "N", default_value_t = MAX_ERRORS)]
    max_errors: usize,
    /// How to print diagnostics
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    message_format: MessageFormat,
    /// When to color diagnostics
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    color: ColorChoice,
    /// Number of threads [default: one per core]
    #[arg(long, short = 'j', visible_alias = "jobs", value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Print the time that each stage took
    #[arg(long)]
    timings: bool,
}

impl CheckArgs {
    /// All sources.
    fn sources(&self) -> Vec<PathBuf> {
        let given: Vec<PathBuf> = self.source_paths.iter().chain(&self.paths).cloned().collect();
        if given.is_empty() { vec![".".into()] } else { given }
    }
}

impl JobArgs for CheckArgs {
    fn common(&self) -> CommonArgs {
        CommonArgs {
            data_dir: self.data_dir.clone(),
            strict: self.strict,
            max_errors: self.max_errors,
            message_format: self.message_format,
            color: self.color,
            threads: self.threads,
            timings: self.timings,
            ..CommonArgs::default()
        }
    }
}

impl Job for Check {
    type Args = CheckArgs;
    const NAME: &'static str = "check";
    const ABOUT: &'static str = "Check all YAML files of directories, of any family, and write nothing";

    fn run(args: &CheckArgs, session: &mut Session) -> Result<Summary, JobError> {
        session.checks_only = true;
        let sources = args.sources();
        let failed: Vec<_> = match args.changed {
            false => check(&sources, args, session),
            true => {
                let projects = changed::projects(&sources, Fallback::SOURCES);
                let each = projects.iter().map(|project| {
                    let sources = std::slice::from_ref(project);
                    session.apart(|session| check(sources, args, session))
                });
                each.collect::<Vec<_>>().concat()
            }
        };
        if !failed.is_empty() {
            return Err(JobError::Failed(failed));
        }
        session.report_unread();
        session.check(args.strict)?;
        Ok(Summary { checked: Some(session.yaml_files()), ..Summary::default() })
    }
}

/// Checks sources as one run of each family would read them. Returns why a part failed; the session
/// has the errors.
fn check(sources: &[PathBuf], args: &CheckArgs, session: &mut Session) -> Vec<Diagnostic> {
    let common = args.common();
    let found = ByFamily::of(sources, Fallback::SOURCES);
    let wrong = unknown(&found);
    let ByFamily { mut unnamed, families } = found;
    let mut failed = Vec::new();
    let mut keep = |result: Result<(), JobError>| match result {
        Err(JobError::Failed(reasons)) => failed.extend(reasons),
        // The session has the errors.
        Ok(()) | Err(JobError::Input) => {}
    };
    for (family, files) in families {
        let sources = ByFamily::sources(&files);
        let documents = families::commands().find(|command| command.name == family);
        match documents.and_then(|command| command.documents.as_ref()) {
            Some(documents) => keep(session.apart(|session| (documents.check)(sources, &common, session))),
            None if Fallback::NAMES.contains(&family.as_str()) => unnamed.extend(sources),
            None => {
                // In a directory it may be a file of another program.
                let is_wrong = wrong.iter().any(|(name, _)| *name == family);
                let severity = if is_wrong { Severity::Error } else { Severity::Warning };
                keep(files.iter().try_for_each(|file| no_such_family(&family, file, severity, session)));
            }
        }
    }
    if !unnamed.is_empty() {
        keep(Fallback::check(&unnamed, &args.own, &common, session));
    }
    failed
}
