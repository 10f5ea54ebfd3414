//! Random edits of schemas, and callers of the C++ functions that were generated before:
//! `breaking` says `source` if and only if a call does not compile any more, or loses its meaning.
//!
//! Invariant: each edit is one operator, so that one library has all of them, and the line of a
//! call says which operator it is about.

mod functions;
mod schemas;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use self::functions::{Function, Meaning};
use crate::support::cxx::{errors_by_place, quick};
use crate::support::torch::{STABLE_TARGET, torch};

/// The namespace of the library.
const NAMESPACE: &str = "calls";

/// Checks that many edits on one ABI.
pub(crate) fn check(abi: &str, seed: u64, count: usize) {
    let cases = schemas::cases(abi, seed, count);
    let directory = tempfile::tempdir().expect("a directory");
    let [old, new] = ["old", "new"].map(|state| {
        let source = directory.path().join(state);
        fs::create_dir(&source).expect("a directory");
        let entries: String = cases.iter().map(|case| case.entry(state == "new")).collect();
        fs::write(source.join("native_functions.yaml"), entries).expect("the library can be written");
        fs::write(source.join("library.yaml"), format!("abi: {abi}\n")).expect("the settings can be written");
        let out = directory.path().join(format!("{state}-generated"));
        torch().generate(&source, &out);
        out
    });
    let [before, after] = [&old, &new].map(|out| functions::read(&header(out)));
    let calls = calls(&before);
    let refused = errors(abi, "old", &old, &calls);
    assert!(refused.is_empty(), "calls of the functions before: {refused:#?}");
    let mut broken = errors(abi, "new", &new, &calls);
    for (function, count) in &calls {
        let case = &cases[function.operator()];
        let renamed = |name: &str| case.renamed(name);
        let of_name: Vec<&Function> = after.iter().filter(|other| other.name == function.name).collect();
        let keeps = of_name.iter().any(|other| function.meaning(other, *count, &renamed) == Meaning::Kept);
        if !keeps {
            broken.entry(function.operator()).or_insert_with(|| format!("`{}` means something else", function.name));
        }
    }
    let said = said(directory.path());
    let mut wrong = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        let (breaks, is_said) = (broken.get(&at), said.contains(&at));
        if breaks.is_some() != is_said {
            let why = breaks.map_or("every call compiles", String::as_str);
            wrong.push(format!("{}{why}, but `source` is {}said", case.shown(), if is_said { "" } else { "not " }));
        }
    }
    let breaking = broken.len();
    assert!(breaking > cases.len() / 8 && breaking < cases.len(), "{breaking} of {} edits break calls", cases.len());
    assert!(wrong.is_empty(), "{abi}: {} of {} are wrong:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

fn header(out: &Path) -> String {
    fs::read_to_string(out.join(format!("include/{NAMESPACE}/Functions.h"))).expect("a generated header")
}

/// Each call of each function: with all values, and with fewer if there are defaults.
fn calls(functions: &[Function]) -> Vec<(&Function, usize)> {
    let of = |function| {
        let Function { parameters, .. }: &Function = function;
        let required = parameters.iter().rposition(|one| !one.has_default).map_or(0, |at| at + 1);
        (required..=parameters.len()).map(move |count| (function, count))
    };
    functions.iter().flat_map(of).collect()
}

/// The first error of each operator whose calls do not compile.
fn errors(abi: &str, state: &str, out: &Path, calls: &[(&Function, usize)]) -> BTreeMap<usize, String> {
    let mut text = format!("#include <{NAMESPACE}/Functions.h>\n#include <utility>\nnamespace {NAMESPACE} {{\n");
    let first = text.lines().count() + 1;
    for (at, (function, count)) in calls.iter().enumerate() {
        text.push_str(&format!("using Call{at} = decltype({});\n", function.call(*count)));
    }
    text.push_str("}\n");
    let name = format!("callers-{abi}-{state}");
    let program = match abi {
        "stable" => torch().cxx_of_machine(&name).compiler(quick()).flag(STABLE_TARGET),
        _ => torch().cxx(&name),
    };
    let program = program.text("callers.cpp", &text);
    let said = program.include(out).include(out.join("include")).errors();
    let place = |line: &str| {
        let number: usize = line.split_once("callers.cpp:")?.1.split(':').next()?.parse().ok()?;
        Some(number.checked_sub(first).filter(|at| *at < calls.len())?.to_string())
    };
    let found = errors_by_place(&said, &place).unwrap_or_else(|(_, error)| panic!("{error}\n{said}"));
    let mut first: BTreeMap<usize, String> = BTreeMap::new();
    for (at, error) in found {
        let (function, _) = calls[at.parse::<usize>().expect("a number")];
        first.entry(function.operator()).or_insert(error);
    }
    first
}

/// The operators of which `breaking` says that it breaks sources.
fn said(directory: &Path) -> BTreeSet<usize> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    command.args(["breaking", "new", "--against", "old", "--category", "source", "--level", "breaking"]);
    command.args(["--message-format", "json", "--max-errors", "0"]).current_dir(directory);
    let output = command.output().expect("the program runs");
    let mut found = BTreeSet::new();
    for line in String::from_utf8_lossy(&output.stderr).lines().filter(|line| line.starts_with('{')) {
        let change: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let name = change["change"]["name"].as_str().unwrap_or_else(|| panic!("{line}"));
        found.insert(functions::operator(name.rsplit("::").next().unwrap_or(name)));
    }
    found
}
