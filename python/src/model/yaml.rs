//! Files of operators and tags, and the same as data.
//!
//! Invariant: a file is read as every command of the program reads it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Loaded;
use super::make::Maker;
use crate::report::{Report, raised};
use crate::running::{finished, host};
use torchgen_base::yaml;
use torchgen_generators::inputs::{self, Entries, Operators};
use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::data::Tables;
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{Host, JobError, Session, with_session};
use torchgen_model::model::version::Version;
use torchgen_model::model::{BackendIndices, DispatchKey, Target};
use torchgen_model::parse::entry::EntryOptions;
use torchgen_model::{records, release, versions};

/// Where operators are read from.
pub(crate) enum Source {
    /// A native_functions.yaml and a tags.yaml.
    Files(PathBuf, PathBuf),
    /// A text under a name, and the known tags.
    Text(String, String, BTreeSet<String>),
    /// The program's table of a version of torch.
    Torch(Version),
}

/// Runs a job that only reads, and returns what it made.
pub(crate) fn reading<T: Send + 'static>(
    py: Python<'_>,
    job: impl FnOnce(&mut Session) -> Result<T, JobError> + Send + 'static,
) -> PyResult<T> {
    let run = move |host: Host| {
        let common = CommonArgs { quiet: true, ..CommonArgs::default() };
        let mut made = None;
        let outcome = with_session(&common, host, None, None, |session| {
            session.checks_only = true;
            let result = job(session)?;
            session.check_errors()?;
            made = Some(result);
            Ok(Summary { silent: true, ..Summary::default() })
        });
        (outcome, made)
    };
    let (outcome, made) = finished(py, host(py, Host::keeping())?, run)?;
    made.ok_or_else(|| raised(py, Report::of(outcome)))
}

/// Does the same in this thread, for a text of a few lines.
pub(crate) fn reading_here<T: Send>(
    py: Python<'_>,
    job: impl FnOnce(&mut Session) -> Result<T, JobError> + Send,
) -> PyResult<T> {
    let read = py.detach(|| {
        let mut session = Session::default();
        let made = job(&mut session).and_then(|made| session.check_errors().map(|()| made));
        made.map_err(|error| {
            let reasons = if let JobError::Failed(reasons) = error { reasons } else { Vec::new() };
            let found = session.diagnostics.into_sorted();
            Report::of_errors(&[found, reasons].concat(), &session.sources)
        })
    });
    read.map_err(|report| raised(py, report))
}

/// What a caller says about keys.
pub(crate) struct Keys {
    /// Those whose kernels are ignored.
    ignored: BTreeSet<DispatchKey>,
    /// Those that have kernels besides those of ATen.
    more: Vec<DispatchKey>,
    /// Those that have structured kernels besides those of ATen.
    more_structured: Vec<DispatchKey>,
}

/// The names of the keys that are ignored, and those with kernels and with structured kernels that
/// ATen does not have.
pub(crate) type KeyNames = (Vec<String>, Vec<String>, Vec<String>);

impl Keys {
    /// Those of that name; an unknown one cannot occur, since Python checks them.
    pub(crate) fn named((ignored, more, more_structured): &KeyNames) -> Keys {
        let keys = |names: &[String]| names.iter().filter_map(|name| DispatchKey::parse(name)).collect::<Vec<_>>();
        let ignored = keys(ignored).into_iter().collect();
        Keys { ignored, more: keys(more), more_structured: keys(more_structured) }
    }

    fn options<'a>(&'a self, tables: &'a Tables, valid_tags: &'a BTreeSet<String>) -> EntryOptions<'a> {
        let (more_keys, more_structured_keys) = (&self.more, &self.more_structured);
        let target = Target { more_keys, more_structured_keys, ..Target::pytorch(tables) };
        EntryOptions { target, valid_tags, ignore_keys: &self.ignored }
    }
}

/// Reads the entries of a source.
fn entries(session: &mut Session, source: Source, keys: &Keys) -> Result<Entries, JobError> {
    match source {
        Source::Files(path, tags) => {
            if let Some(aten) = aten(&path) {
                release::settle(session, aten, None)?;
            }
            let valid_tags = inputs::read_tags(session, &tags)?;
            let tables = session.tables.clone();
            inputs::read_entries(session, &path, keys.options(&tables, &valid_tags))
        }
        Source::Text(name, text, valid_tags) => {
            let tables = session.tables.clone();
            inputs::read_text(session, &name, text, keys.options(&tables, &valid_tags))
        }
        Source::Torch(torch) => {
            release::without_files(session, Some(torch))?;
            let (tables, valid_tags) = (session.tables.clone(), inputs::standard_tags(&session.tables));
            let name = format!("native_functions.yaml of torch {torch}");
            let text = versions::native_functions(torch);
            inputs::read_text(session, &name, text, keys.options(&tables, &valid_tags))
        }
    }
}

/// The directory of ATen that a native_functions.yaml is in, if it is in one.
fn aten(path: &Path) -> Option<&Path> {
    let native = path.parent()?;
    if native.file_name()? == "native" { native.parent() } else { None }
}

