//! Diagnostics as the protocol has them, and the fixes that their helps describe.
//!
//! Invariant: a fix replaces only what its diagnostic is about, and only if the help names one word
//! for it.

use std::path::{Path, PathBuf};

use lsp_types::{
    CodeAction, CodeActionKind, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString,
    Position, Range, TextEdit, Uri, WorkspaceEdit,
};
use torchgen_base::diag::{Place, Shown};

use super::text::{Text, number};
use super::uri::uri_of;

/// A diagnostic of a file whose text is given; the texts of others are looked up.
pub(super) fn diagnostic(of: &Shown, text: Option<&Text>, text_of: impl Fn(&Path) -> Option<Text>) -> Diagnostic {
    let related = of.labels.iter().filter_map(|label| {
        let path = PathBuf::from(&label.place.file);
        let range = text_of(&path).map_or_else(|| unread(&label.place), |text| text.place(&label.place));
        Some(DiagnosticRelatedInformation {
            location: Location { uri: uri_of(&path)?, range },
            message: label.message.clone(),
        })
    });
    let further = of.notes.iter().map(|note| ("note", note)).chain(of.help.iter().map(|help| ("help", help)));
    let mut message = of.message.clone();
    for (word, text) in further {
        message.push('\n');
        message.push_str(&format!("{word}: {text}"));
    }
    let range = match (&of.place, text) {
        (Some(place), Some(text)) => text.place(place),
        (Some(place), None) => unread(place),
        (None, _) => Range::default(),
    };
    Diagnostic {
        range,
        severity: Some(match of.severity {
            "error" => DiagnosticSeverity::ERROR,
            "warning" => DiagnosticSeverity::WARNING,
            _ => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(of.code.to_owned())),
        source: Some("torchgen-rs".to_owned()),
        message,
        related_information: Some(related.collect()),
        ..Diagnostic::default()
    }
}

/// A place in a file that cannot be read, as if all its characters were in ASCII.
fn unread(place: &Place) -> Range {
    let position =
        |line: usize, column: usize| Position::new(number(line.saturating_sub(1)), number(column.saturating_sub(1)));
    Range::new(position(place.line, place.column), position(place.end_line, place.end_column))
}

/// The word that the help of a diagnostic says to write in its place.
pub(super) fn word_instead(of: &Shown) -> Option<&str> {
    let said = of.help.iter().find_map(|help| help.strip_prefix("did you mean `")?.strip_suffix("`?"))?;
    (!said.contains('`')).then_some(said)
}

/// The fix of a diagnostic, in a file with this text.
pub(super) fn fix(of: &Shown, uri: &Uri, text: &Text) -> Option<CodeAction> {
    let word = word_instead(of)?;
    let range = text.place(of.place.as_ref()?);
    let was = of_range(text, range)?;
    // Only a word for a word: a place of several is not the misspelt one alone.
    let is_word = |text: &str| !text.is_empty() && !text.contains([' ', '\n', '(', ':']);
    if !is_word(was) || !is_word(word) {
        return None;
    }
    let edit = TextEdit { range, new_text: word.to_owned() };
    // The type of the protocol has a map by URI.
    #[allow(clippy::mutable_key_type)]
    let changes = [(uri.clone(), vec![edit])].into_iter().collect();
    Some(CodeAction {
        title: format!("Replace `{was}` by `{word}`"),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic(of, Some(text), |_| None)]),
        edit: Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }),
        is_preferred: Some(true),
        ..CodeAction::default()
    })
}

/// The text of a range within a line.
fn of_range(text: &Text, range: Range) -> Option<&str> {
    let line = (range.start.line == range.end.line).then(|| text.line(range.start.line as usize))?;
    line.get(text.column(range.start)..text.column(range.end))
}
