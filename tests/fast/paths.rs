//! Paths that name one file: plain, with `.` or `..`, through a link, or by its directory too. It
//! is read once, whichever command it is for.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use libtest_mimic::Trial;

use crate::json_schema;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![a_file_with_several_names_is_read_once, check_takes_paths]
}

fn tool(directory: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    // No PyTorch is found.
    ["PATH", "VIRTUAL_ENV", "CONDA_PREFIX"].iter().for_each(|name| _ = command.env_remove(name));
    command.args(line.split_whitespace()).current_dir(directory).output().expect("the program runs")
}

#[track_caller]
fn succeeds(directory: &Path, line: &str) -> String {
    let output = tool(directory, line);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{line}:\n{said}");
    said
}

/// The files below a directory, but for the record of the run.
fn tree(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = walkdir::WalkDir::new(directory).into_iter().map(|entry| entry.expect("an entry"));
    let files = files.filter(|entry| entry.file_type().is_file() && !entry.path().ends_with(".torchgen-rs.manifest"));
    let name = |path: &Path| path.strip_prefix(directory).expect("below").to_string_lossy().into_owned();
    files.map(|file| (name(file.path()), std::fs::read(file.path()).expect("a file"))).collect()
}

/// Projects as `new` makes them, each with the names of its sources.
fn a_file_with_several_names_is_read_once() {
    let root = tempfile::tempdir().expect("a directory");
    let root = root.path();
    let time = regex::Regex::new(r"\(\d+\.\d+ s\)").expect("a regex");
    // Wrappers need a PyTorch.
    let families = json_schema::families().into_iter().filter(|family| family != "wrappers");
    for family in families.chain(["library".to_owned()]) {
        let name = family.replace('-', "_");
        succeeds(root, &format!("new {name} --family {family}"));
        let project = root.join(&name);
        let entries = std::fs::read_dir(&project).expect("a directory");
        let mut files: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        files.sort();
        let operators = |file: &&String| match family.as_str() {
            "library" => *file == "native_functions.yaml",
            _ => file.ends_with(".yaml"),
        };
        let file = files.iter().find(operators).expect("a source");
        std::os::unix::fs::symlink(project.join(file), root.join(format!("{name}.yaml"))).expect("a link");
        let names = [
            ".".to_owned(),
            "./".to_owned(),
            format!("../{name}"),
            file.clone(),
            format!("./{file}"),
            format!("../{name}/{file}"),
            format!("../{name}.yaml"),
            project.join(file).display().to_string(),
        ];
        let check = |paths: &str| time.replace_all(&succeeds(&project, &format!("check {paths}")), "").into_owned();
        assert_eq!(check(""), check(&names.join(" ")), "{family}");
        succeeds(&project, "-s . -d ../once");
        succeeds(&project, &format!("-s {} -d ../again", names.join(" -s ")));
        assert_eq!(tree(&root.join("once")), tree(&root.join("again")), "{family}");
        ["once", "again"].iter().for_each(|out| std::fs::remove_dir_all(root.join(out)).expect("a directory"));
        if family == "library" {
            let sources = "--sources kernels --sources ./kernels";
            let said = succeeds(&project, &format!("kernels -s . {sources} --sources ../{name}/kernels"));
            assert!(said.ends_with("all defined\n"), "{said}");
        }
    }
}

/// `check` takes paths as other linters do, and the folder without any.
fn check_takes_paths() {
    let root = tempfile::tempdir().expect("a directory");
    let root = root.path();
    succeeds(root, "new lib --abi unstable");
    succeeds(root, "new ir --family graph-ir");
    for (directory, line) in [
        ("lib", "check"),
        ("lib", "check ."),
        ("lib", "check native_functions.yaml"),
        ("ir", "check"),
        ("ir", "check ."),
        ("", "check lib ir"),
        ("", "check lib -s ir"),
        ("", "check -s lib ir --strict"),
    ] {
        let said = succeeds(&root.join(directory), line);
        assert!(said.contains("no errors"), "{line}: {said}");
    }
    let said = tool(root, "check");
    assert_eq!(said.status.code(), Some(2));
}
