//! `torchgen-rs check`: finds the errors in YAML files of any family, and writes nothing.
//!
//! Invariant: every source is checked, by each family that its files name. The errors of one part
//! do not hide those of another.

use std::path::PathBuf;

use clap::Args;

use super::changed;
use crate::families::{self, Fallback};
use torchgen_base::diag::Severity;
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
<<<<<<< HEAD
        let found = ByFamily::of(&args.sources(), Fallback::SOURCES);
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
=======
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
>>>>>>> 63901f51 (Check the projects that changed files belong to, in hooks and on GitHub)
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
<<<<<<< HEAD
=======

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

/// Reports a head that names no family. In a directory it may be a file of another program.
fn no_such_family(family: &str, found: &FamilyFile, session: &mut Session) -> Result<(), JobError> {
    let file = session.read_text(&found.file)?;
    let text = session.sources.text(file);
    let is_head = |line: &&str| line.strip_prefix("family:").is_some_and(|value| value.contains(family));
    let line = text.lines().find(is_head).map_or(0, |line| line.as_ptr().addr() - text.as_ptr().addr());
    let start = line + text[line..].find(family).unwrap_or_default();
    let names = || families::commands().filter(|command| command.documents.is_some()).map(|command| command.name);
    let near = did_you_mean(family, names());
    let foreign = near.is_none() && found.file != found.source;
    let help = near.unwrap_or_else(|| format!("the families are {}", names().collect::<Vec<_>>().join(", ")));
    let severity = if foreign { Severity::Warning } else { Severity::Error };
    let error = Diagnostic::new(&codes::WRONG_FAMILY, format!("there is no family `{family}`")).severity(severity);
    session.diagnostics.push(error.at(Span::new(file, start, start + family.len())).help(help));
    Ok(())
}

/// The error if a run that generates files has sources of several families.
pub(super) fn several_families(sources: &[PathBuf]) -> Option<Diagnostic> {
    let ByFamily { unnamed, families } = ByFamily::of(sources, Fallback::SOURCES);
    let known = |name: &str| families::commands().any(|command| command.name == name && command.documents.is_some());
    let named: Vec<_> = families.iter().filter(|(name, _)| known(name)).collect();
    // Whoever reads a directory without any YAML says so.
    let unnamed: Vec<_> = unnamed.into_iter().filter(|path| !path.is_dir() || Fallback::SOURCES.is_in(path)).collect();
    if named.len() + usize::from(!unnamed.is_empty()) < 2 {
        return None;
    }
    let mut error = Diagnostic::new(&codes::SEVERAL_FAMILIES, "the sources belong to several families");
    for path in &unnamed {
        error = error.note(match path.is_dir() {
            true => format!("`{}` has a {}", path.display(), Fallback::SOURCES.file),
            false => format!("`{}` does not name a family", path.display()),
        });
    }
    for (name, files) in &named {
        for file in *files {
            error = error.note(format!("`{}` belongs to `{name}`", file.file.display()));
        }
    }
    let commands =
        unnamed.first().map(|_| Fallback::COMMAND).into_iter().chain(named.iter().map(|(name, _)| name.as_str()));
    let commands: Vec<String> = commands.map(|name| format!("`torchgen-rs {name}`")).collect();
    Some(error.help(format!("run {}, each with its own sources", commands.join(" and "))))
}
>>>>>>> 63901f51 (Check the projects that changed files belong to, in hooks and on GitHub)
