//! The generators of ATen's outputs.

use super::{aoti_shim, declarations, op_lists, registration_declarations, tensor_body, vmap_plumbing};
use crate::families::torch::generators::OutputKind::{DeclarationsYaml, Headers, Sources};
use crate::families::torch::generators::names::fixed;
use crate::families::torch::generators::{
    Generator, backend_select, composite_kernels, functionalization, functions, native_aot, native_functions,
    operators, redispatch, register_dispatch_key, register_schema, ufunc,
};
use crate::families::torch::managers::{CORE, CPU, HEADER_ONLY};

/// All generators of the ATen layout. Files are listed and errors are reported in this order.
#[rustfmt::skip]
pub(crate) const GENERATORS: &[Generator] = &[
    Generator::new("register_schema", Sources, register_schema::run, |_| fixed(&[(CPU, "RegisterSchema.cpp")]), "schemas for the dispatcher"),
    Generator::new("backend_select", Sources, backend_select::run, |_| fixed(&[(CPU, "RegisterBackendSelect.cpp")]), "kernels of factory functions that select the backend"),
    Generator::new("native_aot", Sources, native_aot::sources, |_| fixed(&[(CPU, "NativeAotStubs.cpp")]), "definitions of stubs for kernels compiled ahead of time"),
    Generator::new("operators", Sources, operators::sources, operators::source_names, "entry points into the dispatcher"),
    Generator::new("op_lists", Sources, op_lists::sources, |_| fixed(&[(CPU, "Functions.cpp"), (CORE, "TensorMethods.cpp"), (CORE, "ATenOpList.cpp")]), "the list of operators, and sources that are templates alone"),
    Generator::new("aoti_shim", Sources, aoti_shim::run, aoti_shim::names, "C functions for code compiled by AOTInductor").checked(aoti_shim::check),
    Generator::new("register_dispatch_key", Sources, register_dispatch_key::sources, register_dispatch_key::source_names, "wrappers around kernels, by dispatch key"),
    Generator::new("ufunc", Sources, ufunc::run, ufunc::names, "kernels made of inner loops"),
    Generator::new("functionalization", Sources, functionalization::run, functionalization::names, "kernels that make views and mutations pure"),
    Generator::new("composite_kernels", Sources, composite_kernels::run, |_| fixed(&[(CPU, "CompositeViewCopyKernels.cpp")]), "kernels of view copies and of generated variants"),
    Generator::new("operators", Headers, operators::headers, operators::header_names, "one struct per operator"),
    Generator::new("functions", Headers, functions::headers, functions::names, "the C++ functions"),
    Generator::new("tensor_body", Headers, tensor_body::headers, |_| fixed(&[(CORE, "TensorBody.h")]), "the class Tensor and its methods"),
    Generator::new("native_functions", Headers, native_functions::headers, native_functions::names, "declarations of kernels and meta functions"),
    Generator::new("register_dispatch_key", Headers, register_dispatch_key::headers, register_dispatch_key::header_names, "functions that bypass the dispatcher, by dispatch key"),
    Generator::new("redispatch", Headers, redispatch::headers, |_| fixed(&[(CPU, "RedispatchFunctions.h")]), "functions that redispatch with a given dispatch key set"),
    Generator::new("registration_declarations", Headers, registration_declarations::run, |_| fixed(&[(CPU, "RegistrationDeclarations.h")]), "signatures for out-of-tree kernels"),
    Generator::new("vmap_plumbing", Headers, vmap_plumbing::run, |_| fixed(&[(CPU, "VmapGeneratedPlumbing.h")]), "plumbing that calls vmap's batching rules"),
    Generator::new("native_aot", Headers, native_aot::headers, |_| fixed(&[(CPU, "NativeAotStubs.h")]), "stubs for kernels compiled ahead of time"),
    Generator::new("op_lists", Headers, op_lists::headers, |_| fixed(&[(CORE, "aten_interned_strings.h"), (HEADER_ONLY, "enum_tag.h")]), "names of operators, arguments and tags"),
    Generator::new("declarations", DeclarationsYaml, declarations::run, |_| fixed(&[(CPU, "Declarations.yaml")]), "every operator as the C++ API shows it, in YAML"),
];
