//! String literals of C++: one or several adjacent ones, as one text.
//!
//! Invariant: a place in the text leads back to a place in a source: the character's own, or where
//! a macro that makes it is used.

use std::ops::Range;

use torchgen_base::diag::Span;

/// The text of adjacent literals.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Literal {
    /// The text, with escapes decoded.
    pub text: String,
    /// For each byte of the text, the place that it comes from.
    places: Vec<Span>,
    /// Where the last literal ends.
    end: Span,
}

impl Literal {
    /// Adds a literal as it is written. Its place is that of its quotes too, or of a macro's use.
    pub(crate) fn add(&mut self, written: &str, place: Span, is_written_there: bool) {
        let at = |offset: usize, length: usize| match is_written_there {
            true => Span::new(place.file, place.start as usize + offset, place.start as usize + offset + length),
            false => place,
        };
        self.end = if is_written_there { at(written.len().saturating_sub(1), 0) } else { place };
        let Some(quote) = written.find('"') else { return };
        if written[..quote].ends_with('R') {
            let open = written[quote..].find('(').map_or(written.len(), |at| quote + at + 1);
            let close = written.rfind(')').unwrap_or(written.len()).max(open.min(written.len()));
            let inside = written.get(open..close).unwrap_or_default();
            for (offset, c) in inside.char_indices() {
                self.push(c, at(open + offset, c.len_utf8()));
            }
            return;
        }
        let inside = written.get(quote + 1..written.len().saturating_sub(1)).unwrap_or_default();
        let mut chars = inside.char_indices();
        while let Some((offset, c)) = chars.next() {
            let place = at(quote + 1 + offset, c.len_utf8());
            match c {
                '\\' => match chars.next() {
                    Some((_, 'n')) => self.push('\n', place),
                    Some((_, 't')) => self.push('\t', place),
                    // A continued line.
                    Some((_, '\n')) | None => {}
                    Some((_, '\r')) => drop(chars.next()),
                    Some((_, other)) => self.push(other, place),
                },
                c => self.push(c, place),
            }
        }
    }

    fn push(&mut self, c: char, place: Span) {
        self.text.push(c);
        self.places.resize(self.text.len(), place);
    }

    /// The place of bytes of the text.
    pub fn place(&self, range: Range<usize>) -> Span {
        let start = self.places.get(range.start).copied().unwrap_or(self.end);
        let last = range.end.checked_sub(1).filter(|last| *last > range.start).and_then(|at| self.places.get(at));
        match last {
            Some(last) if last.file == start.file && last.end >= start.end => Span { end: last.end, ..start },
            _ if range.is_empty() => Span { end: start.start, ..start },
            _ => start,
        }
    }
}
