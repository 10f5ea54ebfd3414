//! What `explain` shows of a builder.
//!
//! Invariant: it is what the documentation says, with the body.

use serde::Serialize;

use super::docs::{self, BuilderDoc};
use super::model::{Callable, Model};
use torchgen_base::diag::{Diagnostic, Sources, codes as shared, did_you_mean};
use torchgen_base::render::Renderer;
use torchgen_kit::driver::JobError;

#[derive(Serialize)]
struct Explained<'a> {
    b: BuilderDoc,
    /// Where its entry is: `ops.yaml:12`.
    place: String,
    code: Vec<&'a str>,
}

/// The builder of that name, its own or a registered one.
pub(super) fn find<'m>(what: &str, model: &'m Model) -> Result<&'m Callable, JobError> {
    let named = |callable: &&Callable| callable.signature.name == what || callable.names.iter().any(|n| n == what);
    model.builders.iter().find(named).ok_or_else(|| {
        let known = model.builders.iter().flat_map(|builder| builder.names.iter().map(String::as_str));
        let diagnostic = Diagnostic::new(&shared::USAGE, format!("there is no builder `{what}`"));
        diagnostic.maybe_help(did_you_mean(what, known)).into()
    })
}

/// The text on a builder.
///
/// # Errors
/// A replaced template fails.
pub(super) fn builder(callable: &Callable, sources: &Sources, renderer: &Renderer) -> Result<String, JobError> {
    let body = callable.record.body.as_ref().map_or("", |body| body.as_str());
    let span = callable.record.schema.span();
    let place = format!("{}:{}", sources.path(span.file), sources.line_col(span).0);
    let explained = Explained { b: docs::builder(callable), place, code: body.trim_end().lines().collect() };
    Ok(renderer.fragment("op_builders/explain.j2", &explained)?)
}
