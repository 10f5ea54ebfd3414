//! `torchgen_rs.dest`: the code of single operators for a dispatch key.
//!
//! Invariant: a text is what the generators write for the operator. Python decides only which parts
//! of it its own methods make.

pub(crate) mod declarations;
pub(crate) mod helpers;
pub(crate) mod static_dispatch;
pub(crate) mod structured;
pub(crate) mod wrappers;

use std::sync::Arc;

use pyo3::prelude::*;

use crate::model::{Loaded, Reader, tables_of};
use crate::report::{Report, raised};
use crate::templates::renderer;
use torchgen_api::SymInts;
use torchgen_base::diag::Sources;
use torchgen_generators::register_dispatch_key::backend::Backend;
use torchgen_generators::register_dispatch_key::given::Given;
use torchgen_generators::{Context, Flags, ItemError, Model, Namespaces};
use torchgen_model::group::{Grouped, NativeFunctionsGroup};
use torchgen_model::model::native_function::EntrySpans;
use torchgen_model::model::{BackendIndex, BackendIndices, DispatchKey, NativeFunction, Target};

/// Some operators, and their kernels for one key.
pub(crate) struct Asked<'py> {
    py: Python<'py>,
    functions: Vec<NativeFunction>,
    /// Where the members of a group are among them: functional, inplace, mutable, out.
    members: Option<[Option<usize>; 4]>,
    indices: BackendIndices,
    pub(crate) key: DispatchKey,
    /// The file that the first operator is from.
    loaded: Option<Arc<Loaded>>,
    pub(crate) flags: Flags,
    /// The class that kernels are members of.
    pub(crate) class: Option<String>,
    /// Whether names have SymInts.
    pub(crate) symint: bool,
    /// The backends that are known when code is compiled.
    pub(crate) statics: Vec<BackendIndex>,
    /// What methods of Python wrote.
    pub(crate) given: Given,
}

impl<'py> Asked<'py> {
    /// What is asked of a key alone.
    ///
    /// # Errors
    /// The object is not an index of kernels.
    pub(crate) fn of_key(index: &Bound<'py, PyAny>) -> PyResult<Asked<'py>> {
        Asked::of(&[], None, index)
    }

    /// What is asked of operators, and of a group of operators.
    ///
    /// # Errors
    /// An object is not what it has to be.
    pub(crate) fn of(
        functions: &[&Bound<'py, PyAny>],
        group: Option<&Bound<'py, PyAny>>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Asked<'py>> {
        let py = index.py();
        let read = Reader::new(py)?;
        let mut objects: Vec<Bound<'py, PyAny>> = functions.iter().map(|f| (*f).clone()).collect();
        let mut members = None;
        if let Some(group) = group {
            let mut places = [None; 4];
            for (place, name) in places.iter_mut().zip(["functional", "inplace", "mutable", "out"]) {
                let member = group.getattr(name)?;
                if !member.is_none() {
                    *place = Some(objects.len());
                    objects.push(member);
                }
            }
            members = Some(places);
        }
        let functions = objects.iter().map(|object| read.function(object)).collect::<PyResult<Vec<_>>>()?;
        let index = read.index_for(index, objects.iter().zip(&functions))?;
        let (key, mut indices) = (index.dispatch_key, BackendIndices::default());
        indices.insert(index);
        let loaded = objects.first().and_then(crate::model::loaded_of);
        let (flags, class, symint, statics, given) = (Flags::default(), None, true, Vec::new(), Given::default());
        Ok(Asked { py, functions, members, indices, key, loaded, flags, class, symint, statics, given })
    }

    /// One of the operators.
    pub(crate) fn function(&self, at: usize) -> &NativeFunction {
        &self.functions[at]
    }

    /// All of them.
    pub(crate) fn functions(&self) -> &[NativeFunction] {
        &self.functions
    }

    /// The group, if there is one.
    pub(crate) fn group(&self) -> Option<NativeFunctionsGroup<'_>> {
        let member = |at: Option<usize>| at.map(|at| &self.functions[at]);
        let [functional, inplace, mutable, out] = self.members?;
        Some(NativeFunctionsGroup {
            functional: member(functional)?,
            inplace: member(inplace),
            mutable: member(mutable),
            out: member(out)?,
        })
    }

    /// The group, or the operator that is in none.
    pub(crate) fn item(&self) -> Option<Grouped<'_>> {
        self.group().map(Grouped::Group).or_else(|| self.functions.first().map(Grouped::Function))
    }

    /// The kernels.
    pub(crate) fn index(&self) -> &BackendIndex {
        self.indices.get(self.key)
    }

    /// Answers with a generator's context and the key's properties.
    ///
    /// # Errors
    /// The exception for the error of the answer.
    pub(crate) fn answer<T>(
        &self,
        make: impl for<'a> FnOnce(&Context<'a>, &Backend<'a>, &'a Asked<'py>) -> Result<T, ItemError>,
    ) -> PyResult<T> {
        let namespaces = Namespaces::aten();
        let tables = tables_of(self.loaded.as_deref());
        let renderer = renderer(self.loaded.as_deref());
        let model = Model { functions: &[], indices: &self.indices, grouped: &[], groups: &[], view_groups: &[] };
        let statics: Vec<&BackendIndex> = self.statics.iter().collect();
        let ctx = Context::new(Target::pytorch(tables), &namespaces, model, renderer);
        let ctx = ctx.flags(&self.flags).static_dispatch(&statics);
        let mut backend = Backend::alone(&ctx, self.key, self.class.as_deref(), SymInts::kept_if(self.symint));
        backend.given = Some(&self.given);
        make(&ctx, &backend, self).map_err(|error| self.error(error))
    }

    /// The exception for an error.
    pub(crate) fn error(&self, error: ItemError) -> PyErr {
        let none = EntrySpans::default();
        let spans = self.functions.first().map_or(&none, |f| &f.spans);
        let mut diagnostic = error.into_diagnostic(spans);
        let (nothing, known) = (Sources::new(), self.loaded.as_ref());
        if known.is_none() {
            (diagnostic.primary, diagnostic.labels) = (None, Vec::new());
        }
        let sources = known.map_or(&nothing, |loaded| &loaded.sources);
        raised(self.py, Report::of_errors(&[diagnostic], sources))
    }
}
