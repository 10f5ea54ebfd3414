//! The texts of a run, and the line and column of their bytes.
//!
//! Invariant: a [`FileId`] from [`Sources::add`] stays valid.

use std::sync::OnceLock;

use super::{FileId, Span};

/// All source texts of a run.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Vec<Source>,
}

#[derive(Debug, Clone)]
struct Source {
    path: String,
    text: String,
    /// The first byte of every line; computed on first use, since most runs have no diagnostics.
    lines: OnceLock<Vec<u32>>,
}

/// A span for display: lines and columns count from 1, columns in characters; the end is exclusive.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub(crate) struct Located<'a> {
    pub(crate) path: &'a str,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) end_line: usize,
    pub(crate) end_column: usize,
}

impl Sources {
    /// No sources.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Adds a text under the path that diagnostics show.
    pub fn add(&mut self, path: impl Into<String>, text: String) -> FileId {
        self.files.push(Source { path: path.into(), text, lines: OnceLock::new() });
        FileId(u32::try_from(self.files.len() - 1).expect("fewer than 2^32 files"))
    }

    /// The text of a file; empty for an id from another arena.
    pub fn text(&self, file: FileId) -> &str {
        self.file(file).map_or("", |source| &source.text)
    }

    /// The path of a file; empty for an id from another arena.
    pub fn path(&self, file: FileId) -> &str {
        self.file(file).map_or("", |source| &source.path)
    }

    /// Whether a file contains the text.
    pub fn mention(&self, text: &str) -> bool {
        self.files.iter().any(|file| file.text.contains(text))
    }

    /// Line and column of the span's first byte, both from 1; the column counts characters.
    pub fn line_col(&self, span: Span) -> (usize, usize) {
        self.position(span.file, span.start as usize)
    }

    /// Both ends of a span as lines and columns.
    pub(crate) fn locate(&self, span: Span) -> Located<'_> {
        let (line, column) = self.position(span.file, span.start as usize);
        let (end_line, end_column) = self.position(span.file, span.end as usize);
        Located { path: self.path(span.file), line, column, end_line, end_column }
    }

    /// The text of a span; empty if its ends are not character boundaries.
    pub fn snippet(&self, span: Span) -> &str {
        self.text(span.file).get(span.range()).unwrap_or("")
    }

    /// The range of the whole lines that a span touches (without the last line break), and the
    /// number of the first line.
    pub(super) fn whole_lines(&self, span: Span) -> (std::ops::Range<usize>, usize) {
        let Some(source) = self.file(span.file) else { return (0..0, 1) };
        let lines = source.lines();
        let first = line_index(lines, span.start as usize);
        let last = line_index(lines, span.end.max(span.start) as usize);
        let end = lines.get(last + 1).map_or(source.text.len(), |&next| next as usize);
        let text = &source.text[lines[first] as usize..end];
        let trimmed = text.trim_end_matches(['\n', '\r']).len();
        (lines[first] as usize..lines[first] as usize + trimmed, first + 1)
    }

    fn position(&self, file: FileId, offset: usize) -> (usize, usize) {
        let Some(source) = self.file(file) else { return (1, 1) };
        let lines = source.lines();
        let line = line_index(lines, offset);
        let mut offset = offset.min(source.text.len());
        while !source.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = source.text.get(lines[line] as usize..offset).unwrap_or("");
        (line + 1, before.chars().count() + 1)
    }

    fn file(&self, file: FileId) -> Option<&Source> {
        self.files.get(file.0 as usize)
    }
}

impl Source {
    /// Never empty: the first line starts at 0.
    fn lines(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            // As in YAML, a carriage return without a newline ends a line.
            let bytes = self.text.as_bytes();
            let ends_line = |at: &usize| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n');
            let breaks = memchr::memchr2_iter(b'\n', b'\r', bytes).filter(ends_line);
            std::iter::once(0).chain(breaks.map(|at| super::clamp(at + 1))).collect()
        })
    }
}

fn line_index(lines: &[u32], offset: usize) -> usize {
    lines.partition_point(|&start| start as usize <= offset).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions() {
        let mut sources = Sources::new();
        let file = sources.add("a.yaml", "ab\ncdé f\r\n\nlast".to_owned());
        for (offset, expected) in [
            (0, (1, 1)),
            (2, (1, 3)),
            (3, (2, 1)),
            (7, (2, 4)),
            (8, (2, 5)),
            (11, (3, 1)),
            (12, (4, 1)),
            (16, (4, 5)),
            (99, (4, 5)),
        ] {
            assert_eq!(sources.line_col(Span::new(file, offset, offset)), expected, "offset {offset}");
        }
        assert_eq!(sources.line_col(Span::new(FileId(7), 3, 4)), (1, 1));
        let other = sources.add("b.yaml", "a\rbc\r\nd\r".to_owned());
        for (offset, expected) in [(1, (1, 2)), (2, (2, 1)), (4, (2, 3)), (6, (3, 1)), (8, (4, 1))] {
            assert_eq!(sources.line_col(Span::new(other, offset, offset)), expected, "offset {offset}");
        }
        assert_eq!(sources.snippet(Span::new(file, 3, 7)), "cdé");
    }
}
