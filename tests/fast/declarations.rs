//! `torchgen-rs declarations`: the bytes of a full run, from the YAML alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;

use crate::incremental::tree::{Tree, files};
use crate::root;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        the_files_are_those_of_a_full_run,
        a_file_alone_is_enough,
        libraries_have_their_own_namespace,
        libraries_include_files_and_have_defaults
    ]
}

/// Runs the command, and returns its files.
#[track_caller]
fn declarations(dir: &Path, flags: &str) -> BTreeMap<String, Vec<u8>> {
    let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .arg("declarations")
        .args(flags.split_whitespace())
        .args(["-d", "alone"])
        .current_dir(dir)
        .output()
        .expect("the binary runs");
    assert!(output.status.success(), "{flags}\n{}", String::from_utf8_lossy(&output.stderr));
    files(&dir.join("alone"))
}

fn the_files_are_those_of_a_full_run() {
    let tree = Tree::mini();
    // PyTorch's text, which `tests/mini` replaces by its own.
    let head = "// This file contains all native_functions that can be registered to\n\
                // and the schema string that they should be registered with\n\n";
    let template = format!("{head}${{registration_declarations}}\n");
    fs::write(tree.path("source/templates/RegistrationDeclarations.h"), template).expect("a template");
    tree.run("");
    let full = tree.outputs();
    let alone = declarations(tree.dir.path(), "-s source");
    let names: Vec<&str> = alone.keys().map(String::as_str).collect();
    assert_eq!(names, ["Declarations.yaml", "RegistrationDeclarations.h"]);
    for (name, bytes) in &alone {
        assert!(!bytes.is_empty() && full.get(name) == Some(bytes), "{name} differs from a full run");
    }
}

/// Neither templates nor the layout are needed; tags may be elsewhere.
fn a_file_alone_is_enough() {
    let tree = Tree::mini();
    let of_tree = declarations(tree.dir.path(), "-s source");
    fs::create_dir(tree.path("elsewhere")).expect("a new directory");
    fs::rename(tree.path("source/native/native_functions.yaml"), tree.path("ops.yaml")).expect("a file");
    fs::rename(tree.path("source/native/tags.yaml"), tree.path("elsewhere/tags.yaml")).expect("a file");
    fs::remove_dir_all(tree.path("source")).expect("a directory");
    let of_file =
        declarations(tree.dir.path(), "--native-functions ops.yaml --tags elsewhere/tags.yaml --force --prune");
    assert_eq!(of_tree, of_file);
}

fn libraries_include_files_and_have_defaults() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for (name, text) in [
        ("library.yaml", "family: library\ninclude: [more.yaml]\ndefaults:\n  device_guard: False\n"),
        ("native_functions.yaml", "- func: shop::sell(Tensor x) -> Tensor\n  dispatch:\n    CPU: sell\n"),
        ("more.yaml", "- func: shop::buy(Tensor x) -> Tensor\n  dispatch:\n    CPU: buy\n"),
    ] {
        fs::write(dir.path().join(name), text).expect("a new file");
    }
    let made = declarations(dir.path(), "-s .");
    let yaml = String::from_utf8_lossy(&made["Declarations.yaml"]).into_owned();
    let schemas: Vec<_> = yaml.lines().filter_map(|line| line.trim().strip_prefix("schema_string: ")).collect();
    assert_eq!(schemas, ["shop::sell(Tensor x) -> Tensor", "shop::buy(Tensor x) -> Tensor"], "{yaml}");
    assert_eq!(yaml.matches("device_guard: false").count(), 2, "{yaml}");
}

fn libraries_have_their_own_namespace() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let text = fs::read_to_string(root().join("native_functions.yaml")).expect("the bundled library");
    fs::write(dir.path().join("native_functions.yaml"), text).expect("a new file");
    let made = declarations(dir.path(), "-s .");
    let text = |name: &str| String::from_utf8_lossy(&made[name]).into_owned();
    let (yaml, header) = (text("Declarations.yaml"), text("RegistrationDeclarations.h"));
    assert!(yaml.contains("schema_string: opkit::soft_cap(Tensor self, Scalar cap) -> Tensor"), "{yaml}");
    assert!(header.contains(r#"{"schema": "opkit::soft_cap(Tensor self, Scalar cap) -> Tensor""#), "{header}");
    assert!(!yaml.contains("aten::"), "{yaml}");
    assert_eq!(declarations(dir.path(), "-s native_functions.yaml --layout library --force"), made);
}
