//! Runs on the inputs of torch_spyre's generator as they are: Metadata.yaml, Jinja templates, a
//! body file, docstrings, and the two files of PyTorch's build.
//!
//! Invariant: the same functions, signatures, classes and order as upstream's. What upstream gets
//! wrong is a warning. Rule: codegen/gen.py of torch-spyre/torch-spyre at 859df83.

mod choose;
mod functions;
mod inputs;
mod mapping;

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use self::choose::{Chosen, Declared, choose, word};
use self::inputs::{Inputs, Required};
use super::codes;
use super::docs::{Report, ReportRow, SKIPPED};
use super::explain::Explanation;
use super::files::of_report;
use super::flags::Flags;
use super::model::body::Body;
use super::model::declared::schema_of;
use super::reason::Reason;
use super::records::BackendRecord;
use torchgen_base::diag::{Diagnostic, Span, codes as shared, did_you_mean};
use torchgen_base::lang::is_identifier;
use torchgen_base::render::View;
use torchgen_kit::driver::context::PlannedFile;
use torchgen_kit::driver::output::GeneratedFiles;
use torchgen_kit::driver::request::Request;
use torchgen_kit::driver::{JobError, Session};

/// What a run makes.
struct LegacyRun {
    body: Body,
    /// The text of each function and its registration, in order.
    functions: Vec<String>,
    /// What is known about each of them.
    declarations: Vec<Value>,
    /// One for each declaration, and whether Metadata.yaml names it.
    rows: Vec<(Explanation, bool)>,
}

/// The data of the C++ file.
#[derive(Serialize)]
struct LegacyView<'a> {
    name: &'a str,
    head: &'a str,
    before: &'a str,
    after: &'a str,
    functions: &'a [String],
}

/// The files of a backend whose inputs are those of the original generator.
///
/// # Errors
/// A file cannot be read or has errors, or a flag cannot be honoured.
pub(super) fn make(
    record: &BackendRecord,
    request: &Request,
    flags: &Flags,
    session: &mut Session,
) -> Result<GeneratedFiles, JobError> {
    if request.emits("stubs") {
        let message = "`--emit stubs` cannot be used with `legacy:`, whose templates write all code";
        return Err(Diagnostic::new(&shared::USAGE, message).into());
    }
    if !is_identifier(record.name.as_str()) {
        let message = format!("`{}` cannot begin the names of files and functions", record.name);
        return Err(Diagnostic::new(&codes::WRAPPER_KEY, message).at(record.name.span()).into());
    }
    let made = run(record, flags, session)?;
    session.fail_on_errors(request.common.strict)?;
    let report = report_of(record, made.rows, flags.all);
    if let Some(diagnostic) = report.uncovered(record.coverage_min, flags.coverage_min) {
        session.diagnostics.push(diagnostic);
    }
    session.fail_on_errors(request.common.strict)?;
    let renderer = request.renderer("wrappers", session)?;
    let name = record.name.as_str();
    let Body { head, before, after, .. } = &made.body;
    let view = LegacyView { name, head, before, after, functions: &made.functions };
    let yaml = serde_yaml::to_string(&made.declarations).map_err(|error| {
        Diagnostic::new(&shared::WRITE_FAILED, format!("cannot write GeneratedDeclarations.yaml: {error}"))
    })?;
    let cpp = View::new(&view);
    let table = vec![
        PlannedFile::new(format!("{name}_torch_ops.cpp"), "wrappers/legacy.cpp.j2", &cpp),
        PlannedFile::data("GeneratedDeclarations.yaml", yaml),
    ];
    let mut files = request.files(&renderer).make(table)?;
    files.extend(of_report(&report, request.files(&renderer))?);
    let mut made = request.made(files, renderer);
    if let Some(path) = &flags.report {
        report.copy_to(path, &mut made);
    }
    Ok(made)
}

/// The report about what a run would make.
pub(super) fn report(record: &BackendRecord, flags: &Flags, session: &mut Session) -> Result<Report, JobError> {
    let made = run(record, flags, session)?;
    session.check_errors()?;
    Ok(report_of(record, made.rows, flags.all))
}

fn report_of(record: &BackendRecord, rows: Vec<(Explanation, bool)>, all: bool) -> Report {
    let listed = rows.into_iter().filter(|(one, named)| all || *named || one.row.decision != SKIPPED);
    Report::from_rows(record.name.as_str(), listed.map(|(one, _)| one.row).collect())
}

/// What `explain` shows of each declaration.
pub(super) fn explanations(
    record: &BackendRecord,
    flags: &Flags,
    session: &mut Session,
) -> Result<Vec<Explanation>, JobError> {
    let made = run(record, flags, session)?;
    session.check_errors()?;
    Ok(made.rows.into_iter().map(|(one, _)| one).collect())
}

