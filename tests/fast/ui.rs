//! The messages of the tool: each folder of `tests/ui/` is a source path, `command` has the
//! arguments, and `stderr` the whole expected text.
//!
//! `UPDATE_EXPECT=1 cargo test --test fast ui::` writes the expectations again. They contain no
//! paths of the machine, and `TIME` for the time that a run took.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;
use regex::Regex;

use crate::root;

/// Runs one case and compares status and text; a run with errors must not touch the output
/// directory.
fn check(case: &Path) -> Result<(), String> {
    let command = std::fs::read_to_string(case.join("command")).map_err(|e| format!("{}: {e}", case.display()))?;
    let out = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mark = out.path().join("mark");
    std::fs::write(&mark, "old").map_err(|e| e.to_string())?;
    let mut words = command.split_whitespace();
    let status: i32 = words.next().and_then(|w| w.parse().ok()).ok_or("`command` starts with the exit status")?;
    let arguments: Vec<String> = words.map(|w| w.replace("OUT", &out.path().to_string_lossy())).collect();
    let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(&arguments)
        .current_dir(case)
        // No PyTorch is found but that of the case.
        .env_remove("PATH")
        .env_remove("VIRTUAL_ENV")
        .env_remove("CONDA_PREFIX")
        .output()
        .map_err(|e| e.to_string())?;
    let stderr = String::from_utf8_lossy(&output.stderr).replace(&*out.path().to_string_lossy(), "OUT");
    let stderr = Regex::new(r"\(\d+\.\d+ s\)").expect("a pattern").replace_all(&stderr, "(TIME)").into_owned();
    crate::reported::note(&stderr);
    let expected_path = case.join("stderr");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&expected_path, &stderr).map_err(|e| e.to_string())?;
    }
    let expected = std::fs::read_to_string(&expected_path).unwrap_or_default();
    if output.status.code() != Some(status) {
        return Err(format!("{}: exit status {:?}, not {status}\n{stderr}", case.display(), output.status.code()));
    }
    if stderr != expected {
        let diff = similar::TextDiff::from_lines(expected.as_str(), &stderr).unified_diff().to_string();
        return Err(format!("{}:\n{diff}", case.display()));
    }
    let left: Vec<_> = std::fs::read_dir(out.path()).map_err(|e| e.to_string())?.collect();
    if status != 0 && (left.len() != 1 || std::fs::read_to_string(&mark).ok().as_deref() != Some("old")) {
        return Err(format!("{}: a run with errors touched the output directory", case.display()));
    }
    Ok(())
}

/// One test for each folder.
pub(crate) fn trials() -> Vec<Trial> {
    let cases = std::fs::read_dir(root().join("tests/ui")).expect("tests/ui is there");
    let mut cases: Vec<PathBuf> = cases.map(|entry| entry.expect("a readable entry").path()).collect();
    cases.sort();
    let trial = |case: PathBuf| {
        let name = case.file_name().expect("a folder").to_string_lossy().into_owned();
        Trial::test(format!("ui::{name}"), move || check(&case).map_err(Into::into))
    };
    cases.into_iter().map(trial).collect()
}
