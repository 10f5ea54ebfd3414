//! What `torchgen-rs explain <operator>` tells: `tests/explain/<case>` has the whole text.
//!
//! `UPDATE_EXPECT=1 cargo test --test explain` writes the texts anew.

use std::path::Path;
use std::process::Command;

#[track_caller]
fn check(case: &str, arguments: &[&str]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let binary = env!("CARGO_BIN_EXE_torchgen-rs");
    let output = Command::new(binary).arg("explain").args(arguments).current_dir(root).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let shown = String::from_utf8(output.stdout).expect("text");
    let path = root.join("tests/explain").join(case);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &shown).expect("the expectation can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let diff = similar::TextDiff::from_lines(expected.as_str(), &shown).unified_diff().to_string();
    assert!(diff.is_empty(), "{case} differs; UPDATE_EXPECT=1 writes it anew\n{diff}");
    shown
}

#[test]
fn operators_of_a_library() {
    // All overloads of a name, one of them, a generated one, one without derivative.
    let shown = check("soft_cap.txt", &["soft_cap"]);
    assert!(shown.contains("opkit::soft_cap, functional") && shown.contains("opkit::soft_cap.out, out="), "{shown}");
    check("rms_norm.default.txt", &["opkit::rms_norm.default"]);
    check("ema_update.out.txt", &["ema_update.out"]);
    check("nms.json", &["nms", "--json"]);
}

#[test]
fn operators_of_pytorch() {
    check("mini.txt", &["-s", "tests/mini/source", "scale"]);
}

/// A place that is told is a place in the file that is generated.
#[test]
fn places_are_where_the_operator_comes_out() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let binary = env!("CARGO_BIN_EXE_torchgen-rs");
    let output = Command::new(binary).args(["explain", "nms", "--json"]).current_dir(root).output().expect("it runs");
    let facts: serde_json::Value = serde_json::from_slice(&output.stdout).expect("an object");
    let outputs = facts["outputs"].as_array().expect("a list");
    assert!(outputs.len() > 4, "{facts}");
    for place in outputs {
        let file = place["file"].as_str().expect("a path");
        let text = std::fs::read_to_string(root.join("generated").join(file)).expect(file);
        for line in place["lines"].as_array().expect("lines") {
            let line = line.as_u64().and_then(|line| text.lines().nth(line as usize - 1)).expect("a line");
            assert!(line.contains("nms"), "{file}: {line}");
        }
    }
}
