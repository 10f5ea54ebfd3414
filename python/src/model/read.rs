//! From Python objects to the model.
//!
//! Invariant: a schema's handle is its model. Operators have sets and lists that Python can change,
//! so one whose fields are known to Python is read from its fields.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexMap;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::classes::{Classes, classes};
use super::{Of, SchemaOf, handle};
use torchgen_model::model::native_function::{DeviceCheckType, Precompute, UfuncInnerLoop, UfuncKey, Variants};
use torchgen_model::model::{
    Annotation, Argument, Arguments, BackendIndex, BackendMetadata, BaseOperatorName, BaseTy, DispatchKey,
    FunctionSchema, NativeFunction, OperatorName, Return, TensorOptionsArguments, Type,
};

/// Reads Python objects.
pub(crate) struct Reader<'py> {
    py: Python<'py>,
    classes: &'static Classes,
}

type Object<'a, 'py> = &'a Bound<'py, PyAny>;

/// An attribute as a Rust value.
macro_rules! get {
    ($read:expr, $object:expr, $name:literal) => {
        $object.getattr(intern!($read.py, $name))?.extract()?
    };
}

impl<'py> Reader<'py> {
    /// A reader.
    ///
    /// # Errors
    /// The Python package lacks a class.
    pub(crate) fn new(py: Python<'py>) -> PyResult<Reader<'py>> {
        Ok(Reader { py, classes: classes(py)? })
    }

    fn is(&self, object: Object<'_, 'py>, class: &Py<pyo3::types::PyType>) -> PyResult<bool> {
        object.is_instance(class.bind(self.py))
    }

    /// The values of an iterable attribute.
    fn each<T>(
        &self,
        object: Object<'_, 'py>,
        name: &str,
        read: impl Fn(Object<'_, 'py>) -> PyResult<T>,
    ) -> PyResult<Vec<T>> {
        object.getattr(name)?.try_iter()?.map(|item| read(&item?)).collect()
    }

    /// The value of an attribute that may be `None`.
    fn maybe<T>(
        &self,
        object: Object<'_, 'py>,
        name: &str,
        read: impl Fn(Object<'_, 'py>) -> PyResult<T>,
    ) -> PyResult<Option<T>> {
        let value = object.getattr(name)?;
        if value.is_none() { Ok(None) } else { read(&value).map(Some) }
    }

    /// The name of a member of an enumeration.
    fn member(&self, member: Object<'_, 'py>) -> PyResult<String> {
        member.getattr(intern!(self.py, "name"))?.extract()
    }

    pub(super) fn base_name(&self, name: Object<'_, 'py>) -> PyResult<BaseOperatorName> {
        Ok(BaseOperatorName {
            base: get!(self, name, "base"),
            inplace: get!(self, name, "inplace"),
            dunder_method: get!(self, name, "dunder_method"),
            functional_overload: get!(self, name, "functional_overload"),
        })
    }

    pub(crate) fn name(&self, name: Object<'_, 'py>) -> PyResult<OperatorName> {
        Ok(OperatorName {
            name: self.base_name(&name.getattr(intern!(self.py, "name"))?)?,
            overload_name: get!(self, name, "overload_name"),
        })
    }

    pub(crate) fn ty(&self, ty: Object<'_, 'py>) -> PyResult<Type> {
        let elem = || self.ty(&ty.getattr(intern!(self.py, "elem"))?);
        if self.is(ty, &self.classes.base_type)? {
            let name = self.member(&ty.getattr(intern!(self.py, "name"))?)?;
            let base = BaseTy::parse(&name).ok_or_else(|| PyTypeError::new_err(format!("unknown type `{name}`")))?;
            Ok(Type::Base(base))
        } else if self.is(ty, &self.classes.optional_type)? {
            Ok(elem()?.optional())
        } else if self.is(ty, &self.classes.list_type)? {
            Ok(elem()?.list(get!(self, ty, "size")))
        } else if self.is(ty, &self.classes.custom_class_type)? {
            Ok(Type::CustomClass(get!(self, ty, "class_name")))
        } else {
            Err(wrong("a type of torchgen_rs.model", ty))
        }
    }

    pub(super) fn annotation(&self, annotation: Object<'_, 'py>) -> PyResult<Annotation> {
        Ok(Annotation {
            alias_set: get!(self, annotation, "alias_set"),
            is_write: get!(self, annotation, "is_write"),
            alias_set_after: get!(self, annotation, "alias_set_after"),
            bare: false,
        })
    }

    pub(crate) fn argument(&self, argument: Object<'_, 'py>) -> PyResult<Argument> {
        if !self.is(argument, &self.classes.argument)? {
            return Err(wrong("an Argument", argument));
        }
        Ok(Argument {
            name: get!(self, argument, "name"),
            ty: self.ty(&argument.getattr(intern!(self.py, "type"))?)?,
            default: get!(self, argument, "default"),
            annotation: self.maybe(argument, "annotation", |annotation| self.annotation(annotation))?,
            schema_name: None,
            by_c10: false,
        })
    }

    pub(crate) fn returned(&self, ret: Object<'_, 'py>) -> PyResult<Return> {
        Ok(Return {
            name: get!(self, ret, "name"),
            cpp_name: None,
            ty: self.ty(&ret.getattr(intern!(self.py, "type"))?)?,
            annotation: self.maybe(ret, "annotation", |annotation| self.annotation(annotation))?,
            owns_strings: false,
            given_back: false,
        })
    }

    fn options(&self, options: Object<'_, 'py>) -> PyResult<TensorOptionsArguments> {
        let argument = |name| self.argument(&options.getattr(name)?);
        Ok(TensorOptionsArguments {
            dtype: argument("dtype")?,
            layout: argument("layout")?,
            device: argument("device")?,
            pin_memory: argument("pin_memory")?,
        })
    }

    pub(super) fn arguments(&self, arguments: Object<'_, 'py>) -> PyResult<Arguments> {
        let some = |name| self.each(arguments, name, |argument| self.argument(argument));
        let self_arg = |argument: Object<'_, 'py>| self.argument(&argument.getattr(intern!(self.py, "argument"))?);
        Ok(Arguments {
            pre_self_positional: some("pre_self_positional")?,
            self_arg: self.maybe(arguments, "self_arg", self_arg)?,
            post_self_positional: some("post_self_positional")?,
            pre_tensor_options_kwarg_only: some("pre_tensor_options_kwarg_only")?,
            tensor_options: self.maybe(arguments, "tensor_options", |options| self.options(options))?,
            post_tensor_options_kwarg_only: some("post_tensor_options_kwarg_only")?,
            out: some("out")?,
        })
    }

    /// The schema of a `FunctionSchema`.
    pub(crate) fn schema(&self, schema: Object<'_, 'py>) -> PyResult<SchemaOf> {
        if let Some(handle) = handle(schema)
            && let Of::Schema(known) = &handle.get().0
        {
            return Ok(known.clone());
        }
        Ok(SchemaOf::Own(Arc::new(FunctionSchema {
            name: self.name(&schema.getattr(intern!(self.py, "name"))?)?,
            arguments: self.arguments(&schema.getattr(intern!(self.py, "arguments"))?)?,
            returns: self.each(schema, "returns", |ret| self.returned(ret))?,
        })))
    }

    /// The same of its arguments alone: a schema without a name that means anything.
    pub(crate) fn schema_or_arguments(&self, schema: Object<'_, 'py>) -> PyResult<SchemaOf> {
        if !self.is(schema, &self.classes.arguments)? {
            return self.schema(schema);
        }
        let (base, overload_name) = (String::new(), String::new());
        let name = BaseOperatorName { base, inplace: false, dunder_method: false, functional_overload: false };
        let name = OperatorName { name, overload_name };
        let arguments = self.arguments(schema)?;
        Ok(SchemaOf::Own(Arc::new(FunctionSchema { name, arguments, returns: Vec::new() })))
    }

    /// The tags of an operator.
    pub(super) fn tags(&self, f: Object<'_, 'py>) -> PyResult<BTreeSet<String>> {
        Ok(self.each(f, "tags", |tag| tag.extract())?.into_iter().collect())
    }

    /// A `NativeFunction`.
    pub(crate) fn function(&self, f: Object<'_, 'py>) -> PyResult<NativeFunction> {
        if !self.is(f, &self.classes.native_function)? {
            return Err(wrong("a NativeFunction", f));
        }
        let known = handle(f);
        let known = known.as_ref().and_then(|handle| match &handle.get().0 {
            Of::Function(loaded, at) => Some(loaded.function(*at)),
            _ => None,
        });
        if let Some(known) = known
            && super::fields_of(f)?.is_empty()
        {
            return Ok(known.clone());
        }
        let schema = self.schema(&f.getattr(intern!(self.py, "func"))?)?;
        let mut made = NativeFunction::of_schema(get!(self, f, "namespace"), FunctionSchema::clone(&schema));
        made.use_const_ref_for_mutable_tensors = get!(self, f, "use_const_ref_for_mutable_tensors");
        made.device_guard = get!(self, f, "device_guard");
        made.device_check = match self.member(&f.getattr("device_check")?)?.as_str() {
            "NoCheck" => DeviceCheckType::NoCheck,
            _ => DeviceCheckType::ExactSame,
        };
        made.python_module = get!(self, f, "python_module");
        made.category_override = get!(self, f, "category_override");
        let variants = self.each(f, "variants", |variant| self.member(variant))?;
        let has = |name: &str| variants.iter().any(|variant| variant == name);
        made.variants = Variants { function: has("function"), method: has("method") };
        made.manual_kernel_registration = get!(self, f, "manual_kernel_registration");
        made.manual_cpp_binding = get!(self, f, "manual_cpp_binding");
        made.autogen = self.each(f, "autogen", |name| self.name(name))?;
        made.ufunc_inner_loop = self.loops(&f.getattr("ufunc_inner_loop")?)?;
        made.structured = get!(self, f, "structured");
        made.structured_delegate = self.maybe(f, "structured_delegate", |name| self.name(name))?;
        made.structured_inherits = get!(self, f, "structured_inherits");
        made.precomputed = self.maybe(f, "precomputed", |precompute| self.precompute(precompute))?;
        made.cpp_no_default_args = self.each(f, "cpp_no_default_args", |name| name.extract())?.into_iter().collect();
        made.is_abstract = get!(self, f, "is_abstract");
        made.has_composite_implicit_autograd_kernel = get!(self, f, "has_composite_implicit_autograd_kernel");
        made.has_composite_implicit_autograd_nested_tensor_kernel =
            get!(self, f, "has_composite_implicit_autograd_nested_tensor_kernel");
        made.has_composite_explicit_autograd_kernel = get!(self, f, "has_composite_explicit_autograd_kernel");
        made.has_composite_explicit_autograd_non_functional_kernel =
            get!(self, f, "has_composite_explicit_autograd_non_functional_kernel");
        made.tags = self.tags(f)?;
        if let Some(known) = known {
            made.spans = known.spans.clone();
        }
        Ok(made)
    }

    /// A `DispatchKey`.
    pub(crate) fn key(&self, key: Object<'_, 'py>) -> PyResult<DispatchKey> {
        let name = self.member(key)?;
        DispatchKey::parse(&name).ok_or_else(|| PyTypeError::new_err(format!("`{name}` is not a known key")))
    }

    /// A `BackendIndex`, with the kernels of some operators only.
    pub(crate) fn index_for<'a>(
        &self,
        index: Object<'_, 'py>,
        operators: impl Iterator<Item = (&'a Bound<'py, PyAny>, &'a NativeFunction)>,
    ) -> PyResult<BackendIndex>
    where
        'py: 'a,
    {
        if !self.is(index, &self.classes.backend_index)? {
            return Err(wrong("a BackendIndex", index));
        }
        let key = self.key(&index.getattr(intern!(self.py, "dispatch_key"))?)?;
        let kernels = index.getattr(intern!(self.py, "index"))?;
        let mut made = BackendIndex {
            use_out_as_primary: get!(self, index, "use_out_as_primary"),
            device_guard: get!(self, index, "device_guard"),
            external: get!(self, index, "external"),
            ..BackendIndex::empty(key)
        };
        for (object, f) in operators {
            let name = object.getattr(intern!(self.py, "func"))?.getattr(intern!(self.py, "name"))?;
            let kernel = kernels.call_method1(intern!(self.py, "get"), (name,))?;
            if !kernel.is_none() {
                let kernel = BackendMetadata {
                    kernel: get!(self, kernel, "kernel"),
                    structured: get!(self, kernel, "structured"),
                    cpp_namespace: get!(self, kernel, "cpp_namespace"),
                };
                made.index.insert(f.func.name.clone(), kernel);
            }
        }
        Ok(made)
    }

    fn loops(&self, loops: Object<'_, 'py>) -> PyResult<IndexMap<UfuncKey, UfuncInnerLoop>> {
        let mut made = IndexMap::new();
        for (key, inner) in loops.cast::<PyDict>()? {
            let name = self.member(&key)?;
            let ufunc_key =
                UfuncKey::parse(&name).ok_or_else(|| PyTypeError::new_err(format!("`{name}` is not a ufunc key")))?;
            let dtypes = self.each(&inner, "supported_dtypes", |dtype| self.member(dtype))?;
            let inner = UfuncInnerLoop {
                name: get!(self, inner, "name"),
                supported_dtypes: dtypes.into_iter().collect(),
                ufunc_key,
            };
            made.insert(ufunc_key, inner);
        }
        Ok(made)
    }

    fn precompute(&self, precompute: Object<'_, 'py>) -> PyResult<Precompute> {
        let list = |list: Object<'_, 'py>| list.try_iter()?.map(|item| self.argument(&item?)).collect::<PyResult<_>>();
        let mut replace = IndexMap::new();
        for (name, arguments) in precompute.getattr("replace")?.cast::<PyDict>()? {
            replace.insert(name.extract()?, list(&arguments)?);
        }
        Ok(Precompute { replace, add: list(&precompute.getattr("add")?)? })
    }
}

/// An object of an unexpected class.
pub(super) fn wrong(expected: &str, object: &Bound<'_, PyAny>) -> PyErr {
    let class = object.get_type().qualname().map_or_else(|_| "object".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("expected {expected}, not `{class}`"))
}
