//! The files of a crate: release builds embed them, development builds read them from the crate's
//! directory, so that an edited file is used without a new build.
//!
//! Invariant: a text is read at most once per process, when it is needed.

use std::borrow::Cow;
use std::path::Path;
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;

use rust_embed::{EmbeddedFile, RustEmbed};
use walkdir::WalkDir;

/// Whether this build embeds the files.
const ARE_EMBEDDED: bool = cfg!(not(debug_assertions));

/// A file.
#[derive(Debug)]
pub struct File {
    /// The path below the crate's directory.
    pub name: &'static str,
    /// The crate's directory.
    dir: &'static str,
    embedded: fn(&str) -> Option<EmbeddedFile>,
    text: OnceLock<&'static str>,
}

impl File {
    /// Its text.
    ///
    /// # Panics
    /// It is not UTF-8, or in a development build it was removed.
    pub fn text(&self) -> &'static str {
        self.text.get_or_init(|| {
            // rust-embed would read the file too, but it also follows links and makes a hash.
            let bytes = match ARE_EMBEDDED {
                true => (self.embedded)(self.name).map(|file| file.data),
                false => std::fs::read(Path::new(self.dir).join(self.name)).ok().map(Cow::Owned),
            };
            std::str::from_utf8(kept(bytes.expect("a file that was listed"))).expect("files are UTF-8")
        })
    }

    /// The low bits of its time of change in nanoseconds.
    fn moment(&self) -> Option<u64> {
        let modified = Path::new(self.dir).join(self.name).metadata().and_then(|metadata| metadata.modified()).ok()?;
        modified.duration_since(UNIX_EPOCH).ok().map(|since| since.as_nanos() as u64)
    }
}

/// The files with one of the endings in the directory of the crate, sorted by name.
pub fn files<E: RustEmbed>(dir: &'static str, endings: &[&str]) -> Vec<File> {
    // rust-embed lists a directory too, but it also follows links, nine for each file.
    let mut names: Vec<_> = match ARE_EMBEDDED {
        true => E::iter().collect(),
        false => listed(Path::new(dir)),
    };
    names.retain(|name| endings.iter().any(|ending| name.ends_with(ending)));
    names.sort_unstable();
    let file = |name: Cow<'static, str>| {
        let name = match name {
            Cow::Borrowed(name) => name,
            Cow::Owned(name) => name.leak(),
        };
        File { name, dir, embedded: E::get, text: OnceLock::new() }
    };
    names.into_iter().map(file).collect()
}

/// The paths of all files below a directory.
fn listed(dir: &Path) -> Vec<Cow<'static, str>> {
    let below = |path: &Path| path.strip_prefix(dir).ok()?.to_str().map(|name| Cow::Owned(name.to_owned()));
    let files = WalkDir::new(dir).into_iter().flatten().filter(|entry| entry.file_type().is_file());
    files.filter_map(|entry| below(entry.path())).collect()
}

/// A number that changes with the files that a development build reads; 0 in a release build, whose
/// files change with the program only.
pub fn state(files: &[File]) -> u64 {
    if ARE_EMBEDDED {
        return 0;
    }
    files.iter().filter_map(File::moment).fold(0, |state: u64, at| state.wrapping_mul(31).wrapping_add(at))
}

/// Bytes for the rest of the process.
fn kept(bytes: Cow<'static, [u8]>) -> &'static [u8] {
    match bytes {
        Cow::Borrowed(bytes) => bytes,
        Cow::Owned(bytes) => bytes.leak(),
    }
}
