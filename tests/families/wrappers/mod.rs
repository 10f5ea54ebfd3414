//! Kernel wrappers without torch: the examples of the page of diagnostics, the walk-through, and
//! what the original generator gets wrong.

mod legacy;

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Runs the program; returns whether it succeeded, and its output.
fn torchgen(directory: &Path, arguments: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .current_dir(directory)
        .env("NO_COLOR", "1")
        .args(arguments)
        .output()
        .expect("the program runs");
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Writes the files of an example: the first is `backend.yaml`, each other follows its name in a
/// comment.
fn write(directory: &Path, example: &str) {
    let (mut name, mut text) = ("backend.yaml", String::new());
    for line in example.lines() {
        match line.strip_prefix("# ").filter(|name| name.contains('.') && !name.contains(' ')) {
            Some(next) => {
                fs::write(directory.join(name), &text).expect("a new file");
                (name, text) = (next, String::new());
            }
            None => text.extend([line, "\n"]),
        }
    }
    fs::write(directory.join(name), &text).expect("a new file");
}

#[test]
fn diagnostics() {
    let page = fs::read_to_string(root().join("docs/wrappers-diagnostics.md")).expect("the page");
    let mut codes = 0;
    for section in page.split("\n## ").skip(1) {
        let code = section.split(' ').next().expect("a code");
        for (word, wrong) in [("wrong", true), ("right", false)] {
            let example = section.split(&format!("```yaml {word}\n")).nth(1).and_then(|rest| rest.split("```").next());
            let directory = tempfile::tempdir().expect("a directory");
            write(directory.path(), example.unwrap_or_else(|| panic!("{code} has no {word} example")));
            let (ok, said) = torchgen(directory.path(), &["check", "-s", "backend.yaml"]);
            assert_eq!(said.contains(&format!("[{code}]")), wrong, "the {word} example of {code}:\n{said}");
            assert!(wrong || ok, "{said}");
        }
        codes += 1;
    }
    assert_eq!(codes, 17);
}

const OPERATORS: &str = "
- func: add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
  dispatch: {CPU: add}
- func: add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor
  dispatch: {CPU: add}
- func: div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor
  dispatch: {CPU: div}
- func: sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
  dispatch: {CPU: sum}
- func: sum.dim_DimnameList(Tensor self, Dimname[1] dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
  dispatch: {CPU: sum}
- func: clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor
  dispatch: {CPU: clamp}
- func: cat(Tensor[] tensors, int dim=0) -> Tensor
  structured_delegate: cat.out
- func: cat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch: {CPU: cat_out}
- func: upsample(Tensor self, int[2] output_size, float? scales=None) -> Tensor
  dispatch: {CPU: upsample}
- func: view(Tensor(a) self, int[] size) -> Tensor(a)
  dispatch: {CPU: view}
- func: view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)
  dispatch: {CPU: view_dtype}
- func: route(Tensor self, int times) -> Tensor
  dispatch: {CPU: route}
- func: zeros(int[] size) -> Tensor
  dispatch: {CPU: zeros}
";

const FUNCTIONS: &str = "family: wrappers
name: acme
native_functions: aten.yaml
functions:
- fn: Add(Tensor x, Tensor y) -> Tensor
- fn: ReduceSum(Tensor x, int[] axes, bool keepdims) -> Tensor
- fn: Clip(Tensor x, float min, float max) -> Tensor
- fn: Concat(Tensor[] xs, int axis) -> Tensor
- fn: Resize(Tensor x, shape sizes) -> Tensor
ops:
";

/// What a run writes: the C++, the rows of the report by full name, and its output.
struct Made {
    ok: bool,
    cpp: String,
    report: Value,
    said: String,
}

impl Made {
    fn of(entries: &str, more: &[&str]) -> Made {
        let directory = tempfile::tempdir().expect("a directory");
        fs::write(directory.path().join("aten.yaml"), OPERATORS).expect("a new file");
        fs::write(directory.path().join("backend.yaml"), format!("{FUNCTIONS}{entries}")).expect("a new file");
        fs::write(directory.path().join("body.cpp"), BODY).expect("a new file");
        let mut arguments = vec!["wrappers", "-s", "backend.yaml", "-d", "out", "--all"];
        arguments.extend(more);
        let (ok, said) = torchgen(directory.path(), &arguments);
        let read = |name: &str| fs::read_to_string(directory.path().join("out").join(name)).unwrap_or_default();
        let report = serde_json::from_str(&read("skip_report.json")).unwrap_or_default();
        Made { ok, cpp: read("acme_torch_ops.cpp"), report, said }
    }

    #[track_caller]
    fn row(&self, schema: &str) -> (&str, &str) {
        let rows = self.report["rows"].as_array().expect("rows");
        let row = rows.iter().find(|row| row["schema"].as_str().is_some_and(|s| s.starts_with(&format!("{schema}("))));
        let row = row.unwrap_or_else(|| panic!("no row {schema}"));
        (row["decision"].as_str().expect("a word"), row["reason"].as_str().expect("a word"))
    }

    /// The text of a wrapper.
    #[track_caller]
    fn wrapper(&self, name: &str) -> &str {
        let start = self
            .cpp
            .find(&format!("acme__{name}("))
            .unwrap_or_else(|| panic!("no {name} in {}\n{}", self.cpp, self.said));
        self.cpp[start..].split("\n}\n").next().expect("a body")
    }
}

const BODY: &str = "#include <vector>
// INSERT_CODEGEN_HERE
TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl(\"view\", TORCH_FN(by_hand));
}
";

/// Defect 1: an argument that the backend ignores is checked, and dropped only on purpose.
#[test]
fn ignored_arguments_are_checked() {
    let made = Made::of("- {op: add.Tensor, call: Add, shape: broadcast}\n", &[]);
    assert!(made.ok && made.said.contains("warning[TG5008]"), "{}", made.said);
    assert!(made.wrapper("add_Tensor").contains("plain(alpha) == 1"), "{}", made.cpp);
    assert!(!Made::of("- {op: add.Tensor, call: Add, shape: broadcast}\n", &["--strict"]).ok);
    let made = Made::of("- {op: add, call: Add, shape: broadcast, drop: [alpha]}\n", &["--strict"]);
    assert!(made.ok && !made.wrapper("add_Tensor").contains("TORCH_CHECK"), "{}", made.cpp);
    // `rounding_mode` has no default, so it cannot be left out silently.
    let made = Made::of("- {op: div, call: Add}\n", &[]);
    assert_eq!(made.row("div.Tensor_mode"), ("skipped", "lossy_arguments"));
}

/// Defects 2 and 6: sizes follow PyTorch's rules, and the lower bound of a clamp is the lowest.
#[test]
fn sizes_and_bounds() {
    let made = Made::of(
        "- {op: add, call: Add, shape: broadcast, drop: [alpha]}\n\
         - {op: sum, call: ReduceSum, map: {axes: dim, keepdims: keepdim}, shape: reduce, drop: [dtype]}\n\
         - {op: clamp, call: Clip, default: {min: lowest, max: highest}}\n",
        &[],
    );
    assert!(made.wrapper("add_Tensor").contains("broadcast_of(self, other)"));
    let sum = made.wrapper("sum_dim_IntList");
    assert!(
        sum.contains("wrap(dim, self.dim(), \"dim\")") && sum.contains("reduced(self.sizes(), dim_, keepdim)"),
        "{sum}"
    );
    assert!(made.wrapper("clamp_default").contains("shape::lowest(dtype_)"), "{}", made.cpp);
}

/// Defect 3: overloads and values have graphs of their own.
#[test]
fn keys_are_complete() {
    let made = Made::of(
        "- {op: add, call: Add, shape: broadcast, drop: [alpha]}\n\
         - {op: clamp, call: Clip, default: {min: lowest, max: highest}}\n",
        &[],
    );
    assert!(made.wrapper("add_Tensor").contains("Call call_(\"add.Tensor\""));
    assert!(made.wrapper("add_Scalar").contains("Call call_(\"add.Scalar\""));
    assert!(made.wrapper("clamp_default").contains("call_.key(min_value_)"));
}

/// Defect 4: lists and shapes take the names of the operator's own arguments.
#[test]
fn names_are_the_operators_own() {
    let made = Made::of(
        "- {op: cat, call: Concat, shape: concat}\n\
         - {op: upsample, call: Resize, shape: \"[sizes(self)[0]] + output_size\"}\n",
        &[],
    );
    let cat = made.wrapper("cat_default");
    assert!(cat.contains("const at::ITensorListRef & tensors") && cat.contains("in_.list(0), dim_value_"), "{cat}");
    let upsample = made.wrapper("upsample_default");
    assert!(upsample.contains("plain(output_size)") && upsample.contains("!scales.has_value()"), "{upsample}");
}

/// Defect 5: a name that the body registers is not registered again.
#[test]
fn names_are_registered_once() {
    let made = Made::of("- {op: view, template: view}\n", &["--body", "body.cpp"]);
    assert_eq!(made.row("view"), ("skipped", "manual_in_body"));
    assert_eq!(made.cpp.matches("m.impl(\"view\"").count(), 1, "{}", made.cpp);
}

/// Defect 7: operators without an entry run on the CPU, if PyTorch requires them; and the filter of
/// required ones works.
#[test]
fn operators_without_an_entry() {
    let made = Made::of("  []\n", &["--on-missing", "fallback"]);
    assert!(made.ok, "{}", made.said);
    assert_eq!(made.row("add.Tensor"), ("fallback", ""));
    assert_eq!(made.row("cat"), ("skipped", "no_metadata"));
    let made = Made::of("  []\n", &["--on-missing", "native"]);
    assert!(made.wrapper("route_default").contains("at::native::route(self, times)"), "{}", made.cpp);
    let made = Made::of("- {op: cat, call: Concat, shape: concat}\n", &["--required-only"]);
    assert_eq!((made.row("cat"), made.row("cat.out")), (("skipped", "not_required"), ("generated", "")));
}

/// Defect 8: the two files of PyTorch's build are joined by schema; their order and heads do not
/// matter.
#[test]
fn declarations_are_joined_by_schema() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = |name: &str| directory.path().join(name);
    // `declarations` demands copies of views, as PyTorch does.
    let operators: String = OPERATORS
        .split_inclusive("\n- ")
        .filter(|entry| !entry.starts_with("func: view") && !entry.contains("Dimname"))
        .collect();
    fs::write(file("aten.yaml"), operators).expect("a new file");
    let (ok, said) = torchgen(directory.path(), &["declarations", "-s", "aten.yaml", "-d", "."]);
    assert!(ok, "{said}");
    let header = fs::read_to_string(file("RegistrationDeclarations.h")).expect("a header");
    let mut lines: Vec<&str> = header.lines().filter(|line| line.contains("schema\"")).collect();
    lines.reverse();
    fs::write(file("RegistrationDeclarations.h"), lines.join("\n")).expect("a file");
    let entries = "- {op: add, call: Add, shape: broadcast, drop: [alpha]}\n";
    fs::write(file("backend.yaml"), format!("{FUNCTIONS}{entries}")).expect("a new file");
    let files = ["--declarations", "Declarations.yaml", "--registration", "RegistrationDeclarations.h"];
    let run = |out: &str, more: &[&str]| {
        let (ok, said) =
            torchgen(directory.path(), &[&["wrappers", "-s", "backend.yaml", "--all", "-d", out], more].concat());
        assert!(ok, "{said}");
        ["acme_torch_ops.cpp", "skip_report.json"].map(|name| fs::read_to_string(file(out).join(name)).expect("a file"))
    };
    let (a, b) = (run("a", &[]), run("b", &files));
    assert_eq!(a, b);
}

