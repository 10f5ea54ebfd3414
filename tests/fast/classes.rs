//! Autograd functions that `torchgen-rs adopt` reads: each case of `tests/classes` is a library in
//! C++ or Python with classes, and the whole derivatives.yaml that is written for it.
//!
//! `UPDATE_EXPECT=1 cargo test --test fast classes::` writes the texts again.

use std::fs;
use std::path::Path;

use libtest_mimic::Trial;

use crate::adopt::run;
use crate::cases::{self, Case};

/// The block with what is written.
const WRITTEN: &str = "yaml written";

/// One test for each case.
pub(crate) fn trials() -> Vec<Trial> {
    cases::trials("classes", check)
}

fn check(case: &Path) -> Result<(), String> {
    let case = Case::read(case, &[WRITTEN])?;
    let directory = tempfile::tempdir().expect("a directory");
    case.write_files(directory.path());
    for command in &case.commands {
        let (status, said) = run(directory.path(), &command.iter().map(String::as_str).collect::<Vec<_>>());
        if status != Some(0) {
            return Err(said);
        }
    }
    // What is written is accepted, and each class counts.
    let (status, said) = run(directory.path(), &["check", "ops"]);
    if status != Some(0) {
        return Err(said);
    }
    let read =
        |name: &str| fs::read_to_string(directory.path().join("ops").join(name)).map_err(|error| error.to_string());
    let (yaml, report, operators) =
        (read("derivatives.yaml")?, read("ADOPT-REPORT.md")?, read("native_functions.yaml")?);
    let row = report.lines().find(|line| line.starts_with("| autograd functions |")).ok_or("the report has no row")?;
    let entries = yaml.lines().skip(2).skip_while(|line| line.is_empty() || *line == "[]");
    let compared = operators.lines().filter(|line| line.contains("compared"));
    let mut text: String = entries.chain(compared).map(|line| format!("{line}\n")).collect();
    text.push_str(&format!("# {}\n", row.trim_matches(['|', ' '])));
    case.compare_blocks(&[(WRITTEN, &text)])
}
