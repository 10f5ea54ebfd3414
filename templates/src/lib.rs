//! The templates of torchgen-rs, in the folders beside this one: `FAMILY/GENERATOR/*.j2`, and the C++
//! sources there, which are written as they are but for the names of their namespaces. Families that
//! are crates have their own.
//!
//! Invariant: their names are paths below this directory, and begin with the folder of their
//! family. `torchgen-embedded` says when they are read.

mod renamed;

use torchgen_embedded::files;

pub use torchgen_embedded::{File, FileKind, Files, serve};

static FILES: Files = files!(Templates, ".", "", renamed::RENAMED);

/// All templates and C++ sources, those of families included.
pub fn all() -> impl Iterator<Item = &'static File> {
    FILES.with_served().flat_map(Files::list)
}

/// Those that a family uses, whether or not its own are served.
pub fn of_family(own: &'static Files) -> impl Iterator<Item = &'static File> {
    FILES.list().iter().chain(own.list())
}

/// The one of that name.
pub fn template_named(name: &str) -> Option<&'static File> {
    FILES.with_served().find_map(|files| files.file_named(name))
}

/// The name now of a file that had that one.
pub fn renamed(former: &str) -> Option<&'static str> {
    FILES.with_served().find_map(|files| files.renamed(former))
}

/// A number that changes with the templates that a development build reads.
pub fn state() -> u64 {
    FILES.with_served().map(Files::state).fold(0, u64::wrapping_add)
}
