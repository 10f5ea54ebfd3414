//! The examples in the help of the commands for PyTorch's operators.
//!
//! Invariant: a test parses each with the definition of the command line.

use torchgen_kit::driver::job::{Example, example};

pub(super) const GENERATE: &[Example] = &[
    example("Generate an operator library", "generate -s my-ops -d my-ops/generated"),
    example(
        "Generate ATen, as PyTorch's build does",
        "generate -s aten/src/ATen -d build/aten/src/ATen --per-operator-headers",
    ),
];

pub(super) const AUTOGRAD: &[Example] = &[
    example(
        "Generate autograd of PyTorch's sources",
        "autograd --native-functions-path aten/src/ATen/native/native_functions.yaml --tags-path aten/src/ATen/native/tags.yaml --autograd-dir tools/autograd -d out",
    ),
    example(
        "Generate only the Python bindings",
        "autograd --native-functions-path native_functions.yaml --tags-path tags.yaml --autograd-dir tools/autograd -d out --subset pybindings",
    ),
];

pub(super) const GENERATE_CODE: &[Example] = &[
    example("Generate in a checkout of PyTorch", "generate-code --gen-dir . --subset libtorch"),
    example("Also generate the lazy TorchScript backend", "generate-code --gen-lazy-ts-backend"),
];

pub(super) const BACKEND_STUBS: &[Example] = &[
    example("Declare and register the kernels of a backend", "backend-stubs -s backend.yaml -o generated"),
    example(
        "Also check that sources define all kernels",
        "backend-stubs -s backend.yaml -o generated --impl-path kernels",
    ),
];

pub(super) const LAZY_TENSOR: &[Example] = &[
    example("Generate a lazy backend", "lazy-tensor -s backend.yaml -o generated --node-base XlaNode"),
    example("Lower its nodes to TorchScript", "lazy-tensor -s backend.yaml -o generated --gen-ts-lowerings"),
];

pub(super) const DECLARATIONS: &[Example] = &[
    example("Write the declarations of PyTorch's operators", "declarations -s aten/src/ATen -d out"),
    example("Those of a library", "declarations -s my-ops -d out"),
];

pub(super) const GEN_UNBOXING: &[Example] = &[
    example("Generate the kernels of all operators", "gen-unboxing -s aten/src/ATen -d out"),
    example(
        "Generate those of two operators",
        "gen-unboxing -s aten/src/ATen -d out --op-registration-allowlist aten::add aten::mul",
    ),
];

pub(super) const GEN_PYI: &[Example] = &[
    example("Write the stubs into a checkout of PyTorch", "gen-pyi"),
    example("Write them to another directory", "gen-pyi -d out"),
];

pub(super) const GEN_STATIC_RUNTIME_OPS: &[Example] = &[
    example("Write the operators and their tests to fbcode's paths", "gen-static-runtime-ops"),
    example("Write them here", "gen-static-runtime-ops -s aten/src/ATen -p generated_ops.cpp -t test_generated_ops.cc"),
];

pub(super) const GEN_OPLIST: &[Example] = &[
    example("Merge the selections of several models", "gen-oplist --model-file-list-path @models.txt -d out"),
    example(
        "Accept selections of all overloads",
        "gen-oplist --model-file-list-path model.yaml -d out --allow-include-all-overloads",
    ),
];

pub(super) const GEN_OPERATORS_YAML: &[Example] = &[
    example(
        "Select the operators of a model",
        "gen-operators-yaml --root-ops aten::add,aten::mul --dep-graph-yaml-path deps.yaml --model-name net --rule-name net --output-path ops.yaml",
    ),
    example(
        "Select all operators",
        "gen-operators-yaml --include-all-operators --dep-graph-yaml-path deps.yaml --model-name net --rule-name net --output-path ops.yaml",
    ),
];

pub(super) const GEN_OP_REGISTRATION_ALLOWLIST: &[Example] = &[
    example(
        "Print what the operators of a list call",
        "gen-op-registration-allowlist --op-dependency deps.yaml --root-ops roots.yaml",
    ),
    example("Print only the operators of the list", "gen-op-registration-allowlist --root-ops roots.yaml"),
];

pub(super) const GEN_VERSION_HEADER: &[Example] = &[
    example(
        "Write PyTorch's version.h",
        "gen-version-header --template-path version.h.in --version-path version.txt --output-path version.h",
    ),
    example(
        "Fail if it would change",
        "gen-version-header --template-path version.h.in --version-path version.txt --output-path version.h --verify",
    ),
];

pub(super) const KERNELS: &[Example] = &[
    example("Compare the sources in kernels/ with the YAML of this directory", "kernels -s . --sources kernels"),
    example("Write skeletons of the missing kernels beside them", "kernels -s . --sources kernels --write"),
];

pub(super) const STABLE_OPS: &[Example] = &[
    example(
        "Write a header with all overloads of two operators",
        "stable-ops --ops aten::cumsum,aten::sort --out-file ops.h",
    ),
    example("Print one for torch 2.12 or newer", "stable-ops --ops aten::add.Tensor --torch-min 2.12"),
];

pub(super) const AUDIT: &[Example] = &[
    example("Check a built library", "audit build/libmy_ops.so"),
    example("Check one for torch 2.12 or newer", "audit build/libmy_ops.so --torch-min 2.12"),
];

pub(super) const ADOPT: &[Example] = &[
    example("Show what a library registers in its sources and when it is loaded", "adopt csrc --python-package my_ops"),
    example("Write its YAML, and a report", "adopt csrc --python-package my_ops --write"),
    example("Compare the YAML with the library, in CI", "adopt csrc --python-package my_ops --verify"),
];
pub(super) const FROM_CPP: &[Example] = &[
    example("Print the YAML of the operators that sources register", "from-cpp csrc"),
    example("Write it to a file", "from-cpp csrc --out-file native_functions.yaml"),
];

pub(super) const DEV: &[Example] = &[
    example("Build the library of this project and install it into the active environment", "dev"),
    example("Do so again after each change", "dev --watch"),
];

pub(super) const TEST: &[Example] = &[
    example("Test with the torch of the active environment", "test"),
    example("Test one wheel with six versions of torch", "test --torch 2.10..2.15"),
    example(
        "Test with the torch of two environments, and only some of the tests",
        "test --python old/bin/python new/bin/python -- -k squared",
    ),
];
