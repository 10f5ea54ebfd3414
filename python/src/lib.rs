//! The compiled part of the Python package `torchgen_rs`: command lines as calls.
//!
//! Invariant: a run holds no lock of the interpreter, and is in a thread of its own, so that Ctrl-C
//! reaches the caller. The package in `torchgen_rs/` makes functions, objects and exceptions of it.

mod report;
mod running;

use pyo3::pymodule;

/// Command lines as calls. The package `torchgen_rs` is the interface for users.
#[pymodule]
mod _torchgen_rs {
    use std::ffi::OsString;

    use pyo3::prelude::*;
    use torchgen_rs::Host;

    use crate::report::Report;
    use crate::running::{finished, host};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    /// Runs a command line, and returns what it did and what it printed. The first word is the name
    /// of the program.
    #[pyfunction]
    fn run(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<Report> {
        Ok(Report::of(finished(py, arguments, host(py, Host::keeping())?)?))
    }

    /// Runs a command line as the program does: it prints to the streams of the process. Returns the
    /// exit status.
    #[pyfunction]
    fn main(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
        Ok(finished(py, arguments, host(py, Host::process())?)?.status.code())
    }
}
