//! Mistakes that authors of libraries make: each `tests/mistakes/NAME.yaml` is a library, and
//! `NAME.txt` has all that `check` prints for it.
//!
//! A file is a native_functions.yaml, or several files after comments with their names.
//! `UPDATE_EXPECT=1 cargo test --test fast mistakes::` writes the texts again.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;
use regex::Regex;

use crate::root;

fn check(case: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(case).map_err(|e| e.to_string())?;
    let library = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut files = vec![("native_functions.yaml", String::new())];
    for line in text.lines() {
        match line.strip_prefix("# ").filter(|name| name.ends_with(".yaml") && !name.contains(' ')) {
            Some(name) => files.push((name, String::new())),
            None => {
                let (_, text) = files.last_mut().ok_or("there is a first file")?;
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    for (name, text) in files {
        std::fs::write(library.path().join(name), text).map_err(|e| e.to_string())?;
    }
    let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(["check", "-s", "."])
        .current_dir(library.path())
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
        return Ok(());
    }
    Err(similar::TextDiff::from_lines(expected.as_str(), &said).unified_diff().to_string())
}

/// One test for each mistake.
pub(crate) fn trials() -> Vec<Trial> {
    let cases = std::fs::read_dir(root().join("tests/mistakes")).expect("tests/mistakes is there");
    let mut cases: Vec<PathBuf> = cases.map(|entry| entry.expect("a readable entry").path()).collect();
    cases.retain(|path| path.extension().is_some_and(|ending| ending == "yaml"));
    cases.sort();
    assert!(cases.len() >= 60, "there are {} cases", cases.len());
    let trial = |case: PathBuf| {
        let name = case.file_stem().expect("a name").to_string_lossy().into_owned();
        Trial::test(format!("mistakes::{name}"), move || check(&case).map_err(Into::into))
    };
    cases.into_iter().map(trial).collect()
}
