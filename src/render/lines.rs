//! Lines and blanks as Python's `str` sees them, and the block rule built on them.
//!
//! The reference's output depends on `str.splitlines` and `str.rstrip`, which know more separators and blanks than `\n` and space.
//! Invariant: everything here is exact for any text; the fast path for plain ASCII lives in `fragment`.

/// Whether `str.isspace` holds for the character: Unicode white space and the four ASCII separators.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// Whether `str.splitlines` ends a line at the character.
pub(super) fn ends_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The text without the blanks at its end, as `str.rstrip`.
pub(super) fn strip_end(text: &str) -> &str {
    text.trim_end_matches(is_blank)
}

/// The lines of a text, as `str.splitlines`: none for the empty text, and no empty line after a final separator.
pub(super) fn split(text: &str) -> Split<'_> {
    Split { rest: text }
}

/// Iterator of [`split`].
pub(super) struct Split<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Split<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let Some((end, separator)) = self.rest.char_indices().find(|&(_, c)| ends_line(c)) else {
            return Some(std::mem::take(&mut self.rest));
        };
        let line = &self.rest[..end];
        let after = &self.rest[end..];
        // A carriage return and a newline are one separator.
        let width = if after.starts_with("\r\n") { 2 } else { separator.len_utf8() };
        self.rest = &after[width..];
        Some(line)
    }
}

/// The block rule on whole text: every line indented unless blank, lines and the block stripped at the end.
///
/// The indentation may hold line separators itself, which then split the lines once more.
/// Rule: torchgen/code_template.py, `CodeTemplate.substitute`.
pub(super) fn block<'a>(elements: impl Iterator<Item = &'a str>, indent: &str) -> String {
    let mut indented = String::new();
    for line in elements.flat_map(split) {
        if !line.chars().all(is_blank) {
            indented.push_str(indent);
        }
        indented.push_str(line);
        indented.push('\n');
    }
    // The newline pushed last ends a line rather than starting one, so splitting is not affected by it.
    let mut out = String::with_capacity(indented.len());
    for line in split(&indented) {
        out.push_str(strip_end(line));
        out.push('\n');
    }
    out.truncate(strip_end(&out).len());
    out
}
