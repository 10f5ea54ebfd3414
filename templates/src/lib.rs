//! The templates of torchgen-rs, in the folders beside this one: `FAMILY/GENERATOR/*.j2`.
//!
//! Invariant: their names are paths below this directory. `torchgen-embedded` says when they are
//! read.

use std::sync::LazyLock;

use rust_embed::RustEmbed;
use torchgen_embedded::{File, files};

#[derive(RustEmbed)]
#[folder = "."]
struct Files;

/// All templates, sorted by name.
pub fn all() -> &'static [File] {
    static ALL: LazyLock<Vec<File>> = LazyLock::new(|| files::<Files>(env!("CARGO_MANIFEST_DIR"), &[".j2"]));
    &ALL
}

/// A number that changes with the templates that a development build reads.
pub fn state() -> u64 {
    torchgen_embedded::state(all())
}
