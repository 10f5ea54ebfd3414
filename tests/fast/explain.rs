//! The output of `torchgen-rs explain <operator>`: `tests/explain/<case>` has the whole text. The
//! codes that it explains, as JSON.
//!
//! `UPDATE_EXPECT=1 cargo test --test fast explain::` writes the texts again.

use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;

use crate::expected::assert_is_text_of_file;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        operators_of_a_library,
        structured_kernels_on_the_stable_abi,
        batching_rules,
        models_of_other_runtimes,
        warnings_are_left_to_check,
        operators_of_pytorch,
        every_kernel_comes_out,
        libraries_of_the_same_names,
        operators_that_are_not_there,
        places_are_where_the_operator_comes_out,
        codes_as_json,
        graphs,
    ]
}

/// The output with these arguments.
#[track_caller]
fn shown(arguments: &[&str]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let binary = env!("CARGO_BIN_EXE_torchgen-rs");
    let output = Command::new(binary).arg("explain").args(arguments).current_dir(root).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[track_caller]
fn check(case: &str, arguments: &[&str]) -> String {
    let shown = shown(arguments);
    assert_is_text_of_file(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/explain").join(case), &shown);
    shown
}

fn operators_of_a_library() {
    // All overloads of a name, one of them, a generated one, one without derivative.
    let shown = check("soft_cap.txt", &["soft_cap"]);
    assert!(shown.contains("opkit::soft_cap, functional") && shown.contains("opkit::soft_cap.out, out="), "{shown}");
    // Kernels that the YAML does not name.
    assert!(shown.contains("    Autograd: soft_cap, generated, src/Library_0.cpp:"), "{shown}");
    assert!(shown.contains("    Meta: wrapper_Meta_soft_cap_out_out, generated, src/Library_0.cpp:"), "{shown}");
    check("rms_norm.default.txt", &["opkit::rms_norm.default"]);
    check("ema_update.out.txt", &["ema_update.out"]);
    check("nms.json", &["nms", "--json"]);
}

/// The group of an operator with its kernels and formulas, for Graphviz and as a picture.
fn graphs() {
    check("soft_cap.dot", &["soft_cap", "--format", "dot"]);
    let picture = check("rms_norm.svg", &["opkit::rms_norm", "--format", "svg"]);
    assert!(picture.starts_with("<svg xmlns=") && picture.contains("RmsNormBackward0"), "{picture}");
    // Overloads of several groups, beside each other.
    let shown = shown(&["-s", "tests/mini/source", "scale", "--format", "dot"]);
    assert!(shown.starts_with("digraph {\n") && shown.ends_with("}\n"), "{shown}");
}

/// A structured kernel returns nothing, whatever its operator returns.
fn structured_kernels_on_the_stable_abi() {
    let shown = shown(&["-s", "tests/stable/library", "tilt.out"]);
    let kernel = "    carried::native: void tilt_out(const Tensor& self, double by, const Tensor& out)\n";
    assert!(shown.contains(kernel), "{shown}");
}

/// The rule of `vmap:`, as the author wrote it.
fn batching_rules() {
    let rule_of = |source: &str, operator: &str| {
        let shown = shown(&["-s", source, operator]);
        shown.lines().find_map(|line| line.strip_prefix("  vmap        ").map(str::to_owned))
    };
    assert_eq!(rule_of("tests/autograd", "odd::heads").as_deref(), Some("(self=0) -> 0"));
    assert_eq!(rule_of("tests/breaking/library/files", "shop::count").as_deref(), Some("loop"));
    assert_eq!(rule_of("tests/breaking/library/files", "shop::scale"), None);
}

/// What makes compiled and exported models call it.
fn models_of_other_runtimes() {
    let shown = shown(&["-s", "tests/breaking/library/files", "shop::count"]);
    let lines = "  aoti        compiled models call it by a C function\n  onnx        shop.example::Count\n";
    assert!(shown.contains(lines), "{shown}");
}

/// A library with warnings.
fn warnings_are_left_to_check() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (arguments, warns) in [(&["check"][..], true), (&["explain", "scale"], false)] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
        let output = command.args(arguments).args(["-s", "tests/stable/library"]).current_dir(root).output();
        let said = String::from_utf8_lossy(&output.expect("it runs").stderr).into_owned();
        assert_eq!(said.contains("warning[TG"), warns, "{arguments:?}: {said}");
    }
}

