//! A generator's own tests: `tests/NAME/` with own YAML, `args`, and what is expected of them: the
//! files below `expected/`, and the messages in `errors.txt`.
//!
//! Invariant: `--bless` writes what `--test` expects. A test sees no other test's errors.

use std::path::{Path, PathBuf};

use torchgen_base::diag::{Color, Diagnostic, human, plural};
use torchgen_kit::driver::family::flags_of;
use torchgen_kit::driver::request::Request;
use torchgen_kit::driver::templates::files_below;
use torchgen_kit::driver::{JobError, Session};

use super::compare::{difference, differs, text_of};
use super::folder::TESTS;
use super::provider::Provider;
use super::run::{Flags, Read, files, folder_of, read};

/// Further flags of a test, such as `--set key=XPU`.
const ARGS: &str = "args";
const ERRORS: &str = "errors.txt";
const EXPECTED: &str = "expected/";

/// Runs the tests of a generator: the directory of the tests, and the path and text of each file
/// that they expect.
///
/// # Errors
/// There are no tests, or one cannot be read.
pub(crate) fn expected<P: Provider>(
    request: &Request,
    flags: &Flags<P::Flags>,
    session: &mut Session,
) -> Result<(PathBuf, Vec<(String, String)>), JobError> {
    let generator = folder_of(request, flags, session);
    let dir = generator.join(TESTS);
    let names: Vec<PathBuf> = match session.seen.is_dir(&dir) {
        true => {
            let entries = session.seen.entries(&dir).map_err(|error| unreadable(&dir, &error.to_string()))?;
            let mut names: Vec<_> = entries.into_iter().filter(|(_, is_dir)| *is_dir).map(|(path, _)| path).collect();
            names.sort();
            names
        }
        false => Vec::new(),
    };
    if names.is_empty() {
        let why = "has no directory of a test, such as `tests/first/` with `ops.yaml`";
        return Err(unreadable(&generator, why));
    }
    let mut all = Vec::new();
    for test in &names {
        let name = test.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (made, said) = outcome::<P>(test, &generator, request, session)?;
        all.extend(made.into_iter().map(|(path, text)| (format!("{name}/{EXPECTED}{path}"), text)));
        if !said.is_empty() {
            all.push((format!("{name}/{ERRORS}"), said));
        }
    }
    session.has_found(plural(names.len(), "test"));
    Ok((dir, all))
}

/// Compares what tests make with what they expect.
///
/// # Errors
/// A file cannot be read. Differences are diagnostics.
pub(crate) fn compare(dir: &Path, made: &[(String, String)], session: &mut Session) -> Result<(), JobError> {
    let bless = "`--bless` writes what the tests make now";
    for (name, text) in made {
        let path = dir.join(name);
        match text_of(&path, session)? {
            None => session.diagnostics.push(differs(format!("there is no `{}`", path.display())).help(bless)),
            Some(there) => {
                let found = difference(text, &there);
                session.diagnostics.extend(found.map(|(line, found)| found.diagnostic(&path, line).help(bless)));
            }
        }
    }
    for (name, path) in files_below(dir, &mut session.seen)? {
        let is_expected = name.split_once('/').is_some_and(|(_, rest)| rest == ERRORS || rest.starts_with(EXPECTED));
        if is_expected && !made.iter().any(|(own, _)| *own == name) {
            session.diagnostics.push(differs(format!("no test makes `{}`", path.display())).help("delete it"));
        }
    }
    Ok(())
}

/// The files that a test makes, and what it says.
fn outcome<P: Provider>(
    test: &Path,
    generator: &Path,
    request: &Request,
    session: &mut Session,
) -> Result<(Vec<(String, String)>, String), JobError> {
    let entries = session.seen.entries(test).map_err(|error| unreadable(test, &error.to_string()))?;
    let is_yaml = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml");
    let mut sources: Vec<PathBuf> =
        entries.into_iter().filter(|(path, is_dir)| !is_dir && is_yaml(path)).map(|(path, _)| path).collect();
    sources.sort();
    let words = text_of(&test.join(ARGS), session)?.unwrap_or_default();
    let mut flags: Flags<P::Flags> = flags_of(words.split_whitespace())?;
    flags.generator = Some(generator.to_owned());
    let request = Request { sources, ..request.clone() };
    let run = |session: &mut Session| {
        let made = read::<P>(&request, &flags, session).and_then(|read: Read| {
            let renderer = request.renderer("generator", session)?;
            files(&read, &renderer, session)
        });
        (made, std::mem::take(&mut session.diagnostics))
    };
    let (made, found) = session.apart(run);
    let mut found = found.into_sorted();
    let made = match made {
        Ok(made) => made,
        Err(JobError::Failed(reasons)) => {
            found.extend(reasons);
            Vec::new()
        }
        Err(JobError::Input) => Vec::new(),
        Err(JobError::Stopped) => return Err(JobError::Stopped),
    };
    let said: Vec<String> = found.iter().map(|found| human(found, &session.sources, Color::Never)).collect();
    // Paths do not depend on where the generator is.
    let above = format!("{}/", generator.display());
    Ok((made, said.join("\n").replace(&above, "")))
}

fn unreadable(path: &Path, why: &str) -> JobError {
    Diagnostic::new(&torchgen_base::diag::codes::READ_FAILED, format!("`{}` {why}", path.display())).into()
}
