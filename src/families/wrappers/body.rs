//! The C++ file that generated code is inserted into.
//!
//! Invariant: the insertion line is there exactly once, alone on its line; names that the file
//! registers itself are known.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use super::codes;
use crate::diag::{Diagnostic, Diagnostics, FileId, Span};
use crate::driver::{JobError, Session};

/// The insertion line.
pub(super) const MARKER: &str = "// INSERT_CODEGEN_HERE";

/// The words of the insertion line.
const WORD: &str = "INSERT_CODEGEN_HERE";

static REGISTERED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"\bm\s*\.\s*impl\s*\(\s*"(?:aten::)?([\w.]+)""#).expect("a valid pattern"));

/// A body file in its parts.
#[derive(Debug, Clone, Default)]
pub(super) struct Body {
    /// The lines before the first `#include`.
    pub(super) head: String,
    /// The lines from the first `#include` to the insertion line.
    pub(super) before: String,
    /// The lines after the insertion line.
    pub(super) after: String,
    /// The names that it registers kernels for.
    pub(super) registered: BTreeSet<String>,
}

/// Reads a body file. An error in it is a diagnostic.
///
/// # Errors
/// The file cannot be read.
pub(super) fn read(path: &Path, session: &mut Session) -> Result<Option<Body>, JobError> {
    let file = session.read_text(path)?;
    let text = session.sources.text(file).to_owned();
    Ok(parts(&text, file, &mut session.diagnostics))
}

fn parts(text: &str, file: FileId, diagnostics: &mut Diagnostics) -> Option<Body> {
    let mut offset = 0;
    let (mut exact, mut near) = (Vec::new(), Vec::new());
    let mut lines: Vec<&str> = Vec::new();
    for (number, whole) in text.split_inclusive('\n').enumerate() {
        let line = whole.trim_end_matches(['\n', '\r']);
        let span = Span::new(file, offset, offset + line.len());
        if line == MARKER {
            exact.push((number, span));
        } else if line.contains(WORD) {
            near.push(span);
        }
        offset += whole.len();
        lines.push(line);
    }
    let at = match exact.as_slice() {
        [(at, _)] => *at,
        [] => {
            let message = format!("the body lacks the line `{MARKER}`");
            let mut diagnostic = Diagnostic::new(&codes::INSERTION_LINE, message);
            diagnostic = match near.first() {
                Some(span) => diagnostic.at(*span).help(format!("write exactly `{MARKER}`, alone on its line")),
                None => {
                    diagnostic.at(Span::new(file, 0, 0)).help(format!("add the line `{MARKER}` where code is to go"))
                }
            };
            diagnostics.push(diagnostic);
            return None;
        }
        [(_, first), (_, second), ..] => {
            let message = format!("the line `{MARKER}` is there twice");
            let diagnostic = Diagnostic::new(&codes::INSERTION_LINE, message).at(*second);
            diagnostics.push(diagnostic.also(*first, "first here").help("remove one of them"));
            return None;
        }
    };
    let include = lines[..at].iter().position(|line| is_include(line)).unwrap_or(0);
    let joined = |lines: &[&str]| lines.iter().flat_map(|line| [*line, "\n"]).collect::<String>();
    Some(Body {
        head: joined(&lines[..include]),
        before: joined(&lines[include..at]),
        after: joined(&lines[at + 1..]),
        registered: REGISTERED.captures_iter(text).map(|found| found[1].to_owned()).collect(),
    })
}

fn is_include(line: &str) -> bool {
    line.trim_start().strip_prefix('#').is_some_and(|rest| rest.trim_start().starts_with("include"))
}
