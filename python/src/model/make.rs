//! From the model to Python objects.
//!
//! Invariant: an object is made without its class's `__init__`, since the model has been checked.

use std::sync::Arc;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySet, PyString, PyTuple, PyType};

use super::classes::{Classes, classes, types};
use super::{Handle, Loaded, Of, SchemaOf};
use torchgen_model::model::native_function::{DeviceCheckType, Precompute, UfuncInnerLoop};
use torchgen_model::model::view_kind::ViewSchemaKind;
use torchgen_model::model::{
    Annotation, Argument, Arguments, BackendMetadata, BaseOperatorName, DispatchKey, FunctionSchema, NativeFunction,
    OperatorName, Return, SchemaKind, TensorOptionsArguments, Type,
};

/// Makes Python objects.
pub(crate) struct Maker<'py> {
    py: Python<'py>,
    classes: &'static Classes,
}

type Object<'py> = PyResult<Bound<'py, PyAny>>;

/// Sets fields in a dictionary of fields.
macro_rules! set {
    ($make:expr, $fields:expr; $($name:literal = $value:expr),* $(,)?) => {
        $($fields.set_item(intern!($make.py, $name), $value)?;)*
    };
}

/// An object of a class with these fields.
macro_rules! object {
    ($make:expr, $class:ident; $($name:literal = $value:expr),* $(,)?) => {{
        let object = $make.bare(&$make.classes.$class)?;
        let fields = super::fields_of(&object)?;
        set!($make, fields; $($name = $value),*);
        PyResult::Ok(object)
    }};
}

impl<'py> Maker<'py> {
    /// A maker.
    ///
    /// # Errors
    /// The Python package lacks a class.
    pub(crate) fn new(py: Python<'py>) -> PyResult<Maker<'py>> {
        Ok(Maker { py, classes: classes(py)? })
    }

    /// An object without fields.
    pub(super) fn bare(&self, class: &Py<PyType>) -> Object<'py> {
        let class = class.bind(self.py);
        class.call_method1(intern!(self.py, "__new__"), (class,))
    }

