//! Parses YAML text into a tree in which every node knows its place.
//!
//! Invariant: grammar and syntax errors are libyaml's, so that what PyYAML refuses is refused here,
//! at the same place. Aliases are expanded; the size of the result is bounded. After a syntax error
//! in a list of entries, reading continues with the next entry.

use std::ops::Range;

use super::build::Builder;
use super::tree::{Node, NodeKind, Options};
use crate::diag::{Diagnostic, Diagnostics, FileId, Sources, Span, codes};

/// Reading stops after this many syntax errors.
const MAX_SYNTAX_ERRORS: usize = 20;

/// Reads the only document of a file. An empty one is null.
///
/// Errors go to `diagnostics`. After a syntax error, returns the readable entries if the file is a
/// list of entries, else `None`.
pub fn parse(sources: &Sources, file: FileId, options: Options, diagnostics: &mut Diagnostics) -> Option<Node> {
    let text = sources.text(file);
    if !check_characters(text, file, diagnostics) {
        return None;
    }
    // Skip a byte order mark that decoding left in.
    let mut from = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut builder = Builder::new(file, text, options, diagnostics);
    let mut entries: Option<Vec<Node>> = None;
    for _ in 0..MAX_SYNTAX_ERRORS {
        let outcome = builder.document(from);
        let Some(stopped_at) = outcome.stopped_at else {
            return match (entries, outcome.node) {
                (Some(mut entries), Some(Node { kind: NodeKind::Sequence(more), .. })) => {
                    entries.extend(more);
                    Some(sequence(entries, file))
                }
                (Some(entries), _) => Some(sequence(entries, file)),
                (None, node) => node,
            };
        };
        let Some(Node { kind: NodeKind::Sequence(read), span, .. }) = outcome.node else { break };
        if !text.get(span.range()).is_some_and(|raw| raw.starts_with('-')) {
            break;
        }
        entries.get_or_insert_default().extend(read);
        match next_entry(text, stopped_at) {
            Some(next) if next > from => from = next,
            _ => break,
        }
    }
    entries.map(|entries| sequence(entries, file))
}

/// Reads the entries in a part of a file that holds a list of entries. `None` if they have a syntax
/// error.
pub fn parse_part(
    sources: &Sources,
    file: FileId,
    part: Range<usize>,
    options: Options,
    diagnostics: &mut Diagnostics,
) -> Option<Node> {
    let text = sources.text(file).get(..part.end)?;
    let outcome = Builder::new(file, text, options, diagnostics).document(part.start);
    outcome.node.filter(|_| outcome.stopped_at.is_none())
}

/// Reads all documents of a file, separated by lines that start with `---`. Empty ones are omitted.
///
/// Errors go to `diagnostics`; a document with a syntax error is omitted.
pub fn parse_documents(sources: &Sources, file: FileId, options: Options, diagnostics: &mut Diagnostics) -> Vec<Node> {
    let text = sources.text(file);
    if !check_characters(text, file, diagnostics) {
        return Vec::new();
    }
    let first = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let is_mark = |at: &usize| matches!(text.as_bytes().get(at + 3), None | Some(b' ' | b'\n' | b'\r'));
    let marks = memchr::memmem::find_iter(text.as_bytes(), b"\n---").map(|at| at + 1).filter(is_mark);
    let starts: Vec<usize> = std::iter::once(first).chain(marks).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let read = |(from, end): (usize, usize)| {
        let outcome = Builder::new(file, &text[..end], options, diagnostics).document(from);
        outcome.node.filter(|node| outcome.stopped_at.is_none() && !node.is_null())
    };
    starts.iter().copied().zip(ends).filter_map(read).collect()
}

fn sequence(entries: Vec<Node>, file: FileId) -> Node {
    let span = entries.iter().map(|node| node.span).reduce(Span::to).unwrap_or(Span::new(file, 0, 0));
    Node { span, tag: None, kind: NodeKind::Sequence(entries) }
}

/// The next line after `offset` that starts an entry of an unindented list.
fn next_entry(text: &str, offset: usize) -> Option<usize> {
    memchr::memmem::find_iter(text.as_bytes().get(offset..)?, b"\n-")
        .map(|at| offset + at + 1)
        .find(|&at| matches!(text.as_bytes().get(at + 1), Some(b' ' | b'\n' | b'\r')))
}

/// Reports characters that YAML forbids; returns whether there are none.
fn check_characters(text: &str, file: FileId, diagnostics: &mut Diagnostics) -> bool {
    let suspicious = |&byte: &u8| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r') || byte == 0x7f || byte >= 0x80;
    if !text.as_bytes().iter().any(suspicious) {
        return true;
    }
    let forbidden = |&(_, c): &(usize, char)| !matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..);
    let mut clean = true;
    for (at, c) in text.char_indices().filter(forbidden).take(MAX_SYNTAX_ERRORS) {
        clean = false;
        diagnostics.push(
            Diagnostic::new(&codes::YAML_CHARACTER, format!("control characters are not allowed: U+{:04X}", c as u32))
                .at(Span::new(file, at, at + c.len_utf8()))
                .help("delete it, or write it as an escape in a double-quoted string"),
        );
    }
    clean
}
