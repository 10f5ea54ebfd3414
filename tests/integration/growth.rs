//! The time of runs over libraries that grow: it grows as they do.
//!
//! A test compares the processor's time for a library with that for one of eight times its size,
//! so the machine and its load do not matter. Quadratic time would be 64 times as much.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![operators_with_a_warning, operators_that_allow_a_warning, arguments, renamed_arguments]
}

/// As far from linear time (8) as from quadratic time (64).
const MOST: f64 = 22.0;

/// Compares the times for `size` and eight times as much, with the library's text made for each.
#[track_caller]
fn check(size: usize, warn: bool, yaml: impl Fn(usize) -> String) {
    for settings in ["abi: stable\ntorch_min: '2.10'\n", "abi: unstable\n"] {
        let seconds = |size: usize| {
            let top = tempfile::tempdir().expect("a temporary directory");
            std::fs::write(top.path().join("native_functions.yaml"), yaml(size)).expect("the operators");
            std::fs::write(top.path().join("library.yaml"), settings).expect("the settings");
            let (seconds, said) = run(top.path());
            assert_eq!(said.matches("warning[TG").count() >= size, warn, "{settings}{}", &said[..said.len().min(2000)]);
            seconds
        };
        let (small, large) = (seconds(size).max(0.02), seconds(8 * size));
        assert!(large / small < MOST, "{settings}{size}: {small} s, eight times as much: {large} s");
    }
}

/// The time that the processor takes to generate a library, and the messages.
fn run(library: &Path) -> (f64, String) {
    let mut timed = Command::new("bash");
    timed.args(["-c", "\"$@\" && times", "_", env!("CARGO_BIN_EXE_torchgen-rs")]);
    timed.arg("-s").arg(library).arg("-d").arg(library.join("out")).env("NO_COLOR", "1");
    let output = timed.output().expect("bash runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{}", &said[..said.len().min(2000)]);
    // The last line has the times of what the shell ran, as `0m1.234s 0m0.056s`: the program's and
    // the system's for it. Only their sum is exact: Linux splits it by samples.
    let times = String::from_utf8_lossy(&output.stdout).trim_end().rsplit('\n').next().unwrap_or_default().to_owned();
    let seconds = times.split_whitespace().map(|time| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m').expect("minutes and seconds");
        minutes.parse::<f64>().expect("minutes") * 60.0 + seconds.parse::<f64>().expect("seconds")
    });
    (seconds.sum(), said)
}

fn operators(size: usize, keys: &str) -> String {
    (0..size).fold(String::new(), |mut yaml, i| {
        let _ = writeln!(yaml, "- func: rs::op{i}(Tensor self) -> Tensor\n  dispatch: {{CPU: kernel{i}}}\n{keys}");
        yaml
    })
}

fn operators_with_a_warning() {
    check(500, true, |size| operators(size, ""));
}

fn operators_that_allow_a_warning() {
    let keys = "  allow: [TG0925, TG6010]\n";
    check(500, false, |size| operators(size, keys));
}

fn operator(arguments: impl Iterator<Item = String>) -> String {
    let arguments: Vec<String> = arguments.collect();
    format!(
        "- func: rs::op(Tensor self, {}) -> Tensor\n  fake: like(self)\n  dispatch: {{CPU: kernel}}\n",
        arguments.join(", ")
    )
}

fn arguments() {
    check(1500, false, |size| operator((0..size).map(|i| format!("int a{i}"))));
}

/// Generated code makes names like theirs.
fn renamed_arguments() {
    check(1500, false, |size| operator((0..size).map(|i| format!("int a{i}, int a{i}_t"))));
}
