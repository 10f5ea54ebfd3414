//! C++ types and parameters as objects of `torchgen_rs.api.types`, and back.
//!
//! Invariant: a type that the crate `api` knows by name is that one, however its object was made.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyType};

use crate::model::Maker;
use torchgen_api::binding::ArgName;
use torchgen_api::error::Unsatisfied;
use torchgen_api::{BaseCppType, Binding, CType, CTypeKind, NamedCType};
use torchgen_model::model::schema::ArgumentRef;

crate::classes::classes! {
    "torchgen_rs.api.types";
    any "CType",
    array "ArrayCType",
    array_ref "ArrayRefCType",
    base "BaseCType",
    base_cpp "BaseCppType",
    binding "Binding",
    const_ref "ConstRefCType",
    list "ListCType",
    mut_ref "MutRefCType",
    named "NamedCType",
    optional "OptionalCType",
    special "SpecialArgName",
    tuple "TupleCType",
    vector "VectorCType",
    vectorized "VectorizedCType",
}

/// Makes and reads such objects.
pub(crate) struct Types<'py> {
    py: Python<'py>,
    classes: &'static Classes,
}

type Object<'py> = PyResult<Bound<'py, PyAny>>;

/// How a type is made of another one.
type Wrapper = fn(&CType) -> CType;

/// The method of a type that returns its text.
const SPELLS: &str = "cpp_type";

/// The special name of a memory format that tensor options may contain as well.
const REDUNDANT: &str = "possibly_redundant_memory_format";

impl<'py> Types<'py> {
    /// With the classes of the package.
    ///
    /// # Errors
    /// The package lacks one.
    pub(crate) fn new(py: Python<'py>) -> PyResult<Types<'py>> {
        Ok(Types { py, classes: classes(py)? })
    }

    fn call<A: pyo3::call::PyCallArgs<'py>>(&self, class: &Py<PyType>, arguments: A) -> Object<'py> {
        class.bind(self.py).call1(arguments)
    }

    fn named_base(&self, text: &str) -> Object<'py> {
        let end = text.find('<').unwrap_or(text.len());
        let (namespace, name) = text[..end].rfind("::").map_or(("", text), |at| (&text[..at], &text[at + 2..]));
        let base = self.call(&self.classes.base_cpp, (namespace, name))?;
        self.call(&self.classes.base, (base,))
    }

    /// A type.
    pub(crate) fn ctype(&self, ty: &CType) -> Object<'py> {
        let classes = self.classes;
        let of = |class: &Py<PyType>, elem: &CType| self.call(class, (self.ctype(elem)?,));
        match ty.kind() {
            CTypeKind::Base(base) => self.named_base(base.as_str()),
            CTypeKind::Named(name) => self.named_base(name),
            CTypeKind::ConstRef(elem) => of(&classes.const_ref, elem),
            CTypeKind::MutRef(elem) => of(&classes.mut_ref, elem),
            CTypeKind::Vector(elem) => of(&classes.vector, elem),
            CTypeKind::Array(elem, size) => self.call(&classes.array, (self.ctype(elem)?, *size)),
            CTypeKind::Tuple(elems) => {
                let elems = elems.iter().map(|elem| self.ctype(elem)).collect::<PyResult<Vec<_>>>()?;
                self.call(&classes.tuple, (PyList::new(self.py, elems)?,))
            }
            CTypeKind::Optional(elem) => of(&classes.optional, elem),
            CTypeKind::List(elem) => of(&classes.list, elem),
            CTypeKind::ArrayRef(elem) => of(&classes.array_ref, elem),
            CTypeKind::Vectorized(elem) => of(&classes.vectorized, elem),
            // Only libraries have dictionaries.
            CTypeKind::Dict(..) => self.named_base(ty.cpp_type()),
        }
    }

    /// A type for what it represents.
    pub(crate) fn named_type(&self, name: &str, ty: &CType) -> Object<'py> {
        self.call(&self.classes.named, (name, self.ctype(ty)?))
    }

    /// Parameters.
    pub(crate) fn bindings(&self, bindings: &[Binding<'_>]) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let make = Maker::new(self.py)?;
        let binding = |binding: &Binding<'_>| {
            let name = match &binding.nctype.name {
                ArgName::Named(name) => name.into_pyobject(self.py)?.into_any(),
                ArgName::PossiblyRedundantMemoryFormat => self.classes.special.bind(self.py).getattr(REDUNDANT)?,
            };
            let named = self.call(&self.classes.named, (name, self.ctype(&binding.nctype.ty)?))?;
            let argument = match binding.argument {
                ArgumentRef::Arg(argument) | ArgumentRef::SelfArg(argument) => make.argument(argument)?,
                ArgumentRef::TensorOptions(options) => make.options(options)?,
            };
            self.call(&self.classes.binding, (&*binding.name, named, argument, binding.default.as_deref()))
        };
        bindings.iter().map(binding).collect()
    }

    /// The type that an object is.
    pub(crate) fn read(&self, ty: &Bound<'py, PyAny>) -> PyResult<CType> {
        let classes = self.classes;
        let is = |class: &Py<PyType>| ty.is_instance(class.bind(self.py));
        let elem = || self.read(&ty.getattr("elem")?);
        if is(&classes.base)? {
            let name = ty.getattr("type")?.str()?.to_string();
            return Ok(BaseCppType::named(&name).map_or_else(|| CType::from_qualified_name(&name), CType::base));
        }
        if is(&classes.tuple)? {
            let elems = ty.getattr("elems")?.try_iter()?.map(|elem| self.read(&elem?)).collect::<PyResult<Vec<_>>>()?;
            return Ok(CType::tuple(elems));
        }
        if is(&classes.array)? {
            return Ok(elem()?.array(ty.getattr("size")?.extract()?));
        }
        let wrappers: [(&Py<PyType>, Wrapper); 7] = [
            (&classes.const_ref, CType::const_ref),
            (&classes.mut_ref, CType::mut_ref),
            (&classes.vector, CType::vector),
            (&classes.optional, CType::optional),
            (&classes.list, CType::list),
            (&classes.array_ref, CType::array_ref),
            (&classes.vectorized, CType::vectorized),
        ];
        for (class, wrap) in wrappers {
            if is(class)? {
                return Ok(wrap(&elem()?));
            }
        }
        // A class of a script spells its types by itself.
        if is(&classes.any)? {
            let base = classes.any.bind(self.py).getattr(SPELLS)?;
            if !ty.get_type().getattr(SPELLS)?.is(&base) {
                return Ok(CType::from_qualified_name(&ty.call_method0(SPELLS)?.extract::<String>()?));
            }
        }
        Err(PyTypeError::new_err(format!("expected a type of torchgen_rs.api.types, not `{}`", ty.repr()?)))
    }

    /// A type and what it represents.
    pub(crate) fn named(&self, ty: &Bound<'py, PyAny>) -> PyResult<NamedCType<'static>> {
        let name = ty.getattr("name")?;
        let name = match name.is_instance(self.classes.special.bind(self.py))? {
            true => ArgName::PossiblyRedundantMemoryFormat,
            false => ArgName::from(name.extract::<String>()?),
        };
        Ok(NamedCType { name, ty: self.read(&ty.getattr("type")?)? })
    }

    /// The exception for a goal that cannot be made.
    pub(super) fn unsatisfied(&self, error: &Unsatisfied) -> PyErr {
        let class = self.py.import("torchgen_rs.api.translate").and_then(|module| module.getattr("UnsatError"));
        class.and_then(|class| class.call1((error.to_string(),))).map_or_else(|error| error, PyErr::from_value)
    }
}
