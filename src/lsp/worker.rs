//! The thread that runs commands for the server: checks, facts, and what takes longer than a reply
//! may.
//!
//! Invariant: of several checks of a project that wait, only the last runs, and a check that runs
//! stops when a new one comes. A panic in a run is an error of that run.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};
use lsp_server::RequestId;
use torchgen_base::diag::Shown;
use torchgen_base::write::manifest::Texts;
use torchgen_kit::driver::{Host, Outcome, Status, Stop};

use super::index::Index;
use super::project::Project;

/// What the thread is asked to do.
pub(super) enum Task {
    /// Check a project with these texts, then read its facts.
    Check(Project, Texts),
    /// Answer a request with what a command prints.
    Print(RequestId, Project, Vec<OsString>, Texts),
}

/// What it did.
pub(super) enum Done {
    /// The diagnostics of a project with these texts.
    Checked(Project, Texts, Vec<Shown>),
    /// The facts of a project, which has no errors.
    Known(Project, Index),
    /// What a command printed for a request, or its first error.
    Printed(RequestId, Result<String, String>),
}

/// The thread.
pub(super) struct Worker {
    tasks: Sender<Task>,
    /// What it did, in order.
    pub(super) done: Receiver<Done>,
    running: Arc<Mutex<Option<(Project, Stop)>>>,
}

impl Worker {
    /// Starts it.
    pub(super) fn start() -> Worker {
        let (tasks, waiting) = unbounded();
        let (sender, done) = unbounded();
        let running = Arc::new(Mutex::new(None));
        let shared = Arc::clone(&running);
        thread::spawn(move || work(&waiting, &sender, &shared));
        Worker { tasks, done, running }
    }

    /// Asks for something. A check of the same project that runs is stopped.
    pub(super) fn ask(&self, task: Task) {
        if let Task::Check(project, _) = &task
            && let Some((running, stop)) = &*self.running.lock().unwrap_or_else(PoisonError::into_inner)
            && running == project
        {
            stop.stop();
        }
        // The thread ends only with the server.
        let _ = self.tasks.send(task);
    }
}

/// The threads of all runs.
fn threads() -> Option<Arc<rayon::ThreadPool>> {
    rayon::ThreadPoolBuilder::new().build().ok().map(Arc::new)
}

fn work(waiting: &Receiver<Task>, done: &Sender<Done>, running: &Mutex<Option<(Project, Stop)>>) {
    let threads = threads();
    let mut queue = VecDeque::new();
    loop {
        if queue.is_empty() {
            match waiting.recv() {
                Ok(task) => queue.push_back(task),
                Err(_) => return,
            }
        }
        queue.extend(waiting.try_iter());
        let Some(task) = queue.pop_front() else { continue };
        let result = match task {
            Task::Check(project, texts) => {
                let is_newer = |task: &Task| matches!(task, Task::Check(other, _) if *other == project);
                if queue.iter().any(is_newer) {
                    continue;
                }
                let caller = host(&project, &texts, threads.as_ref());
                let set = |to| *running.lock().unwrap_or_else(PoisonError::into_inner) = to;
                set(Some((project.clone(), caller.stop())));
                let outcome = run(project.command(&["check", "--message-format", "json"]), caller);
                set(None);
                queue.extend(waiting.try_iter());
                if queue.iter().any(is_newer) {
                    continue;
                }
                let found = match outcome {
                    Ok(outcome) => {
                        let _ = done.send(Done::Checked(project.clone(), Arc::clone(&texts), outcome.diagnostics()));
                        outcome.status == Status::Done
                    }
                    Err(_) => false,
                };
                if !found {
                    continue;
                }
                let Ok(outcome) = run(project.command(&["model"]), host(&project, &texts, threads.as_ref())) else {
                    continue;
                };
                if outcome.status != Status::Done {
                    continue;
                }
                Done::Known(project, Index::of(outcome.printed.out))
            }
            Task::Print(id, project, command, texts) => {
                let printed = match run(command, host(&project, &texts, threads.as_ref())) {
                    Ok(outcome) if outcome.status == Status::Done => Ok(outcome.printed.out),
                    Ok(outcome) => Err(outcome.diagnostics().into_iter().next().map_or(String::new(), |it| it.message)),
                    Err(message) => Err(message),
                };
                Done::Printed(id, printed)
            }
        };
        if done.send(result).is_err() {
            return;
        }
    }
}

/// What a run on a project has from the server: the texts, and the Python environment around the
/// project, where a PyTorch may be.
fn host(project: &Project, texts: &Texts, threads: Option<&Arc<rayon::ThreadPool>>) -> Host {
    let environments = project.source.ancestors().map(|above| above.join(".venv"));
    let found = environments.into_iter().find(|environment| environment.join("pyvenv.cfg").is_file());
    let host = Host::keeping().showing(texts.clone()).in_environment(found);
    match threads {
        Some(threads) => host.on(Arc::clone(threads)),
        None => host,
    }
}

/// Runs a command line; a panic is an error.
fn run(command: Vec<OsString>, host: Host) -> Result<Outcome, String> {
    catch_unwind(AssertUnwindSafe(|| crate::run(command, host)))
        .map_err(|_| "the program has a bug here: it panicked".to_owned())
}
