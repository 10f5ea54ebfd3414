//! Random edits of PyTorch's YAML, for each version of torch against its own reference:
//! `cargo test --test slow edited/`.
//!
//! A case is a part of the operators, with their derivatives and deprecated signatures, and one to
//! three edits. What the reference refuses, torchgen-rs must refuse without a panic; what it
//! accepts, both must write in the same bytes. `generate` and `autograd` are judged apart.
//!
//! Invariant: a case depends on its seed and the version's files only. What torchgen-rs alone
//! refuses has a reason in `edited/reasons.txt`.

mod derivatives;
mod entry;
mod operators;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::conformance::{self, Context, MANIFEST, Mode, compare, workspace};
use crate::random;
use crate::support::random::Random;
use entry::Entry;

const OPERATORS: &str = "torchgen/packaged/ATen/native/native_functions.yaml";
const DERIVATIVES: &str = "torchgen/packaged/autograd/derivatives.yaml";
const DEPRECATED: &str = "torchgen/packaged/autograd/deprecated.yaml";
/// What runs need besides.
const OTHERS: [&str; 3] = [
    "torchgen/packaged/ATen/native/tags.yaml",
    "torchgen/packaged/ATen/templates",
    "torchgen/packaged/autograd/templates",
];
/// Our operators with the kernels that the reference demands.
const REQUIRED: &str = "own/required.yaml";
/// Flags of `generate`, and the rest of their line.
const FLAGS: [&str; 5] =
    ["--per-operator-headers", "--update-aoti-c-shim", "--mps", "--rocm", "--static-dispatch-backend CPU CUDA"];
/// The number of operators after which no group is added.
const ENOUGH: usize = 18;

/// One test for each version.
pub(crate) fn trials() -> Result<Vec<Trial>, String> {
    let older = conformance::load_older(Mode::Live)?;
    let trial = |context: Context| {
        let name = format!("{}edited", context.prefix);
        Trial::test(name, move || check(&context).map_err(Failed::from))
    };
    Ok(older.into_iter().chain([conformance::load(Mode::Live)?]).map(trial).collect())
}

/// The three files of a case.
struct Files {
    operators: Vec<Entry>,
    derivatives: Vec<Entry>,
    deprecated: Vec<Entry>,
}

/// A case, laid out in a directory for each side.
struct Case {
    seed: u64,
    directory: PathBuf,
    edits: Vec<String>,
    flags: String,
}

/// What a run ended with.
struct Outcome {
    status: Option<i64>,
    said: String,
}

/// Runs all cases of a version.
fn check(context: &Context) -> Result<(), String> {
    let cases = crate::number("TORCHGEN_SLOW_EDITS", 200);
    let first = crate::number("TORCHGEN_SLOW_SEED", 0);
    let wheel = context.wheel()?;
    let reference = context.reference()?;
    let texts = [OPERATORS, DERIVATIVES, DEPRECATED].map(|file| workspace::text(&wheel.join(file)));
    let [operators, derivatives, deprecated] = texts;
    let all = Files {
        operators: Entry::all(&operators?, "- func: "),
        derivatives: Entry::all(&derivatives?, "- name: "),
        deprecated: Entry::all(&deprecated?, "- name: "),
    };
    let required = workspace::text(&reference.here.join(REQUIRED))?;
    let cases = (first..first + cases).map(|seed| {
        let directory = context.ours.join(format!("edited-{seed}"));
        case(seed, &all, &required, wheel, &directory)
    });
    let cases = cases.collect::<Result<Vec<Case>, String>>()?;
    let theirs = many(&reference.here.join("reference_many.py"), wheel, &cases)?;
    let version: Vec<&str> = context.suite.wheel.version().split('.').collect();
    let torch = version[..2].join(".");
    let reasons = reasons();
    let (mut counts, mut wrong): (BTreeMap<&str, usize>, Vec<String>) = Default::default();
    for (case, theirs) in cases.iter().zip(theirs.chunks(2)) {
        let mut fine = true;
        for ((entry, flags, out), theirs) in runs(case).into_iter().zip(theirs) {
            let verdict = verdict(case, (entry, &flags, out), &torch, theirs, &reasons)?;
            match verdict {
                Ok(verdict) => *counts.entry(verdict).or_default() += 1,
                Err(problem) => {
                    fine = false;
                    wrong.push(format!("{} {entry}\n  {}\n  {problem}", case.seed, case.edits.join("\n  ")));
                }
            }
        }
        if fine {
            workspace::remove(&case.directory)?;
        }
    }
    println!("{}edited: {} cases, runs {counts:?}, {} wrong", context.prefix, cases.len(), wrong.len());
    let place = context.ours.display();
    if wrong.is_empty() { Ok(()) } else { Err(format!("in {place}/edited-<seed>:\n{}", wrong.join("\n"))) }
}

