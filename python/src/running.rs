//! A run on behalf of Python: without its lock, in a thread of its own, until it ends or the user
//! interrupts it.
//!
//! Invariant: a run that the user interrupts has written all of its files or none, and writes none
//! later.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use torchgen_rs::{Host, Tool};

/// How often the caller looks for signals.
const POLL: Duration = Duration::from_millis(20);

/// The stack of a run: that of a program's main thread on Linux.
const STACK: usize = 8 << 20;

/// A host within the interpreter: this library is the program, and PyTorch is searched in the
/// interpreter's environment first.
///
/// # Errors
/// The interpreter lacks its own modules.
pub(crate) fn host(py: Python<'_>, host: Host) -> PyResult<Host> {
    static TOOL: PyOnceLock<Option<Tool>> = PyOnceLock::new();
    let tool = TOOL.get_or_try_init(py, || {
        let file: PathBuf = py.import("torchgen_rs._torchgen_rs")?.getattr("__file__")?.extract()?;
        PyResult::Ok(Tool::at(&file))
    })?;
    let prefix: PathBuf = py.import("sys")?.getattr("prefix")?.extract()?;
    Ok(host.within(tool.clone()).in_environment(Some(prefix)))
}

/// Runs to its end what a host is for, such as a command line.
///
/// # Errors
/// A signal handler raised an exception, as Python's does after Ctrl-C; or the run panicked, which is
/// an error in the program.
pub(crate) fn finished<T: Send + 'static>(
    py: Python<'_>,
    host: Host,
    run: impl FnOnce(Host) -> T + Send + 'static,
) -> PyResult<T> {
    let stop = host.stop();
    let (sender, mut receiver) = channel();
    let run = move || drop(sender.send(run(host)));
    let thread = Builder::new().name("torchgen-rs".to_owned()).stack_size(STACK).spawn(run)?;
    let received = loop {
        let received;
        (receiver, received) = py.detach(move || awaited(receiver));
        if !matches!(received, Err(RecvTimeoutError::Timeout)) {
            break received;
        }
        if let Err(interrupt) = py.check_signals() {
            if !stop.stop() {
                // It is writing.
                py.detach(|| drop(thread.join()));
            }
            return Err(interrupt);
        }
    };
    received.map_err(|_| {
        let panic = py.detach(|| thread.join()).err();
        let said = panic.as_ref().and_then(|panic| {
            panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied())
        });
        PyRuntimeError::new_err(format!("torchgen-rs has an internal error: {}", said.unwrap_or("it panicked")))
    })
}

/// Waits for what a run did, for a short time.
fn awaited<T>(receiver: Receiver<T>) -> (Receiver<T>, Result<T, RecvTimeoutError>) {
    let received = receiver.recv_timeout(POLL);
    (receiver, received)
}
