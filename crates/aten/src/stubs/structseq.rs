//! Structseqs in stubs: the return types with named fields.
//!
//! Invariant: one definition for each name. Rule: torchgen/api/python.py, `returns_structseq_pyi`.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::autograd::python_bindings::overloads::Overload;
use torchgen_api::ApiError;
use torchgen_api::python::{field_names, pyi};
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::Renderer;
use torchgen_model::codes;
use torchgen_model::model::Return;

/// A return type.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Structseq<'a> {
    name: String,
    fields: Vec<Field<'a>>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct Field<'a> {
    name: &'a str,
    ty: String,
}

/// The return types, sorted by name.
pub(super) type Structseqs<'a> = BTreeMap<String, Structseq<'a>>;

/// Adds the return type of an overload, if it has named fields.
///
/// # Errors
/// Stubs have no form for the type of a field, or another overload has a different type of the same
/// name.
pub(super) fn add<'a>(structseqs: &mut Structseqs<'a>, overload: &Overload<'_, 'a>) -> Result<(), Diagnostic> {
    let pair = overload.out.unwrap_or(overload.base);
    let Some(structseq) = structseq(overload).map_err(|error| pair.error(error))? else { return Ok(()) };
    match structseqs.get(&structseq.name) {
        None => drop(structseqs.insert(structseq.name.clone(), structseq)),
        Some(known) if *known == structseq => {}
        Some(known) => {
            let field = |field: &Field| format!("{}: {}", field.name, field.ty);
            let names = |of: &Structseq| of.fields.iter().map(field).collect::<Vec<_>>().join(", ");
            let message =
                format!("the results of two overloads of `{}` are different types of that name", structseq.name);
            return Err(Diagnostic::new(&codes::SAME_STRUCTSEQ, message)
                .at(pair.spans.whole)
                .note(format!("the fields of one are `{}`, of the other `{}`", names(known), names(&structseq)))
                .help("give the returns of all overloads the same names and types"));
        }
    }
    Ok(())
}

/// The definition of the return type of a function with that name, if these returns have names.
///
/// # Errors
/// Stubs have no form for the type of a field, or some returns have no name.
pub fn text(renderer: &Renderer, name: &str, returns: &[Return]) -> Result<Option<String>, ApiError> {
    let made = of_returns(name, returns)?;
    // A test renders the template.
    Ok(made.and_then(|structseq| renderer.fragment("torch/stubs/structseq.j2", &structseq).ok()))
}

fn structseq<'a>(overload: &Overload<'_, 'a>) -> Result<Option<Structseq<'a>>, ApiError> {
    of_returns(&overload.signature.name, overload.signature.returns)
}

fn of_returns<'a>(name: &str, returns: &'a [Return]) -> Result<Option<Structseq<'a>>, ApiError> {
    let names = field_names(returns)?;
    if names.is_empty() {
        return Ok(None);
    }
    let field = |(name, ty)| Ok(Field { name, ty: pyi::return_type(ty)? });
    let fields = names.into_iter().zip(returns.iter().map(|r| &r.ty)).map(field).collect::<Result<_, ApiError>>()?;
    Ok(Some(Structseq { name: name.to_owned(), fields }))
}
