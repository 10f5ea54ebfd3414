//! The C++ sources of templates compile where they are, with the flags that clangd and
//! clang-tidy read from `compile_flags.txt` beside them.
//!
//! What they include that depends on records is generated to `target/plain/<family>`, in the
//! namespaces that the sources have, for editors too. Those of `wrappers` need torch: tests compile
//! them as they are generated.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;
use walkdir::WalkDir;

use crate::support::cxx::{Program, quick};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![graph_ir, tensor_ir, op_builders, kit, words_have_no_other_names]
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of a family's templates, or that of the shared ones.
fn templates(folder: &str) -> PathBuf {
    match folder {
        "kit" => root().join("templates/kit"),
        family => root().join("families").join(family.replace('_', "-")).join("templates"),
    }
}

/// The C++ sources in a folder of templates.
fn sources(folder: &str) -> Vec<PathBuf> {
    let walk = WalkDir::new(templates(folder)).sort_by_file_name().into_iter();
    let paths = walk.map(|entry| entry.expect("a readable entry").into_path());
    paths.filter(|path| path.extension().is_some_and(|end| end == "h" || end == "cpp")).collect()
}

/// Generates what the sources of a family include, from YAML whose namespace is replaced and `more`
/// arguments: all files but those that are sources.
fn generate(family: &str, yaml: &str, namespace: [&str; 2], more: &[&str]) {
    let out = root().join("target/plain").join(family);
    let path = out.join("records.yaml");
    let text = fs::read_to_string(root().join(yaml)).expect("YAML");
    let [before, now] = namespace.map(|name| format!("\nnamespace: {name}\n"));
    assert!(text.contains(&before), "{yaml} has {before}");
    fs::create_dir_all(&out).expect("a directory below target");
    fs::write(&path, text.replace(&before, &now)).expect("a new file");
    let run = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .arg(family.replace('_', "-"))
        .arg("-s")
        .arg(&path)
        .args(more)
        .arg("-d")
        .arg(&out)
        .arg("--force")
        .current_dir(root())
        .output()
        .expect("the program runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    for path in sources(family) {
        let is_part = path.parent().is_some_and(|dir| dir.ends_with("parts") || dir.ends_with("graph"));
        let written = out.join(path.file_name().expect("a file"));
        if !is_part && written.is_file() {
            fs::remove_file(written).expect("a file of this test");
        }
    }
}

/// Compiles each source of a folder, and by themselves the headers that none of them includes. A
/// compiler warns about `#pragma once` in a header that it is given directly.
fn compile(folder: &str) {
    let dir = templates(folder);
    let flags = fs::read_to_string(dir.join("compile_flags.txt")).expect("flags");
    let included: Vec<PathBuf> =
        flags.lines().filter_map(|flag| flag.strip_prefix("-I")).map(|to| dir.join(to)).collect();
    let program = |name: &str, precompiled: &str| {
        let mut program = Program::new(name).compiler(quick()).precompiled(precompiled);
        for flag in flags.lines().filter(|flag| !["-xc++", "-I"].iter().any(|start| flag.starts_with(start))) {
            if !flag.starts_with("-std=") {
                program = program.flag(flag);
            }
        }
        included.iter().fold(program, |program, to| program.include(to))
    };
    let paths = sources(folder);
    assert!(!paths.is_empty());
    let texts: Vec<(&PathBuf, String)> =
        paths.iter().map(|path| (path, fs::read_to_string(path).expect("a source"))).collect();
    let (mut alone, mut together) = (program(&format!("plain_{folder}"), HEADERS), BTreeSet::new());
    let mut sharing = Vec::new();
    for (index, (path, text)) in texts.iter().enumerate() {
        let name = path.file_name().expect("a file").to_string_lossy();
        if path.extension().is_some_and(|end| end == "h") {
            let ends = [format!("\"{name}\""), format!("/{name}\"")];
            if !texts.iter().any(|(_, text)| ends.iter().any(|end| text.contains(end))) {
                alone = alone.text(&format!("header{index}.cpp"), &format!("#include \"{}\"\n", path.display()));
            }
            continue;
        }
        let headers: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("#include \"")?.strip_suffix(".h\"")).collect();
        // A part beside it has what a header of the family has too.
        let has_part =
            |header: &&str| !included.contains(&beside(path)) && beside(path).join(format!("{header}.h")).is_file();
        if headers.iter().any(has_part) {
            alone = alone.source(path);
        } else {
            sharing.push(path);
            together.extend(headers);
        }
    }
    alone.compiles();
    if !sharing.is_empty() {
        let header = |name: &str| {
            let found = included.iter().map(|dir| dir.join(format!("{name}.h"))).find(|path| path.is_file());
            format!("#include \"{}\"\n", found.expect("a header of the family").display())
        };
        let headers = together.into_iter().map(header).collect::<String>() + &state(&included);
        let program = program(&format!("plain_{folder}_sources"), &(HEADERS.to_owned() + &headers));
        // The header needs the folders too.
        let program = included.iter().fold(program, |program, dir| program.flag(format!("-I{}", dir.display())));
        sharing.into_iter().fold(program, |program, path| program.source(path)).compiles();
    }
}

