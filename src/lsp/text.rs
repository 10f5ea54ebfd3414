//! Text that an editor shows, and places in it as the protocol counts them.
//!
//! Invariant: every place that a client sends has a byte in the text, if need be its end, and that
//! byte is the first of a character.

use std::sync::Arc;

use gen_lsp_types::{Position, PositionEncodingKind, Range, TextEdit};
use torchgen_base::diag::Place;

/// What a client counts in a line. The protocol's default is UTF-16.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Encoding {
    Utf8,
    #[default]
    Utf16,
    Utf32,
}

impl Encoding {
    /// The one to use with a client that offers these, in its order of preference.
    pub(super) fn chosen(offered: &[PositionEncodingKind]) -> Encoding {
        let known = |kind: &PositionEncodingKind| match kind.as_str() {
            "utf-8" => Some(Encoding::Utf8),
            "utf-16" => Some(Encoding::Utf16),
            "utf-32" => Some(Encoding::Utf32),
            _ => None,
        };
        offered.iter().find_map(known).unwrap_or_default()
    }

    /// Its name in the protocol.
    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn length(self, of: char) -> usize {
        match self {
            Encoding::Utf8 => of.len_utf8(),
            Encoding::Utf16 => of.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }
}

/// A text and its lines. Copies share them.
#[derive(Debug, Clone)]
pub(super) struct Text {
    text: Arc<String>,
    /// The first byte of every line.
    lines: Arc<[usize]>,
    encoding: Encoding,
}

impl Text {
    pub(super) fn new(text: String, encoding: Encoding) -> Text {
        let bytes = text.as_bytes();
        let ends = |at: &usize| match bytes[*at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let lines = std::iter::once(0).chain((0..bytes.len()).filter(ends).map(|at| at + 1)).collect();
        Text { text: Arc::new(text), lines, encoding }
    }

    /// The text, without a copy of it.
    pub(super) fn shared(&self) -> Arc<String> {
        Arc::clone(&self.text)
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// How many lines it has.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// A line without its end, counted from 0; empty beyond the last.
    pub(super) fn line(&self, line: usize) -> &str {
        let Some(start) = self.lines.get(line) else { return "" };
        let end = self.lines.get(line + 1).copied().unwrap_or(self.text.len());
        self.text[*start..end].trim_end_matches(['\n', '\r'])
    }

    /// The byte of a place, within its line.
    pub(super) fn column(&self, position: Position) -> usize {
        let wanted = position.character as usize;
        let line = self.line(position.line as usize);
        let mut seen = 0;
        for (at, character) in line.char_indices() {
            if seen >= wanted {
                return at;
            }
            seen += self.encoding.length(character);
        }
        line.len()
    }

    /// The place of a byte of a line.
    pub(super) fn position(&self, line: usize, column: usize) -> Position {
        let text = self.line(line);
        let before = text.get(..column.min(text.len())).unwrap_or(text);
        let character = before.chars().map(|character| self.encoding.length(character)).sum::<usize>();
        Position::new(number(line), number(character))
    }

    /// Bytes of a line as a range.
    pub(super) fn range(&self, line: usize, columns: std::ops::Range<usize>) -> Range {
        Range::new(self.position(line, columns.start), self.position(line, columns.end))
    }

    /// A place of a diagnostic.
    pub(super) fn place(&self, place: &Place) -> Range {
        let position = |line: usize, column: usize| {
            let text = self.line(line.saturating_sub(1));
            let byte = text.char_indices().nth(column.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
            self.position(line.saturating_sub(1), byte)
        };
        Range::new(position(place.line, place.column), position(place.end_line, place.end_column))
    }

    /// The line of a byte, and the byte in it.
    pub(super) fn line_of(&self, byte: usize) -> (usize, usize) {
        let line = self.lines.partition_point(|start| *start <= byte).saturating_sub(1);
        (line, byte - self.lines[line])
    }

    /// The place of a byte.
    pub(super) fn at(&self, byte: usize) -> Position {
        let (line, column) = self.line_of(byte);
        self.position(line, column)
    }

    /// The edits that make another text of it: one that replaces the lines that differ.
    pub(super) fn edits_to(&self, new: &str) -> Vec<TextEdit> {
        let old = self.as_str();
        if old == new {
            return Vec::new();
        }
        let after_line = |text: &str, at: usize| {
            text.as_bytes()[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)
        };
        let same = |pairs: &mut dyn Iterator<Item = (u8, u8)>| pairs.take_while(|(a, b)| a == b).count();
        let start = after_line(old, same(&mut old.bytes().zip(new.bytes())));
        let tail = same(&mut old[start..].bytes().rev().zip(new[start..].bytes().rev()));
        // From the first whole line of what is the same at the end.
        // The bytes that are the same may begin within a character.
        let begins_line = |text: &str| text.len() - tail == start || text.as_bytes()[text.len() - tail - 1] == b'\n';
        let tail = match begins_line(old) && begins_line(new) {
            true => tail,
            false => {
                let end = &old.as_bytes()[old.len() - tail..];
                end.iter().position(|byte| *byte == b'\n').map_or(0, |at| tail - at - 1)
            }
        };
        let range = Range::new(self.at(start), self.at(old.len() - tail));
        vec![TextEdit { range, new_text: new[start..new.len() - tail].to_owned() }]
    }

    /// The text after an edit of a client; all of it without a range.
    pub(super) fn edited(&self, range: Option<Range>, by: &str) -> Text {
        let Some(range) = range else { return Text::new(by.to_owned(), self.encoding) };
        let byte = |position: Position| match self.lines.get(position.line as usize) {
            Some(start) => start + self.column(position),
            None => self.text.len(),
        };
        let (start, end) = (byte(range.start), byte(range.end));
        let text = [&self.text[..start.min(end)], by, &self.text[end.max(start)..]].concat();
        Text::new(text, self.encoding)
    }
}

pub(super) fn number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_each_encoding() {
        for (encoding, character) in [(Encoding::Utf8, 7), (Encoding::Utf16, 4), (Encoding::Utf32, 3)] {
            let text = Text::new("a\r\né𝛼bc\rd\n".to_owned(), encoding);
            assert_eq!((text.len(), text.line(1), text.line(2), text.line(9)), (4, "é𝛼bc", "d", ""));
            let after = Position::new(1, character);
            assert_eq!(text.column(after), 7, "{encoding:?}");
            assert_eq!(text.position(1, 7), after);
            let place = Place { file: String::new(), line: 2, column: 4, end_line: 2, end_column: 99 };
            assert_eq!(text.place(&place), Range::new(after, Position::new(1, character + 1)));
            let edited = text.edited(Some(Range::new(after, Position::new(2, 1))), "X");
            assert_eq!(edited.as_str(), "a\r\né𝛼bX\n");
        }
        assert_eq!(Encoding::chosen(&[PositionEncodingKind::new("x"), PositionEncodingKind::UTF8]), Encoding::Utf8);
        assert_eq!(Encoding::chosen(&[]), Encoding::Utf16);
    }

    #[test]
    fn edits_to_another_text() {
        for (old, new, edited) in [
            ("a\nb\nc\n", "a\nx\nc\n", "x\n"),
            ("a\nb\nc\n", "a\nc\n", ""),
            ("é\r\nb: 1\r\nb: 1\r\n", "é\r\nb: 1\r\n", ""),
            ("a\n\u{e9}1\n", "a\n\u{e8}1\n", "\u{e8}1\n"),
            ("a\n\u{e9}\n", "a\n\u{169}\n", "\u{169}\n"),
            ("a\nb", "a\nb\n", "b\n"),
            ("a", "", ""),
            ("", "a\nb\n", "a\nb\n"),
        ] {
            let text = Text::new(old.to_owned(), Encoding::Utf16);
            let edits = text.edits_to(new);
            assert_eq!(edits.len(), 1, "{old}");
            assert_eq!(text.edited(Some(edits[0].range), &edits[0].new_text).as_str(), new, "{old}");
            assert_eq!(edits[0].new_text, edited, "{old}");
        }
        assert_eq!(Text::new("a".to_owned(), Encoding::Utf8).edits_to("a"), []);
    }

    #[test]
    fn edits_beyond_the_text() {
        let text = Text::new("ab".to_owned(), Encoding::Utf16);
        let far = Position::new(7, 7);
        assert_eq!(text.edited(Some(Range::new(far, far)), "c").as_str(), "abc");
        assert_eq!(text.edited(None, "").as_str(), "");
    }
}
