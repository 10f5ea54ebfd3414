//! The tables of facts of torchgen-rs, in the folders beside this one: `FAMILY/*.yaml`, and lists
//! of words in `*.txt`. Families that are crates have their own.
//!
//! Invariant: their names are paths below this directory. `torchgen-embedded` says when they are
//! read.

use torchgen_embedded::{File, Files, files};

static FILES: Files = files!(Tables, ".", "");

/// Those that `--data-dir` cannot extend.
pub const CLOSED: &[&str] = &[
    "torch/dispatch_keys.yaml",
    "torch/stable_types.yaml",
    "torch/versions/rules.yaml",
    "torch/versions/cpp_only.yaml",
    "torch/versions/operators.txt",
    "torch/versions/overloads.yaml",
    "torch/versions/shim.yaml",
    "torch/versions/tables.yaml",
];

/// All tables, those of families included.
pub fn all() -> impl Iterator<Item = &'static File> {
    FILES.with_served().flat_map(Files::list)
}

/// The table of that name.
pub fn table_named(name: &str) -> Option<&'static File> {
    FILES.with_served().find_map(|files| files.file_named(name))
}

/// The text of the table of that name.
pub fn text(name: &str) -> Option<&'static str> {
    table_named(name).map(File::text)
}

/// A number that changes with the tables that a development build reads.
pub fn state() -> u64 {
    FILES.with_served().map(Files::state).fold(0, u64::wrapping_add)
}
