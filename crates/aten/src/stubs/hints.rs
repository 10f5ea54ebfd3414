//! The hints of one name: what is written out in the table, and what schemas give.
//!
//! Invariant: a name with several hints has `@overload` at each. Rule: tools/pyi/gen_pyi.py,
//! `generate_type_hints`, `get_max_pool_dispatch`; torchgen/api/python.py,
//! `format_function_signature`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

use super::table::{HandWrittenHint, Hints, Table};
use crate::autograd::python_bindings::overloads::Overload;
use torchgen_api::error::Result;
use torchgen_api::python::{PythonSignature, pyi};
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::{RenderError, Renderer};
use torchgen_model::model::SchemaKind;

/// A function or method.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Hint<'a> {
    overload: bool,
    decorators: &'a [String],
    name: Cow<'a, str>,
    formals: Cow<'a, [String]>,
    /// The number of characters of the longest formal.
    longest_formal: usize,
    /// The type that decides how many lines the hint takes.
    returns: Option<Cow<'a, str>>,
    /// The type that is written.
    written_returns: Option<Cow<'a, str>>,
    comment: Option<&'a str>,
    /// Written for `torch`: C++ constants and missing tensors in defaults have other forms there.
    amended: bool,
    /// The lines of its docstring.
    docstring: Option<&'a [String]>,
}

/// An attribute.
#[derive(Debug, Serialize)]
pub(super) struct Attribute<'a> {
    pub(super) name: &'a str,
    pub(super) ty: &'a str,
    pub(super) docstring: Option<&'a [String]>,
}

/// The hints of each name, sorted by name.
pub(super) type ByName<'a> = BTreeMap<Cow<'a, str>, Vec<Hint<'a>>>;

/// The formal of the flag that adds indices to a result.
pub(super) const FLAG: &str = "return_indices";

/// What updates the lists of a `_foreach_` operator returns in Python, though its schema returns
/// nothing.
const UPDATED: &str = "tuple[Tensor, ...] | list[Tensor]";

impl<'a> Hint<'a> {
    fn new(name: Cow<'a, str>, formals: Cow<'a, [String]>, returns: Option<Cow<'a, str>>) -> Hint<'a> {
        Hint {
            overload: false,
            decorators: &[],
            name,
            longest_formal: formals.iter().map(|formal| formal.chars().count()).max().unwrap_or(0),
            formals,
            written_returns: returns.clone(),
            returns,
            comment: None,
            amended: false,
            docstring: None,
        }
    }

    fn written(name: &'a str, hint: &'a HandWrittenHint) -> Hint<'a> {
        let name = hint.name.as_deref().unwrap_or(name);
        Hint {
            decorators: &hint.decorators,
            comment: hint.comment.as_deref(),
            ..Hint::new(name.into(), hint.formals.as_slice().into(), hint.returns.as_deref().map(Cow::Borrowed))
        }
    }
}

/// The hint of a function by itself.
///
/// # Errors
/// The template fails, which a test rules out.
pub fn text(
    renderer: &Renderer,
    name: &str,
    formals: &[String],
    returns: Option<&str>,
) -> std::result::Result<String, RenderError> {
    let hint = Hint::new(name.into(), formals.into(), returns.map(Cow::Borrowed));
    let text = renderer.fragment("torch/stubs/hint.j2", &hint)?;
    Ok(text.trim_end().to_owned())
}

/// Adds the hints of a table.
pub(super) fn add_written<'a>(hints: &mut ByName<'a>, table: &'a Hints) {
    for (name, written) in table {
        hints.entry(name.into()).or_default().extend(written.iter().map(|hint| Hint::written(name, hint)));
    }
}

/// Adds the hints of an overload.
pub(super) fn add_overload<'a>(
    hints: &mut ByName<'a>,
    overload: &Overload<'_, 'a>,
    table: &Table,
) -> std::result::Result<(), Diagnostic> {
    let pair = overload.out.unwrap_or(overload.base);
    let made = of_overload(overload, table).map_err(|error| pair.error(error))?;
    hints.entry(overload.signature.name.clone().into()).or_default().extend(made);
    Ok(())
}

/// The hints of one overload.
fn of_overload<'a>(overload: &Overload<'_, 'a>, table: &Table) -> Result<Vec<Hint<'a>>> {
    let signature = &overload.signature;
    let deprecated = signature.deprecated.is_some();
    if table.without_hint.contains(&signature.name) && !deprecated {
        return Ok(Vec::new());
    }
    let returns = pyi::returns_type(signature)?;
    let hint = |formals: Vec<String>| {
        let base = &overload.base.function.func;
        let updates = signature.name.starts_with("_foreach_") && base.kind() == SchemaKind::Inplace;
        let mut hint = Hint::new(signature.name.clone().into(), formals.into(), Some(returns.clone().into()));
        if updates {
            hint.written_returns = Some(UPDATED.into());
        }
        hint
    };
    let mut hints = Vec::new();
    if deprecated && overload.out.is_some() {
        hints.push(hint(pyi::formals(&PythonSignature { out: None, ..signature.clone() })?));
    }
    hints.push(hint(pyi::formals(signature)?));
    hints.extend(pyi::vararg_formals(signature)?.map(hint));
    Ok(hints)
}

/// The hints of a function of `torch.nn.functional` with a flag that adds indices: the flag is
/// false, or true by position, where nothing before it has a default, or true by name.
pub(super) fn add_dispatched<'a>(hints: &mut ByName<'a>, name: &'a str, written: &'a HandWrittenHint) {
    let formals = &written.formals;
    let at = formals.iter().position(|formal| formal == FLAG).unwrap_or(formals.len());
    let flag = |value: &str| [FLAG, ": Literal[", value, "]"].concat();
    let after = formals.iter().skip(at + 1).cloned();
    let before = || formals[..at].iter();
    let required = before().map(|formal| formal.split(" = ").next().unwrap_or_default().to_owned());
    let star = ["*".to_owned(), flag("True")];
    let slash = [flag("True"), "/".to_owned()];
    let by_default = before().cloned().chain([[&flag("False"), " = False"].concat()]).chain(after.clone());
    let by_position = required.chain(slash).chain(after.clone());
    let by_name = before().cloned().chain(star).chain(after);
    let both = "tuple[Tensor, Tensor]";
    let hint = |formals: Vec<String>, returns: &'a str| Hint::new(name.into(), formals.into(), Some(returns.into()));
    hints.entry(name.into()).or_default().extend([
        hint(by_default.collect(), "Tensor"),
        hint(by_position.collect(), both),
        hint(by_name.collect(), both),
    ]);
}

/// Marks overloads and adds docstrings.
pub(super) fn finish<'a>(hints: &mut ByName<'a>, docstring: impl Fn(&str) -> Option<&'a [String]>, amended: bool) {
    for (name, hints) in hints.iter_mut() {
        let (overload, found) = (hints.len() > 1, docstring(name));
        for hint in hints {
            // A hint with a comment at its end has no body for a docstring.
            let docstring = found.filter(|_| hint.comment.is_none());
            *hint = Hint { overload, amended, docstring, ..hint.clone() };
        }
    }
}
