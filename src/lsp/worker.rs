//! The thread that runs commands for the server: checks, facts, and what takes longer than a reply
//! may.
//!
//! Invariant: of several checks of a project that wait, only the last runs, and a check that runs
//! stops when a new one comes, as does the reading of facts. A panic in a run is an error of that
//! run.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use lsp_server::RequestId;
use torchgen_base::diag::Shown;
use torchgen_base::write::manifest::Texts;
use torchgen_kit::driver::family::DefaultFamily as _;
use torchgen_kit::driver::{Host, Outcome, Status, Stop};
use torchgen_library::library::kernels::CONTRACT;
use torchgen_model::codes;

use super::index::Index;
use super::kernels;
use super::project::Project;
use crate::families::Fallback;

/// How long nobody types before facts are read: for PyTorch that takes longer than a check.
const PAUSE: Duration = Duration::from_millis(250);

/// What the thread is asked to do.
pub(super) enum Task {
    /// Check a project with these texts, then read its facts.
    Check(Project, Texts),
    /// Answer a request with what a command prints.
    Print(RequestId, Project, Vec<OsString>, Texts),
    /// Do not answer a request that waits.
    Cancel(RequestId),
}

/// What it did.
pub(super) enum Done {
    /// The diagnostics of a project with these texts.
    Checked(Project, Texts, CheckResult),
    /// The facts of a project, which has no errors.
    Known(Project, Index),
    /// What a command printed for a request, or its first error.
    Printed(RequestId, Result<String, String>),
    /// A request that was cancelled before it began.
    Cancelled(RequestId),
}

/// What a check found.
#[derive(Default)]
pub(super) struct CheckResult {
    /// What is wrong.
    pub(super) diagnostics: Vec<Shown>,
    /// Kernels that no source defines. A build may have sources that are elsewhere.
    pub(super) missing: Vec<Shown>,
}

impl CheckResult {
    /// Adds what `kernels` found, unless `check` did so too.
    fn contract(&mut self, of: Shown) {
        if !self.diagnostics.iter().any(|known| known.code == of.code && known.message == of.message) {
            self.diagnostics.push(of);
        }
    }
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

/// What waits.
#[derive(Default)]
struct Waiting {
    tasks: VecDeque<Task>,
    /// Projects without errors whose facts are not read yet, with their texts.
    facts: BTreeMap<Project, Texts>,
    /// Those whose facts were read at least once.
    known: BTreeSet<Project>,
}

impl Waiting {
    /// Takes a task. Returns the request that it cancels.
    fn take(&mut self, task: Task) -> Option<RequestId> {
        let Task::Cancel(id) = task else {
            self.tasks.push_back(task);
            return None;
        };
        let is_it = |task: &Task| matches!(task, Task::Print(own, ..) if *own == id);
        let before = self.tasks.len();
        self.tasks.retain(|task| !is_it(task));
        (self.tasks.len() < before).then_some(id)
    }

    /// Whether a newer check of a project waits.
    fn has_check(&self, project: &Project) -> bool {
        self.tasks.iter().any(|task| matches!(task, Task::Check(other, _) if other == project))
    }

