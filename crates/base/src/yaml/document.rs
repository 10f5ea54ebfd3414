//! Parses YAML text into a tree in which every node knows its place.
//!
//! Invariant: grammar and syntax errors are libyaml's, so that what PyYAML refuses is refused here,
//! at the same place. Aliases are expanded; the size of the result is bounded. After a syntax error
//! in a list of entries, reading continues with the next entry. A long list is read in parts, on
//! all threads, if that makes no difference.

use std::ops::Range;

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use super::build::Builder;
use super::tree::{Node, NodeKind, Options};
use crate::diag::{Diagnostic, Diagnostics, FileId, Sources, Span, codes};

/// Reading stops after this many syntax errors.
const MAX_SYNTAX_ERRORS: usize = 20;

/// How long a part of a long list is at least, in bytes.
const PART: usize = 1 << 15;

/// Reads the only document of a file. An empty one is null.
///
/// Errors go to `diagnostics`. After a syntax error, returns the readable entries if the file is a
/// list of entries, else `None`.
pub fn parse(sources: &Sources, file: FileId, options: Options, diagnostics: &mut Diagnostics) -> Option<Node> {
    let text = sources.text(file);
    if !check_characters(text, file, diagnostics) {
        return None;
    }
    match in_parts(sources, file, options) {
        Some(entries) => Some(sequence(entries, file)),
        None => whole(text, file, options, diagnostics),
    }
}

/// The entries of a long list that is not indented. `None` if a part has an error or a warning, or
/// is not a list by itself: then the list is read as a whole. A quotation that goes on in the next
/// part, or an alias of a node in another one, is such an error.
fn in_parts(sources: &Sources, file: FileId, options: Options) -> Option<Vec<Node>> {
    let text = sources.text(file);
    let finds = |mark: &[u8]| memchr::memmem::find(text.as_bytes(), mark).is_some();
    // What marks a document is known to the reader of the whole text only.
    if text.len() < 2 * PART || !text.is_ascii() || finds(b"\n---") || finds(b"\n...") || text.starts_with('%') {
        return None;
    }
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let rest = text.as_bytes().get(start + PART..).unwrap_or_default();
        let end = memchr::memmem::find(rest, b"\n- ").map_or(text.len(), |at| start + PART + at + 1);
        parts.push(start..end);
        start = end;
    }
    let read = |part: &Range<usize>| {
        let mut found = Diagnostics::new();
        let node = parse_part(sources, file, part.clone(), options, &mut found)?;
        match node.kind {
            NodeKind::Sequence(entries) if found.is_empty() => Some(entries),
            _ => None,
        }
    };
    let read: Option<Vec<Vec<Node>>> = parts.par_iter().with_max_len(1).map(read).collect();
    Some(read?.into_iter().flatten().collect())
}

/// Reads the only document of a text.
fn whole(text: &str, file: FileId, options: Options, diagnostics: &mut Diagnostics) -> Option<Node> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a text is read in parts, and then as the whole is.
    #[track_caller]
    fn check(text: &str, expected: bool) {
        let mut sources = Sources::new();
        let file = sources.add("f.yaml", text.to_owned());
        let parts = in_parts(&sources, file, Options::OPERATORS);
        assert_eq!(parts.is_some(), expected);
        let mut found = Diagnostics::new();
        let whole = whole(text, file, Options::OPERATORS, &mut found);
        if let Some(parts) = parts {
            let NodeKind::Sequence(entries) = whole.expect("a list").kind else { panic!("a list") };
            assert_eq!(format!("{parts:?}"), format!("{entries:?}"));
            assert!(found.is_empty());
        }
    }

    #[test]
    fn parts_are_the_whole() {
        let entry = |at: usize| {
            format!("- func: f{at}(Tensor self) -> Tensor\n  # - a comment\n  dispatch:\n    CPU: f{at}\n\n")
        };
        let list: String = (0..2000).map(entry).collect();
        let middle = list.find("- func: f1000").expect("an entry");
        let with = |text: &str| [&list[..middle], text, &list[middle..]].concat();
        check(&list, true);
        check(&with("- text: |\n    - a\n   \n    - b\n"), true);
        check(&with("- [a,\n b]\n-\n  c\n"), true);
        check(&list[..2 * PART - 1], false);
        // In a text that parts would cut: a quotation, an alias, an error, a document, a mapping.
        let quoted = format!("- 'a\n{}'\n", "- b\n".repeat(PART));
        check(&quoted, false);
        check(&format!("- &a b\n{list}- *a\n"), false);
        check(&with("- {a: b\n"), false);
        check(&with("- {a: b, a: c}\n"), false);
        check(&with("---\n"), false);
        check(&format!("a:\n{list}"), false);
        check(&with("- \u{e9}\n"), false);
    }
}
