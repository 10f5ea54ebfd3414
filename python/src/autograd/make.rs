//! From derivatives to Python objects.

use std::collections::BTreeSet;

use pyo3::prelude::*;
use pyo3::types::{PyList, PySet, PyString, PyTuple, PyType};

use super::{Classes, classes};
use crate::api::types::Types;
use crate::model::Maker;
use torchgen_api::autograd::{Derivative, DifferentiabilityInfo, ForwardDerivative, SavedAttribute};

type Object<'py> = PyResult<Bound<'py, PyAny>>;

/// Makes such objects.
pub(super) struct Objects<'py> {
    py: Python<'py>,
    classes: &'static Classes,
    types: Types<'py>,
    make: Maker<'py>,
}

impl<'py> Objects<'py> {
    /// With the classes of the package.
    ///
    /// # Errors
    /// The package lacks one.
    pub(super) fn new(py: Python<'py>) -> PyResult<Objects<'py>> {
        Ok(Objects { py, classes: classes(py)?, types: Types::new(py)?, make: Maker::new(py)? })
    }

    fn call<A: pyo3::call::PyCallArgs<'py>>(&self, class: &Py<PyType>, arguments: A) -> Object<'py> {
        class.bind(self.py).call1(arguments)
    }

    fn names(&self, names: &[String]) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(self.py, names)
    }

    fn set(&self, names: &BTreeSet<String>) -> PyResult<Bound<'py, PySet>> {
        PySet::new(self.py, names)
    }

    fn saved(&self, saved: &[SavedAttribute]) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let one = |one: &SavedAttribute| {
            let named = self.types.named_type(&one.name, &one.ty)?;
            self.call(&self.classes.saved_attribute, (named, &one.expr))
        };
        saved.iter().map(one).collect()
    }

    /// A formula for gradients.
    pub(super) fn derivative(&self, derivative: &Derivative) -> Object<'py> {
        let tuple = |saved| PyTuple::new(self.py, self.saved(saved)?);
        let fields = (
            &derivative.formula,
            &derivative.original_formula,
            self.names(&derivative.var_names)?,
            tuple(&derivative.saved_inputs)?,
            tuple(&derivative.saved_outputs)?,
            self.set(&derivative.named_gradients)?,
        );
        self.call(&self.classes.derivative, fields)
    }

    fn forward(&self, forward: &ForwardDerivative) -> Object<'py> {
        let types = forward.var_types.iter().map(|ty| self.make.ty(ty)).collect::<PyResult<Vec<_>>>()?;
        let fields = (
            &forward.formula,
            self.names(&forward.var_names)?,
            PyTuple::new(self.py, types)?,
            self.names(&forward.required_inputs_fw_grad)?,
            self.names(&forward.required_inputs_primal)?,
            forward.required_original_self_value,
            forward.is_reusing_outplace_formula,
        );
        self.call(&self.classes.forward_derivative, fields)
    }

    /// Formulas for tangents.
    pub(super) fn forwards(&self, forwards: &[ForwardDerivative]) -> PyResult<Bound<'py, PyList>> {
        PyList::new(self.py, forwards.iter().map(|one| self.forward(one)).collect::<PyResult<Vec<_>>>()?)
    }

    /// The derivatives of an operator, whose object is given. Lists without an order are tuples in
    /// those that are `made`, as in the reference.
    pub(super) fn info(&self, info: &DifferentiabilityInfo<'_>, f: &Bound<'py, PyAny>, made: bool) -> Object<'py> {
        let list = |items: Vec<Bound<'py, PyAny>>| match made {
            true => PyResult::Ok(PyTuple::new(self.py, items)?.into_any()),
            false => Ok(PyList::new(self.py, items)?.into_any()),
        };
        let gradients = info.available_named_gradients.iter().map(|name| PyString::new(self.py, name).into_any());
        let derivatives = info.derivatives.iter().map(|one| self.derivative(one)).collect::<PyResult<Vec<_>>>()?;
        let fields = [
            info.name.as_str().into_pyobject(self.py)?.into_any(),
            f.clone(),
            info.op.as_deref().into_pyobject(self.py)?,
            PyList::new(self.py, derivatives)?.into_any(),
            self.forwards(&info.forward_derivatives)?.into_any(),
            list(self.saved(&info.all_saved_inputs)?)?,
            list(self.saved(&info.all_saved_outputs)?)?,
            list(gradients.collect())?,
            self.set(&info.used_named_gradients)?.into_any(),
            PyList::new(self.py, self.types.bindings(&info.args_with_derivatives)?)?.into_any(),
            PyList::new(self.py, &info.non_differentiable_arg_names)?.into_any(),
            info.output_differentiability.as_deref().into_pyobject(self.py)?,
            info.output_differentiability_conditions.as_deref().into_pyobject(self.py)?,
        ];
        self.call(&self.classes.info, PyTuple::new(self.py, fields)?)
    }
}
