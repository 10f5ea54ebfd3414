//! `abi: stable`: an operator library whose shared object needs nothing of libtorch but the C shim
//! that every torch version from the minimum on has.
//!
//! Data flows `Inputs -> kernels, calls -> view -> files`. Invariant: generated code calls
//! torch through `templates/torch/stable/calls` and torch's stable headers only. Kernels are called
//! with exactly the types of their declarations, which are those of the schemas.

mod c_functions;
mod composite;
mod headers;
mod kernels;
mod outputs;
mod registrations;
mod sources;
mod structured;
mod view;
mod wanted;

use crate::formula::check::{LibraryFormulas, check_translated};
use crate::library::Serves::{Own, OwnOrSchemas, OwnOrStock};
use crate::library::derivatives;
use crate::library::functionalization;
use crate::library::kernels::{OF_STABLE_ABI, TypeSpelling, WantedKernel};
use crate::library::python::Variant;
use crate::library::settings::Settings;
use crate::library::{Abi, FakeSource, Inputs, LibraryGenerator, Scaffold, entry_lints, of_entries, shared_kernels};
use crate::stable::calls::{Callable, functions};
use crate::stable::ops::select::select_named;
use crate::stable::{check, python};
use torchgen_api::stable::{KernelSignature, has_readable_results};
use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_generators::OutputKind::{Headers, Python, Sources};
use torchgen_generators::{Context, Errors, Generator, info};
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::model::version::Version;
use torchgen_model::model::{BackendIndices, NativeFunction, Target};

/// libtorch's stable ABI.
#[derive(Debug)]
pub(crate) struct StableAbi;

/// Whether the stable ABI has no lint of its own in place of one.
fn is_common(lint: &Diagnostic) -> bool {
    ![&codes::KERNEL_NOT_SYMBOLIC, &codes::META_MISSING].contains(&lint.code)
}

impl Abi for StableAbi {
    fn generators(&self) -> &'static [LibraryGenerator] {
        GENERATORS
    }

    /// What the stable ABI cannot carry, and what holds for every library.
    fn check_namespace(&self, inputs: &Inputs, strict: bool, session: &mut Session) -> Result<(), JobError> {
        let diagnostics = &mut session.diagnostics;
        let (ctx, settings) = (&inputs.context, inputs.settings);
        diagnostics.extend(entry_lints(inputs, true).into_iter().filter(is_common));
        diagnostics.extend(derivatives::without_kernels(inputs));
        diagnostics.extend(crate::formula::lints(inputs.derivatives, ctx.functions));
        diagnostics.extend(functionalization::lints_for_given_back(ctx));
        diagnostics.extend(shared_kernels(ctx));
        diagnostics.extend(select_named(&settings.torch_ops, settings.torch_min, ctx.target.tables).1);
        check::check_stable_operators(ctx.functions, ctx.indices, settings.torch_min, diagnostics);
        diagnostics.extend(python::check_formulas(inputs));
        check::check_schemas(ctx.schema_only, settings.torch_min, ctx.target.tables, diagnostics);
        session.fail_on_errors(strict)
    }

    fn lint_entries(
        &self,
        functions: &[NativeFunction],
        indices: &BackendIndices,
        min: Version,
        diagnostics: &mut Diagnostics,
    ) {
        diagnostics.extend(of_entries(functions, indices).into_iter().filter(is_common));
        check::check_stable_operators(functions, indices, min, diagnostics);
    }

    fn is_stable(&self) -> bool {
        true
    }

    /// Operators can be left out, and fakes make the outputs of structured ones.
    fn adapted(
        &self,
        settings: &Settings,
        functions: &[NativeFunction],
        _: &BackendIndices,
    ) -> Option<Vec<NativeFunction>> {
        let has_outlines = |f: &NativeFunction| f.structured && f.fake.is_some();
        if !settings.leaves_out_some() && !functions.iter().any(has_outlines) {
            return None;
        }
        let mut kept: Vec<NativeFunction> = functions.iter().filter(|f| !settings.leaves_out(f)).cloned().collect();
        share_fakes(&mut kept);
        Some(kept)
    }

    fn fake_source(&self, f: &NativeFunction, _: &BackendIndices) -> FakeSource {
        match f.has_composite_implicit_autograd_kernel {
            true => FakeSource::Author,
            false => FakeSource::AuthorOrSchema { calls_functional_variant: true },
        }
    }

    fn package<'s>(&self, settings: &'s Settings) -> Variant<'s> {
        python::outer(settings)
    }

    /// Formulas are translated to Python, which does not call what libtorch exports.
    fn formula_target<'r>(&self, target: Target<'r>) -> Target<'r> {
        Target { sees_exports_only: false, ..target }
    }

    /// The lints report what has no translation.
    fn check_formulas(&self, formulas: LibraryFormulas, session: &mut Session) -> Result<(), JobError> {
        check_translated(&formulas, session);
        Ok(())
    }

    fn kernels(&self, ctx: &Context, settings: &Settings) -> Result<Vec<WantedKernel>, Errors> {
        Ok(wanted::kernels(ctx, settings))
    }

    fn spelling(&self) -> &'static TypeSpelling {
        &OF_STABLE_ABI
    }

    fn skeletons(&self) -> &'static str {
        "torch/kernels/stable/skeletons.j2"
    }

    /// The signatures of the operator's function and of its kernels.
    fn signatures(&self, f: &NativeFunction, indices: &BackendIndices) -> Option<Vec<(String, String)>> {
        let text = f.func.to_string();
        let callable = Callable { namespace: &f.namespace, text: &text, schema: &f.func };
        let called = functions(&[callable]).into_iter().filter(|_| has_readable_results(&f.func));
        let mut all: Vec<(String, String)> =
            called.map(|function| (f.namespace.clone(), function.declaration())).collect();
        let signature = KernelSignature::written(f);
        for kernel in indices.iter().filter_map(|index| index.get_kernel(f)) {
            let own = (kernel.cpp_namespace.clone(), signature.decl_as(&kernel.kernel));
            if !all.contains(&own) {
                all.push(own);
            }
        }
        Some(all)
    }

    fn scaffold(&self) -> &'static Scaffold {
        &SCAFFOLD
    }
}

