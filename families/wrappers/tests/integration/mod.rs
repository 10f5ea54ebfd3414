//! Kernel wrappers without torch: what the original generator gets wrong.

mod entries;
mod legacy;

use std::fs;
use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;
use serde_json::Value;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    [
        trials![
            ignored_arguments_are_checked,
            sizes_and_bounds,
            keys_are_complete,
            names_are_the_operators_own,
            names_are_registered_once,
            operators_without_an_entry,
            declarations_are_joined_by_schema,
            types_are_compared,
            every_operator_has_a_row,
            nothing_is_imported,
            a_second_run_changes_nothing,
            errors_have_places,
            insertion_lines,
            undefined_names_in_templates,
            contiguous_inputs,
            conditions_on_tensors,
            the_pack_for_the_cpu,
            explained,
            results_of_different_sizes
        ],
        entries::trials(),
        legacy::trials(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

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
- func: split_off(Tensor self) -> (Tensor, Tensor)
  dispatch: {CPU: split_off}
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
- fn: Split(Tensor x) -> (Tensor, Tensor)
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
fn ignored_arguments_are_checked() {
    let made = Made::of("- {op: add.Tensor, call: Add, shape: broadcast}\n", &[]);
    assert!(made.ok && made.said.contains("warning[TG5008]"), "{}", made.said);
    assert!(made.wrapper("add_Tensor").contains("plain(alpha) == 1"), "{}", made.cpp);
    assert!(!Made::of("- {op: add.Tensor, call: Add, shape: broadcast}\n", &["--strict"]).ok);
    let entry = "- {op: add, call: Add, map: {x: self, y: other}, shape: broadcast, drop: [alpha]}\n";
    let made = Made::of(entry, &["--strict"]);
    assert!(made.ok && !made.wrapper("add_Tensor").contains("TORCH_CHECK"), "{}", made.cpp);
    // `rounding_mode` has no default, so it cannot be left out silently.
    let made = Made::of("- {op: div, call: Add}\n", &[]);
    assert_eq!(made.row("div.Tensor_mode"), ("skipped", "lossy_arguments"));
}

/// Defects 2 and 6: sizes follow PyTorch's rules, and the lower bound of a clamp is the lowest.
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
fn names_are_registered_once() {
    let made = Made::of("- {op: view, template: view}\n", &["--body", "body.cpp"]);
    assert_eq!(made.row("view"), ("skipped", "manual_in_body"));
    assert_eq!(made.cpp.matches("m.impl(\"view\"").count(), 1, "{}", made.cpp);
}

/// Defect 7: operators without an entry run on the CPU, if PyTorch requires them; and the filter of
/// required ones works.
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
    let operators = OPERATORS.matches("- func: ").count() as u64;
    assert_eq!((rows.len() as u64, sum), (operators, operators));
}

/// Defect 11: neither the vendor's module nor torch is needed.
fn nothing_is_imported() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("aten.yaml"), OPERATORS).expect("a new file");
    fs::write(directory.path().join("backend.yaml"), format!("{FUNCTIONS}  []\n")).expect("a new file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    command.args(["wrappers", "-s", "backend.yaml", "-d", "out"]).current_dir(directory.path()).env_clear();
    assert!(command.status().expect("the program runs").success());
}

/// An unchanged run writes nothing.
fn a_second_run_changes_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("aten.yaml"), OPERATORS).expect("a new file");
    fs::write(directory.path().join("backend.yaml"), format!("{FUNCTIONS}  []\n")).expect("a new file");
    let run = || torchgen(directory.path(), &["wrappers", "-s", "backend.yaml", "-d", "out"]).1;
    run();
    assert!(run().contains("nothing changed"));
}