    /// Waits for a task, if nothing else is to be done. Those who type get diagnostics first, and
    /// facts when they pause; the first facts do not wait.
    fn wait(&self, tasks: &Receiver<Task>) -> Result<Option<Task>, Gone> {
        let is_new = |project: &Project| !self.known.contains(project);
        if !self.tasks.is_empty() || self.facts.keys().any(is_new) {
            return Ok(None);
        }
        match self.facts.is_empty() {
            true => tasks.recv().map(Some).map_err(|_| Gone),
            false => match tasks.recv_timeout(PAUSE) {
                Ok(task) => Ok(Some(task)),
                Err(RecvTimeoutError::Timeout) => Ok(None),
                Err(RecvTimeoutError::Disconnected) => Err(Gone),
            },
        }
    }
}

/// The server is gone.
struct Gone;

fn work(tasks: &Receiver<Task>, done: &Sender<Done>, running: &Mutex<Option<(Project, Stop)>>) {
    let threads = threads();
    let mut waiting = Waiting::default();
    // A run that a check of the same project stops.
    let stoppable = |command: Vec<OsString>, project: &Project, texts: &Texts| {
        let caller = host(project, texts, threads.as_ref());
        let set = |to| *running.lock().unwrap_or_else(PoisonError::into_inner) = to;
        set(Some((project.clone(), caller.stop())));
        let outcome = run(project.command(command), caller);
        set(None);
        outcome
    };
    loop {
        let Ok(next) = waiting.wait(tasks) else { return };
        let cancelled: Vec<RequestId> =
            next.into_iter().chain(tasks.try_iter()).filter_map(|task| waiting.take(task)).collect();
        cancelled.into_iter().for_each(|id| _ = done.send(Done::Cancelled(id)));
        let result = match waiting.tasks.pop_front() {
            Some(Task::Check(project, texts)) => {
                waiting.facts.remove(&project);
                if waiting.has_check(&project) {
                    continue;
                }
                let Ok(outcome) = stoppable(words(&["check", "--message-format", "json"]), &project, &texts) else {
                    continue;
                };
                tasks.try_iter().for_each(|task| {
                    waiting.take(task).into_iter().for_each(|id| _ = done.send(Done::Cancelled(id)));
                });
                if waiting.has_check(&project) {
                    continue;
                }
                if outcome.status == Status::Done {
                    waiting.facts.insert(project.clone(), Arc::clone(&texts));
                }
                let mut found = CheckResult { diagnostics: outcome.diagnostics(), ..CheckResult::default() };
                if let Some(sources) = compared(&project, &outcome) {
                    let words = ["kernels", "--message-format", "json"].map(OsString::from);
                    let command = words.into_iter().chain(sources).collect();
                    let Ok(outcome) = stoppable(command, &project, &texts) else { continue };
                    for of in outcome.diagnostics() {
                        match of.code {
                            code if code == codes::KERNEL_MISSING.id => found.missing.push(of),
                            code if code == codes::KERNEL_DIFFERS.id => found.diagnostics.push(of),
                            code if CONTRACT.iter().any(|own| own.id == code) => found.contract(of),
                            // Other commands report these.
                            _ => {}
                        }
                    }
                }
                Done::Checked(project, texts, found)
            }
            Some(Task::Print(id, project, command, texts)) => {
                let printed = match run(command, host(&project, &texts, threads.as_ref())) {
                    // `kernels` prints what is missing, and fails.
                    Ok(outcome) if outcome.status == Status::Done || !outcome.printed.out.is_empty() => {
                        Ok(outcome.printed.out)
                    }
                    Ok(outcome) => Err(outcome.diagnostics().into_iter().next().map_or(String::new(), |it| it.message)),
                    Err(message) => Err(message),
                };
                Done::Printed(id, printed)
            }
            // It was taken before.
            Some(Task::Cancel(_)) => continue,
            None => {
                let Some((project, texts)) = waiting.facts.pop_first() else { continue };
                waiting.known.insert(project.clone());
                match stoppable(words(&["model"]), &project, &texts) {
                    Ok(outcome) if outcome.status == Status::Done => {
                        Done::Known(project, Index::from_model_output(outcome.printed.out))
                    }
                    _ => continue,
                }
            }
        };
        if done.send(result).is_err() {
            return;
        }
    }
}

fn words(of: &[&str]) -> Vec<OsString> {
    of.iter().map(OsString::from).collect()
}

/// The flags with the sources to compare with the kernels of a project, if it is a library without
/// errors. One without sources can have kernels in Python.
fn compared(project: &Project, outcome: &Outcome) -> Option<Vec<OsString>> {
    if outcome.status != Status::Done || project.is_pytorchs() || !Fallback::is_project(&project.source) {
        return None;
    }
    Some(kernels::flags(project))
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn what_waits_is_cancelled() {
        let project = Project::containing(Path::new("/x/native_functions.yaml"), "").expect("a project");
        let print = |id: i32| Task::Print(id.into(), project.clone(), Vec::new(), Texts::default());
        let mut waiting = Waiting::default();
        assert_eq!(waiting.take(print(1)), None);
        assert_eq!(waiting.take(print(2)), None);
        assert_eq!(waiting.take(Task::Cancel(1.into())), Some(1.into()));
        assert_eq!(waiting.take(Task::Cancel(1.into())), None);
        assert!(matches!(waiting.tasks.make_contiguous(), [Task::Print(id, ..)] if *id == 2.into()));
        assert!(!waiting.has_check(&project));
        waiting.take(Task::Check(project.clone(), Texts::default()));
        assert!(waiting.has_check(&project));
    }
}
