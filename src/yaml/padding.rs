//! Keeps the YAML parser off two inputs that it cannot bear, by blanks that mean nothing and are taken out again.
//!
//! A backslash as the last character of the input, and a tag followed at once by a comma (`[!!str, a]`), make libyaml-safer 0.3
//! panic. Both are harmless with a blank behind them. Invariant: offsets and values are those of the text without the blanks.

use std::borrow::Cow;

use super::{Style, Text};
use crate::diag::Span;

/// A text with blanks put in, and where they are.
pub(super) struct Padding<'a> {
    text: Cow<'a, str>,
    /// Offsets of the blanks in the padded text, ascending.
    blanks: Vec<usize>,
    /// Offsets in the original text of what follows each blank.
    places: Vec<usize>,
    /// What offsets of the original are relative to.
    base: usize,
}

impl<'a> Padding<'a> {
    /// Pads `text`, which starts at byte `base` of its file.
    pub(super) fn new(text: &'a str, base: usize) -> Padding<'a> {
        let places = places(text);
        if places.is_empty() {
            return Padding { text: Cow::Borrowed(text), blanks: Vec::new(), places, base };
        }
        let mut padded = String::with_capacity(text.len() + places.len());
        let mut blanks = Vec::with_capacity(places.len());
        let mut from = 0;
        for &place in &places {
            padded.push_str(&text[from..place]);
            blanks.push(padded.len());
            padded.push(' ');
            from = place;
        }
        padded.push_str(&text[from..]);
        Padding { text: Cow::Owned(padded), blanks, places, base }
    }

    /// The text to parse.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The offset in the file of an offset in the padded text.
    pub(super) fn original(&self, offset: u64) -> usize {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        self.base + offset - self.blanks.partition_point(|&blank| blank < offset)
    }

    /// The value without blanks that were put into its scalar, which stands at `span` of the file.
    pub(super) fn unpad(&self, value: String, span: Span, style: Style) -> String {
        if self.blanks.is_empty() {
            return value;
        }
        let (start, end) = (self.padded(span.start as usize), self.padded(span.end as usize));
        let below = |limit| self.blanks.partition_point(|&blank| blank < limit);
        let inside = &self.blanks[below(start)..below(end)];
        let Some(raw) = self.text.get(start..end).filter(|_| !inside.is_empty()) else { return value };
        // Where each character of the value stands in the padded text tells which of them were put in.
        let text = Text::new(value, raw, Span::new(span.file, start, end), style);
        let kept = text.char_indices().filter(|(at, c)| {
            let place = text.sub_span(*at..at + c.len_utf8());
            !(*c == ' ' && place.end == place.start + 1 && inside.binary_search(&(place.start as usize)).is_ok())
        });
        kept.map(|(_, c)| c).collect()
    }

    /// The offset in the padded text of an offset in the file.
    fn padded(&self, offset: usize) -> usize {
        let offset = offset - self.base;
        offset + self.places.partition_point(|&place| place <= offset)
    }
}

/// Where blanks are needed. Some of the places lie in strings and comments, where a blank is needless but harmless.
fn places(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut places = Vec::new();
    for at in memchr::memchr_iter(b'!', bytes) {
        let starts = at == 0 || matches!(bytes[at - 1], b' ' | b'\t' | b'\n' | b'\r' | b'[' | b'{' | b',');
        if !starts {
            continue;
        }
        let verbatim = bytes.get(at + 1) == Some(&b'<');
        let ends = |byte: &u8| {
            byte.is_ascii_whitespace()
                || if verbatim { *byte == b'>' } else { matches!(byte, b',' | b'[' | b']' | b'{' | b'}') }
        };
        let Some(len) = bytes[at..].iter().position(ends) else { continue };
        let end = at + len + usize::from(verbatim);
        if bytes.get(end) == Some(&b',') && places.last() != Some(&end) {
            places.push(end);
        }
    }
    if bytes.last() == Some(&b'\\') {
        places.push(text.len());
    }
    places
}
