//! What README and the pages of hooks and of CUDA show: entries and kernels are those of a new
//! project, commands run, hooks check the files that they get. `tests/torch/stable_library.rs` runs
//! README's calls from Python.
//!
//! Invariant: each block runs in an empty directory, as it would for someone who pastes it.

use std::fs;
use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;

use crate::expected::assert_is_text_of_file;
use crate::git::{commit, git, write};
use crate::rules::read;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        the_entries_are_those_of_a_new_project,
        the_kernel_for_cuda_is_that_of_a_new_project,
        the_first_commands_run,
        the_picture_is_current,
        hooks_check_what_changed,
        the_action_is_bash
    ]
}

fn tool(line: &str, dir: &Path) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    // No torch may be near.
    command.args(line.split_whitespace()).current_dir(dir).env("PATH", "").env_remove("VIRTUAL_ENV");
    let output = command.env_remove("CONDA_PREFIX").output().expect("the binary runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    crate::reported::note(&said);
    (output.status.code(), said)
}

/// The first block of a page in this language.
fn block(page: &str, language: &str) -> String {
    let block = page.split(&format!("```{language}\n")).nth(1).and_then(|block| block.split("```").next());
    block.unwrap_or_else(|| panic!("the page has a block of {language}")).to_owned()
}

/// A new project has README's entries, with more keys.
fn the_entries_are_those_of_a_new_project() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (code, said) = tool("new my-ops --namespace my_ops", dir.path());
    assert_eq!(code, Some(0), "{said}");
    let entries = |text: &str| serde_yaml::from_str::<Vec<serde_yaml::Mapping>>(text).expect("a list of entries");
    let shown = entries(&block(&read("README.md"), "yaml"));
    assert_eq!(shown.len(), 2);
    for (entry, file) in shown.iter().zip(["native_functions.yaml", "derivatives.yaml"]) {
        let project = fs::read_to_string(dir.path().join("my-ops").join(file)).expect("a file of the project");
        let has = |own: &serde_yaml::Mapping| entry.iter().all(|(key, value)| own.get(key) == Some(value));
        assert!(entries(&project).iter().any(has), "{file} lacks {entry:?}");
    }
}

/// nvcc compiles the kernel of a new project in another test.
fn the_kernel_for_cuda_is_that_of_a_new_project() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (code, said) = tool("new my-ops --namespace my_ops --cuda", dir.path());
    assert_eq!(code, Some(0), "{said}");
    let kernel = fs::read_to_string(dir.path().join("my-ops/kernels/squared_relu.cu")).expect("a kernel");
    assert_eq!(block(&read("docs/cuda.md"), "c++"), kernel);
}

fn the_first_commands_run() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let readme = read("README.md");
    let block = block(&readme, "sh");
    let commands: Vec<&str> = block.lines().filter_map(|line| line.strip_prefix("torchgen-rs ")).collect();
    assert_eq!(commands.len(), 3, "{block}");
    for command in commands {
        let (code, said) = tool(command, dir.path());
        assert_eq!(code, Some(0), "{command}: {said}");
    }
    assert!(dir.path().join("my-ops/generated/src/RegisterSchema.cpp").is_file());
}

/// `UPDATE_EXPECT=1` writes it again.
fn the_picture_is_current() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (code, said) = tool("new my-ops --namespace my_ops", dir.path());
    assert_eq!(code, Some(0), "{said}");
    let readme = read("README.md");
    let command = readme.lines().find_map(|line| line.split_once("`torchgen-rs explain")?.1.split_once('`'));
    let (words, _) = command.expect("README says what made the picture");
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    let drawn = command.arg("explain").args(words.split_whitespace()).current_dir(dir.path().join("my-ops")).output();
    let drawn = drawn.expect("the binary runs");
    assert!(drawn.status.success(), "{}", String::from_utf8_lossy(&drawn.stderr));
    let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures/squared_relu.svg");
    assert!(readme.contains("(docs/pictures/squared_relu.svg)"), "README shows the picture");
    assert_is_text_of_file(&picture, &String::from_utf8_lossy(&drawn.stdout));
}

