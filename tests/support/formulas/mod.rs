//! Random formulas on both ABIs: what the program accepts compiles, and its translation to Python
//! has the value that C++ has.
//!
//! A seed is a formula. `scalars.rs` draws expressions of numbers, `calls.rs` calls of ATen's
//! overloads, and `words.rs` has formulas of each word of the vocabulary. Many are one library, in
//! which each is the formula of an operator of its own (`values.rs`). `cxx.rs` compiles them as
//! functions of one C++ file; the program translates them to a package, whose backward functions
//! `tests/formulas/harness.py` calls with the same values. `shrink.rs` reduces a failure.
//!
//! Failures that are known are in `tests/formulas/known.yaml`, with reasons. Formulas that failed
//! once are in `tests/formulas/found.txt`.
//!
//! Invariant: the formula of a seed is the same on every machine.

mod batch;
mod calls;
mod cxx;
mod expr;
mod scalars;
mod shrink;
mod values;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use regex::Regex;
use serde::Deserialize;

use self::expr::{Expr, call, leaf};
use super::random::Random;
use super::torch::root;

/// The failures that are known, with reasons.
const KNOWN: &str = "tests/formulas/known.yaml";

/// Formulas that failed once.
const FOUND: &str = "tests/formulas/found.txt";

/// What formulas are drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Machine {
    Scalars,
    Calls,
    /// Those of numbers, of operators with two results.
    Gradients,
    Words,
    /// All of these in turn.
    All,
}

/// How formulas are run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// The machine's compiler has to take them. Otherwise it is the quick one.
    pub(crate) by_machine: bool,
    /// How many are compiled together.
    pub(crate) batch: usize,
    /// Those that failed once are among the first.
    pub(crate) found: bool,
}

/// A formula of a batch.
struct Case {
    number: usize,
    text: String,
}

impl Case {
    /// The name of its operator.
    fn name(&self) -> String {
        format!("f{}", self.number)
    }
}

/// What became of a formula.
#[derive(Clone, Debug)]
enum Outcome {
    /// Both ABIs refuse it.
    Refused,
    /// Only the stable ABI accepts it, and C++ does not.
    OnlyPython,
    /// It compiles, and each ABI accepts it or not.
    Accepted([bool; 2]),
    Found(Found),
}

/// A failure.
#[derive(Clone, Debug)]
enum Found {
    /// The C++ API accepts it, and it does not compile.
    DoesNotCompile(String),
    /// Both have a value, or only one of them.
    Differs { values: String, cpp: String, python: String },
    /// It ends the process in C++, and not in Python.
    Ends { values: String, said: String },
}

impl Found {
    /// Whether it may have the same cause.
    fn is_like(&self, other: &Found) -> bool {
        let errors = |found: &Found| match found {
            Found::Differs { cpp, python, .. } => [cpp, python].map(|said| error(said).map(str::to_owned)),
            _ => [None, None],
        };
        std::mem::discriminant(self) == std::mem::discriminant(other) && errors(self) == errors(other)
    }
}

/// The class of an error, if it is one.
fn error(said: &str) -> Option<&str> {
    said.split_once(':').map(|(class, _)| class).filter(|class| class.ends_with("Error"))
}

impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Found::DoesNotCompile(error) => write!(f, "accepted, but does not compile: {error}"),
            Found::Differs { values, cpp, python } => write!(f, "{values}: C++ has {cpp}, Python {python}"),
            Found::Ends { values, said } => write!(f, "{values}: C++ ends the process: {said}"),
        }
    }
}

/// A failure that is known: a pattern of its text, and the reason.
#[derive(Deserialize)]
struct Known {
    #[serde(with = "serde_regex_text")]
    found: Regex,
    reason: String,
}

mod serde_regex_text {
    use regex::Regex;
    use serde::{Deserialize, Deserializer};

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(source: D) -> Result<Regex, D::Error> {
        Regex::new(&String::deserialize(source)?).map_err(serde::de::Error::custom)
    }
}