/// Every error names its place, and a run with errors writes nothing and ends with status 1.
fn errors_have_places() {
    for (entries, code, place) in [
        ("- {op: route, call: Clop}\n", "TG5002", "12:21"),
        ("- {op: cat.default, call: Concat, extra: {axes: 1}}\n", "TG5005", "12:43"),
        ("- {op: cat, call: Concat, map: {axis: dm}}\n", "TG5005", "12:39"),
        ("- {op: cat, call: Concat, guard: {dm: \"== 0\"}}\n", "TG5005", "12:35"),
        ("- {op: cat, call: Concat}\n- {op: cat, call: Concat}\n", "TG5004", "13:8"),
        ("- {op: clamp, call: Clip, default: {min: low, max: highest}}\n", "TG5009", "12:42"),
        ("- {op: clamp, call: Clip, default: {min: lowest, max: [1]}}\n", "TG5009", "12:55"),
        ("- {op: cat, call: Concat, shape: stak}\n", "TG0223", "12:34"),
        ("- {op: cat, call: Concat, map: {axis: dim}, guard: {dim: \"== x\"}}\n", "TG0223", "12:62"),
        ("- {op: cat, call: Concat, template: basic}\n", "TG5010", "12:37"),
    ] {
        let made = Made::of(entries, &[]);
        assert!(!made.ok && made.cpp.is_empty(), "{entries}{}", made.said);
        let shown = format!("error[{code}]");
        assert!(made.said.contains(&shown) && made.said.contains(&format!("backend.yaml:{place}")), "{}", made.said);
    }
}

/// The insertion line must be there once. A body needs no `#include`.
fn insertion_lines() {
    let run = |body: &str| {
        let directory = tempfile::tempdir().expect("a directory");
        fs::write(directory.path().join("aten.yaml"), OPERATORS).expect("a new file");
        fs::write(directory.path().join("backend.yaml"), format!("{FUNCTIONS}  []\n")).expect("a new file");
        fs::write(directory.path().join("body.cpp"), body).expect("a new file");
        let arguments = ["wrappers", "-s", "backend.yaml", "-d", "out", "--body", "body.cpp"];
        let (ok, said) = torchgen(directory.path(), &arguments);
        (ok, said, fs::read_to_string(directory.path().join("out/acme_torch_ops.cpp")).unwrap_or_default())
    };
    let (ok, said, cpp) = run("int before;\n// INSERT_CODEGEN_HERE\nint after;\n");
    assert!(ok, "{said}");
    let place = |text: &str| cpp.find(text).unwrap_or_else(|| panic!("no `{text}` in {cpp}"));
    assert!(place("int before;") < place("Generated wrappers") && place("TORCH_LIBRARY_IMPL") < place("int after;"));
    let (ok, said, _) = run("// INSERT_CODEGEN_HERE\nint a;\n// INSERT_CODEGEN_HERE\n");
    assert!(!ok && said.contains("error[TG5011]") && said.contains("body.cpp:3:1"), "{said}");
    let (ok, said, _) = run("int a; // INSERT_CODEGEN_HERE\n");
    assert!(!ok && said.contains("error[TG5011]") && said.contains("body.cpp:1:1"), "{said}");
    let (ok, said, _) = run("int a;\n");
    assert!(!ok && said.contains("error[TG5011]: the body lacks the line"), "{said}");
}

/// A replaced template that uses an undefined name is an error at that name.
fn undefined_names_in_templates() {
    let directory = tempfile::tempdir().expect("a directory");
    let overlay = directory.path().join("overlay");
    fs::create_dir_all(overlay.join("wrappers")).expect("a directory");
    fs::write(overlay.join("wrappers/torch_ops.h.j2"), "// ok\n{{ missing }}\n").expect("a file");
    let overlay = overlay.to_str().expect("a path in UTF-8");
    let made = Made::of("- {op: cat, call: Concat, shape: concat}\n", &["--template-dir", overlay]);
    assert!(!made.ok && made.said.contains("torch_ops.h.j2:2") && made.said.contains("missing"), "{}", made.said);
}

/// Which inputs are made contiguous first: all, none, or those that the entry or the file names.
fn contiguous_inputs() {
    let flags = |made: &Made, input: &str| made.wrapper("add_Tensor").contains(&format!("{input}, true)"));
    for (key, expected) in
        [("", (true, true)), (", contiguous: none", (false, false)), (", contiguous: [other]", (false, true))]
    {
        let made = Made::of(&format!("- {{op: add, call: Add, shape: broadcast, drop: [alpha]{key}}}\n"), &[]);
        assert_eq!((flags(&made, "self"), flags(&made, "other")), expected, "{}", made.cpp);
    }
}

