//! The site about a backend: the report, as a table that sorts and filters. It is also the report
//! in Markdown of each run.
//!
//! Invariant: a row of the report is a row of the table.

use super::docs::{Report, ReportRow, Total};
use torchgen_kit::site::{Column, Page, Part, Piece, Site, Table, pieces};

/// The site.
pub(super) fn site(report: &Report) -> Site {
    let mut index = Page::new("index", &format!("Wrappers of {}", report.name), "Report");
    let Report { total, generated, required, required_generated, .. } = report;
    let covered = format!(
        "{generated} of {total} declarations have a wrapper; of the {required} that PyTorch requires of a backend, \
         {required_generated}.",
    );
    index.describe(&covered);
    let count = |total: &Total| vec![vec![Piece::text(&total.decision)], vec![Piece::text(&total.count.to_string())]];
    let totals = report.totals.iter().map(count).collect();
    index.add("", "", vec![Part::Table(Table::plain("Decisions", &["Decision", "Declarations"], totals))]);
    let column = |(title, choose)| Column { title, choose };
    let table = Table {
        caption: format!("Declarations for {}", report.name),
        columns: COLUMNS.into_iter().map(column).collect(),
        rows: report.rows.iter().map(row).collect(),
        sorts: true,
    };
    index.add("Declarations", "declarations", vec![Part::Table(table)]);
    Site { name: report.name.clone(), index, pages: Vec::new(), more: Vec::new() }
}

/// The headings, and whether a list of its values leaves rows out.
const COLUMNS: [(&str, bool); 7] = [
    ("Operator", false),
    ("Overload", false),
    ("Required", true),
    ("Decision", true),
    ("Reason", true),
    ("Detail", false),
    ("Hint", false),
];

fn row(row: &ReportRow) -> Vec<Vec<Piece>> {
    let reason = if row.reason.is_empty() { "no" } else { row.reason };
    let required = if row.required { "yes" } else { "no" };
    let texts = [&*row.op, &row.overload, required, row.decision, reason];
    let words = [&row.detail, &row.hint].map(|words| pieces(words));
    texts.into_iter().map(|text| vec![Piece::text(text)]).chain(words).collect()
}
