//! `defaults:` of library.yaml: a library with defaults generates what a library does whose entries
//! have the keys themselves.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;

use crate::reported;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![entries_get_the_keys_that_they_lack]
}

const DEFAULTS: &str = "\
defaults:
  variants: function
  tags: pt2_compliant_tag
  device_check: NoCheck
  device_guard: False
  differentiable: False
";

/// Entries; `KEYS` is the place of the keys that they lack.
const ENTRIES: &str = "\
- func: shop::shine(Tensor self) -> Tensor
  KEYS
  fake: like(self)
  dispatch: {CPU: shine_cpu}

- func: shop::polish(Tensor self, Tensor other) -> Tensor
  variants: function, method
  tags: []
  device_check: ExactSame
  device_guard: True
  differentiable: True
  fake: like(self)
  dispatch: {CPU: polish_cpu}

- func: shop::opaque(__torch__.torch.classes.shop.Lamp lamp) -> Tensor
  TAGS
  manual_kernel_registration: True
";

/// The files that are generated for entries and settings, by path.
fn generated(entries: &str, settings: Option<&str>) -> BTreeMap<String, String> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let write = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).expect("a new file");
    write("native_functions.yaml", entries);
    if let Some(settings) = settings {
        write("library.yaml", settings);
    }
    let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(["generate", "-s", ".", "-d", "out"])
        .current_dir(directory.path())
        .output()
        .expect("the program runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    reported::note(&errors);
    assert!(output.status.success(), "{errors}");
    let root = directory.path().join("out");
    let files = walkdir::WalkDir::new(&root).into_iter().map(|entry| entry.expect("a readable entry"));
    let is_output = |path: &Path| path.is_file() && !path.ends_with(".torchgen-rs.manifest");
    files
        .filter(|entry| is_output(entry.path()))
        .map(|entry| {
            let name = entry.path().strip_prefix(&root).expect("below the directory").display().to_string();
            (name, std::fs::read_to_string(entry.path()).expect("text"))
        })
        .collect()
}

fn entries_get_the_keys_that_they_lack() {
    let without: String = ENTRIES
        .lines()
        .filter(|line| !matches!(line.trim(), "KEYS" | "TAGS"))
        .fold(String::new(), |text, line| text + line + "\n");
    let keys: Vec<&str> = DEFAULTS.lines().skip(1).map(str::trim).collect();
    let with = ENTRIES.replace("KEYS", &keys.join("\n  ")).replace("TAGS", "tags: pt2_compliant_tag");
    let defaults = generated(&without, Some(DEFAULTS));
    assert!(defaults == generated(&with, None), "defaults differ from keys of entries");
    assert!(defaults != generated(&without, None), "defaults change nothing");
}
