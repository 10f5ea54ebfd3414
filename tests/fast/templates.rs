//! Every embedded template is rendered by some run, measured: debug builds note what they render.
//!
//! The runs are those below; a family adds its own. Their output is of no interest here.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;

use crate::explanations::AUTOGRAD_TEMPLATES;
use crate::{copy, root};

/// The command lines, from the root of the checkout: `OUT` is a new directory, `PYTORCH` a source
/// path in PyTorch's layout, `LIBRARY` the bundled library without its templates, which would take
/// the place of the embedded ones.
const RUNS: &[&str] = &[
    "-s LIBRARY -d OUT",
    "-s LIBRARY -d OUT --per-operator-headers",
    "-s tests/autograd -d OUT",
    "-s tests/structured -d OUT",
    "-s tests/dialect/library -d OUT",
    "-s tests/python_package/source -d OUT",
    "-s PYTORCH/shims -d OUT --aoti-install-dir OUT/aoti --update-aoti-c-shim",
    "-s PYTORCH/source -d OUT --aoti-install-dir OUT/aoti --mps --xpu --mtia --rocm --per-operator-headers",
    "-s PYTORCH/source -d OUT --aoti-install-dir OUT/aoti --static-dispatch-backend CPU \
     --op-selection-yaml-path PYTORCH/selective.yaml",
    "-s PYTORCH/source -d OUT --aoti-install-dir OUT/aoti --native-aot-ops-dir PYTORCH/declarations",
    "-s PYTORCH/source -d OUT --aoti-install-dir OUT/aoti -o OUT/lists/list.cmake --depfile OUT/lists/list.d \
     --force-schema-registration",
    "autograd --native-functions-path PYTORCH/source/native/native_functions.yaml \
     --tags-path PYTORCH/source/native/tags.yaml --autograd-dir PYTORCH/autograd --install-dir OUT",
    "generate-code --native-functions-path PYTORCH/source/native/native_functions.yaml \
     --tags-path PYTORCH/source/native/tags.yaml --autograd-dir PYTORCH/autograd --gen-dir OUT",
    "backend-stubs -s tests/conformance/backend/added.yaml -o OUT --torch-path PYTORCH/checkout",
    "backend-stubs -s tests/conformance/backend/added_functional.yaml -o OUT --torch-path PYTORCH/checkout",
    "lazy-tensor -s PYTORCH/lazy.yaml -o OUT --torch-path PYTORCH/checkout --skip-shape-inference-check \
     --gen-ts-lowerings --gen-forced-fallback-code --node-base-hdr own/node.h",
    "graph-ir -s examples/graph_ir -d OUT --emit docs,model,self-test",
    "graph-ir -s examples/graph_ir -d OUT --against examples/graph_ir",
    "new OUT/my_graph --family graph-ir",
    "explain --family graph-ir -s examples/graph_ir Add",
    "op-builders -s examples/op_builders -d OUT --emit docs,model,self-test",
    "explain --family op-builders -s examples/op_builders gelu_erf",
    "new OUT/my_builders --family op-builders",
    "tensor-ir -s examples/tensor_ir -d OUT --emit docs,model,parser,self-test,skeletons",
    "tensor-ir -s examples/tensor_ir -d OUT --against examples/tensor_ir",
    "new OUT/my_ir --family tensor-ir",
    "explain --family tensor-ir -s examples/tensor_ir add",
    "gen-unboxing -s PYTORCH/source -d OUT",
    "backend-stubs -s PYTORCH/hooks.yaml -o OUT --torch-path PYTORCH/checkout",
    "explain soft_cap",
    "explain nms",
    "explain -s tests/mini/source scale",
    "kernels -s LIBRARY --sources OUT",
    "kernels -s LIBRARY --sources OUT --write",
    "new OUT/my_ops --cuda",
    "cmake-module OUT",
];

/// Views that the suite has in PyTorch's own file: one of several tensors, and the one that reshapes.
const VIEWS: &str = "
- func: unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]
  dispatch: {CompositeExplicitAutograd: unbind}
- func: unbind_copy.int(Tensor self, int dim=0) -> Tensor[]
  dispatch: {CompositeExplicitAutogradNonFunctional: unbind_copy_int}
  tags: view_copy
- func: view(Tensor(a) self, SymInt[] size) -> Tensor(a)
  dispatch: {CPU: view}
- func: view_copy(Tensor self, SymInt[] size) -> Tensor
  dispatch: {CompositeExplicitAutogradNonFunctional: view_copy_symint}
  tags: view_copy
";

/// A lazy backend of operators of the suite, with a node of every property.
const LAZY: &str = "
backend: Lazy
cpp_namespace: own::lazy
full_codegen: [zq_axpy, zq_concat]
supported: [zq_plain]
non_native:
  - func: plain(Tensor x) -> Tensor
  - func: cached(Tensor x, SymInt n) -> Tensor
    properties: [ShapeCache, CanBeReused, CreateFn, Lower]
";

/// A backend that adds includes to a generated file.
const HOOKS: &str = "
backend: PrivateUse1
cpp_namespace: own_operators
supported: [zq_plain]
files:
  RegisterPrivateUse1.cpp: {headers: [own/device.h]}
