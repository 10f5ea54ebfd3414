//! Mistakes that authors make: each `tests/mistakes/NAME.yaml` is a library, or what another family
//! reads, `NAME.txt` has all that `check` prints for it, and `NAME.diff`, if
//! something is fixed, what `check --fix` changes. `tests/mistakes/everyday` has the
//! commonest ones; its README says how their messages are judged.
//!
//! A file is a native_functions.yaml, or several files after comments with their names. A comment
//! `# command: …` has other arguments than `check -s .`.
//! `UPDATE_EXPECT=1 cargo test --test fast mistakes::` writes the texts again.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;
use regex::Regex;

use crate::fixes::{self, Case};
use crate::root;

fn check(case: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(case).map_err(|e| e.to_string())?;
    let example = Case::read(&text);
    let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(example.command.split(' '))
        .current_dir(example.directory.path())
        .env("NO_COLOR", "1")
        .output()
        .map_err(|e| e.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr);
    let said = Regex::new(r"\(\d+\.\d+ s\)").expect("a pattern").replace_all(&said, "(TIME)").into_owned();
    crate::reported::note(&said);
    if !said.contains("error[TG") && !said.contains("warning[TG") {
        return Err(format!("nothing is reported:\n{said}"));
    }
    let expected_path = case.with_extension("txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&expected_path, &said).map_err(|e| e.to_string())?;
    }
    let expected = std::fs::read_to_string(&expected_path).unwrap_or_default();
    if said == expected {
        return fixes::compare(case);
    }
    Err(similar::TextDiff::from_lines(expected.as_str(), &said).unified_diff().to_string())
}

/// One test for each mistake.
pub(crate) fn trials() -> Vec<Trial> {
    let all = root().join("tests/mistakes");
    let mut cases: Vec<PathBuf> = [all.clone(), all.join("everyday")]
        .into_iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("tests/mistakes is there"))
        .map(|entry| entry.expect("a readable entry").path())
        .collect();
    cases.retain(|path| path.extension().is_some_and(|ending| ending == "yaml"));
    cases.sort();
    assert!(cases.len() >= 130, "there are {} cases", cases.len());
    let trial = |case: PathBuf| {
        let name = case.strip_prefix(&all).unwrap_or(&case).with_extension("");
        Trial::test(format!("mistakes::{}", name.display()), move || check(&case).map_err(Into::into))
    };
    cases.into_iter().map(trial).collect()
}
