//! Names of op builders: every identifier of the generated files, every macro and every word of C++
//! and Python, at every position of signatures and bodies, compiles or is refused at its place.
//!
//! A run tries a sample with a fixed seed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;
use regex::Regex;

use crate::families::names::{self, Random};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = trials![names_are_safe_or_refused, everyday_names_are_safe];
    // Takes minutes: `cargo test --test integration -- --ignored every_name`.
    trials.extend(trials![every_name_is_safe_or_refused].into_iter().map(|trial| trial.with_ignored_flag(true)));
    trials
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Runs the program; returns whether it succeeded, and its output.
fn torchgen(arguments: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .current_dir(root())
        .env("NO_COLOR", "1")
        .args(arguments)
        .output()
        .expect("the program runs");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The entry that has a name at a position.
fn entry(position: &str, name: &str, number: usize) -> String {
    let body = |head: &str, lines: &str| format!("- {head}\n  body: |\n{lines}");
    let own = format!("zz{position}{number}");
    match position {
        "builder" => body(&format!("builder: {name}(Tensor zx) -> Tensor"), "    return relu!(zx)\n"),
        "input" => body(
            &format!("builder: {own}(Tensor {name}, Tensor? zx=None) -> Tensor"),
            &format!("    return {name} if zx is none else mul({name}, zx)\n"),
        ),
        "module" => body(
            &format!("builder: {own}(Tensor zx, Module {name}) -> Tensor"),
            &format!("    return branch!(zx, {name})\n"),
        ),
        "option" => body(
            &format!("builder: {own}(Tensor zx, *, float {name}) -> Tensor"),
            &format!("    return mul(zx, literal({name}, like=zx))\n"),
        ),
        "assigned" => body(
            &format!("builder: {own}(Tensor zx, Tensor? zy=None, *, int[] {name}=[1]) -> Tensor"),
            &format!(
                "    {name} = {name} + [2]\n    require len({name}) > 1, \"no {{{name}}}\"\n    \
                 return zx if zy is none else zy\n"
            ),
        ),
        "local" => body(
            &format!("builder: {own}(Tensor zx) -> Tensor"),
            &format!("    {name} = relu!(zx)\n    return mul({name}, literal(2.0, like={name}))\n"),
        ),
        "loop" => body(
            &format!("builder: {own}(Tensor zx) -> Tensor"),
            &format!(
                "    for {name} in lens(zx):\n      zx = mul(zx, literal({name}))\n    \
                 zl = [{name} + 1 for {name} in lens(zx)]\n    return reshape!(zx, dims=zl)\n"
            ),
        ),
        "helper" => format!(
            "{}{}",
            body(&format!("helper: {name}(int zx) -> int"), "    return zx + 1\n"),
            body(&format!("builder: {own}(Tensor zx) -> Tensor"), &format!("    return mul(zx, literal({name}(1)))\n"))
        ),
        _ => body(&format!("helper: {own}(int {name}) -> int"), &format!("    return {name} + 1\n")),
    }
}

/// Everyday names that generated code uses around the classes of builders.
const USED: [&str; 11] = ["add", "args", "builder", "case", "expr", "literal", "m", "module", "name", "shape", "value"];

/// Builders and helpers with all names that authors choose every day; those of builders and helpers
/// themselves, of which there is one of a name, are in small letters. `in` is a word of the
/// language of bodies.
fn everyday() -> [String; 2] {
    let all: Vec<String> = names::everyday().into_iter().filter(|name| name != "in").collect();
    let small = || all.iter().filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
    let mut text = HEAD.to_owned();
    // Names with small and with capital letters take turns.
    let in_turn = all.iter().enumerate().filter(|(at, _)| at % 4 == 0 || at % 4 == 3);
    let in_turn: Vec<&String> = in_turn.map(|(_, name)| name).collect();
    for (at, some) in in_turn.chunks(16).enumerate() {
        let join = |form: &str| some.iter().map(|name| form.replace('#', name)).collect::<Vec<_>>();
        let mut body = |kind: &str, parameters: &str, statements: &[&str]| {
            let parameters = match parameters.split_once("...") {
                Some((star, form)) => format!(", {star}{}", join(form).join(", ")),
                None => String::new(),
            };
            let lines: String = statements.iter().flat_map(|form| join(form)).collect();
            let head = format!("- builder: zz{kind}{at}(Tensor zy{parameters}) -> Tensor\n  body: |\n");
            text += &format!("{head}    zx = relu!(zy)\n{lines}    return zx\n");
        };
        body("i", "...Tensor #", &["    zx = mul(zx, #)\n"]);
        body("m", "...Module #", &["    zx = branch!(zx, #)\n"]);
        body("o", "*, ...int[] #=[1]", &["    # = # + [2]\n", "    zx = reshape!(zx, dims=#)\n"]);
        body("l", "", &["    # = relu!(zx)\n", "    zx = mul(zx, #)\n"]);
        body("f", "", &["    for # in [# + 1 for # in lens(zx)]:\n      zx = mul(zx, literal(#))\n"]);
    }
    let mut helpers = HEAD.to_owned();
    // Bodies call an operator or a function of its name.
    for (at, name) in small().enumerate() {
        if ["relu", "mul", "branch", "reshape"].contains(&name.as_str()) {
            continue;
        }
        // A class can only hide what has its name; of the others, some are enough.
        if at % 8 == 0 || USED.contains(&name.as_str()) {
            text += &entry("builder", name, 0);
        }
        helpers += &format!("- helper: {name}(int {name}) -> int\n  body: return {name} + 1\n");
    }
    [text, helpers]
}

const POSITIONS: [&str; 9] =
    ["builder", "input", "module", "option", "assigned", "local", "loop", "helper", "parameter"];

const HEAD: &str = "family: op-builders
namespace: acme::op::builder
ops:
- op: relu(Tensor zx) -> Tensor
- op: mul(Tensor za, Tensor zb) -> Tensor
- op: branch(Tensor zx, Module zm) -> Tensor
- op: reshape(Tensor zx, *, int[] dims) -> Tensor
";

fn names_are_safe_or_refused() {
    run(Some(40));
}

fn everyday_names_are_safe() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name).to_str().expect("a path in UTF-8").to_owned();
    for text in everyday() {
        fs::write(path("ops.yaml"), text).expect("a file");
        let (ok, said) = torchgen(&["op-builders", "-s", &path("ops.yaml"), "-d", &path("out")]);
        assert!(ok, "{said}");
        check_out(&path);
    }
}

