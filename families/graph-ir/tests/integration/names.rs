//! Every name is safe or refused: records with names of the generated code, of the support library,
//! of macros and of languages, in every position where an author chooses a name.
//!
//! A record is one line of the file, so the line of an error says which one was refused. What the
//! program accepts must compile.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use libtest_mimic::Trial;
use regex::Regex;

use super::{generate, run};
use crate::families::names::{Random, all, everyday};
use crate::support::cxx::Program;

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = trials![names_are_safe_or_refused];
    // Takes an hour: `cargo test --test integration -- --ignored every_name`.
    trials.extend(trials![every_name_is_safe_or_refused].into_iter().map(|trial| trial.with_ignored_flag(true)));
    trials
}

/// The seed of the sample, and how many names it has for each position.
const SEED: u64 = 20_251_122;
const SAMPLE: usize = 3;

/// Everyday names that are refused as enumerations: those of classes, and of types of members.
const TYPES: [&str; 9] = ["Constant", "Function", "Module", "Node", "Tensor", "Type", "Value", "dim", "size"];
/// Those that are refused as parts: the getter is one of every class.
const GETTERS: [&str; 4] = ["Hash", "Kind", "Name", "Type"];
/// Those that are refused everywhere: keywords.
const KEYWORDS: [&str; 1] = ["case"];
/// Names that a family of its own would not have, and generated code uses.
const USED: [&str; 3] = ["NodeValue", "TypeRef", "uniqueName"];
/// The support library has an instruction that is printed so.
const PRINTED: &str = "copy";

/// Records with all everyday names: `X` is one, and what is in brackets repeats for each.
const EVERYDAY_RECORDS: [&str; 8] = [
    "  Every_: {values: [[X]]}",
    "- {node: 'Inputs([Tensor X], Tensor[] Fill1, *, Own Fill2) -> Tensor Fill3'}",
    "- {node: 'Lists([Tensor[] X], *, Type Fill2) -> Tensor Fill3'}",
    "- {node: 'Both([Tensor X]) -> Tensor Fill3', gradient: true}",
    "- {instr: 'Both([Tensor X]) -> Tensor Fill3', from_node: Both}",
    "- {node: 'Results(Tensor Fill1) -> ([Tensor X])', modes: [[X]]}",
    "- {node: 'Members(Tensor Fill1, *, [Type X], cast Fill2) -> Tensor Fill3'}",
    "- {instr: 'Outs([Tensor[] X], *, Own Fill1) -> Tensor Fill2'}",
];
/// Records for each everyday name; those with small letters are classes too.
const EVERYDAY_LINES: [&str; 3] = [
    "  X: {values: [En#, Es#], scoped: true}",
    "- {node: 'X(Tensor Fill1, *, Own Fill2=Below) -> Tensor Fill3'}",
    "- {instr: 'X(Tensor Fill1, *, Own Fill2) -> Tensor Fill3'}",
];

/// The positions of names in records: lines with `X` for the name and `#` for a number.
const RECORDS: [&str; 16] = [
    "- {node: 'X(Tensor Fill1, *, int Fill2) -> Tensor Fill3', gradient: true, modes: [One#, Two#]}",
    "- {instr: 'X(Tensor Fill1, *, int Fill2) -> Tensor Fill3'}",
    "- {node: 'Ni#(Tensor X, Tensor Fill1, *, float Fill2=1.0) -> (Tensor Fill3, Tensor Fill4)', gradient: true, \
     infer: {Fill3: X}}",
    "- {node: 'Ns#(Tensor Fill1, Tensor X, *, int Fill2) -> Tensor Fill3', \
     infer: {Fill3: {like: X, shape: X.dims().vec()}}}",
    "- {node: 'Nl#(Tensor Fill1, Tensor[] X, Tensor(a!)[] Fill2) -> (Tensor Fill3, Tensor[] Fill4)', \
     infer: {Fill3: {like: X, shape: Fill1.dims().vec()}}}",
    "- {node: 'Nr#(Tensor Fill1) -> (Tensor X, Tensor Fill2)', gradient: true, \
     infer: {X: {like: Fill1, shape: Fill1.dims().vec()}}}",
    "- {node: 'No#(Tensor Fill1) -> (Tensor Fill2, Tensor[] X)'}",
    "- {node: 'Nm#(Tensor Fill1, *, Type X, Own Fill2, str[] Fill3) -> Tensor Fill4', setters: [X], gradient: true}",
    "- {node: 'Nd#(Tensor Fill1, *, int X=3, Own Fill2=Below) -> Tensor Fill3', same_type_as: {Fill3: Fill1}}",
    "- {node: 'Nmode#(Tensor Fill1) -> Tensor Fill2', modes: [X, Fill3]}",
    "- {instr: 'Ii#(Tensor(a) X, Tensor(b!) Fill1, Tensor[] Fill2, *, int Fill3) -> Tensor(a) Fill4', type: X, \
     scratch: [Fill5], scratch_size: {Fill5: '1'}}",
    "- {instr: 'Io#(Tensor Fill1, Tensor Fill2) -> (Tensor X, Tensor Fill3)', gradient: {original: [Fill1], grad: [X, Fill1]}}",
    "- {instr: 'Il#(Tensor Fill1, Tensor(a)[] X, *, int Fill2) -> Tensor(a) Fill3'}",
    "- {instr: 'Im#(Tensor Fill1, Tensor[] Fill2, *, Type X, Own Fill3) -> Tensor Fill4', setters: [X], type: X}",
    "- {instr: 'Is#(Tensor Fill1, Tensor Fill2, *, int Fill3) -> Tensor Fill4', scratch: [X], scratch_size: {X: '1'}}",
    "- {node: 'L#(Tensor X, Tensor(a!) Fill1, *, int Fill2) -> Tensor Fill3'}\n\
     - {instr: 'L#(Tensor X, Tensor(a!) Fill1, *, int Fill2) -> Tensor Fill3', from_node: L#}",
];
/// The same for `enums:`.
const ENUMERATIONS: [&str; 3] =
    ["  X: {values: [En#a, En#b]}", "  Eu#: {values: [X, Eu#b]}", "  Es#: {values: [X, Es#b], scoped: true}"];

