//! Replays docs/wrappers.md: the files of the page are written, and its commands run in a shell,
//! with the environment of the tests active.

use std::path::Path;

use libtest_mimic::Trial;

use crate::support::torch::{root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![commands_of_the_page]
}

fn commands_of_the_page() {
    let page = std::fs::read_to_string(root().join("docs/wrappers.md")).expect("the page");
    let work = tempfile::tempdir().expect("a temporary directory");
    let tool = Path::new(env!("CARGO_BIN_EXE_torchgen-rs")).parent().expect("a directory");
    let python = torch().program("python");
    let bin = python.parent().expect("a program of the environment");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = [tool.to_owned(), bin.to_owned()].into_iter().chain(std::env::split_paths(&path));
    let path = std::env::join_paths(path).expect("a path without separators in it");
    let mut said = String::new();
    let mut ran = 0;
    for block in page.split("\n```").skip(1).step_by(2) {
        let (info, text) = block.split_once('\n').expect("a block");
        if let Some(name) = info.strip_prefix("yaml file=") {
            std::fs::write(work.path().join(name), format!("{text}\n")).expect("a file");
        } else if info == "sh run" {
            said = run(std::process::Command::new("sh")
                .args(["-ec", text])
                .current_dir(work.path())
                .env("PATH", &path)
                .env("VIRTUAL_ENV", bin.parent().expect("an environment")));
            ran += 1;
        }
    }
    assert_eq!(ran, 3);
    assert!(said.ends_with("3 examples, 0 failures\n"), "{said}");
}
