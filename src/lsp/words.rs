//! The words of a line.
//!
//! Invariant: a word is what the program would look up: an operator with its overload and
//! namespace, an argument, a function, a key.

use std::ops::Range;

use super::text::Text;

/// A name without its namespace.
pub(super) fn short(name: &str) -> &str {
    name.rsplit_once("::").map_or(name, |(_, name)| name)
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':')
}

/// The bytes of the word at a column; empty if there is none.
pub(super) fn at(line: &str, column: usize) -> Range<usize> {
    let bytes = line.as_bytes();
    let column = column.min(bytes.len());
    let mut start = column;
    while start > 0 && is_part(bytes[start - 1]) {
        start -= 1;
    }
    let mut end = column;
    while end < bytes.len() && is_part(bytes[end]) {
        end += 1;
    }
    // A colon ends a key, and a dot a sentence.
    while end > start && matches!(bytes[end - 1], b'.' | b':') {
        end -= 1;
    }
    while start < end && matches!(bytes[start], b'.' | b':') {
        start += 1;
    }
    start..end.max(start)
}

/// The identifier at a column: a word up to its first dot, unless the column is after that.
pub(super) fn identifier(line: &str, column: usize) -> Range<usize> {
    let own = at(line, column);
    match line[own.clone()].find('.') {
        Some(dot) if own.start + dot >= column => own.start..own.start + dot,
        _ => own,
    }
}

/// Where a text has a word, as line and bytes. Comments are left out. With `whole`, members of it
/// are other words, and a namespace before it is not: `x.size` does not have `x`, and `n::x` has.
pub(super) fn occurrences(text: &Text, word: &str, whole: bool) -> Vec<(usize, Range<usize>)> {
    let mut found = Vec::new();
    // Most files do not have it.
    if word.is_empty() || memchr::memmem::find(text.as_str().as_bytes(), word.as_bytes()).is_none() {
        return found;
    }
    for line in 0..text.len() {
        let content = text.line(line);
        let end = match content.trim_start().starts_with('#') {
            true => 0,
            false => content.find(" #").unwrap_or(content.len()),
        };
        for (start, _) in content[..end].match_indices(word) {
            let own = if whole { at(content, start) } else { identifier(content, start) };
            let is_named = own.start == start || whole && content[own.start..start].ends_with("::");
            if is_named && own.end == start + word.len() {
                found.push((line, start..own.end));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::text::Encoding;

    #[test]
    fn words_of_a_line() {
        let line = "- func: at::add.Tensor(Tensor self), x: y.";
        let word = |column: usize| &line[at(line, column)];
        assert_eq!(
            (word(3), word(6), word(9), word(22), word(31), word(99)),
            ("func", "func", "at::add.Tensor", "at::add.Tensor", "self", "y")
        );
        assert_eq!(at("", 4), 0..0);
        assert!(at("::", 1).is_empty());
    }

    #[test]
    fn where_a_word_is() {
        let text = Text::new("add add.x n::add\n# add\nb: add # add\nadd_\n".to_owned(), Encoding::Utf8);
        assert_eq!(occurrences(&text, "add", true), [(0, 0..3), (0, 13..16), (2, 3..6)]);
        assert_eq!(occurrences(&text, "add", false), [(0, 0..3), (0, 4..7), (2, 3..6)]);
    }
}
