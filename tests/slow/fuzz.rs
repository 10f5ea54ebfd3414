//! Longer runs of the fuzz targets, by the example `fuzz`: `TORCHGEN_SLOW_SECONDS` for each.

use std::path::Path;
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use crate::conformance::workspace;

/// A test for each target, which are the folders of the corpus.
pub(crate) fn trials() -> Vec<Trial> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus");
    let folders = std::fs::read_dir(&corpus).into_iter().flatten().filter_map(Result::ok);
    let mut targets: Vec<String> = folders.map(|folder| folder.file_name().to_string_lossy().into_owned()).collect();
    targets.sort();
    let trial = |target: String| Trial::test(format!("fuzz/{target}"), move || fuzz(&target).map_err(Failed::from));
    targets.into_iter().map(trial).collect()
}

/// Fails if an input makes the target panic or takes long; the example saves it in the corpus.
fn fuzz(target: &str) -> Result<(), String> {
    let seconds = crate::number("TORCHGEN_SLOW_SECONDS", 60).to_string();
    let mut command = Command::new(env!("CARGO"));
    command
        .args(["run", "--quiet", "--locked", "--release", "--features", "fuzzing", "--example", "fuzz", "--"])
        .args([target, "--seconds", &seconds])
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    workspace::run(&mut command)
}
