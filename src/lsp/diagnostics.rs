//! Diagnostics as the protocol has them, and their fixes, which are those of `check --fix`.
//!
//! Invariant: a fix is offered only if the texts still have what it replaces.

use std::path::{Path, PathBuf};

use gen_lsp_types::{
    CodeAction, CodeActionKind, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Position,
    Range, TextEdit,
};
use torchgen_base::diag::{Applicability, Place, Shown, ShownFix};

use super::edits::changes;
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
            "error" => DiagnosticSeverity::Error,
            "warning" => DiagnosticSeverity::Warning,
            _ => DiagnosticSeverity::Information,
        }),
        code: Some(of.code.to_owned().into()),
        source: Some("torchgen-rs".to_owned()),
        message: message.into(),
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

/// The fixes of a diagnostic, as long as the texts are those that it is about. The first one is
/// preferred if it is certain.
pub(super) fn fixes(of: &Shown, text_of: impl Fn(&Path) -> Option<Text>) -> Vec<CodeAction> {
    let own = of.place.as_ref().and_then(|place| text_of(Path::new(&place.file)));
    let about = diagnostic(of, own.as_ref(), &text_of);
    let action = |(at, fix): (usize, &ShownFix)| {
        let edits = fix.edits.iter().map(|edit| {
            let path = Path::new(&edit.place.file);
            let text = text_of(path).filter(|text| text.as_str().get(edit.bytes.clone()) == Some(&edit.old))?;
            Some((uri_of(path)?, TextEdit { range: text.place(&edit.place), new_text: edit.new.clone() }))
        });
        let edits: Vec<_> = edits.collect::<Option<_>>()?;
        Some(CodeAction {
            title: title(fix),
            kind: Some(CodeActionKind::QuickFix),
            diagnostics: Some(vec![about.clone()]),
            edit: Some(changes(edits)),
            is_preferred: Some(at == 0 && fix.applicability == Applicability::Certain),
            ..CodeAction::default()
        })
    };
    of.fixes.iter().enumerate().filter_map(action).collect()
}

/// What a fix does, in a few words.
fn title(fix: &ShownFix) -> String {
    let is_short = |text: &str| text.len() <= 40 && !text.contains(['\n', '\r']);
    match &fix.edits[..] {
        [edit] if !edit.old.is_empty() && !edit.new.is_empty() && is_short(&edit.old) && is_short(&edit.new) => {
            format!("Replace `{}` by `{}`", edit.old, edit.new)
        }
        _ => {
            let mut letters = fix.message.chars();
            letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
        }
    }
}
