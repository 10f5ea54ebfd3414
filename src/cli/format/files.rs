//! The files that `format` is about, and the style of each.
//!
//! Invariant: of a directory only files are taken that a command of the program reads; a file that
//! is named is taken whatever it has.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::families::{self, FAMILIES, Fallback};
use torchgen_base::yaml::decode;
use torchgen_base::yaml::format::Style;
use torchgen_kit::driver::family::{DefaultFamily, Family};
use torchgen_kit::driver::files::read_failed;
use torchgen_kit::driver::head::families_in;
use torchgen_kit::driver::{JobError, Session};

/// A file, its name in messages, and what it has.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) path: PathBuf,
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) text: String,
}

impl Named {
    /// The byte order mark to print before the text.
    pub(super) fn mark(&self) -> &'static str {
        if self.bytes.starts_with("\u{feff}".as_bytes()) { "\u{feff}" } else { "" }
    }
}

/// The file beside which cargo and others mark directories of build products.
const CACHE: &str = "CACHEDIR.TAG";

/// The files that paths name, each once. Of changed ones, only those of the program.
pub(super) fn files(paths: &[PathBuf], changed: bool, session: &mut Session) -> Result<Vec<Named>, JobError> {
    let here = [PathBuf::from(".")];
    let mut found = Vec::new();
    let mut known = BTreeSet::new();
    for path in if paths.is_empty() { &here[..] } else { paths } {
        if session.seen.is_dir(path) {
            below(path, &mut known, &mut found, session)?;
        } else if known.insert(session.seen.identity(path)) {
            found.extend(read_text_file(path, session)?.filter(|file| !changed || is_read(&file.path, &file.text)));
        }
    }
    Ok(found)
}

/// The files of the program in a directory and below. Hidden directories and those of build
/// products are left out.
fn below(
    dir: &Path,
    known: &mut BTreeSet<PathBuf>,
    found: &mut Vec<Named>,
    session: &mut Session,
) -> Result<(), JobError> {
    if !known.insert(session.seen.identity(dir)) || session.seen.is_file(&dir.join(CACHE)) {
        return Ok(());
    }
    for (path, is_dir) in session.seen.entries(dir).map_err(|error| read_failed(dir, &error))? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_yaml = path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml");
        if name.starts_with('.') {
            continue;
        }
        if is_dir {
            below(&path, known, found, session)?;
        } else if is_yaml && session.seen.is_file(&path) && known.insert(session.seen.identity(&path)) {
            found.extend(read_text_file(&path, session)?.filter(|file| is_read(&file.path, &file.text)));
        }
    }
    Ok(())
}

/// A file; none if it is not text, which is a diagnostic.
fn read_text_file(path: &Path, session: &mut Session) -> Result<Option<Named>, JobError> {
    let bytes = session.read_bytes(path)?;
    Ok(named_file(path.to_owned(), path.to_string_lossy().into_owned(), bytes, session))
}

/// A file of these bytes; none if they are not text, which is a diagnostic.
pub(super) fn named_file(path: PathBuf, name: String, bytes: Vec<u8>, session: &mut Session) -> Option<Named> {
    match decode(&name, bytes.clone()) {
        Ok(text) => Some(Named { path, name, bytes, text }),
        Err(wrong) => {
            wrong.report(&name, &mut session.sources, &mut session.diagnostics);
            None
        }
    }
}

/// Whether a command of the program reads a file with this text.
pub(crate) fn is_read(path: &Path, text: &str) -> bool {
    let unnamed = Fallback::SOURCES;
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let begins = |words: &str| text.lines().any(|line| line.starts_with(words));
    name == unnamed.file
        || unnamed.beside.contains(&name)
        || families_in(text).iter().any(|family| is_family(family))
        || begins(&format!("- {}", unnamed.entry))
        || Fallback::kind_of(text).is_some()
}

fn is_family(name: &str) -> bool {
    families::names().any(|known| known == name) || Fallback::NAMES.contains(&name)
}

/// The style of a text: that of the family that it names, or of the sources that name none.
pub(crate) fn style(text: &str) -> Style<'static> {
    let named = families_in(text);
    let of = |family: &&&Family| {
        family.commands.iter().any(|command| command.documents.is_some() && named.contains(command.name))
    };
    FAMILIES
        .iter()
        .find(of)
        .or_else(|| FAMILIES.iter().find(|family| Fallback::NAMES.contains(&family.name)))
        .map(|family| family.style)
        .unwrap_or_default()
}
