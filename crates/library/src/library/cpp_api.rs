//! Libraries on libtorch's C++ API: what the ABI decides, and the generators of their files.
//!
//! Invariant: formulas are C++, kernels are called through wrappers, which may convert, and a meta
//! function in C++ comes before what follows from a schema.

use indexmap::IndexSet;

use super::Serves::{Own, OwnOrSchemas, OwnOrStock};
use super::kernels::WantedKernel;
use super::kernels::cpp_api as cpp_kernels;
use super::settings::Settings;
use super::view::Skeleton;
use super::{
    Abi, Inputs, LibraryGenerator, MANAGER, Scaffold, autograd, backend_select, functionalization, headers, python,
};
use super::{lints, source, structured};
use crate::formula::check::{self, LibraryFormulas};
use torchgen_base::diag::Diagnostics;
use torchgen_base::write::OutputFile;
use torchgen_generators::OutputKind::{Autograd, Headers, Python, Sources};
use torchgen_generators::register_dispatch_key::backend::Backend;
use torchgen_generators::register_dispatch_key::definitions::texts;
use torchgen_generators::register_dispatch_key::frame::library_helpers;
use torchgen_generators::{Context, Errors, Generator, Outcome, info};
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

    fn lint(&self, inputs: &Inputs, diagnostics: &mut Diagnostics) {
        diagnostics.extend(functionalization::lints(&inputs.context));
        diagnostics.extend(lints::lints(inputs, false));
        diagnostics.extend(crate::formula::lints(inputs.derivatives, inputs.context.functions));
        diagnostics.extend(structured::shared_kernels(&inputs.context));
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

    fn stops_at_lints(&self) -> bool {
        false
    }

    fn has_oldest_torch(&self) -> bool {
        false
    }

    fn has_operator_headers(&self) -> bool {
        true
    }

    fn adapted(
        &self,
        _: &Settings,
        functions: &[NativeFunction],
        indices: &BackendIndices,
    ) -> Option<Vec<NativeFunction>> {
        if !functions.iter().any(|f| self.idle_fake(f, indices).is_some()) {
            return None;
        }
        let without = |f: &NativeFunction| NativeFunction {
            fake: f.fake.clone().filter(|_| self.idle_fake(f, indices).is_none()),
            ..f.clone()
        };
        Some(functions.iter().map(without).collect())
    }

    fn idle_fake(&self, f: &NativeFunction, indices: &BackendIndices) -> Option<&'static str> {
        f.fake.as_ref()?;
        if f.part_of_structured_group() {
            return Some("the outputs follow from the meta function");
        }
        indices.has_kernel(DispatchKey::Meta, f).then_some("the outputs follow from the Meta kernel")
    }

    fn infers_fake(&self, f: &NativeFunction, indices: &BackendIndices) -> bool {
        let in_cpp = f.has_composite_kernel()
            || f.part_of_structured_group()
            || f.is_view_op()
            || f.manual_kernel_registration
            || f.is_generated()
            || indices.has_kernel(DispatchKey::Meta, f);
        !in_cpp
    }

    fn registers_functional_variants(&self) -> bool {
        false
    }

    fn package<'s>(&self, _: &'s Settings) -> python::Variant<'s> {
        python::CPP_API
    }

    fn formula_target<'r>(&self, target: Target<'r>) -> Target<'r> {
        Target { sees_exports_only: true, ..target }
    }

    fn check_formulas(&self, formulas: LibraryFormulas, session: &mut Session) -> Result<(), JobError> {
        check::check(formulas, session)
    }

    fn kernels(&self, ctx: &Context, _: &Settings) -> Result<Vec<WantedKernel>, Errors> {
        cpp_kernels::kernels(&CppApi, ctx)
    }

    fn converts(&self) -> bool {
        true
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
    Generator { info: info!("generate", "library", "declarations of a library's kernels", &["include/<ns>/Portable.h", "include/<ns>/MetaBase.h", "include/<ns>/NativeFunctions.h", "include/<ns>/NativeMetaFunctions.h"]), when: (Headers, OwnOrStock), run: |i| headers::native(&i.context) },
    Generator { info: info!("generate", "library", "a library's schemas and entry points", &["src/RegisterSchema.cpp", "src/Operators.cpp", "src/CompositeKernels.cpp"]), when: (Sources, OwnOrSchemas), run: |i| sources(&i.bodies) },
    Generator { info: info!("generate", "library", "registration of a library's kernels", &["src/Register<Key>.cpp"]), when: (Sources, OwnOrStock), run: |i| kernels(&i.bodies) },
    Generator { info: info!("generate", "library", "backend selection for a library's factory functions", &["src/RegisterBackendSelect.cpp"]), when: (Sources, Own), run: |i| backend_select::run(&i.bodies) },
    Generator { info: info!("generate", "library/functionalization", "a library's views and mutations for functionalization", &["src/RegisterFunctionalization.cpp"]), when: (Sources, Own), run: |i| functionalization::run(&i.bodies) },
    Generator { info: info!("generate", "library/python", "a library's Python package", &["python/<package>/__init__.py", "python/<package>/_ops.py", "python/<package>/_ops.pyi", "python/<package>/return_types.py", "python/<package>/py.typed", "python/<package>/_kernels.py", "python/<package>/_fakes.py", "python/<package>/_vmap.py"]), when: (Python, OwnOrSchemas), run: |i| python::package(i) },
    Generator { info: info!("generate", "library", "a library's derivatives", &["include/<ns>/AutogradFunctions.h", "src/AutogradFunctions.cpp", "src/VariableType.cpp", "src/ADInplaceOrView.cpp"]), when: (Autograd, Own), run: autograd::autograd },
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
    ],
    cuda_file: ("kernels/squared_relu.cu", "torch/new/squared_relu.cu.j2"),
    next: "torch/new/next.j2",
};

