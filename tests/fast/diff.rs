//! `torchgen-rs diff`: two small states of PyTorch's files in `tests/diff`, as directories and as
//! revisions of a repository, and versions without files.
//!
//! `UPDATE_EXPECT=1 cargo test --test fast diff::` writes `tests/diff/said.txt` and
//! `tests/diff/revisions.txt`.

use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;
use serde_json::Value;

use crate::expected::assert_is_text_of_file;
use crate::git::{commit, git};
use crate::root;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![what_is_said, lines_for_programs, revisions_of_a_checkout]
}

/// The status, and what it says.
fn run(arguments: &[&str]) -> (i32, String) {
    let (status, data, said) = run_in(&root().join("tests/diff"), arguments);
    assert!(data.is_empty(), "nothing goes to standard output");
    (status, said)
}

/// The status, the data and what it says, in a directory.
fn run_in(directory: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    ["VIRTUAL_ENV", "CONDA_PREFIX"].iter().for_each(|name| _ = command.env_remove(name));
    let output = command.arg("diff").args(arguments).current_dir(directory).output().expect("the program runs");
    let [data, said] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text"));
    (output.status.code().expect("a status"), data, said)
}

fn what_is_said() {
    let mut found = String::new();
    for arguments in [
        "--from old/ATen --to new/ATen --level any",
        "--from old/ATen --to new/ATen",
        "--from old/ATen --to new/ATen --only turn,aten::reverse_order --category source,numerics",
        "--from old/ATen --to new/ATen --only trun",
        "--from old/ATen --to old/ATen --only turn",
        "--from 2.10 --to 2.13 --only rand_like.generator,dropout --level any",
        "--from 2.13 --to 2.10 --only rand_like.generator --category binary",
        "--from old/ATen --to new/ATen --for users/library --level any",
        "--from old/ATen --to new/ATen --for users/backend.yaml --level risky",
        "--from old/ATen --to new/ATen --for users/wrappers.yaml",
        "--from old/ATen --to old/ATen --for users/backend.yaml",
        "--from old/ATen --to new/ATen --for old/ATen/native/tags.yaml",
        "--from 2.9",
        "--from nowhere",
        "--from ../mini",
    ] {
        let (status, text) = run(&arguments.split(' ').collect::<Vec<_>>());
        crate::reported::note(&text);
        found.push_str(&format!("$ diff {arguments}\n{text}status {status}\n\n"));
    }
    assert_is_text_of_file(&root().join("tests/diff/said.txt"), &found);
}

/// Every line has the change as data, with the key of what has several.
fn lines_for_programs() {
    let arguments = "--from old/ATen --to new/ATen --level any --message-format json";
    let (status, text) = run(&arguments.split(' ').collect::<Vec<_>>());
    assert_eq!(status, 1);
    let validator = crate::schema::validator("diagnostics");
    let mut kernels = Vec::new();
    for line in text.lines() {
        let value: Value = serde_json::from_str(line).expect("JSON");
        let errors: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}: {line}");
        assert!(value["change"].is_object(), "{line}");
        if value["code"] == "kernel-removed" {
            let word = |key: &str| value["change"][key].as_str().expect("text").to_owned();
            kernels.push(format!("{} {}", word("name"), word("key")));
        }
    }
    assert_eq!(kernels, ["aten::shift.out CompositeExplicitAutograd", "aten::turn CUDA"]);
}

/// A checkout of PyTorch with the branches `main`, where an operator is new, and `topic`, which has
/// the changes of `tests/diff/new` and does not have that operator.
pub(crate) fn checkout() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    let top = directory.path();
    let copy = |state: &str| {
        let from = root().join("tests/diff").join(state);
        for (name, to) in [
            ("ATen/native/native_functions.yaml", "aten/src/ATen/native"),
            ("ATen/native/tags.yaml", "aten/src/ATen/native"),
            ("autograd/derivatives.yaml", "tools/autograd"),
        ] {
            std::fs::create_dir_all(top.join(to)).expect("a directory");
            let to = top.join(to).join(name.rsplit('/').next().expect("a name"));
            std::fs::copy(from.join(name), to).expect("a file");
        }
    };
    copy("old");
    git(top, &["init", "--quiet", "--initial-branch", "main", "."]);
    commit(top, "one");
    git(top, &["checkout", "--quiet", "-b", "topic"]);
    copy("new");
    commit(top, "two");
    git(top, &["checkout", "--quiet", "main"]);
    let file = top.join("aten/src/ATen/native/native_functions.yaml");
    let text = std::fs::read_to_string(&file).expect("the operators");
    std::fs::write(&file, text + "\n- func: unrelated(Tensor self) -> Tensor\n").expect("the operators");
    commit(top, "three");
    git(top, &["checkout", "--quiet", "topic"]);
    directory
}

/// A branch is compared with the place where it began: what is new on `main` is no change of it.
fn revisions_of_a_checkout() {
    let directory = checkout();
    let mut found = String::new();
    for (place, arguments) in [
        ("", "--from main... --category saved --markdown"),
        ("", "--from main --only unrelated"),
        ("", "--from main... --only unrelated"),
        ("", "--from main...topic --to main --only unrelated --level any --markdown"),
        ("aten", "--from main: --to topic: --only reverse_order --level risky"),
        ("aten", "--from main... --to topic"),
        ("", "--from mian"),
        ("", "--from main...topik"),
        ("", "--from main:tools"),
    ] {
        let (status, data, said) = run_in(&directory.path().join(place), &arguments.split(' ').collect::<Vec<_>>());
        crate::reported::note(&said);
        found.push_str(&format!("{place}$ diff {arguments}\n{data}{said}status {status}\n\n"));
    }
    assert_is_text_of_file(&root().join("tests/diff/revisions.txt"), &found);
}
