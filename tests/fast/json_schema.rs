//! The JSON Schemas: they are committed in `schemas/`, and they reject mistakes.
//!
//! `UPDATE_EXPECT=1 cargo test --test fast json_schema::` writes `schemas/` and `docs/keys.md`
//! again.

use std::process::Command;

use crate::schema::{json, path, validator};
use libtest_mimic::Trial;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![committed_schemas_are_fresh, the_reference_of_keys_is_fresh, slips_are_refused]
}

/// The kinds with a committed schema: the files of `schemas/`.
fn kinds() -> Vec<String> {
    let files = std::fs::read_dir(path("").parent().expect("a directory")).expect("schemas/");
    let names = files.map(|file| file.expect("a file").path());
    names.filter_map(|file| Some(file.file_stem()?.to_string_lossy().into_owned())).collect()
}

fn committed_schemas_are_fresh() {
    let kinds = kinds();
    assert!(kinds.len() >= 10, "{kinds:?}");
    for kind in &kinds {
        let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs")).args(["json-schema", kind]).output();
        let printed = String::from_utf8(output.expect("the program runs").stdout).expect("text");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(path(kind), &printed).expect("schemas/ can be written");
        }
        let committed = std::fs::read_to_string(path(kind)).unwrap_or_default();
        assert!(
            committed == printed,
            "schemas/{kind}.json is stale: UPDATE_EXPECT=1 cargo test --test fast json_schema::"
        );
    }
}

/// docs/keys.md has the keys of every kind, as the tables of the readers have them.
fn the_reference_of_keys_is_fresh() {
    const HEAD: &str = "# Keys of YAML files\n\n\
        This page lists the keys of each kind of YAML file. `torchgen-rs json-schema KIND --markdown` prints\n\
        a section of it. `a.b` is the key `b` in the mapping of `a`, `a[].b` the key `b` of an entry of the\n\
        list `a`, and `a.*` any key.\n";
    let mut kinds = kinds();
    // Libraries come first.
    kinds.sort_by_key(|kind| (!matches!(kind.as_str(), "library" | "derivatives"), kind.clone()));
    let mut page = HEAD.to_owned();
    for kind in &kinds {
        let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs")).args(["json-schema", kind, "--markdown"]).output();
        page.push('\n');
        page.push_str(&String::from_utf8(output.expect("the program runs").stdout).expect("text"));
    }
    let path = crate::root().join("docs/keys.md");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &page).expect("docs/ can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == page, "docs/keys.md is stale: UPDATE_EXPECT=1 cargo test --test fast json_schema::");
}

fn slips_are_refused() {
    let slips = [
        ("native-functions", "- func: f() -> ()\n  variant: function\n"),
        ("native-functions", "- func: f() -> ()\n  variants: function method\n"),
        ("native-functions", "- func: f() -> ()\n  dispatch:\n    CPU; CUDA: f\n"),
        ("native-functions", "- func: f() -> ()\n  dispatch:\n    Cuda: f\n"),
        ("native-functions", "- func: f() -> ()\n  doc: text\n"),
        ("native-functions", "- func: f() -> ()\n  device_check: None\n"),
        ("library", "- func: f() -> ()\n  structured: 'True'\n"),
        ("derivatives", "- nmae: f() -> ()\n  self: grad\n"),
        ("tags", "- tag: x\n  desc: ''\n"),
        ("deprecated", "- name: x\n  atne: x\n"),
        ("selective", "operator:\n  aten::add: {}\n"),
        ("selective", "operators:\n  aten::add: {is_root_op: True}\n"),
        ("backend", "backend: XLA\ncpp_namespace: x\nsuported: []\n"),
        ("backend", "backend: XLA\ncpp_namespace: x\nnon_native: [{func: x, properties: [Lowr]}]\n"),
    ];
    for (kind, text) in slips {
        assert!(!validator(kind).is_valid(&json(text)), "{kind} takes\n{text}");
    }
    let fine =
        "- func: f() -> ()\n  variants: method, function\n  tags: [core, mine]\n  dispatch:\n    CPU , CUDA: f\n";
    assert!(validator("native-functions").is_valid(&json(fine)));
}
