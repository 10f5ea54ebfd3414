//! The command `from-cpp`.

use indexmap::IndexMap;
use serde::Serialize;

use super::entries::{Entries, Entry};
use super::scan::calls;
use crate::diag::{Diagnostic, codes, plural};
use crate::driver::family::GeneratorInfo;
use crate::driver::output;
use crate::driver::report::Summary;
use crate::driver::{JobError, Session};
use crate::families::torch::args::FromCppArgs;
use crate::families::torch::generators::info;
use crate::write::Manager;

/// Where the YAML goes. In no list of outputs.
const MANAGER: Manager = Manager::new("from-cpp", None);

/// What `torchgen-rs list` prints.
#[rustfmt::skip]
pub(crate) const GENERATOR_INFO: GeneratorInfo = info!("from-cpp", "stable", "a native_functions.yaml of registrations in C++", &["FILE"]);

/// The whole file.
#[derive(Serialize)]
struct Library {
    entries: Vec<Entry>,
}

/// Runs the job.
///
/// # Errors
/// A source cannot be read, or a registration in it cannot be expressed.
pub(crate) fn convert(args: &FromCppArgs, session: &mut Session) -> Result<Summary, JobError> {
    let mut sources = Vec::new();
    let mut blocks = 0;
    for path in session.distinct(&args.sources) {
        let file = session.read_source(path)?;
        let (found, count) = calls(session.sources.text(file));
        blocks += count;
        sources.push((file, found));
    }
    if blocks == 0 {
        let message = "no source has a block of `TORCH_LIBRARY` or `STABLE_TORCH_LIBRARY`";
        session.diagnostics.push(Diagnostic::new(&codes::CPP_NOTHING, message));
    }
    let mut entries = Entries { namespace: args.namespace.as_deref(), found: IndexMap::new() };
    for (file, calls) in &sources {
        entries.define(calls, *file, &mut session.diagnostics);
    }
    for (file, calls) in &sources {
        entries.implement(calls, *file, &mut session.diagnostics);
    }
    session.check(args.common.strict)?;
    let renderer = session.renderer("torch", &args.common.template_dir)?;
    let library = Library { entries: entries.found.into_values().map(|(entry, _)| entry).collect() };
    let count = plural(library.entries.len(), "operator");
    let text = renderer.fragment("torch/stable/from_cpp.yaml.j2", &library)?;
    output::write_or_print(&args.common, MANAGER, (args.output.as_deref(), text), count, renderer, session)
}
