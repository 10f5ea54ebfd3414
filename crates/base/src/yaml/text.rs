//! A decoded scalar that maps each of its characters to a byte of the file.
//!
//! Invariant: `sub_span` never leaves the scalar's span.

use std::ops::{Deref, Range};

use serde::{Serialize, Serializer};

use crate::diag::{Diagnostic, FileId, Help, Span, TextError};

/// How a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Style {
    /// No quotes.
    Plain,
    /// `'…'`
    SingleQuoted,
    /// `"…"`
    DoubleQuoted,
    /// `|`
    Literal,
    /// `>`
    Folded,
}

/// A scalar's value and place. Compares by value.
#[derive(Debug, Clone)]
pub struct Text {
    value: String,
    span: Span,
    style: Style,
    map: Map,
}

/// Maps offsets in the value to offsets in the file.
#[derive(Debug, Clone)]
enum Map {
    /// Byte `i` of the value is byte `base + i` of the file.
    Linear(u32),
    /// Runs of the value, ascending and without gaps.
    Pieces(Box<[Piece]>),
    /// Unknown: every part maps to the whole scalar.
    Whole,
}

/// A run of the value, either copied from the file (`linear`) or made from a run of another length:
/// an escape, a folded line break.
#[derive(Debug, Clone, Copy)]
struct Piece {
    value: u32,
    file: u32,
    file_end: u32,
    linear: bool,
}

impl Text {
    /// The scalar at `span` of the file; `raw` is its raw form, quotes included.
    pub(super) fn new(value: String, raw: &str, span: Span, style: Style) -> Text {
        let quotes = usize::from(matches!(style, Style::SingleQuoted | Style::DoubleQuoted));
        let inner = raw.get(quotes..raw.len().saturating_sub(quotes)).unwrap_or("");
        let map = if inner == value && !matches!(style, Style::Literal | Style::Folded) {
            Map::Linear(span.start + quotes as u32)
        } else {
            let pieces = match style {
                Style::Plain => flow_pieces(&value, raw, 0, raw.len(), style),
                Style::SingleQuoted | Style::DoubleQuoted => flow_pieces(&value, raw, 1, raw.len().max(2) - 1, style),
                Style::Literal | Style::Folded => block_pieces(&value, raw),
            };
            match pieces {
                Some(pieces) => Map::Pieces(pieces.into_iter().map(|piece| piece.moved(span.start)).collect()),
                None => Map::Whole,
            }
        };
        Text { value, span, style, map }
    }

    /// A text that is not literally in the file, such as one made from several parts; all of it
    /// maps to `span`.
    pub fn made(value: impl Into<String>, span: Span) -> Text {
        Text { value: value.into(), span, style: Style::Plain, map: Map::Whole }
    }

    /// The value.
    pub fn as_str(&self) -> &str {
        &self.value
    }

    /// Returns the value.
    pub fn into_string(self) -> String {
        self.value
    }

    /// The scalar's place in the file, quotes included.
    pub fn span(&self) -> Span {
        self.span
    }

    /// How it is written.
    pub(crate) fn style(&self) -> Style {
        self.style
    }

    /// Whether it is written on several lines without `|`, so that they are one line of the value.
    pub fn joins_lines(&self) -> bool {
        self.style == Style::Plain && matches!(self.map, Map::Pieces(_))
    }

    /// The place of a range of bytes of the value in the file. An empty range maps to the place
    /// before the byte.
    pub fn sub_span(&self, range: Range<usize>) -> Span {
        let start = self.file_start(range.start.min(self.value.len()));
        let end = if range.end > range.start { self.file_end(range.end.min(self.value.len())) } else { start };
        let clamp = |at: u32| at.clamp(self.span.start, self.span.end);
        let (start, end) = match self.map {
            Map::Whole => (self.span.start, self.span.end),
            _ => (clamp(start), clamp(end.max(start))),
        };
        Span { file: self.span.file, start, end }
    }

