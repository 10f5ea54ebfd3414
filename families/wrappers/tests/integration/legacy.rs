//! Inputs of the original generator: `families/wrappers/tests/legacy` uses each of its features.

use std::fs;
use std::path::Path;

use libtest_mimic::Trial;
use serde_json::Value;

use super::{root, torchgen};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        inputs_of_the_original,
        every_declaration_has_a_row,
        flags_are_honoured,
        flags_are_refused,
        forms_of_functions,
        keys_beside_legacy,
        explained,
        encodings
    ]
}

const SOURCE: &str = "families/wrappers/tests/legacy/backend.yaml";

/// The inputs of the original generator as they are: `tests/legacy` uses each of its features, and
/// `expected.txt` has the text that the original makes of it, but for its banners.
fn inputs_of_the_original() {
    let directory = tempfile::tempdir().expect("a directory");
    let out = directory.path().to_str().expect("a path in UTF-8");
    let source = "families/wrappers/tests/legacy/backend.yaml";
    let (ok, said) = torchgen(root(), &["wrappers", "-s", source, "-d", out]);
    assert!(ok, "{said}");
    let read = |path: &Path| fs::read_to_string(path).expect("a file");
    let made = read(&directory.path().join("old_torch_ops.cpp"));
    assert_eq!(made, read(&root().join("families/wrappers/tests/legacy/expected.txt")));
    for warning in ["`add.Tensor` ignores `alpha`", "prints an undefined value", "is registered by the body file too"] {
        assert!(said.contains(warning), "{said}");
    }
    let yaml: Vec<serde_yaml::Value> =
        serde_yaml::from_str(&read(&directory.path().join("GeneratedDeclarations.yaml"))).expect("YAML");
    let text = |value: &serde_yaml::Value| value.as_str().unwrap_or_default().to_owned();
    let classes = |at: usize| -> Vec<String> {
        let arguments = yaml[at]["arguments"].as_sequence().expect("arguments");
        arguments.iter().map(|argument| text(&argument["vendor_type"])).collect()
    };
    let names: Vec<String> = yaml.iter().map(|entry| text(&entry["template_data"]["op_name"])).collect();
    assert_eq!(names, ["add_Tensor", "add_out", "blend_default", "join_default", "look_default"]);
    assert_eq!(classes(1), ["PrimaryInput", "PrimaryInput", "Ignore", "Ignore"]);
    assert_eq!(classes(2), ["PrimaryInput", "Default", "Default"]);
    assert_eq!(classes(3), ["PrimaryInputList", "ByPass"]);
    assert!(!torchgen(root(), &["wrappers", "-s", source, "-d", out, "--strict"]).0);
}

/// A run with flags: whether it succeeds, its output, and its report.
fn run(flags: &[&str]) -> (bool, String, Value) {
    let directory = tempfile::tempdir().expect("a directory");
    let out = directory.path().to_str().expect("a path in UTF-8");
    let (ok, said) = torchgen(root(), &[&["wrappers", "-s", SOURCE, "-d", out], flags].concat());
    let report = fs::read_to_string(directory.path().join("skip_report.json")).unwrap_or_default();
    (ok, said, serde_json::from_str(&report).unwrap_or_default())
}

/// The decision about an operator, and its reason.
#[track_caller]
fn row<'r>(report: &'r Value, op: &str, overload: &str) -> (&'r str, &'r str) {
    let rows = report["rows"].as_array().expect("rows");
    let row = rows.iter().find(|row| row["op"] == op && row["overload"] == overload);
    let row = row.unwrap_or_else(|| panic!("no row {op}.{overload} in {report}"));
    (row["decision"].as_str().expect("a word"), row["reason"].as_str().expect("a word"))
}

/// One row for each declaration that Metadata.yaml names, or for all; the counts add up.
fn every_declaration_has_a_row() {
    let (ok, said, report) = run(&[]);
    assert!(ok, "{said}");
    for (op, overload, expected) in [
        ("add", "Tensor", ("generated", "")),
        ("blend", "names", ("skipped", "unsupported_type")),
        ("look", "dtype", ("skipped", "view_dtype")),
        ("by_hand", "", ("skipped", "no_template")),
        ("count", "", ("skipped", "first_arg_not_tensor")),
        ("trace", "", ("skipped", "shape_failed")),
        ("twist", "", ("skipped", "extra_backend_args")),
    ] {
        assert_eq!(row(&report, op, overload), expected, "{op}.{overload}");
    }
    let sum = |report: &Value| -> u64 {
        report["totals"]
            .as_array()
            .expect("totals")
            .iter()
            .map(|total| total["count"].as_u64().expect("a number"))
            .sum()
    };
    let rows = |report: &Value| report["rows"].as_array().expect("rows").len() as u64;
    assert_eq!((rows(&report), sum(&report)), (11, 11));
    let (_, _, all) = run(&["--all"]);
    assert_eq!((rows(&all), sum(&all)), (13, 13));
    assert_eq!(row(&all, "unknown", ""), ("skipped", "no_metadata"));
}

/// `--required-only`, `--on-missing` and `--coverage-min` do what they do for `ops:`.
fn flags_are_honoured() {
    let (ok, said, report) = run(&["--required-only"]);
    assert!(ok, "{said}");
    assert_eq!(row(&report, "join", ""), ("skipped", "not_required"));
    assert_eq!(row(&report, "add", "Tensor"), ("generated", ""));
    let (_, _, report) = run(&["--on-missing", "fallback", "--all"]);
    assert_eq!(row(&report, "unknown", ""), ("fallback", ""));
    assert_eq!(row(&report, "free", ""), ("skipped", "no_metadata"), "PyTorch has a kernel");
    // The directory of templates lacks `native_call.jinja2`.
    let (_, _, report) = run(&["--on-missing", "native", "--all"]);
    assert_eq!(row(&report, "unknown", ""), ("skipped", "no_template"));
    let (ok, said, _) = run(&["--coverage-min", "6"]);
    assert!(!ok && said.contains("error[TG5013]: 5 operators have code, and the run demands 6"), "{said}");
    let copy = tempfile::tempdir().expect("a directory");
    let copy = copy.path().join("copy.json");
    let (ok, said, report) = run(&["--report", copy.to_str().expect("a path in UTF-8")]);
    assert!(ok, "{said}");
    let copied: Value = serde_json::from_str(&fs::read_to_string(copy).expect("a copy")).expect("JSON");
    assert_eq!(copied, report);
}