/// Defect 9: types are compared, not parts of their names; overloads may have entries of their own.
#[test]
fn types_are_compared() {
    let made = Made::of(
        "- {op: add, call: Add, shape: broadcast, drop: [alpha]}\n\
         - {op: add.Scalar, template: fallback}\n",
        &[],
    );
    assert_eq!((made.row("add.Tensor").0, made.row("add.Scalar").0), ("generated", "fallback"));
    let made = Made::of("- {op: route, call: Clip}\n", &[]);
    assert_eq!(made.row("route"), ("skipped", "extra_backend_args"));
}

/// Defect 10: what is skipped has a row with a reason and a hint, and the counts add up.
#[test]
fn every_operator_has_a_row() {
    let made = Made::of(
        "- {op: sum, call: ReduceSum, map: {axes: dim, keepdims: keepdim}, shape: reduce, drop: [dtype]}\n\
         - {op: view, template: view}\n- {op: zeros, call: Resize}\n",
        &[],
    );
    assert_eq!(made.row("sum.dim_DimnameList"), ("skipped", "unsupported_type"));
    assert_eq!(made.row("view.dtype"), ("skipped", "view_dtype"));
    assert_eq!(made.row("view").0, "native");
    assert_eq!(made.row("zeros"), ("skipped", "first_arg_not_tensor"));
    let rows = made.report["rows"].as_array().expect("rows");
    let totals = made.report["totals"].as_array().expect("totals");
    let sum: u64 = totals.iter().map(|total| total["count"].as_u64().expect("a number")).sum();
    assert_eq!((rows.len() as u64, sum), (13, 13));
}

