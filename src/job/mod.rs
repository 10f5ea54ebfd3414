//! The jobs: one file per subcommand, each of which reads inputs, runs the stages in order and writes.
//!
//! Invariant: nothing is written while there is an error. Deliberately absent: what any stage does; a job only strings them together.

mod aten;
mod autograd;
mod derivatives;
mod inputs;
mod layout;
mod library;
mod native_aot;
mod output;
mod report;
mod selection;
mod templates;

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use crate::cli::{Cli, Command, CommonArgs};
use crate::diag::{Diagnostic, Diagnostics, Sources};
use crate::yaml::NativeFunctionRecord;
use layout::Layout;

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
pub struct Session {
    /// The text of every file that was read.
    pub sources: Sources,
    /// What was found wrong with them.
    pub diagnostics: Diagnostics,
    /// The files that were read, as given or found; what a depfile names.
    pub inputs: Vec<PathBuf>,
    /// The records of operator files that were read, by path.
    records: HashMap<PathBuf, Arc<Vec<NativeFunctionRecord>>>,
}

/// Why a job stops early. Faults in the input are in [`Session::diagnostics`]; this is for what no input file shows.
#[derive(Debug)]
pub enum Stop {
    /// The diagnostics say why.
    Faults,
    /// Usage or I/O: these say why.
    Failed(Vec<Diagnostic>),
}

impl From<Diagnostic> for Stop {
    fn from(diagnostic: Diagnostic) -> Self {
        Stop::Failed(vec![diagnostic])
    }
}

impl Session {
    /// Stops when there are errors. Called between stages, so that a stage may rely on the one before.
    ///
    /// # Errors
    /// [`Stop::Faults`], if there is an error.
    pub fn check(&self, strict: bool) -> Result<(), Stop> {
        let stop = self.diagnostics.has_errors() || (strict && self.diagnostics.has_warnings());
        if stop { Err(Stop::Faults) } else { Ok(()) }
    }
}

/// Runs what the command line asks for, and prints.
pub fn run(cli: Cli) -> Status {
    match cli.command {
        Command::Generate(args) => with_session(&args.common, |session| match layout::find(&args)? {
            Layout::Aten => aten::generate(&args, session),
            Layout::Library => library::generate(&args, session),
        }),
        Command::Autograd(args) => {
            with_session(&args.common, |session| autograd::generate(&autograd::Request::from(&*args), session))
        }
        Command::GenerateCode(args) => {
            with_session(&args.common, |session| autograd::generate(&autograd::Request::try_from(&*args)?, session))
        }
    }
}

/// Runs a job on the wanted number of threads and prints what came of it.
fn with_session(common: &CommonArgs, job: impl FnOnce(&mut Session) -> Result<report::Summary, Stop> + Send) -> Status {
    let mut session = Session::default();
    let started = std::time::Instant::now();
    let result = match rayon::ThreadPoolBuilder::new().num_threads(common.threads.unwrap_or(0)).build() {
        Ok(pool) => pool.install(|| job(&mut session)),
        Err(error) => Err(Diagnostic::new(&crate::diag::codes::USAGE, format!("no threads: {error}")).into()),
    };
    report::print(common, session, result, started.elapsed())
}