/// Runs the original generator's rules.
fn run(record: &BackendRecord, flags: &Flags, session: &mut Session) -> Result<LegacyRun, JobError> {
    let refused = flags.refused(true);
    if !refused.is_empty() {
        return Err(JobError::Failed(refused));
    }
    let legacy = record.legacy.as_ref().ok_or(JobError::Input)?;
    let inputs = Inputs::read_inputs(record, legacy, flags, session)?;
    let (mut functions, mut declarations, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    let mut reported = BTreeSet::new();
    for entry in &inputs.entries {
        let Some(schema) = schema_of(entry) else { continue };
        let required = inputs.registrations.get(schema.as_str()).is_some_and(|r| r.dispatch && !r.default);
        let declared = Declared {
            entry,
            operator: word(entry, "operator_name"),
            overload: word(entry, "overload_name"),
            required,
        };
        let (is_named, at) = (inputs.metadata.contains_key(declared.operator), Some(schema.span()));
        match choose(&declared, &inputs, flags, session) {
            Ok(chosen) => {
                let mut row = row(&declared, schema.as_str());
                row.decision = chosen.decision;
                row.template.clone_from(&chosen.template);
                if !chosen.ignored.is_empty() {
                    row.detail = format!("ignores {}", chosen.ignored.join(", "));
                    row.hint = hint(Reason::LossyArguments).to_owned();
                }
                let Chosen { value, template, span, call, arguments, shape, ignored, .. } = chosen;
                let value = Value::Object(value);
                let template = format!("{template}.jinja2");
                unmet(&template, &value, &inputs, &mut reported, session);
                functions.push(render(&template, &value, span, &inputs, session)?);
                declarations.push(value);
                let plain = Explanation::plain(row);
                rows.push((Explanation { call, arguments, shape, ignored, at, ..plain }, is_named));
            }
            Err((reason, detail)) => {
                let mut row = row(&declared, schema.as_str());
                row.template = inputs
                    .metadata
                    .get(declared.operator)
                    .map_or(String::new(), |known| inputs::text(&known.value, "template_name").to_owned());
                (row.reason, row.detail, row.hint) = (reason.as_str(), detail, hint(reason).to_owned());
                rows.push((Explanation { at, ..Explanation::plain(row) }, is_named));
            }
        }
    }
    Ok(LegacyRun { body: inputs.body, functions, declarations, rows })
}

/// A row without a decision.
fn row(declared: &Declared, schema: &str) -> ReportRow {
    ReportRow {
        op: declared.operator.to_owned(),
        overload: declared.overload.to_owned(),
        schema: schema.strip_prefix("aten::").unwrap_or(schema).to_owned(),
        required: declared.required,
        decision: SKIPPED,
        template: String::new(),
        reason: "",
        detail: String::new(),
        hint: String::new(),
    }
}

/// What to do about it, with the original's inputs.
fn hint(reason: Reason) -> &'static str {
    match reason {
        Reason::NoMetadata => "add an entry to Metadata.yaml",
        Reason::NoTemplate => "add the template to the directory, or write the function in the body file",
        Reason::FirstArgNotTensor | Reason::UnsupportedType => "write the function in the body file",
        Reason::ExtraBackendArgs => "give the parameter a value under `extra_arguments:`",
        Reason::LossyArguments => "an entry under `ops:` checks the argument",
        Reason::ShapeFailed => "name another mode, or write an entry under `ops:` with `shape: meta`",
        _ => reason.hint(),
    }
}

/// The text of a function. What the original gets wrong is a warning.
fn render(
    template: &str,
    value: &Value,
    span: Option<Span>,
    inputs: &Inputs,
    session: &mut Session,
) -> Result<String, JobError> {
    let name = inputs::text(&value["template_data"], "reg_name").trim_matches('"');
    let (text, undefined) = inputs.templates.render(template, value)?;
    let Some(span) = span else { return Ok(text) };
    if inputs.body.registered.contains(name) {
        warn(session, span, format!("`{name}` is registered by the body file too"));
    }
    if undefined > 0 {
        let times =
            if undefined == 1 { "an undefined value".to_owned() } else { format!("{undefined} undefined values") };
        warn(session, span, format!("`{template}` prints {times} for `{name}`"));
    }
    Ok(text)
}

/// Reports the names that a template requires and the data lacks, each once.
fn unmet(template: &str, value: &Value, inputs: &Inputs, reported: &mut BTreeSet<Span>, session: &mut Session) {
    for Required { path, span } in inputs.required.get(template).into_iter().flatten() {
        if has(value, path) || !reported.insert(*span) {
            continue;
        }
        let name = inputs::text(&value["template_data"], "reg_name").trim_matches('"');
        let message = format!("`{template}` requires `{path}`, which the data of `{name}` lacks");
        let names: Vec<&str> =
            value.as_object().into_iter().flat_map(|names| names.keys().map(String::as_str)).collect();
        let help = did_you_mean(path, names.iter().copied());
        session.diagnostics.push(Diagnostic::new(&codes::TEMPLATE_REQUIRES, message).at(*span).maybe_help(help));
    }
}

/// Whether data has a path such as `arguments.name`; in a list, every item must have the rest.
fn has(value: &Value, path: &str) -> bool {
    match value {
        _ if path.is_empty() => true,
        Value::Array(items) => items.iter().all(|item| has(item, path)),
        _ => {
            let (name, rest) = path.split_once('.').unwrap_or((path, ""));
            value.get(name).is_some_and(|value| has(value, rest))
        }
    }
}

fn warn(session: &mut Session, span: Span, message: String) {
    session.diagnostics.push(Diagnostic::new(&codes::LEGACY_WARNING, message).at(span));
}
