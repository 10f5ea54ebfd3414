//! The compiled part of the Python package `torchgen_rs`: command lines as calls, and the model of
//! PyTorch's operators as objects.
//!
//! Invariant: a run holds no lock of the interpreter, and is in a thread of its own, so that Ctrl-C
//! reaches the caller. The package in `torchgen_rs/` makes functions, objects and exceptions of it.

mod api;
mod autograd;
mod backend;
mod classes;
mod dest;
mod hook;
mod model;
mod report;
mod running;
mod selection;
mod tables;
mod templates;
mod text;

use pyo3::pymodule;

/// Command lines as calls, and the model as objects. The package `torchgen_rs` is the interface for
/// users.
#[pymodule]
mod _torchgen_rs {
    use std::ffi::OsString;

    use pyo3::prelude::*;
    use torchgen_rs::Host;

    use crate::report::Report;
    use crate::running::{finished, host};

    #[pymodule_export]
    use crate::api::lambda::{lambda_binding, lambda_call, lambda_parameters, lambda_returns};
    #[pymodule_export]
    use crate::api::lazy::{
        eager_fallback, is_node_number, is_node_value, node_class, node_inputs, node_symbol, node_type, shape_function,
    };
    #[pymodule_export]
    use crate::api::python::{
        parser_argument, parser_default, parser_method, parser_size, parser_type, python_signature, structseq_fields,
        stub_argument, stub_function, stub_returns, stub_structseq, stub_type,
    };
    #[pymodule_export]
    use crate::api::shims::shim_texts;
    #[pymodule_export]
    use crate::api::unboxing::unboxed;
    #[pymodule_export]
    use crate::api::views::{
        is_multi_output, tensor_statements, view_name, view_parameter, view_parameters, view_returns,
    };
    #[pymodule_export]
    use crate::api::{
        argument_type, cpp_name, ctype_text, default_expr, impl_parameters, native_name, parameters, return_names,
        returns_type, structured_parameters, translate, value_type,
    };
    #[pymodule_export]
    use crate::autograd::entry::{derivative_of_formula, derivatives_of_entry};
    #[pymodule_export]
    use crate::autograd::kernels::{
        factory_definition, inplace_or_view_parts, is_derived, kernel_body, kernel_parts, kernel_text,
        names_for_complex, unpacking,
    };
    #[pymodule_export]
    use crate::autograd::load::{formula_has, load_derivatives};
    #[pymodule_export]
    use crate::autograd::matching::{differentiable_outputs, match_derivatives};
    #[pymodule_export]
    use crate::autograd::nodes::{node_part, node_shards};
    #[pymodule_export]
    use crate::backend::{backend_texts, parse_backend};
    #[pymodule_export]
    use crate::dest::declarations::{kernel_declarations, meta_declaration, schema_registrations, ufunc_text};
    #[pymodule_export]
    use crate::dest::helpers::{empty_names, registration_headers, registration_helper};
    #[pymodule_export]
    use crate::dest::static_dispatch::static_dispatch;
    #[pymodule_export]
    use crate::dest::structured::{
        class_constructor, class_names, set_output_body, set_output_functions, structured_code, structured_wrapper,
        wrapper_class,
    };
    #[pymodule_export]
    use crate::dest::wrappers::{
        device_check, is_for_backends, runs_meta_function, unstructured_code, wrapper_made_from,
    };
    #[pymodule_export]
    use crate::model::ask::{
        aliased_arguments, broken_rule, gets_generated_view_copy, is_view_op, kind, signature, signature_arguments,
        text, view_copy_name, view_schema_kind,
    };
    #[pymodule_export]
    use crate::model::group::{check_together, grouped, grouped_by_view};
    #[pymodule_export]
    use crate::model::parse::{
        parse_annotation, parse_argument, parse_arguments, parse_base_name, parse_inner_loop, parse_name,
        parse_precompute, parse_return, parse_schema, parse_type,
    };
    #[pymodule_export]
    use crate::model::variants::{generated_variants, out_schema};
    #[pymodule_export]
    use crate::model::yaml::{
        parse_entry, parse_files, parse_tags, parse_tags_text, parse_text, parse_torch, torch_files,
    };

    #[pymodule_export]
    use crate::selection::{parse_selection, parse_selection_text};
    #[pymodule_export]
    use crate::tables::table;
    #[pymodule_export]
    use crate::text::{shard_of, substitute, write_text};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    /// Runs a command line, and returns what it did and what it printed. The first word is the name
    /// of the program. A hook decides what is generated for single operators; templates call the
    /// functions, whose names follow the one that calls them.
    #[pyfunction]
    #[pyo3(signature = (arguments, hook=None, fingerprint=None, functions=None))]
    fn run(
        py: Python<'_>,
        arguments: Vec<OsString>,
        hook: Option<Py<PyAny>>,
        fingerprint: Option<String>,
        functions: Option<(Py<PyAny>, Vec<String>)>,
    ) -> PyResult<Report> {
        let host = host(py, Host::keeping())?;
        let host = match functions {
            Some((call, names)) => host.calling(crate::hook::functions(call, names), fingerprint.clone()),
            None => host,
        };
        let Some(hook) = hook else {
            return Ok(Report::of(finished(py, host, |host| torchgen_rs::run(arguments, host))?));
        };
        let (host, raised) = crate::hook::calling(host, hook, fingerprint);
        let outcome = finished(py, host, |host| torchgen_rs::run(arguments, host))?;
        crate::hook::exception(&raised).map_or_else(|| Ok(Report::of(outcome)), Err)
    }

    /// Gives an object of the model its fields.
    #[pyfunction]
    fn fill(object: &Bound<'_, PyAny>) -> PyResult<()> {
        crate::model::fill(object)
    }

    /// Runs a command line as the program does: it prints to the streams of the process. Returns the
    /// exit status.
    #[pyfunction]
    fn main(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
        Ok(finished(py, host(py, Host::process())?, |host| torchgen_rs::run(arguments, host))?.status.code())
    }
}
