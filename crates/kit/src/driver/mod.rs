//! What commands share: the state of a run, and the steps around the stages of a family.
//!
//! A command reads inputs, runs its family's stages in order, and writes files. Invariant: after an
//! error, nothing is written.

pub mod args;
pub mod changes;
pub mod context;
pub mod data;
pub mod explain;
pub mod family;
pub mod files;
mod functions;
pub mod head;
mod host;
pub mod interpreter;
pub mod job;
pub mod memory;
mod outcome;
pub mod output;
pub mod pages;
pub mod questions;
pub mod report;
pub mod request;
mod revision;
pub mod run_section;
pub mod scaffold;
mod summary;
pub mod templates;
pub mod timings;
pub mod trace;

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use args::CommonArgs;
use data::RunTables;
pub use functions::CallerFunctions;
pub use host::{Host, Kept, Stop, Tool};
use memory::Invocation;
pub use outcome::Outcome;
pub use timings::{Counters, Timings};
use torchgen_base::diag::{Diagnostic, Diagnostics, Sources, Span};
use torchgen_base::render::RenderError;
use torchgen_base::render::trace::Trace;
use torchgen_base::write::Moment;
use torchgen_base::write::manifest::Seen;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Without errors.
    Done,
    /// With errors in the input; nothing was written.
    Errors,
    /// With bad usage, or a file that cannot be read or written.
    Failed,
}

impl Status {
    /// The exit status of the program.
    pub fn code(self) -> u8 {
        match self {
            Status::Done => 0,
            Status::Errors => 1,
            Status::Failed => 2,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(status.code())
    }
}

/// The state of a run, which every job passes along.
#[derive(Default)]
pub struct Session {
    /// The text of every file that was read.
    pub sources: Sources,
    /// The diagnostics so far.
    pub diagnostics: Diagnostics,
    /// The files that were read, as given or found; a depfile lists them.
    pub inputs: Vec<PathBuf>,
    /// YAML files of directories that no command read as input so far, each with its start if it
    /// does not name a family.
    pub(crate) passed_over: Vec<(PathBuf, Option<Span>)>,
    /// Everything observed in the file system, so that a later run can check whether it is
    /// unchanged.
    pub seen: Seen,
    /// The directories of overlay templates, in order.
    pub(crate) overlays: Vec<PathBuf>,
    /// The tables of facts, with the additions of this run.
    pub tables: RunTables,
    /// The identity of this run, for reusing an earlier one.
    pub(crate) invocation: Option<Invocation>,
    /// What was found without being named, such as "library in `..`".
    pub(crate) found: Option<String>,
    /// What `check` does not check, for want of something, and how to provide it.
    pub(crate) left_out: Option<&'static str>,
    /// Where it prints, and what else it has from its caller.
    pub host: Host,
    /// When the run began.
    pub(crate) began: Moment,
    /// The run never writes anything.
    pub checks_only: bool,
    /// Where generated texts about operators end up, in a run for `explain`.
    pub trace: Option<Arc<Trace>>,
    /// The time that stages take.
    pub timings: Timings,
    /// The changed file that prevents reuse of the earlier run.
    pub(crate) changed: Option<PathBuf>,
    /// The state that families keep between stages, by type.
    states: HashMap<TypeId, Box<dyn Any + Send>>,
}

/// Why a job stops early. Errors in input files are in [`Session::diagnostics`]; others are here.
#[derive(Debug)]
pub enum JobError {
    /// The diagnostics show why.
    Input,
    /// Usage or I/O, with the reasons.
    Failed(Vec<Diagnostic>),
    /// The caller stopped the run.
    Stopped,
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
    /// Adds to what the summary names, once: what a run found by itself.
    pub fn has_found(&mut self, what: String) {
        self.found = Some(match self.found.take() {
            Some(before) if before.split(", ").any(|known| known == what) => before,
            Some(before) => format!("{before}, {what}"),
            None => what,
        });
    }

    /// The run makes no files of its own: no later run is skipped because of it.
    pub fn is_apart(&mut self) {
        self.invocation = None;
    }

    /// Makes the summary of `check` say what was not checked.
    pub fn leaves_out(&mut self, what: &'static str) {
        self.left_out = Some(what);
    }

    /// A family's state for the rest of the run; its default on first use.
    pub fn state<S: Any + Default + Send>(&mut self) -> &mut S {
        let state = self.states.entry(TypeId::of::<S>()).or_insert_with(|| Box::<S>::default());
        state.downcast_mut().expect("each type has its own entry")
    }

    /// Runs a part of a job whose errors and state say nothing about the others.
    pub fn apart<T>(&mut self, part: impl FnOnce(&mut Session) -> T) -> T {
        let before = std::mem::take(&mut self.diagnostics);
        let (states, tables) = (std::mem::take(&mut self.states), self.tables.clone());
        let result = part(self);
        (self.states, self.tables) = (states, tables);
        let found = std::mem::replace(&mut self.diagnostics, before);
        self.diagnostics.extend(found);
        result
    }

    /// Stops if there are errors, or if the caller stops the run. Called between stages, so that a
    /// stage can rely on the one before.
    ///
    /// # Errors
    /// [`JobError::Input`], if there is an error; [`JobError::Stopped`].
    pub fn check_errors(&self) -> Result<(), JobError> {
        if self.host.is_stopped() {
            return Err(JobError::Stopped);
        }
        if self.diagnostics.has_errors() { Err(JobError::Input) } else { Ok(()) }
    }

    /// The same. If `strict`, warnings are errors.
    ///
    /// # Errors
    /// [`JobError::Input`], if there is an error.
    pub fn fail_on_errors(&self, strict: bool) -> Result<(), JobError> {
        match strict && self.diagnostics.has_warnings() {
            true => Err(JobError::Input),
            false => self.check_errors(),
        }
    }
}

/// Runs a job on the given number of threads, unless an earlier run did the same, and prints the
/// result to its host, with what was found for it.
pub fn with_session(
    common: &CommonArgs,
    host: Host,
    invocation: Option<Invocation>,
    found: Option<String>,
    job: impl FnOnce(&mut Session) -> Result<report::Summary, JobError> + Send,
) -> Outcome {
    let mut session = Session { invocation, found, host, began: Moment::now(), ..Session::default() };
    session.seen.show(session.host.texts());
    let started = std::time::Instant::now();
    let own = || rayon::ThreadPoolBuilder::new().num_threads(common.threads.unwrap_or(0)).build().map(Arc::new);
    let result = match session.host.threads().map_or_else(own, Ok) {
        Ok(pool) => pool.install(|| match memory::up_to_date(common, &mut session) {
            Some(summary) => summary,
            None => session.extend_tables(&common.data_dir).and_then(|()| job(&mut session)),
        }),
        Err(error) => {
            Err(Diagnostic::new(&torchgen_base::diag::codes::USAGE, format!("cannot start threads: {error}")).into())
        }
    };
    let result = result.and_then(|summary| match &common.trace {
        Some(path) => session.timings.write_trace(path, &session.inputs).map(|()| summary),
        None => Ok(summary),
    });
    report::print(common, session, result, started.elapsed())
}

/// Drops a large value while the run continues: dropping it takes as long as a stage.
pub fn discard(large: impl Send + 'static) {
    rayon::spawn(move || drop(large));
}
