//! Edits of files as the protocol has them.
//!
//! Invariant: lines that are added end as those of their file do, and the rest of it stays.

use std::collections::HashMap;
use std::path::Path;

use gen_lsp_types::{
    CreateFile, DocumentChange, OptionalVersionedTextDocumentIdentifier, Position, Range, TextDocumentEdit,
    TextDocumentIdentifier, TextEdit, Uri, WorkspaceEdit,
};

use super::text::Text;
use super::uri::uri_of;

/// The edit that appends lines to a file, after a blank one if it has text.
pub(super) fn appended(path: &Path, text: &Text, added: &str) -> Option<WorkspaceEdit> {
    let whole = text.as_str();
    let lines: Vec<&str> = whole.lines().collect();
    let last = lines.last().copied().unwrap_or_default();
    // The line that is not ended, and the blank one.
    let ends = usize::from(!whole.is_empty() && !whole.ends_with('\n')) + usize::from(!last.trim().is_empty());
    let before = std::iter::repeat_n("", ends);
    let end = text.at(whole.len());
    edit(path, end, before.chain(added.lines()).flat_map(|line| [line, line_end(text)]).collect())
}

/// The edit that adds lines after the one that a place ends.
pub(super) fn inserted<'l>(
    path: &Path,
    text: &Text,
    at: Position,
    lines: impl IntoIterator<Item = &'l str>,
) -> Option<WorkspaceEdit> {
    edit(path, at, lines.into_iter().flat_map(|line| [line_end(text), line]).collect())
}

/// The edit that creates a file.
pub(super) fn created(path: &Path, text: String) -> Option<WorkspaceEdit> {
    let uri = uri_of(path)?;
    let create = CreateFile { uri: uri.clone(), options: None, annotation_id: None };
    let edit = TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier::new(None, TextDocumentIdentifier { uri }),
        edits: vec![TextEdit { range: Range::default(), new_text: text }.into()],
    };
    let operations = vec![DocumentChange::from(create), edit.into()];
    Some(WorkspaceEdit { document_changes: Some(operations), ..WorkspaceEdit::default() })
}

/// Several edits as one. Those that create files have the newer form of the protocol, in which all
/// must be.
pub(super) fn joined(all: impl IntoIterator<Item = WorkspaceEdit>) -> Option<WorkspaceEdit> {
    let all: Vec<WorkspaceEdit> = all.into_iter().collect();
    let creates = all.iter().any(|edit| edit.document_changes.is_some());
    if !creates {
        let edits = all.into_iter().filter_map(|edit| edit.changes).flatten();
        let edits: Vec<_> =
            edits.flat_map(|(uri, edits)| edits.into_iter().map(move |edit| (uri.clone(), edit))).collect();
        return (!edits.is_empty()).then(|| changes(edits));
    }
    let mut operations = Vec::new();
    for edit in all {
        for (uri, edits) in edit.changes.into_iter().flatten() {
            let text_document = OptionalVersionedTextDocumentIdentifier::new(None, TextDocumentIdentifier { uri });
            let edits = edits.into_iter().map(Into::into).collect();
            operations.push(TextDocumentEdit { text_document, edits }.into());
        }
        if let Some(own) = edit.document_changes {
            operations.extend(own);
        }
    }
    Some(WorkspaceEdit { document_changes: Some(operations), ..WorkspaceEdit::default() })
}

fn edit(path: &Path, at: Position, new_text: String) -> Option<WorkspaceEdit> {
    Some(changes([(uri_of(path)?, TextEdit { range: Range::new(at, at), new_text })]))
}

/// Edits of several files, in their order.
pub(super) fn changes(edits: impl IntoIterator<Item = (Uri, TextEdit)>) -> WorkspaceEdit {
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for (uri, edit) in edits {
        changes.entry(uri).or_default().push(edit);
    }
    WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
}

/// How the lines of a text end: as its first one.
fn line_end(text: &Text) -> &str {
    let whole = text.as_str();
    let Some(end) = whole.find('\n') else { return "\n" };
    let start = whole[..end].trim_end_matches('\r').len();
    &whole[start..=end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::text::Encoding;

    #[test]
    fn lines_end_as_those_of_the_file() {
        let after = |old: &str, made: &dyn Fn(&Text) -> Option<WorkspaceEdit>| {
            let text = Text::new(old.to_owned(), Encoding::Utf8);
            let edits = made(&text).and_then(|edit| edit.changes?.into_values().next()).expect("a file's edits");
            (edits[0].range.start, edits[0].new_text.clone())
        };
        let path = Path::new("/a");
        let append = |old: &str| {
            let (_, new) = after(old, &|text| appended(path, text, "x\ny\n"));
            format!("{old}{new}")
        };
        assert_eq!(append(""), "x\ny\n");
        assert_eq!(append("a\n"), "a\n\nx\ny\n");
        assert_eq!(append("a"), "a\n\nx\ny\n");
        assert_eq!(append("a\n\n"), "a\n\nx\ny\n");
        assert_eq!(append("a\r\nb"), "a\r\nb\r\n\r\nx\r\ny\r\n");
        let (at, new) = after("a\r\nb\r\n", &|text| inserted(path, text, text.at(1), ["x"]));
        assert_eq!((at, new.as_str()), (Position::new(0, 1), "\r\nx"));
    }
}
