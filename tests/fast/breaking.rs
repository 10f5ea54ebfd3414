//! `torchgen-rs breaking`: each folder of `tests/breaking` has the `files` of a library, a backend
//! or another family, and cases, whose block `diff edit` changes them: lines with `-` are replaced
//! by those with `+`, wherever they are, and blank lines separate replacements.
//!
//! `UPDATE_EXPECT=1 cargo test --test fast breaking::` writes the texts, and the table of kinds in
//! docs/changes.md.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use libtest_mimic::Trial;
use regex::Regex;
use torchgen_kit::changes::{Category, Level, kinds};

use crate::cases::{self, Case, program};
use crate::expected::assert_is_text_of_file;
use crate::git::{self, commit, git};
use crate::root;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = trials![
        every_kind_has_an_edit,
        revisions_of_a_repository,
        formats_for_programs,
        families_in_a_repository,
        projects_check_pull_requests,
        the_table_of_kinds_is_fresh
    ];
    trials.extend(cases::trials("breaking", check));
    trials
}

/// The block of a case that changes the files.
const EDIT: &str = "diff edit";

/// Runs the program with the tools of the machine, such as git.
fn run(directory: &Path, arguments: &[&str]) -> Output {
    let path = std::env::var_os("PATH").unwrap_or_default();
    program(directory).env("PATH", path).arg("breaking").args(arguments).output().expect("the program runs")
}

/// The data, the message and the status.
fn said(output: &Output) -> String {
    let [data, text] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    crate::reported::note(&text);
    format!("{data}{text}status {}\n", output.status.code().expect("a status"))
}

/// The files of a folder of `tests/breaking` with an edit, in `new`, and without, in `old`.
fn edited(folder: &Path, edit: &str) -> Result<tempfile::TempDir, String> {
    let directory = tempfile::tempdir().expect("a directory");
    for state in ["old", "new"] {
        std::fs::create_dir(directory.path().join(state)).expect("a directory");
    }
    let mut blocks: Vec<(String, String, bool)> = Vec::new();
    for block in edit.split("\n\n").filter(|block| !block.trim().is_empty()) {
        let side = |mark: &str| {
            let lines = block.lines().filter_map(|line| line.strip_prefix(mark));
            lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
        };
        blocks.push((side("-"), side("+"), false));
    }
    for file in std::fs::read_dir(folder.join("files")).expect("files") {
        let (file, name) = file.map(|file| (file.path(), file.file_name())).expect("a file");
        let old = std::fs::read_to_string(file).expect("a file");
        let mut new = old.clone();
        for (from, to, found) in &mut blocks {
            *found |= new.contains(from.as_str());
            new = new.replace(from.as_str(), to);
        }
        std::fs::write(directory.path().join("old").join(&name), old).expect("a file");
        std::fs::write(directory.path().join("new").join(name), new).expect("a file");
    }
    match blocks.into_iter().find(|(_, _, found)| !found) {
        Some((from, ..)) => Err(format!("the files do not have\n{from}")),
        None => Ok(directory),
    }
}

fn check(case: &Path) -> Result<(), String> {
    let folder = case.parent().expect("a folder");
    let case = Case::read(case, &[EDIT])?;
    let directory = edited(folder, case.block(EDIT).ok_or("the case has no `diff edit`")?)?;
    let console = case.console(directory.path())?;
    crate::reported::note(&console);
    case.compare_blocks(&[("console", &console)])
}

fn every_kind_has_an_edit() {
    // Some concern only PyTorch itself.
    let more = root().join("tests/diff/said.txt");
    let edits = cases::cases("breaking").into_iter().map(|(_, path)| path);
    let texts: Vec<String> = edits.chain([more]).map(|path| std::fs::read_to_string(path).expect("a file")).collect();
    let is_shown = |name: &str| texts.iter().any(|text| text.contains(&format!("[{name}]")));
    let missing: Vec<&str> = kinds::ALL.iter().map(|kind| kind.code.name).filter(|name| !is_shown(name)).collect();
    assert!(missing.is_empty(), "no edit shows {missing:?}");
    for category in ["source", "python", "saved", "binary", "numerics"] {
        for how in ["", " (risky)"] {
            assert!(texts.iter().any(|text| text.contains(&format!("note: {category}{how}: "))), "{category}{how}");
        }
    }
}

