//! Whether the entries are ones that a run accepts.
//!
//! Invariant: the rules are those of `check`: the entries are checked with the YAML that they are
//! beside, and one with an error is a comment with that error.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::adopt::output::Library;
use torchgen_base::diag::Severity;
use torchgen_generators::args::everything_of;
use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::{JobError, Session};
use torchgen_library::run::{Purpose, make};

/// Texts in place of files.
type Shown = BTreeMap<PathBuf, Arc<String>>;

/// How often entries are checked: an error can hide others.
const CHECKS: usize = 8;

/// Checks the entries of a library. `texts` makes the files that are to be written of it, one of
/// which is `file`.
///
/// # Errors
/// A file cannot be made.
pub(in super::super) fn check(
    library: &mut Library<'_>,
    file: &Path,
    common: &CommonArgs,
    texts: &mut dyn FnMut(&Library<'_>, &mut Session) -> Result<Shown, JobError>,
    session: &mut Session,
) -> Result<(), JobError> {
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    for _ in 0..CHECKS {
        if library.autograd.translated() == 0 {
            break;
        }
        let texts = texts(library, session)?;
        let Some(text) = texts.get(&file).cloned() else { break };
        let found = errors(file.parent().unwrap_or(Path::new(".")), common, texts, session)?;
        let own = found.into_iter().filter(|(at, ..)| std::path::absolute(at).is_ok_and(|at| at == file));
        let mut autograd = std::mem::take(&mut library.autograd);
        let mut is_changed = false;
        // Places of entries change with the first one that becomes a comment.
        let mut lines: Vec<(usize, String)> = own.map(|(_, line, message)| (line, message)).collect();
        lines.sort_by_key(|(line, _)| std::cmp::Reverse(*line));
        lines.dedup_by_key(|(line, _)| entry_at(&text, *line));
        for (line, message) in lines {
            is_changed |= entry_at(&text, line).is_some_and(|at| autograd.refuse(at, message));
        }
        library.set_autograd(autograd);
        if !is_changed {
            break;
        }
    }
    Ok(())
}

/// The errors of a run with these texts: the file, the line, and the message.
fn errors(
    directory: &Path,
    common: &CommonArgs,
    texts: Shown,
    session: &mut Session,
) -> Result<Vec<(PathBuf, usize, String)>, JobError> {
    let before = std::mem::take(&mut session.diagnostics);
    session.seen.show(Arc::new(texts));
    let args = everything_of(&[directory], common.clone())?;
    // What else is wrong is not about these entries.
    let _ = session.apart(|session| make(&args, Purpose::Library, session).map(drop));
    session.seen.show(Arc::default());
    let found = std::mem::replace(&mut session.diagnostics, before);
    let errors = found.iter().filter(|one| one.severity == Severity::Error);
    let placed = errors.filter_map(|one| {
        let span = one.primary.as_ref()?.span;
        let path = PathBuf::from(session.sources.path(span.file).to_string());
        Some((path, session.sources.line_col(span).0, one.message.clone()))
    });
    Ok(placed.collect())
}

/// The number of the entry that a line of the text is in.
fn entry_at(text: &str, line: usize) -> Option<usize> {
    text.lines().take(line).filter(|line| line.starts_with("- name:")).count().checked_sub(1)
}
