//! Kernel wrappers: the example is generated, compiled against torch, and run on CPU
//! tensors and on the device of `tests/support/privateuse1`; and all of torch's operators go
//! through the report.

mod names;
mod scaffold;
mod walkthrough;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use libtest_mimic::Trial;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::cxx::{Build, Program, by_clang, clang};
use crate::support::torch::{root, run, simulator_path, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    [
        trials![
            self_test,
            self_test_as_shipped,
            shapes_are_those_of_libtorch,
            on_the_device,
            all_of_torch_is_reported,
            signatures_are_those_of_declarations_yaml
        ],
        by_clang(trials![self_test_by_clang]),
        names::trials(),
        scaffold::trials(),
        walkthrough::trials(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn packages() -> PathBuf {
    torch().headers().join("../..")
}

fn torchgen() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    command.current_dir(root());
    command
}

/// The shipped backend, generated once with the mock of its graph API.
fn generated() -> &'static Path {
    static DIRECTORY: OnceLock<TempDir> = OnceLock::new();
    let made = DIRECTORY.get_or_init(|| {
        let directory = tempfile::tempdir().expect("a temporary directory");
        run(torchgen()
            .args([
                "wrappers",
                "--strict",
                "--mock",
                "--all",
                "--emit",
                "stubs",
                "-s",
                "families/wrappers/example",
                "--torch-path",
            ])
            .arg(packages())
            .arg("-d")
            .arg(directory.path()));
        directory
    });
    made.path()
}

/// Runs the self-test, whose examples must all pass.
fn passes(program: &Program) {
    // libtorch is built without sanitizers, so its containers and its memory are not tracked.
    let environment = [("ASAN_OPTIONS", "detect_leaks=0:detect_container_overflow=0")];
    let said = program.run_with(&[], &environment);
    let (examples, failures) = said.trim().split_once(" examples, ").expect("counts");
    assert!(examples.parse::<u32>().expect("a number") > 60 && failures == "0 failures", "{said}");
}

/// The operators of the YAML on CPU tensors, and the errors that it expects, with sanitizers.
fn self_test() {
    passes(&torch().cxx("wrappers_self_test").generated(generated()).build(Build::Sanitized));
}

/// The same as shipped: with `-O2 -DNDEBUG`.
fn self_test_as_shipped() {
    passes(&torch().cxx("wrappers_self_test").generated(generated()).build(Build::Release));
}

fn self_test_by_clang() {
    passes(&torch().cxx("wrappers_self_test").generated(generated()).compiler(clang()));
}

/// `acme_shape.h` and libtorch have the same sizes, types and errors for all small shapes.
fn shapes_are_those_of_libtorch() {
    let program =
        torch().cxx("wrappers_shapes").include(generated()).source(root().join("families/wrappers/tests/shapes.cpp"));
    let said = program.run();
    let count = |what: &str| -> u32 {
        let before = said.split(what).next().expect("a part");
        before.rsplit([' ', '\n']).next().and_then(|count| count.parse().ok()).unwrap_or_else(|| panic!("{said}"))
    };
    assert!(count(" comparisons") > 50_000 && count(" errors") > 10_000, "{said}");
    assert_eq!(count(" failures"), 0, "{said}");
}

/// At least 40 operators on the device: every result is the CPU's, or an error that names the
/// argument.
fn on_the_device() {
    let sources = ["acme_torch_ops.cpp", "acme_custom_stubs.cpp"].map(|name| generated().join(name));
    let program = torch().cxx("wrappers_device").shared().include(generated());
    let program = sources.into_iter().fold(program, |program, source| program.source(source));
    let library = program.source(root().join("families/wrappers/tests/probe.cpp")).built();
    let said = run(torch()
        .tool("python")
        .arg(root().join("families/wrappers/tests/behaviour.py"))
        .arg(&library)
        .env("PYTHONPATH", simulator_path())
        .env("SIMULATOR", torch().simulator()));
    let operators = said.trim().split_once(" operators, ").and_then(|(count, _)| count.parse::<u32>().ok());
    assert!(operators.is_some_and(|count| count >= 40), "{said}");
}

/// Each declaration of torch has one row; schemas and requirements are those of
/// RegistrationDeclarations.h, types those of Declarations.yaml, and the counts add up.
fn all_of_torch_is_reported() {
    let report: Value =
        serde_json::from_slice(&std::fs::read(generated().join("skip_report.json")).expect("a report")).expect("JSON");
    let rows = report["rows"].as_array().expect("rows");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let native = packages().join("torchgen/packaged/ATen/native/native_functions.yaml");
    run(torchgen().args(["declarations", "-s"]).arg(&native).arg("-d").arg(directory.path()));
    let header = std::fs::read_to_string(directory.path().join("RegistrationDeclarations.h")).expect("a header");
    let declared: BTreeMap<String, bool> = header
        .lines()
        .filter_map(|line| line.split_once("; // "))
        .map(|(_, json)| {
            let json: Value = serde_json::from_str(json).expect("JSON");
            let schema = json["schema"].as_str().expect("a schema").strip_prefix("aten::").expect("a namespace");
            (schema.to_owned(), json["dispatch"] == "True" && json["default"] == "False")
        })
        .collect();
    let text = |row: &Value, key: &str| row[key].as_str().expect("a string").to_owned();
    let reported: BTreeMap<String, bool> =
        rows.iter().map(|row| (text(row, "schema"), row["required"] == true)).collect();
    assert_eq!(reported.len(), rows.len(), "one row each");
    assert!(rows.len() > 3000, "{}", rows.len());
    assert_eq!(reported, declared);
    let total = |value: &Value| value["count"].as_u64().expect("a number");
    let totals: u64 = report["totals"].as_array().expect("totals").iter().map(total).sum();
    assert_eq!(totals, rows.len() as u64);
    for row in rows {
        let (skipped, reason) = (row["decision"] == "skipped", text(row, "reason"));
        assert_eq!(skipped, !reason.is_empty(), "{row}");
        assert!(!skipped || !text(row, "hint").is_empty(), "{row}");
    }
}

/// Parameters of kernels have the types of Declarations.yaml, for every operator: with
/// `template: custom` for all of them, the header declares all.
fn signatures_are_those_of_declarations_yaml() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let native = packages().join("torchgen/packaged/ATen/native/native_functions.yaml");
    run(torchgen().args(["declarations", "-s"]).arg(&native).arg("-d").arg(directory.path()));
    let text = std::fs::read_to_string(directory.path().join("Declarations.yaml")).expect("a file");
    let declarations: Vec<serde_yaml::Value> = serde_yaml::from_str(&text).expect("YAML");
    let word = |value: &serde_yaml::Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let mut names: Vec<String> = declarations.iter().map(|d| word(d, "operator_name")).collect();
    names.sort();
    names.dedup();
    let entries: String =
        names.iter().map(|name| format!("- {{op: {name}, template: custom, composite: true}}\n")).collect();
    let yaml = directory.path().join("all.yaml");
    std::fs::write(&yaml, format!("family: wrappers\nname: all\nops:\n{entries}")).expect("a new file");
    run(torchgen()
        .args(["wrappers", "-s"])
        .arg(&yaml)
        .arg("--native-functions")
        .arg(&native)
        .arg("-d")
        .arg(directory.path()));
    let header = std::fs::read_to_string(directory.path().join("all_torch_ops.h")).expect("a header");
    let expected: Vec<String> = declarations
        .iter()
        .map(|d| {
            let overload = match word(d, "overload_name") {
                name if name.is_empty() => "default".to_owned(),
                name => name,
            };
            let arguments = d["schema_order_arguments"].as_sequence().expect("a list");
            let arguments: Vec<String> =
                arguments.iter().map(|a| format!("{} {}", word(a, "type"), word(a, "name"))).collect();
            let returns = d["returns"].as_sequence().expect("a list");
            let types: Vec<String> = returns.iter().map(|r| word(r, "type")).collect();
            let result = match types.as_slice() {
                [] => "void".to_owned(),
                [one] => one.clone(),
                several => format!("::std::tuple<{}>", several.join(",")),
            };
            format!("{result} all__{}_{overload}({});", word(d, "operator_name"), arguments.join(", "))
        })
        .collect();
    let missing: Vec<&String> =
        expected.iter().filter(|line| !header.lines().any(|own| own == line.as_str())).collect();
    assert!(expected.len() > 3000 && missing.is_empty(), "{} differ: {missing:#?}", missing.len());
}
