//! What a run has from the program that called it: where it prints, the file that identifies the
//! program, the Python environment around it, and a way to stop the run.
//!
//! Invariant: a run prints only through its host. A run that was stopped before it began to write
//! writes nothing.

use std::any::Any;
use std::fmt;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use torchgen_base::diag::{Diagnostic, codes};
use torchgen_base::write::Identity;
use torchgen_base::write::manifest::Texts;

use super::JobError;

/// What a run has from its caller. By default it prints to the streams of the process, and the
/// program is the file that the process runs.
#[derive(Debug, Default)]
pub struct Host {
    kept: Option<Kept>,
    tool: Option<Tool>,
    environment: Option<PathBuf>,
    texts: Texts,
    threads: Option<Arc<rayon::ThreadPool>>,
    stop: Stop,
    code: Option<Code>,
}

/// Code of the caller that a family calls during a run.
#[derive(Clone)]
struct Code {
    /// What the family calls.
    called: Arc<dyn Any + Send + Sync>,
    /// What distinguishes it from other code; `None` if nothing is known of it.
    fingerprint: Option<String>,
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Code").field(&self.fingerprint).finish()
    }
}

/// What a run printed, if its host keeps it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kept {
    /// Data: what goes to standard output.
    pub out: String,
    /// Diagnostics and the summary: what goes to standard error.
    pub err: String,
}

/// The file of the program, as it was when the program started. A run is skipped only if the
/// program is the one of the earlier run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// The file.
    pub(crate) path: PathBuf,
    /// Its identity.
    pub(crate) identity: Identity,
}

impl Tool {
    /// That of a file; `None` if it cannot be read.
    pub fn at(path: &Path) -> Option<Tool> {
        let identity = Identity::from_metadata(&std::fs::metadata(path).ok()?);
        Some(Tool { path: path.to_owned(), identity })
    }

    /// That of the process. On Linux it is found even if another file has replaced it.
    fn running() -> Option<Tool> {
        match cfg!(target_os = "linux") {
            true => Tool::at(Path::new("/proc/self/exe")),
            false => Tool::at(&std::env::current_exe().ok()?),
        }
    }
}

impl Host {
    /// The host of the program itself.
    pub fn process() -> Host {
        Host::default()
    }

    /// A host that keeps what a run prints: [`super::Outcome::printed`] has it.
    pub fn keeping() -> Host {
        Host { kept: Some(Kept::default()), ..Host::default() }
    }

    /// The same in a program that is not the file of the process, such as a library in it.
    #[must_use]
    pub fn within(self, tool: Option<Tool>) -> Host {
        Host { tool, ..self }
    }

    /// The same with a Python environment: an installed PyTorch is searched there first.
    #[must_use]
    pub fn in_environment(self, prefix: Option<PathBuf>) -> Host {
        Host { environment: prefix, ..self }
    }

    /// The same with texts in place of files, by absolute path: what an editor has not saved. Which
    /// family a file belongs to is still read from the file.
    #[must_use]
    pub fn showing(self, texts: Texts) -> Host {
        Host { texts, ..self }
    }

    /// The same on threads that outlive the run. A program that runs for long needs this: its
    /// allocator does not use the memory of ended threads again.
    #[must_use]
    pub fn on(self, threads: Arc<rayon::ThreadPool>) -> Host {
        Host { threads: Some(threads), ..self }
    }

    /// The threads of the run, if it has none of its own.
    pub(crate) fn threads(&self) -> Option<Arc<rayon::ThreadPool>> {
        self.threads.clone()
    }

    /// The same with code that a family calls during the run. An earlier run can replace it only if
    /// that had code with the same fingerprint.
    #[must_use]
    pub fn calling(self, called: Arc<dyn Any + Send + Sync>, fingerprint: Option<String>) -> Host {
        Host { code: Some(Code { called, fingerprint }), ..self }
    }