    /// A part of the text. The range must start and end at characters; it is cut to the text.
    pub fn slice(&self, range: Range<usize>) -> Text {
        let range = range.start.min(self.value.len())..range.end.min(self.value.len());
        let Some(value) = self.value.get(range.clone()) else { return Text::made("", self.span) };
        let from = range.start as u32;
        let map = match &self.map {
            Map::Linear(base) => Map::Linear(base + from),
            Map::Whole => Map::Whole,
            Map::Pieces(pieces) => {
                let first = pieces.partition_point(|piece| piece.value <= from).saturating_sub(1);
                let kept = pieces[first..].iter().take_while(|piece| (piece.value as usize) < range.end.max(1));
                let cut = kept.map(|piece| {
                    let skip = from.saturating_sub(piece.value);
                    let file = if piece.linear { piece.file + skip } else { piece.file };
                    Piece { value: (piece.value + skip) - from, file, ..*piece }
                });
                Map::Pieces(cut.collect())
            }
        };
        Text { value: value.to_owned(), span: self.sub_span(range), style: self.style, map }
    }

    /// The text with ranges replaced: ascending ones that do not overlap. A replacement maps to the
    /// place of what it replaces.
    pub fn with_replaced(&self, ranges: &[(Range<usize>, &str)]) -> Text {
        let mut value = String::new();
        let mut pieces: Vec<Piece> = Vec::new();
        let kept = |range: Range<usize>, value: &mut String, pieces: &mut Vec<Piece>| {
            let part = self.slice(range);
            let at = value.len() as u32;
            match &part.map {
                Map::Linear(base) => {
                    pieces.push(Piece {
                        value: at,
                        file: *base,
                        file_end: base + part.value.len() as u32,
                        linear: true,
                    });
                }
                Map::Pieces(own) => pieces.extend(own.iter().map(|piece| Piece { value: piece.value + at, ..*piece })),
                Map::Whole => {}
            }
            value.push_str(&part.value);
        };
        let mut from = 0;
        for (range, with) in ranges {
            kept(from..range.start, &mut value, &mut pieces);
            let Span { start, end, .. } = self.sub_span(range.clone());
            pieces.push(Piece { value: value.len() as u32, file: start, file_end: end, linear: false });
            value.push_str(with);
            from = range.end;
        }
        kept(from..self.value.len(), &mut value, &mut pieces);
        let map = if matches!(self.map, Map::Whole) { Map::Whole } else { Map::Pieces(pieces.into()) };
        Text { value, span: self.span, style: self.style, map }
    }

    /// The parts between separators, as `str::split` gives them.
    pub fn split(&self, separator: &str) -> Vec<Text> {
        let mut parts = Vec::new();
        let mut from = 0;
        for (at, found) in self.value.match_indices(separator) {
            parts.push(self.slice(from..at));
            from = at + found.len();
        }
        parts.push(self.slice(from..self.value.len()));
        parts
    }

    /// The text without white space at both ends.
    pub fn trim(&self) -> Text {
        let from = self.value.len() - self.value.trim_start().len();
        self.slice(from..from + self.value.trim().len())
    }

    /// A help for a place in the text: what it writes is quoted as the text is. It has no fix if
    /// that cannot be written there.
    pub fn helped(&self, help: Help) -> Help {
        help.written(|new| self.quoted(new))
    }

    /// A help that replaces all of the text.
    pub fn replaced(&self, help: Help, by: &str) -> Help {
        match self.quoted(by) {
            Some(by) => help.at(self.sub_span(0..self.value.len()), by),
            None => help,
        }
    }

