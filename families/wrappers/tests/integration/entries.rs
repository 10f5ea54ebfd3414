//! What entries say about dimensions, and what they leave to others.

use std::fs;

use libtest_mimic::Trial;
use serde_json::Value;

use super::{FUNCTIONS, torchgen};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![dimensions_are_never_negative, the_report_counts_what_entries_leave, reserved_names_have_places]
}

const DIMENSIONS: &str = "
- func: _softmax(Tensor self, int dim, bool half_to_float) -> Tensor
  structured_delegate: _softmax.out
- func: flip(Tensor self, int[] dims) -> Tensor
  dispatch: {CPU: flip}
- func: amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor
  structured_delegate: amax.out
- func: argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor
  structured_delegate: argmax.out
- func: unsqueeze_copy(Tensor self, int dim) -> Tensor
  dispatch: {CompositeExplicitAutogradNonFunctional: unsqueeze_copy}
- func: select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index) -> Tensor
  dispatch: {CompositeExplicitAutogradNonFunctional: select_backward}
- func: tile(Tensor self, SymInt[] dims) -> Tensor
  dispatch: {CPU: tile}
";

/// The C++ of entries for these operators.
fn dimensions(entries: &str) -> String {
    const FUNCTIONS: &str = "family: wrappers
name: acme
native_functions: aten.yaml
functions:
- fn: Softmax(Tensor x, int axis) -> Tensor
- fn: Flip(Tensor x, int[] axes) -> Tensor
- fn: Max(Tensor x, int[] axes, bool keepdims) -> Tensor
- fn: ArgMax(Tensor x, int axis, bool keepdims) -> Tensor
- fn: Select(Tensor x, shape sizes, int axis, int at) -> Tensor
- fn: Named(Tensor x, shape sizes, int dim, int at) -> Tensor
ops:
";
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("aten.yaml"), DIMENSIONS).expect("a new file");
    fs::write(directory.path().join("backend.yaml"), format!("{FUNCTIONS}{entries}")).expect("a new file");
    let (ok, said) = torchgen(directory.path(), &["wrappers", "--strict", "-s", "backend.yaml", "-d", "out"]);
    assert!(ok, "{said}");
    let read = |name: &str| fs::read_to_string(directory.path().join("out").join(name)).expect("a file");
    format!("{}{}", read("acme_torch_ops.cpp"), read("acme_shape.h"))
}

/// A dimension that is passed on is counted from the start, unless `dims:` omits it.
fn dimensions_are_never_negative() {
    let guard = "guard: {half_to_float: \"== False\"}";
    let softmax = |dims: &str| dimensions(&format!("- {{op: _softmax, call: Softmax{dims}, {guard}}}\n"));
    let wrapped = "dim_value_ = ::acme::shape::wrap(dim, self.dim(), \"dim\");";
    assert!(softmax("").contains(wrapped), "{}", softmax(""));
    assert!(softmax(", dims: []").contains("dim_value_ = dim;"), "{}", softmax(", dims: []"));
    // A list keeps its order; no dimensions mean all of them only for what reduces.
    let list = "wrap_each(::acme::shape::plain(dims), self.dim(), \"dims\");";
    for dims in ["", ", dims: [dims]"] {
        let flip = dimensions(&format!("- {{op: flip, call: Flip{dims}}}\n"));
        assert!(flip.contains(list) && flip.contains("inline Sizes wrap_each(Sizes dims"), "{flip}");
    }
    for (entry, value) in [
        ("- {op: amax, call: Max, shape: '[1]'}\n", "dim_value_ = ::acme::shape::wrap(dim, self.dim(), \"dim\");"),
        (
            "- {op: argmax, call: ArgMax, shape: '[1]'}\n",
            "dim_value_ = ::acme::shape::wrap((*dim), self.dim(), \"dim\");",
        ),
        // Dimensions of the result, and of what the derivative is of.
        ("- {op: unsqueeze_copy, call: Softmax, shape: '[1]'}\n", "wrap(dim, self.dim() + 1, \"dim\");"),
        ("- {op: unsqueeze_copy, call: Softmax, shape: '[1]', dims: [dim]}\n", "wrap(dim, self.dim() + 1, \"dim\");"),
        (
            "- {op: select_backward, call: Select, map: {axis: dim, at: index}, shape: input_sizes}\n",
            "wrap(dim, static_cast<std::int64_t>(input_sizes.size()), \"dim\");",
        ),
        // Numbers of copies.
        ("- {op: tile, call: Flip, shape: '[1]'}\n", "dims_value_ = ::acme::shape::plain(dims);"),
    ] {
        let cpp = dimensions(entry);
        assert!(cpp.contains(value), "{entry}{cpp}");
        assert!(!cpp.contains("wrap_each("), "only what is called is in the header");
    }
}

