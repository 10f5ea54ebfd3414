//! The JSON Schemas: they are committed in `schemas/` and in the folders of families, and they
//! reject mistakes.
//!
//! `UPDATE_EXPECT=1 cargo test --test fast json_schema::` writes them and `docs/keys.md` again.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use crate::cases::Case;
use crate::expected::assert_is_text_of_file;
use crate::schema::{json, path, validator};
use jsonschema::Validator;
use libtest_mimic::Trial;
use serde::Deserialize;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        committed_schemas_are_fresh,
        the_reference_of_keys_is_fresh,
        slips_are_refused,
        files_that_are_accepted_fit,
        new_projects_fit,
        own_yaml_of_a_generator
    ]
}

/// The kinds of the program, by name. Each has a file in `schemas/`, or in the folder of its
/// family.
fn kinds() -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs")).args(["json-schema", "-h"]).output();
    let help = String::from_utf8(output.expect("the program runs").stdout).expect("text");
    let (_, values) = help.split_once("[possible values: ").expect("kinds");
    let (values, _) = values.split_once(']').expect("kinds");
    let mut kinds: Vec<String> = values.split(',').map(|kind| kind.trim().to_owned()).collect();
    kinds.sort();
    kinds
}

/// The families whose files begin with `family:`, which are kinds.
pub(crate) fn families() -> Vec<String> {
    let is_family = |kind: &String| {
        let schema = std::fs::read_to_string(path(kind)).unwrap_or_default();
        let schema: serde_json::Value = serde_json::from_str(&schema).unwrap_or_default();
        schema["properties"]["family"]["enum"][0] == *kind.as_str()
    };
    kinds().into_iter().filter(is_family).collect()
}

fn committed_schemas_are_fresh() {
    let kinds = kinds();
    let files = std::fs::read_dir(path("").parent().expect("a directory")).expect("schemas/");
    for file in files.map(|file| file.expect("a file").path()) {
        let kind = file.file_stem().expect("a name").to_string_lossy().into_owned();
        assert!(kinds.contains(&kind), "{} is the schema of no kind: remove it", file.display());
    }
    for kind in &kinds {
        let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs")).args(["json-schema", kind]).output();
        let printed = String::from_utf8(output.expect("the program runs").stdout).expect("text");
        assert_is_text_of_file(&path(kind), &printed);
    }
}

/// docs/keys.md has the keys of every kind, as the tables of the readers have them.
fn the_reference_of_keys_is_fresh() {
    const HEAD: &str = "# Keys of YAML files\n\n\
        This page lists the keys of each kind of YAML file. `torchgen-rs json-schema KIND --markdown` prints\n\
        a section of it. `a.b` is the key `b` in the mapping of `a`, `a[].b` the key `b` of an entry of the\n\
        list `a`, and `a.*` any key.\n";
    let mut kinds = kinds();
    // docs/json.md has its keys.
    kinds.retain(|kind| kind != "diagnostics");
    // Libraries come first.
    kinds.sort_by_key(|kind| (!matches!(kind.as_str(), "library" | "derivatives"), kind.clone()));
    let mut page = HEAD.to_owned();
    for kind in &kinds {
        let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs")).args(["json-schema", kind, "--markdown"]).output();
        page.push('\n');
        page.push_str(&String::from_utf8(output.expect("the program runs").stdout).expect("text"));
    }
    assert_is_text_of_file(&crate::root().join("docs/keys.md"), &page);
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

/// Validators of the committed schemas; another test reports one that is missing.
static VALIDATORS: LazyLock<HashMap<String, Validator>> = LazyLock::new(|| {
    let committed = kinds().into_iter().filter(|kind| path(kind).is_file());
    committed.map(|kind| (kind.clone(), validator(&kind))).collect()
});

/// The kind of a file of that name, which its family or else its name shows.
fn kind_of(name: &str, text: &str, aten: bool) -> Option<&'static str> {
    let family = text.lines().find_map(|line| line.strip_prefix("family:"));
    let by_name = match Path::new(name).file_name()?.to_str()? {
        "native_functions.yaml" if aten => "native-functions",
        "native_functions.yaml" => "library",
        "library.yaml" => "library-settings",
        "derivatives.yaml" => "derivatives",
        "deprecated.yaml" => "deprecated",
        "tags.yaml" => "tags",
        "selection.yaml" => "selective",
        _ if text.lines().any(|line| line.starts_with("cpp_namespace:")) => "backend",
        _ => "",
    };
    let wanted = match family.map(|family| family.split('#').next().unwrap_or_default().trim()) {
        // Settings name the family of their library.
        Some("library") => "library-settings",
        family => family.unwrap_or(by_name),
    };
    VALIDATORS.keys().map(String::as_str).find(|kind| *kind == wanted)
}