fn sources(ctx: &Context) -> Outcome {
    let skeleton = Skeleton::new(ctx);
    let definitions = torchgen_generators::operators::definitions(ctx)?;
    let mut files = Vec::new();
    let defines = (skeleton.defines_operators() && !ctx.functions.is_empty()) || !ctx.schema_only.is_empty();
    if defines && !ctx.flags.skip_dispatcher_op_registration {
        files.push(source(ctx, "RegisterSchema.cpp", &skeleton.with_schemas(ctx))?);
    }
    if !definitions.is_empty() {
        files.push(source(ctx, "Operators.cpp", &skeleton.with_definitions(&definitions))?);
    }
    let generated = torchgen_generators::composite_kernels::generated_kernels(ctx)?;
    if !generated.is_empty() {
        files.push(source(ctx, "CompositeKernels.cpp", &skeleton.with_definitions(&generated))?);
    }
    Ok(files)
}

/// One source per dispatch key that has kernels.
fn kernels(ctx: &Context) -> Outcome {
    let skeleton = Skeleton::new(ctx);
    let mut files = Vec::new();
    for key in ctx.dispatch_keys {
        let backend = Backend::library(ctx, *key);
        let texts = ctx.per_item(ctx.grouped, |item| texts(ctx, &backend, item))?;
        let (mut wrappers, mut registrations) = (Vec::new(), Vec::new());
        let mut operators = IndexSet::new();
        for (texts, item) in texts.into_iter().zip(ctx.grouped) {
            let Some(texts) = texts else { continue };
            operators.insert(item.root_name());
            wrappers.push(texts.wrappers);
            registrations.push(texts.registrations);
        }
        if wrappers.is_empty() || ctx.flags.skip_dispatcher_op_registration {
            continue;
        }
        let helpers = library_helpers(ctx, &backend)?;
        let including = skeleton.with_operators(&operators, ctx.flags.per_operator_headers);
        let view = including.with_kernels(&wrappers, &registrations, helpers.as_ref());
        let text = ctx.renderer.fragment("torch/library/Register.cpp.j2", &view)?;
        files.push(OutputFile::new(MANAGER, format!("src/Register{key}.cpp"), text));
    }
    Ok(files)
}
