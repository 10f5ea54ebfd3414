//! The reference's Python model against the facts: `cargo test --test slow model/`.
//!
//! `UPDATE_EXPECT=1` writes `tests/model/record.txt`, which the integration test compares with.

use std::path::Path;
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::conformance::{self, Mode};
use crate::support::expected::assert_is_text_of_file;
use crate::support::facts::{model, operators, recorded};
use crate::support::torch::{root, run};

/// A test for each version of torch.
pub(crate) fn trials() -> Result<Vec<Trial>, String> {
    let older = conformance::load_older(Mode::Live)?.into_iter().map(|context| (context, false));
    let trial = |(context, newest): (conformance::Context, bool)| {
        let version = context.suite.wheel.version().to_owned();
        Trial::test(format!("model/{version}"), move || {
            compare(context.wheel().map_err(Failed::from)?, &version, newest);
            Ok::<(), Failed>(())
        })
    };
    Ok(older.chain([(conformance::load(Mode::Live)?, true)]).map(trial).collect())
}

/// Compares what the reference of a version says with the facts; of the newest one, also the
/// record.
fn compare(wheel: &Path, version: &str, newest: bool) {
    let script = root().join("tests/model/reference.py");
    let path = std::env::join_paths([wheel.to_owned(), wheel.join("site")]).expect("paths");
    let aten = wheel.join("torchgen/packaged/ATen");
    let said = run(Command::new("python3").arg(script).arg(aten).env("PYTHONPATH", path).env("PYTHONHASHSEED", "0"));
    let theirs: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (_, things) = model(&["--torch", version], dir.path());
    let ours = operators(&things);
    assert_eq!(ours.len(), theirs.len());
    for ((name, words), theirs) in ours.iter().zip(&theirs) {
        assert_eq!(words, theirs, "{name}");
    }
    if newest {
        let record: String = ours.iter().map(|(name, words)| recorded(name, words)).collect();
        assert_is_text_of_file(&root().join("tests/model/record.txt"), &record);
    }
}
