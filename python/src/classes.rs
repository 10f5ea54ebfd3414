//! Classes of the Python package, found once.

/// Declares a table of the classes of a module, with a field for each, and the function `classes`.
macro_rules! classes {
    ($module:literal; $($field:ident $name:literal),* $(,)?) => {
        /// The classes.
        pub(super) struct Classes {
            $(pub(super) $field: pyo3::Py<pyo3::types::PyType>,)*
        }

        /// The classes.
        ///
        /// # Errors
        /// The package lacks one.
        pub(super) fn classes(py: pyo3::Python<'_>) -> pyo3::PyResult<&'static Classes> {
            use pyo3::types::{PyAnyMethods, PyType};
            static CLASSES: pyo3::sync::PyOnceLock<Classes> = pyo3::sync::PyOnceLock::new();
            CLASSES.get_or_try_init(py, || {
                let module = py.import($module)?;
                Ok(Classes { $($field: module.getattr($name)?.cast_into::<PyType>()?.unbind(),)* })
            })
        }
    };
}
pub(crate) use classes;