derivatives: derivatives.yaml
aoti_shim: {device: own}
";

/// What that backend brings for an operator of the suite.
const DERIVATIVES: &str = "
- name: zq_plain(Tensor self, Tensor other) -> Tensor
  self: grad * other
  other: grad * self
";

/// The test of this module; a release build notes nothing.
pub(crate) fn trials() -> Vec<Trial> {
    if cfg!(debug_assertions) { trials![every_template_is_rendered] } else { Vec::new() }
}

/// Files of the conformance suite as a source path in PyTorch's layout, with the skeletons of
/// `tests/mini`, and empty ones for autograd: what they lack is rendered all the same.
fn pytorch(to: &Path) {
    let suite = root().join("tests/conformance");
    let read = |path: &str| fs::read_to_string(suite.join(path)).expect("a file of the suite");
    for source in ["source", "shims"] {
        fs::create_dir_all(to.join(source).join("native")).expect("a new directory");
        copy(&root().join("tests/mini/source/templates"), &to.join(source).join("templates"));
    }
    for operator in ["concat", "extremes"] {
        let declarations = to.join("declarations").join(operator);
        fs::create_dir_all(&declarations).expect("a new directory");
        copy(&suite.join("own/declarations").join(operator), &declarations);
    }
    fs::create_dir_all(to.join("autograd/templates")).expect("a new directory");
    let operators = ["added/native_functions.yaml", "own/required.yaml"].map(read).concat();
    let more = format!("{operators}{}{VIEWS}", read("own/shims.yaml"));
    for (path, text) in [
        ("source/native/native_functions.yaml", operators),
        ("source/native/tags.yaml", read("own/tags.yaml")),
        ("shims/native/native_functions.yaml", more),
        ("shims/native/tags.yaml", read("own/tags.yaml")),
        ("autograd/derivatives.yaml", read("added/derivatives.yaml")),
        ("autograd/deprecated.yaml", read("added/deprecated.yaml")),
        ("selective.yaml", read("added/selective.yaml")),
        ("lazy.yaml", LAZY.to_owned()),
        ("hooks.yaml", HOOKS.to_owned()),
        ("derivatives.yaml", DERIVATIVES.to_owned()),
    ] {
        fs::write(to.join(path), text).expect("a new file");
    }
    fs::write(to.join("source/templates/ViewMetaClassesPythonBinding.cpp"), "\n").expect("a new file");
    for name in [
        "DispatchKeyNativeFunctions.cpp",
        "DispatchKeyNativeFunctions.h",
        "LazyIr.h",
        "LazyNonNativeIr.h",
        "UnboxingFunctions.cpp",
        "UnboxingFunctions.h",
        "RegisterCodegenUnboxedKernels.cpp",
    ] {
        fs::write(to.join("source/templates").join(name), "\n").expect("a new file");
    }
    let checkout = to.join("checkout/aten/src/ATen");
    fs::create_dir_all(&checkout).expect("a new directory");
    copy(&to.join("source"), &checkout);
    for name in AUTOGRAD_TEMPLATES {
        fs::write(to.join("autograd/templates").join(name), "\n").expect("a new file");
    }
}

fn every_template_is_rendered() {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let (tree, used) = (scratch.path().join("pytorch"), scratch.path().join("used"));
    pytorch(&tree);
    let library = scratch.path().join("library");
    fs::create_dir(&library).expect("a new directory");
    for name in ["native_functions.yaml", "derivatives.yaml", "derivatives_manual.h"] {
        fs::copy(root().join(name), library.join(name)).expect("a new file");
    }
    for (index, run) in RUNS.iter().enumerate() {
        let out = scratch.path().join(format!("out{index}"));
        fs::create_dir(&out).expect("a new directory");
        let places = [("OUT", &out), ("PYTORCH", &tree), ("LIBRARY", &library)];
        let place = |word: &str| {
            places.iter().fold(word.to_owned(), |word, (name, path)| word.replace(name, &path.to_string_lossy()))
        };
        let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
        command.args(run.split_whitespace().map(place)).current_dir(root()).env("TORCHGEN_USED_TEMPLATES", &used);
        let output = command.output().expect("the binary runs");
        // `kernels` ends with 1 when it has printed what is missing.
        let good = output.status.success() || run.starts_with("kernels");
        assert!(good, "{run}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let used = fs::read_to_string(&used).expect("debug builds note what they render");
    let used: BTreeSet<&str> = used.lines().collect();
    let templates = walkdir::WalkDir::new(root().join("templates")).into_iter();
    let names = templates.map(|entry| entry.expect("a readable entry").into_path());
    let names = names.filter(|path| path.extension().is_some_and(|end| end == "j2"));
    let names: BTreeSet<String> = names
        .map(|path| path.strip_prefix(root().join("templates")).expect("below").to_string_lossy().into_owned())
        .collect();
    let left: Vec<&String> = names.iter().filter(|name| !used.contains(name.as_str())).collect();
    assert!(left.is_empty(), "{} of {} templates are rendered by none of the runs: {left:#?}", left.len(), names.len());
}
