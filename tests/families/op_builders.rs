//! Op builders: the shipped YAML generated, compiled, and compared with what upstream's tests ask for, with torch, and with its own
//! examples.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::support::cxx::{Build, Program};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Runs the program in the root of the checkout: whether it ended well, and what it said.
fn torchgen(arguments: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .current_dir(root())
        .env("NO_COLOR", "1")
        .args(arguments)
        .output()
        .expect("the program runs");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// The shipped builders, generated once.
fn generated() -> &'static Path {
    static DIRECTORY: OnceLock<TempDir> = OnceLock::new();
    let made = DIRECTORY.get_or_init(|| {
        let directory = tempfile::tempdir().expect("a directory");
        let arguments = ["op-builders", "--strict", "-s", "examples/op_builders", "-d", text(directory.path())];
        let (ok, said) = torchgen(&arguments);
        assert!(ok, "{said}");
        directory
    });
    made.path()
}

/// A program of the generated builders and one source of these tests.
fn program(source: &str) -> Program {
    let tests = root().join("tests/op_builders");
    Program::new(&format!("op_builders_{source}"))
        .generated(generated())
        .include(&tests)
        .source(tests.join(format!("{source}.cpp")))
}

#[test]
fn contract() {
    program("contract").build(Build::Sanitized).run();
}

#[test]
fn behaviours() {
    program("behaviours").build(Build::Sanitized).run();
}

#[test]
fn self_test() {
    let directory = tempfile::tempdir().expect("a directory");
    let out = text(directory.path());
    let (ok, said) =
        torchgen(&["op-builders", "-s", "examples/op_builders", "-d", out, "--emit", "docs,model,self-test"]);
    assert!(ok, "{said}");
    let said = Program::new("op_builders_self_test").generated(directory.path()).build(Build::Release).run();
    let (checks, failures) = said.trim().split_once(" checks, ").expect("counts");
    assert!(checks.parse::<u32>().expect("a number") > 300 && failures == "0 failures", "{said}");

    let docs = fs::read_to_string(directory.path().join("op_builders.md")).expect("documentation");
    for needed in [
        "## gemm",
        "| `transB` | `bool` | `False` |",
        "A and B should be rank 2",
        "| `C` | `Tensor?` | may be left out |",
    ] {
        assert!(docs.contains(needed), "the documentation lacks {needed}");
    }
    let model = fs::read_to_string(directory.path().join("op_builders.json")).expect("a model");
    let model: serde_json::Value = serde_json::from_str(&model).expect("JSON");
    let builders = model["builders"].as_array().expect("builders");
    assert_eq!(builders.len(), 19, "quant_dot is a name of dot");
    let names: usize = builders.iter().map(|builder| builder["registered"].as_array().map_or(0, Vec::len)).sum();
    assert_eq!(names, 30);
}

/// What torch makes of random inputs, einsum's 300 equations included.
#[test]
fn numerics_are_torchs() {
    let Some(environment) = std::env::var_os("TORCHGEN_TORCH_ENV") else {
        panic!("TORCHGEN_TORCH_ENV names the Python environment with torch");
    };
    let python = Path::new(&environment).join("bin/python");
    let output = Command::new(python)
        .arg(root().join("tests/op_builders/cases.py"))
        .args(["7", "300"])
        .output()
        .expect("Python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let directory = tempfile::tempdir().expect("a directory");
    let cases = directory.path().join("cases.txt");
    fs::write(&cases, &output.stdout).expect("a file");
    let program = program("run_cases").build(Build::Release).built();
    let run = Command::new(program).arg(&cases).output().expect("the program runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    let counts: Vec<(&str, u32)> = said
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, count)| (name, count.parse().expect("a number")))
        .collect();
    assert_eq!(counts.len(), 30, "every name has cases: {said}");
    assert!(counts.iter().any(|&(name, count)| name == "einsum" && count >= 340), "{said}");
}