fn every_name_is_safe_or_refused() {
    run(None);
}

/// Tries some names, or all of them.
fn run(count: Option<usize>) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name).to_str().expect("a path in UTF-8").to_owned();
    let (ok, said) = torchgen(&["op-builders", "-s", "families/op-builders/example", "-d", &path("generated")]);
    assert!(ok, "{said}");
    let mut all = names::all(Path::new(&path("generated")), &["op_builders_typed.h"]);
    all.retain(|name| !name.starts_with("__") && !name.starts_with("zz"));
    let names = match count {
        Some(count) => Random::new(29).some(&all, count),
        None => all,
    };
    let names: BTreeSet<String> = names.into_iter().collect();
    let names: Vec<String> = names.into_iter().collect();
    // Helpers have the names of builders, so they are in a run of their own.
    let (helpers, others): (Vec<&str>, Vec<&str>) =
        POSITIONS.iter().copied().partition(|position| *position == "helper");
    for positions in [others, helpers] {
        compiles(&positions, &names, &path);
    }
}

/// Writes an entry for each name at each position, drops those that are refused, and compiles the
/// rest.
fn compiles(positions: &[&str], names: &[String], path: &dyn Fn(&str) -> String) {
    let mut entries: Vec<(&str, usize)> =
        positions.iter().flat_map(|position| (0..names.len()).map(move |name| (*position, name))).collect();
    let place = Regex::new(r"(?m)^error\[\w+\].*\n +--> [^\n]*ops\.yaml:(\d+):\d+$").expect("a pattern");
    let mut left = entries.len() + 1;
    loop {
        assert!(entries.len() < left, "an error is not at the place of a name");
        left = entries.len();
        let mut text = HEAD.to_owned();
        let mut lines: Vec<usize> = Vec::new();
        let mut next = HEAD.lines().count() + 1;
        for (position, name) in &entries {
            let entry = entry(position, &names[*name], *name);
            lines.push(next);
            next += entry.lines().count();
            text.push_str(&entry);
        }
        fs::write(path("ops.yaml"), &text).expect("a file");
        let (ok, said) = torchgen(&["op-builders", "-s", &path("ops.yaml"), "-d", &path("out")]);
        if ok {
            break;
        }
        let refused: BTreeSet<usize> = place
            .captures_iter(&said)
            .map(|found| {
                let line: usize = found[1].parse().expect("a line");
                lines.partition_point(|first| *first <= line) - 1
            })
            .collect();
        assert!(!said.contains("panicked"), "{said}");
        let mut at = 0..;
        entries.retain(|_| !at.next().is_some_and(|at| refused.contains(&at)));
    }
    assert!(entries.len() > names.len() * positions.len() / 2, "too many names are refused");
    check_out(path);
}

/// Compiles the builders, and the functions with types as another unit.
fn check_out(path: &dyn Fn(&str) -> String) {
    let typed = "#include \"op_builders_typed.h\"\n#include \"op_builders_typed.h\"\n";
    fs::write(Path::new(&path("out")).join("typed.cpp"), typed).expect("a file");
    for source in ["op_builders.cpp", "typed.cpp"] {
        let output = Command::new("c++")
            .args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"])
            .arg(Path::new(&path("out")).join(source))
            .output()
            .expect("a compiler");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
