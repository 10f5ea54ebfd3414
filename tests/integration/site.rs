//! The pages of `torchgen-rs docs` in a browser: `tests/site/browser.cjs` opens them from files.
//!
//! Needs Chromium and Node.js with npm, which installs two packages once. Without them, the test is
//! ignored, and the summary counts it.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;
use walkdir::WalkDir;

use crate::counters::packaged;
use crate::support::processor::slowness;
use crate::support::pytorch::root;

/// The packages of the browser's test.
const PACKAGES: [&str; 2] = ["playwright-core@1.65.1", "axe-core@4.14.1"];

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    let is_missing = browser().is_none() || found("node").is_none() || found("npm").is_none();
    let all = trials![pages_work_in_a_browser];
    let in_browser = all.into_iter().map(|test| test.with_kind("Chromium").with_ignored_flag(is_missing));
    in_browser.chain(trials![an_explorer_with_derivatives_is_small]).collect()
}

/// A program on the search path.
fn found(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|directory| directory.join(name)).find(|path| path.is_file())
}

fn browser() -> Option<PathBuf> {
    ["chromium", "chromium-browser"].iter().find_map(|name| found(name))
}

/// The directory of Node's packages, which are installed once.
fn packages() -> PathBuf {
    let directory = root().join("target").join("site-browser");
    let modules = directory.join("node_modules");
    if !modules.join("axe-core").is_dir() {
        std::fs::create_dir_all(&directory).expect("a directory");
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--no-save", "--prefix"]).arg(&directory).args(PACKAGES);
        let output = npm.output().expect("npm runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    modules
}

fn docs(arguments: &[&str], out: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    let output = command.arg("docs").args(arguments).arg("-d").arg(out).current_dir(root()).output();
    let output = output.expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn pages_work_in_a_browser() {
    let out = tempfile::tempdir().expect("a directory");
    let [library, explorer, states] = ["library", "explorer", "states"].map(|name| out.path().join(name));
    docs(&["-s", "tests/site/library"], &library);
    let packaged = packaged();
    let [aten, autograd] = ["ATen", "autograd"].map(|part| packaged.join(part).to_string_lossy().into_owned());
    let torch = ["-s", &aten, "--autograd-dir", &autograd];
    docs(&[&torch[..], &["--outputs", "--from", "2.14"]].concat(), &explorer);
    let new = ["-s", "tests/diff/new/ATen", "--autograd-dir", "tests/diff/new/autograd"];
    docs(&[&new[..], &["--from", "tests/diff/old/ATen"]].concat(), &states);
    let families = out.path().join("families");
    for name in ["graph-ir", "op-builders", "tensor-ir", "wrappers"] {
        docs(&["-s", &format!("tests/site/families/{name}.yaml")], &families.join(name));
    }
    let mut node = Command::new("node");
    node.arg(root().join("tests/site/browser.cjs")).arg(packages()).arg(browser().expect("a browser"));
    node.arg(&library).arg(&explorer).arg(&states).arg(&families);
    let output = node.env("SLOWNESS", slowness().max(1.0).to_string()).output();
    let output = output.expect("node runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.lines().all(|line| line.starts_with("measured: ") || line.starts_with("task: ")), "{said}");
    assert_eq!(said.matches("task: ").count(), 5, "{said}");
    print!("{said}");
}

/// All of ATen with its derivatives stays small.
fn an_explorer_with_derivatives_is_small() {
    let out = tempfile::tempdir().expect("a directory");
    let packaged = packaged();
    let [aten, autograd] = ["ATen", "autograd"].map(|part| packaged.join(part).to_string_lossy().into_owned());
    docs(&["-s", &aten, "--autograd-dir", &autograd], out.path());
    let entries = WalkDir::new(out.path()).into_iter().map(|entry| entry.expect("an entry"));
    let total: u64 =
        entries.filter_map(|entry| entry.metadata().ok()).filter(|own| own.is_file()).map(|own| own.len()).sum();
    assert!(total < 4_000_000, "{total} bytes");
}
