//! Declarations of kernels and meta functions, and registrations of schemas.

use pyo3::prelude::*;

use super::Asked;
use torchgen_aten::aten::register_schema;
use torchgen_aten::aten::ufunc::{self, Part};
use torchgen_generators::native_functions;
use torchgen_model::model::NativeFunction;

/// The declarations of the kernels of an operator, or of a group.
#[pyfunction]
pub(crate) fn kernel_declarations(
    f: Option<&Bound<'_, PyAny>>,
    group: Option<&Bound<'_, PyAny>>,
    index: &Bound<'_, PyAny>,
) -> PyResult<Vec<String>> {
    let functions: Vec<_> = f.into_iter().collect();
    Asked::of(&functions, group, index)?.answer(|ctx, _, asked| match asked.item() {
        Some(item) => native_functions::each_declaration(ctx, &item, asked.index()),
        None => Ok(Vec::new()),
    })
}

/// The declaration of a structured group's meta function; `None` for another group.
#[pyfunction]
pub(crate) fn meta_declaration(group: &Bound<'_, PyAny>, index: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    Asked::of(&[], Some(group), index)?.answer(|ctx, _, asked| match asked.group() {
        Some(group) if group.structured() => native_functions::meta_function(ctx, &group).map(Some),
        _ => Ok(None),
    })
}

/// A part of the code that a group's inner loops make; nothing without a group.
#[pyfunction]
pub(crate) fn ufunc_text(group: &Bound<'_, PyAny>, index: &Bound<'_, PyAny>, part: &str) -> PyResult<String> {
    let part = match part {
        "cpu" => Part::Cpu,
        "cpu_kernel" => Part::CpuKernel,
        _ => Part::Cuda,
    };
    Asked::of(&[], Some(group), index)?.answer(|ctx, _, asked| match asked.group() {
        Some(group) => ufunc::text(ctx, &group, part),
        None => Ok(String::new()),
    })
}

/// The registrations of the selected ones of some operators: those of PyTorch's own namespace, and
/// the libraries of all others.
#[pyfunction]
pub(crate) fn schema_registrations(
    functions: Vec<Bound<'_, PyAny>>,
    selected: Vec<bool>,
    index: &Bound<'_, PyAny>,
) -> PyResult<(Vec<String>, String)> {
    let functions: Vec<_> = functions.iter().collect();
    Asked::of(&functions, None, index)?.answer(|ctx, _, asked| {
        let first = asked.functions().as_ptr() as usize;
        // Equal operators may be selected differently.
        let is_selected = |f: &NativeFunction| {
            let at = (std::ptr::from_ref(f) as usize - first) / size_of::<NativeFunction>();
            selected.get(at).copied().unwrap_or_default()
        };
        let made = register_schema::registrations(ctx.renderer, asked.functions(), is_selected)?;
        Ok((made.aten.iter().map(|text| text.as_str().to_owned()).collect(), made.others))
    })
}