fn beside(path: &Path) -> PathBuf {
    path.parent().expect("a folder").to_owned()
}

/// When the headers of folders changed, as a comment: a precompiled header is of these files.
fn state(folders: &[PathBuf]) -> String {
    let files = folders.iter().flat_map(|dir| WalkDir::new(dir).sort_by_file_name());
    let files = files.map(|entry| entry.expect("a readable entry"));
    files
        .filter(|entry| entry.path().extension().is_some_and(|end| end == "h" || end == "def"))
        .map(|entry| {
            let changed = entry.metadata().expect("a file").modified().expect("a time");
            format!("// {} {changed:?}\n", entry.path().display())
        })
        .collect()
}

/// Headers of the system that most of them include, read once.
const HEADERS: &str = "#include <algorithm>\n#include <functional>\n#include <map>\n#include <sstream>\n\
                       #include <string>\n#include <unordered_map>\n#include <vector>\n";

fn graph_ir() {
    let to = root().join("target/plain/graph_ir");
    fs::create_dir_all(&to).expect("a directory below target");
    fs::copy(root().join("families/graph-ir/tests/contract/point.h"), to.join("point.h")).expect("a copy");
    generate(
        "graph_ir",
        "families/graph-ir/tests/contract/ir.yaml",
        ["contract", "torchgen_support"],
        &["--emit", "dot"],
    );
    compile("graph_ir");
}

fn tensor_ir() {
    let more = ["exprs", "stmts", "intrinsics"].map(|name| format!("families/tensor-ir/example/{name}.yaml"));
    let [exprs, stmts, intrinsics] = more.each_ref().map(String::as_str);
    let more = [exprs, stmts, intrinsics, "--emit", "parser"];
    generate("tensor_ir", "families/tensor-ir/example/ir.yaml", ["tir", "torchgen_support"], &more);
    compile("tensor_ir");
}

fn op_builders() {
    let namespaces = ["acme::op::builder", "torchgen_support::torchgen_builders"];
    generate("op_builders", "tests/cmake/sources/builders/swish.yaml", namespaces, &[]);
    compile("op_builders");
}

fn kit() {
    compile("kit");
}

/// A generated file has no name that only sources have.
fn words_have_no_other_names() {
    let out = tempfile::tempdir().expect("a directory");
    for (command, source) in [
        ("graph-ir", "families/graph-ir/example"),
        ("tensor-ir", "families/tensor-ir/example"),
        ("op-builders", "families/op-builders/example"),
    ] {
        let dir = out.path().join(command);
        let run = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
            .current_dir(root())
            .args([command, "-s", source, "-d"])
            .arg(&dir)
            .output()
            .expect("the program runs");
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        for entry in fs::read_dir(&dir).expect("files").map(|entry| entry.expect("a readable entry").path()) {
            let text = fs::read_to_string(&entry).unwrap_or_default();
            let left = ["torchgen_", "TORCHGEN_"].iter().any(|start| text.contains(start));
            assert!(!left || entry.extension().is_none(), "{} has a stand-in name", entry.display());
        }
    }
}
