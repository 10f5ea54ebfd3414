//! Lines and blanks as defined by Python's `str`, and the block rule.
//!
//! The reference's output depends on `str.splitlines` and `str.rstrip`, which recognize more
//! separators and blanks than `\n` and space. Invariant: everything here is exact for any text; the
//! fast path for plain ASCII is in `fragment`.

use std::borrow::Cow;

use memchr::memchr;

use crate::diag::visible;

/// The text with all line ends converted to newlines, as Python reads a file in text mode.
pub(super) fn newlines(text: &str) -> Cow<'_, str> {
    if text.contains('\r') { Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")) } else { Cow::Borrowed(text) }
}

/// Whether `str.isspace` is true for the character: Unicode white space and the four ASCII
/// separators.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// Whether `str.splitlines` splits at the character.
pub(super) fn ends_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The text as a part of a comment that ends with its line: what ends a line in C++, in Python or
/// in an editor is escaped.
pub(super) fn in_comment(text: &str) -> String {
    let text = visible(text);
    if !text.contains(ends_line) && !text.ends_with(['\\', '/']) {
        return text.into_owned();
    }
    let escaped: String =
        text.chars().map(|c| if ends_line(c) { c.escape_default().to_string() } else { c.into() }).collect();
    // A backslash at the end of a line continues it, also as a trigraph.
    if escaped.ends_with('\\') || escaped.ends_with("??/") { escaped + "." } else { escaped }
}

/// The text without blanks at its end, as `str.rstrip`.
pub(super) fn strip_end(text: &str) -> &str {
    text.trim_end_matches(is_blank)
}

/// The lines of a text, as `str.splitlines`: none for the empty text, and no empty line after a
/// final separator.
pub(super) fn split(text: &str) -> Split<'_> {
    Split { rest: text, odd: 0 }
}

/// The iterator of [`split`].
pub(super) struct Split<'a> {
    rest: &'a str,
    /// The length of a prefix of the rest that has no newline, so that it is not searched again: a
    /// text can consist of other separators.
    odd: usize,
}

impl<'a> Iterator for Split<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        // Nearly all lines are plain and end at the next newline.
        if self.odd == 0 {
            let newline = memchr(b'\n', self.rest.as_bytes());
            let (until, line) = newline.map_or((self.rest.len(), self.rest), |end| (end + 1, &self.rest[..end]));
            // Without an early exit, which the compiler vectorizes.
            if line.bytes().fold(true, |plain, b| plain & is_plain(b)) {
                self.rest = &self.rest[until..];
                return Some(line);
            }
            self.odd = line.len();
        }
        let Some((end, separator)) = self.rest.char_indices().find(|&(_, c)| ends_line(c)) else {
            return Some(std::mem::take(&mut self.rest));
        };
        let line = &self.rest[..end];
        let after = &self.rest[end..];
        // A carriage return and a newline are one separator.
        let width = if after.starts_with("\r\n") { 2 } else { separator.len_utf8() };
        self.rest = &after[width..];
        self.odd = self.odd.saturating_sub(end + width);
        Some(line)
    }
}

/// Whether a byte is printable ASCII, a tab or a newline: in a text of such bytes only `\n` ends a
/// line, and only space and tab are blank.
pub(super) fn is_plain(b: u8) -> bool {
    // Signed, bytes beyond ASCII are negative.
    ((b.cast_signed() >= 0x20) & (b != 0x7f)) | (b == b'\n') | (b == b'\t')
}

/// The block rule for a whole text: lines that are not blank are indented, and the ends of lines
/// and of the block stripped.
///
/// If the indentation contains line separators, they split the lines again.
/// Rule: torchgen/code_template.py, `CodeTemplate.substitute`.
pub(super) fn block<'a>(elements: impl Iterator<Item = &'a str>, indent: &str) -> String {
    let mut out = String::new();
    for line in elements.flat_map(split) {
        let line = strip_end(line);
        if !line.is_empty() {
            out.push_str(indent);
            out.push_str(line);
        }
        out.push('\n');
    }
    if indent.contains(ends_line) {
        let indented = std::mem::take(&mut out);
        for line in split(&indented) {
            out.push_str(strip_end(line));
            out.push('\n');
        }
    }
    out.truncate(strip_end(&out).len());
    out
}
