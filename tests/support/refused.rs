//! Which operators of a library the program refuses, and why.
//!
//! Each operator has an entry in native_functions.yaml and one in derivatives.yaml, so a diagnostic
//! belongs to the operator at its line.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::torch::torch;

/// Why the program refuses a formula.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) code: String,
    pub(crate) message: String,
}

impl Refusal {
    /// The code and the message without names and numbers.
    pub(crate) fn kind(&self) -> String {
        let mut parts = self.message.split('`');
        let mut text = parts.next().unwrap_or_default().to_owned();
        while let Some(_name) = parts.next() {
            text += "`…`";
            text += parts.next().unwrap_or_default();
        }
        let words = text.split(' ').map(|word| if word.parse::<u64>().is_ok() { "N" } else { word });
        format!("{} {}", self.code, words.collect::<Vec<_>>().join(" "))
    }
}

/// Why the program refuses each operator; it can have further errors for those that it accepts
/// first, since it stops before checks that need what is wrong.
pub(crate) fn refusals(entries: &[(String, String)], further: &[(&str, String)]) -> Vec<Option<Refusal>> {
    let mut all: Vec<Option<Refusal>> = vec![None; entries.len()];
    loop {
        let left: Vec<usize> = (0..entries.len()).filter(|i| all[*i].is_none()).collect();
        let found = refused(&left.iter().map(|i| &entries[*i]).collect::<Vec<_>>(), further);
        if found.is_empty() {
            return all;
        }
        for (i, refusal) in found {
            all[left[i]].get_or_insert(refusal);
        }
    }
}

/// The operators that one run refuses.
fn refused(entries: &[&(String, String)], further: &[(&str, String)]) -> Vec<(usize, Refusal)> {
    if entries.is_empty() {
        return Vec::new();
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    write(directory.path(), entries, further);
    let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(["check", "--max-errors", "0", "--message-format", "json", "-s"])
        .arg(directory.path())
        .arg("--torch-path")
        .arg(torch().package())
        .output()
        .expect("the program runs");
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    let mut found = Vec::new();
    for line in said.lines() {
        let Ok(said) = serde_json::from_str::<Value>(line) else { continue };
        if said["severity"] != "error" {
            continue;
        }
        let text = |key: &str| said[key].as_str().unwrap_or_default().to_owned();
        let line = said["line"].as_u64().and_then(|line| usize::try_from(line).ok());
        let line = line.unwrap_or_else(|| panic!("an error without a line: {said}"));
        let derivatives = text("file").ends_with("derivatives.yaml");
        let lines = entries.iter().scan(0, |last, (operator, derivative)| {
            *last += if derivatives { derivative } else { operator }.lines().count();
            Some(*last)
        });
        let i = lines.into_iter().position(|last| line <= last).expect("an entry at the line");
        found.push((i, Refusal { code: text("code"), message: text("message") }));
    }
    assert_eq!(output.status.success(), found.is_empty(), "{said}");
    found
}

/// Writes a library of operators, and further files.
pub(crate) fn write(directory: &Path, entries: &[&(String, String)], further: &[(&str, String)]) {
    let write = |name: &str, text: &str| std::fs::write(directory.join(name), text).expect("a new file");
    write("native_functions.yaml", &entries.iter().map(|(operator, _)| operator.as_str()).collect::<String>());
    write("derivatives.yaml", &entries.iter().map(|(_, derivative)| derivative.as_str()).collect::<String>());
    further.iter().for_each(|(name, text)| write(name, text));
}
