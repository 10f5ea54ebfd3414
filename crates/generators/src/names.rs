//! Files by name only, for dry runs, which list outputs and do not keep their text.
//!
//! Invariant: a generator names exactly the files that it makes, in the same order; debug builds
//! compare the two. Names that depend on operators are computed where the files are made.

use super::Outcome;
use torchgen_base::render::{Contents, Sharded};
use torchgen_base::write::{Manager, OutputFile};

/// A file without its contents.
pub fn file_named(manager: Manager, name: impl Into<String>) -> OutputFile {
    OutputFile::new(manager, name, Contents::default())
}

/// Files with fixed names.
pub fn fixed(files: &[(Manager, &str)]) -> Outcome {
    Ok(files.iter().map(|(manager, name)| file_named(*manager, *name)).collect())
}

/// The parts of a split file.
pub(crate) fn parts(manager: Manager, file: &str, shards: u32) -> impl Iterator<Item = OutputFile> + use<> {
    let sharded = Sharded { file: file.to_owned(), shards, ..Sharded::default() };
    sharded.files().into_iter().map(move |(name, listed)| OutputFile { listed, ..file_named(manager, name) })
}
