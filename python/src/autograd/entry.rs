//! One entry of derivatives.yaml, or one formula, that Python has as data.
//!
//! Invariant: it is read as `load_derivatives` reads a file. Diagnostics show the entry as JSON, and
//! no places in the files of the operators, which are not known here.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::key_name;
use super::make::Objects;
use crate::api::placeless;
use crate::model::{Reader, loaded_of, tables_of};
use crate::report::{Report, raised};
use torchgen_api::autograd::{self, Operators, node_class_prefix};
use torchgen_base::diag::{Diagnostic, Diagnostics, FileId, Severity, Sources, Span};
use torchgen_base::yaml::{self, Text};
use torchgen_model::model::native_function::EntrySpans;
use torchgen_model::model::{NativeFunction, Target};
use torchgen_model::records::{DerivativeRecord, read_derivatives};

/// The text of an entry, and where the places of operators lead, which no one shows.
struct Source {
    sources: Sources,
    file: FileId,
}

impl Source {
    fn new(text: String) -> Source {
        let mut sources = Sources::new();
        // What has no place has it in the first file.
        sources.add("", String::new());
        let file = sources.add("derivatives.yaml", text);
        Source { sources, file }
    }

    /// The only entry of the text.
    fn record(&self, found: &mut Diagnostics) -> Option<DerivativeRecord> {
        let root = yaml::parse(&self.sources, self.file, yaml::Options::OPERATORS, found)?;
        read_derivatives(root, found).into_iter().next()
    }

    /// The exception for errors, without places elsewhere.
    fn error(&self, py: Python<'_>, found: Diagnostics) -> PyErr {
        let here = |mut error: Diagnostic| {
            error.primary = error.primary.filter(|label| label.span.file == self.file);
            error.labels.retain(|label| label.span.file == self.file);
            error
        };
        let errors = found.into_sorted().into_iter().filter(|one| one.severity == Severity::Error).map(here);
        raised(py, Report::of_errors(&errors.collect::<Vec<_>>(), &self.sources))
    }
}

/// The derivatives of an entry: the place of their operator among those of its signature, and the
/// derivatives by key. `counts` has the number of nodes with each class.
#[pyfunction]
pub(crate) fn derivatives_of_entry<'py>(
    entry: String,
    functions: Vec<Bound<'py, PyAny>>,
    counts: &Bound<'py, PyAny>,
) -> PyResult<(usize, Bound<'py, PyDict>)> {
    let py = counts.py();
    let read = Reader::new(py)?;
    let without_places = |f: &Bound<'py, PyAny>| {
        let mut f = read.function(f)?;
        f.spans = EntrySpans::default();
        Ok(f)
    };
    let own = functions.iter().map(without_places).collect::<PyResult<Vec<NativeFunction>>>()?;
    let loaded = functions.first().and_then(loaded_of);
    let target = Target::pytorch(tables_of(loaded.as_deref()));
    let (source, mut found) = (Source::new(entry), Diagnostics::new());
    let all: Vec<&NativeFunction> = own.iter().collect();
    let known = Operators { functions: &all, view_groups: &[], target, manual: "" };
    let record = source.record(&mut found);
    let made = record.and_then(|record| autograd::load_entry(&record, known, &mut found));
    let place = |f: &NativeFunction| own.iter().position(|one| std::ptr::eq(one, f));
    let made = made.and_then(|(f, by_key)| Some((place(f)?, by_key)));
    let Some((at, by_key)) = made.filter(|_| !found.has_errors()) else { return Err(source.error(py, found)) };
    let (objects, of_keys) = (Objects::new(py)?, PyDict::new(py));
    for (key, mut info) in by_key {
        if info.has_derivatives() {
            let prefix = node_class_prefix(&info.name, key);
            let count: usize = counts.get_item(&prefix)?.extract()?;
            info.op = Some(format!("{prefix}{count}"));
            counts.set_item(prefix, count + 1)?;
        }
        of_keys.set_item(key_name(key), objects.info(&info, &functions[at], false)?)?;
    }
    Ok((at, of_keys))
}

/// A formula for the gradients of some inputs of an operator, which can use gradients by these
/// names.
#[pyfunction]
pub(crate) fn derivative_of_formula<'py>(
    f: &Bound<'py, PyAny>,
    formula: String,
    var_names: Vec<String>,
    gradients: Vec<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = f.py();
    let loaded = loaded_of(f);
    let target = Target::pytorch(tables_of(loaded.as_deref()));
    let f = Reader::new(py)?.function(f)?;
    let formula = Text::made(formula, Span::default());
    let made = autograd::create_derivative(&f, &formula, var_names, &gradients, target);
    Objects::new(py)?.derivative(&made.map_err(|error| placeless(py, *error))?)
}
