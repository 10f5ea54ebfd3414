//! What `explain` shows of a node: its fields, rules and generated names, and the places that use
//! it.
//!
//! Invariant: the text comes from the same view as the C++.

use serde::Serialize;

use super::codes;
use super::model::Ir;
use super::view::{self, IrView};
use torchgen_base::diag::{Diagnostic, did_you_mean};
use torchgen_base::render::Renderer;
use torchgen_kit::driver::JobError;

#[derive(Serialize)]
struct Page<'a> {
    ir: &'a IrView,
    what: &'a str,
}

/// The text on a node or intrinsic.
///
/// # Errors
/// There is none of that name, or a replaced template fails.
pub(crate) fn node(what: &str, ir: &Ir, renderer: &Renderer) -> Result<String, JobError> {
    let view = view::ir(ir);
    if !view.has(what) {
        let names = ir.exprs.iter().chain(&ir.stmts).chain(&ir.intrinsics).map(|node| node.name.as_str());
        let message = format!("there is no node or intrinsic `{what}`");
        return Err(Diagnostic::new(&codes::UNKNOWN_NODE, message).maybe_help(did_you_mean(what, names)).into());
    }
    Ok(renderer.fragment("tensor_ir/explain.j2", &Page { ir: &view, what })?)
}
