//! What a run did, as plain Python data: dictionaries, tuples, strings and numbers.
//!
//! Invariant: `_torchgen_rs.pyi` describes it. The module `results` of the package makes objects of
//! it.

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;
use torchgen_base::diag::{self, Color, Sources};
use torchgen_rs::{Outcome, Place, Shown, ShownEdit, ShownFix, ShownLabel, Status, Summary};

/// What a run did.
#[derive(IntoPyObject)]
pub(crate) struct Report {
    /// The exit status of the program.
    status: u8,
    written: Vec<OsString>,
    unchanged: usize,
    removed: Vec<OsString>,
    listed: Vec<OsString>,
    skipped: bool,
    diagnostics: Vec<Diagnostic>,
    output: String,
    messages: String,
}

/// A diagnostic.
#[derive(IntoPyObject)]
struct Diagnostic {
    code: &'static str,
    name: &'static str,
    severity: &'static str,
    message: String,
    place: Option<At>,
    labels: Vec<Label>,
    notes: Vec<String>,
    help: Vec<String>,
    fixes: Vec<Fix>,
    /// A change as JSON.
    change: Option<String>,
    text: String,
}

/// File, line, column, last line and last column.
type At = (String, usize, usize, usize, usize);

/// A place and its text.
type Label = (At, String);

/// The help that describes it, whether it is certain, and places with the old and the new text.
type Fix = (String, &'static str, Vec<(At, String, String)>);

impl Report {
    /// That of an outcome.
    pub(crate) fn of(outcome: Outcome) -> Report {
        let diagnostics = outcome.diagnostics().into_iter().map(Diagnostic::of).collect();
        let Outcome { status, summary, printed, .. } = outcome;
        let Summary { report, removed, listed, stood_in, .. } = summary;
        let paths = |paths: Vec<PathBuf>| paths.into_iter().map(PathBuf::into_os_string).collect();
        Report {
            status: status.code(),
            written: paths(report.changed),
            unchanged: report.unchanged,
            removed: paths(removed),
            listed: paths(listed),
            skipped: stood_in,
            diagnostics,
            output: printed.out,
            messages: printed.err,
        }
    }

    /// That of errors that no run had.
    pub(crate) fn of_errors(errors: &[diag::Diagnostic], sources: &Sources) -> Report {
        Report {
            status: Status::Errors.code(),
            written: Vec::new(),
            unchanged: 0,
            removed: Vec::new(),
            listed: Vec::new(),
            skipped: false,
            diagnostics: errors.iter().map(|error| Diagnostic::of(diag::shown(error, sources))).collect(),
            output: String::new(),
            messages: errors.iter().map(|error| diag::human(error, sources, Color::Never)).collect(),
        }
    }
}

/// The exception of the package for a run with errors.
pub(crate) fn raised(py: Python<'_>, report: Report) -> PyErr {
    let exception = py.import("torchgen_rs._calls").and_then(|calls| calls.call_method1("schema_error", (report,)));
    exception.map_or_else(|error| error, PyErr::from_value)
}

impl Diagnostic {
    fn of(shown: Shown) -> Diagnostic {
        let Shown { code, name, severity, message, place, labels, notes, help, fixes, change, text } = shown;
        let at = |Place { file, line, column, end_line, end_column }| (file, line, column, end_line, end_column);
        let label = |ShownLabel { place, message }| (at(place), message);
        let edit = |ShownEdit { place, old, new, .. }| (at(place), old, new);
        let fix = |ShownFix { message, applicability, edits }| {
            (message, applicability.as_str(), edits.into_iter().map(edit).collect())
        };
        let labels = labels.into_iter().map(label).collect();
        let fixes = fixes.into_iter().map(fix).collect();
        let (place, change) = (place.map(at), change.map(|change| change.to_string()));
        Diagnostic { code, name, severity, message, place, labels, notes, help, fixes, change, text }
    }
}
