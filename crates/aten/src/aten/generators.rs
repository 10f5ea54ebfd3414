//! The generators of ATen's outputs.

use super::{
    aoti_shim, declarations, op_lists, register_schema, registration_declarations, tensor_body, ufunc, vmap_plumbing,
};
use crate::aten::native_aot;
use torchgen_base::diag::Diagnostic;
use torchgen_base::write::OutputFile;
use torchgen_generators::OutputKind::{self, DeclarationsYaml, Headers, Sources};
use torchgen_generators::managers::{CORE, CPU};
use torchgen_generators::names::fixed;
use torchgen_generators::{
    Context, Errors, Generator, Outcome, backend_select, composite_kernels, functionalization, functions, info,
    native_functions, operators, redispatch, register_dispatch_key,
};

/// Checks the inputs or existing files of a generator, and returns warnings.
type Check = fn(&Context) -> Result<Vec<Diagnostic>, Errors>;

/// How a generator of ATen's files runs.
#[derive(Clone, Copy)]
pub struct Steps {
    /// Makes its files.
    pub(crate) make: fn(&Context) -> Outcome,
    /// The same files without their contents, for dry runs.
    pub(crate) names: fn(&Context) -> Outcome,
    /// Checks the inputs or existing files, also in a dry run. Errors stop the run.
    pub(crate) check: Option<Check>,
    /// Its files do not depend on the selection, which it does not see.
    pub(crate) whole: bool,
}

impl Steps {
    const fn new(make: fn(&Context) -> Outcome, names: fn(&Context) -> Outcome) -> Steps {
        Steps { make, names, check: None, whole: false }
    }

    const fn whole(make: fn(&Context) -> Outcome, names: fn(&Context) -> Outcome) -> Steps {
        Steps { whole: true, ..Steps::new(make, names) }
    }

    const fn checked(self, check: Check) -> Steps {
        Steps { check: Some(check), ..self }
    }

    /// Whether the files made are the files named. A generator that fails has no wrong names.
    pub(crate) fn names_fit(&self, ctx: &Context, made: &Outcome) -> bool {
        let id = |file: &OutputFile| (file.manager, file.path.clone(), file.listed, file.origin.clone());
        match ((self.names)(ctx), made) {
            (Ok(named), Ok(made)) => named.iter().map(id).eq(made.iter().map(id)),
            (_, Err(_)) => true,
            (Err(_), Ok(_)) => false,
        }
    }
}