/// The operators of a source, and their kernels.
///
/// # Errors
/// A file cannot be read; errors in it are diagnostics.
pub(crate) fn operators(
    session: &mut Session,
    source: Source,
    keys: &Keys,
    generates: bool,
) -> Result<Loaded, JobError> {
    let read = entries(session, source, keys)?;
    inputs::forget_files(session);
    let tables = session.tables.clone();
    let (target, diagnostics) = (Target::pytorch(&tables), &mut session.diagnostics);
    let operators = match generates {
        true => Operators::new(read.entries, &read.unread, target, diagnostics),
        false => Operators::written(read.entries, &read.unread, target, diagnostics),
    };
    Ok(Loaded::new(operators, session.sources.clone(), tables))
}

/// The operators, and the kernels by dispatch key.
type Parsed<'py> = (Vec<Bound<'py, PyAny>>, Bound<'py, PyDict>);

fn parsed(py: Python<'_>, source: Source, keys: KeyNames, generates: bool) -> PyResult<Parsed<'_>> {
    let loaded = reading(py, move |session| operators(session, source, &Keys::named(&keys), generates))?;
    let (loaded, make) = (Arc::new(loaded), Maker::new(py)?);
    let functions = (0..loaded.operators.functions.len()).map(|at| make.function(&loaded, at));
    let functions = functions.collect::<PyResult<Vec<_>>>()?;
    let indices = PyDict::new(py);
    for index in loaded.operators.indices.iter() {
        let key = index.dispatch_key;
        indices.set_item(make.key(key)?, make.index(&loaded, key)?)?;
    }
    Ok((functions, indices))
}

/// The operators of a file.
#[pyfunction]
pub(crate) fn parse_files(
    py: Python<'_>,
    path: PathBuf,
    tags: PathBuf,
    keys: KeyNames,
    generates: bool,
) -> PyResult<Parsed<'_>> {
    parsed(py, Source::Files(path, tags), keys, generates)
}

/// The version of torch of that name.
fn version(name: &str) -> PyResult<Version> {
    let known = Version::OLDEST..=Version::NEWEST;
    name.parse().ok().filter(|torch| known.contains(torch)).ok_or_else(|| {
        let (first, last) = known.into_inner();
        PyValueError::new_err(format!("`{name}` is none of the versions of torch that are known, {first} to {last}"))
    })
}

/// The operators of a version of torch.
#[pyfunction]
pub(crate) fn parse_torch<'py>(py: Python<'py>, torch: &str, keys: KeyNames, generates: bool) -> PyResult<Parsed<'py>> {
    parsed(py, Source::Torch(version(torch)?), keys, generates)
}

/// The native_functions.yaml of a version of torch, or of the newest one; the names of tags; and the
/// version.
#[pyfunction]
pub(crate) fn torch_files(torch: Option<&str>) -> PyResult<(String, BTreeSet<String>, String)> {
    let torch = torch.map_or(Ok(Version::NEWEST), version)?;
    Ok((versions::native_functions(torch), inputs::standard_tags(Tables::embedded()), torch.to_string()))
}

/// The operators of a text.
#[pyfunction]
pub(crate) fn parse_text(
    py: Python<'_>,
    name: String,
    text: String,
    valid_tags: BTreeSet<String>,
    keys: KeyNames,
    generates: bool,
) -> PyResult<Parsed<'_>> {
    parsed(py, Source::Text(name, text, valid_tags), keys, generates)
}

/// An entry by itself: its operator, and its kernels by dispatch key.
#[pyfunction]
pub(crate) fn parse_entry<'py>(
    py: Python<'py>,
    name: String,
    text: String,
    valid_tags: BTreeSet<String>,
    keys: KeyNames,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyDict>)> {
    let source = Source::Text(name, text, valid_tags);
    let loaded = reading_here(py, move |session| {
        let read = entries(session, source, &Keys::named(&keys))?;
        let mut operators = Operators { functions: Vec::new(), indices: BackendIndices::default() };
        for entry in read.entries {
            for (key, kernel) in entry.kernels {
                operators.indices.add(key, &entry.function.func.name, kernel);
            }
            operators.functions.push(entry.function);
        }
        Ok(Loaded::new(operators, session.sources.clone(), session.tables.clone()))
    })?;
    let (loaded, make, kernels) = (Arc::new(loaded), Maker::new(py)?, PyDict::new(py));
    let f = loaded.function(0);
    for index in loaded.operators.indices.iter() {
        if let Some(metadata) = index.get_kernel(f) {
            let of_key = PyDict::new(py);
            of_key.set_item(make.name(&f.func.name, None)?, make.metadata(metadata)?)?;
            kernels.set_item(make.key(index.dispatch_key)?, of_key)?;
        }
    }
    Ok((make.function(&loaded, 0)?, kernels))
}

/// The tags of a file.
#[pyfunction]
pub(crate) fn parse_tags(py: Python<'_>, path: PathBuf) -> PyResult<BTreeSet<String>> {
    reading(py, move |session| inputs::read_tags(session, &path))
}

/// The tags of a text.
#[pyfunction]
pub(crate) fn parse_tags_text(py: Python<'_>, name: String, text: String) -> PyResult<BTreeSet<String>> {
    reading_here(py, move |session| {
        let file = session.sources.add(name, text);
        let root = yaml::parse(&session.sources, file, yaml::Options::OPERATORS, &mut session.diagnostics);
        let records = records::read_tags(root.ok_or(JobError::Input)?, &mut session.diagnostics);
        Ok(records.into_iter().map(|record| record.tag.into_string()).collect())
    })
}
