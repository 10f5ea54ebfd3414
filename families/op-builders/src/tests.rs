//! Tests: the example is generated, the ids of diagnostics ascend, and their summaries are
//! sentences.

use torchgen_kit::driver::Status;

use super::codes;

#[test]
fn the_example_is_generated() {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/example");
    let dir = tempfile::tempdir().expect("a directory");
    let out = dir.path().to_string_lossy();
    let outcome = crate::FAMILY.run_alone(&["-s", example, "-d", &out, "--emit", "docs,model,self-test", "--strict"]);
    assert_eq!(outcome.status, Status::Done, "{}", outcome.printed.err);
    assert!(dir.path().join("op_builders.h").is_file());
}

#[test]
fn codes_are_in_order() {
    assert!(codes::ALL.windows(2).all(|pair| pair[0].id < pair[1].id), "ids must ascend");
    for code in codes::ALL {
        assert!(code.summary.ends_with('.'), "{}", code.summary);
    }
}