fn hooks_check_what_changed() {
    let hooks = read(".pre-commit-hooks.yaml");
    let entries: Vec<&str> = hooks.lines().filter_map(|line| line.strip_prefix("  entry: torchgen-rs ")).collect();
    assert_eq!(entries, ["check --changed", "check --changed", "format --changed", "format --changed"]);
    assert_eq!(hooks.matches("  verbose: true").count(), 2, "warnings of a hook that passes");
    let dir = tempfile::tempdir().expect("a temporary directory");
    let add = |path: &str, text: &str| write(dir.path(), path, text);
    for library in ["one", "two"] {
        let entry = |name: &str| {
            format!("- func: {library}::{name}(Tensor x) -> Tensor\n  dispatch: {{CPU: {name}}}\n  fake: like(x)\n")
        };
        add(&format!("{library}/native_functions.yaml"), &entry("sell"));
        add(&format!("{library}/library.yaml"), "include: [ops/more.yaml]\n");
        add(&format!("{library}/ops/more.yaml"), &entry("buy"));
    }
    add("ir/nodes.yaml", "family: graph-ir\nnamespace: ir\nops:\n- node: Relu(Tensor X) -> Tensor Y\n");
    add("ci.yaml", "on: push\n");
    let check = |files: &str| tool(&format!("check --changed {files}"), dir.path());
    let all = "one/ops/more.yaml one/library.yaml two/native_functions.yaml ir/nodes.yaml ci.yaml";
    let (code, said) = check(all);
    assert_eq!((code, said.contains("checked 7 YAML files: no errors")), (Some(0), true), "{said}");
    assert_eq!(check("ci.yaml").0, Some(0));
    // Libraries are apart: both may have an operator of a name. A mistake in an included file is
    // found from any file of the library, and only from there.
    add("two/ops/more.yaml", "- func: two::buy(Tenser x) -> Tensor\n");
    let (code, said) = check("two/library.yaml");
    assert_eq!((code, said.contains("two/ops/more.yaml:1:18")), (Some(1), true), "{said}");
    assert_eq!(check("one/library.yaml ir/nodes.yaml").0, Some(0));
}

/// The commands of the action are read by a shell. Its keys are compared with GitHub's schema by
/// hand: `check-jsonschema --builtin-schema vendor.github-actions action.yml`.
fn the_action_is_bash() {
    let action = read("action.yml");
    let blocks: Vec<&str> = action.split("      run: |\n").skip(1).collect();
    let script = |block: &str| -> String {
        block.lines().take_while(|line| line.starts_with("        ")).map(|line| format!("{line}\n")).collect()
    };
    let [hash, check, compare] = blocks[..] else { panic!("{action}") };
    for block in [hash, check] {
        let script = script(block);
        let output = Command::new("bash").args(["-n", "-c", &script]).output().expect("bash");
        assert!(output.status.success(), "{script}{}", String::from_utf8_lossy(&output.stderr));
        assert!(script.contains("hash=") || script.contains("check --changed --message-format github"), "{script}");
    }
    // What a branch changes, as the summary of a job: of PyTorch, and of the projects that were
    // there before.
    let summarized = |checkout: &Path, paths: &str| {
        let summary = checkout.join("summary");
        let mut bash = Command::new("bash");
        bash.args(["-eo", "pipefail", "-c", &script(compare)]).current_dir(checkout);
        bash.env("GITHUB_STEP_SUMMARY", &summary).env("PROGRAM", env!("CARGO_BIN_EXE_torchgen-rs"));
        let output = bash.env("PATHS", paths).env("AGAINST", "main...").output().expect("bash");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), said, std::fs::read_to_string(summary).unwrap_or_default())
    };
    let checkout = crate::diff::checkout();
    let (status, said, summary) = summarized(checkout.path(), "");
    assert!(status == Some(1) && said.contains("::error file=aten/src/ATen/native/"), "{said}");
    assert!(summary.contains("| `declaration-renamed` |"), "{summary}");
    let directory = tempfile::tempdir().expect("a directory");
    let add = |path: &str, text: &str| write(directory.path(), path, text);
    git(directory.path(), &["init", "--quiet", "--initial-branch", "main", "."]);
    add("an ops/native_functions.yaml", "- func: a::one(Tensor x) -> Tensor\n");
    add("ir/nodes.yaml", "family: graph-ir\nnamespace: a\nops:\n- node: One(Tensor In) -> Tensor Out\n");
    commit(directory.path(), "one");
    git(directory.path(), &["checkout", "--quiet", "-b", "topic"]);
    add("an ops/native_functions.yaml", "- func: a::one(Tensor y) -> Tensor\n");
    add("more/native_functions.yaml", "- func: b::one(Tensor y) -> Tensor\n");
    commit(directory.path(), "two");
    let (status, said, summary) = summarized(directory.path(), "");
    assert!(status == Some(1) && said.contains("::error file=an ops/native_functions.yaml"), "{said}");
    assert_eq!(summary.matches("compared 1 ").count(), 2, "{summary}");
    let (status, said, summary) = summarized(directory.path(), "ir more");
    assert_eq!((status, summary.matches("compared 1 ").count()), (Some(0), 3), "{said}{summary}");
}
