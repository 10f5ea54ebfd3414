//! Pieces of a backend's files, for scripts that make the files themselves.
//!
//! Invariant: each is what [`command`](super::command) writes. Rule: torchgen/gen_backend_stubs.py,
//! `gen_dispatchkey_nativefunc_headers` and `gen_dispatcher_registrations`.

use super::header::header_comment;
use super::registration::{Include, Registrations};
use torchgen_base::render::{RenderError, Renderer};
use torchgen_generators::register_dispatch_key::frame;
use torchgen_model::model::DispatchKey;

/// What a key's files have beside the code of single operators.
pub struct Pieces {
    /// The comment of the header.
    pub comment: String,
    /// The include of the header.
    pub header: String,
    /// The include of PyTorch's functions; empty with headers per operator.
    pub functions: String,
    /// The block, or the function, that registers the kernels.
    pub registrations: String,
}

/// The files of a key.
pub struct Of<'a> {
    /// The key of the header.
    pub header_key: DispatchKey,
    /// Its directory in includes.
    pub directory: &'a str,
    /// It is included in angle brackets.
    pub in_tree: bool,
    /// There are headers per operator.
    pub per_operator_headers: bool,
    /// The key that kernels are registered for.
    pub key: DispatchKey,
    /// The suffix of the function that registers the kernels; without it they are registered when
    /// the library is loaded.
    pub deferred: Option<&'a str>,
    /// The registrations, one a text.
    pub registrations: Vec<&'a str>,
}

/// The pieces of a key's files.
pub fn pieces(renderer: &Renderer, of: Of<'_>) -> Result<Pieces, RenderError> {
    let include = Include { directory: of.directory, name: of.header_key.as_str(), in_tree: of.in_tree };
    let view = Registrations {
        backend_name: of.deferred.unwrap_or_default(),
        key: of.key.as_str(),
        registrations: &[],
        after: of.registrations,
    };
    let template = match of.deferred {
        None => "torch/backend/registrations.j2",
        Some(_) => "torch/backend/deferred_registrations.j2",
    };
    let functions = if of.per_operator_headers { Vec::new() } else { vec!["Functions.h".to_owned()] };
    Ok(Pieces {
        comment: header_comment(renderer)?,
        header: renderer.fragment("torch/backend/include.j2", &include)?,
        functions: frame::includes(renderer, functions)?,
        registrations: renderer.fragment(template, &view)?,
    })
}
