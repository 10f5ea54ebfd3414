//! The output of libraries in full: `generated/` for the bundled one,
//! `tests/python_package/expected/` for Python functions that need care. PyTorch's layout is
//! compared with the reference by the conformance suite.
//!
//! `UPDATE_EXPECT=1 cargo test --test fast golden::` writes the trees again.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;

use crate::expected::assert_is_text_of_file;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![python_package, bundled_library_is_fresh]
}

/// Generates into an empty directory and compares the whole tree with the committed one.
#[track_caller]
fn check(arguments: &[&str], expected: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = tempfile::tempdir().expect("a temporary directory");
    let tree = out.path().join("tree");
    let status = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(arguments)
        .arg("-d")
        .arg(&tree)
        .arg("--aoti-install-dir")
        .arg(tree.join("aoti"))
        .current_dir(root)
        .status()
        .expect("the binary runs");
    assert!(status.success(), "{status}");
    let expected = root.join(expected);
    if crate::expected::are_written() {
        let _ = std::fs::remove_dir_all(&expected);
        for name in files(&tree) {
            let target = expected.join(&name);
            std::fs::create_dir_all(target.parent().expect("below the root")).expect("a new directory");
            std::fs::copy(tree.join(&name), target).expect("a new file");
        }
    }
    assert_eq!(files(&tree), files(&expected), "the sets of files differ; UPDATE_EXPECT=1 writes them again");
    for name in files(&tree) {
        let text = std::fs::read_to_string(tree.join(&name)).expect("a text file");
        assert_is_text_of_file(&expected.join(&name), &text);
    }
}

fn files(dir: &Path) -> BTreeSet<String> {
    walkdir::WalkDir::new(dir)
        .into_iter()
        .filter_map(|e| e.ok())
        .filter(|e| e.file_type().is_file() && e.file_name() != ".torchgen-rs.manifest")
        .map(|e| e.path().strip_prefix(dir).expect("below the root").to_string_lossy().into_owned())
        .collect()
}

fn python_package() {
    check(&["-s", "tests/python_package/source", "--generate", "python"], "tests/python_package/expected");
}

fn bundled_library_is_fresh() {
    check(&["-s", "."], "generated");
}