/// A repository whose library includes a file outside of its directory, by a link.
fn repository() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    let write = |path: &str, text: &str| git::write(directory.path(), path, text);
    write("work/ops/native_functions.yaml", "- func: a::one(Tensor x) -> Tensor\n");
    write("work/ops/library.yaml", "include: [../shared/more.yaml, linked/more.yaml]\n");
    write("work/shared/more.yaml", "- func: a::two(Tensor x, int n) -> Tensor\n");
    write("work/deep/er/more.yaml", "- func: a::three(Tensor x, int n) -> Tensor\n");
    let work = directory.path().join("work");
    #[cfg(unix)]
    std::os::unix::fs::symlink("../deep/er", work.join("ops/linked")).expect("a link");
    git(&work, &["init", "--quiet", "."]);
    commit(&work, "one");
    git(&work, &["tag", "v1.0"]);
    write("work/shared/more.yaml", "- func: a::two(Tensor x, int m) -> Tensor\n");
    write("work/deep/er/more.yaml", "- func: a::three(Tensor x) -> Tensor\n");
    commit(&work, "two");
    git(&work, &["tag", "v2.0"]);
    git(directory.path(), &["clone", "--quiet", "--bare", "work", "bare.git"]);
    git(directory.path(), &["clone", "--quiet", "--depth", "1", &format!("file://{}", work.display()), "shallow"]);
    std::fs::create_dir(directory.path().join("none")).expect("a directory");
    directory
}

fn revisions_of_a_repository() {
    let directory = repository();
    let mut found = String::new();
    for (place, arguments) in [
        ("work", "ops --against v1.0"),
        ("work/ops", "--against v1.0"),
        ("work/shared", "../ops --against v1.0:ops"),
        ("work", "v1.0:ops --against v1.0"),
        ("work/ops", "v2.0:./ --against v1.0"),
        ("bare.git", "v2.0:ops --against v1.0"),
        ("work", "ops/native_functions.yaml --against v1.0"),
        ("work", "ops --against v1.1"),
        ("work/ops", "--against v1.0... --markdown"),
        ("work", "v2.0:ops --against v1.0...v1.1:ops"),
        ("work", "ops --against v1.0:opss"),
        ("work", "ops --against v1.0:../ops"),
        ("work", "gone --against v1.0"),
        ("work", "ops --against=-x"),
        ("shallow", "ops --against v1.0"),
        ("none", ". --against v1.0"),
        ("none", "v2.0:ops --against v1.0"),
    ] {
        let output = run(&directory.path().join(place), &arguments.split(' ').collect::<Vec<_>>());
        found.push_str(&format!("{place}$ breaking {arguments}\n{}\n", said(&output)));
    }
    let found = Regex::new("git: .*not a git repository.*").expect("a pattern").replace_all(&found, "git: REASON");
    assert_is_text_of_file(&expected("revisions"), &found);
}

fn formats_for_programs() {
    let edit = "- float by=1.0, *, int? limit=None\n+ float factor=1.0, *, int? limit=None\n\n\
         - - func: shop::pair(Tensor x, Tensor y) -> (Tensor, Tensor)\n+ - func: shop::couple(int x) -> Tensor\n";
    let directory = edited(&root().join("tests/breaking/library"), edit).expect("an edit");
    let mut found = String::new();
    for format in ["json", "github"] {
        let output = run(directory.path(), &["new", "--against", "old", "--message-format", format]);
        found.push_str(&said(&output));
        if format == "json" {
            let validator = crate::schema::validator("diagnostics");
            for line in String::from_utf8_lossy(&output.stderr).lines() {
                let value = serde_json::from_str(line).expect("JSON");
                let errors: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
                assert!(errors.is_empty(), "{errors:?}: {line}");
            }
        }
    }
    assert_is_text_of_file(&expected("formats"), &found);
}

