//! The report: one row for each declaration, with the decision and its reason.
//!
//! Invariant: the counts of decisions and reasons add up to the number of rows.

use serde::Serialize;

use super::plan::{Code, Decision, Row};
use super::reason::Reason;

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

/// The word of a decision.
fn word(decision: &Decision) -> &'static str {
    match decision {
        Decision::Made(Code::Call(_)) => DECISIONS[0],
        Decision::Made(Code::Native(_)) => DECISIONS[1],
        Decision::Made(Code::Fallback) => DECISIONS[2],
        Decision::Made(Code::Fallthrough) => DECISIONS[3],
        Decision::Made(Code::Custom) => DECISIONS[4],
        Decision::Skipped(..) => "skipped",
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

/// The report about all rows; those without an entry are counted, and listed only if `all` is set.
pub(super) fn report(name: &str, rows: &[Row], all: bool) -> Report {
    let listed: Vec<&Row> =
        rows.iter().filter(|row| all || row.entry.is_some() || matches!(row.decision, Decision::Made(_))).collect();
    let made = |row: &&&Row| matches!(row.decision, Decision::Made(_));
    let required = listed.iter().filter(|row| row.operator.required);
    let mut totals: Vec<Total> = Vec::new();
    for decision in DECISIONS {
        let count = listed.iter().filter(|row| word(&row.decision) == decision).count();
        totals.push(Total { decision: decision.to_owned(), count });
    }
    for reason in Reason::ALL {
        let is = |row: &&&Row| matches!(&row.decision, Decision::Skipped(other, _) if *other == reason);
        totals
            .push(Total { decision: format!("skipped: {}", reason.as_str()), count: listed.iter().filter(is).count() });
    }
    totals.retain(|total| total.count > 0);
    Report {
        name: name.to_owned(),
        total: listed.len(),
        generated: listed.iter().filter(made).count(),
        required: required.clone().count(),
        required_generated: required.filter(made).count(),
        totals,
        rows: listed.into_iter().map(row).collect(),
    }
}
