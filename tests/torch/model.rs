//! The facts about all of PyTorch's operators: those that the reference's model says, those of the
//! program's tables, and what Declarations.yaml has.
//!
//! `tests/model/record.txt` has a hash for each operator of what the reference's model says of
//! it; `cargo test --test slow model/` runs the reference, and with `UPDATE_EXPECT=1` writes
//! the hashes.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::support::facts::{model, operators, recorded};
use crate::support::schema::validator;
use crate::support::torch::{root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![what_the_reference_says, tables_are_the_files, everything_of_declarations_yaml, lines_of_the_output]
}

/// PyTorch's files in the environment.
fn packaged() -> PathBuf {
    torch().headers().join("../../torchgen/packaged")
}

/// The facts from files.
fn from_files(more: &[&str]) -> (Value, Vec<Value>) {
    let packaged = packaged();
    let path = |name: &str| packaged.join(name).to_string_lossy().into_owned();
    let (aten, autograd) = (path("ATen"), path("autograd"));
    let mut arguments = vec!["-s", aten.as_str(), "--autograd-dir", autograd.as_str()];
    arguments.extend(more);
    model(&arguments, root())
}

fn what_the_reference_says() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (_, things) = model(&["--torch", "2.15"], dir.path());
    let ours: String = operators(&things).iter().map(|(name, words)| recorded(name, words)).collect();
    let record = std::fs::read_to_string(root().join("tests/model/record.txt")).expect("the record");
    let differ: Vec<&str> = ours.lines().zip(record.lines()).filter(|(a, b)| a != b).map(|(a, _)| a).take(9).collect();
    assert!(ours == record, "the reference says else of {differ:?}; `cargo test --test slow model/` shows what");
}

/// The value without the keys that only files can have.
fn without_places(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let kept = map.iter().filter(|(key, _)| !["at", "derivatives"].contains(&key.as_str()));
            let kept = kept.map(|(key, value)| (key.clone(), without_places(value)));
            // An operator may have no other relation than to a formula.
            Value::Object(kept.filter(|(key, value)| key != "relations" || *value != json!([])).collect())
        }
        Value::Array(all) => {
            let kept = all.iter().filter(|value| value["kind"] != "differentiated_by");
            Value::Array(kept.map(without_places).collect())
        }
        other => other.clone(),
    }
}

fn tables_are_the_files() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (header, tables) = model(&["--torch", "2.15"], dir.path());
    let (file_header, files) = from_files(&[]);
    assert_eq!(header, file_header);
    assert_eq!(header["things"], tables.len());
    assert!(files.iter().any(|thing| thing["facts"]["derivatives"][0]["node"] == "AddBackward0"));
    for (table, file) in tables.iter().zip(&files) {
        assert_eq!(without_places(table), without_places(file));
    }
}

/// The script of the page makes the entries of Declarations.yaml from facts.
fn everything_of_declarations_yaml() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let page = std::fs::read_to_string(root().join("docs/model.md")).expect("the page");
    let (_, script) = page.split_once("<!-- file: declarations.py -->\n\n```python\n").expect("a script");
    let (script, _) = script.split_once("\n```\n").expect("the end of the script");
    std::fs::write(dir.path().join("declarations.py"), script).expect("a file");
    let aten = packaged().join("ATen");
    let tool = || {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
        tool.current_dir(dir.path());
        tool
    };
    let kinds = ["--generate", "declarations_yaml", "--mps", "--xpu", "--mtia", "-d", "out"];
    run(tool().args(["generate", "-s"]).arg(&aten).args(kinds));
    let mut lines = tool().args(["model", "-s"]).arg(&aten).stdout(Stdio::piped()).spawn().expect("it runs");
    let stdin = lines.stdout.take().expect("its output");
    let made = torch().tool("python").arg("declarations.py").current_dir(dir.path()).stdin(stdin).output();
    let made = made.expect("Python runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let made = String::from_utf8(made.stdout).expect("text");
    assert!(lines.wait().expect("it ends").success());
    let text = std::fs::read_to_string(dir.path().join("out/Declarations.yaml")).expect("a generated file");
    let expected: Vec<Value> = serde_yaml::from_str(&text).expect("YAML");
    let made: Vec<Value> = made.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(made.len() > 3000 && made.len() == expected.len());
    for (made, expected) in made.iter().zip(&expected) {
        assert_eq!(made, expected);
    }
}

/// A traced run of all operators shows where each is, and the lines fit the schema.
fn lines_of_the_output() {
    let (header, things) = from_files(&["--outputs"]);
    let find = |name: &str| things.iter().find(|thing| thing["name"] == name && thing["kind"] == "operator");
    let add = find("aten::add.Tensor").expect("an operator");
    let lines = |file: &str| {
        let outputs = add["outputs"].as_array().expect("outputs");
        outputs.iter().find(|own| Path::new(own["file"].as_str().unwrap_or_default()).ends_with(file)).cloned()
    };
    for file in ["Functions.h", "RegisterSchema.cpp", "VariableTypeEverything.cpp", "python_variable_methods.cpp"] {
        assert!(lines(file).is_some_and(|own| own["lines"][0].is_u64()), "{file}: {}", add["outputs"]);
    }
    let kernels = add["facts"]["dispatch"].as_array().expect("kernels");
    assert!(kernels.iter().any(|kernel| kernel["key"] == "Autograd" && kernel["origin"] == "registered"));
    let without: Vec<&Value> =
        things.iter().filter(|thing| thing["kind"] == "operator" && thing["outputs"].is_null()).collect();
    assert!(without.is_empty(), "no file is about {without:?}");
    let validator = validator("model");
    let wrong = |line: &Value| validator.iter_errors(line).map(|error| error.to_string()).collect::<Vec<_>>();
    // All kinds of things, and of operators; all would take a minute.
    for line in things.iter().step_by(150).chain([&header, add]).chain(things.last()) {
        assert!(wrong(line).is_empty(), "{line}: {:?}", wrong(line));
    }
}
