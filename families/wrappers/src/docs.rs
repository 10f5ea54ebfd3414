//! The report, for people and as data: one row for each declaration, with the decision and its
//! reason.
//!
//! Invariant: the counts of decisions and reasons add up to the number of rows.

use std::collections::HashSet;
use std::path::Path;

use serde::Serialize;

use super::codes;
use super::model::operators::Operator;
use super::plan::{Code, Decision, Row};
use super::reason::Reason;
use torchgen_base::diag::{Diagnostic, Span};
use torchgen_base::write::{Manager, OutputFile};
use torchgen_kit::driver::context::json_text;
use torchgen_kit::driver::output::GeneratedFiles;
use torchgen_model::model::SchemaKind;

/// The manager of the copy that `--report` asks for.
const COPY: Manager = Manager::new("report", None);

/// A row.
#[derive(Debug, Serialize)]
pub(super) struct ReportRow {
    pub(super) op: String,
    pub(super) overload: String,
    pub(super) schema: String,
    pub(super) required: bool,
    /// `generated`, `native`, `fallback`, `fallthrough`, `custom` or `skipped`.
    pub(super) decision: &'static str,
    pub(super) template: String,
    /// The code of the reason, or nothing.
    pub(super) reason: &'static str,
    pub(super) detail: String,
    pub(super) hint: String,
}

/// How many rows have a decision or a reason.
#[derive(Debug, Serialize)]
pub(super) struct Total {
    pub(super) decision: String,
    pub(super) count: usize,
}

/// The report.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) name: String,
    pub(super) total: usize,
    /// Those with code.
    pub(super) generated: usize,
    pub(super) required: usize,
    pub(super) required_generated: usize,
    pub(super) totals: Vec<Total>,
    pub(super) rows: Vec<ReportRow>,
}

/// The words of decisions, in the order of reports.
const DECISIONS: [&str; 5] = ["generated", "native", "fallback", "fallthrough", "custom"];

/// The word for an operator without code.
pub(super) const SKIPPED: &str = "skipped";

/// The word of a decision.
fn word(decision: &Decision) -> &'static str {
    match decision {
        Decision::Made(Code::Call(_)) => DECISIONS[0],
        Decision::Made(Code::Native(_)) => DECISIONS[1],
        Decision::Made(Code::Fallback) => DECISIONS[2],
        Decision::Made(Code::Fallthrough) => DECISIONS[3],
        Decision::Made(Code::Custom) => DECISIONS[4],
        Decision::Skipped(..) => SKIPPED,
    }
}

/// A row of the report.
pub(super) fn row(row: &Row) -> ReportRow {
    let (reason, detail, hint) = match &row.decision {
        Decision::Skipped(reason, detail) => (reason.as_str(), detail.clone(), reason.hint()),
        Decision::Made(Code::Call(wrapped)) if !wrapped.lossy.is_empty() => {
            let detail = format!("only the defaults of {} are supported", wrapped.lossy.join(", "));
            ("", detail, Reason::LossyArguments.hint())
        }
        Decision::Made(Code::Custom | Code::Fallback) => {
            let reason = row.entry.and_then(|entry| entry.reason.as_ref());
            ("", reason.map_or(String::new(), |reason| reason.to_string()), "")
        }
        Decision::Made(_) => ("", String::new(), ""),
    };
    ReportRow {
        op: row.operator.name().to_owned(),
        overload: row.operator.overload().to_owned(),
        schema: row.operator.schema.to_string(),
        required: row.operator.required,
        decision: word(&row.decision),
        template: row.template.to_owned(),
        reason,
        detail,
        hint: hint.to_owned(),
    }
}

/// The rows of the report: those with an entry or with code, and those that PyTorch requires of an
/// operator that an entry names; or all of them.
pub(super) fn listed(rows: &[Row], all: bool) -> Vec<ReportRow> {
    let named: HashSet<&str> = rows.iter().filter(|row| row.entry.is_some()).map(|row| base(row.operator)).collect();
    let is_left = |row: &Row| row.operator.required && named.contains(base(row.operator));
    let is_listed =
        |row: &&Row| all || row.entry.is_some() || matches!(row.decision, Decision::Made(_)) || is_left(row);
    rows.iter().filter(is_listed).map(row).collect()
}

/// The name that an operator shares with those that mutate `self` or `out`.
fn base(operator: &Operator) -> &str {
    match operator.kind() {
        SchemaKind::Inplace => operator.name().strip_suffix('_').unwrap_or(operator.name()),
        _ => operator.name(),
    }
}

impl Report {
    /// The report about these rows.
    pub(super) fn from_rows(name: &str, rows: Vec<ReportRow>) -> Report {
        let made = |row: &&ReportRow| row.decision != SKIPPED;
        let required = || rows.iter().filter(|row| row.required);
        let count_of = |decision: &str, reason: &str| {
            rows.iter().filter(|row| row.decision == decision && row.reason == reason).count()
        };
        let mut totals: Vec<Total> = Vec::new();
        for decision in DECISIONS {
            totals.push(Total { decision: decision.to_owned(), count: count_of(decision, "") });
        }
        for reason in Reason::ALL.map(Reason::as_str) {
            totals.push(Total { decision: format!("{SKIPPED}: {reason}"), count: count_of(SKIPPED, reason) });
        }
        totals.retain(|total| total.count > 0);
        Report {
            name: name.to_owned(),
            total: rows.len(),
            generated: rows.iter().filter(made).count(),
            required: required().count(),
            required_generated: required().filter(made).count(),
            totals,
            rows,
        }
    }

    /// The error that fewer operators have code than the YAML or a flag demands.
    pub(super) fn uncovered(&self, yaml: Option<(usize, Span)>, flag: usize) -> Option<Diagnostic> {
        let demanded = yaml.map_or(0, |(count, _)| count).max(flag);
        if self.generated >= demanded {
            return None;
        }
        let message = format!("{} operators have code, and the run demands {demanded}", self.generated);
        let diagnostic =
            Diagnostic::new(&codes::COVERAGE, message).help("skip_report.md of an earlier run lists the others");
        Some(match yaml {
            Some((count, span)) if count == demanded => diagnostic.at(span),
            _ => diagnostic,
        })
    }

    /// Adds the report as JSON to the files of a run.
    pub(super) fn copy_to(&self, path: &Path, made: &mut GeneratedFiles) {
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
        made.installs.push((COPY, dir.to_owned()));
        made.files.push(OutputFile::new(COPY, name, self.json()));
    }

    /// The report as JSON.
    pub(super) fn json(&self) -> String {
        json_text(self)
    }
}
