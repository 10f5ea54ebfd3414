//! `torchgen-rs diff`: two small states of PyTorch's files in `tests/diff`, and versions without
//! files.
//!
//! `UPDATE_EXPECT=1 cargo test --test fast diff::` writes `tests/diff/said.txt`.

use std::process::Command;

use libtest_mimic::Trial;
use serde_json::Value;

use crate::expected::assert_is_text_of_file;
use crate::root;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![what_is_said, lines_for_programs]
}

/// The status, and what it says.
fn run(arguments: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    ["VIRTUAL_ENV", "CONDA_PREFIX"].iter().for_each(|name| _ = command.env_remove(name));
    let directory = root().join("tests/diff");
    let output = command.arg("diff").args(arguments).current_dir(directory).output().expect("the program runs");
    assert!(output.stdout.is_empty(), "nothing goes to standard output");
    (output.status.code().expect("a status"), String::from_utf8(output.stderr).expect("text"))
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
