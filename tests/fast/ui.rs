//! The messages of the program: each case of `tests/ui` has the whole expected text.
//!
//! `UPDATE_EXPECT=1 cargo test --test fast ui::` writes the texts again.

use std::path::Path;

use libtest_mimic::Trial;

use crate::cases::{self, Case};

/// One test for each case.
pub(crate) fn trials() -> Vec<Trial> {
    cases::trials("ui", check)
}

fn check(case: &Path) -> Result<(), String> {
    let case = Case::read(case, &[])?;
    let directory = tempfile::tempdir().expect("a directory");
    case.write_files(directory.path());
    let console = case.console(directory.path())?;
    crate::reported::note(&console);
    case.compare_blocks(&[("console", &console)])
}
