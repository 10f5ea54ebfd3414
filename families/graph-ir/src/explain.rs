//! What `explain` shows of a node or an instruction.
//!
//! Invariant: an entry is that of the operator reference.

use serde::Serialize;

use super::codes;
use super::docs::{self, Entry};
use super::model::Family;
use torchgen_base::diag::{Diagnostic, did_you_mean};
use torchgen_base::render::Renderer;
use torchgen_kit::driver::JobError;

/// The records of a name.
#[derive(Debug, Serialize)]
struct Explained {
    entries: Vec<Entry>,
}

/// The text on the node and the instruction of that name.
///
/// # Errors
/// There is neither, or a replaced template fails.
pub(crate) fn record(what: &str, family: &Family, renderer: &Renderer) -> Result<String, JobError> {
    let entries = docs::entries_of(family, what);
    if entries.is_empty() {
        let names = family.nodes.iter().map(|node| node.name.as_str());
        let names = names.chain(family.instructions.iter().map(|instruction| instruction.name.as_str()));
        let message = format!("there is neither a node nor an instruction `{what}`");
        let error = Diagnostic::new(&codes::IR_UNKNOWN_NODE, message);
        return Err(error.maybe_help(did_you_mean(what, names)).into());
    }
    Ok(renderer.fragment("graph_ir/explain.j2", &Explained { entries })?)
}
