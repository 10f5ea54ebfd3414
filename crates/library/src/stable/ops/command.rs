//! The command `stable-ops`.

use super::select::select;
use super::view::Header;
use torchgen_base::diag::{Diagnostic, plural};
use torchgen_base::lang::is_qualified_identifier;
use torchgen_base::write::Manager;
use torchgen_generators::args::StableOpsArgs;
use torchgen_generators::info;
use torchgen_kit::driver::family::GeneratorInfo;
use torchgen_kit::driver::output;
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::model::rules::Rules;

/// Where the header goes. In no list of outputs.
const MANAGER: Manager = Manager::new("stable-ops", None);

/// What `torchgen-rs list` prints.
#[rustfmt::skip]
pub const GENERATOR_INFO: GeneratorInfo = info!("stable-ops", "stable", "typed functions that call torch's operators over the stable ABI", &["FILE"]);

/// Runs the job.
///
/// # Errors
/// An operator cannot be called, or the header cannot be written.
pub fn generate(args: &StableOpsArgs, session: &mut Session) -> Result<Summary, JobError> {
    if !is_qualified_identifier(&args.namespace) {
        let message = format!("`{}` is not a C++ namespace", args.namespace);
        return Err(Diagnostic::new(&codes::USAGE, message).into());
    }
    let selected = select(&args.ops, args.torch_min, session);
    session.fail_on_errors(args.common.strict)?;
    let mut renderer = session.renderer("torch", &args.common.template_dir)?;
    Rules::serve(&session.tables, &mut renderer);
    let header = Header::new(&args.namespace, args.torch_min, &selected);
    let count = plural(header.len(), "function");
    let text = renderer.fragment("torch/stable/ops.h.j2", &header)?;
    session.timings.lap("generate");
    output::write_or_print(&args.common, MANAGER, args.output.as_deref(), text, count, renderer, session)
}