/// Draws and runs the formulas of seeds; those of words are numbered.
///
/// # Panics
///
/// If a formula fails that the table of known failures lacks, with the smallest formula.
#[track_caller]
pub(crate) fn check(machine: Machine, seeds: Range<u64>, plan: &Plan) {
    let known = std::fs::read_to_string(root().join(KNOWN)).expect("the table of known failures");
    let known: Vec<Known> = serde_yaml::from_str(&known).expect("the table of known failures");
    let seeds: Vec<u64> = seeds.collect();
    let mut summary = Summary::default();
    let mut wrong = Vec::new();
    for seeds in seeds.chunks(plan.batch) {
        let mut drawn = BTreeSet::new();
        let found = if plan.found && summary.formulas == 0 { found() } else { Vec::new() };
        let all = found.into_iter().chain(drawn_of(machine, seeds));
        let formulas: Vec<(u64, Expr)> = all.filter(|(_, formula)| drawn.insert(formula.text())).collect();
        let only: Vec<Expr> = formulas.iter().map(|(_, formula)| formula.clone()).collect();
        let ran = batch::run(&only, plan);
        let mut failures = Vec::new();
        let mut whole = Vec::new();
        for ((seed, formula), outcome) in formulas.into_iter().zip(&ran.outcomes) {
            if let Outcome::Found(found) = outcome
                && !summary.is_known(&known, &formula, found)
            {
                whole.push((seed, formula.text()));
                failures.push((formula, found.clone()));
            }
        }
        summary.add(&ran);
        if std::env::var_os("TORCHGEN_UNREDUCED").is_none() {
            shrink::reduced(&mut failures, plan);
        }
        for ((seed, whole), (formula, found)) in whole.into_iter().zip(failures) {
            if !summary.is_known(&known, &formula, &found) {
                wrong.push(format!("{}\n  {found}\n  seed {seed} of {machine:?}: {whole}", formula.text()));
            }
        }
        println!("{machine:?} {}..={}: {summary}", seeds[0], seeds[seeds.len() - 1]);
    }
    let count = wrong.len();
    assert!(wrong.is_empty(), "{count} formulas fail: {summary}\n\n{}\n", wrong.join("\n\n"));
}

/// The formulas that failed once, each with its line.
fn found() -> Vec<(u64, Expr)> {
    let text = std::fs::read_to_string(root().join(FOUND)).expect("the formulas that failed once");
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with("# "));
    // One with a part is compiled, whichever ABI accepts it.
    lines.map(|(number, line)| (number, call("", vec![leaf(line)]))).collect()
}

/// The formulas of seeds.
fn drawn_of(machine: Machine, seeds: &[u64]) -> Vec<(u64, Expr)> {
    let words = if matches!(machine, Machine::Words | Machine::All) { words::formulas() } else { Vec::new() };
    let draw = |seed: u64| {
        const MACHINES: [Machine; 4] = [Machine::Scalars, Machine::Calls, Machine::Words, Machine::Gradients];
        // Without a step, the numbers of neighbouring seeds are alike.
        let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ machine as u64);
        let machine = if machine == Machine::All { *random.pick(&MACHINES).expect("a machine") } else { machine };
        match machine {
            Machine::Scalars => scalars::formula(&mut random),
            Machine::Calls => calls::formula(&mut random),
            Machine::Gradients => scalars::of_two(&mut random),
            Machine::Words | Machine::All => random.pick(&words).expect("a formula").clone(),
        }
    };
    match machine {
        Machine::Words => (0..).zip(words).filter(|(seed, _)| seeds.contains(seed)).collect(),
        _ => seeds.iter().map(|&seed| (seed, draw(seed))).collect(),
    }
}

/// How many formulas of words there are.
pub(crate) fn count_of_words() -> u64 {
    u64::try_from(words::formulas().len()).expect("a length fits")
}

/// What was run.
#[derive(Default)]
struct Summary {
    formulas: usize,
    refused: usize,
    only_python: usize,
    only_cpp: usize,
    only_stable: usize,
    both: usize,
    found: usize,
    compared: [u64; 3],
    known: BTreeMap<String, usize>,
}

impl Summary {
    /// Whether a failure is known, which is counted.
    fn is_known(&mut self, known: &[Known], formula: &Expr, found: &Found) -> bool {
        let text = format!("{}\n{found}", formula.text());
        let known = known.iter().find(|known| known.found.is_match(&text));
        known.is_some_and(|known| {
            *self.known.entry(known.reason.clone()).or_default() += 1;
            true
        })
    }

    fn add(&mut self, ran: &batch::Ran) {
        self.formulas += ran.outcomes.len();
        for outcome in &ran.outcomes {
            *match outcome {
                Outcome::Refused => &mut self.refused,
                Outcome::OnlyPython => &mut self.only_python,
                Outcome::Accepted([true, true]) => &mut self.both,
                Outcome::Accepted([true, false]) => &mut self.only_cpp,
                Outcome::Accepted(_) => &mut self.only_stable,
                Outcome::Found(_) => &mut self.found,
            } += 1;
        }
        for (count, more) in self.compared.iter_mut().zip(ran.compared) {
            *count += more;
        }
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Summary { formulas, refused, only_python, only_cpp, only_stable, both, found, compared, known } = self;
        let [values, errors, kinds] = compared;
        write!(
            f,
            "{formulas} formulas: {refused} refused by both ABIs, {both} accepted by both, {only_cpp} only by the \
             C++ API, {only_stable} only by the stable ABI ({only_python} more do not compile), {found} fail; \
             {values} pairs of values are the same, {errors} pairs of errors ({kinds} of different classes)"
        )?;
        known.iter().try_for_each(|(reason, count)| write!(f, "; {count} known: {reason}"))
    }
}
