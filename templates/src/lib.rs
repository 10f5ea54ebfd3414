//! The templates of torchgen-rs, in the folders beside this one: `FAMILY/GENERATOR/*.j2`, and the C++
//! sources there, which are written as they are but for the names of their namespaces.
//!
//! Invariant: their names are paths below this directory. `torchgen-embedded` says when they are
//! read.

mod renamed;

use std::sync::LazyLock;

use rust_embed::RustEmbed;
use torchgen_embedded::files;

pub use renamed::renamed;
pub use torchgen_embedded::File;

#[derive(RustEmbed)]
#[folder = "."]
struct Files;

/// All templates and C++ sources, sorted by name.
pub fn all() -> &'static [File] {
    static ALL: LazyLock<Vec<File>> =
        LazyLock::new(|| files::<Files>(env!("CARGO_MANIFEST_DIR"), &[".j2", ".h", ".cpp"]));
    &ALL
}

/// A number that changes with the templates that a development build reads.
pub fn state() -> u64 {
    torchgen_embedded::state(all())
}