/// Overloads that PyTorch requires and no entry serves are in the report of the operator.
fn the_report_counts_what_entries_leave() {
    let directory = tempfile::tempdir().expect("a directory");
    let operators = "
- func: sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
  structured_delegate: sum.IntList_out
- func: sum.IntList_out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch: {CPU: sum_out}
- func: relu(Tensor self) -> Tensor
  dispatch: {CPU: relu}
- func: relu_(Tensor(a!) self) -> Tensor(a!)
  dispatch: {CPU: relu_}
- func: abs(Tensor self) -> Tensor
  dispatch: {CPU: abs}
";
    fs::write(directory.path().join("aten.yaml"), operators).expect("a new file");
    let run = |entries: &str| {
        fs::write(directory.path().join("backend.yaml"), format!("{FUNCTIONS}{entries}")).expect("a new file");
        let (ok, said) = torchgen(directory.path(), &["wrappers", "-s", "backend.yaml", "-d", "out"]);
        assert!(ok, "{said}");
        let report = fs::read_to_string(directory.path().join("out/skip_report.json")).expect("a report");
        let report: Value = serde_json::from_str(&report).expect("JSON");
        ["total", "required", "required_generated"].map(|key| report[key].as_u64().expect("a number"))
    };
    let sum =
        "- {op: sum.dim_IntList, call: ReduceSum, map: {axes: dim, keepdims: keepdim}, shape: reduce, drop: [dtype]}\n";
    assert_eq!(run(sum), [2, 1, 0]);
    assert_eq!(run("- {op: relu, template: fallback}\n"), [2, 2, 1]);
    assert_eq!(run("- {op: relu, template: fallback, inplace: true}\n"), [2, 2, 2]);
}

/// Names of C++, of its macros and of generated code are refused at their places.
fn reserved_names_have_places() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("aten.yaml"), "[]\n").expect("a new file");
    for (name, function, code, place) in [
        ("acme", "switch(Tensor x) -> Tensor", "TG5001", "5:7"),
        ("acme", "EOF(Tensor x) -> Tensor", "TG5001", "5:7"),
        ("acme", "load(Tensor x) -> Tensor", "TG5001", "5:7"),
        ("acme", "PrimaryInput(Tensor x) -> Tensor", "TG5001", "5:7"),
        ("acme", "F(Tensor template) -> Tensor", "TG5001", "5:16"),
        ("acme", "F(Tensor x, int errno) -> Tensor", "TG5001", "5:23"),
        ("acme", "F(Tensor x, int x_given) -> Tensor", "TG5001", "5:23"),
        ("at", "F(Tensor x) -> Tensor", "TG5010", "2:7"),
        ("linux", "F(Tensor x) -> Tensor", "TG5010", "2:7"),
    ] {
        let yaml = format!(
            "family: wrappers\nname: {name}\nnative_functions: aten.yaml\nfunctions:\n- fn: {function}\nops: []\n"
        );
        fs::write(directory.path().join("backend.yaml"), yaml).expect("a new file");
        let (ok, said) = torchgen(directory.path(), &["wrappers", "-s", "backend.yaml", "-d", "out"]);
        assert!(!ok && said.contains(code) && said.contains(&format!("backend.yaml:{place}\n")), "{function}: {said}");
    }
    // A parameter with a value of its own may have the name of an argument.
    let cpp = dimensions(
        "- {op: _softmax, call: Softmax, extra: {axis: 1}, guard: {dim: '== 1', half_to_float: '== False'}}\n\
         - {op: select_backward, call: Named, shape: input_sizes, map: {at: dim, sizes: input_sizes}, \
            extra: {dim: 0}, drop: [index]}\n",
    );
    assert!(cpp.contains("dim_extra_value_ = std::int64_t(0)") && cpp.contains("dim_value_ = ::acme"), "{cpp}");
}
