//! Versions of torch: how a run finds the version of PyTorch's files, what `--torch` does, and the
//! page of what each version changed.
//!
//! The source path is the small one of `tests/mini`, which is of the newest version.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use libtest_mimic::Trial;
use regex::Regex;
use serde_yaml::Value;

use crate::expected::assert_is_text_of_file;
use crate::incremental::tree::{MANIFEST, Tree};
use crate::{root, rules};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        each_sign_is_seen,
        version_files_are_read,
        files_of_that_name_elsewhere_are_not,
        the_flag_decides,
        old_versions_are_refused,
        newer_versions_are_taken_as_the_newest,
        runs_of_two_versions_are_never_mixed,
        a_version_file_is_an_input,
        removed_types_are_known_to_older_versions,
        two_versions_are_checked_apart,
        a_library_has_no_version_of_torch,
        the_oldest_torch_of_libraries,
        stubs_of_older_versions_are_refused,
        versions_are_compared_in_one_place,
        the_page_is_fresh,
    ]
}

/// The last line of what a run says, up to the counts.
#[track_caller]
fn found(tree: &Tree, flags: &str) -> String {
    let output = tree.output(flags);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let line = said.lines().rfind(|line| line.starts_with("torchgen-rs: ")).expect("a summary");
    let rest = line.trim_start_matches("torchgen-rs: ");
    rest.rsplit_once(": ").unwrap_or_else(|| panic!("{said}")).0.to_owned()
}

/// The outputs without the manifest, which also lists earlier runs.
fn outputs(tree: &Tree) -> BTreeMap<String, Vec<u8>> {
    let mut outputs = tree.outputs();
    outputs.remove(MANIFEST);
    outputs
}

/// Whether these outputs are there. Another version can have left more.
fn has_all(tree: &Tree, outputs: &BTreeMap<String, Vec<u8>>) -> bool {
    let found = tree.outputs();
    outputs.iter().all(|(name, bytes)| found.get(name) == Some(bytes))
}

fn data(file: &str) -> Value {
    let text = fs::read_to_string(root().join("data/torch/versions").join(file)).expect("a table");
    serde_yaml::from_str(&text).expect("YAML")
}

fn word<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{value:?} has no {key}"))
}

fn each_sign_is_seen() {
    assert_eq!(found(&Tree::mini(), ""), "torch 2.15 (the newest)");
    let rules = data("rules.yaml");
    for sign in rules["signs"].as_sequence().expect("a list") {
        let (torch, file, has) = (word(sign, "torch"), word(sign, "file"), word(sign, "has"));
        let tree = Tree::mini();
        let comment = if file.ends_with(".yaml") { "#" } else { "//" };
        tree.append(&format!("source/{file}"), &format!("\n{comment} {has}\n"));
        assert_eq!(found(&tree, ""), format!("torch {torch} (`{file}`)"));
    }
}

/// The source path at another place.
fn moved(to: &str) -> Tree {
    let tree = Tree::mini();
    let place = tree.path(to);
    fs::create_dir_all(place.parent().expect("a directory above")).expect("a new directory");
    fs::rename(tree.path("source"), place).expect("the sources");
    tree
}

fn version_files_are_read() {
    let tree = moved("pytorch/aten/src/ATen");
    for (text, expected) in [("2.12.0a0\n", "2.12"), ("2.11.1", "2.11"), ("2.14.0rc3+cpu", "2.14")] {
        fs::write(tree.path("pytorch/version.txt"), text).expect("a file");
        let said = found(&tree, "-s pytorch/aten/src/ATen");
        assert_eq!(said, format!("torch {expected} (`version.txt`)"));
    }
    // What is not a version does not count.
    fs::write(tree.path("pytorch/version.txt"), "next\n").expect("a file");
    assert_eq!(found(&tree, "-s pytorch/aten/src/ATen"), "torch 2.15 (the newest)");
    let tree = moved("site/torchgen/packaged/ATen");
    tree.append("site/torch/version.py", "__all__ = ['__version__']\n__version__ = '2.13.0+cu130'\ndebug = False\n");
    assert_eq!(found(&tree, "-s site/torchgen/packaged/ATen"), "torch 2.13 (`torch/version.py`)");
}

