//! Measures which codes the runs of these tests report: every code must be among them.
//!
//! Each test that runs the tool hands what it printed to [`note`]; when all tests have run, a code
//! that no run reported is an error. Mentions of a code in a test do not count.

use std::collections::BTreeSet;
use std::sync::{LazyLock, Mutex, PoisonError};

use regex::Regex;
use torchgen_rs::codes;

/// Codes that no run of these tests reports, and that docs/diagnostics has no example of,
/// because no input of a user causes them. Each is tested beside the code that reports it; this
/// list only gets shorter.
#[rustfmt::skip]
pub(crate) const ELSEWHERE: &[&str] = &[
    // These guard rules of the reference that earlier rules imply.
    "TG0407", "TG0421", "TG0502", "TG0545",
];

static REPORTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Records the codes in the output of a run, in any format.
pub(crate) fn note(printed: &str) {
    static CODE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"\[(TG\d{4})\]|"(TG\d{4})"|title=(TG\d{4})"#).expect("a regex"));
    let codes = CODE.captures_iter(printed).filter_map(|found| found.iter().skip(1).flatten().next());
    let codes = codes.map(|code| code.as_str().to_owned());
    REPORTED.lock().unwrap_or_else(PoisonError::into_inner).extend(codes);
}

/// The errors in the reported codes, after all tests have run.
pub(crate) fn wrong() -> Option<String> {
    let reported = REPORTED.lock().unwrap_or_else(PoisonError::into_inner);
    let missing: Vec<_> = codes()
        .iter()
        .map(|code| code.id)
        .filter(|code| !reported.contains(*code) && !ELSEWHERE.contains(code))
        .collect();
    let listed: Vec<_> = ELSEWHERE.iter().filter(|code| reported.contains(**code)).collect();
    if !missing.is_empty() {
        return Some(format!(
            "no run reports {missing:?}: add an example to its page in docs/diagnostics or a case to tests/ui"
        ));
    }
    (!listed.is_empty()).then(|| format!("runs report {listed:?}: take them off the list in tests/fast/reported.rs"))
}