/// The two runs of a case: entry point, flags, where the output is.
fn runs(case: &Case) -> [(&'static str, String, &'static str); 2] {
    let generate = format!("-s torchgen/packaged/ATen -d out --aoti-install-dir out/aoti{}", case.flags);
    let autograd = format!(
        "--native-functions-path {OPERATORS} --tags-path {} --autograd-dir torchgen/packaged/autograd --install-dir out-autograd",
        OTHERS[0]
    );
    [("generate", generate, "out"), ("autograd", autograd, "out-autograd")]
}

/// Runs the reference for all runs of all cases.
fn many(script: &Path, wheel: &Path, cases: &[Case]) -> Result<Vec<Outcome>, String> {
    let mut lines = String::new();
    for case in cases {
        for (entry, flags, _) in runs(case) {
            let flags: Vec<&str> = flags.split_whitespace().collect();
            lines += &serde_json::json!([case.directory.join("theirs"), entry, flags]).to_string();
            lines.push('\n');
        }
    }
    let mut command = Command::new("python3");
    command
        .arg(script)
        .arg(wheel)
        .env("PYTHONHASHSEED", "0")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PYTHONUTF8", "1");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
    let mut stdin = child.stdin.take().ok_or("a pipe")?;
    // The answers are read meanwhile, so that neither side waits for the other.
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    writer.join().map_err(|_| "the writer panicked")?.map_err(|error| error.to_string())?;
    let answers = String::from_utf8_lossy(&output.stdout);
    let answer = |line: &str| {
        let answer: Value = serde_json::from_str(line).map_err(|error| format!("{line}: {error}"))?;
        let said = answer["said"].as_str().unwrap_or_default().to_owned();
        Ok(Outcome { status: answer["status"].as_i64(), said })
    };
    let outcomes: Vec<Outcome> = answers.lines().map(answer).collect::<Result<_, String>>()?;
    if outcomes.len() == cases.len() * 2 {
        Ok(outcomes)
    } else {
        Err(format!("the reference ended with {}", output.status))
    }
}

/// How both sides agree about a run, or how they do not.
fn verdict(
    case: &Case,
    (entry, flags, out): (&str, &str, &str),
    torch: &str,
    theirs: &Outcome,
    reasons: &[&str],
) -> Result<Result<&'static str, String>, String> {
    let directory = case.directory.join("ours");
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    command.arg(entry).args(flags.split_whitespace()).args(["--torch", torch]).current_dir(&directory);
    let output = command.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if said.contains("panicked") || output.status.code().is_none_or(|code| code > 2) {
        return Ok(Err(format!("torchgen-rs ended with {}: {said}", output.status)));
    }
    Ok(match (theirs.status == Some(0), output.status.success()) {
        (false, false) => {
            println!("{}/{entry}: both refuse it: {} | {}", case.seed, last(&theirs.said, 1), first(&said));
            Ok("refused by both")
        }
        (true, true) => {
            let [expected, ours] = ["theirs", "ours"].map(|side| case.directory.join(side).join(out));
            let mut comparison = compare::trees(&expected, &ours)?;
            comparison.ignore_extra(MANIFEST);
            comparison.report(&format!("{}/{entry}", case.seed), None, 0.0, (&expected, &ours)).map(|()| "the same")
        }
        (true, false) => {
            let mut errors = said.lines().filter(|line| line.starts_with("error"));
            let has_reason = |error: &str| reasons.iter().any(|words| error.contains(words));
            match errors.all(has_reason) {
                true => Ok("refused by torchgen-rs alone, for a reason"),
                false => Err(format!("only torchgen-rs refuses it: {said}")),
            }
        }
        (false, true) => Err(format!("only the reference refuses it: {}", last(&theirs.said, 6))),
    })
}

