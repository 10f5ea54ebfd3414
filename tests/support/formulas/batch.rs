//! Formulas are checked on both ABIs, compiled, translated, and run with the same values.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::json;

use super::expr::Expr;
use super::{Case, Found, Outcome, Plan, cxx, values};
use crate::support::refused::{self, Refusal};
use crate::support::torch::{root, torch};

/// How long the values of a batch may take.
const LIMIT: Duration = Duration::from_secs(300);

/// What a library of each ABI has in library.yaml.
const SETTINGS: [&str; 2] = ["allow: [TG0902]\n", "abi: stable\ntorch_min: '2.10'\nallow: [TG0902]\n"];

/// What became of a batch.
#[derive(Default)]
pub(super) struct Ran {
    /// What became of each formula.
    pub(super) outcomes: Vec<Outcome>,
    /// Pairs of values and pairs of errors that were compared; pairs of errors of different kinds.
    pub(super) compared: [u64; 3],
}

/// What the harness writes.
#[derive(Deserialize)]
struct Compared {
    differ: Vec<(usize, String, String, String)>,
    values: u64,
    errors: u64,
    kinds: u64,
}

/// Runs formulas.
pub(super) fn run(formulas: &[Expr], plan: &Plan) -> Ran {
    let case = |(number, formula): (usize, &Expr)| Case { number, text: formula.text() };
    let cases: Vec<Case> = formulas.iter().enumerate().map(case).collect();
    let entries: Vec<_> = cases.iter().map(|case| values::entries(&case.name(), &case.text)).collect();
    let [cpp, stable] = SETTINGS.map(|settings| refused::refusals(&entries, &[("library.yaml", settings.to_owned())]));
    let accepts = |refusals: &[Option<Refusal>], case: &Case| refusals[case.number].is_none();
    // A word at a place of another may be a name of some header, which the C++ API has to accept.
    let counts =
        |case: &&Case| accepts(&stable, case) || accepts(&cpp, case) && !formulas[case.number].parts.is_empty();
    let some: Vec<&Case> = cases.iter().filter(counts).collect();
    let mut ran = Ran { outcomes: vec![Outcome::Refused; cases.len()], ..Ran::default() };
    if some.is_empty() {
        return ran;
    }
    let (of_cpp, only_python): (Vec<&Case>, Vec<&Case>) = some.iter().partition(|case| accepts(&cpp, case));
    let (object, errors) = cxx::compiled(&of_cpp, &only_python, plan);
    for case in &some {
        let both = [accepts(&cpp, case), accepts(&stable, case)];
        ran.outcomes[case.number] = match errors.get(&case.number) {
            Some(error) if both[0] => Outcome::Found(Found::DoesNotCompile(error.clone())),
            Some(_) => Outcome::OnlyPython,
            None => Outcome::Accepted(both),
        };
    }
    let runs = |case: &&&Case| accepts(&stable, case) && !errors.contains_key(&case.number);
    let compared: Vec<&Case> = some.iter().filter(runs).copied().collect();
    let found = compare(&compared, &object, &mut ran.compared);
    for (number, found) in found {
        ran.outcomes[number] = Outcome::Found(found);
    }
    ran
}

/// Runs formulas that both sides have, without those that end the process.
fn compare(cases: &[&Case], object: &Path, counts: &mut [u64; 3]) -> BTreeMap<usize, Found> {
    let mut found = BTreeMap::new();
    if cases.is_empty() {
        return found;
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (yaml, out) = (directory.path().join("yaml"), directory.path().join("out"));
    std::fs::create_dir_all(&yaml).expect("a new directory");
    let entries: Vec<_> = cases.iter().map(|case| values::entries(&case.name(), &case.text)).collect();
    refused::write(&yaml, &entries.iter().collect::<Vec<_>>(), &[("library.yaml", SETTINGS[1].to_owned())]);
    torch().generate(&yaml, &out);
    let schema =
        |case: &&Case| values::schema(&case.name(), &case.text).replace(&format!("{}::", values::NAMESPACE), "");
    let schemas: Vec<String> = cases.iter().map(schema).collect();
    let mut left_out = BTreeSet::new();
    loop {
        let cases: Vec<&Case> = cases.iter().copied().filter(|case| !left_out.contains(&case.number)).collect();
        match harness(&schemas, &cases, object, directory.path()) {
            Ok(compared) => {
                for (number, values, cpp, python) in compared.differ {
                    found.entry(number).or_insert(Found::Differs { values, cpp, python });
                }
                for (count, more) in counts.iter_mut().zip([compared.values, compared.errors, compared.kinds]) {
                    *count += more;
                }
                return found;
            }
            Err((number, values, side, said)) => {
                assert!(left_out.insert(number), "formula {number} ran, and was left out");
                // What ends both sides is torch's.
                if side == "cpp" {
                    found.insert(number, Found::Ends { values, said });
                }
            }
        }
    }
}

/// Runs the harness: what it wrote, or the formula, the values and the side that ended it, and how.
fn harness(
    operators: &[String],
    cases: &[&Case],
    object: &Path,
    directory: &Path,
) -> Result<Compared, (usize, String, String, String)> {
    let [out, list, progress] = ["found.json", "formulas.json", "progress"].map(|name| directory.join(name));
    let formulas: Vec<_> =
        cases.iter().map(|case| json!({"number": case.number, "name": case.name(), "text": case.text})).collect();
    std::fs::write(&list, json!({"operators": operators, "formulas": formulas}).to_string()).expect("a new file");
    std::fs::write(&progress, "").expect("a new file");
    let mut command = torch().tool("python");
    command.env("PYTHONDONTWRITEBYTECODE", "1").arg(root().join("tests/formulas/harness.py"));
    command.arg(&out).arg(object).arg(directory.join("out/python")).arg(&list).arg(&progress);
    let errors = directory.join("errors");
    command.stderr(std::fs::File::create(&errors).expect("a new file")).stdout(std::process::Stdio::null());
    let status = limited(command.spawn().expect("Python runs"));
    let said = std::fs::read_to_string(&errors).unwrap_or_default();
    let text = std::fs::read_to_string(&out).unwrap_or_default();
    if let Ok(compared) = serde_json::from_str(&text) {
        std::fs::remove_file(&out).expect("a file that was read");
        return Ok(compared);
    }
    let progress = std::fs::read_to_string(&progress).unwrap_or_default();
    let words: Vec<&str> = progress.split_whitespace().collect();
    let [number, values, side] = words.as_slice() else { panic!("the harness ended with {status}: {said}") };
    // An error of the harness itself is none of a formula.
    assert!(!said.contains("harness.py\", line"), "{said}");
    let last = said.lines().last().unwrap_or_default();
    let number = number.parse().expect("the number of a formula");
    Err((number, (*values).to_owned(), (*side).to_owned(), format!("{status} {last}")))
}

/// How a process ended, which is ended if it takes too long.
fn limited(mut child: Child) -> String {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a process") {
            return status.to_string();
        }
        if start.elapsed() > LIMIT {
            child.kill().expect("a process of ours");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