/// What the original templates cannot do is an error.
fn flags_are_refused() {
    for flags in [
        &["--mock"][..],
        &["--pack", "cpu"],
        &["--native-functions", "aten.yaml"],
        &["--torch-path", "."],
        &["--emit", "stubs"],
    ] {
        let (ok, said, _) = run(flags);
        assert!(!ok && said.contains("cannot be used with `legacy:`"), "{flags:?}: {said}");
    }
    let metadata = "families/wrappers/tests/legacy/Metadata.yaml";
    let arguments = ["wrappers", "-s", "families/wrappers/tests/templates.yaml", "--metadata", metadata];
    let (ok, said) = torchgen(root(), &arguments);
    assert!(!ok && said.contains("`--metadata` needs a file with `legacy:`"), "{said}");
}

/// A copy of the inputs to change.
fn copied(work: &Path) {
    fs::create_dir(work.join("templates")).expect("a directory");
    for entry in walkdir::WalkDir::new(root().join("families/wrappers/tests/legacy")) {
        let entry = entry.expect("a readable entry");
        let path = entry.path().strip_prefix(root().join("families/wrappers/tests/legacy")).expect("below it");
        if entry.file_type().is_file() {
            fs::copy(entry.path(), work.join(path)).expect("a copy");
        }
    }
}

/// The functions of the backend as docstrings in YAML, as text, and as schema strings.
fn forms_of_functions() {
    let work = tempfile::tempdir().expect("a directory");
    copied(work.path());
    let docstrings = fs::read_to_string(work.path().join("docstrings.yaml")).expect("a file");
    let docstrings: serde_yaml::Mapping = serde_yaml::from_str(&docstrings).expect("YAML");
    let text: String = docstrings.values().map(|doc| format!("{}\n", doc.as_str().expect("a docstring"))).collect();
    fs::write(work.path().join("docstrings.txt"), text).expect("a file");
    let schemas = "- fn: Plus(Tensor x, Tensor y) -> Tensor\n- fn: Blend(Tensor x, shape dims) -> Tensor\n\
                   - fn: Blend(Tensor x, float weight, bool exact) -> Tensor\n\
                   - fn: Join(Tensor[] xs, int axis) -> Tensor\n- fn: Trace(Tensor x) -> Tensor\n\
                   - fn: Twist(Tensor x, Tensor y) -> Tensor\n";
    fs::write(work.path().join("schemas.yaml"), schemas).expect("a file");
    let read = |out: &str, name: &str| fs::read_to_string(work.path().join(out).join(name)).expect("a file");
    for (out, functions) in [("a", "docstrings.yaml"), ("b", "docstrings.txt"), ("c", "schemas.yaml")] {
        let arguments = ["wrappers", "-s", "backend.yaml", "--backend-functions", functions, "-d", out];
        let (ok, said) = torchgen(work.path(), &arguments);
        assert!(ok, "{said}");
        for name in ["old_torch_ops.cpp", "GeneratedDeclarations.yaml", "skip_report.json"] {
            assert_eq!(read("a", name), read(out, name), "{name} with {functions}");
        }
    }
}

/// Keys that would have no effect are errors at the key.
fn keys_beside_legacy() {
    let work = tempfile::tempdir().expect("a directory");
    copied(work.path());
    let yaml = work.path().join("backend.yaml");
    let text = fs::read_to_string(&yaml).expect("a file");
    fs::write(&yaml, format!("{text}ops: []\ncontiguous: none\n")).expect("a file");
    let (ok, said) = torchgen(work.path(), &["check", "-s", "backend.yaml"]);
    assert!(!ok && said.matches("error[TG5010]").count() == 2 && said.contains("`ops` has no effect"), "{said}");
    assert!(said.contains("backend.yaml:12:1"), "{said}");
}

/// `explain` reads the same inputs.
fn explained() {
    let explain = |what: &str| torchgen(root(), &["explain", "--family", "wrappers", what, "-s", SOURCE]);
    let (ok, said) = explain("add.Tensor");
    assert!(ok, "{said}");
    for line in [
        "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
        "  calls      Plus",
        "  arguments  self: PrimaryInput",
        "  shape      bypass",
        "  ignores    alpha",
    ] {
        assert!(said.contains(line), "`{line}` is not in:\n{said}");
    }
    let (ok, said) = explain("trace");
    assert!(ok && said.contains("skipped (shape_failed)") && !said.contains("warning"), "{said}");
    let (ok, said) = explain("addd.Tensor");
    assert!(!ok && said.contains("did you mean `add.Tensor`"), "{said}");
}

/// A file that is not UTF-8 is reported at its byte.
fn encodings() {
    let work = tempfile::tempdir().expect("a directory");
    copied(work.path());
    fs::write(work.path().join("body.cpp"), b"int a;\n// caf\xe9\n// INSERT_CODEGEN_HERE\n").expect("a file");
    let (ok, said) = torchgen(work.path(), &["check", "-s", "backend.yaml"]);
    assert!(!ok && said.contains("error[TG0100]") && said.contains("body.cpp:2:7"), "{said}");
}