/// Defect 11: neither the vendor's module nor torch is needed.
#[test]
fn nothing_is_imported() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("aten.yaml"), OPERATORS).expect("a new file");
    fs::write(directory.path().join("backend.yaml"), format!("{FUNCTIONS}  []\n")).expect("a new file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    command.args(["wrappers", "-s", "backend.yaml", "-d", "out"]).current_dir(directory.path()).env_clear();
    assert!(command.status().expect("the program runs").success());
}

/// An unchanged run writes nothing.
#[test]
fn a_second_run_changes_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("aten.yaml"), OPERATORS).expect("a new file");
    fs::write(directory.path().join("backend.yaml"), format!("{FUNCTIONS}  []\n")).expect("a new file");
    let run = || torchgen(directory.path(), &["wrappers", "-s", "backend.yaml", "-d", "out"]).1;
    run();
    assert!(run().contains("nothing changed"));
}

/// The walk-through of docs/wrappers.md: its files are written and its commands run.
#[test]
fn walkthrough() {
    let page = fs::read_to_string(root().join("docs/wrappers.md")).expect("the page");
    let directory = tempfile::tempdir().expect("a directory");
    fs::create_dir_all(directory.path().join("torchgen/packaged/ATen/native")).expect("a directory");
    let native = directory.path().join("torchgen/packaged/ATen/native/native_functions.yaml");
    let more = "- func: relu(Tensor self) -> Tensor\n  dispatch: {CPU: relu}\n\
                - func: _softmax(Tensor self, int dim, bool half_to_float) -> Tensor\n  dispatch: {CPU: softmax}\n";
    fs::write(native, format!("{OPERATORS}{more}")).expect("a new file");
    let mut ran = 0;
    for block in page.split("\n```").skip(1).step_by(2) {
        let (info, text) = block.split_once('\n').expect("a block");
        if let Some(name) = info.strip_prefix("yaml file=") {
            fs::write(directory.path().join(name), format!("{text}\n")).expect("a file");
        } else if info == "sh run" {
            for line in text.lines() {
                let words: Vec<&str> = line.split_whitespace().skip(1).collect();
                let (ok, said) = torchgen(directory.path(), &words);
                assert!(ok, "{line}: {said}");
                ran += 1;
            }
        }
    }
    assert_eq!(ran, 4);
}
