//! Tests of `--data-dir`: the tables of a run are its own.
//!
//! Invariant: each run adds something else, or nothing, and all are in one process.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use torchgen_kit::driver::{Host, Status};

/// Two operators with names that a run can reserve, and so can the names of their arguments be.
const LIBRARY: &str = "
- func: shop::extent(Tensor self, int extents) -> Tensor
  dispatch:
    CPU: extent
- func: shop::width(Tensor self, int widths) -> Tensor
  dispatch:
    CPU: width
";

const NAMES: [&str; 2] = ["extent", "width"];

/// What the runs add: one of the names, or nothing.
const RUNS: [Option<&str>; 3] = [Some("extent"), None, Some("width")];

/// The flags for a directory that adds a name to a list; none if there is no name.
fn flags(below: &Path, list: &str, name: Option<String>) -> Vec<OsString> {
    let Some(name) = name else { return Vec::new() };
    let dir = below.join(list);
    fs::create_dir_all(dir.join("torch")).unwrap();
    fs::write(dir.join("torch/reserved_names.yaml"), format!("{list}: [{name}]\n")).unwrap();
    vec!["--data-dir".into(), dir.into()]
}

/// Runs commands with the name reserved, and checks that no other one is.
fn check(reserved: Option<&str>) {
    let dir = tempfile::tempdir().unwrap();
    let (source, out) = (dir.path().join("library"), dir.path().join("out"));
    fs::create_dir(&source).unwrap();
    fs::write(source.join("native_functions.yaml"), LIBRARY).unwrap();
    let run = |command: &str, more: Vec<OsString>| {
        let words = ["torchgen-rs", command, "--threads", "2", "-s"].map(OsString::from);
        crate::cli::run(words.into_iter().chain([source.clone().into()]).chain(more), Host::keeping()).status
    };
    // An operator that has a reserved name is an error.
    let found = run("check", flags(dir.path(), "operators", reserved.map(str::to_owned)));
    assert_eq!(found, if reserved.is_some() { Status::Errors } else { Status::Done }, "{reserved:?}");
    // An argument that has one gets another name in C++.
    let mut more = flags(dir.path(), "declarations", reserved.map(|name| format!("{name}s")));
    more.extend(["-d".into(), out.clone().into()]);
    assert_eq!(run("generate", more), Status::Done, "{reserved:?}");
    let text = fs::read_to_string(out.join("include/shop/Functions.h")).unwrap();
    for name in NAMES {
        let suffix = if reserved == Some(name) { "_arg" } else { "" };
        assert!(text.contains(&format!("call(self, {name}s{suffix});")), "{reserved:?}: {text}");
    }
}

#[test]
fn one_run_after_the_other() {
    RUNS.into_iter().for_each(check);
    RUNS.into_iter().rev().for_each(check);
}

#[test]
fn several_runs_at_once() {
    std::thread::scope(|scope| {
        let runs: Vec<_> = RUNS.into_iter().cycle().take(9).map(|name| scope.spawn(move || check(name))).collect();
        runs.into_iter().for_each(|run| run.join().unwrap());
    });
}
