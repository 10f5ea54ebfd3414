//! Fuzz targets that are whole runs of the program, over files in a temporary directory.
//!
//! Invariant: a run writes to its install directory only, and changes no input.

use std::collections::BTreeSet;

use super::{CUT, OPERATORS};
use crate::cli;
use torchgen_kit::driver::Host;

/// A whole run over a library: its native_functions.yaml and, after a separator, its
/// derivatives.yaml. Nothing is written outside the install directory.
pub fn run(data: &[u8]) {
    let names = ["native_functions.yaml", "derivatives.yaml"];
    whole_run(names.into_iter().zip(parts(data, names.len())).collect(), &[&["-s", "IN", "-d", "OUT"]]);
}

/// The same on the stable ABI, with a library.yaml after one more separator.
pub fn stable(data: &[u8]) {
    let names = ["native_functions.yaml", "derivatives.yaml", "library.yaml"];
    let files = names.into_iter().zip(parts(data, names.len())).collect();
    whole_run(files, &[&["-s", "IN", "-d", "OUT", "--abi", "stable"]]);
}

/// Several files as sources of one run: operators, families, or anything else.
pub fn several(data: &[u8]) {
    let names = ["native_functions.yaml", "a.yaml", "b.yaml", "derivatives.yaml"];
    let files: Vec<_> = names.into_iter().zip(parts(data, names.len())).collect();
    let paths: Vec<String> = files.iter().map(|(name, _)| format!("IN/{name}")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).take(3).collect();
    let check: Vec<&str> = ["check", "IN"].into_iter().chain(paths.iter().copied()).collect();
    let generate: Vec<&str> = ["-s"].into_iter().chain(paths).chain(["-d", "OUT"]).collect();
    whole_run(files, &[&["check", "-s", "IN"], &check, &["-s", "IN", "-d", "OUT"], &generate]);
}

/// A family's file: it is checked and generated with all that the family writes.
pub fn family(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let name = text.lines().find_map(|line| line.strip_prefix("family:")).unwrap_or_default().trim();
    let more: &[&str] = match name {
        "tensor-ir" => &["--emit", "docs,model,parser,self-test,skeletons"],
        "generator" => &["--emit", "docs,schema"],
        "graph-ir" | "op-builders" => &["--emit", "docs,model,self-test"],
        "wrappers" => &["--mock", "--all", "--emit", "stubs"],
        _ => return whole_run(vec![("a.yaml", data)], &[&["check", "-s", "IN"]]),
    };
    let generate: Vec<&str> = [name, "-s", "IN", "-d", "OUT"].iter().chain(more).copied().collect();
    let docs = ["docs", "-s", "IN/a.yaml", "-d", "OUT"];
    // What wrappers call.
    let operators = OPERATORS.replace("NAMESPACE", "");
    whole_run(
        vec![("a.yaml", data), ("aten.yaml", operators.as_bytes())],
        &[&["check", "-s", "IN/a.yaml"], &generate, &docs],
    );
}

/// The texts between separators, at most `most`; the last one has the rest.
fn parts(data: &[u8], most: usize) -> Vec<&[u8]> {
    let (mut parts, mut rest) = (Vec::new(), data);
    while parts.len() + 1 < most
        && let Some(at) = rest.windows(CUT.len()).position(|window| window == CUT.as_bytes())
    {
        parts.push(&rest[..at]);
        rest = &rest[at + CUT.len()..];
    }
    parts.push(rest);
    parts
}

/// Runs commands over files in one directory, `IN`. They write to `OUT` and nowhere else.
fn whole_run(files: Vec<(&str, &[u8])>, commands: &[&[&str]]) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let below = directory.path().join("a/b");
    let (source, out) = (below.join("in"), below.join("out"));
    std::fs::create_dir_all(&source).expect("a directory is made");
    for (name, bytes) in &files {
        std::fs::write(source.join(name), bytes).expect("a file is written");
    }
    let word = |word: &&str| match (word.strip_prefix("IN"), *word) {
        (Some(""), _) => source.clone().into_os_string(),
        (Some(file), _) => source.join(file.trim_start_matches('/')).into_os_string(),
        (None, "OUT") => out.clone().into_os_string(),
        (None, word) => word.into(),
    };
    for command in commands {
        cli::run(["torchgen-rs"].iter().chain(*command).map(word), Host::process());
    }
    let names = |path: &std::path::Path| -> BTreeSet<String> {
        let entries = std::fs::read_dir(path).expect("a readable directory");
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    };
    let mut expected: BTreeSet<String> = ["in".to_owned()].into();
    expected.extend(out.exists().then(|| "out".to_owned()));
    assert_eq!(names(&below), expected);
    assert_eq!(names(directory.path()).len() + names(&directory.path().join("a")).len(), 2);
    assert_eq!(names(&source), files.iter().map(|(name, _)| (*name).to_owned()).collect());
    for (name, bytes) in &files {
        assert_eq!(&std::fs::read(source.join(name)).expect("an input"), bytes, "{name} was changed");
    }
}