/// What the schema of its kind says against a file that the tool accepts.
pub(crate) fn violations(name: &str, text: &str, aten: bool) -> Vec<String> {
    let Some(kind) = kind_of(name, text, aten) else { return Vec::new() };
    let mut errors = Vec::new();
    for document in serde_yaml::Deserializer::from_str(text) {
        let mut value = serde_yaml::Value::deserialize(document).unwrap_or_else(|error| panic!("{name}: {error}"));
        value.apply_merge().unwrap_or_else(|error| panic!("{name}: {error}"));
        let value = serde_json::to_value(value).unwrap_or_else(|error| panic!("{name}: {error}"));
        let found = VALIDATORS[kind].iter_errors(&value);
        errors.extend(found.map(|error| format!("{name}: {}: {error}", error.instance_path())));
    }
    errors
}

/// The YAML files below a directory.
fn yaml_files(directory: &Path) -> Vec<PathBuf> {
    let files = walkdir::WalkDir::new(directory).sort_by_file_name().into_iter().map(|entry| entry.expect("an entry"));
    let is_yaml = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml");
    files.map(walkdir::DirEntry::into_path).filter(is_yaml).collect()
}

/// Directories of files with errors, or of YAML 1.1, whose `no` editors take for a string.
const REFUSED: [&str; 2] = ["tests/conformance", "tests/fuzz"];

/// All examples, and the files of tests that the tool accepts.
fn files_that_are_accepted_fit() {
    let root = crate::root();
    let (mut errors, mut seen, mut texts) = (Vec::new(), 0, Vec::new());
    for path in ["examples", "families", "tests"].iter().flat_map(|directory| yaml_files(&root.join(directory))) {
        let name = path.strip_prefix(root).expect("it is below").to_string_lossy().into_owned();
        if REFUSED.iter().any(|refused| name.starts_with(refused)) {
            continue;
        }
        texts.push((name, std::fs::read_to_string(&path).expect("text")));
    }
    for (case, path) in crate::cases::cases("ui") {
        let case_of_ui = Case::read(&path, &[]).expect("a case");
        let files =
            case_of_ui.files.iter().filter(|(name, _)| case_of_ui.status() == Some(0) && name.ends_with(".yaml"));
        texts
            .extend(files.map(|(name, bytes)| (format!("{case}/{name}"), String::from_utf8_lossy(bytes).into_owned())));
    }
    for (name, text) in texts {
        seen += usize::from(kind_of(&name, &text, name.contains("native/")).is_some());
        errors.extend(violations(&name, &text, name.contains("native/")));
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    assert!(seen > 40, "{seen} files");
}

/// The files of projects that `new` makes.
fn new_projects_fit() {
    let directory = tempfile::tempdir().expect("a directory");
    for (i, family) in families().iter().map(String::as_str).chain(["library"]).enumerate() {
        let project = directory.path().join(format!("project{i}"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
        let output = command.arg("new").arg(&project).args(["--family", family]).output().expect("the program runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let files = yaml_files(&project);
        assert!(!files.is_empty(), "{family}");
        for file in files {
            let text = std::fs::read_to_string(&file).expect("text");
            let errors = violations(&file.to_string_lossy(), &text, false);
            assert!(errors.is_empty(), "{}", errors.join("\n"));
        }
    }
}

/// A generator whose entries are about no operators, so that its schema is short.
const ROWS: &str = "family: generator
name: rows
entries:
  rows:
    doc: Rows of a table.
    keys:
      name: {type: identifier, required: true, doc: What it is called.}
      speed: {type: [fast, slow]}
      sizes: {type: int, list: true}
outputs:
- {file: rows.txt, over: rows, each: row.j2}
";

/// `json-schema -g` prints the schema of own YAML.
fn own_yaml_of_a_generator() {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("generator.yaml"), ROWS).expect("a new file");
    std::fs::write(directory.path().join("row.j2"), "{{ entry.name }}\n").expect("a new file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    let output = command.arg("json-schema").arg("-g").arg(directory.path()).output().expect("the program runs");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert_is_text_of_file(&crate::root().join("families/generator/tests/rows.schema.json"), &printed);
    let validator = jsonschema::validator_for(&json(&printed)).expect("a JSON Schema");
    assert!(validator.is_valid(&json("generator: .\nrows:\n- {name: a, speed: fast, sizes: [1, 2], since: '2.12'}\n")));
    for slip in ["{speed: fast}", "{name: a, speed: quick}", "{name: a, sizes: 1}", "{name: a, sped: fast}"] {
        assert!(!validator.is_valid(&json(&format!("rows:\n- {slip}\n"))), "{slip}");
    }
}
