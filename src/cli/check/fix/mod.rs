//! `check --fix`: applies the fixes of diagnostics, checks what they made, and writes the files.
//!
//! Invariant: a fix that leaves an error where it edits is not applied. Files are written after the
//! last check, each as a whole, and none if one of them cannot be written or has changed.

mod edits;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use self::edits::{Candidate, FileEdit, Places, applied, bytes, chosen};
use super::{CheckArgs, all};
use crate::families::Fallback;
use torchgen_base::diag::{self, Applicability, Diagnostic, Shown, codes, plural};
use torchgen_base::write::manifest::Texts;
use torchgen_base::write::{check_appendable, rewrite};
use torchgen_base::yaml;
use torchgen_kit::driver::args::{CommonArgs, MessageFormat, OUTPUT};
use torchgen_kit::driver::family::DefaultFamily;
use torchgen_kit::driver::job::JobArgs;
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{Host, JobError, Session, with_session};

/// Fixes can make others possible, and be wrong; after this many checks it is enough.
const CHECKS: usize = 32;

/// The flags.
#[derive(Debug, Clone, Args)]
pub(super) struct FixFlags {
    /// Fix what has one right form: misspelt names, missing signs, deprecated forms
    ///
    /// Write the files that change, and check them again.
    #[arg(long, help_heading = OUTPUT)]
    fix: bool,
    /// Also apply the fixes that are only likely to be meant
    #[arg(long, requires = "fix", help_heading = OUTPUT)]
    unsafe_fixes: bool,
    /// Write nothing, and print what would change
    #[arg(long, requires = "fix", help_heading = OUTPUT)]
    diff: bool,
}

/// A file that fixes change.
struct File {
    /// The path as diagnostics show it.
    shown: PathBuf,
    bytes: Vec<u8>,
    text: String,
}

/// The files that fixes change, with their texts before and after.
#[derive(Default)]
struct Fixed {
    files: BTreeMap<PathBuf, File>,
    texts: BTreeMap<PathBuf, String>,
    /// How many fixes were applied.
    count: usize,
    /// Why fixes were left out.
    refused: BTreeSet<PathBuf>,
}

/// Applies fixes if the flags say so. The session then sees the files as they are after it.
pub(super) fn fix(args: &CheckArgs, sources: &[PathBuf], session: &mut Session) -> Result<(), JobError> {
    let FixFlags { fix, unsafe_fixes, diff } = args.fix;
    if !fix {
        return Ok(());
    }
    let mut fixed = fixed(args, sources, unsafe_fixes, session);
    session.check_errors()?;
    for path in &fixed.refused {
        let message = format!("`{}` is not in the sources, so `--fix` leaves it as it is", path.display());
        let directory = path.parent().unwrap_or(Path::new(".")).display();
        let help = format!("`torchgen-rs check --fix {directory}` fixes it");
        session.diagnostics.push(Diagnostic::new(&codes::NOT_FIXED, message).help(help));
    }
    fixed.texts.retain(|path, text| fixed.files.get(path).is_some_and(|file| file.text != *text));
    let changed = || fixed.texts.iter().filter_map(|(path, text)| Some((path, fixed.files.get(path)?, text)));
    if diff {
        let name = |file: &File| file.shown.to_string_lossy().into_owned();
        let patches: String = changed().map(|(_, file, text)| diag::patch(&name(file), &file.text, text)).collect();
        session.host.print(&patches)?;
        session.seen.show(shared(&fixed.texts));
    } else if !fixed.texts.is_empty() {
        session.host.begin_writing()?;
        write(changed())?;
    }
    let common = args.common();
    if common.message_format == MessageFormat::Human && !common.quiet {
        let did = if diff { "would fix" } else { "fixed" };
        let line = match fixed.count {
            0 => "nothing to fix".to_owned(),
            count => format!("{did} {} in {}", plural(count, "place"), plural(fixed.texts.len(), "file")),
        };
        session.host.say(&format!("torchgen-rs: {line}\n"));
    }
    Ok(())
}

/// Writes the new texts, or none if one of them cannot be written.
fn write<'a>(changed: impl Iterator<Item = (&'a PathBuf, &'a File, &'a String)> + Clone) -> Result<(), JobError> {
    let refusal = |(path, file, _): (&PathBuf, &File, &String)| {
        if let Err(error) = check_appendable(path) {
            return Some(Diagnostic::from(&error));
        }
        let is_same = std::fs::read(path).is_ok_and(|bytes| bytes == file.bytes);
        let message = || format!("`{}` changed while it was checked, so nothing is fixed", file.shown.display());
        (!is_same).then(|| Diagnostic::new(&codes::WRITE_FAILED, message()).help("run the command again"))
    };
    let refused: Vec<Diagnostic> = changed.clone().filter_map(refusal).collect();
    if !refused.is_empty() {
        return Err(JobError::Failed(refused));
    }
    for (path, file, text) in changed {
        rewrite(path, yaml::encode_as(&file.bytes, text)).map_err(|error| Diagnostic::from(&error))?;
    }
    Ok(())
}

