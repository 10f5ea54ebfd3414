//! The explanation of a node: its fields, rules and generated names, and the places that use it.
//!
//! Invariant: the text comes from the same view as the C++.

use serde::Serialize;

use super::view::IrView;
use torchgen_base::render::{RenderError, Renderer};

#[derive(Serialize)]
struct Page<'a> {
    ir: &'a IrView,
    what: &'a str,
}

/// The text on a node or intrinsic; nothing if there is none of the name.
pub(crate) fn node(what: &str, ir: &IrView, renderer: &Renderer) -> Option<Result<String, RenderError>> {
    ir.has(what).then(|| renderer.fragment("tensor_ir/explain.j2", &Page { ir, what }))
}