/// With `--target migraphx`, the builders compile against declarations of MIGraphX's interface.
#[test]
fn migraphx_target() {
    let directory = tempfile::tempdir().expect("a directory");
    let arguments = ["op-builders", "--target", "migraphx", "-s", "examples/op_builders", "-d", text(directory.path())];
    let (ok, said) = torchgen(&arguments);
    assert!(ok, "{said}");
    assert!(!directory.path().join("op_builder_registry.cpp").exists(), "the registry is MIGraphX's");
    Program::new("op_builders_migraphx")
        .generated(directory.path())
        .include(root().join("tests/op_builders/migraphx"))
        .shared()
        .built();
}

/// Wrong YAML is refused with a code and a place.
#[test]
fn errors_have_codes_and_places() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("ops.yaml");
    for (body, code, place) in [
        ("return mul(x, y)", "TG0223", "4:29"),
        ("return @gelu(x)", "TG4003", "4:23"),
        ("return relu!(x, axis=1)", "TG4005", "4:31"),
        ("return @first(x)", "TG4006", "4:22"),
        ("if ndim(x) == 1: return x", "TG4007", "4:15"),
        ("\n      y = x\n        return y", "TG0222", "6:"),
        ("return relo!(x)", "TG4004", "4:22"),
        ("return relu!(x) +", "TG0221", "4:"),
        ("return ndim(x)", "TG0225", "4:22"),
    ] {
        let text = if body.starts_with('\n') { format!(" |{body}\n") } else { format!(" \"{body}\"\n") };
        let head = "family: op-builders\nops:\n- builder: first(Tensor x) -> Tensor\n  body:";
        let rest = "- {op: relu(Tensor x) -> Tensor}\n- {op: 'mul(Tensor a, Tensor b) -> Tensor'}\n";
        fs::write(&path, format!("{head}{text}{rest}")).expect("a file");
        let (ok, said) = torchgen(&["check", "-s", path.to_str().expect("a path")]);
        assert!(!ok && said.contains(code) && said.contains(&format!("ops.yaml:{place}")), "{body}: {said}");
    }
}

/// The examples of the diagnostics do what the page says.
#[test]
fn diagnostics_page() {
    let page = fs::read_to_string(root().join("docs/op-builders-diagnostics.md")).expect("the page");
    let mut checked = 0;
    for section in page.split("\n## ").skip(1) {
        let code = section.split(' ').next().expect("a code");
        for (word, wrong) in [("wrong", true), ("right", false)] {
            let fence = format!("```yaml {word}\n");
            let example = section.split(&fence).nth(1).and_then(|rest| rest.split("```").next());
            let example = example.unwrap_or_else(|| panic!("{code} has no {word} example"));
            let directory = tempfile::tempdir().expect("a directory");
            let path = directory.path().join("ops.yaml");
            fs::write(&path, example).expect("a file");
            let (ok, said) = torchgen(&["check", "-s", path.to_str().expect("a path")]);
            assert_eq!(
                said.contains(&format!("[{code}]")),
                wrong,
                "the {word} example of {code} is answered with\n{said}"
            );
            assert!(wrong || ok, "{said}");
            checked += 1;
        }
    }
    assert_eq!(checked, 24);
}

#[test]
fn explain_and_schema() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
            .current_dir(root())
            .args(arguments)
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let said = run(&["explain", "gemm", "-s", "examples/op_builders"]);
    for needed in ["gemm(Tensor A", "alpha: float = 1.0", "add_gemm", "require ndim(A) == 2"] {
        assert!(said.contains(needed), "{said}");
    }
    let schema: serde_json::Value = serde_json::from_str(&run(&["json-schema", "op-builders"])).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for entry in fs::read_dir(root().join("examples/op_builders")).expect("the directory") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|ending| ending == "yaml") {
            let yaml: serde_json::Value =
                serde_yaml::from_str(&fs::read_to_string(&path).expect("text")).expect("YAML");
            assert!(validator.is_valid(&yaml), "{}", path.display());
        }
    }
    assert!(!validator.is_valid(&serde_json::json!({ "family": "op-builders", "ops": [{ "buildr": "f()" }] })));
}
