//! `--template-dir`: in runs that do several jobs, each template reaches the job that renders it,
//! and C++ sources are replaced like templates.

use std::fs;
use std::process::Command;

use libtest_mimic::Trial;

use crate::expected::assert_is_text_of_file;
use crate::pytorch::pytorch;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        a_backends_library,
        a_lazy_backend_beside_autograd,
        cpp_sources,
        wrappers_know_their_operator,
        nodes_know_their_operator,
        mistakes_about_operators
    ]
}

const LIBRARY: &str = "
- func: own_ops::soften(Tensor self) -> Tensor
  dispatch: {CPU: soften}
";

const BACKEND: &str = "
backend: PrivateUse1
cpp_namespace: vendor
supported: [zq_plain]
library: operators
";

const LAZY: &str = "
backend: Lazy
cpp_namespace: torch::lazy
supported: [zq_plain]
non_native:
  - func: scalar(Scalar value, ScalarType type) -> Tensor
";

/// Runs the tool in a directory, and returns what it reports.
fn run(directory: &std::path::Path, arguments: &str) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    let output = command.args(arguments.split_whitespace()).current_dir(directory).output().expect("it runs");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    pytorch(scratch.path());
    for (path, text) in files {
        let path = scratch.path().join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a new directory");
        fs::write(path, text).expect("a new file");
    }
    scratch
}

fn a_backends_library() {
    let scratch = tree(&[
        ("backend.yaml", BACKEND),
        ("operators/native_functions.yaml", LIBRARY),
        ("overlay/torch/library/Functions.h.j2", "// a header of vendor's\n"),
        ("overlay/RegisterDispatchKey.cpp", "// a frame of vendor's\n"),
    ]);
    let line = "backend-stubs -s backend.yaml -o out --torch-path checkout --template-dir overlay";
    let (passes, said) = run(scratch.path(), line);
    assert!(passes, "{said}");
    let read = |path: &str| fs::read_to_string(scratch.path().join("out").join(path)).expect("a file of the run");
    assert_eq!(read("include/own_ops/Functions.h"), "// a header of vendor's\n");
    assert_eq!(read("RegisterPrivateUse1.cpp"), "// a frame of vendor's\n");

    fs::write(scratch.path().join("overlay/torch/library/Funktions.h.j2"), "").expect("a new file");
    let (passes, said) = run(scratch.path(), line);
    assert!(
        !passes && said.contains("TG0802") && said.contains("did you mean `torch/library/Functions.h.j2`?"),
        "{said}"
    );
}

fn a_lazy_backend_beside_autograd() {
    let scratch = tree(&[
        ("checkout/aten/src/ATen/native/ts_native_functions.yaml", LAZY),
        (
            "torch/csrc/lazy/ts_backend/ts_native_functions.cpp",
            "at::Tensor LazyNativeFunctions::zq_plain(const at::Tensor & self, const at::Tensor & other) { return self; }\n",
        ),
        ("torch/csrc/lazy/core/shape_inference.h", "\n"),
        ("overlay/torch/lazy/node.j2", "// a node of vendor's\n"),
        ("overlay/ViewMetaClassesPythonBinding.cpp", "// bindings of vendor's\n"),
        ("overlay/autograd/Functions.h", "// a header of vendor's\n"),
        ("overlay/LazyIr.h", "// an IR of vendor's\n"),
    ]);
    let line = "generate-code --native-functions-path checkout/aten/src/ATen/native/native_functions.yaml \
        --tags-path checkout/aten/src/ATen/native/tags.yaml --autograd-dir autograd --gen-dir out --gen-lazy-ts-backend \
        --template-dir overlay";
    let (passes, said) = run(scratch.path(), line);
    assert!(passes, "{said}");
    let read =
        |path: &str| fs::read_to_string(scratch.path().join("out/torch/csrc").join(path)).expect("a file of the run");
    assert_eq!(read("autograd/generated/Functions.h"), "// a header of vendor's\n");
    assert_eq!(read("lazy/generated/LazyIr.h"), "// an IR of vendor's\n");
    assert_eq!(read("functionalization/generated/ViewMetaClassesPythonBinding.cpp"), "// bindings of vendor's\n");
    assert_eq!(read("lazy/generated/LazyNonNativeIr.h").matches("// a node of vendor's").count(), 1);
}

fn cpp_sources() {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let write = |path: &str, text: &str| {
        let path = scratch.path().join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a new directory");
        fs::write(path, text).expect("a new file");
    };
    let ops = "- node: Neg(Tensor X) -> Tensor Y\n- instr: Neg(Tensor X) -> Tensor Y\n  from_node: Neg\n";
    write("ir.yaml", &format!("family: graph-ir\nnamespace: mine::ir\nops:\n{ops}"));
    // A file that is written as it is, and one that a template writes a part of.
    let lowering = "#pragma once\n// torchgen_comment\nnamespace torchgen_support { int torchgen_supported; }\n";
    write("overlay/graph_ir/IRGen.h", lowering);
    write("overlay/kit/cpp/hash.h", "int left_out;\n#include <map>\nnamespace torchgen_support {\nint own;\n}\n");
    write("overlay/graph_ir/compile_flags.txt", "-std=c++17\n");
    let line = "graph-ir -s ir.yaml -d out --template-dir overlay";
    let (passes, said) = run(scratch.path(), line);
    assert!(passes, "{said}");
    let read = |path: &str| fs::read_to_string(scratch.path().join("out").join(path)).expect("a file of the run");
    assert_eq!(
        read("IRGen.h"),
        "#pragma once\n// @generated by torchgen-rs graph-ir. Do not edit.\nnamespace mine::ir { int torchgen_supported; }\n"
    );
    let kit = read("IRKit.h");
    assert!(
        kit.contains("\n#include <map>\nnamespace mine::ir {\nint own;\n}\n") && !kit.contains("left_out"),
        "{kit}"
    );

    // A part without a namespace cannot be found.
    write("overlay/graph_ir/parts/types.h", "int x;\n");
    let (passes, said) = run(scratch.path(), line);
    assert!(!passes && said.contains("`graph_ir/parts/types.h` lacks a namespace"), "{said}");
    fs::remove_file(scratch.path().join("overlay/graph_ir/parts/types.h")).expect("a file");

    write("overlay/graph_ir/IRGen.h.j2", "");
    let (passes, said) = run(scratch.path(), line);
    assert!(!passes && said.contains("TG0802") && said.contains("it is now `graph_ir/IRGen.h`"), "{said}");
}

