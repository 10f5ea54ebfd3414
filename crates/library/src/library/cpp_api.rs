//! Libraries on libtorch's C++ API: what the ABI decides, and the generators of their files.
//!
//! Invariant: formulas are C++, kernels are called through wrappers, which may convert, and a meta
//! function in C++ comes before what follows from a schema.

use super::Serves::{Any, Own, OwnOrSchemas, OwnOrStock};
use super::kernels::cpp_api as cpp_kernels;
use super::kernels::{OF_CPP_API, TypeSpelling, WantedKernel};
use super::settings::Settings;
use super::{
    Abi, FakeSource, Inputs, LibraryGenerator, Scaffold, functionalization, headers, lints, python, sources, structured,
};
use crate::formula::check::{self, LibraryFormulas};
use torchgen_base::diag::Diagnostics;
use torchgen_generators::OutputKind::{Headers, Python, Sources};
use torchgen_generators::{Context, Errors, Generator, info};
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::model::version::Version;
use torchgen_model::model::{BackendIndices, DispatchKey, NativeFunction, Target};

/// libtorch's C++ API, which changes with every minor version.
#[derive(Debug)]
pub(crate) struct CppApi;

impl Abi for CppApi {
    fn generators(&self) -> &'static [LibraryGenerator] {
        GENERATORS
    }

    fn check_namespace(&self, inputs: &Inputs, _: bool, session: &mut Session) -> Result<(), JobError> {
        let diagnostics = &mut session.diagnostics;
        diagnostics.extend(functionalization::lints(&inputs.context));
        diagnostics.extend(lints::lints(inputs, false));
        diagnostics.extend(crate::formula::lints(inputs.derivatives, inputs.context.functions));
        diagnostics.extend(structured::shared_kernels(&inputs.context));
        Ok(())
    }

    fn lint_entries(
        &self,
        functions: &[NativeFunction],
        indices: &BackendIndices,
        _: Version,
        diagnostics: &mut Diagnostics,
    ) {
        diagnostics.extend(lints::of_entries(functions, indices));
    }

    fn is_stable(&self) -> bool {
        false
    }

    fn adapted(
        &self,
        _: &Settings,
        functions: &[NativeFunction],
        indices: &BackendIndices,
    ) -> Option<Vec<NativeFunction>> {
        let is_idle = |f: &NativeFunction| matches!(self.fake_source(f, indices), FakeSource::Cpp(_));
        if !functions.iter().any(|f| f.fake.is_some() && is_idle(f)) {
            return None;
        }
        let without = |f: &NativeFunction| NativeFunction { fake: f.fake.clone().filter(|_| !is_idle(f)), ..f.clone() };
        Some(functions.iter().map(without).collect())
    }

    fn fake_source(&self, f: &NativeFunction, indices: &BackendIndices) -> FakeSource {
        if f.part_of_structured_group() {
            return FakeSource::Cpp("the outputs follow from the meta function");
        }
        if indices.has_kernel(DispatchKey::Meta, f) {
            return FakeSource::Cpp("the outputs follow from the Meta kernel");
        }
        let in_cpp = f.has_composite_kernel() || f.is_view_op() || f.manual_kernel_registration || f.is_generated();
        if in_cpp { FakeSource::Author } else { FakeSource::AuthorOrSchema { calls_functional_variant: false } }
    }

    fn package<'s>(&self, _: &'s Settings) -> python::Variant<'s> {
        python::CPP_API
    }

    fn formula_target<'r>(&self, target: Target<'r>) -> Target<'r> {
        Target { sees_exports_only: true, ..target }
    }

    fn check_formulas(&self, formulas: LibraryFormulas, session: &mut Session) -> Result<(), JobError> {
        check::check_library_formulas(formulas, session)
    }

    fn kernels(&self, ctx: &Context, _: &Settings) -> Result<Vec<WantedKernel>, Errors> {
        cpp_kernels::kernels(&CppApi, ctx)
    }

    fn spelling(&self) -> &'static TypeSpelling {
        &OF_CPP_API
    }

    fn skeletons(&self) -> &'static str {
        "torch/kernels/skeletons.j2"
    }

    fn signatures(&self, _: &NativeFunction, _: &BackendIndices) -> Option<Vec<(String, String)>> {
        None
    }

    fn scaffold(&self) -> &'static Scaffold {
        &SCAFFOLD
    }
}

