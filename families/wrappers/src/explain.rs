//! What `explain` shows of an operator.
//!
//! Invariant: an explanation says what a run does, for the same rows as the report.

use serde::Serialize;

use super::docs::{self, ReportRow};
use super::model::functions::Class;
use super::plan::{Code, Decision, Row};
use torchgen_base::diag::{Diagnostic, Span, codes as shared, did_you_mean};
use torchgen_kit::driver::request::Request;
use torchgen_kit::driver::{JobError, Session};

/// An argument and what becomes of it.
#[derive(Debug, Serialize)]
pub(super) struct ArgumentClass {
    pub(super) name: String,
    pub(super) class: String,
    /// The parameter that gets it, if the function takes it.
    pub(super) parameter: String,
}

/// What is shown about an operator.
#[derive(Debug, Serialize)]
pub(super) struct Explanation {
    #[serde(flatten)]
    pub(super) row: ReportRow,
    /// The function of the backend.
    pub(super) call: String,
    pub(super) arguments: Vec<ArgumentClass>,
    /// The results of the function, and those of the operator that they are, if they have names.
    pub(super) results: String,
    /// How the sizes of the result are found.
    pub(super) shape: String,
    pub(super) conditions: Vec<String>,
    /// Arguments that must have their defaults.
    pub(super) lossy: Vec<String>,
    /// Arguments that are not looked at.
    pub(super) ignored: Vec<String>,
    /// Where the backend, or else PyTorch, names it.
    #[serde(skip)]
    pub(super) at: Option<Span>,
}

/// What the template shows.
#[derive(Serialize)]
struct Explained {
    entries: Vec<Explanation>,
}

impl Explanation {
    /// An explanation of a decision without a call.
    pub(super) fn plain(row: ReportRow) -> Explanation {
        Explanation {
            row,
            call: String::new(),
            arguments: Vec::new(),
            results: String::new(),
            shape: String::new(),
            conditions: Vec::new(),
            lossy: Vec::new(),
            ignored: Vec::new(),
            at: None,
        }
    }

    /// The explanation of a row.
    pub(super) fn from_row(row: &Row) -> Explanation {
        let at = row.entry.map(|entry| entry.op.span());
        let plain = Explanation { at, ..Explanation::plain(docs::row(row)) };
        let Decision::Made(Code::Call(wrapped)) = &row.decision else { return plain };
        let class = |(at, (name, class)): (usize, &(String, Class))| {
            let passed = wrapped.order.iter().position(|&argument| argument == at);
            ArgumentClass {
                name: name.clone(),
                class: class.as_str().to_owned(),
                parameter: passed.map_or(String::new(), |passed| wrapped.parameters[passed].clone()),
            }
        };
        Explanation {
            call: wrapped.function.clone(),
            arguments: wrapped.classes.iter().enumerate().map(class).collect(),
            results: wrapped.results.pairs.clone(),
            shape: wrapped.shape.clone(),
            conditions: wrapped.conditions.clone(),
            lossy: wrapped.lossy.clone(),
            ..plain
        }
    }

    fn full_name(&self) -> String {
        match self.row.overload.as_str() {
            "" => self.row.op.clone(),
            overload => format!("{}.{overload}", self.row.op),
        }
    }
}

/// The text about an operator, or about all its overloads.
///
/// # Errors
/// There is no such operator, or a replaced template fails.
pub(super) fn text(
    what: &str,
    all: Vec<Explanation>,
    request: &Request,
    session: &mut Session,
) -> Result<String, JobError> {
    let what = what.strip_suffix(".default").map_or(what.to_owned(), |name| format!("{name}."));
    let is_meant = |one: &Explanation| {
        let Explanation { row: ReportRow { op, overload, .. }, .. } = one;
        format!("{op}.{overload}") == what || *op == what
    };
    let (entries, others): (Vec<Explanation>, Vec<Explanation>) = all.into_iter().partition(is_meant);
    if entries.is_empty() {
        let names: Vec<String> = others.iter().map(Explanation::full_name).collect();
        let diagnostic =
            Diagnostic::new(&shared::USAGE, format!("there is no operator `{}`", what.trim_end_matches('.')));
        return Err(diagnostic.maybe_help(did_you_mean(&what, names.iter().map(String::as_str))).into());
    }
    let renderer = request.renderer("wrappers", session)?;
    let text = renderer.fragment("wrappers/explain.j2", &Explained { entries });
    Ok(text?)
}