/// A backend with texts of its own for a kernel.
const OWN: &str = "
backend: PrivateUse1
cpp_namespace: vendor
supported:
- zq_plain: {own: {library: fast, since: '3'}}
- zq_axpy
autograd: [zq_concat]
";

/// A wrapper that shows what is known of its operator.
const CALL: &str = "\
// {{ op.name }} for {{ entry.library }}, {{ op.entry.since }}: {{ op.inputs | length }}
// {{ wrapper.kernel }}: {{ signature(op, \"cpp\").decl(\"f\") }}
";

const CALL_PATH: &str = "overlay/torch/register_dispatch_key/call.j2";

fn wrappers_know_their_operator() {
    let scratch = tree(&[("backend.yaml", OWN), (CALL_PATH, CALL)]);
    let line = "backend-stubs -s backend.yaml -o out --torch-path checkout --template-dir overlay";
    let (passes, said) = run(scratch.path(), line);
    assert!(passes, "{said}");
    let of = |file: &str| {
        let text = fs::read_to_string(scratch.path().join("out").join(file)).expect("a file of the run");
        text.lines().filter(|line| line.starts_with("// ")).map(|line| format!("{line}\n")).collect::<String>()
    };
    let head = "// @generated by torchgen/gen_backend_stubs.py from RegisterDispatchKey.cpp\n";
    let of_key = |file: &str| of(file).strip_prefix(head).unwrap_or_default().to_owned();
    let scope = "// vendor::PrivateUse1NativeFunctions::";
    let axpy = "at::Tensor f(const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha=1)";
    let expected = format!(
        "// aten::zq_axpy for None, None: 3\n{scope}zq_axpy: {axpy}\n// aten::zq_plain for fast, 3: 2\n\
         {scope}zq_plain: at::Tensor f(const at::Tensor & self, const at::Tensor & other)\n"
    );
    assert_eq!(of_key("RegisterPrivateUse1.cpp"), expected);
    // Those of the autograd key too.
    assert!(of_key("RegisterAutogradPrivateUse1.cpp").starts_with("// aten::zq_concat for None, None: 2\n"));
    // Without templates of one's own, the texts change nothing.
    fs::remove_dir_all(scratch.path().join("overlay")).expect("a directory");
    let plain = "backend-stubs -s backend.yaml -o plain --torch-path checkout";
    assert!(run(scratch.path(), plain).0);
    fs::write(scratch.path().join("backend.yaml"), OWN.replace(": {own: {library: fast, since: '3'}}", ""))
        .expect("a file");
    let (passes, said) = run(scratch.path(), &format!("{plain} --verify"));
    assert!(passes, "{said}");
}

fn nodes_know_their_operator() {
    let lazy = format!("{LAZY}    properties: [CreateFn]\nfull_codegen: [zq_axpy]\n");
    let scratch = tree(&[
        ("lazy.yaml", &lazy),
        ("overlay/torch/lazy/create.j2", "// {{ op.name if op else name }} {{ entry }}\n"),
    ]);
    let line =
        "lazy-tensor -s lazy.yaml -o out --torch-path checkout --template-dir overlay --skip-shape-inference-check";
    let (passes, said) = run(scratch.path(), line);
    assert!(passes, "{said}");
    let of = |file: &str| fs::read_to_string(scratch.path().join("out").join(file)).expect("a file of the run");
    assert!(of("LazyIr.h").contains("// aten::zq_axpy {}\n"), "{}", of("LazyIr.h"));
    assert!(of("LazyNonNativeIr.h").contains("// Scalar None\n"), "{}", of("LazyNonNativeIr.h"));
}

fn mistakes_about_operators() {
    let scratch = tree(&[("backend.yaml", OWN), (CALL_PATH, "")]);
    let line = "backend-stubs -s backend.yaml -o out --torch-path checkout --template-dir overlay";
    let mut said = String::new();
    for (yaml, call) in [
        (OWN, "{{ op.facts.nme }}\n"),
        (OWN, "{{ entry.libary }}\n"),
        (OWN, "{{ fail(\"no \" ~ op.name) }}\n"),
        (OWN, "{{ signature(op, \"cp\") }}\n"),
        (&*OWN.replace("library: fast", "library: [fast]"), CALL),
        (&*OWN.replace("own:", "onw:"), CALL),
    ] {
        fs::write(scratch.path().join("backend.yaml"), yaml).expect("a file");
        fs::write(scratch.path().join(CALL_PATH), call).expect("a file");
        let (passes, more) = run(scratch.path(), line);
        assert!(!passes && !scratch.path().join("out").exists(), "{call}");
        let errors = more.split("\n\n").filter(|text| !text.starts_with("warning"));
        let errors = errors.map(|text| format!("{text}\n")).collect::<String>();
        said += &format!("{}\n{}\n", call.lines().next().unwrap_or_default(), errors.replace(", 7 warnings", ""));
    }
    assert_is_text_of_file(&crate::root().join("tests/backend/own_templates.txt"), &said);
}