/// All of them, in the order in which files are listed.
#[rustfmt::skip]
pub const GENERATORS: &[LibraryGenerator] = &[
    Generator { info: info!("generate", "library", "a library's public headers", &["include/<ns>/Export.h", "include/<ns>/Functions.h", "include/<ns>/Operators.h", "include/<ns>/RedispatchFunctions.h", "include/<ns>/ops.h"]), when: (Headers, Own), run: |i| headers::public(&i.context) },
    Generator { info: info!("generate", "library", "declarations of a library's kernels", &["include/<ns>/Portable.h", "include/<ns>/MetaBase.h", "include/<ns>/NativeFunctions.h", "include/<ns>/NativeMetaFunctions.h", "include/<ns>/registrations/<operator>_<Key>.h", "include/<ns>/Dims.h", "include/<ns>/DimsTable.h", "include/<ns>/DimsRanks.h", "include/<ns>/DimsCheck.h", "include/<ns>/DimsOperators.h"]), when: (Headers, OwnOrStock), run: headers::native },
    Generator { info: info!("generate", "library", "a library's sources, and the headers of its nodes", &["src/Library_<part>.cpp", "src/LibraryCUDA_<part>.cpp", "src/Support.cpp", "src/Dims.cpp", "include/<ns>/AutogradFunctions.h", "include/<ns>/SavedValues.h", "include/<ns>/Support.h"]), when: (Sources, Any), run: sources::run },
    Generator { info: info!("generate", "library/python", "a library's Python package", &["python/<package>/__init__.py", "python/<package>/_ops.py", "python/<package>/_ops.pyi", "python/<package>/return_types.py", "python/<package>/py.typed", "python/<package>/_kernels.py", "python/<package>/_fakes.py", "python/<package>/_vmap.py", "python/<package>/_dims.py", "python/<package>/aoti.py", "python/<package>/onnx.py"]), when: (Python, OwnOrSchemas), run: |i| python::package(i) },
];

/// The files of a new library.
const SCAFFOLD: Scaffold = Scaffold {
    files: &[
        ("native_functions.yaml", "torch/new/native_functions.yaml.j2"),
        ("derivatives.yaml", "torch/new/derivatives.yaml.j2"),
        ("library.yaml", "torch/new/library.yaml.j2"),
        ("kernels/squared_relu.cpp", "torch/new/squared_relu.cpp.j2"),
        ("kernels/mean_distance.cpp", "torch/new/mean_distance.cpp.j2"),
        ("kernels/update_average.cpp", "torch/new/update_average.cpp.j2"),
        ("tests/hard_inputs.py", "torch/kernels/hard_inputs.py.j2"),
        ("tests/test_operators.py", "torch/new/test_operators.py.j2"),
        ("CMakeLists.txt", "torch/new/CMakeLists.txt.j2"),
        ("pyproject.toml", "torch/new/pyproject.toml.j2"),
        ("torch_pin.py", "torch/new/torch_pin.py.j2"),
        ("README.md", "torch/new/README.md.j2"),
        (".gitignore", "torch/new/gitignore.j2"),
        (".github/workflows/breaking.yml", "kit/new/breaking.yml.j2"),
        (".github/workflows/test.yml", "torch/new/test.yml.j2"),
    ],
    cuda_file: ("kernels/squared_relu.cu", "torch/new/squared_relu.cu.j2"),
    next: "torch/new/next.j2",
};
