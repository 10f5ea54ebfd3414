//! `torchgen-rs check`: finds the errors in YAML files of any family. It writes nothing, unless it
//! is asked to fix them.
//!
//! Invariant: every source is checked, by each family that its files name. The errors of one part
//! do not hide those of another.

mod fix;

use std::path::{Path, PathBuf};

use clap::Args;
use indexmap::IndexSet;

use self::fix::FixFlags;
use super::changed;
use super::heads::{no_such_family, unknown};
use super::place::projects_below;
use crate::families::{self, Fallback};
use torchgen_base::diag::{Diagnostic, Severity};
use torchgen_kit::driver::args::{Common, CommonArgs, DATA, INPUT, LONG, STRICT};
use torchgen_kit::driver::family::DefaultFamily;
use torchgen_kit::driver::head::ByFamily;
use torchgen_kit::driver::job::{Example, Job, JobArgs, example};
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
    /// YAML files, or directories of them
    #[arg(long = "source-path", short = 's', value_name = "PATH", num_args = 1.., action = clap::ArgAction::Append, help_heading = INPUT)]
    source_paths: Vec<PathBuf>,
    /// Those for sources that name no family.
    #[command(flatten)]
    own: <Fallback as DefaultFamily>::CheckFlags,
    /// The paths are changed files, as pre-commit passes them
    ///
    /// Check each library and each directory of a family that one of them is in, one after the
    /// other. Other files are skipped.
    #[arg(long, help_heading = INPUT)]
    changed: bool,
    /// Those about fixes.
    #[command(flatten)]
    fix: FixFlags,
    /// The flags beyond.
    #[command(flatten)]
    common: Common<{ DATA | STRICT | LONG }>,
}

impl CheckArgs {
    /// All sources, each once.
    fn sources(&self) -> Vec<PathBuf> {
        let given: IndexSet<PathBuf> = self.source_paths.iter().chain(&self.paths).map(|path| whole(path)).collect();
        if given.is_empty() { vec![".".into()] } else { given.into_iter().collect() }
    }

    /// What is checked: the sources, or the projects that they belong to.
    fn checked(&self) -> Vec<PathBuf> {
        let sources = self.sources();
        if self.changed { changed::projects(&sources, Fallback::SOURCES) } else { sources }
    }
}

/// The directory of a source, for a file that is only read as a part of it, such as library.yaml.
fn whole(path: &Path) -> PathBuf {
    let sources = Fallback::SOURCES;
    let Some(directory) = path.parent().filter(|_| path.is_file()) else { return path.to_owned() };
    let is_part = sources.beside.iter().any(|name| path.file_name().is_some_and(|own| own == *name));
    match is_part && directory.join(sources.file).is_file() {
        true if directory.as_os_str().is_empty() => ".".into(),
        true => directory.to_owned(),
        false => path.to_owned(),
    }
}

impl JobArgs for CheckArgs {
    fn common(&self) -> CommonArgs {
        self.common.clone().into()
    }
}

impl Job for Check {
    type Args = CheckArgs;
    const NAME: &'static str = "check";
    const ABOUT: &'static str = "Check all YAML files of directories, of any family, and write nothing";
    const EXAMPLES: &'static [Example] = &[
        example("Check the library, the family's YAML, or PyTorch's sources in this directory", "check"),
        example("Check two directories, and let warnings fail", "check ops backends/npu --strict"),
        example("Fix misspelt names and the like", "check --fix"),
    ];

    fn run(args: &CheckArgs, session: &mut Session) -> Result<Summary, JobError> {
        session.checks_only = true;
        fix::fix(args, &args.checked(), session)?;
        all(args, session)?;
        session.report_unread();
        session.fail_on_errors(args.common.strict)?;
        let said = Fallback::checked(&args.checked(), &args.own, &args.common(), session)?;
        Ok(Summary { checked: said.is_none().then(|| session.yaml_files()), said, ..Summary::default() })
    }
}

/// Checks all sources; the session has their errors.
///
/// # Errors
/// A part cannot be checked.
fn all(args: &CheckArgs, session: &mut Session) -> Result<(), JobError> {
    let sources = args.checked();
    let failed: Vec<_> = match args.changed {
        false => check_families(&sources, args, session),
        true => {
            let each = sources.iter().map(|project| {
                let sources = std::slice::from_ref(project);
                session.apart(|session| check_families(sources, args, session))
            });
            each.collect::<Vec<_>>().concat()
        }
    };
    if failed.is_empty() { Ok(()) } else { Err(JobError::Failed(failed)) }
}

/// Checks sources as one run of each family would read them. Returns why a part failed; the session
/// has the errors.
fn check_families(sources: &[PathBuf], args: &CheckArgs, session: &mut Session) -> Vec<Diagnostic> {
    let common = args.common();
    let found = ByFamily::seen(sources, Fallback::SOURCES, &mut session.seen);
    let wrong = unknown(&found);
    let ByFamily { mut unnamed, families } = found;
    let mut failed = Vec::new();
    unnamed.retain(|source| match projects_below(source) {
        Some(error) => {
            failed.push(error);
            false
        }
        None => true,
    });
    let mut keep = |result: Result<(), JobError>| match result {
        Err(JobError::Failed(reasons)) => failed.extend(reasons),
        // The session has the errors, and knows that it was stopped.
        Ok(()) | Err(JobError::Input | JobError::Stopped) => {}
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
        keep(Fallback::check_sources(&unnamed, &args.own, &common, session));
    }
    failed
}
