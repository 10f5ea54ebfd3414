//! Questions about objects that the model answers.
//!
//! Invariant: each answer is that of the model's function of the same name.

use pyo3::prelude::*;

use super::make::Maker;
use super::read::{Reader, wrong};
use torchgen_model::group;
use torchgen_model::model::{FunctionSchema, NativeFunction, SignatureOptions};
use torchgen_model::parse::schema::check_made;

/// The text of a schema, or of a part of one. A namespace is not part of it.
#[pyfunction]
pub(crate) fn text(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let read = Reader::new(object.py())?;
    let class = object.get_type();
    // By the class's name among its bases, since classes can be derived from.
    for base in class.mro() {
        let name: String = base.getattr("__name__")?.extract()?;
        return Ok(match name.as_str() {
            "FunctionSchema" => read.schema(object)?.to_string(),
            "Arguments" => read.arguments(object)?.to_string(),
            "Argument" => read.argument(object)?.to_string(),
            "Return" => read.returned(object)?.to_string(),
            "Annotation" => read.annotation(object)?.to_string(),
            "OperatorName" => read.name(object)?.to_string(),
            "BaseOperatorName" => read.base_name(object)?.to_string(),
            "BaseType" | "OptionalType" | "ListType" | "CustomClassType" => read.ty(object)?.to_string(),
            _ => continue,
        });
    }
    Err(wrong("a part of a schema", object))
}

/// The kind of variant that a schema is.
#[pyfunction]
pub(crate) fn kind<'py>(schema: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = schema.py();
    Maker::new(py)?.kind(Reader::new(py)?.schema(schema)?.kind())
}

/// What the variants of an operator share.
#[pyfunction]
pub(crate) fn signature<'py>(
    schema: &Bound<'py, PyAny>,
    strip_default: bool,
    strip_view_copy_name: bool,
    keep_return_names: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = schema.py();
    let options = SignatureOptions { strip_default, strip_view_copy_name, keep_return_names };
    let signature = Reader::new(py)?.schema(schema)?.signature_with(options);
    Maker::new(py)?.own_schema(signature)
}

/// The arguments of a signature.
#[pyfunction]
pub(crate) fn signature_arguments<'py>(
    arguments: &Bound<'py, PyAny>,
    strip_default: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = arguments.py();
    let options = SignatureOptions { strip_default, ..SignatureOptions::default() };
    Maker::new(py)?.arguments(&Reader::new(py)?.arguments(arguments)?.signature(options))
}

/// The names of the arguments that each return aliases.
#[pyfunction]
pub(crate) fn aliased_arguments(schema: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<String>>> {
    let schema = Reader::new(schema.py())?.schema(schema)?;
    let names = |ret| schema.aliased_arguments(ret).map(|argument| argument.name.clone()).collect();
    Ok(schema.returns.iter().map(names).collect())
}

/// The rule that a schema breaks.
#[pyfunction]
pub(crate) fn broken_rule(schema: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let schema = Reader::new(schema.py())?.schema(schema)?;
    Ok(check_made(&schema).err())
}

/// What decides whether an operator is a view, without the rest of it.
fn view_facts(f: &Bound<'_, PyAny>) -> PyResult<NativeFunction> {
    let read = Reader::new(f.py())?;
    let schema = read.schema(&f.getattr("func")?)?;
    let mut made = NativeFunction::of_schema(String::new(), FunctionSchema::clone(&schema));
    made.tags = read.tags(f)?;
    made.has_composite_implicit_autograd_kernel = f.getattr("has_composite_implicit_autograd_kernel")?.extract()?;
    Ok(made)
}

/// Whether an operator is a view.
#[pyfunction]
pub(crate) fn is_view_op(f: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(view_facts(f)?.is_view_op())
}

/// The role of an operator among those of a view.
#[pyfunction]
pub(crate) fn view_schema_kind<'py>(f: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    Maker::new(f.py())?.view_kind(view_facts(f)?.view_schema_kind())
}

/// Whether a view gets a copy variant.
#[pyfunction]
pub(crate) fn gets_generated_view_copy(f: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(group::gets_generated_view_copy(&view_facts(f)?))
}

/// The name of a view's copy variant.
#[pyfunction]
pub(crate) fn view_copy_name<'py>(f: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    Maker::new(f.py())?.name(&group::view_copy_name(&view_facts(f)?), None)
}
