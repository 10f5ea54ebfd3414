//! Random edits of PyTorch's formulas, as formulas of a library: what the program accepts must
//! compile, and what it refuses should not.
//!
//! Each edited formula belongs to an operator `edit::NAME_NUMBER` of its own. Many operators are
//! one library: a diagnostic has a line of derivatives.yaml, and an error of the compiler one of
//! the function that has the formula.
//!
//! An accepted formula is generated and compiled. A refused one is compiled in the function that
//! the generator writes around a formula which uses all names (`Original::frame`), so its names
//! have the types that they have in a node.
//!
//! Invariant: the edits depend on the seed and on PyTorch's file only.

mod cpp;
mod edit;
mod originals;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use self::edit::Pool;
use self::originals::Original;
use self::tokens::Tokens;
use super::random::Random;
use super::refused::{self, Refusal};
use super::torch::{root, torch};

/// The reasons for which the program may refuse what compiles.
const REASONS: &str = "tests/edits/reasons.txt";
/// How many formulas are compiled together.
const BATCH: usize = 250;

/// An edited formula.
struct Case<'a> {
    original: &'a Original,
    name: String,
    formula: String,
    edits: Vec<&'static str>,
}

impl<'a> Case<'a> {
    /// A formula as it is.
    fn unedited(number: usize, original: &'a Original) -> Case<'a> {
        let name = format!("{}_{number}", original.name);
        Case { original, name, formula: original.formula.clone(), edits: Vec::new() }
    }

    /// The case for a report.
    fn shown(&self) -> String {
        let Original { signature, key, formula, .. } = self.original;
        let edits = self.edits.join(", ");
        format!("edit::{}{signature}\n  {key}: {}\n  was: {formula}\n  edits: {edits}\n", self.name, self.formula)
    }
}

/// Edits formulas until the program accepted and refused that many, and compiles them.
///
/// # Panics
///
/// If an accepted formula does not compile, or a refused one compiles for a reason that
/// `tests/edits/reasons.txt` lacks; with all such formulas.
#[track_caller]
pub(crate) fn check(seed: u64, accepted: usize, refused: usize) {
    let report = run(seed, accepted, refused);
    let allowed = std::fs::read_to_string(root().join(REASONS)).expect("a list of reasons");
    let allowed: BTreeSet<&str> = allowed.lines().filter(|line| !line.starts_with('#')).collect();
    let mut wrong = String::new();
    for (shown, error) in &report.accepted_only {
        let _ = write!(wrong, "accepted, but does not compile: {shown}  error: {error}\n\n");
    }
    let (mut listed, mut new) = (BTreeMap::new(), 0);
    for (shown, refusal) in &report.compiled_only {
        let kind = refusal.kind();
        let count: &mut (usize, &str) = listed.entry(kind.clone()).or_insert((0, shown));
        count.0 += 1;
        if !allowed.contains(kind.as_str()) {
            new += 1;
            let _ = write!(wrong, "refused, but compiles: {shown}  {}: {}\n\n", refusal.code, refusal.message);
        }
    }
    println!("{}", report.summary);
    for (kind, (count, shown)) in listed {
        println!("{count} refused for {kind} compile, as {shown}");
    }
    let count = report.accepted_only.len();
    assert!(
        wrong.is_empty(),
        "seed {seed}: {count} accepted formulas do not compile, and {new} refused ones compile for a reason \
         that {REASONS} lacks\n\n{wrong}{}",
        report.summary
    );
}

/// Compiles all formulas unedited: as they are, and in their frames.
///
/// # Panics
///
/// If one does not compile.
#[track_caller]
pub(crate) fn check_unedited() {
    let usable = usable(&all());
    let cases: Vec<Case> = usable.iter().enumerate().map(|(i, original)| Case::unedited(i, original)).collect();
    let mut wrong = String::new();
    for batch in cases.chunks(BATCH) {
        let plain = cpp::errors(batch, &[]);
        let framed = cpp::errors(&[], &batch.iter().collect::<Vec<_>>());
        for (name, error) in plain.iter().chain(&framed) {
            let case = batch.iter().find(|case| case.name == *name).map_or_else(|| name.clone(), Case::shown);
            let _ = write!(wrong, "{case}  error: {error}\n\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// PyTorch's formulas.
fn all() -> Vec<Original> {
    let packages = torch().package().parent().expect("torch is in a directory of packages");
    let all = originals::read(&packages.join("torchgen/packaged/autograd/derivatives.yaml"));
    assert!(all.len() > 500, "PyTorch has more formulas");
    all
}

/// What a run found.
struct Report {
    /// Formulas that the program accepts, and the compiler's first error.
    accepted_only: Vec<(String, String)>,
    /// Formulas that the program refuses, and that compile.
    compiled_only: Vec<(String, Refusal)>,
    summary: String,
}

fn run(seed: u64, accepted: usize, refused: usize) -> Report {
    let all = all();
    let pool = Pool::new(&all);
    let mut random = Random(seed);
    // A few edits need only some of the formulas.
    let count = u64::try_from(all.len()).expect("a length fits");
    let some = u64::try_from(6 * accepted.max(refused)).expect("a length fits");
    let some: Vec<Original> = all.into_iter().filter(|_| random.below(count) < some).collect();
    let usable = usable(&some);
    assert!(!usable.is_empty(), "the program refuses all of PyTorch's formulas");
    let mut summary = format!("seed {seed}: {} of {} formulas can be a library's", usable.len(), some.len());
    let mut seen = BTreeSet::new();
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    let mut number = 0;
    while good.len() < accepted || bad.len() < refused {
        let mut cases = Vec::new();
        let left = accepted.saturating_sub(good.len()).max(refused.saturating_sub(bad.len()));
        for _ in 0..(4 * left).clamp(40, 3000) {
            let Some(original) = random.pick(&usable) else { break };
            let Some((formula, edits)) = edit::edited(original, &pool, &mut random) else { continue };
            if seen.insert((original.signature.clone(), original.key.clone(), formula.clone())) {
                number += 1;
                cases.push(Case { original, name: format!("{}_{number}", original.name), formula, edits });
            }
        }
        assert!(!cases.is_empty() && number < 50 * (accepted + refused), "{summary}; {number} edits are not enough");
        let entries = |case: &Case| case.original.entries(&case.name, &case.formula);
        let entries: Vec<_> = cases.iter().map(entries).collect();
        for (case, refusal) in cases.into_iter().zip(refusals(&entries)) {
            match refusal {
                None if good.len() < accepted => good.push(case),
                Some(refusal) if bad.len() < refused => bad.push((case, refusal)),
                _ => {}
            }
        }
    }
    let (mut accepted_only, mut compiled_only) = (Vec::new(), Vec::new());
    let batches = good.len().max(bad.len()).div_ceil(BATCH).max(1);
    let part = |length: usize, i: usize| length * i / batches..length * (i + 1) / batches;
    for i in 0..batches {
        let (good, bad) = (&good[part(good.len(), i)], &bad[part(bad.len(), i)]);
        let errors = cpp::errors(good, &bad.iter().map(|(case, _)| case).collect::<Vec<_>>());
        for case in good {
            accepted_only.extend(errors.get(&case.name).map(|error| (case.shown(), error.clone())));
        }
        for (case, refusal) in bad {
            if !errors.contains_key(&case.name) {
                compiled_only.push((case.shown(), refusal.clone()));
            }
        }
    }
    let _ = write!(
        summary,
        "; {} accepted, of which {} do not compile; {} refused, of which {} compile; {number} edited",
        good.len(),
        accepted_only.len(),
        bad.len(),
        compiled_only.len()
    );
    Report { accepted_only, compiled_only, summary }
}

/// The formulas that the program accepts unedited. It must also accept their frames.
fn usable(all: &[Original]) -> Vec<Original> {
    let cases: Vec<Case> = all.iter().enumerate().map(|(i, original)| Case::unedited(i, original)).collect();
    let plain: Vec<_> = cases.iter().map(|case| case.original.entries(&case.name, &case.formula)).collect();
    let kept = cases.iter().zip(refusals(&plain)).filter(|(_, refusal)| refusal.is_none());
    let kept: Vec<&Case> = kept.map(|(case, _)| case).collect();
    let frame = |case: &&Case| case.original.entries(&case.name, &case.original.frame(&case.formula));
    let both = kept.iter().zip(refusals(&kept.iter().map(frame).collect::<Vec<_>>()));
    both.filter(|(_, refusal)| refusal.is_none()).map(|(case, _)| case.original.clone()).collect()
}

/// Why the program refuses each operator.
fn refusals(entries: &[(String, String)]) -> Vec<Option<Refusal>> {
    refused::refusals(entries, &further())
}

/// Writes a library of operators.
fn write(directory: &Path, entries: &[&(String, String)]) {
    refused::write(directory, entries, &further());
}

/// The author's header, which all formulas see.
fn further() -> [(&'static str, String); 1] {
    [("derivatives_manual.h", originals::manual())]
}

/// Whether a formula can be written into a file with others.
fn is_whole(formula: &str) -> bool {
    let comments = formula.matches("/*").count() == formula.matches("*/").count() && !formula.contains("//");
    let tokens = Tokens::new(formula);
    comments && tokens.is_balanced() && !tokens.has_lists()
}
