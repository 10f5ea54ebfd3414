//! Commands without `-s`, in the directories of projects, above them and below them. Each file of
//! `tests/here` is a script with its output, in a new directory.
//!
//! A line that begins with `$` is a command: `cd` also makes a directory, `write FILE TEXT` writes
//! a file, `move FROM TO` and `remove PATH` do what they say, and `files` lists the files here.
//! `UPDATE_EXPECT=1 cargo test --test fast here::` writes the output again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use libtest_mimic::Trial;
use regex::Regex;

use crate::expected::compare_with_file;
use crate::root;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    let scripts = fs::read_dir(root().join("tests/here")).expect("a directory of scripts");
    let mut scripts: Vec<PathBuf> = scripts.map(|entry| entry.expect("an entry").path()).collect();
    scripts.sort();
    let trial = |script: PathBuf| {
        let name = script.file_stem().expect("a file").to_string_lossy().into_owned();
        Trial::test(format!("here::{name}"), move || check(&script).map_err(Into::into))
    };
    let mut trials: Vec<Trial> = scripts.into_iter().map(trial).collect();
    trials.extend(trials![help_where_there_is_nothing, help_of_a_command, help_for_a_closed_pipe]);
    trials
}

fn tool(directory: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    // No PyTorch is found.
    ["PATH", "VIRTUAL_ENV", "CONDA_PREFIX"].iter().for_each(|name| _ = command.env_remove(name));
    command.args(words).current_dir(directory).output().expect("the program runs")
}

/// Replays a script, and compares its output.
fn check(script: &Path) -> Result<(), String> {
    let expected = fs::read_to_string(script).expect("a script");
    let time = Regex::new(r"\(\d+\.\d+ s\)").expect("a regex");
    // A run right after another one compares the files.
    let idle = Regex::new(r"0 written, \d+ unchanged|nothing changed").expect("a regex");
    let top = tempfile::tempdir().expect("a directory");
    let mut here = top.path().to_owned();
    let mut text = String::new();
    for line in expected.lines().filter_map(|line| line.strip_prefix("$ ")) {
        text.push_str(&format!("$ {line}\n"));
        let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (first, second) = rest.split_once(' ').unwrap_or((rest, ""));
        match name {
            "cd" => {
                here.push(first);
                fs::create_dir_all(&here).expect("a directory");
                here = here.canonicalize().expect("a directory");
            }
            "write" => fs::write(here.join(first), second.replace("\\n", "\n")).expect("a file"),
            "move" => fs::rename(here.join(first), here.join(second)).expect("another name"),
            "remove" if here.join(first).is_dir() => fs::remove_dir_all(here.join(first)).expect("a directory"),
            "remove" => fs::remove_file(here.join(first)).expect("a file"),
            "files" => text.push_str(&files(&here.join(first))),
            "torchgen-rs" => {
                let words: Vec<&str> = rest.split_whitespace().collect();
                let output = tool(&here, &words);
                let said = [output.stdout, output.stderr].concat();
                let said = String::from_utf8_lossy(&said);
                text.push_str(&idle.replace_all(&time.replace_all(&said, "(TIME)"), "nothing written"));
                if !output.status.success() {
                    text.push_str(&format!("[status {}]\n", output.status.code().unwrap_or(-1)));
                }
            }
            _ => return Err(format!("{}: `{line}` cannot be replayed", script.display())),
        }
        text.push('\n');
    }
    let text = format!("{}\n", text.trim_end());
    crate::reported::note(&text);
    compare_with_file(script, &text)
}

/// The names in a directory, in order, on one line.
fn files(directory: &Path) -> String {
    let entries = fs::read_dir(directory).expect("a directory");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    format!("{}\n", names.join(" "))
}

/// Without sources and a command, the help comes first.
fn help_where_there_is_nothing() {
    let top = tempfile::tempdir().expect("a directory");
    let help = tool(top.path(), &["-h"]);
    let help = String::from_utf8(help.stdout).expect("text");
    let error = "error[TG0002]: found neither";
    for (line, helps) in [("", true), ("-d out", true), ("generate", false), ("--message-format json", false)] {
        let output = tool(top.path(), &line.split_whitespace().collect::<Vec<_>>());
        let said = String::from_utf8(output.stderr).expect("text");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{line}: {said}");
        assert_eq!(said.starts_with(help.trim_end()), helps, "{line}: {said}");
        assert!(said.contains(error) || line.ends_with("json"), "{line}: {said}");
        assert!(said.contains("`torchgen-rs new DIR`"), "{line}: {said}");
    }
    assert_eq!(fs::read_dir(top.path()).expect("a directory").count(), 0);
}

/// `help COMMAND` is `COMMAND --help`.
fn help_of_a_command() {
    let top = tempfile::tempdir().expect("a directory");
    for (asked, same) in [("help check", "check --help"), ("help", "--help"), ("-q help new", "new --help")] {
        let outputs = [asked, same].map(|line| tool(top.path(), &line.split(' ').collect::<Vec<_>>()));
        assert!(outputs[0].status.success() && !outputs[0].stdout.is_empty(), "{asked}");
        assert_eq!(outputs[0].stdout, outputs[1].stdout, "{asked}");
    }
}

/// Nobody reads the help that is printed beside an error, as in `torchgen-rs 2>&1 | head -1`.
fn help_for_a_closed_pipe() {
    let top = tempfile::tempdir().expect("a directory");
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    let mut child = command.current_dir(top.path()).stderr(Stdio::piped()).spawn().expect("the program runs");
    drop(child.stderr.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(2));
}
