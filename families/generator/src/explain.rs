//! What `explain` says of an operator: its entries, and its lines in each output.
//!
//! Invariant: it describes the entries of the generated files.

use std::sync::Arc;

use serde::Serialize;
use torchgen_base::diag::{Diagnostic, did_you_mean};
use torchgen_base::render::trace::Trace;
use torchgen_kit::driver::request::Request;
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::facts::is_named;

use super::codes;
use super::run::{Read, files};

#[derive(Serialize)]
struct View {
    name: String,
    schema: Option<String>,
    entries: Vec<EntryView>,
    outputs: Vec<OutputView>,
}

#[derive(Serialize)]
struct EntryView {
    section: String,
    place: String,
    keys: Vec<(String, String)>,
}

#[derive(Serialize)]
struct OutputView {
    file: String,
    lines: String,
}

/// The text on an operator, or on an entry without one.
pub(crate) fn entry(what: &str, read: &Read, request: &Request, session: &mut Session) -> Result<String, JobError> {
    let model = &read.model;
    let mut entries = Vec::new();
    let mut named = None;
    for section in &model.sections {
        for entry in section.entries.iter().filter(|entry| is_named(&entry.name(model), what)) {
            named = named.or(Some((entry.name(model), entry.operator)));
            let (line, _) = session.sources.line_col(entry.span);
            let place = format!("{}:{line}", session.sources.path(entry.span.file));
            let shown = entry.plain().filter(|(_, value)| !value.is_none());
            let keys = shown.map(|(key, value)| (key.to_owned(), value.to_string())).collect();
            entries.push(EntryView { section: section.name.clone(), place, keys });
        }
    }
    let operators = || model.kind("operator").iter().copied();
    let known = operators().find(|at| is_named(&model.thing(*at).name, what));
    let Some((name, operator)) = named.or_else(|| known.map(|at| (model.thing(at).name.clone(), Some(at)))) else {
        let error = Diagnostic::new(&codes::UNKNOWN_OPERATOR, format!("there is no entry and no operator `{what}`"));
        let names = operators().map(|at| model.thing(at).name.trim_start_matches("aten::"));
        return Err(error.maybe_help(did_you_mean(what, names)).into());
    };
    let schema = operator.and_then(|at| model.thing(at).schema.clone());
    let trace = Arc::new(Trace::new([name.clone()]));
    session.trace = Some(Arc::clone(&trace));
    let renderer = request.renderer("generator", session)?;
    let outputs = files(read, &renderer, session)?.into_iter().filter_map(|(file, text)| {
        let lines = trace.read_marks(std::iter::once(text.as_str()));
        let lines: Vec<String> = lines.into_iter().map(|(line, _)| line.to_string()).collect();
        (!lines.is_empty()).then(|| OutputView { file, lines: lines.join(", ") })
    });
    let view = View { name, schema, entries, outputs: outputs.collect() };
    Ok(renderer.fragment("generator/explain.j2", &view)?)
}
