//! What is wrong with the families that the heads of sources name.
//!
//! Invariant: an unknown family is reported at its name, once for each file.

use std::path::PathBuf;

use crate::families::{self, Fallback};
use torchgen_base::diag::{Diagnostic, Severity, Span, codes, did_you_mean};
use torchgen_kit::driver::family::DefaultFamily;
use torchgen_kit::driver::head::{ByFamily, FamilyFile};
use torchgen_kit::driver::{JobError, Session};

/// Why a command cannot run on sources.
pub(super) enum Refusal {
    /// A reason without a place in a file.
    Said(Diagnostic),
    /// Families that do not exist, each with its files.
    Unknown(Vec<(String, Vec<FamilyFile>)>),
}

impl Refusal {
    /// Why a run that generates files cannot begin, if it cannot.
    pub(super) fn of_sources(sources: &[PathBuf]) -> Option<Refusal> {
        let found = ByFamily::sort_sources(sources, Fallback::SOURCES);
        let unknown = unknown(&found);
        if unknown.is_empty() { several_families(found).map(Refusal::Said) } else { Some(Refusal::Unknown(unknown)) }
    }

    /// Reports it.
    pub(super) fn report(self, session: &mut Session) -> JobError {
        match self {
            Refusal::Said(error) => error.into(),
            Refusal::Unknown(families) => {
                for (family, file) in families.iter().flat_map(|(family, files)| files.iter().map(move |f| (family, f)))
                {
                    if let Err(error) = no_such_family(family, file, Severity::Error, session) {
                        return error;
                    }
                }
                JobError::Input
            }
        }
    }
}

/// The families that do not exist, but for those of files that may belong to another program.
pub(super) fn unknown(found: &ByFamily) -> Vec<(String, Vec<FamilyFile>)> {
    let is_known =
        |name: &String| families::names().any(|known| known == name) || Fallback::NAMES.contains(&name.as_str());
    let is_alone = found.unnamed.is_empty() && !found.families.keys().any(is_known);
    let mut unknown = Vec::new();
    for (family, files) in found.families.iter().filter(|(name, _)| !is_known(name)) {
        let meant = is_alone || did_you_mean(family, families::names()).is_some();
        let files: Vec<FamilyFile> = files.iter().filter(|file| meant || file.file == file.source).cloned().collect();
        unknown.extend((!files.is_empty()).then(|| (family.clone(), files)));
    }
    unknown
}

/// Reports a head that names no family.
pub(super) fn no_such_family(
    family: &str,
    found: &FamilyFile,
    severity: Severity,
    session: &mut Session,
) -> Result<(), JobError> {
    let file = session.read_text(&found.file)?;
    let text = session.sources.text(file);
    let is_head = |line: &&str| line.strip_prefix("family:").is_some_and(|value| value.contains(family));
    let line = text.lines().find(is_head).map_or(0, |line| line.as_ptr().addr() - text.as_ptr().addr());
    let start = line + text[line..].find(family).unwrap_or_default();
    let help = did_you_mean(family, families::names()).unwrap_or_else(|| known_families().into());
    let error = Diagnostic::new(&codes::WRONG_FAMILY, format!("there is no family `{family}`")).severity(severity);
    session.diagnostics.push(error.at(Span::new(file, start, start + family.len())).help(help));
    Ok(())
}

/// The families, as a help.
pub(super) fn known_families() -> String {
    format!("the families are {}", families::names().collect::<Vec<_>>().join(", "))
}

/// The error if a run that generates files has sources of several families.
pub(super) fn several_families(found: ByFamily) -> Option<Diagnostic> {
    let ByFamily { unnamed, families } = found;
    let named: Vec<_> = families.iter().filter(|(name, _)| families::names().any(|known| known == *name)).collect();
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
