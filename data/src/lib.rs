//! The tables of facts of torchgen-rs, in the folders beside this one: `FAMILY/*.yaml`, and lists
//! of words in `*.txt`.
//!
//! Invariant: their names are paths below this directory. `torchgen-embedded` says when they are
//! read.

use std::sync::LazyLock;

use rust_embed::RustEmbed;
use torchgen_embedded::{File, files};

#[derive(RustEmbed)]
#[folder = "."]
struct Files;

/// Those that `--data-dir` cannot extend.
pub const CLOSED: &[&str] = &[
    "graph_ir/prelude.yaml",
    "torch/stable_types.yaml",
    "torch/versions/rules.yaml",
    "torch/versions/cpp_only.yaml",
    "torch/versions/operators.txt",
    "torch/versions/overloads.yaml",
    "torch/versions/shim.yaml",
    "torch/versions/tables.yaml",
];

/// All tables, sorted by name.
pub fn all() -> &'static [File] {
    static ALL: LazyLock<Vec<File>> = LazyLock::new(|| files::<Files>(env!("CARGO_MANIFEST_DIR"), &[".yaml", ".txt"]));
    &ALL
}

/// The text of the table at a path below `data/`.
pub fn text(path: &str) -> Option<&'static str> {
    let found = all().binary_search_by_key(&path, |file| file.name).ok()?;
    Some(all()[found].text())
}

/// A number that changes with the tables that a development build reads.
pub fn state() -> u64 {
    torchgen_embedded::state(all())
}
