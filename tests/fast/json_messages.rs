//! What `--message-format json` prints: real output fits `schemas/diagnostics.json`, and
//! `docs/json.md` shows it and lists its keys.
//!
//! `UPDATE_EXPECT=1 cargo test --test fast json_messages::` writes the table and the example of the
//! page again.

use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;
use serde_json::Value;

use crate::cases::{self, Case, program};
use crate::expected::assert_is_text_of_file;
use crate::root;
use crate::schema::{schema, validator};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![output_fits_the_schema, the_schema_refuses_other_lines, the_page_is_fresh]
}

fn lines(dir: &Path, arguments: &[&str]) -> Vec<Value> {
    let output = program(dir).args(arguments).args(["--message-format", "json"]).output().expect("the program runs");
    let text = String::from_utf8(output.stderr).expect("text");
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// What `check` says about a library of `tests/ui`.
fn lines_of_case(case: &Case) -> Vec<Value> {
    let directory = tempfile::tempdir().expect("a directory");
    case.write_files(directory.path());
    lines(directory.path(), &["check", "-s", "."])
}

fn output_fits_the_schema() {
    let validator = validator("diagnostics");
    let known = schema("diagnostics")["properties"].as_object().expect("keys").clone();
    let cases = cases::cases("ui").into_iter().map(|(name, path)| (name, Case::read(&path, &[]).expect("a case")));
    let libraries = cases.filter(|(_, case)| case.commands == [["check", "-s", "."]] && case.status() == Some(1));
    // A few of them, and one that is a good example.
    let few = libraries.enumerate().filter(|(at, (name, _))| at % 4 == 0 || name == "forgotten-namespace");
    let mut found: Vec<Value> = few.flat_map(|(_, (_, case))| lines_of_case(&case)).collect();
    // A diagnostic without a place, and notes.
    found.extend(lines(root(), &["check", "-s", "nowhere"]));
    let out = tempfile::tempdir().expect("a directory");
    found.extend(lines(out.path(), &["stable-ops", "--ops", "aten::cat", "--output", "ops.h"]));
    for diagnostic in &found {
        let errors: Vec<String> = validator.iter_errors(diagnostic).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}: {diagnostic}");
        for key in diagnostic.as_object().expect("an object").keys() {
            assert!(known.contains_key(key), "schemas/diagnostics.json lacks `{key}`");
        }
    }
    let has = |wanted: &dyn Fn(&Value) -> bool| found.iter().any(wanted);
    for severity in ["error", "warning", "note"] {
        assert!(has(&|one| one["severity"] == severity), "no {severity}");
    }
    for list in ["labels", "notes", "help"] {
        assert!(has(&|one| one[list].as_array().is_some_and(|list| !list.is_empty())), "no {list}");
    }
    assert!(has(&|one| one.get("file").is_none()), "each has a place");
}

fn the_schema_refuses_other_lines() {
    let validator = validator("diagnostics");
    let right = r#"{"code":"TG0001","name":"usage","severity":"error","message":"m","labels":[],"notes":[],"help":[]}"#;
    let right: Value = serde_json::from_str(right).expect("JSON");
    assert!(validator.is_valid(&right));
    let with = |key: &str, value: Value| {
        let mut other = right.clone();
        other[key] = value;
        other
    };
    assert!(validator.is_valid(&with("later", "a new key".into())));
    for (key, value) in [
        ("code", Value::from("E0001")),
        ("severity", "fatal".into()),
        ("help", "text".into()),
        ("line", 3.into()),
        ("labels", serde_json::json!([{"message": "m"}])),
    ] {
        assert!(!validator.is_valid(&with(key, value)), "{key}");
    }
}

/// The example of the page: a library with one mistake.
const EXAMPLE: &str = "- func: shop::sell(Tenser x) -> Tensor\n";

fn the_page_is_fresh() {
    let path = root().join("docs/json.md");
    let old = std::fs::read_to_string(&path).expect("the page");
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("native_functions.yaml"), EXAMPLE).expect("a new file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    let output = command.current_dir(directory.path()).args(["check", "-s", ".", "--message-format", "json"]);
    let printed = String::from_utf8(output.output().expect("the program runs").stderr).expect("text");
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    let table = command.args(["json-schema", "diagnostics", "--markdown"]).output().expect("the program runs").stdout;
    let table = String::from_utf8(table).expect("text");
    let table: String = table.lines().filter(|line| line.starts_with("| ")).map(|line| format!("{line}\n")).collect();
    let mut page = String::new();
    let mut rest = old.as_str();
    for (start, end, text) in [
        ("--message-format json\n", "```", printed.as_str()),
        ("| key |", "\n## ", &format!("{}\n", table.trim_start_matches("| key |"))),
    ] {
        let (before, after) = rest.split_once(start).expect(start);
        page.push_str(&format!("{before}{start}{text}"));
        let at = after.find(end).expect(end);
        rest = after[at..].strip_prefix('\n').unwrap_or(&after[at..]);
    }
    page.push_str(rest);
    assert_is_text_of_file(&path, &page);
}