    /// An object that gets its fields when they are asked for.
    fn view(&self, class: &Py<PyType>, of: Of) -> Object<'py> {
        let object = self.bare(class)?;
        let slot = self.classes.function_schema.bind(self.py).getattr(intern!(self.py, "_rust"))?;
        slot.call_method1(intern!(self.py, "__set__"), (&object, Py::new(self.py, Handle(of))?))?;
        Ok(object)
    }

    /// A member of an enumeration.
    fn member(&self, class: &Py<PyType>, name: &str) -> Object<'py> {
        class.bind(self.py).getattr(PyString::intern(self.py, name))
    }

    fn tuple(&self, items: impl IntoIterator<Item = Object<'py>>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(self.py, items.into_iter().collect::<PyResult<Vec<_>>>()?)
    }

    fn list(&self, items: impl IntoIterator<Item = Object<'py>>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(self.py, items.into_iter().collect::<PyResult<Vec<_>>>()?)
    }

    pub(crate) fn key(&self, key: DispatchKey) -> Object<'py> {
        self.member(&self.classes.dispatch_key, key.as_str())
    }

    pub(super) fn kind(&self, kind: SchemaKind) -> Object<'py> {
        self.member(&self.classes.schema_kind, kind.as_str())
    }

    pub(super) fn view_kind(&self, kind: ViewSchemaKind) -> Object<'py> {
        let name = match kind {
            ViewSchemaKind::Aliasing => "aliasing",
            ViewSchemaKind::AliasingInplace => "aliasing_inplace",
            ViewSchemaKind::NonAliasing => "non_aliasing",
        };
        self.member(&self.classes.view_schema_kind, name)
    }

    pub(super) fn base_name(&self, name: &BaseOperatorName, namespace: Option<&str>) -> Object<'py> {
        object!(self, base_operator_name;
            "base" = &name.base,
            "inplace" = name.inplace,
            "dunder_method" = name.dunder_method,
            "functional_overload" = name.functional_overload,
            "namespace" = namespace,
        )
    }

    pub(super) fn name(&self, name: &OperatorName, namespace: Option<&str>) -> Object<'py> {
        object!(self, operator_name;
            "name" = self.base_name(&name.name, namespace)?,
            "overload_name" = &name.overload_name,
        )
    }

    pub(crate) fn ty(&self, ty: &Type) -> Object<'py> {
        let text = ty.to_string();
        let known = types(self.py);
        if let Some(made) = known.get_item(&text)? {
            return Ok(made);
        }
        let made = match ty {
            Type::Base(base) => {
                object!(self, base_type; "name" = self.member(&self.classes.base_ty, base.as_str())?)
            }
            Type::Optional(elem) => object!(self, optional_type; "elem" = self.ty(elem)?),
            Type::List(elem, size) => object!(self, list_type; "elem" = self.ty(elem)?, "size" = *size),
            Type::CustomClass(name) => object!(self, custom_class_type; "class_name" = name),
            // Only libraries have it, and their grammar is not read here.
            Type::Dict(..) => object!(self, custom_class_type; "class_name" = &text),
        }?;
        known.set_item(text, &made)?;
        Ok(made)
    }

    pub(super) fn annotation(&self, annotation: &Annotation) -> Object<'py> {
        object!(self, annotation;
            "alias_set" = PyTuple::new(self.py, &annotation.alias_set)?,
            "is_write" = annotation.is_write,
            "alias_set_after" = PyTuple::new(self.py, &annotation.alias_set_after)?,
        )
    }

    fn maybe_annotation(&self, annotation: Option<&Annotation>) -> PyResult<Option<Bound<'py, PyAny>>> {
        annotation.map(|annotation| self.annotation(annotation)).transpose()
    }

    pub(crate) fn argument(&self, argument: &Argument) -> Object<'py> {
        object!(self, argument;
            "name" = PyString::intern(self.py, argument.schema_name()),
            "type" = self.ty(&argument.ty)?,
            "default" = argument.default.as_deref(),
            "annotation" = self.maybe_annotation(argument.annotation.as_ref())?,
        )
    }

    pub(super) fn returned(&self, ret: &Return) -> Object<'py> {
        object!(self, returned;
            "name" = ret.name.as_deref(),
            "type" = self.ty(&ret.ty)?,
            "annotation" = self.maybe_annotation(ret.annotation.as_ref())?,
        )
    }

    fn some_arguments(&self, arguments: &[Argument]) -> PyResult<Bound<'py, PyTuple>> {
        self.tuple(arguments.iter().map(|argument| self.argument(argument)))
    }

    pub(crate) fn options(&self, options: &TensorOptionsArguments) -> Object<'py> {
        object!(self, tensor_options_arguments;
            "dtype" = self.argument(&options.dtype)?,
            "layout" = self.argument(&options.layout)?,
            "device" = self.argument(&options.device)?,
            "pin_memory" = self.argument(&options.pin_memory)?,
        )
    }

    fn self_argument(&self, argument: &Argument) -> Object<'py> {
        object!(self, self_argument; "argument" = self.argument(argument)?)
    }

    pub(super) fn arguments(&self, arguments: &Arguments) -> Object<'py> {
        object!(self, arguments;
            "pre_self_positional" = self.some_arguments(&arguments.pre_self_positional)?,
            "self_arg" = arguments.self_arg.as_ref().map(|argument| self.self_argument(argument)).transpose()?,
            "post_self_positional" = self.some_arguments(&arguments.post_self_positional)?,
            "pre_tensor_options_kwarg_only" = self.some_arguments(&arguments.pre_tensor_options_kwarg_only)?,
            "tensor_options" = arguments.tensor_options.as_ref().map(|options| self.options(options)).transpose()?,
            "post_tensor_options_kwarg_only" = self.some_arguments(&arguments.post_tensor_options_kwarg_only)?,
            "out" = self.some_arguments(&arguments.out)?,
        )
    }

    /// A schema that gets its fields when they are asked for.
    pub(crate) fn schema(&self, schema: SchemaOf) -> Object<'py> {
        self.view(&self.classes.function_schema, Of::Schema(schema))
    }

    /// The same for a schema by itself.
    pub(crate) fn own_schema(&self, schema: FunctionSchema) -> Object<'py> {
        self.schema(SchemaOf::Own(Arc::new(schema)))
    }

    pub(super) fn schema_fields(&self, schema: &FunctionSchema, fields: &Bound<'py, PyDict>) -> PyResult<()> {
        set!(self, fields;
            "name" = self.name(&schema.name, None)?,
            "arguments" = self.arguments(&schema.arguments)?,
            "returns" = self.tuple(schema.returns.iter().map(|ret| self.returned(ret)))?,
        );
        Ok(())
    }

    /// An operator that gets its fields when they are asked for.
    pub(crate) fn function(&self, loaded: &Arc<Loaded>, at: usize) -> Object<'py> {
        self.view(&self.classes.native_function, Of::Function(Arc::clone(loaded), at))
    }

    /// The kernels of a key, likewise.
    pub(crate) fn index(&self, loaded: &Arc<Loaded>, key: DispatchKey) -> Object<'py> {
        self.view(&self.classes.backend_index, Of::Index(Arc::clone(loaded), key))
    }

    pub(super) fn function_fields(&self, loaded: &Arc<Loaded>, at: usize, fields: &Bound<'py, PyDict>) -> PyResult<()> {
        let f = loaded.function(at);
        let span = f.spans.entry;
        let place = (loaded.sources.path(span.file), loaded.sources.line_col(span).0);
        self.fields_of_function(f, self.schema(SchemaOf::Operator(Arc::clone(loaded), at))?, place, fields)
    }

    /// An operator by itself, with the file and the line that it is from.
    pub(crate) fn whole_function(&self, f: &NativeFunction, place: (&str, usize)) -> Object<'py> {
        let object = self.bare(&self.classes.native_function)?;
        self.fields_of_function(f, self.own_schema(f.func.clone())?, place, &super::fields_of(&object)?)?;
        Ok(object)
    }

    fn fields_of_function(
        &self,
        f: &NativeFunction,
        func: Bound<'py, PyAny>,
        place: (&str, usize),
        fields: &Bound<'py, PyDict>,
    ) -> PyResult<()> {
        set!(self, fields;
            "namespace" = PyString::intern(self.py, &f.namespace),
            "func" = func,
        );
        let NativeFunction { use_const_ref_for_mutable_tensors, device_guard, device_check, .. } = f;
        let check = match device_check {
            DeviceCheckType::NoCheck => "NoCheck",
            DeviceCheckType::ExactSame => "ExactSame",
        };
        set!(self, fields;
            "use_const_ref_for_mutable_tensors" = *use_const_ref_for_mutable_tensors,
            "device_guard" = *device_guard,
            "device_check" = self.member(&self.classes.device_check_type, check)?,
            "python_module" = f.python_module.as_deref(),
            "category_override" = f.category_override.as_deref(),
            "variants" = self.variants(f)?,
            "manual_kernel_registration" = f.manual_kernel_registration,
            "manual_cpp_binding" = f.manual_cpp_binding,
            "loc" = self.location(place)?,
            "autogen" = self.list(f.autogen.iter().map(|name| self.name(name, None)))?,
            "ufunc_inner_loop" = self.loops(f.ufunc_inner_loop.values())?,
            "structured" = f.structured,
            "structured_delegate" = f.structured_delegate.as_ref().map(|name| self.name(name, None)).transpose()?,
            "structured_inherits" = f.structured_inherits.as_deref(),
            "precomputed" = f.precomputed.as_ref().map(|precompute| self.precompute(precompute)).transpose()?,
            "cpp_no_default_args" = PySet::new(self.py, &f.cpp_no_default_args)?,
            "is_abstract" = f.is_abstract,
            "has_composite_implicit_autograd_kernel" = f.has_composite_implicit_autograd_kernel,
            "has_composite_implicit_autograd_nested_tensor_kernel" =
                f.has_composite_implicit_autograd_nested_tensor_kernel,
            "has_composite_explicit_autograd_kernel" = f.has_composite_explicit_autograd_kernel,
            "has_composite_explicit_autograd_non_functional_kernel" =
                f.has_composite_explicit_autograd_non_functional_kernel,
            "tags" = PySet::new(self.py, f.tags.iter().map(|tag| PyString::intern(self.py, tag)))?,
        );
        Ok(())
    }

    fn variants(&self, f: &NativeFunction) -> Object<'py> {
        let set = PySet::empty(self.py)?;
        for (name, has) in [("function", f.variants.function), ("method", f.variants.method)] {
            if has {
                set.add(self.member(&self.classes.variant, name)?)?;
            }
        }
        Ok(set.into_any())
    }

    fn location(&self, (file, line): (&str, usize)) -> Object<'py> {
        object!(self, location;
            "file" = PyString::intern(self.py, file),
            "line" = line,
        )
    }

    fn loops<'a>(&self, loops: impl Iterator<Item = &'a UfuncInnerLoop>) -> Object<'py> {
        let made = PyDict::new(self.py);
        for inner in loops {
            let key = self.member(&self.classes.ufunc_key, &format!("{:?}", inner.ufunc_key))?;
            let names = inner.supported_dtypes.iter();
            let dtypes = self.list(names.map(|name| self.member(&self.classes.scalar_type, name)))?;
            let set = self.py.import("torchgen_rs.utils")?.getattr("OrderedSet")?.call1((dtypes,))?;
            let value = object!(self, ufunc_inner_loop;
                "name" = &inner.name,
                "supported_dtypes" = set,
                "ufunc_key" = &key,
            )?;
            made.set_item(key, value)?;
        }
        Ok(made.into_any())
    }

    pub(super) fn precompute(&self, precompute: &Precompute) -> Object<'py> {
        let list = |arguments: &[Argument]| self.list(arguments.iter().map(|argument| self.argument(argument)));
        let replace = PyDict::new(self.py);
        for (name, arguments) in &precompute.replace {
            replace.set_item(name, list(arguments)?)?;
        }
        object!(self, precompute; "replace" = replace, "add" = list(&precompute.add)?)
    }

    pub(super) fn metadata(&self, metadata: &BackendMetadata) -> Object<'py> {
        object!(self, backend_metadata;
            "kernel" = &metadata.kernel,
            "structured" = metadata.structured,
            "cpp_namespace" = PyString::intern(self.py, &metadata.cpp_namespace),
        )
    }

    pub(super) fn index_fields(
        &self,
        loaded: &Arc<Loaded>,
        key: DispatchKey,
        fields: &Bound<'py, PyDict>,
    ) -> PyResult<()> {
        let index = loaded.index(key);
        // In the order of the file, which the model's look-up table does not have.
        let kernels = PyDict::new(self.py);
        for f in &loaded.operators.functions {
            if let Some(metadata) = index.get_kernel(f) {
                kernels.set_item(self.name(&f.func.name, None)?, self.metadata(metadata)?)?;
            }
        }
        set!(self, fields;
            "dispatch_key" = self.key(index.dispatch_key)?,
            "use_out_as_primary" = index.use_out_as_primary,
            "device_guard" = index.device_guard,
            "external" = index.external,
            "index" = kernels,
        );
        Ok(())
    }

    /// A group of variants, of the objects of its members.
    pub(super) fn group(&self, [functional, inplace, mutable, out]: [Option<Bound<'py, PyAny>>; 4]) -> Object<'py> {
        object!(self, native_functions_group;
            "functional" = functional,
            "inplace" = inplace,
            "mutable" = mutable,
            "out" = out,
        )
    }

    /// A group of a view, likewise.
    pub(super) fn view_group(&self, [view, copy, inplace]: [Option<Bound<'py, PyAny>>; 3]) -> Object<'py> {
        object!(self, native_functions_view_group;
            "view" = view,
            "view_copy" = copy,
            "view_inplace" = inplace,
        )
    }
}