    /// A part of the text as the file has it; `None` if it cannot be written there.
    fn quoted(&self, new: &str) -> Option<String> {
        if matches!(self.map, Map::Whole) || new.contains(['\n', '\r']) {
            return None;
        }
        match self.style {
            Style::SingleQuoted => Some(new.replace('\'', "''")),
            Style::DoubleQuoted => Some(new.replace('\\', "\\\\").replace('"', "\\\"")),
            Style::Literal | Style::Folded => Some(new.to_owned()),
            // It would begin a mapping or a comment.
            Style::Plain => (!new.contains(": ") && !new.contains(" #") && !new.ends_with(':')).then(|| new.to_owned()),
        }
    }

    fn file_start(&self, offset: usize) -> u32 {
        let offset = offset as u32;
        match &self.map {
            Map::Linear(base) => base + offset,
            Map::Whole => self.span.start,
            Map::Pieces(pieces) => match pieces.partition_point(|piece| piece.value <= offset).checked_sub(1) {
                None => self.span.start,
                Some(last) if offset as usize >= self.value.len() => pieces[last].file_end,
                Some(last) => pieces[last].at(offset),
            },
        }
    }

    fn file_end(&self, offset: usize) -> u32 {
        let Some(before) = (offset as u32).checked_sub(1) else { return self.file_start(0) };
        match &self.map {
            Map::Linear(base) => base + offset as u32,
            Map::Whole => self.span.end,
            Map::Pieces(pieces) => match pieces.partition_point(|piece| piece.value <= before).checked_sub(1) {
                None => self.span.end,
                Some(last) if pieces[last].linear => pieces[last].at(before) + 1,
                Some(last) => pieces[last].file_end,
            },
        }
    }
}

impl Piece {
    fn at(self, offset: u32) -> u32 {
        if self.linear { self.file + (offset - self.value) } else { self.file }
    }

    fn moved(self, by: u32) -> Piece {
        Piece { file: self.file + by, file_end: self.file_end + by, ..self }
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.value
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        self.value == other.value
    }
}

impl Eq for Text {}

impl std::hash::Hash for Text {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.value == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.value == *other
    }
}

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.value)
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.value)
    }
}

impl From<&str> for Text {
    /// A text that is in no file; for tests and for values from the command line.
    fn from(value: &str) -> Text {
        Text::made(value, Span::new(FileId(u32::MAX), 0, 0))
    }
}

/// Collects pieces; joins adjacent runs.
#[derive(Default)]
struct Pieces(Vec<Piece>);

impl Pieces {
    fn copied(&mut self, value: usize, file: usize, len: usize) {
        if len == 0 {
            return;
        }
        if let Some(last) = self.0.last_mut()
            && last.linear
            && last.file_end as usize == file
        {
            last.file_end += len as u32;
            return;
        }
        self.0.push(Piece { value: value as u32, file: file as u32, file_end: (file + len) as u32, linear: true });
    }

    fn made(&mut self, value: usize, file: usize, file_end: usize) {
        self.0.push(Piece { value: value as u32, file: file as u32, file_end: file_end as u32, linear: false });
    }
}