/// The last lines of what the reference said.
fn last(said: &str, count: usize) -> String {
    let lines: Vec<&str> = said.trim_end().lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

/// The first line of what torchgen-rs said.
fn first(said: &str) -> &str {
    said.lines().next().unwrap_or_default()
}

/// Words of the errors with which torchgen-rs may refuse what the reference accepts.
fn reasons() -> Vec<&'static str> {
    let lines = include_str!("edited/reasons.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(" | ")).map(|(words, _)| words).collect()
}

/// The case of a seed.
fn case(seed: u64, all: &Files, required: &str, wheel: &Path, directory: &Path) -> Result<Case, String> {
    let mut random = Random(seed);
    let mut files = part(all, &mut random);
    let wanted = if random.once_in(3) { 1 + random.below(3) } else { 1 };
    let mut edits = Vec::new();
    for _ in 0..50 {
        let of = if random.below(3) == 0 { derivatives::EDITS } else { operators::EDITS };
        let edit = random.pick(of).ok_or("no edits")?;
        edits.extend(edit(&mut random, &mut files));
        if edits.len() as u64 >= wanted {
            break;
        }
    }
    let mut flags = String::new();
    for flag in FLAGS.iter().filter(|_| random.below(4) == 0) {
        flags = format!("{flags} {flag}");
    }
    let text = |entries: &[Entry]| match entries {
        [] => "[]\n".to_owned(),
        entries => entries.iter().map(Entry::text).collect(),
    };
    for side in ["theirs", "ours"] {
        let to = directory.join(side);
        workspace::fresh(&to)?;
        for other in OTHERS {
            workspace::copy(&wheel.join(other), &to.join(other))?;
        }
        workspace::write(&to.join(OPERATORS), format!("{}{required}", text(&files.operators)).as_bytes())?;
        workspace::write(&to.join(DERIVATIVES), text(&files.derivatives).as_bytes())?;
        workspace::write(&to.join(DEPRECATED), text(&files.deprecated).as_bytes())?;
    }
    Ok(Case { seed, directory: directory.to_owned(), edits, flags })
}

/// Some groups of operators with what belongs to them.
fn part(all: &Files, random: &mut Random) -> Files {
    let mut groups: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    for entry in &all.operators {
        groups.entry(group(name(&entry.head))).or_default().push(entry);
    }
    let derived: BTreeSet<&str> = all.derivatives.iter().map(|entry| group(name(&entry.head))).collect();
    let names: Vec<&str> = groups.keys().copied().collect();
    let derived: Vec<&str> = names.iter().copied().filter(|name| derived.contains(name)).collect();
    let mut taken = BTreeSet::new();
    let mut operators = Vec::new();
    while operators.len() < ENOUGH {
        let from = if random.once_in(3) { &names } else { &derived };
        let Some(group) = random.pick(from) else { break };
        if taken.insert(*group) {
            operators.extend(groups[group].iter().map(|entry| (*entry).clone()));
        }
    }
    let names: BTreeSet<String> = operators.iter().map(|entry| name(&entry.head).to_owned()).collect();
    let roots: BTreeSet<&str> = names.iter().map(|name| name.split('.').next().unwrap_or(name)).collect();
    let derivatives = all.derivatives.iter().filter(|entry| names.contains(name(&entry.head))).cloned().collect();
    let calls = |entry: &&Entry| {
        let call = entry.value("aten").and_then(|call| call.split('(').next());
        call.is_some_and(|call| roots.contains(call))
            && roots.contains(name(&entry.head).split('.').next().unwrap_or_default())
    };
    let deprecated = all.deprecated.iter().filter(calls).cloned().collect();
    Files { operators, derivatives, deprecated }
}

/// The name of an entry's operator, with its overload.
fn name(head: &str) -> &str {
    let rest = head.split_once(": ").map_or(head, |(_, rest)| rest);
    rest.split('(').next().unwrap_or(rest)
}

/// The group of an operator, with the one that its derivative is made from.
fn group(name: &str) -> &str {
    let group = random::group(name);
    group.strip_prefix("foreach_").unwrap_or(group)
}

/// A text with each occurrence of a word replaced.
fn replaced_words(text: &str, old: &str, new: &str) -> String {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let (mut replaced, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(old) {
        let before = rest[..at].chars().next_back().or_else(|| replaced.chars().next_back());
        let after = rest[at + old.len()..].chars().next();
        let whole = !before.is_some_and(is_word) && !after.is_some_and(is_word);
        replaced.push_str(&rest[..at]);
        replaced.push_str(if whole { new } else { old });
        rest = &rest[at + old.len()..];
    }
    replaced + rest
}
