//! Tests that run the command with this family alone, on `example` and on texts.

use std::fs;
use std::path::Path;

use torchgen_kit::driver::{Outcome, Status};

use crate::FAMILY;

/// Runs the command on a source, and writes to `out` in a directory.
fn run(source: &Path, dir: &Path) -> Outcome {
    let (source, out) = (source.to_string_lossy(), dir.join("out"));
    FAMILY.run_alone(&["-s", &source, "-d", &out.to_string_lossy(), "--emit", "docs"])
}

#[test]
fn the_example_is_generated() {
    let dir = tempfile::tempdir().expect("a directory");
    let outcome = run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("example"), dir.path());
    assert_eq!((outcome.status, outcome.printed.err.contains("error")), (Status::Done, false));
    let text = |name: &str| fs::read_to_string(dir.path().join("out").join(name)).expect("a file");
    assert!(text("units.h").contains("constexpr double kilometer = 1000.0;\n"));
    assert!(text("docs/unit/kilometer.md").contains("factor: 1000"));
}

#[test]
fn errors_have_places() {
    let dir = tempfile::tempdir().expect("a directory");
    let source = dir.path().join("a.yaml");
    for (text, says) in [
        ("family: units\nunits:\n- {name: mile, of: metre}\n", "TG9901"),
        ("family: units\nunits:\n- {name: mile, factor: 2}\n", "write `times:`"),
        ("family: units\n", "needs the key `units`"),
    ] {
        fs::write(&source, text).expect("a file");
        let outcome = run(&source, dir.path());
        assert_eq!(outcome.status, Status::Errors, "{text}");
        assert!(
            outcome.printed.err.contains(says) && outcome.printed.err.contains("a.yaml:"),
            "{}",
            outcome.printed.err
        );
    }
}
