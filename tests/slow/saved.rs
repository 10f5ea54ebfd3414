//! What changes of operators do to programs that were saved before: `cargo test --test slow
//! saved/`.
//!
//! `tests/saved/old` and `tests/saved/new` are one library in two states, each operator with one
//! change. A program for each is saved with the old one, by torch.export and TorchScript, and runs
//! with the new one. `tests/saved/outcomes.txt` has what happens, and docs/changes.md shows it;
//! `UPDATE_EXPECT=1` writes both. `saved/schemas` asks PyTorch about random pairs of schemas.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use crate::number;
use crate::support::expected::assert_is_text_of_file;
use crate::support::torch::{root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("saved/programs", || {
            programs();
            Ok::<(), Failed>(())
        }),
        Trial::test("saved/schemas", || {
            schemas();
            Ok::<(), Failed>(())
        }),
    ]
}

/// What `breaking` says about saved programs of each operator: `breaks`, `risky` or nothing.
fn verdicts(old: &std::path::Path, new: &std::path::Path) -> BTreeMap<String, &'static str> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    command.args([
        "breaking",
        "--category",
        "saved",
        "--level",
        "risky",
        "--message-format",
        "json",
        "--max-errors",
        "0",
    ]);
    let output = command.arg(new).arg("--against").arg(old).output().expect("the program runs");
    let mut verdicts = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stderr).lines() {
        let change: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let name = change["change"]["name"].as_str().unwrap_or_else(|| panic!("{line}"));
        let breaks = change["change"]["effects"][0]["level"] == "breaking";
        let name = name.strip_prefix("saved::").unwrap_or(name).to_owned();
        let verdict = verdicts.entry(name).or_insert("risky");
        if breaks {
            *verdict = "breaks";
        }
    }
    verdicts
}

fn programs() {
    let (old, new) = (root().join("tests/saved/old"), root().join("tests/saved/new"));
    let verdicts = verdicts(&old, &new);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let script = root().join("tests/saved/programs.py");
    let mut outcomes = String::new();
    for (action, state) in [("save", "old"), ("load", "new")] {
        let library = torch().library(&format!("saved-{state}"), &format!("tests/saved/{state}"));
        outcomes = run(torch().tool("python").arg(&script).arg(action).arg(library).arg(directory.path()));
    }
    let mut table = "| change | PyTorch's check | torch.export | TorchScript |\n| --- | --- | --- | --- |\n".to_owned();
    // torch warns between the rows.
    let rows: Vec<(&str, &str)> = outcomes.lines().filter_map(|line| line.split_once(" | ")).collect();
    assert!(rows.len() >= 12, "too few rows:\n{outcomes}");
    for (name, rest) in rows {
        let renamed = if name == "declaration_renamed" { "declaration_named" } else { name };
        let verdict = verdicts.get(renamed).copied().unwrap_or("compatible");
        table.push_str(&format!("| `{}` | {verdict} | {rest} |\n", name.replace('_', "-")));
    }
    let expected = root().join("docs/changes.md");
    let page = fs::read_to_string(&expected).expect("the page");
    let (before, rest) = page.split_once("<!-- outcomes -->\n").expect("the first mark");
    let (_, after) = rest.split_once("<!-- end of outcomes -->").expect("the second mark");
    let fresh = format!("{before}<!-- outcomes -->\n\n{table}\n<!-- end of outcomes -->{after}");
    assert_is_text_of_file(&expected, &fresh);
}

/// PyTorch's check and `breaking` agree about random pairs of schemas.
fn schemas() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let script = root().join("tests/saved/schemas.py");
    let cases = number("TORCHGEN_SLOW_CASES", 1000).to_string();
    let seed = number("TORCHGEN_SLOW_SEED", 0).to_string();
    let said = run(torch().tool("python").arg(script).arg(directory.path()).args([&cases, &seed]));
    let verdicts = verdicts(&directory.path().join("old"), &directory.path().join("new"));
    let mut wrong = Vec::new();
    for line in said.lines() {
        let [name, expected, old, new] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let found = verdicts.get(name).copied().unwrap_or("compatible");
        if found != expected {
            wrong.push(format!("{found}, PyTorch: {expected}\n  {old}\n  {new}"));
        }
    }
    assert!(said.lines().count() > 100 && wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