/// A directory with two families and a library, in a revision and in a bare repository.
fn families_in_a_repository() {
    let directory = tempfile::tempdir().expect("a directory");
    let work = directory.path().join("work");
    std::fs::create_dir_all(work.join("all")).expect("a directory");
    let write = |name: &str, text: &str| std::fs::write(work.join("all").join(name), text).expect("a file");
    write("native_functions.yaml", "- func: a::one(Tensor x) -> Tensor\n");
    write("nodes.yaml", "family: graph-ir\nnamespace: a\nops:\n- node: One(Tensor In) -> Tensor Out\n");
    git(&work, &["init", "--quiet", "."]);
    commit(&work, "one");
    git(&work, &["tag", "v1.0"]);
    write("native_functions.yaml", "- func: a::one(Tensor y) -> Tensor\n");
    write("nodes.yaml", "family: graph-ir\nnamespace: a\nops:\n- node: One(Tensor In, Tensor More) -> Tensor Out\n");
    write("ops.yaml", "family: op-builders\nops:\n- builder: one(Tensor x) -> Tensor\n  body: return x\n");
    commit(&work, "two");
    git(&work, &["tag", "v2.0"]);
    git(directory.path(), &["clone", "--quiet", "--bare", "work", "bare.git"]);
    let mut found = String::new();
    for (place, arguments) in [
        ("work", "all --against v1.0 --level any"),
        ("work/all", "nodes.yaml --against v1.0"),
        ("bare.git", "v2.0:all/nodes.yaml --against v1.0:all/nodes.yaml"),
        ("bare.git", "v1.0:all --against v2.0:all --category source"),
        ("work/all", "nodes.yaml --against ops.yaml"),
    ] {
        let output = run(&directory.path().join(place), &arguments.split(' ').collect::<Vec<_>>());
        found.push_str(&format!("{place}$ breaking {arguments}\n{}\n", said(&output)));
    }
    let arguments = ["graph-ir", "-s", "nodes.yaml", "-d", "out", "--against", "v1.0"];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let output = program(&work.join("all")).env("PATH", path).args(arguments).output().expect("the program runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    let errors = Regex::new("torchgen-rs: [0-9]+ files.*").expect("a pattern").replace(&errors, "torchgen-rs: FILES");
    let page = std::fs::read_to_string(work.join("all/out/ir_changes.md")).expect("the page");
    found.push_str(&format!("work/all$ {}\n{errors}\n{page}", arguments.join(" ")));
    assert_is_text_of_file(&expected("families"), &found);
}

/// The last step of the workflow that `new` writes, in a repository whose branch has an edit.
fn projects_check_pull_requests() {
    for (arguments, file, edit, code) in [
        ("new project", "native_functions.yaml", ("Tensor a, Tensor b", "Tensor a, Tensor c"), "argument-renamed"),
        (
            "new project --abi stable",
            "native_functions.yaml",
            ("Tensor a, Tensor b", "Tensor a, Tensor c"),
            "argument-renamed",
        ),
        ("new project --family graph-ir", "ir.yaml", ("namespace: project", "namespace: p"), "namespace-changed"),
        ("new project --family tensor-ir", "ir.yaml", ("namespace: project", "namespace: p"), "namespace-changed"),
        ("new project --family op-builders", "ops.yaml", ("namespace: project", "namespace: p"), "namespace-changed"),
    ] {
        let directory = tempfile::tempdir().expect("a directory");
        let made = program(directory.path()).args(arguments.split(' ')).output();
        assert!(made.expect("the program runs").status.success(), "{arguments}");
        let project = directory.path().join("project");
        let workflow = std::fs::read_to_string(project.join(".github/workflows/breaking.yml")).expect("the workflow");
        let workflow: serde_yaml::Value = serde_yaml::from_str(&workflow).expect("YAML");
        assert_eq!(workflow["on"], "pull_request");
        let steps = workflow["jobs"]["breaking"]["steps"].as_sequence().expect("steps");
        assert_eq!(steps[0]["with"]["fetch-depth"], 0, "the base is in the history");
        let step = steps.last().expect("a step");
        let base = step["env"]["BASE"].as_str().expect("the base").replace("${{ github.base_ref }}", "main");
        git(&project, &["init", "--quiet", "."]);
        commit(&project, "one");
        git(&project, &["update-ref", "refs/remotes/origin/main", "HEAD"]);
        let bin = Path::new(env!("CARGO_BIN_EXE_torchgen-rs")).parent().expect("a directory");
        let path = format!("{}:/usr/bin:/bin", bin.display());
        let checked = || {
            let mut shell = Command::new("sh");
            shell.args(["-ec", step["run"].as_str().expect("a command")]).env("PATH", &path).env("BASE", &base);
            let output = shell.current_dir(&project).output().expect("sh runs");
            (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
        };
        let (status, text) = checked();
        assert_eq!(status, Some(0), "{arguments}: {text}");
        let old = std::fs::read_to_string(project.join(file)).expect("the sources");
        assert!(old.contains(edit.0), "{arguments}: {old}");
        std::fs::write(project.join(file), old.replace(edit.0, edit.1)).expect("the sources");
        let (status, text) = checked();
        assert_eq!(status, Some(1), "{arguments}: {text}");
        assert!(text.contains("::error ") && text.contains(code), "{arguments}: {text}");
    }
}

/// The file with the whole text of a test of this module.
fn expected(name: &str) -> PathBuf {
    root().join("tests/breaking/files").join(name).with_extension("txt")
}

/// The rows between two marks of the page.
fn the_table_of_kinds_is_fresh() {
    const BEGIN: &str = "<!-- kinds -->\n";
    const END: &str = "<!-- end of kinds -->";
    let path = root().join("docs/changes.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let mut table = "\n| kind | what changed | source | python | saved | binary | numerics |\n| --- | --- | --- | --- | --- | --- | --- |\n".to_owned();
    for kind in kinds::ALL {
        table.push_str(&format!("| `{}` | {} |", kind.code.name, kind.code.summary));
        for category in [Category::Source, Category::Python, Category::Saved, Category::Binary, Category::Numerics] {
            let level = kind.effects.iter().find(|effect| effect.category == category).map(|effect| effect.level);
            table.push_str(match level {
                Some(Level::Breaking) => " breaks |",
                Some(Level::Risky) => " risky |",
                _ => " |",
            });
        }
        table.push('\n');
    }
    table.push('\n');
    let (before, rest) = page.split_once(BEGIN).expect("the first mark");
    let (_, after) = rest.split_once(END).expect("the second mark");
    let fresh = format!("{before}{BEGIN}{table}{END}{after}");
    assert_is_text_of_file(&path, &fresh);
}
