//! Names of kernel wrappers: every identifier of the generated files and of the mock, every macro
//! and every word of C++ and Python, as a function, a parameter and an argument, compiles or is
//! refused at its place.
//!
//! A run tries a sample with a fixed seed.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use libtest_mimic::Trial;
use regex::Regex;

use super::generated;
use crate::families::names::{self, Random};
use crate::support::cxx::compiler;
use crate::support::torch::check_alone;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = trials![names_are_safe_or_refused];
    // Takes minutes: `cargo test --test integration -- --ignored every_name`.
    trials.extend(trials![every_name_is_safe_or_refused].into_iter().map(|trial| trial.with_ignored_flag(true)));
    trials
}

/// Where a name is tried.
#[derive(Clone, Copy, Debug)]
enum Position {
    Function,
    Parameter,
    Argument,
}

/// The lines of an entry: of the operator, of the backend's function, and of what joins them.
fn entry(position: Position, name: &str, number: usize) -> [String; 3] {
    match position {
        Position::Function => [
            format!("- func: zzf{number}(Tensor self) -> Tensor\n"),
            format!("- fn: {name}(Tensor zx) -> Tensor\n  cpu: at::relu(zx)\n"),
            format!("- op: zzf{number}\n  call: {name}\n  map: {{zx: self}}\n"),
        ],
        Position::Parameter => [
            format!("- func: zzp{number}(Tensor self, int by) -> Tensor\n"),
            format!("- fn: Zzp{number}(Tensor zx, int {name}, Tensor? zy) -> Tensor\n  cpu: at::add(zx, {name})\n"),
            format!("- op: zzp{number}\n  call: Zzp{number}\n  map: {{zx: self, {name}: by}}\n"),
        ],
        Position::Argument => [
            format!("- func: zza{number}(Tensor self, int {name}, Tensor? zy=None) -> Tensor\n"),
            format!("- fn: Zza{number}(Tensor zx, int zn, Tensor? zy) -> Tensor\n  cpu: at::add(zx, zn)\n"),
            format!("- op: zza{number}\n  call: Zza{number}\n  map: {{zx: self, zn: {name}, zy: zy}}\n"),
        ],
    }
}

fn names_are_safe_or_refused() {
    compiles(Some(40));
}

fn every_name_is_safe_or_refused() {
    compiles(None);
}

/// Tries some names, or all of them: writes an entry for each at each position, drops those that
/// are refused, and compiles the rest.
fn compiles(count: Option<usize>) {
    let mut names = names::all(generated(), &[]);
    names.retain(|name| !name.starts_with("__") && !name.starts_with("zz"));
    if let Some(count) = count {
        names = Random::new(29).some(&names, count);
        names.sort();
        names.dedup();
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = |name: &str| directory.path().join(name);
    let positions = [Position::Function, Position::Parameter, Position::Argument];
    let tried = names.len() * positions.len();
    let mut entries: Vec<(Position, usize)> =
        positions.into_iter().flat_map(|position| (0..names.len()).map(move |name| (position, name))).collect();
    let place = Regex::new(r"(?m)^error\[\w+\].*\n +--> (?:[^\n]*/)?(aten|backend)\.yaml:(\d+):\d+$").expect("a regex");
    let mut left = entries.len() + 1;
    loop {
        assert!(entries.len() < left, "an error is not at the place of a name");
        left = entries.len();
        let mut texts = [const { String::new() }; 3];
        for (position, name) in &entries {
            for (text, lines) in texts.iter_mut().zip(entry(*position, &names[*name], *name)) {
                text.push_str(&lines);
            }
        }
        let [operators, functions, ops] = texts;
        let head = "family: wrappers\nname: acme\nnative_functions: aten.yaml\nfunctions:\n";
        fs::write(path("aten.yaml"), &operators).expect("a new file");
        fs::write(path("backend.yaml"), format!("{head}{functions}ops:\n{ops}")).expect("a new file");
        let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
            .args(["wrappers", "--mock", "-s", "backend.yaml", "-d", "out"])
            .env("NO_COLOR", "1")
            .current_dir(directory.path())
            .output()
            .expect("the program runs");
        if output.status.success() {
            break;
        }
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("panicked"), "{said}");
        // Each entry has one line of aten.yaml, two of `functions:` and three of `ops:`.
        let first_op = head.lines().count() + 2 * entries.len() + 1;
        let refused: BTreeSet<usize> = place
            .captures_iter(&said)
            .map(|found| {
                let line = found[2].parse::<usize>().expect("a line") - 1;
                match (&found[1], line.checked_sub(first_op)) {
                    ("aten", _) => line,
                    (_, Some(below)) => below / 3,
                    (_, None) => (line - head.lines().count()) / 2,
                }
            })
            .collect();
        assert!(!refused.is_empty(), "{said}");
        let mut at = 0..;
        entries.retain(|_| !at.next().is_some_and(|at| refused.contains(&at)));
    }
    assert!(entries.len() > tried / 2, "too many names are refused: {} of {tried} are left", entries.len());
    // The other programs with wrappers are compiled by clang++.
    for source in ["#include \"acme_torch_ops.cpp\"\n", "#include \"acme_torch_ops.h\"\n#include \"mock_backend.h\"\n"]
    {
        fs::write(path("out/unit.cpp"), source).expect("a new file");
        check_alone(compiler(), &path("out/unit.cpp"), &path("out"));
    }
}
