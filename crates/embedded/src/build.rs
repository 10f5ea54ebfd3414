//! What the build script of a crate with files does.
//!
//! Invariant: a development build does not depend on the files.

use std::env::var_os;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::{FileKind, below};

/// Writes the list of the files of a kind in a folder of the crate, for [`files!`](crate::files).
///
/// # Panics
/// It does not run in a build script, or cannot write there.
pub fn list(kind: FileKind, folder: &str) {
    println!("cargo:rerun-if-changed=build.rs");
    let directory = |name| PathBuf::from(var_os(name).expect("Cargo sets it for build scripts"));
    let list = match var_os("PROFILE").is_some_and(|profile| profile == "release") {
        false => "None".to_owned(),
        true => {
            println!("cargo:rerun-if-changed={folder}");
            table(&directory("CARGO_MANIFEST_DIR").join(folder), kind)
        }
    };
    std::fs::write(directory("OUT_DIR").join(format!("{kind:?}.rs")), list).expect("a directory to write to");
}

/// The expression of the list.
pub(crate) fn table(dir: &Path, kind: FileKind) -> String {
    let mut list = "Some(&[".to_owned();
    for (name, path) in below::sorted(dir, kind) {
        let _ = write!(list, "({name:?}, include_str!({path:?})), ");
    }
    list + "])"
}
