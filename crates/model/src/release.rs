//! The version of torch that a source path is of, and whose rules a run follows.
//!
//! Invariant: the newest version that nothing contradicts. A version's own file decides, a file
//! with text that a later version dropped contradicts that version, and what the user says wins.
//! Signs of older versions are in `data/torch/versions/rules.yaml`.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::path::Path;

use memchr::memmem;
use serde::Deserialize;

use crate::codes;
use crate::model::rules::{Known, Rules, changes_to};
use crate::model::version::Version;
use torchgen_base::diag::Diagnostic;
use torchgen_kit::driver::data::constant;
use torchgen_kit::driver::{JobError, Session};

/// How a version was found.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Reason {
    /// The user said so.
    Asked,
    /// A file has the version.
    File(String),
    /// A file has what later versions dropped.
    Sign(String),
    /// Nothing contradicts the newest version.
    Newest,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Asked => f.write_str("`--torch`"),
            Reason::File(path) | Reason::Sign(path) => write!(f, "`{path}`"),
            Reason::Newest => f.write_str("the newest"),
        }
    }
}

/// Text in a file of a source path that the version after `torch` does not have.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sign {
    torch: Version,
    file: String,
    has: String,
}

#[derive(Deserialize)]
struct Signs {
    signs: Vec<Sign>,
}

/// The version of the run so far.
#[derive(Default)]
struct SettledVersion(Option<Version>);

/// Makes the rules and tables of this run those of the version that the source path is of: a
/// directory with `native/` and `templates/`. The first call of a run decides.
///
/// # Errors
/// A file that may show the version cannot be read; the version is older than all that are known.
pub fn settle(session: &mut Session, aten: &Path, asked: Option<Version>) -> Result<(), JobError> {
    if session.state::<SettledVersion>().0.is_some() {
        return Ok(());
    }
    let found = found(session, aten)?;
    let (torch, reason) = match asked {
        Some(torch) => (torch, Reason::Asked),
        None => found.clone(),
    };
    let known = Known::of_version(torch);
    if known == Known::TooOld {
        let message = format!("torch {torch} is too old; the version is from {reason}");
        let help = format!("torch {} to {} can be generated", Version::OLDEST, Version::NEWEST);
        return Err(Diagnostic::new(&codes::USAGE, message).help(help).into());
    }
    if let (Some(asked), (shown, Reason::File(path) | Reason::Sign(path))) = (asked, &found)
        && asked != *shown
    {
        let message = format!("the files are those of torch {shown}, not {asked}");
        let found = Diagnostic::new(&codes::OTHER_TORCH, message).note(format!("`{path}` shows it"));
        session.diagnostics.push(found.help(format!("omit `--torch` to generate what torch {shown} generates")));
    }
    let newest = Version::NEWEST;
    if known == Known::Newer {
        let message = format!("torch {torch} is not known; the output is what torch {newest} generates");
        session
            .diagnostics
            .push(Diagnostic::new(&codes::NEWER_TORCH, message).note(format!("the version is from {reason}")));
    }
    let torch = if known == Known::Newer { newest } else { torch };
    session.change_tables(&changes_to(torch));
    session.state::<SettledVersion>().0 = Some(torch);
    session.has_found(format!("torch {torch} ({reason})"));
    Ok(())
}

/// Reads the version in a file's text.
type Reader = fn(&str) -> Option<Version>;

/// Makes the rules and tables of this run those of a version, without any of its files; the newest
/// one if none is asked for.
pub fn without_files(session: &mut Session, asked: Option<Version>) -> Result<(), JobError> {
    let torch = asked.unwrap_or(Version::NEWEST);
    if !(Version::OLDEST..=Version::NEWEST).contains(&torch) {
        let message = format!("the operators of torch {torch} are not known");
        let known = format!("those of torch {} to {} are", Version::OLDEST, Version::NEWEST);
        return Err(Diagnostic::new(&codes::USAGE, message).help(known).into());
    }
    session.change_tables(&changes_to(torch));
    session.state::<SettledVersion>().0 = Some(torch);
    session.has_found(format!("torch {torch} (built in)"));
    Ok(())
}

/// The version that a run follows, if it was settled.
pub fn settled(session: &mut Session) -> Option<Version> {
    session.state::<SettledVersion>().0
}

/// The version that the files show.
fn found(session: &mut Session, aten: &Path) -> Result<(Version, Reason), JobError> {
    // Elsewhere, a file of such a name is another project's.
    let absolute = std::fs::canonicalize(aten).unwrap_or_else(|_| aten.to_owned());
    let files: [(&str, &str, Reader); 2] =
        [("aten/src/ATen", "version.txt", bare), ("torchgen/packaged/ATen", "torch/version.py", assigned)];
    for (place, name, read) in files {
        let path = aten.join("../../..").join(name);
        if absolute.ends_with(place) && session.seen.is_file(&path) {
            let text = String::from_utf8_lossy(&session.read_bytes(&path)?).into_owned();
            if let Some(version) = read(&text) {
                return Ok((version, Reason::File(name.to_owned())));
            }
        }
    }
    let Signs { signs } = constant(Rules::TABLE);
    let mut texts: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for Sign { torch, file, has } in signs {
        let text = match texts.entry(file.clone()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let path = aten.join(&file);
                new.insert(if session.seen.is_file(&path) { session.read_bytes(&path)? } else { Vec::new() })
            }
        };
        if memmem::find(text, has.as_bytes()).is_some() {
            return Ok((torch, Reason::Sign(file)));
        }
    }
    Ok((Version::NEWEST, Reason::Newest))
}

/// `2.12.0a0+git1234`
fn bare(text: &str) -> Option<Version> {
    let text = text.trim();
    text.starts_with(|c: char| c.is_ascii_digit()).then_some(())?;
    text.split(['a', 'b', 'r', '+']).next()?.parse().ok()
}

/// `__version__ = '2.12.1'` among other lines.
fn assigned(text: &str) -> Option<Version> {
    let value = text.lines().find_map(|line| line.strip_prefix("__version__ = "))?;
    bare(value.trim_matches(['\'', '"']))
}
