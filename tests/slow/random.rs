//! Random cases: the reference and the binary under test read the same random part of PyTorch's
//! operators, with random flags and a random selection. They must write the same files, or both
//! refuse the input.
//!
//! `random/0`, `random/1` and so on: `TORCHGEN_SLOW_CASES` of them, from `TORCHGEN_SLOW_SEED`.

use std::collections::BTreeMap;
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};

use crate::conformance::configuration::Run;
use crate::conformance::workspace::{self, Prepared};
use crate::conformance::{self, Context, MANIFEST, Mode, checks, compare};
use crate::support::random::Random;

/// The file whose operators a case is made of, in the tree `wheel`.
const OPERATORS: &str = "torchgen/packaged/ATen/native/native_functions.yaml";
/// Our operators with the kernels that the reference demands.
const REQUIRED: &str = "own/required.yaml";
/// Keys whose lines can be left out of any operator.
const OPTIONAL: [&str; 4] = ["device_guard", "category_override", "manual_cpp_binding", "python_module"];
/// Flags that need no value, and the rest of their line.
const FLAGS: [&str; 9] = [
    "--per-operator-headers",
    "--mps",
    "--xpu",
    "--rocm",
    "--mtia",
    "--skip-dispatcher-op-registration",
    "--force-schema-registration",
    "-o out/generated.cmake",
    "--headeronly-install-dir out/headeronly",
];
/// Flags that take some of a list of words.
const LISTS: [(&str, &[&str]); 3] = [
    ("--generate", &["headers", "sources", "declarations_yaml"]),
    ("--static-dispatch-backend", &["CPU", "CUDA", "Meta", "QuantizedCPU", "SparseCPU", "MkldnnCPU"]),
    ("--backend-whitelist", &["CPU", "CUDA", "Meta", "QuantizedCPU", "SparseCPU", "SparseCsrCUDA"]),
];

/// The cases.
pub(crate) fn trials() -> Result<Vec<Trial>, String> {
    let cases = crate::number("TORCHGEN_SLOW_CASES", 1000);
    let mut trials = Vec::new();
    // Each older version of torch has a fifth of the cases.
    let older = conformance::load_older(Mode::Live)?.into_iter().map(|context| (context, cases / 5));
    for (context, cases) in [(conformance::load(Mode::Live)?, cases)].into_iter().chain(older) {
        let context = Arc::new(context);
        let first = crate::number("TORCHGEN_SLOW_SEED", 0);
        let trial = |seed: u64| {
            let context = Arc::clone(&context);
            let name = format!("{}random/{seed}", context.prefix);
            Trial::test(name, move || check(&context, seed).map_err(Failed::from))
        };
        trials.extend((first..first + cases).map(trial));
    }
    Ok(trials)
}

/// Both sides read the case, and agree.
fn check(context: &Context, seed: u64) -> Result<(), String> {
    let reference = context.reference()?;
    let wheel = workspace::text(&context.wheel()?.join(OPERATORS))?;
    let required = workspace::text(&reference.here.join(REQUIRED))?;
    let Case { operators, names, mut run } = case(seed, &wheel, &required)?;
    // Older versions do not have the flag.
    let known = workspace::text(&context.wheel()?.join("torchgen/gen.py"))?;
    if !known.contains("--headeronly-install-dir")
        && let Some(at) = run.flags.iter().position(|flag| flag == "--headeronly-install-dir")
    {
        run.flags.drain(at..at + 2);
    }
    let runs = [run];
    let directory = context.ours.join(format!("random-{seed}"));
    let prepare = |side: &str| {
        let directory = directory.join(side);
        reference.prepare("wheel", &runs, &directory)?;
        workspace::write(&directory.join(OPERATORS), operators.as_bytes())?;
        workspace::write(&directory.join("selected.yaml"), names.as_bytes())?;
        Prepared::new(&directory)
    };
    let theirs = reference.run(&runs, prepare("reference")?);
    let ours = checks::run(&runs, prepare("ours")?);
    match (theirs, ours) {
        (Ok(()), Ok(())) => {
            let (expected, ours) = (directory.join("reference"), directory.join("ours"));
            let mut comparison = compare::trees(&expected, &ours)?;
            comparison.ignore_extra(MANIFEST);
            comparison.report(&format!("random/{seed}"), None, 0.0, (&expected, &ours))?;
            workspace::remove(&directory)
        }
        (Err(theirs), Err(ours)) => {
            println!("random/{seed}: both refuse it: {} | {}", error(&theirs), error(&ours));
            workspace::remove(&directory)
        }
        (Ok(()), Err(said)) => Err(format!("only torchgen-rs refuses {}: {said}", directory.display())),
        (Err(said), Ok(())) => Err(format!("only the reference refuses {}: {said}", directory.display())),
    }
}

