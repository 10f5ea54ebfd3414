//! The generators: one folder each, with its view structs, and templates under the same name in `templates/`.
//!
//! Invariant: a generator turns the [`Context`] into [`OutputFile`](crate::write::OutputFile)s and touches nothing else. Deliberately
//! absent: emitted text, which lives in `templates/`; a test holds that no string here has a statement, brace or comment in it.

pub mod ad_inplace_or_view;
pub mod autograd_common;
mod autograd_context;
pub mod autograd_functions;
pub mod backend_select;
pub mod composite_kernels;
mod context;
pub mod functionalization;
pub mod functions;
pub(crate) mod names;
pub mod native_functions;
pub mod operators;
mod output_kind;
pub mod redispatch;
pub mod register_dispatch_key;
pub mod register_schema;
#[cfg(test)]
mod testing;
pub mod ufunc;
pub mod variable_type;
pub mod view_funcs;

pub use autograd_context::AutogradContext;
pub use context::{Context, Faults, Flags, ItemFault, Model, Namespaces, Outcome, Subject, gather, per_item};

use crate::diag::Diagnostic;
use crate::families::torch::aten::{
    aoti_shim, declarations, native_aot, op_lists, registration_declarations, tensor_body, vmap_plumbing,
};
use crate::write::Manager::{Core, Cpu, HeaderOnly};
use OutputKind::{DeclarationsYaml, Headers, Sources};
use names::fixed;
pub use output_kind::OutputKind;

/// Looks at the inputs, or at files that are there, and remarks on them. Errors: faults that stop the run.
pub type Check = fn(&Context) -> Result<Vec<Diagnostic>, Faults>;

/// A generator of ATen's outputs.
pub struct Generator {
    /// The name of its folder here and under `templates/`.
    pub name: &'static str,
    /// What it writes, for people.
    pub description: &'static str,
    /// The `--generate` value that switches it on.
    pub output: OutputKind,
    /// Makes its files.
    pub run: fn(&Context) -> Outcome,
    /// The same files without their texts, for dry runs.
    pub names: fn(&Context) -> Outcome,
    /// What else is to be said about the inputs or about files that are there.
    pub check: Option<Check>,
}

impl Generator {
    const fn new(
        name: &'static str,
        output: OutputKind,
        run: fn(&Context) -> Outcome,
        names: fn(&Context) -> Outcome,
        description: &'static str,
    ) -> Generator {
        Generator { name, description, output, run, names, check: None }
    }

    /// With a check, which a dry run makes as well.
    const fn checked(self, check: Check) -> Generator {
        Generator { check: Some(check), ..self }
    }
}

/// All generators of the ATen layout. Their order is the order in which files are listed and faults reported.
#[rustfmt::skip]
pub const GENERATORS: &[Generator] = &[
    Generator::new("register_schema", Sources, register_schema::run, |_| fixed(&[(Cpu, "RegisterSchema.cpp")]), "schemas for the dispatcher"),
    Generator::new("backend_select", Sources, backend_select::run, |_| fixed(&[(Cpu, "RegisterBackendSelect.cpp")]), "kernels of factories that find out the backend"),
    Generator::new("native_aot", Sources, native_aot::sources, |_| fixed(&[(Cpu, "NativeAotStubs.cpp")]), "definitions of stubs for kernels compiled ahead of time"),
    Generator::new("operators", Sources, operators::sources, operators::source_names, "entry points into the dispatcher"),
    Generator::new("op_lists", Sources, op_lists::sources, |_| fixed(&[(Cpu, "Functions.cpp"), (Core, "TensorMethods.cpp"), (Core, "ATenOpList.cpp")]), "the list of operators, and sources filled by their skeletons alone"),
    Generator::new("aoti_shim", Sources, aoti_shim::run, aoti_shim::names, "C functions for code that AOTInductor compiled").checked(aoti_shim::check),
    Generator::new("register_dispatch_key", Sources, register_dispatch_key::sources, register_dispatch_key::source_names, "wrappers around kernels, by dispatch key"),
    Generator::new("ufunc", Sources, ufunc::run, ufunc::names, "kernels made of inner loops"),
    Generator::new("functionalization", Sources, functionalization::run, functionalization::names, "kernels that make views and mutations pure"),
    Generator::new("composite_kernels", Sources, composite_kernels::run, |_| fixed(&[(Cpu, "CompositeViewCopyKernels.cpp")]), "kernels of view copies and of generated variants"),
    Generator::new("operators", Headers, operators::headers, operators::header_names, "one struct per operator"),
    Generator::new("functions", Headers, functions::headers, functions::names, "the C++ functions"),
    Generator::new("tensor_body", Headers, tensor_body::headers, |_| fixed(&[(Core, "TensorBody.h")]), "the class Tensor and its methods"),
    Generator::new("native_functions", Headers, native_functions::headers, native_functions::names, "declarations of kernels and meta functions"),
    Generator::new("register_dispatch_key", Headers, register_dispatch_key::headers, register_dispatch_key::header_names, "functions that bypass the dispatcher, by dispatch key"),
    Generator::new("redispatch", Headers, redispatch::headers, |_| fixed(&[(Cpu, "RedispatchFunctions.h")]), "functions that go on from a dispatch key set"),
    Generator::new("registration_declarations", Headers, registration_declarations::run, |_| fixed(&[(Cpu, "RegistrationDeclarations.h")]), "signatures for kernels outside the tree"),
    Generator::new("vmap_plumbing", Headers, vmap_plumbing::run, |_| fixed(&[(Cpu, "VmapGeneratedPlumbing.h")]), "calls of batch rules"),
    Generator::new("native_aot", Headers, native_aot::headers, |_| fixed(&[(Cpu, "NativeAotStubs.h")]), "stubs for kernels compiled ahead of time"),
    Generator::new("op_lists", Headers, op_lists::headers, |_| fixed(&[(Core, "aten_interned_strings.h"), (HeaderOnly, "enum_tag.h")]), "names of operators, arguments and tags"),
    Generator::new("declarations", DeclarationsYaml, declarations::run, |_| fixed(&[(Cpu, "Declarations.yaml")]), "every operator as the C++ API shows it, in YAML"),
];
