//! String literals of C++: one or several adjacent ones, as one text.
//!
//! Invariant: a place in the text leads back to the place in the source.

use std::ops::Range;

/// The text of adjacent literals.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Literal {
    /// The text, with escapes decoded.
    pub(super) text: String,
    /// For each byte of the text, the byte of the source that it comes from.
    places: Vec<usize>,
    /// Where the last literal ends.
    end: usize,
}

impl Literal {
    /// Adds the literal at these bytes of a source.
    pub(super) fn add(&mut self, source: &str, range: Range<usize>) {
        let written = source.get(range.clone()).unwrap_or_default();
        self.end = range.end.saturating_sub(1);
        let Some(quote) = written.find('"') else { return };
        if written[..quote].ends_with('R') {
            let open = written[quote..].find('(').map_or(written.len(), |at| quote + at + 1);
            let close = written.rfind(')').unwrap_or(written.len()).max(open.min(written.len()));
            let inside = written.get(open..close).unwrap_or_default();
            for (at, c) in inside.char_indices() {
                self.push(c, range.start + open + at);
            }
            return;
        }
        let inside = written.get(quote + 1..written.len().saturating_sub(1)).unwrap_or_default();
        let mut chars = inside.char_indices();
        while let Some((at, c)) = chars.next() {
            let place = range.start + quote + 1 + at;
            match c {
                '\\' => match chars.next() {
                    Some((_, 'n')) => self.push('\n', place),
                    Some((_, 't')) => self.push('\t', place),
                    // A continued line.
                    Some((_, '\n')) | None => {}
                    Some((_, other)) => self.push(other, place),
                },
                c => self.push(c, place),
            }
        }
    }

    fn push(&mut self, c: char, place: usize) {
        self.text.push(c);
        self.places.resize(self.text.len(), place);
    }

    /// The bytes of the source for bytes of the text.
    pub(super) fn range(&self, range: Range<usize>) -> Range<usize> {
        let start = self.places.get(range.start).copied().unwrap_or(self.end);
        let last = range.end.checked_sub(1).and_then(|at| self.places.get(at)).copied();
        start..last.map_or(start, |last| last + 1).max(start)
    }
}