fn operators_of_pytorch() {
    check("mini.txt", &["-s", "tests/mini/source", "scale"]);
}

/// Finds kernels for any key and in any Python module.
fn every_kernel_comes_out() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let directory = tempfile::tempdir().expect("a directory");
    let source = root.join("tests/mini/source");
    crate::copy(&source, directory.path());
    let yaml = directory.path().join("native/native_functions.yaml");
    let mut text = std::fs::read_to_string(&yaml).expect("text");
    text.push_str("\n- func: grow(Tensor self) -> Tensor\n  python_module: nn\n  dispatch:\n    MPS: a\n    XPU: b\n    MTIA: c\n");
    std::fs::write(&yaml, text).expect("it can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    let output = command.args(["explain", "grow", "-s"]).arg(directory.path()).output().expect("it runs");
    let shown = String::from_utf8_lossy(&output.stdout);
    for key in ["MPS", "XPU", "MTIA"] {
        assert!(shown.contains(&format!("/Register{key}_0.cpp:")), "{key}: {shown}");
    }
    assert!(shown.contains("    Python, torch._C._nn: grow(Tensor input)\n"), "{shown}");
}

/// An operator of one library does not appear in the files of another.
fn libraries_of_the_same_names() {
    let directory = tempfile::tempdir().expect("a directory");
    let text = "- func: a::f(Tensor x) -> Tensor\n- func: b::f(Tensor x) -> Tensor\n";
    std::fs::write(directory.path().join("native_functions.yaml"), text).expect("it can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    let output = command.args(["explain", "a::f", "-s"]).arg(directory.path()).output().expect("it runs");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("    a/src/Library_0.cpp:") && !shown.contains("    b/"), "{shown}");
}

#[track_caller]
fn check_unknown(what: &str, help: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    let output =
        command.args(["explain", "-s", "tests/mini/source", what]).current_dir(root).output().expect("it runs");
    let expected = format!("error[TG0001]: there is no operator `{what}`\n |\n = help: {help}\n\n");
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(shown.starts_with(&expected), "{shown}");
}

fn operators_that_are_not_there() {
    check_unknown("scal", "did you mean `scale`?");
    check_unknown("scale.ot", "its overloads are `scale`, `scale.out`");
    check_unknown("aten::scale.Tensor", "its overloads are `scale`, `scale.out`");
    check_unknown("atn::scale", "did you mean `aten::scale`?");
    check_unknown("at::scale.out", "did you mean `aten::scale.out`?");
    check_unknown("aten::scal", "did you mean `aten::scale`?");
}

/// A reported place is a place in the generated file.
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
            assert!(line.to_lowercase().contains("nms"), "{file}: {line}");
        }
    }
}

/// One object for each code, with the facts of the text.
fn codes_as_json() {
    let object = |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON");
    let codes = torchgen_rs::codes();
    let listed: Vec<serde_json::Value> = shown(&["--json"]).lines().map(object).collect();
    assert_eq!(listed.len(), codes.len());
    for (found, code) in listed.iter().zip(codes) {
        assert_eq!(found["code"], code.id);
        assert_eq!(found["name"], code.name);
        assert_eq!(found["severity"], code.severity.as_str());
        assert_eq!(found["summary"], code.summary);
    }
    for (what, code) in [("TG0101", "TG0101"), ("duplicate-key", "TG0101"), ("tg3001", "TG3001")] {
        let found = object(shown(&[what, "--json"]).trim_end());
        assert_eq!(found["code"], code);
        assert!(found["explanation"].as_str().is_some_and(|text| text.contains("```yaml wrong")), "{found}");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("families/graph-ir/example");
    let output = command.args(["explain", "Relu", "--json", "-s"]).arg(source).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("not the records of graph-ir"), "{said}");
}
