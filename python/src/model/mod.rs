//! `torchgen_rs.model`: the program's own model as Python objects.
//!
//! Data flows `yaml, parse -> Handle -> make -> Python` and, for questions about an object,
//! `read -> model -> make`. Invariant: an object with a handle gets its fields from the model when
//! the first of them is asked for, all at once, and never changes; an object that Python made has
//! no handle, and [`read`] makes its model from its fields. Python's classes have no rules of their
//! own beyond one-line questions about their fields.

pub(crate) mod ask;
mod classes;
pub(crate) mod group;
mod make;
pub(crate) mod parse;
mod read;
pub(crate) mod variants;
pub(crate) mod yaml;

pub(crate) use make::Maker;
pub(crate) use read::Reader;

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use torchgen_base::diag::Sources;
use torchgen_base::render::Renderer;
use torchgen_generators::inputs::Operators;
use torchgen_kit::driver::data::{RunTables, Tables};
use torchgen_model::model::{BackendIndex, DispatchKey, FunctionSchema, NativeFunction};

/// The operators of a file, with what their objects show.
pub(crate) struct Loaded {
    pub(crate) operators: Operators,
    /// The texts that the operators' places are in.
    pub(crate) sources: Sources,
    /// The tables of the run that read them.
    pub(crate) tables: RunTables,
    /// The templates with the rules of these tables, once they are needed.
    pub(crate) renderer: OnceLock<Renderer>,
}

/// A schema that a Python object is a view of.
#[derive(Clone)]
pub(crate) enum SchemaOf {
    /// A schema by itself.
    Own(Arc<FunctionSchema>),
    /// That of an operator.
    Operator(Arc<Loaded>, usize),
}

impl Deref for SchemaOf {
    type Target = FunctionSchema;

    fn deref(&self) -> &FunctionSchema {
        match self {
            SchemaOf::Own(schema) => schema,
            SchemaOf::Operator(loaded, at) => &loaded.operators.functions[*at].func,
        }
    }
}

/// What a Python object is a view of: the value of its slot `_rust`.
#[pyclass(frozen, module = "torchgen_rs._torchgen_rs")]
pub(crate) struct Handle(Of);

enum Of {
    Schema(SchemaOf),
    Function(Arc<Loaded>, usize),
    Index(Arc<Loaded>, DispatchKey),
}

impl Loaded {
    /// Operators with what they were read from.
    pub(crate) fn new(operators: Operators, sources: Sources, tables: RunTables) -> Loaded {
        Loaded { operators, sources, tables, renderer: OnceLock::new() }
    }

    fn function(&self, at: usize) -> &NativeFunction {
        &self.operators.functions[at]
    }

    fn index(&self, key: DispatchKey) -> &BackendIndex {
        self.operators.indices.get(key)
    }
}

/// The handle of an object, if it has one.
fn handle<'py>(object: &Bound<'py, PyAny>) -> Option<Bound<'py, Handle>> {
    object.getattr(pyo3::intern!(object.py(), "_rust")).ok()?.cast_into().ok()
}

/// The file that an operator is from, unless Python made it.
pub(crate) fn loaded_of(f: &Bound<'_, PyAny>) -> Option<Arc<Loaded>> {
    match &handle(f)?.get().0 {
        Of::Function(loaded, _) => Some(Arc::clone(loaded)),
        _ => None,
    }
}

/// The tables of the run that read a file, or those of the program.
pub(crate) fn tables_of(loaded: Option<&Loaded>) -> &Tables {
    loaded.map_or(Tables::embedded(), |loaded| &loaded.tables)
}

/// The dictionary of an object's fields.
fn fields_of<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    Ok(object.getattr(pyo3::intern!(object.py(), "__dict__"))?.cast_into()?)
}

/// Gives an object its fields.
///
/// # Errors
/// The object has no handle.
pub(crate) fn fill(object: &Bound<'_, PyAny>) -> PyResult<()> {
    let handle = handle(object).ok_or_else(|| PyTypeError::new_err("the object has no model"))?;
    let fields = fields_of(object)?;
    let make = Maker::new(object.py())?;
    match &handle.get().0 {
        Of::Schema(schema) => make.schema_fields(schema, &fields),
        Of::Function(loaded, at) => make.function_fields(loaded, *at, &fields),
        Of::Index(loaded, key) => make.index_fields(loaded, *key, &fields),
    }
}