/// Maps a plain or quoted scalar to its value. `None` if they do not match, which would be a bug.
fn flow_pieces(value: &str, raw: &str, from: usize, to: usize, style: Style) -> Option<Vec<Piece>> {
    let raw_bytes = raw.as_bytes().get(..to)?;
    let value_bytes = value.as_bytes();
    let mut pieces = Pieces::default();
    let (mut r, mut v) = (from, 0);
    while r < to {
        let byte = raw_bytes[r];
        if byte == b'\\' && style == Style::DoubleQuoted {
            let next = *raw_bytes.get(r + 1)?;
            if matches!(next, b'\n' | b'\r') || raw.get(r + 1..)?.starts_with(['\u{85}', '\u{2028}', '\u{2029}']) {
                // An escaped line break yields nothing, nor does the indentation of the next line;
                // empty lines stay.
                let blank = blank_run(raw, r + 1, to);
                let lines = line_breaks(raw.get(r + 1..blank)?) - 1;
                let kept = value_bytes.get(v..)?.iter().take(lines).take_while(|&&b| b == b'\n').count();
                if kept > 0 {
                    pieces.made(v, r, blank);
                }
                v += kept;
                r = blank;
                continue;
            }
            let digits = match next {
                b'x' => 2,
                b'u' => 4,
                b'U' => 8,
                _ => 0,
            };
            let end = r + 1 + raw.get(r + 1..)?.chars().next()?.len_utf8() + digits;
            let len = value.get(v..)?.chars().next()?.len_utf8();
            pieces.made(v, r, end);
            (r, v) = (end, v + len);
        } else if byte == b'\'' && style == Style::SingleQuoted {
            pieces.made(v, r, r + 2);
            (r, v) = (r + 2, v + 1);
        } else if matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0xc2 | 0xe2) && blank_run(raw, r, to) > r {
            let blank = blank_run(raw, r, to);
            let lines = line_breaks(raw.get(r..blank)?);
            if lines == 0 {
                pieces.copied(v, r, blank - r);
                v += blank - r;
            } else {
                let rest = value_bytes.get(v..)?;
                let len = if rest.first() == Some(&b' ') {
                    1
                } else {
                    rest.iter().take_while(|&&b| b == b'\n').count().min(lines)
                };
                if len > 0 {
                    pieces.made(v, r, blank);
                }
                v += len;
            }
            r = blank;
        } else {
            let len = raw.get(r..)?.chars().next()?.len_utf8();
            if value_bytes.get(v..v + len)? != &raw_bytes[r..r + len] {
                return None;
            }
            pieces.copied(v, r, len);
            (r, v) = (r + len, v + len);
        }
    }
    (v == value.len()).then_some(pieces.0)
}

/// The end of the run of blanks and line breaks that starts at `from`.
fn blank_run(raw: &str, from: usize, to: usize) -> usize {
    let run = raw.get(from..to).unwrap_or("");
    from + run.len() - run.trim_start_matches([' ', '\t', '\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).len()
}

fn line_breaks(blanks: &str) -> usize {
    blanks.matches("\r\n").count()
        + blanks.replace("\r\n", "").matches(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).count()
}

/// Maps a block scalar to its value, line by line: the text of a line is the end of its line in the
/// file.
fn block_pieces(value: &str, raw: &str) -> Option<Vec<Piece>> {
    let mut pieces = Pieces::default();
    let mut lines = raw.split_inclusive('\n');
    let mut r = lines.next()?.len();
    let first = lines.clone().find(|line| !line.trim().is_empty())?;
    let explicit = raw.split('\n').next()?.contains(|c: char| c.is_ascii_digit());
    let indent = if explicit { None } else { Some(first.len() - first.trim_start_matches(' ').len()) };
    let mut v = 0;
    for line in lines {
        let bare = line.trim_end_matches(['\n', '\r']);
        let content = match indent {
            Some(indent) => bare.get(indent..).unwrap_or(""),
            None => bare.trim_start_matches(' '),
        };
        if !content.is_empty() {
            let skipped = value.get(v..)?.find(content)?;
            if !value[v..v + skipped].bytes().all(|b| matches!(b, b' ' | b'\n')) {
                return None;
            }
            let start = r + bare.len() - content.len();
            if skipped > 0 {
                let from = pieces.0.last().map_or(start, |piece| piece.file_end as usize);
                pieces.made(v, from, start);
            }
            v += skipped;
            pieces.copied(v, start, content.len());
            v += content.len();
        }
        r += line.len();
    }
    if v < value.len() {
        let from = pieces.0.last().map_or(raw.len(), |piece| piece.file_end as usize);
        pieces.made(v, from, raw.len());
    }
    Some(pieces.0)
}

impl TextError {
    /// The diagnostic, placed inside the scalar that holds the string.
    pub fn at_text(self, text: &Text) -> Diagnostic {
        let help = self.help.map(|help| text.helped(help));
        Diagnostic::new(self.code, self.message).at(text.sub_span(self.range)).maybe_help(help)
    }
}
