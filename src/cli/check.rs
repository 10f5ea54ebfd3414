//! `torchgen-rs check`: finds the errors in YAML files of any family, and writes nothing.
//!
//! Invariant: every source is checked, by each family that its files name. The errors of one part
//! do not hide those of another.

use std::path::PathBuf;

use crate::families;
use crate::torch::{self, check};
use torchgen_base::diag::{Diagnostic, Severity, Span, codes, did_you_mean};
use torchgen_generators::args::CheckArgs;
use torchgen_kit::driver::family::Command;
use torchgen_kit::driver::head::{ByFamily, FamilyFile, has_operators};
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{Counters, JobError, Session, Status, with_session};

/// The command.
pub(super) const COMMAND: Command = Command::plain::<CheckArgs>(
    "check",
    "Check all YAML files of directories, of any family, and write nothing",
    |_, matches| Command::with_args(matches, run),
);

fn run(args: CheckArgs) -> (Status, Counters) {
    let common = args.common();
    with_session(&common, None, |session| {
        session.checks_only = true;
        let ByFamily { mut operators, families } = ByFamily::of(&args.sources());
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
                None if is_torch(&family) => operators.extend(sources),
                None => keep(files.iter().try_for_each(|file| no_such_family(&family, file, session))),
            }
        }
        if !operators.is_empty() {
            keep(check::check(&args.of(operators), session));
        }
        if !failed.is_empty() {
            return Err(JobError::Failed(failed));
        }
        session.report_unread();
        session.check(args.strict)?;
        Ok(Summary { checked: Some(session.yaml_files()), ..Summary::default() })
    })
}

/// Whether a name is that of the family without heads.
pub(super) fn is_torch(family: &str) -> bool {
    [torch::FAMILY.name, "library"].contains(&family)
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
    let ByFamily { operators, families } = ByFamily::of(sources);
    let known = |name: &str| families::commands().any(|command| command.name == name && command.documents.is_some());
    let named: Vec<_> = families.iter().filter(|(name, _)| known(name)).collect();
    // Whoever reads a directory without any YAML says so.
    let operators: Vec<_> = operators.into_iter().filter(|path| !path.is_dir() || has_operators(path)).collect();
    if named.len() + usize::from(!operators.is_empty()) < 2 {
        return None;
    }
    let mut error = Diagnostic::new(&codes::SEVERAL_FAMILIES, "the sources belong to several families");
    for path in &operators {
        error = error.note(match path.is_dir() {
            true => format!("`{}` has a native_functions.yaml", path.display()),
            false => format!("`{}` does not name a family", path.display()),
        });
    }
    for (name, files) in &named {
        for file in *files {
            error = error.note(format!("`{}` belongs to `{name}`", file.file.display()));
        }
    }
    let commands = operators.first().map(|_| "generate").into_iter().chain(named.iter().map(|(name, _)| name.as_str()));
    let commands: Vec<String> = commands.map(|name| format!("`torchgen-rs {name}`")).collect();
    Some(error.help(format!("run {}, each with its own sources", commands.join(" and "))))
}
