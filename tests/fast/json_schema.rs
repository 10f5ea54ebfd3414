//! The JSON Schemas: as committed in `schemas/`, as the readers read, and as the project's own
//! files are written.
//!
//! `UPDATE_EXPECT=1 cargo test --test fast json_schema::` writes `schemas/` anew.

use std::path::Path;
use std::process::Command;

use crate::schema::{self as support, json, path, schema, tree, validator};
use libtest_mimic::Trial;
use torchgen_rs::diag::Diagnostics;
use torchgen_rs::families::torch::records;
use torchgen_rs::families::torch::records::json_schema::Kind;
use torchgen_rs::families::torch::records::native;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![committed_schemas_are_fresh, own_files_fit, schemas_say_what_readers_take, slips_are_refused,]
}

fn committed_schemas_are_fresh() {
    for kind in Kind::ALL.map(Kind::name) {
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

fn own_files_fit() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut faults, mut seen) = (Vec::new(), 0);
    let mut check = |kind: &str, path: &Path| {
        faults.extend(support::faults(&validator(kind), path));
        seen += 1;
    };
    check("library", &root.join("native_functions.yaml"));
    check("derivatives", &root.join("derivatives.yaml"));
    for directory in ["tests/mini", "tests/conformance/added"] {
        for entry in walkdir::WalkDir::new(root.join(directory)).sort_by_file_name() {
            let entry = entry.expect("a file of the project");
            let kind = match entry.file_name().to_str() {
                Some("native_functions.yaml") => "native-functions",
                Some("derivatives.yaml") => "derivatives",
                Some("deprecated.yaml") => "deprecated",
                Some("tags.yaml") => "tags",
                Some("selective.yaml") => "selective",
                _ => continue,
            };
            check(kind, entry.path());
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(seen >= 8, "only {seen} files were found");
}

/// What a file of a kind needs at least, as pairs.
fn base(kind: Kind) -> &'static [(&'static str, &'static str)] {
    match kind {
        Kind::NativeFunctions | Kind::Library => &[("func", "'f() -> ()'")],
        Kind::Derivatives => &[("name", "'f() -> ()'")],
        Kind::Tags => &[("tag", "x"), ("desc", "x")],
        Kind::Deprecated => &[("name", "x"), ("aten", "x")],
        Kind::Selective => &[],
        Kind::Backend => &[("backend", "XLA"), ("cpp_namespace", "x")],
    }
}

fn document(kind: Kind, pairs: &[(&str, &str)]) -> String {
    let dash = if matches!(kind, Kind::Selective | Kind::Backend) { "" } else { "- " };
    let pairs: Vec<String> = pairs.iter().map(|(key, value)| format!("{key}: {value}")).collect();
    format!("{dash}{{{}}}\n", pairs.join(", "))
}

/// Whether the reader of a kind takes a text.
fn reads(kind: Kind, text: &str) -> bool {
    let (root, mut diagnostics) = (tree(text), Diagnostics::new());
    let diags = &mut diagnostics;
    match kind {
        Kind::NativeFunctions => drop(records::read_native_functions(root, &native::ATEN_KEYS, diags)),
        Kind::Library => drop(records::read_native_functions(root, &native::LIBRARY_KEYS, diags)),
        Kind::Derivatives => drop(records::read_derivatives(root, diags)),
        Kind::Tags => drop(records::read_tags(root, diags)),
        Kind::Deprecated => drop(records::read_deprecated(root, diags)),
        Kind::Selective => drop(records::read_selective(root, diags)),
        Kind::Backend => drop(records::read_backend(root, diags)),
    }
    !diagnostics.has_errors()
}

const VALUES: [&str; 20] = [
    "x",
    "''",
    "True",
    "1",
    "1.5",
    "2001-01-01",
    "~",
    "[]",
    "[x]",
    "[1]",
    "[True]",
    "[~]",
    "{}",
    "{x: y}",
    "{x: 1}",
    "{x: [y]}",
    "{x: {}}",
    "{x: {y: z}}",
    "[{x: y}]",
    "[{func: x, properties: [Lower]}]",
];

/// The words of these keys are for a later stage to refuse.
const WORDS: [&str; 3] = ["variants", "device_check", "dispatch"];

fn schemas_say_what_readers_take() {
    let mut faults = Vec::new();
    for kind in Kind::ALL {
        let (schema, validator) = (schema(kind.name()), validator(kind.name()));
        let of_entry = schema.pointer("/items/properties").or(schema.pointer("/properties"));
        let keys: Vec<&String> = of_entry.and_then(|keys| keys.as_object()).expect("properties").keys().collect();
        let mut check = |key: &str, pairs: &[(&str, &str)]| {
            let text = document(kind, pairs);
            let (read, valid) = (reads(kind, &text), validator.is_valid(&json(&tree(&text))));
            let only_words = read && !valid && WORDS.contains(&key);
            if read != valid && !only_words {
                faults.push(format!("{}: the reader says {read}, the schema {valid} of {text}", kind.name()));
            }
        };
        check("", base(kind));
        for key in keys {
            let others: Vec<_> = base(kind).iter().copied().filter(|(other, _)| other != key).collect();
            check(key, &others);
            for value in VALUES {
                check(key, &[&others[..], &[(key, value)]].concat());
            }
            // Misspelt. In derivatives.yaml other keys are names of inputs.
            let misspelt = format!("{key}s");
            check(key, &[&others[..], &[(&misspelt, "x")]].concat());
            check(key, &[base(kind), &[(&misspelt, "[x]")]].concat());
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join(""));
}

fn slips_are_refused() {
    let slips = [
        (Kind::NativeFunctions, "- func: f() -> ()\n  variant: function\n"),
        (Kind::NativeFunctions, "- func: f() -> ()\n  variants: function method\n"),
        (Kind::NativeFunctions, "- func: f() -> ()\n  dispatch:\n    CPU; CUDA: f\n"),
        (Kind::NativeFunctions, "- func: f() -> ()\n  dispatch:\n    Cuda: f\n"),
        (Kind::NativeFunctions, "- func: f() -> ()\n  doc: text\n"),
        (Kind::NativeFunctions, "- func: f() -> ()\n  device_check: None\n"),
        (Kind::Library, "- func: f() -> ()\n  structured: 'True'\n"),
        (Kind::Derivatives, "- nmae: f() -> ()\n  self: grad\n"),
        (Kind::Tags, "- tag: x\n  desc: ''\n"),
        (Kind::Deprecated, "- name: x\n  atne: x\n"),
        (Kind::Selective, "operator:\n  aten::add: {}\n"),
        (Kind::Selective, "operators:\n  aten::add: {is_root_op: True}\n"),
        (Kind::Backend, "backend: XLA\ncpp_namespace: x\nsuported: []\n"),
        (Kind::Backend, "backend: XLA\ncpp_namespace: x\nnon_native: [{func: x, properties: [Lowr]}]\n"),
    ];
    for (kind, text) in slips {
        assert!(!validator(kind.name()).is_valid(&json(&tree(text))), "{} takes\n{text}", kind.name());
    }
    let fine =
        "- func: f() -> ()\n  variants: method, function\n  tags: [core, mine]\n  dispatch:\n    CPU , CUDA: f\n";
    assert!(validator("native-functions").is_valid(&json(&tree(fine))));
}
