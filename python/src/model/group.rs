//! Groups of operators, made by the model of any list of Python's operators.
//!
//! Invariant: the members of a group are the objects of the list.

use std::sync::Arc;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::make::Maker;
use super::read::Reader;
use super::{Loaded, Of, fields_of, handle, tables_of};
use crate::report::{Report, raised};
use torchgen_base::diag::{Diagnostic, Diagnostics, Severity, Sources};
use torchgen_generators::inputs::Operators;
use torchgen_kit::driver::data::{RunTables, Tables};
use torchgen_model::group::{self, Grouped};
use torchgen_model::model::native_function::EntrySpans;
use torchgen_model::model::{NativeFunction, Target};

/// A list of operators and their models.
pub(crate) struct Listed<'py> {
    objects: Vec<Bound<'py, PyAny>>,
    /// The file that all of them are from, if there is one.
    loaded: Option<Arc<Loaded>>,
    /// Their models, unless they are exactly those of the file.
    own: Option<Vec<NativeFunction>>,
}

impl<'py> Listed<'py> {
    /// That of a list of objects.
    ///
    /// # Errors
    /// An object is no operator.
    pub(crate) fn of(py: Python<'py>, functions: &Bound<'py, PyAny>) -> PyResult<Listed<'py>> {
        let objects: Vec<_> = functions.try_iter()?.collect::<PyResult<_>>()?;
        let read = Reader::new(py)?;
        let mut loaded: Option<Arc<Loaded>> = None;
        let (mut is_whole, mut is_one) = (true, true);
        for (i, object) in objects.iter().enumerate() {
            let found = handle(object);
            let Some(Of::Function(file, at)) = found.as_ref().map(|handle| &handle.get().0) else {
                (is_whole, is_one) = (false, false);
                break;
            };
            let first = loaded.get_or_insert_with(|| Arc::clone(file));
            is_one &= Arc::ptr_eq(first, file);
            is_whole &= is_one && *at == i && is_as_read(&read, object, file.function(*at))?;
        }
        let loaded = loaded.filter(|_| is_one);
        let is_whole = is_whole && loaded.as_ref().is_some_and(|file| file.operators.functions.len() == objects.len());
        let mut own = None;
        if !is_whole {
            let mut functions = objects.iter().map(|object| read.function(object)).collect::<PyResult<Vec<_>>>()?;
            if loaded.is_none() {
                // Places of several files mean nothing together.
                functions.iter_mut().for_each(|f| f.spans = EntrySpans::default());
            }
            own = Some(functions);
        }
        Ok(Listed { objects, loaded, own })
    }

    /// The objects, in order.
    pub(super) fn objects(&self) -> &[Bound<'py, PyAny>] {
        &self.objects
    }

    fn functions(&self) -> &[NativeFunction] {
        match (&self.own, &self.loaded) {
            (Some(functions), _) => functions,
            (None, Some(loaded)) => &loaded.operators.functions,
            (None, None) => &[],
        }
    }

    fn tables(&self) -> &Tables {
        tables_of(self.loaded.as_deref())
    }

    /// The object of an operator of [`Listed::functions`].
    fn object(&self, f: &NativeFunction) -> Bound<'py, PyAny> {
        let start = self.functions().as_ptr() as usize;
        let at = (std::ptr::from_ref(f) as usize - start) / size_of::<NativeFunction>();
        self.objects[at].clone()
    }

    /// A copy of the operators, with the kernels and the tables of their file.
    pub(crate) fn copied(&self) -> (Operators, RunTables) {
        let indices = self.loaded.as_ref().map(|loaded| loaded.operators.indices.clone()).unwrap_or_default();
        let tables = self.loaded.as_ref().map(|loaded| loaded.tables.clone()).unwrap_or_default();
        (Operators { functions: self.functions().to_vec(), indices }, tables)
    }

    /// The exception for the errors, if there are any.
    pub(super) fn check(&self, py: Python<'py>, diagnostics: Diagnostics) -> PyResult<()> {
        if !diagnostics.has_errors() {
            return Ok(());
        }
        let errors = diagnostics.into_sorted().into_iter().filter(|found| found.severity == Severity::Error);
        let mut errors: Vec<Diagnostic> = errors.collect();
        if self.loaded.is_none() {
            for error in &mut errors {
                (error.primary, error.labels) = (None, Vec::new());
            }
        }
        let nothing = Sources::new();
        let sources = self.loaded.as_ref().map_or(&nothing, |loaded| &loaded.sources);
        Err(raised(py, Report::of_errors(&errors, sources)))
    }
}

/// Whether what Python can change of an operator is as it was read.
fn is_as_read(read: &Reader<'_>, object: &Bound<'_, PyAny>, f: &NativeFunction) -> PyResult<bool> {
    if fields_of(object)?.is_empty() {
        return Ok(true);
    }
    Ok(read.tags(object)? == f.tags && object.getattr("autogen")?.len()? == f.autogen.len())
}

/// Groups operators by signature: groups, and operators that are in none.
#[pyfunction]
pub(crate) fn grouped<'py>(py: Python<'py>, functions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let listed = Listed::of(py, functions)?;
    let (make, mut diagnostics) = (Maker::new(py)?, Diagnostics::new());
    let groups = group::group_any(listed.functions(), Target::pytorch(listed.tables()), &mut diagnostics);
    listed.check(py, diagnostics)?;
    let member = |f: Option<&NativeFunction>| f.map(|f| listed.object(f));
    let made = groups.iter().map(|grouped| match grouped {
        Grouped::Function(f) => Ok(listed.object(f)),
        Grouped::Group(g) => {
            make.group([member(Some(g.functional)), member(g.inplace), member(g.mutable), member(Some(g.out))])
        }
    });
    PyList::new(py, made.collect::<PyResult<Vec<_>>>()?)
}

/// Groups views with their copies: groups, and operators that are in none.
#[pyfunction]
pub(crate) fn grouped_by_view<'py>(py: Python<'py>, functions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let listed = Listed::of(py, functions)?;
    let (make, mut diagnostics) = (Maker::new(py)?, Diagnostics::new());
    let groups = group::by_view(listed.functions(), Target::pytorch(listed.tables()), &mut diagnostics);
    listed.check(py, diagnostics)?;
    let member = |f: Option<&NativeFunction>| f.map(|f| listed.object(f));
    let made = PyList::empty(py);
    for (group, rest) in &groups {
        if let Some(g) = group {
            made.append(make.view_group([member(Some(g.view)), member(g.view_copy), member(g.view_inplace)])?)?;
        }
        for f in rest {
            made.append(listed.object(f).into_bound_py_any(py)?)?;
        }
    }
    Ok(made)
}

/// Checks what concerns several operators: duplicate names, delegates, inplace views.
#[pyfunction]
pub(crate) fn check_together<'py>(py: Python<'py>, functions: &Bound<'py, PyAny>) -> PyResult<()> {
    let listed = Listed::of(py, functions)?;
    let mut diagnostics = Diagnostics::new();
    let target = Target::pytorch(listed.tables());
    group::check_operators(listed.functions(), &std::collections::BTreeSet::new(), target, &mut diagnostics);
    listed.check(py, diagnostics)
}