/// The line of a program's output that says what is wrong.
fn error(said: &str) -> &str {
    said.lines().rfind(|line| line.contains("Error: ") || line.starts_with("error")).unwrap_or(said)
}

/// The inputs of one case.
struct Case {
    /// The text of native_functions.yaml.
    operators: String,
    /// A selection for a selective build.
    names: String,
    run: Run,
}

/// The case of a seed.
fn case(seed: u64, wheel: &str, required: &str) -> Result<Case, String> {
    let mut random = Random(seed);
    let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let starts: Vec<usize> = wheel.match_indices("\n- func: ").map(|(at, _)| at + 1).collect();
    for (start, end) in starts.iter().zip(starts.iter().skip(1).chain([&wheel.len()])) {
        let entry = &wheel[*start..*end];
        groups.entry(group(name(entry))).or_default().push(entry);
    }
    let share = 2 + random.below(12);
    let mut operators = String::new();
    let mut names = Vec::new();
    for entries in groups.values() {
        if random.below(groups.len() as u64) >= share * 10 {
            continue;
        }
        for entry in entries {
            names.push(name(entry));
            let optional = |line: &&str| OPTIONAL.iter().any(|key| line.trim_start().starts_with(key));
            operators.extend(entry.split_inclusive('\n').filter(|line| !optional(line) || random.below(4) > 0));
        }
    }
    operators.push_str(required);
    names.retain(|_| random.below(3) == 0);
    Ok(Case { operators, names: selection(&names, &mut random), run: run(&names, &mut random)? })
}

/// A command line; `names` are the operators that it may select.
fn run(names: &[&str], random: &mut Random) -> Result<Run, String> {
    let mut line = "generate -s torchgen/packaged/ATen -d out --aoti-install-dir out/aoti".to_owned();
    for flag in FLAGS.iter().filter(|_| random.below(4) == 0) {
        line = format!("{line} {flag}");
    }
    for (flag, words) in LISTS {
        if random.below(3) == 0 {
            line = format!("{line} {flag}");
            line.extend(words.iter().filter(|_| random.below(2) == 0).map(|word| format!(" {word}")));
        }
    }
    match random.below(4) {
        0 => line.push_str(" --op-selection-yaml-path selected.yaml"),
        1 => {
            line.push_str(" --op-registration-whitelist");
            line.extend(names.iter().map(|name| format!(" aten::{}", name.split('.').next().unwrap_or(name))));
        }
        _ => {}
    }
    Run::try_from(line)
}

/// The YAML of a selective build with these operators.
fn selection(names: &[&str], random: &mut Random) -> String {
    let mut text = "include_all_non_op_selectives: false\ninclude_all_operators: false\noperators:\n".to_owned();
    for name in names {
        let [root, training, all] = [2, 2, 4].map(|among| random.below(among) == 0);
        text.push_str(&format!(
            "  aten::{name}: {{is_root_operator: {root}, is_used_for_training: {training}, include_all_overloads: {all}}}\n"
        ));
    }
    if names.is_empty() {
        text.push_str("  aten::nothing: {}\n");
    }
    text
}

/// The name of an entry's operator, with its overload.
fn name(entry: &str) -> &str {
    let rest = entry.strip_prefix("- func: ").unwrap_or(entry);
    rest.split('(').next().unwrap_or(rest)
}

/// The group of an operator. Entries refer only to entries of their own group.
pub(crate) fn group(name: &str) -> &str {
    let name = name.split('.').next().unwrap_or(name);
    if name.starts_with("__") {
        return "__";
    }
    let name = name.strip_suffix('_').unwrap_or(name);
    let name = name.strip_suffix("_copy").unwrap_or(name);
    name.strip_prefix('_').unwrap_or(name)
}
