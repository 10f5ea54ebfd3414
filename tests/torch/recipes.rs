//! The recipes of docs/backends.md, each run with the text of the page against the wheel: what
//! other projects do to generated files.

use std::fs;
use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;

use crate::support::torch::{root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        includes_in_quotes,
        an_include_that_goes,
        a_fallback_behind_registrations,
        an_include_in_all_files,
        templates_of_another_place,
        wrappers_of_another_form,
        nodes_of_another_generator,
        other_fallback_code
    ]
}

/// The files and the command of the section with that heading.
fn recipe(heading: &str) -> (Vec<(String, String)>, Vec<String>) {
    let page = fs::read_to_string(root().join("docs/backends.md")).expect("the page of backends");
    let (_, section) = page.split_once(&format!("### {heading}\n")).expect("a recipe of that name");
    let section = section.split("\n##").next().unwrap_or(section);
    let (mut files, mut command) = (Vec::new(), Vec::new());
    for block in section.split("\n```").skip(1).step_by(2) {
        let (kind, text) = block.split_once('\n').expect("a fence has a line of its own");
        if kind == "sh" {
            command = text.split_whitespace().skip(1).filter(|word| *word != "\\").map(str::to_owned).collect();
            continue;
        }
        let (name, text) = text.split_once('\n').expect("a first line with the name of the file");
        let name = name.trim_start_matches(['#', '/', ' ']).to_owned();
        files.push((name, format!("{text}\n")));
    }
    assert!(!files.is_empty() && !command.is_empty(), "{heading}");
    (files, command)
}

/// Runs a recipe in a directory, with the PyTorch of the wheel.
fn follow(heading: &str, directory: &Path) {
    let (files, command) = recipe(heading);
    for (name, text) in files {
        let path = directory.join(name);
        fs::create_dir_all(path.parent().expect("it is below the directory")).expect("a new directory");
        fs::write(path, text).expect("a new file");
    }
    let packages = torch().headers().join("../..");
    let aten = packages.join("torchgen/packaged/ATen").to_string_lossy().into_owned();
    let words = command.into_iter().map(|word| if word == "aten/src/ATen" { aten.clone() } else { word });
    let python = torch().program("python");
    let environment = python.ancestors().nth(2).expect("a program of the environment");
    run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(words)
        .current_dir(directory)
        .env("VIRTUAL_ENV", environment));
}

/// Runs a recipe, and looks for texts that a file has, and texts that it lacks.
fn check(heading: &str, file: &str, has: &[&str], lacks: &[&str]) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    follow(heading, directory.path());
    let text = fs::read_to_string(directory.path().join(file)).expect("a file of the recipe");
    for part in has {
        assert!(text.contains(part), "{file} lacks `{part}`:\n{text}");
    }
    for part in lacks {
        assert!(!text.contains(part), "{file} has `{part}`");
    }
}

fn includes_in_quotes() {
    let has = ["#include \"torch_xla/csrc/tensor.h\"", "#include <torch/csrc/shapes.h>", "#include \"bazel-out/gen/"];
    let lacks = ["<torch_xla/csrc/tensor.h>", "runfiles", "<bazel-out"];
    check("XLA's fix_includes.sh", "bazel-out/gen/XLANativeFunctions.cpp", &has, &lacks);
}

fn an_include_that_goes() {
    let has = ["#include <ATen/ops/abs_native.h>"];
    check("IPEX's remove_headers.py", "out/RegisterXPU_0.cpp", &has, &["as_strided_native.h"]);
}

fn a_fallback_behind_registrations() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for _ in 0..2 {
        follow("torch-xpu-ops' XPUFallback", directory.path());
        let text = fs::read_to_string(directory.path().join("out/RegisterXPU_0.cpp")).expect("registrations");
        assert!(text.ends_with("makeFromBoxedFunction<&xpu_fallback>());\n}\n} // namespace\n"), "{text}");
        assert_eq!(text.matches("xpu_fallback>").count(), 1, "it is appended once, however often it is run");
        assert!(text.contains("#include \"ATen/native/CPUFallback.h\""));
    }
    let other = fs::read_to_string(directory.path().join("out/RegisterSchema.cpp")).expect("another file");
    assert!(!other.contains("xpu_fallback"));
}

fn an_include_in_all_files() {
    for file in ["out/RegisterNPU.cpp", "out/NPUNativeFunctions.h"] {
        check("torch_npu's include", file, &["#include <ATen/ATen.h>\n"], &[]);
    }
}

fn templates_of_another_place() {
    let has = ["// nupu's own frame", "PrivateUse1NativeFunctions.h", "TORCH_LIBRARY_IMPL(aten, PrivateUse1, m)"];
    check("torch_nupu's templates", "out/RegisterPrivateUse1.cpp", &has, &["@generated"]);
}

fn wrappers_of_another_form() {
    let has = [
        "\nat::Tensor wrapper_PrivateUse1__abs(const at::Tensor & self) {\n  \
         RECORD_FUNCTION(\"aten::abs\", std::vector<c10::IValue>({self}));\n  \
         return at_npu::native::NPUNativeFunctions::abs(self);\n}\n",
        "  RECORD_FUNCTION(\"aten::add.Tensor\", std::vector<c10::IValue>({self, other, alpha}));\n  \
         if (acl_op::is_enabled()) return acl_op::add(self, other, alpha);\n  \
         return at_npu::native::NPUNativeFunctions::add(self, other, alpha);\n",
    ];
    check("torch_npu's wrappers", "out/RegisterNPU.cpp", &has, &["acl_op::abs"]);
}

fn nodes_of_another_generator() {
    let has = [
        "class Abs : public XlaNode {",
        "  torch_xla::XlaOpVector Lower(LoweringContext* loctx) const override;\n",
        "class AddTensor : public XlaNode {",
    ];
    check("XLA's GenXlaLazyIR", "out/LazyIr.h", &has, &["TSOpVector"]);
}

fn other_fallback_code() {
    let lacks = ["call_fallback_fn_symint<&ltc_eager_fallback"];
    check("torch-mlir's fallback code", "out/LazyNativeFunctions.cpp", &["        PRINT_FUNCTION();\n"], &lacks);
}
