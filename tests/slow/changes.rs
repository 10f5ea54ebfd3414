//! `torchgen-rs diff` against the reference's models of two versions, which a script in Python
//! compares: `cargo test --test slow changes/`.
//!
//! Invariant: with the files of both versions and without them, the changes are the same but for
//! formulas, which only files have.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::conformance::{self, Context, Mode};
use crate::support::torch::{root, run};

/// How many changes of a kind an operator has.
type Counts = BTreeMap<(String, String), u64>;

/// A test for each pair of neighbors, and one from the oldest to the newest.
pub(crate) fn trials() -> Result<Vec<Trial>, String> {
    let mut all: Vec<Arc<Context>> = conformance::load_older(Mode::Live)?.into_iter().map(Arc::new).collect();
    all.push(Arc::new(conformance::load(Mode::Live)?));
    let numbers = |context: &Context| -> Vec<u32> {
        context.suite.wheel.version().split('.').map(|number| number.parse().unwrap_or(0)).collect()
    };
    all.sort_by_key(|context| numbers(context));
    let ends = [Arc::clone(&all[0]), Arc::clone(&all[all.len() - 1])];
    let neighbors = all.windows(2).map(|pair| [Arc::clone(&pair[0]), Arc::clone(&pair[1])]);
    let pairs: Vec<[Arc<Context>; 2]> = neighbors.chain([ends]).collect();
    let trial = |pair: [Arc<Context>; 2]| {
        let [old, new] = pair.each_ref().map(|context| context.suite.wheel.version().to_owned());
        Trial::test(format!("changes/{old}-{new}"), move || {
            let wheels = [pair[0].wheel().map_err(Failed::from)?, pair[1].wheel().map_err(Failed::from)?];
            compare((&old, wheels[0]), (&new, wheels[1]));
            Ok::<(), Failed>(())
        })
    };
    Ok(pairs.into_iter().map(trial).collect())
}

/// The model of a wheel's reference, in a file.
fn model(wheel: &Path, file: &Path) {
    let script = root().join("tests/model/changes.py");
    let path = std::env::join_paths([wheel.to_owned(), wheel.join("site")]).expect("paths");
    let aten = wheel.join("torchgen/packaged/ATen");
    let mut command = Command::new("python3");
    command.arg(script).arg("model").arg(aten).env("PYTHONPATH", path).env("PYTHONHASHSEED", "0");
    std::fs::write(file, run(&mut command)).expect("the file can be written");
}

/// The lines of `diff`: code, name, and the line.
fn diff(from: &str, to: &str) -> Vec<(String, String)> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    command.args(["diff", "--from", from, "--to", to, "--level", "any", "--max-errors", "0"]);
    let output = command.args(["--message-format", "json"]).output().expect("the program runs");
    let text = String::from_utf8(output.stderr).expect("text");
    let of = |line: &str| {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        (word(&line["code"]), word(&line["change"]["name"]))
    };
    text.lines().filter(|line| line.starts_with('{')).map(of).filter(|(_, name)| !name.is_empty()).collect()
}

/// The kind of change as the script has it: it does not say how a type or a default differs, and
/// says once that results do.
fn coarse(code: &str) -> &str {
    match code {
        "argument-type-changed" | "argument-type-widened" => "argument-type",
        "default-added" | "default-removed" | "default-changed" => "default",
        "argument-keyword-only" | "argument-positional" => "argument-group",
        code if code.starts_with("result-") => "results",
        "declaration-removed" => "gone",
        "declaration-added" => "new",
        code => code,
    }
}

fn counted(lines: &[(String, String)]) -> Counts {
    let mut counts = Counts::new();
    // What the script does not look at.
    let is_compared = |code: &str| !code.starts_with("shim-function-");
    for (code, name) in lines.iter().filter(|(code, _)| is_compared(code)) {
        let kind = coarse(code);
        let count = counts.entry((name.clone(), kind.to_owned())).or_default();
        *count = if kind == "results" { 1 } else { *count + 1 };
    }
    counts
}

fn compare(old: (&str, &Path), new: (&str, &Path)) {
    let directory = tempfile::tempdir().expect("a directory");
    let files = [old.1, new.1].map(|wheel| {
        let file = directory.path().join(wheel.file_name().expect("a name"));
        model(wheel, &file);
        file
    });
    let formulas = [old.1, new.1].map(|wheel| wheel.join("torchgen/packaged/autograd/derivatives.yaml"));
    let script = root().join("tests/model/changes.py");
    let said = run(Command::new("python3").arg(script).arg("compare").args(&files).args(&formulas));
    let mut theirs = Counts::new();
    let mut generated = Counts::new();
    for line in said.lines() {
        let (name, kind, count): (String, String, u64) = serde_json::from_str(line).expect("JSON");
        match kind.strip_prefix("generated-") {
            Some(kind) => drop(generated.insert((name, kind.to_owned()), count)),
            None => drop(theirs.insert((name, kind), count)),
        }
    }
    let minor = |version: &str| version.rsplit_once('.').expect("a patch").0.to_owned();
    let path = |wheel: &Path| wheel.to_str().expect("text").to_owned();
    let with_files = counted(&diff(&path(old.1), &path(new.1)));
    let without = counted(&diff(&minor(old.0), &minor(new.0)));
    // A generated variant is only listed if its operator stays.
    let is_listed = |key: &(String, String)| !generated.contains_key(key);
    let ours: Counts = with_files.into_iter().filter(|(key, _)| is_listed(key)).collect();
    let differing: Vec<_> = theirs.iter().filter(|(key, count)| ours.get(*key) != Some(*count)).collect();
    let more: Vec<_> = ours.iter().filter(|(key, count)| theirs.get(*key) != Some(*count)).collect();
    assert!(differing.is_empty() && more.is_empty(), "theirs: {differing:#?}\nours: {more:#?}");
    let is_formula = |kind: &str| kind.starts_with("formula-");
    let without: Counts = without.into_iter().filter(|(key, _)| is_listed(key)).collect();
    let rest: Counts = ours.into_iter().filter(|((_, kind), _)| !is_formula(kind)).collect();
    assert_eq!(without, rest, "with files and without");
    let mut totals: BTreeMap<&str, u64> = BTreeMap::new();
    for ((_, kind), count) in &theirs {
        *totals.entry(kind).or_default() += count;
    }
    eprintln!("{} to {}: {totals:?}", old.0, new.0);
}