/// All generators of the ATen layout. Files are listed and errors are reported in this order.
#[rustfmt::skip]
pub const GENERATORS: &[Generator<OutputKind, Steps>] = &[
    Generator { info: info!("generate", "register_schema", "schemas for the dispatcher", &["RegisterSchema.cpp"]), when: Sources, run: Steps::new(register_schema::run, |_| fixed(&[(CPU, "RegisterSchema.cpp")])) },
    Generator { info: info!("generate", "backend_select", "kernels of factory functions that select the backend", &["RegisterBackendSelect.cpp"]), when: Sources, run: Steps::new(backend_select::run, |_| fixed(&[(CPU, "RegisterBackendSelect.cpp")])) },
    Generator { info: info!("generate", "native_aot", "definitions of stubs for kernels compiled ahead of time", &["NativeAotStubs.cpp"]), when: Sources, run: Steps::new(native_aot::sources, |ctx| native_aot::names(ctx, "NativeAotStubs.cpp")) },
    Generator { info: info!("generate", "operators", "entry points into the dispatcher", &["Operators_<N>.cpp"]), when: Sources, run: Steps::whole(operators::sources, operators::source_names) },
    Generator { info: info!("generate", "op_lists", "the list of operators, and sources that are templates alone", &["Functions.cpp", "core/TensorMethods.cpp", "core/ATenOpList.cpp"]), when: Sources, run: Steps::new(op_lists::sources, |_| fixed(&[(CPU, "Functions.cpp"), (CORE, "TensorMethods.cpp"), (CORE, "ATenOpList.cpp")])) },
    Generator { info: info!("generate", "aoti_shim", "C functions for code compiled by AOTInductor", &["c_shim_<key>.h", "c_shim_<key>.cpp"]), when: Sources, run: Steps::new(aoti_shim::run, aoti_shim::names).checked(aoti_shim::check_existing_headers) },
    Generator { info: info!("generate", "register_dispatch_key", "wrappers around kernels, by dispatch key", &["Register<Key>.cpp"]), when: Sources, run: Steps::new(register_dispatch_key::sources, register_dispatch_key::source_names) },
    Generator { info: info!("generate", "ufunc", "kernels made of inner loops", &["UfuncCPU_<op>.cpp", "UfuncCPUKernel_<op>.cpp", "UfuncCUDA_<op>.cu"]), when: Sources, run: Steps::new(ufunc::run, ufunc::names) },
    Generator { info: info!("generate", "functionalization", "kernels that make views and mutations pure", &["RegisterFunctionalization_<N>.cpp", "FunctionalInverses.h", "ViewMetaClasses.h", "ViewMetaClasses.cpp"]), when: Sources, run: Steps::new(functionalization::run, functionalization::names) },
    Generator { info: info!("generate", "composite_kernels", "kernels of view copies and of generated variants", &["CompositeViewCopyKernels.cpp"]), when: Sources, run: Steps::whole(composite_kernels::run, |_| fixed(&[(CPU, "CompositeViewCopyKernels.cpp")])) },
    Generator { info: info!("generate", "operators", "one struct per operator", &["Operators.h", "ops/<op>_ops.h"]), when: Headers, run: Steps::whole(operators::headers, operators::header_names) },
    Generator { info: info!("generate", "functions", "the C++ functions", &["Functions.h", "ops/<op>.h"]), when: Headers, run: Steps::whole(functions::headers, functions::names) },
    Generator { info: info!("generate", "tensor_body", "the class Tensor and its methods", &["core/TensorBody.h"]), when: Headers, run: Steps::whole(tensor_body::headers, |_| fixed(&[(CORE, "TensorBody.h")])) },
    Generator { info: info!("generate", "native_functions", "declarations of kernels and meta functions", &["NativeFunctions.h", "NativeMetaFunctions.h", "ops/<op>_native.h", "ops/<op>_meta.h"]), when: Headers, run: Steps::whole(native_functions::headers, native_functions::names) },
    Generator { info: info!("generate", "register_dispatch_key", "functions that bypass the dispatcher, by dispatch key", &["<Key>Functions.h", "<Key>Functions_inl.h"]), when: Headers, run: Steps::new(register_dispatch_key::headers, register_dispatch_key::header_names) },
    Generator { info: info!("generate", "redispatch", "functions that redispatch with a given dispatch key set", &["RedispatchFunctions.h"]), when: Headers, run: Steps::whole(redispatch::headers, |_| fixed(&[(CPU, "RedispatchFunctions.h")])) },
    Generator { info: info!("generate", "registration_declarations", "signatures for out-of-tree kernels", &["RegistrationDeclarations.h"]), when: Headers, run: Steps::whole(registration_declarations::run, |_| fixed(&[(CPU, "RegistrationDeclarations.h")])) },
    Generator { info: info!("generate", "vmap_plumbing", "plumbing that calls vmap's batching rules", &["VmapGeneratedPlumbing.h"]), when: Headers, run: Steps::whole(vmap_plumbing::run, |_| fixed(&[(CPU, "VmapGeneratedPlumbing.h")])) },
    Generator { info: info!("generate", "native_aot", "stubs for kernels compiled ahead of time", &["NativeAotStubs.h"]), when: Headers, run: Steps::new(native_aot::headers, |ctx| native_aot::names(ctx, "NativeAotStubs.h")) },
    Generator { info: info!("generate", "op_lists", "names of operators, arguments and tags", &["core/aten_interned_strings.h", "core/enum_tag.h"]), when: Headers, run: Steps::new(op_lists::headers, op_lists::header_names) },
    Generator { info: info!("generate", "declarations", "every operator as the C++ API shows it, in YAML", &["Declarations.yaml"]), when: DeclarationsYaml, run: Steps::whole(declarations::run, |_| fixed(&[(CPU, "Declarations.yaml")])) },
];