fn files_of_that_name_elsewhere_are_not() {
    let tree = moved("mine/deep/down");
    for name in ["version.txt", "mine/version.txt", "mine/deep/version.txt"] {
        fs::write(tree.path(name), "1.2.3\n").expect("a file");
    }
    assert_eq!(found(&tree, "-s mine/deep/down"), "torch 2.15 (the newest)");
}

fn the_flag_decides() {
    let tree = Tree::mini();
    assert_eq!(found(&tree, "--torch 2.12"), "torch 2.12 (`--torch`)");
    assert_eq!(found(&tree, "--torch 2.14.1"), "torch 2.14 (`--torch`)");
    let tree = moved("pytorch/aten/src/ATen");
    fs::write(tree.path("pytorch/version.txt"), "2.13.0\n").expect("a file");
    let output = tree.output("-s pytorch/aten/src/ATen --torch 2.12");
    let said = String::from_utf8_lossy(&output.stderr);
    let warning = "warning[TG0349]: the files are those of torch 2.13, not 2.12\n |\n = note: `version.txt` shows it\n \
                   = help: omit `--torch` to generate what torch 2.13 generates\n";
    assert!(output.status.success() && said.contains(warning), "{said}");
}

fn old_versions_are_refused() {
    let tree = moved("pytorch/aten/src/ATen");
    fs::write(tree.path("pytorch/version.txt"), "2.9.1\n").expect("a file");
    for (flags, from) in [("", "`version.txt`"), (" --torch 2.8", "`--torch`")] {
        let output = tree.output(&format!("-s pytorch/aten/src/ATen{flags}"));
        let said = String::from_utf8_lossy(&output.stderr);
        let version = if flags.is_empty() { "2.9" } else { "2.8" };
        let error = format!(
            "error[TG0001]: torch {version} is too old; the version is from {from}\n |\n \
             = help: torch 2.10 to 2.15 can be generated\n"
        );
        assert!(output.status.code() == Some(2) && said.contains(&error), "{said}");
        assert!(!tree.path("out").exists());
    }
}

fn newer_versions_are_taken_as_the_newest() {
    let tree = moved("pytorch/aten/src/ATen");
    fs::write(tree.path("pytorch/version.txt"), "2.16.0a0\n").expect("a file");
    let output = tree.output("-s pytorch/aten/src/ATen --strict");
    let said = String::from_utf8_lossy(&output.stderr);
    let note = "note[TG0350]: torch 2.16 is not known; the output is what torch 2.15 generates\n |\n \
                = note: the version is from `version.txt`\n";
    assert!(output.status.success() && said.contains(note), "{said}");
    assert!(said.contains("torch 2.15 (`version.txt`): "), "{said}");
}

fn runs_of_two_versions_are_never_mixed() {
    let tree = Tree::mini();
    tree.run("");
    let newest = outputs(&tree);
    assert!(tree.is_unchanged(""));
    assert!(!tree.is_unchanged("--torch 2.12"));
    assert!(tree.is_unchanged("--torch 2.12"));
    let older = outputs(&tree);
    assert!(newest != older, "the versions differ");
    tree.run("");
    assert!(has_all(&tree, &newest));
}

fn a_version_file_is_an_input() {
    let tree = moved("pytorch/aten/src/ATen");
    let flags = "-s pytorch/aten/src/ATen";
    tree.run(flags);
    assert!(tree.is_unchanged(flags));
    let newest = outputs(&tree);
    // It was not there.
    fs::write(tree.path("pytorch/version.txt"), "2.12.0\n").expect("a file");
    assert!(!tree.is_unchanged(flags));
    assert!(outputs(&tree) != newest);
    fs::write(tree.path("pytorch/version.txt"), "2.15.0\n").expect("a file");
    assert!(!tree.is_unchanged(flags));
    assert!(has_all(&tree, &newest));
}

