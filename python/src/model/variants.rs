//! `torchgen_rs.native_function_generation`: the variants that are generated.

use pyo3::prelude::*;

use super::group::Listed;
use super::make::Maker;
use super::read::Reader;
use crate::api::placeless;
use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_model::codes;
use torchgen_model::group;
use torchgen_model::model::{BackendIndices, DispatchKey, SchemaKind, Target};
use torchgen_model::parse::schema::check_made;

/// The kinds of operators that variants are made from, the first one that exists.
const BASES: [SchemaKind; 4] = [SchemaKind::Mutable, SchemaKind::Inplace, SchemaKind::Out, SchemaKind::Functional];

/// An operator and its kernel.
type Generated<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

/// The variants that are generated for some operators, with the key of their kernels.
#[pyfunction]
pub(crate) fn generated_variants<'py>(
    py: Python<'py>,
    functions: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, Vec<Generated<'py>>)> {
    let listed = Listed::of(py, functions)?;
    let (operators, tables) = listed.copied();
    let (mut all, mut indices, mut diagnostics) = (operators.functions, BackendIndices::default(), Diagnostics::new());
    let written = all.len();
    group::variants::add_generated(&mut all, &mut indices, Target::pytorch(&tables), &mut diagnostics);
    listed.check(py, diagnostics)?;
    let (make, key) = (Maker::new(py)?, DispatchKey::CompositeExplicitAutograd);
    let (known, made) = all.split_at(written);
    let mut generated = Vec::new();
    for f in made {
        // It is where the operator is that it is made from.
        let signature = f.func.signature();
        let related = known.iter().enumerate().filter(|(_, other)| other.func.signature() == signature);
        let base = related.min_by_key(|(_, other)| BASES.iter().position(|kind| *kind == other.func.kind()));
        let base = base.map_or(0, |(at, _)| at);
        let place = listed.objects()[base].getattr("loc")?;
        let (file, line): (String, usize) = (place.getattr("file")?.extract()?, place.getattr("line")?.extract()?);
        if let Some(kernel) = indices.get(key).get_kernel(f) {
            generated.push((make.whole_function(f, (&file, line))?, make.metadata(kernel)?));
        }
    }
    Ok((make.key(key)?, generated))
}

/// The schema of an operator's out variant.
#[pyfunction]
pub(crate) fn out_schema<'py>(schema: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = schema.py();
    let schema = Reader::new(py)?.schema(schema)?;
    // Without one, only libraries have out variants.
    let returns_some = schema.returns.iter().any(|ret| ret.ty.is_tensor_like());
    let made = if schema.kind() == SchemaKind::Inplace || returns_some {
        group::out_schema(&schema).and_then(|made| check_made(&made).map(|()| made))
    } else {
        Err(format!("`{}` returns no tensor", schema.name))
    };
    let made = made.map_err(|message| placeless(py, Diagnostic::new(&codes::BAD_SHAPE, message)))?;
    Maker::new(py)?.own_schema(made)
}
