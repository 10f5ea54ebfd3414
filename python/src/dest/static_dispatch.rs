//! `gen.static_dispatch`: calls of backends that are known when code is compiled.

use pyo3::prelude::*;

use super::Asked;
use crate::model::Reader;
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::{CallingConvention, Locals, SymInts, cpp};
use torchgen_generators::operators;

/// The statement that calls the backend of an operator, in a function of a signature: of the schema,
/// the dispatcher's, or C++'s, which is faithful or a method.
#[pyfunction]
pub(crate) fn static_dispatch<'py>(
    f: &Bound<'py, PyAny>,
    schema: &Bound<'py, PyAny>,
    cpp: Option<(bool, bool)>,
    symint: bool,
    indices: Vec<Bound<'py, PyAny>>,
) -> PyResult<String> {
    let Some(first) = indices.first() else { return Ok(String::new()) };
    let read = Reader::new(f.py())?;
    let (function, schema) = (read.function(f)?, read.schema(schema)?);
    let statics = indices.iter().map(|index| read.index_for(index, std::iter::once((f, &function))));
    let asked = Asked { statics: statics.collect::<PyResult<_>>()?, ..Asked::of(&[f], None, first)? };
    asked.answer(|ctx, _, asked| {
        let f = asked.function(0);
        let (locals, sym_ints) = (Locals::for_operator(f), SymInts::kept_if(symint));
        let signature = match cpp {
            None => Dispatcher { sym_ints, locals }.signature(&schema),
            Some((faithful, method)) => {
                let (fallback_binding, cpp_no_default_args) = (false, &f.cpp_no_default_args);
                cpp::Cpp { faithful, sym_ints, method, fallback_binding, cpp_no_default_args, locals }
                    .signature(&schema)
            }
        };
        operators::static_call(ctx, f, &signature?)
    })
}