    /// The code of that type that the run calls, if there is any.
    pub fn called<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        Arc::clone(&self.code.as_ref()?.called).downcast().ok()
    }

    /// Whether nothing is known of code that the run calls, so that no earlier run can replace it.
    pub(crate) fn calls_unknown_code(&self) -> bool {
        self.code.as_ref().is_some_and(|code| code.fingerprint.is_none())
    }

    /// What the code that the run calls adds to the run's identity.
    pub(crate) fn fingerprint(&self) -> String {
        self.code.as_ref().map(|code| format!(" {:?}", code.fingerprint)).unwrap_or_default()
    }

    /// The texts in place of files.
    pub(crate) fn texts(&self) -> Texts {
        self.texts.clone()
    }

    /// The Python environment around the run, if the caller is in one.
    pub fn environment(&self) -> Option<&Path> {
        self.environment.as_deref()
    }

    /// A handle to stop the run from another thread.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// The program of the run.
    pub(crate) fn tool(&self) -> Option<Tool> {
        self.tool.clone().or_else(Tool::running)
    }

    /// Whether to color where the user does not say so.
    pub(crate) fn is_colored(&self) -> bool {
        self.kept.is_none() && std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none()
    }

    /// Prints data.
    ///
    /// # Errors
    /// The data cannot be written. A closed pipe is not an error.
    pub fn print(&mut self, text: &str) -> Result<(), Diagnostic> {
        if let Some(kept) = &mut self.kept {
            kept.out.push_str(text);
            return Ok(());
        }
        let mut out = std::io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(Diagnostic::new(&codes::WRITE_FAILED, format!("cannot write to standard output: {error}")))
            }
            _ => Ok(()),
        }
    }

    /// Prints data in pieces, each of which is dropped then.
    ///
    /// # Errors
    /// The data cannot be written. A closed pipe is not an error.
    pub fn print_all(&mut self, pieces: Vec<String>) -> Result<(), Diagnostic> {
        if let Some(kept) = &mut self.kept {
            kept.out.reserve_exact(pieces.iter().map(String::len).sum());
        }
        pieces.into_iter().try_for_each(|piece| self.print(&piece))
    }

    /// Prints a message. That a stream is closed is no error.
    pub fn say(&mut self, text: &str) {
        match &mut self.kept {
            Some(kept) => kept.err.push_str(text),
            None => {
                let _ = std::io::stderr().lock().write_all(text.as_bytes());
            }
        }
    }

    /// Prints what clap says: an error, or the help or the version that the user asked for.
    pub(crate) fn say_usage(&mut self, error: &clap::Error) {
        match (&mut self.kept, error.use_stderr()) {
            (Some(kept), true) => kept.err.push_str(&error.render().to_string()),
            (Some(kept), false) => kept.out.push_str(&error.render().to_string()),
            (None, _) => {
                let _ = error.print();
            }
        }
    }

    /// What was printed; nothing if it is not kept.
    pub(crate) fn printed(self) -> Kept {
        self.kept.unwrap_or_default()
    }

    /// Begins to write files.
    ///
    /// # Errors
    /// The run was stopped.
    pub fn begin_writing(&self) -> Result<(), JobError> {
        if self.stop.begins_to_write() { Ok(()) } else { Err(JobError::Stopped) }
    }

    /// Whether the run was stopped.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.0.load(Ordering::Acquire) == STOPPED
    }
}

/// The states of a run, for [`Stop`].
const READS: u8 = 0;
const WRITES: u8 = 1;
const STOPPED: u8 = 2;

/// A handle to stop a run.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicU8>);

impl Stop {
    /// Stops the run. Returns false if it is too late: the run is already writing its files, and
    /// will write all of them. Otherwise it writes none, and ends soon.
    pub fn stop(&self) -> bool {
        match self.0.compare_exchange(READS, STOPPED, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => true,
            Err(state) => state == STOPPED,
        }
    }

    fn begins_to_write(&self) -> bool {
        match self.0.compare_exchange(READS, WRITES, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => true,
            Err(state) => state == WRITES,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_writes_everything_or_nothing() {
        let host = Host::keeping();
        let stop = host.stop();
        assert!(host.begin_writing().is_ok() && !stop.stop());
        assert!(!host.is_stopped() && host.begin_writing().is_ok());
        let host = Host::keeping();
        let stop = host.stop();
        assert!(stop.stop() && stop.stop());
        assert!(host.is_stopped() && matches!(host.begin_writing(), Err(JobError::Stopped)));
    }

    #[test]
    fn printed_text_is_kept() {
        let mut host = Host::keeping();
        host.print("a\n").expect("memory");
        host.say("b\n");
        assert_eq!(host.printed(), Kept { out: "a\n".to_owned(), err: "b\n".to_owned() });
    }
}