/// A file with the lines, without those in `without`.
fn text(lines: &[String], without: &BTreeSet<usize>) -> String {
    let mut text = "family: graph-ir\nnamespace: odd\nenums:\n  Own: {values: [Below, Above]}\n".to_owned();
    let kept = |(at, line): (usize, &String)| if without.contains(&at) { "#".to_owned() } else { line.clone() };
    let mut enumerations = true;
    for (at, line) in lines.iter().enumerate() {
        if enumerations && line.starts_with('-') {
            enumerations = false;
            // One that is never refused, so that the list is not empty.
            text.push_str("ops:\n- {node: 'Always(Tensor Fill1) -> Tensor Fill2'}\n");
        }
        writeln!(text, "{}", kept((at, line))).expect("a text");
    }
    text
}

/// The place of a line of the file among the lines of the test.
fn line_of(number: usize, enumerations: usize) -> Option<usize> {
    let at = number.checked_sub(5)?;
    if at < enumerations { Some(at) } else { at.checked_sub(2).filter(|at| *at >= enumerations) }
}

/// Generates from the lines that are not refused, and returns those that are.
fn generated(directory: &Path, lines: &[String]) -> BTreeSet<usize> {
    let place = Regex::new(r"(?m)^ *(?:-->|:::) ir.yaml:(\d+):").expect("a pattern");
    let enumerations = lines.iter().filter(|line| !line.starts_with('-')).count();
    let mut refused = BTreeSet::new();
    for _ in 0..20 {
        fs::write(directory.join("ir.yaml"), text(lines, &refused)).expect("a file");
        let output = run(directory, &["graph-ir", "-s", "ir.yaml", "-d", "out", "--emit", "self-test,dot"]);
        if output.status.success() {
            return refused;
        }
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let before = refused.len();
        let numbers = place.captures_iter(&errors).map(|found| found[1].parse::<usize>().expect("a number"));
        refused.extend(numbers.filter_map(|number| line_of(number, enumerations)));
        assert!(refused.len() > before, "no record is the reason for\n{errors}");
    }
    panic!("there are always more errors");
}

/// The lines for names in positions.
fn lines<'a>(chosen: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let name = Regex::new(r"\bX\b").expect("a pattern");
    for (number, (position, word)) in chosen.enumerate() {
        let text = name.replace_all(&position.replace('#', &number.to_string()), word).into_owned();
        lines.extend(text.lines().map(str::to_owned));
    }
    lines.sort_by_key(|line| line.starts_with('-'));
    lines
}

/// Compiles all generated files as two translation units, and runs the self-test.
fn compiles(directory: &Path, name: &str) {
    let out = directory.join("out");
    let mut files: Vec<String> = fs::read_dir(&out)
        .expect("a directory")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".cpp"))
        .collect();
    files.sort();
    let (one, two): (Vec<String>, Vec<String>) = files.into_iter().partition(|name| name.starts_with("AutoGen"));
    let unit = |files: &[String]| files.iter().map(|name| format!("#include \"{name}\"\n")).collect::<String>();
    let program = Program::quick(name).include(&out).text("one.cpp", &unit(&one)).text("two.cpp", &unit(&two));
    let said = program.run();
    assert!(said.contains(" checks, 0 failed"), "{said}");
}

