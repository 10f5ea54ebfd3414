//! The command `stable-ops`.

use super::select::select;
use super::view::Header;
use crate::diag::{Diagnostic, plural};
use crate::driver::family::GeneratorInfo;
use crate::driver::output;
use crate::driver::report::Summary;
use crate::driver::{JobError, Session};
use crate::families::torch::args::StableOpsArgs;
use crate::families::torch::codes;
use crate::families::torch::generators::info;
use crate::lang::is_qualified_identifier;
use crate::write::Manager;

/// Where the header goes. In no list of outputs.
const MANAGER: Manager = Manager::new("stable-ops", None);

/// What `torchgen-rs list` prints.
#[rustfmt::skip]
pub(crate) const GENERATOR_INFO: GeneratorInfo = info!("stable-ops", "stable", "typed functions that call torch's operators over the stable ABI", &["FILE"]);

/// Runs the job.
///
/// # Errors
/// An operator cannot be called, or the header cannot be written.
pub(crate) fn generate(args: &StableOpsArgs, session: &mut Session) -> Result<Summary, JobError> {
    if !is_qualified_identifier(&args.namespace) {
        let message = format!("`{}` is not a C++ namespace", args.namespace);
        return Err(Diagnostic::new(&codes::USAGE, message).into());
    }
    let selected = select(&args.ops, args.torch_min, session);
    session.check(args.common.strict)?;
    let renderer = session.renderer("torch", &args.common.template_dir)?;
    let header = Header::new(&args.namespace, args.torch_min, &selected);
    let count = plural(header.len(), "function");
    let text = renderer.fragment("torch/stable/ops.h.j2", &header)?;
    session.timings.lap("generate");
    output::write_or_print(&args.common, MANAGER, (args.output.as_deref(), text), count, renderer, session)
}