/// Applies fixes until there is nothing more to fix.
fn fixed(args: &CheckArgs, sources: &[PathBuf], likely: bool, session: &Session) -> Fixed {
    let mut fixed = Fixed::default();
    let within = places(args, sources);
    let mut wrong: BTreeSet<Candidate> = BTreeSet::new();
    let mut found = check_texts(args, &fixed.texts, session);
    for _ in 0..CHECKS {
        let mut candidates = BTreeSet::new();
        for of in &found {
            let fixes = of.fixes.iter().filter(|fix| likely || fix.applicability == Applicability::Certain);
            // Those of one diagnostic are alternatives.
            let known = fixes.filter_map(|fix| {
                let edits = fix.edits.iter().map(|edit| fixed.edit(edit, &within)).collect::<Option<_>>()?;
                Some(Candidate { applicability: fix.applicability, edits })
            });
            candidates.extend(known.into_iter().find(|candidate| !wrong.contains(candidate)));
        }
        let chosen = chosen(candidates);
        let before = fixed.texts.clone();
        let mut texts = fixed.all_texts();
        // What is not as it was read has changed, which is found when it is written.
        let Some(places) = (!chosen.is_empty()).then(|| applied(&chosen, &mut texts)).flatten() else { break };
        fixed.texts = texts;
        let after = check_texts(args, &fixed.texts, session);
        let is_wrong = |places: &Places| after.iter().any(|of| is_at(of, places, &fixed.texts));
        let bad: Vec<&Candidate> =
            chosen.iter().zip(&places).filter(|(_, at)| is_wrong(at)).map(|(it, _)| it).collect();
        if bad.is_empty() {
            fixed.count += chosen.len();
            found = after;
        } else {
            wrong.extend(bad.into_iter().cloned());
            fixed.texts = before;
        }
    }
    fixed
}

/// Whether a diagnostic is an error in one of these places.
fn is_at(of: &Shown, places: &Places, texts: &BTreeMap<PathBuf, String>) -> bool {
    let Some(place) = of.place.as_ref().filter(|_| of.severity == "error") else { return false };
    let file = absolute(Path::new(&place.file));
    let (Some(places), Some(text)) = (places.get(&file), texts.get(&file)) else { return false };
    let at = bytes(text, place);
    let within = |place: usize, of: &Range<usize>| of.start <= place && place <= of.end;
    places.iter().any(|edited| match at.is_empty() {
        true => within(at.start, edited),
        // What begins where an edit ends is another place.
        false => at.start < edited.end && edited.start < at.end,
    })
}

impl Fixed {
    /// An edit of a file; `None` if the file is not one to fix, or cannot be read.
    fn edit(&mut self, edit: &diag::ShownEdit, within: &[PathBuf]) -> Option<FileEdit> {
        let shown = PathBuf::from(&edit.place.file);
        let file = absolute(&shown);
        if !self.files.contains_key(&file) {
            let real = file.canonicalize().ok()?;
            if !within.iter().any(|place| is_below(&real, place)) {
                self.refused.insert(shown);
                return None;
            }
            let bytes = std::fs::read(&file).ok()?;
            let text = yaml::decode(&edit.place.file, bytes.clone()).ok()?;
            self.files.insert(file.clone(), File { shown, bytes, text });
        }
        let (old, new) = (edit.old.clone(), edit.new.clone());
        Some(FileEdit { file, start: edit.bytes.start, end: edit.bytes.end, old, new })
    }

    /// The texts of all files that have edits.
    fn all_texts(&self) -> BTreeMap<PathBuf, String> {
        let mut texts = self.texts.clone();
        for (path, file) in &self.files {
            texts.entry(path.clone()).or_insert_with(|| file.text.clone());
        }
        texts
    }
}

/// Texts as a run sees them.
fn shared(texts: &BTreeMap<PathBuf, String>) -> Texts {
    Arc::new(texts.iter().map(|(path, text)| (path.clone(), Arc::new(text.clone()))).collect())
}

/// The diagnostics of the sources with texts in place of files.
fn check_texts(args: &CheckArgs, texts: &BTreeMap<PathBuf, String>, session: &Session) -> Vec<Shown> {
    let environment = session.host.environment().map(Path::to_owned);
    let host = Host::keeping().showing(shared(texts)).in_environment(environment);
    let common = CommonArgs { max_errors: 0, verbose: false, ..args.common() };
    let outcome = with_session(&common, host, None, None, |session| {
        session.checks_only = true;
        all(args, session)?;
        Ok(Summary::default())
    });
    outcome.diagnostics()
}

/// Where the files to fix are: below the sources, and beside them what belongs to them.
fn places(args: &CheckArgs, sources: &[PathBuf]) -> Vec<PathBuf> {
    let directory = |path: &PathBuf| match path.is_file() {
        true => absolute(path).parent().map(Path::to_owned).unwrap_or_default(),
        false => path.clone(),
    };
    let own = sources.iter().map(directory).chain(Fallback::beside(sources, &args.own));
    own.filter_map(|path| path.canonicalize().ok()).collect()
}

/// Whether a file is a place or below it, and not in a hidden directory or an installed package
/// there.
fn is_below(file: &Path, place: &Path) -> bool {
    let Ok(rest) = file.strip_prefix(place) else { return false };
    let mut parts = rest.iter().map(|part| part.to_string_lossy());
    !parts.any(|part| part.starts_with('.') || part == "site-packages")
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_to_fix() {
        let is = |file: &str| is_below(Path::new(file), Path::new("/a/lib"));
        assert!(is("/a/lib/x.yaml") && is("/a/lib/ops/x.yaml") && is("/a/lib"));
        assert!(!is("/a/other/x.yaml") && !is("/a/lib/.venv/x.yaml") && !is("/a/lib/env/site-packages/torch/x.yaml"));
    }
}
