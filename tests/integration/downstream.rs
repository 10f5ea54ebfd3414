//! What a build compiles again, and what a run makes again: what says something else, and nothing
//! else.
//!
//! The trees of the first are those of all of PyTorch's operators, with a header for each operator
//! and autograd.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;
use walkdir::WalkDir;

use crate::counters::packaged;
use crate::support::pytorch::copy;
use crate::support::selections;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![a_new_operator_changes_only_files_that_name_it, runs_that_keep_files_have_those_of_fresh_runs]
}

const OPERATOR: &str = "
- func: in_the_middle(Tensor self, int n=3) -> Tensor
  variants: function, method
  dispatch: {CPU: in_the_middle_cpu, CUDA: in_the_middle_cuda}
";

/// The slow tests make 20,000 runs.
fn runs_that_keep_files_have_those_of_fresh_runs() {
    selections::check(66, 300);
}

/// The two trees are of different directories, with absolute paths, which no file may name either:
/// a compiler's cache has the results of one checkout for another.
fn a_new_operator_changes_only_files_that_name_it() {
    let yaml = fs::read_to_string(packaged().join("ATen/native/native_functions.yaml")).expect("the operators");
    let middle = yaml.find("\n- func: lt.Scalar(").expect("an operator");
    let (before, after) = yaml.split_at(middle);
    let [old, new] = [yaml.clone(), [before, OPERATOR, after].concat()].map(|yaml| generated(&yaml));
    let name = b"in_the_middle";
    let names = |text: &[u8]| memchr::memmem::find(text, name).is_some();
    let mut changed = 0;
    for (path, text) in &new {
        if old.get(path) != Some(text) {
            changed += 1;
            assert!(names(text), "{} changed", path.display());
        }
    }
    assert!(old.keys().all(|path| new.contains_key(path)), "a file is missing");
    // Otherwise the operator was not read.
    assert!((20..100).contains(&changed), "{changed}");
}

/// The tree of the operators, by path below its directory.
fn generated(operators: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let top = tempfile::tempdir().expect("a temporary directory");
    copy(&packaged(), &top.path().join("packaged"));
    let packaged = top.path().join("packaged");
    fs::write(packaged.join("ATen/native/native_functions.yaml"), operators).expect("the operators");
    let out = top.path().join("out");
    let mut run = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    run.arg("generate").arg("-s").arg(packaged.join("ATen")).arg("-d").arg(&out);
    run.args(["--torch", "2.15", "--per-operator-headers", "--aoti-install-dir"]).arg(out.join("aoti"));
    run.args(["--generate", "headers", "sources", "declarations_yaml", "autograd", "python", "--autograd-dir"]);
    run.arg(packaged.join("autograd")).arg("--autograd-install-dir").arg(out.join("autograd"));
    let done = run.output().expect("the program runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let files = files(&out).map(|path| (path.clone(), fs::read(out.join(path)).expect("a file")));
    // The program's own notes have times.
    files.filter(|(path, _)| path != Path::new(".torchgen-rs.manifest")).collect()
}

/// The files below a directory.
fn files(top: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = WalkDir::new(top).into_iter().map(|entry| entry.expect("a directory"));
    let below = move |entry: walkdir::DirEntry| entry.path().strip_prefix(top).expect("below it").to_owned();
    entries.filter(|entry| entry.file_type().is_file()).map(below)
}
