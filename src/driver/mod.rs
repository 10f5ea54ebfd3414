//! The jobs: one file per subcommand, each of which reads inputs, runs the stages in order and writes.
//!
//! Invariant: nothing is written while there is an error. Deliberately absent: what any stage does; a job only strings them together.

pub(crate) mod args;
pub(crate) mod data;
pub(crate) mod explain;
pub(crate) mod family;
pub(crate) mod files;
pub(crate) mod head;
pub(crate) mod memory;
pub(crate) mod output;
pub(crate) mod report;
pub(crate) mod request;
pub(crate) mod scaffold;
pub(crate) mod templates;
pub(crate) mod timings;
pub(crate) mod torch;

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::diag::{Diagnostic, Diagnostics, Sources};
use crate::render::RenderError;
use crate::write::Moment;
use crate::write::manifest::Seen;
use args::CommonArgs;
use memory::Invocation;
pub use timings::Counters;
pub(crate) use timings::Timings;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// All done.
    Done,
    /// Faults in the input; nothing was written.
    Faults,
    /// Bad usage, or a file that cannot be read or written.
    Failed,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        match status {
            Status::Done => ExitCode::SUCCESS,
            Status::Faults => ExitCode::from(1),
            Status::Failed => ExitCode::from(2),
        }
    }
}

/// What every job carries along.
#[derive(Default)]
pub(crate) struct Session {
    /// The text of every file that was read.
    pub sources: Sources,
    /// What was found wrong with them.
    pub diagnostics: Diagnostics,
    /// The files that were read, as given or found; what a depfile names.
    pub inputs: Vec<PathBuf>,
    /// Everything that was seen of the file system, so that a later run can tell whether it would see the same.
    pub seen: Seen,
    /// The directories that replaced templates, in order.
    pub(crate) overlays: Vec<PathBuf>,
    /// What this run is, as far as an earlier one may stand for it.
    pub(crate) invocation: Option<Invocation>,
    /// When it began.
    pub(crate) began: Moment,
    /// It writes nothing in any case.
    pub(crate) checks_only: bool,
    /// How long it takes.
    pub timings: Timings,
    /// Why the earlier run does not stand for this one: this changed.
    pub(crate) changed: Option<PathBuf>,
    /// What a family keeps from stage to stage, by type.
    states: HashMap<TypeId, Box<dyn Any + Send>>,
}

/// Why a job stops early. Faults in the input are in [`Session::diagnostics`]; this is for what no input file shows.
#[derive(Debug)]
pub(crate) enum JobError {
    /// The diagnostics say why.
    Input,
    /// Usage or I/O: these say why.
    Failed(Vec<Diagnostic>),
}

impl From<Diagnostic> for JobError {
    fn from(diagnostic: Diagnostic) -> Self {
        JobError::Failed(vec![diagnostic])
    }
}

impl From<RenderError> for JobError {
    fn from(error: RenderError) -> Self {
        error.diagnostic().into()
    }
}

impl Session {
    /// What a family keeps for the rest of the run; its default until it is first asked for.
    pub(crate) fn state<S: Any + Default + Send>(&mut self) -> &mut S {
        let state = self.states.entry(TypeId::of::<S>()).or_insert_with(|| Box::<S>::default());
        state.downcast_mut().expect("each type has its own entry")
    }

    /// Stops when there are errors. Called between stages, so that a stage may rely on the one before.
    ///
    /// # Errors
    /// [`JobError::Input`], if there is an error.
    pub(crate) fn check(&self, strict: bool) -> Result<(), JobError> {
        let stop = self.diagnostics.has_errors() || (strict && self.diagnostics.has_warnings());
        if stop { Err(JobError::Input) } else { Ok(()) }
    }
}

/// Runs a job on the wanted number of threads, unless an earlier run did the same, and prints what came of it.
pub(crate) fn with_session(
    common: &CommonArgs,
    invocation: Option<Invocation>,
    job: impl FnOnce(&mut Session) -> Result<report::Summary, JobError> + Send,
) -> (Status, Counters) {
    let mut session = Session { invocation, began: Moment::now(), ..Session::default() };
    let started = std::time::Instant::now();
    let result = match rayon::ThreadPoolBuilder::new().num_threads(common.threads.unwrap_or(0)).build() {
        Ok(pool) => pool.install(|| match memory::up_to_date(common, &mut session) {
            Some(summary) => summary,
            None => session.extend_tables(&common.data_dir).and_then(|()| job(&mut session)),
        }),
        Err(error) => Err(Diagnostic::new(&crate::diag::codes::USAGE, format!("no threads: {error}")).into()),
    };
    report::print(common, session, result, started.elapsed())
}

/// Lets go of something large while the run goes on: taking it apart takes as long as a stage.
pub(crate) fn discard(large: impl Send + 'static) {
    rayon::spawn(move || drop(large));
}
