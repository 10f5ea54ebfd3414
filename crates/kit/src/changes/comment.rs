//! Changes as Markdown: a comment on a pull request.
//!
//! Invariant: it has the changes that are reported as diagnostics, and no others.

use serde::Serialize;

use crate::driver::{JobError, Session};
use torchgen_base::diag::{Diagnostic, Severity, plural};

/// The comment.
#[derive(Debug, Serialize)]
pub struct Comment {
    /// What was compared, as a sentence without an end.
    compared: String,
    /// `3 changes`.
    count: String,
    breaking: usize,
    risky: usize,
    changes: Vec<CommentRow>,
}

/// A change in its table.
#[derive(Debug, Serialize)]
struct CommentRow {
    code: &'static str,
    message: String,
    /// Whom it breaks, and how.
    notes: Vec<String>,
}

impl Comment {
    /// The comment about changes. `compared` says what was compared.
    pub fn new<'a>(compared: &str, changes: impl IntoIterator<Item = &'a Diagnostic>) -> Comment {
        let changes: Vec<&Diagnostic> = changes.into_iter().filter(|one| one.change.is_some()).collect();
        let with = |severity| changes.iter().filter(|one| one.severity == severity).count();
        Comment {
            compared: compared.to_owned(),
            count: match changes.len() {
                0 => "nothing to show".to_owned(),
                count => plural(count, "change"),
            },
            breaking: with(Severity::Error),
            risky: with(Severity::Warning),
            changes: changes.iter().map(|one| CommentRow::new(one)).collect(),
        }
    }

    /// Prints it to standard output.
    ///
    /// # Errors
    /// The template has an error, or standard output cannot be written.
    pub fn print(&self, session: &mut Session) -> Result<(), JobError> {
        let renderer = session.renderer("kit", &[])?;
        let text = renderer.fragment("kit/comment.md.j2", self)?;
        Ok(session.host.print(&text)?)
    }
}

impl CommentRow {
    fn new(change: &Diagnostic) -> CommentRow {
        // A cell ends at a bar, also inside of code.
        let cell = |text: &str| text.replace('|', "\\|");
        CommentRow {
            code: change.code.name,
            message: cell(&change.message),
            notes: change.notes.iter().map(|note| cell(note)).collect(),
        }
    }
}
