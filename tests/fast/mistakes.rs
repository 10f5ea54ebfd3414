//! Mistakes that authors make: each case of `tests/mistakes` is a library, or what another family
//! reads, with all that `check` prints for it and, if something is fixed, what `check --fix`
//! changes. `tests/mistakes/everyday` has the commonest ones; its README says how their messages
//! are judged.
//!
//! `UPDATE_EXPECT=1 cargo test --test fast mistakes::` writes the texts again.

use std::path::Path;

use libtest_mimic::Trial;

use crate::cases::{self, Case};
use crate::fixes;

/// One test for each mistake.
pub(crate) fn trials() -> Vec<Trial> {
    cases::trials("mistakes", check)
}

fn check(case: &Path) -> Result<(), String> {
    let case = Case::read(case, &[fixes::BLOCK])?;
    let directory = tempfile::tempdir().expect("a directory");
    case.write_files(directory.path());
    let console = case.console(directory.path())?;
    crate::reported::note(&console);
    if !console.contains("error[TG") && !console.contains("warning[TG") {
        return Err(format!("nothing is reported:\n{console}"));
    }
    case.compare_blocks(&[("console", &console), (fixes::BLOCK, &fixes::of_case(&case)?)])
}