fn removed_types_are_known_to_older_versions() {
    let tree = Tree::mini();
    let entry = "\n- func: named(Tensor self, Dimname[]? names) -> Tensor\n  variants: function\n";
    tree.append("source/native/native_functions.yaml", entry);
    let output = tree.output("");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("PyTorch 2.13 removed named tensors"), "{said}");
    tree.run("--torch 2.12");
    let functions = fs::read_to_string(tree.path("out/Functions.h")).expect("an output");
    assert!(functions.contains("::std::optional<at::DimnameList> names"), "{functions}");
}

fn two_versions_are_checked_apart() {
    let tree = Tree::mini();
    let both = [tree.path("source"), tree.path("older")];
    let copied = Command::new("cp").arg("-r").args(&both).status().expect("cp runs");
    assert!(copied.success());
    let entry = "- func: named(Tensor self, Dimname dim) -> Tensor\n  variants: function\n";
    fs::write(tree.path("older/native/native_functions.yaml"), entry).expect("a file");
    let check = |order: [&str; 3]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
        command.current_dir(tree.dir.path()).arg("check").args(order);
        command.output().expect("the program runs")
    };
    for order in [["older", "source", "older"], ["source", "older", "source"]] {
        let output = check(order);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
    }
}

fn a_library_has_no_version_of_torch() {
    let path = root().to_str().expect("a path of text");
    let commands = [
        vec!["generate", "-d", "out", "-s", path],
        vec!["check", path],
        vec!["explain", "soft_cap", "-s", path],
        vec!["declarations", "-d", "out", "-s", path],
    ];
    for command in commands {
        let mut program = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
        let directory = tempfile::tempdir().expect("a directory");
        let output = program.current_dir(directory.path()).args(&command).args(["--torch", "2.12"]).output();
        let output = output.expect("the program runs");
        let said = String::from_utf8_lossy(&output.stderr);
        let error = "error[TG0001]: --torch is for ATen's own files\n |\n = note: `";
        assert!(output.status.code() == Some(2) && said.starts_with(error), "{command:?}: {said}");
        assert!(!directory.path().join("out").exists());
    }
}

fn stubs_of_older_versions_are_refused() {
    let tree = Tree::mini();
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    command.current_dir(tree.dir.path()).args(["gen-pyi", "--torch", "2.14", "--out", "out"]);
    command.args(["--native-functions-path", "source/native/native_functions.yaml"]);
    command.args(["--tags-path", "source/native/tags.yaml", "--deprecated-functions-path", "none.yaml"]);
    let output = command.output().expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr);
    let error = "error[TG0001]: the stubs of torch 2.14 are not known, only those of the newest version\n |\n \
                 = help: run PyTorch's own `tools/pyi/gen_pyi.py`; all other files of this version can be generated\n";
    assert!(output.status.code() == Some(2) && said.starts_with(error), "{said}");
    assert!(!tree.path("out").exists());
}

/// Files that cannot read the table have the version of it.
fn the_oldest_torch_of_libraries() {
    let rules = data("rules.yaml");
    let (oldest, newest) = (word(&rules["needed"], "libraries"), word(&rules, "torch"));
    for (file, text) in [
        ("cmake/TorchgenRsConfig.cmake", format!("VERSION_LESS {oldest})")),
        ("cmake/TorchgenRsConfig.cmake", format!("torch {oldest} or newer is needed")),
        ("README.md", format!("| torch, for libraries on the C++ API | {oldest} to {newest} |")),
        ("docs/libraries.md", format!("a stock torch wheel, from {oldest} on")),
    ] {
        let committed = fs::read_to_string(root().join(file)).expect("a file");
        assert!(committed.contains(&text), "{file} lacks {text:?}");
    }
}

/// Where versions of torch are compared and made of numbers.
const COMPARING: &[&str] = &["crates/model/src/model/rules.rs", "crates/model/src/model/version.rs"];

/// What compares a version of torch with a number, by the end of a file's name.
const COMPARISONS: &[(&str, &str)] = &[
    (
        ".rs",
        r"\bVersion::new\(|[<>]=? *Version::(NEWEST|OLDEST)\b|\bVersion::(NEWEST|OLDEST) *[<>]|\.(min|max)\(Version::",
    ),
    (".j2", r"\bTORCH_(VERSION_MINOR|FEATURE_VERSION|TARGET_VERSION|ABI_VERSION) *[<>=!]=? *[0-9]"),
];

