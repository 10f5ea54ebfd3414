//! The generators, for `torchgen-rs list`.

use crate::driver::family::GeneratorInfo;

const fn info(
    command: &'static str,
    name: &'static str,
    about: &'static str,
    files: &'static [&'static str],
    templates: &'static str,
) -> GeneratorInfo {
    GeneratorInfo { name, command, about, files, templates }
}

/// All of them, in the order in which files are listed.
#[rustfmt::skip]
pub(crate) const GENERATORS: &[GeneratorInfo] = &[
    info("generate", "register_schema", "schemas for the dispatcher", &["RegisterSchema.cpp"], "torch/register_schema"),
    info("generate", "backend_select", "kernels of factory functions that select the backend", &["RegisterBackendSelect.cpp"], "torch/backend_select"),
    info("generate", "native_aot", "stubs for kernels compiled ahead of time", &["NativeAotStubs.h", "NativeAotStubs.cpp"], "torch/native_aot"),
    info("generate", "operators", "one struct per operator, and entry points into the dispatcher", &["Operators.h", "Operators_<N>.cpp", "ops/<op>_ops.h"], "torch/operators"),
    info("generate", "op_lists", "names of operators, arguments and tags", &["Functions.cpp", "core/TensorMethods.cpp", "core/ATenOpList.cpp", "core/aten_interned_strings.h", "core/enum_tag.h"], "torch/op_lists"),
    info("generate", "aoti_shim", "C functions for code compiled by AOTInductor", &["c_shim_<key>.h", "c_shim_<key>.cpp"], "torch/aoti_shim"),
    info("generate", "register_dispatch_key", "wrappers around kernels, by dispatch key", &["Register<Key>.cpp", "<Key>Functions.h", "<Key>Functions_inl.h"], "torch/register_dispatch_key"),
    info("generate", "ufunc", "kernels made of inner loops", &["UfuncCPU_<op>.cpp", "UfuncCPUKernel_<op>.cpp", "UfuncCUDA_<op>.cu"], "torch/ufunc"),
    info("generate", "functionalization", "kernels that make views and mutations pure", &["RegisterFunctionalization_<N>.cpp", "FunctionalInverses.h", "ViewMetaClasses.h", "ViewMetaClasses.cpp"], "torch/functionalization"),
    info("generate", "composite_kernels", "kernels of view copies and of generated variants", &["CompositeViewCopyKernels.cpp"], "torch/composite_kernels"),
    info("generate", "functions", "the C++ functions", &["Functions.h", "ops/<op>.h"], "torch/functions"),
    info("generate", "tensor_body", "the class Tensor and its methods", &["core/TensorBody.h"], "torch/tensor_body"),
    info("generate", "native_functions", "declarations of kernels and meta functions", &["NativeFunctions.h", "NativeMetaFunctions.h", "ops/<op>_native.h", "ops/<op>_meta.h"], "torch/native_functions"),
    info("generate", "redispatch", "functions that redispatch with a given dispatch key set", &["RedispatchFunctions.h"], "torch/redispatch"),
    info("generate", "registration_declarations", "signatures for out-of-tree kernels", &["RegistrationDeclarations.h"], "torch/registration_declarations"),
    info("generate", "vmap_plumbing", "plumbing that calls vmap's batching rules", &["VmapGeneratedPlumbing.h"], "torch/vmap_plumbing"),
    info("generate", "declarations", "every operator as the C++ API shows it, in YAML", &["Declarations.yaml"], "torch/declarations"),
    info("generate", "library", "an operator library: headers, registration, autograd, Python package", &["include/<ns>/*.h", "src/*.cpp", "python/<package>/*", "<ns>.cmake"], "torch/library"),
    info("autograd", "autograd_functions", "nodes of the backward pass", &["Functions.h", "Functions.cpp"], "torch/autograd_functions"),
    info("autograd", "variable_type", "autograd's kernels", &["VariableType.h", "VariableType_<N>.cpp"], "torch/variable_type"),
    info("autograd", "ad_inplace_or_view", "version counters and views", &["ADInplaceOrViewType_<N>.cpp"], "torch/ad_inplace_or_view"),
    info("autograd", "trace_type", "kernels that record operators for TorchScript", &["TraceType_<N>.cpp"], "torch/trace_type"),
    info("autograd", "view_funcs", "replays of views", &["ViewFuncs.h", "ViewFuncs.cpp"], "torch/view_funcs"),
    info("autograd", "python_bindings", "bindings for Python", &["python_*.cpp", "python_functions.h", "python_return_types.h"], "torch/python_bindings"),
    info("autograd", "variable_factories", "factories that return variables", &["variable_factories.h"], "torch/variable_factories"),
    info("autograd", "annotated_fn_args", "signatures for tests of __torch_function__", &["annotated_fn_args.py"], "torch/annotated_fn_args"),
    info("backend-stubs", "backend", "registration of an external backend's kernels", &["<Key>NativeFunctions.h", "Register<Key>.cpp", "RegisterAutograd<Key>.cpp"], "torch/backend"),
    info("lazy-tensor", "lazy", "a lazy backend: nodes, kernels, registration", &["LazyIr.h", "LazyNonNativeIr.h", "<Key>NativeFunctions.h", "<Key>NativeFunctions.cpp"], "torch/lazy"),
    info("gen-oplist", "selection", "lists for a selective build", &["selected_operators.yaml", "selected_mobile_ops.h", "SupportedMobileModelsRegistration.cpp"], "torch/selection"),
    info("kernels", "kernels", "skeletons of missing kernels", &[], "torch/kernels"),
];

#[cfg(test)]
mod tests {
    use super::GENERATORS;
    use crate::families::torch::aten::generators;

    #[test]
    fn all_of_atens_generators_are_listed() {
        for generator in generators::GENERATORS {
            assert!(GENERATORS.iter().any(|info| info.name == generator.name), "{}", generator.name);
        }
    }

    #[test]
    fn templates_exist() {
        for info in GENERATORS {
            let path = format!("{}/templates/{}", env!("CARGO_MANIFEST_DIR"), info.templates);
            assert!(std::path::Path::new(&path).is_dir(), "{}", info.templates);
        }
    }
}