/// Conditions may speak of strides, types, sizes and ranks.
fn conditions_on_tensors() {
    let guard = "strides(self)[0] == 1 and dtype(self) == dtype(other) and dim(other) <= 4 and sizes(other)[-1] > 0";
    let made =
        Made::of(&format!("- {{op: add.Tensor, call: Add, drop: [alpha], guard: {{self: \"{guard}\"}}}}\n"), &[]);
    let wrapper = made.wrapper("add_Tensor");
    for part in ["self.strides()", "other.scalar_type()", "other.dim()", "other.sizes()", "self: the backend requires"]
    {
        assert!(wrapper.contains(part), "no `{part}` in {wrapper}");
    }
}

/// `--pack cpu` runs every entry on the CPU.
fn the_pack_for_the_cpu() {
    let entries = "- {op: add, call: Add, shape: broadcast, drop: [alpha]}\n- {op: view.default, template: view}\n";
    let made = Made::of(entries, &["--pack", "cpu"]);
    assert!(made.ok, "{}", made.said);
    for name in ["add.Tensor", "add.Scalar", "view"] {
        assert_eq!(made.row(name), ("fallback", ""));
    }
    assert!(made.cpp.contains("cpu_fallback(op, stack)") && !made.cpp.contains("runtime.h"), "{}", made.cpp);
}

/// `explain` shows the template, the mapping and the reason.
fn explained() {
    let directory = tempfile::tempdir().expect("a directory");
    let entries = "- {op: add, call: Add, shape: broadcast, guard: {alpha: \"== 1\"}}\n\
                   - {op: sum, call: ReduceSum, map: {axes: dim, keepdims: keepdim}, shape: reduce}\n";
    fs::write(directory.path().join("aten.yaml"), OPERATORS).expect("a new file");
    fs::write(directory.path().join("backend.yaml"), format!("{FUNCTIONS}{entries}")).expect("a new file");
    let explain =
        |what: &str| torchgen(directory.path(), &["explain", "--family", "wrappers", what, "-s", "backend.yaml"]);
    let shown = |what: &str, lines: &[&str]| {
        let (ok, said) = explain(what);
        assert!(ok && !said.contains("warning"), "{said}");
        for line in lines {
            assert!(said.contains(line), "`{line}` is not in:\n{said}");
        }
    };
    let call = "calls      Add(Tensor x, Tensor y) -> Tensor";
    shown(
        "add.Tensor",
        &[
            "decision   generated",
            "template   base",
            call,
            "self: PrimaryInput, passed as `x`",
            "other: PrimaryInput, passed as `y`",
            "alpha: Ignore\n",
            "guards     alpha == 1",
        ],
    );
    shown(
        "sum.dim_IntList",
        &["dim: TensorShape, passed as `axes`", "keepdim: ByPass", "shape      reduce", "default    dtype"],
    );
    let (ok, said) = explain("sum.dim_IntList");
    assert!(ok && said.contains("keepdim: ByPass, passed as `keepdims`"), "{said}");
    shown("sum", &["skipped (unsupported_type)", "`dim` is a Dimname"]);
    shown("route", &["skipped (no_metadata)", "add an entry to `ops:`"]);
    shown("view.default", &["aten::view(Tensor(a) self, int[] size)"]);
    let (ok, said) = explain("ad.Tensor");
    assert!(!ok && said.contains("did you mean `add.Tensor`?"), "{said}");
}

/// Several results: one rule for all of them, or one for each.
fn results_of_different_sizes() {
    let entry = |rules: &str| Made::of(&format!("- {{op: split_off, call: Split, {rules}}}\n"), &[]);
    let made = entry("shapes: [bypass, \"sizes(self)[1:]\"], dtypes: [first, int64]");
    let wrapper = made.wrapper("split_off_default");
    for line in ["call_.output(self.sizes().vec(), dtype_);", "std::nullopt), dtype_1_);", "dtype_1_ = at::kLong;"] {
        assert!(wrapper.contains(line), "no `{line}` in {wrapper}");
    }
    let made = entry("shape: bypass");
    assert_eq!(made.wrapper("split_off_default").matches("call_.output(self.sizes().vec(), dtype_);").count(), 2);
    let made = entry("shapes: [bypass, bypass, bypass]");
    assert_eq!(made.row("split_off"), ("skipped", "shape_failed"));
    let made = entry("shapes: [bypass, meta]");
    assert_eq!(made.row("split_off"), ("skipped", "shape_failed"));
    let made = entry("shape: bypass, shapes: [bypass, bypass]");
    assert!(
        !made.ok && made.said.contains("error[TG5010]") && made.said.contains("backend.yaml:12:47"),
        "{}",
        made.said
    );
}