fn versions_are_compared_in_one_place() {
    let mut violations = Vec::new();
    for (end, pattern) in COMPARISONS {
        let pattern = Regex::new(pattern).expect("a regex");
        let all = ["src", "crates", "families", "templates"].iter().flat_map(|dir| rules::files(dir, end));
        for path in all.filter(|path| !COMPARING.contains(&path.as_str()) && !path.contains("/tests")) {
            let text = rules::read(&path);
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let found = code.lines().enumerate().filter(|(_, line)| pattern.is_match(line));
            violations.extend(found.map(|(at, line)| format!("{path}:{}: {}", at + 1, line.trim())));
        }
    }
    rules::check("ask crates/model/src/model/rules.rs for a fact, and do not compare versions", &violations);
}

/// The part of the page before the list of versions is written by hand.
const MARK: &str = "<!-- What follows is made from data/torch/versions by a test. -->\n";

fn the_page_is_fresh() {
    let path = root().join("docs/torch-versions.md");
    let committed = fs::read_to_string(&path).expect("the page");
    let (head, _) = committed.split_once(MARK).expect("the mark");
    let page = format!("{head}{MARK}{}", versions());
    assert_is_text_of_file(&path, &page);
}

/// What each version changed, the newest first.
fn versions() -> String {
    let (rules, tables) = (data("rules.yaml"), data("tables.yaml"));
    let mut text = String::new();
    let minor =
        |version: &str| version.rsplit('.').next().and_then(|minor| minor.parse::<u8>().ok()).expect("a version");
    let oldest =
        tables.as_mapping().expect("versions").keys().map(|version| minor(version.as_str().expect("text"))).min();
    for minor in (oldest.expect("an older version") + 1..=minor(word(&rules, "torch"))).rev() {
        let (version, before) = (format!("2.{minor}"), format!("2.{}", minor - 1));
        let _ = write!(text, "\n## torch {version}\n\n");
        let mut changes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (_, rule) in rules["rules"].as_mapping().expect("rules") {
            if rule["since"].as_str() == Some(&version) || rule["until"].as_str() == Some(&before) {
                changes.entry(word(rule, "file")).or_default().push(word(rule, "changed"));
            }
        }
        for (file, changed) in &changes {
            changed.iter().for_each(|changed| item(&mut text, &format!("{changed} (`{file}`)")));
        }
        let tables = tables.get(before.as_str()).and_then(Value::as_mapping);
        for (table, keys) in tables.into_iter().flatten() {
            for (key, change) in keys.as_mapping().expect("keys") {
                let table = table.as_str().expect("a path").trim_start_matches("torch/").trim_end_matches(".yaml");
                let name = format!("`{table}`, `{}`", key.as_str().expect("a key"));
                item(&mut text, &format!("Table {name}: {}.", described(change)));
            }
        }
        if changes.is_empty() && tables.is_none() {
            text.push_str("Nothing but templates and YAML files.\n");
        }
    }
    text
}

/// What the newer version did, from the change that leads back.
fn described(change: &Value) -> String {
    let names = |list: &Value| {
        let name = |name: &Value| format!("`{}`", name.as_str().expect("a name"));
        list.as_sequence().expect("a list").iter().map(name).collect::<Vec<_>>().join(", ")
    };
    let mut parts = Vec::new();
    let map = change.as_mapping().expect("a change");
    for (key, value) in map {
        match key.as_str().expect("a key") {
            "without" => parts.push(format!("{} added", names(value))),
            "with" => parts.push(format!("{} removed", names(value))),
            name if value.is_null() => parts.push(format!("`{name}` added")),
            name => parts.push(format!("`{name}` changed")),
        }
    }
    parts.join(", ")
}

/// An item of a list, in lines of 100 columns.
fn item(text: &mut String, sentence: &str) {
    let mut line = "-".to_owned();
    for word in sentence.split(' ') {
        if line.len() + 1 + word.len() > 100 {
            let _ = writeln!(text, "{line}");
            line = " ".to_owned();
        }
        let _ = write!(line, " {word}");
    }
    let _ = writeln!(text, "{line}");
}