/// The lines with everyday names; `used` are the names that generated code has.
fn everyday_lines(used: &[String]) -> Vec<String> {
    let repeated = Regex::new(r"\[(Tensor(?:\[\])? X|Type X|X)\]").expect("a pattern");
    let all: Vec<String> = everyday().into_iter().filter(|name| !KEYWORDS.contains(&name.as_str())).collect();
    let mut records = Vec::new();
    for record in EVERYDAY_RECORDS {
        // Those with small and with capital letters take turns.
        let in_turn = all.iter().enumerate().filter(|(at, _)| at % 4 == 0 || at % 4 == 3);
        let names = in_turn.map(|(_, name)| name.as_str()).chain(USED);
        let is_part = record.starts_with('-');
        let names: Vec<&str> = names.filter(|name| !(is_part && GETTERS.contains(name))).collect();
        let each = |found: &regex::Captures<'_>| {
            names.iter().map(|name| found[1].replace('X', name)).collect::<Vec<_>>().join(", ")
        };
        records.push(repeated.replace_all(record, each).into_owned());
    }
    let enumerations = all.iter().filter(|name| !TYPES.contains(&name.as_str()));
    let enumerations = enumerations.map(|name| (EVERYDAY_LINES[0], name.as_str()));
    // A class can only hide what has its name; of the others, some are enough.
    let small = |ending: &'static str| {
        let small = all.iter().filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase())).enumerate();
        small.filter(move |(at, name)| at % 8 == 0 || used.contains(&format!("{name}{ending}"))).map(|(_, name)| name)
    };
    let nodes = small("Node").map(|name| (EVERYDAY_LINES[1], name.as_str()));
    let instructions = small("Node").chain(small("Inst")).collect::<BTreeSet<_>>().into_iter();
    let instructions = instructions.filter(|name| *name != PRINTED).map(|name| (EVERYDAY_LINES[2], name.as_str()));
    records.extend(lines(enumerations.chain(nodes).chain(instructions)));
    records
}

/// All names that generated code has.
fn names() -> Vec<String> {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(
        directory.path().join("ir.yaml"),
        text(&lines(RECORDS.into_iter().map(|line| (line, "Fill0"))), &BTreeSet::new()),
    )
    .expect("a file");
    // Names of nodes and of instructions are the same here.
    let out = generate(directory.path(), &["-s", "ir.yaml", "--emit", "self-test,dot"]);
    all(&out, &["IRSupport.h"])
}

fn names_are_safe_or_refused() {
    let names = names();
    assert!(names.len() > 2000 && ["EOF", "errno", "linux"].iter().all(|name| names.contains(&(*name).to_owned())));
    // C++ reserves the others, and they are refused; `every_name_is_safe_or_refused` has them.
    let names: Vec<String> = names.into_iter().filter(|name| !name.starts_with('_')).collect();
    let mut random = Random::new(SEED);
    let mut chosen: Vec<(&str, String)> = Vec::new();
    for position in RECORDS.into_iter().chain(ENUMERATIONS) {
        chosen.extend(random.some(&names, SAMPLE).into_iter().map(|name| (position, name)));
    }
    // Two enumerations of one name are refused.
    let everyday_names = everyday();
    chosen.retain(|(_, name)| !everyday_names.contains(name));
    let directory = tempfile::tempdir().expect("a directory");
    let mut lines = lines(chosen.iter().map(|(position, name)| (*position, name.as_str())));
    let sampled = lines.len();
    let everyday = everyday_lines(&names);
    lines.extend(everyday.iter().cloned());
    lines.sort_by_key(|line| line.starts_with('-'));
    let refused: Vec<&String> = generated(directory.path(), &lines).into_iter().map(|line| &lines[line]).collect();
    assert!(refused.len() < sampled / 2, "{} of {sampled} are refused", refused.len());
    assert!(!refused.iter().any(|line| everyday.contains(line)), "{refused:#?}");
    compiles(directory.path(), "graph_ir_names");
}

fn every_name_is_safe_or_refused() {
    let names = names();
    for (at, some) in names.chunks(40).enumerate() {
        let directory = tempfile::tempdir().expect("a directory");
        let positions = || RECORDS.into_iter().chain(ENUMERATIONS);
        let chosen = some.iter().flat_map(|name| positions().map(move |position| (position, name.as_str())));
        generated(directory.path(), &lines(chosen));
        compiles(directory.path(), &format!("graph_ir_names_{at}"));
    }
}