/// Gives the fake of a structured out variant to the functional one, whose outputs it is about.
fn share_fakes(functions: &mut [NativeFunction]) {
    let outs: Vec<usize> = (0..functions.len()).filter(|&at| functions[at].structured).collect();
    for at in outs {
        let Some(fake) = functions[at].fake.take() else { continue };
        if let Some(functional) = functions.iter().position(|f| f.is_functional_of(&functions[at])) {
            functions[functional].fake.get_or_insert(fake);
        }
    }
}

/// All generators, in the order in which files are listed.
#[rustfmt::skip]
pub const GENERATORS: &[LibraryGenerator] = &[
    Generator { info: info!("generate", "stable/library", "public headers of a library on the stable ABI", &["include/<ns>/Functions.h"]), when: (Headers, Own), run: headers::public },
    Generator { info: info!("generate", "stable/library", "declarations of kernels on the stable ABI", &["include/<ns>/Types.h", "include/<ns>/NativeFunctions.h", "include/<ns>/Boxing.h", "include/<ns>/CFunctions.h", "include/<ns>/Portable.h", "include/<ns>/TorchOps.h", "include/<ns>/registrations/<operator>_<Key>.h", "include/<ns>/Dims.h", "include/<ns>/DimsTable.h", "include/<ns>/DimsRanks.h", "include/<ns>/DimsCheck.h", "include/<ns>/DimsOperators.h"]), when: (Headers, OwnOrStock), run: headers::native },
    Generator { info: info!("generate", "stable/library", "schemas of a library on the stable ABI, and kernels of generated variants", &["src/RegisterSchema.cpp", "src/CompositeKernels.cpp", "src/Dims.cpp"]), when: (Sources, OwnOrSchemas), run: sources::schemas },
    Generator { info: info!("generate", "stable/library", "registration of kernels on the stable ABI", &["src/Register<Key>.cpp"]), when: (Sources, OwnOrStock), run: sources::kernels },
    Generator { info: info!("generate", "stable/python", "the Python package of a library on the stable ABI", &["python/<package>/__init__.py", "python/<package>/_ops.py", "python/<package>/_ops.pyi", "python/<package>/return_types.py", "python/<package>/py.typed", "python/<package>/_tags.py", "python/<package>/_autograd.py", "python/<package>/_formulas.py", "python/<package>/_kernels.py", "python/<package>/_fakes.py", "python/<package>/_vmap.py", "python/<package>/_dims.py", "python/<package>/aoti.py", "python/<package>/onnx.py"]), when: (Python, Own), run: python::package },
];

/// The files of a new library.
const SCAFFOLD: Scaffold = Scaffold {
    files: &[
        ("library.yaml", "torch/new/stable/library.yaml.j2"),
        ("native_functions.yaml", "torch/new/stable/native_functions.yaml.j2"),
        ("derivatives.yaml", "torch/new/stable/derivatives.yaml.j2"),
        ("kernels/squared_relu.cpp", "torch/new/stable/squared_relu.cpp.j2"),
        ("kernels/mean_distance.cpp", "torch/new/stable/mean_distance.cpp.j2"),
        ("kernels/update_average.cpp", "torch/new/stable/update_average.cpp.j2"),
        ("python/fakes.py", "torch/new/stable/fakes.py.j2"),
        ("tests/hard_inputs.py", "torch/kernels/hard_inputs.py.j2"),
        ("tests/test_operators.py", "torch/new/stable/test_operators.py.j2"),
        ("CMakeLists.txt", "torch/new/CMakeLists.txt.j2"),
        ("pyproject.toml", "torch/new/stable/pyproject.toml.j2"),
        ("README.md", "torch/new/stable/README.md.j2"),
        (".gitignore", "torch/new/gitignore.j2"),
        (".github/workflows/breaking.yml", "kit/new/breaking.yml.j2"),
        (".github/workflows/test.yml", "torch/new/test.yml.j2"),
    ],
    cuda_file: ("kernels/squared_relu.cu", "torch/new/stable/squared_relu.cu.j2"),
    next: "torch/new/stable/next.j2",
};
