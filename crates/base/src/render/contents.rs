//! The text of a file, as a list of chunks that refer to shared fragments.
//!
//! A fragment in several files is stored once; a file of ten megabytes takes a few thousand chunks
//! until it is written. Invariant: chunks are never empty, and every chunk's range lies on
//! character boundaries of its fragment.

use std::fmt;
use std::io::{self, Write};
use std::ops::Range;

use super::fragment::Fragment;

/// Up to this size it is cheaper to copy a text than to refer to it.
const COPY_LIMIT: usize = 96;

/// The text of a file.
#[derive(Clone, Default)]
pub struct Contents {
    chunks: Vec<Chunk>,
    len: usize,
}

#[derive(Clone)]
enum Chunk {
    Shared(Fragment, Range<usize>),
    Newline,
}

impl Chunk {
    fn as_str(&self) -> &str {
        match self {
            Chunk::Shared(fragment, range) => &fragment.as_str()[range.clone()],
            Chunk::Newline => "\n",
        }
    }
}

impl Contents {
    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The text in pieces, in order; none is empty.
    pub fn pieces(&self) -> impl Iterator<Item = &str> {
        self.chunks.iter().map(Chunk::as_str)
    }

    /// Writes the text; errors are the writer's.
    pub(crate) fn write_to(&self, mut out: impl Write) -> io::Result<()> {
        self.pieces().try_for_each(|piece| out.write_all(piece.as_bytes()))
    }

    /// The rest of `other`, if `other` starts with exactly this text.
    #[cfg(test)]
    pub(crate) fn strip_from<'a>(&self, other: &'a [u8]) -> Option<&'a [u8]> {
        self.pieces().try_fold(other, |rest, piece| rest.strip_prefix(piece.as_bytes()))
    }

    /// Whether the bytes are exactly this text.
    #[cfg(test)]
    pub(crate) fn is(&self, bytes: &[u8]) -> bool {
        self.len == bytes.len() && self.strip_from(bytes).is_some()
    }

    /// Whether `"""` may occur: certain within a chunk, assumed if two chunks with quotes at the
    /// boundary meet.
    pub(super) fn may_have_quotes(&self) -> bool {
        let mut open = false;
        self.chunks.iter().any(|chunk| {
            let text = chunk.as_str().as_bytes();
            let seam = open && text.first() == Some(&b'"');
            open = text.last() == Some(&b'"');
            seam || matches!(chunk, Chunk::Shared(fragment, _) if fragment.has_quotes())
        })
    }
}

impl From<Fragment> for Contents {
    fn from(fragment: Fragment) -> Self {
        let len = fragment.as_str().len();
        let chunks = if len == 0 { Vec::new() } else { vec![Chunk::Shared(fragment, 0..len)] };
        Self { chunks, len }
    }
}

impl From<String> for Contents {
    fn from(text: String) -> Self {
        Fragment::new(text).into()
    }
}

impl From<&str> for Contents {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl PartialEq for Contents {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.pieces().flat_map(str::bytes).eq(other.pieces().flat_map(str::bytes))
    }
}

impl Eq for Contents {}

impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces().try_for_each(|piece| f.write_str(piece))
    }
}

impl fmt::Debug for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_string().fmt(f)
    }
}

/// Builds a [`Contents`] from the start.
#[derive(Default)]
pub struct ContentsBuilder {
    chunks: Vec<Chunk>,
    /// The bytes in `chunks`.
    len: usize,
    /// Copied text after the chunks.
    tail: String,
}

impl ContentsBuilder {
    /// Starts with no text.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of bytes so far.
    pub(crate) fn len(&self) -> usize {
        self.len + self.tail.len()
    }

    /// Adds a copy of the text.
    pub(crate) fn push_str(&mut self, text: &str) {
        self.tail.push_str(text);
    }

    /// Appends the fragment unchanged, and shares it if that pays.
    pub fn push(&mut self, fragment: &Fragment) {
        self.push_range(fragment, 0..fragment.as_str().len());
    }

    /// Appends the fragments under the block rule: lines that are not blank are indented, and the
    /// ends of lines and of the block stripped.
    ///
    /// Fragments without lines yield nothing. Rule: torchgen/code_template.py,
    /// `CodeTemplate.substitute`.
    pub(crate) fn push_block(&mut self, fragments: &[Fragment], indent: &str) {
        if indent.contains(super::lines::ends_line) {
            let text = super::lines::block(fragments.iter().map(Fragment::as_str), indent);
            self.push_str(&text);
            return;
        }
        // The lines of a normal form are stripped, so only newlines can be left to strip at the end
        // of the block.
        let strip = |fragment: &Fragment, len| fragment.as_str()[..len].trim_end_matches('\n').len();
        let Some(last) = fragments.iter().rposition(|f| f.normal().is_some_and(|(f, len)| strip(f, len) > 0)) else {
            return;
        };
        if !indent.is_empty() {
            // Room for the text, and an indentation about every forty bytes.
            let len: usize = fragments[..=last].iter().map(|fragment| fragment.as_str().len()).sum();
            self.tail.reserve(len + len / 40 * indent.len());
        }
        let mut first = true;
        for (index, fragment) in fragments[..=last].iter().enumerate() {
            let Some((normal, len)) = fragment.normal() else { continue };
            if !std::mem::take(&mut first) {
                self.push_newline();
            }
            let len = if index == last { strip(normal, len) } else { len };
            if indent.is_empty() {
                self.push_range(normal, 0..len);
            } else {
                self.push_indented(&normal.as_str()[..len], indent);
            }
        }
    }

    /// Finishes the text.
    pub fn finish(mut self) -> Contents {
        self.flush();
        Contents { chunks: self.chunks, len: self.len }
    }

    /// Appends a part of the fragment likewise.
    pub(super) fn push_range(&mut self, fragment: &Fragment, range: Range<usize>) {
        if range.len() <= COPY_LIMIT {
            self.tail.push_str(&fragment.as_str()[range]);
        } else {
            self.flush();
            self.len += range.len();
            self.chunks.push(Chunk::Shared(fragment.clone(), range));
        }
    }

    fn push_newline(&mut self) {
        if !self.tail.is_empty() {
            self.tail.push('\n');
            return;
        }
        self.len += 1;
        match self.chunks.last_mut() {
            // Use the fragment's own newline.
            Some(Chunk::Shared(fragment, range)) if fragment.as_str().as_bytes().get(range.end) == Some(&b'\n') => {
                range.end += 1;
            }
            _ => self.chunks.push(Chunk::Newline),
        }
    }

    /// Appends lines that are already stripped.
    fn push_indented(&mut self, text: &str, indent: &str) {
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                self.tail.push('\n');
            }
            if !line.is_empty() {
                self.tail.push_str(indent);
                self.tail.push_str(line);
            }
        }
    }

    fn flush(&mut self) {
        if !self.tail.is_empty() {
            let text = std::mem::take(&mut self.tail);
            self.len += text.len();
            let end = text.len();
            self.chunks.push(Chunk::Shared(Fragment::new(text), 0..end));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::lines;
    use super::*;

    fn block(fragments: &[Fragment], indent: &str) -> Contents {
        let mut out = ContentsBuilder::new();
        out.push_block(fragments, indent);
        out.finish()
    }

    /// The number of chunks that refer to one of the fragments, not to a copy.
    fn shared(contents: &Contents, fragments: &[Fragment]) -> usize {
        let points_into = |chunk: &&Chunk| match chunk {
            Chunk::Shared(text, _) => fragments.iter().any(|f| std::ptr::eq(f.as_str(), text.as_str())),
            Chunk::Newline => false,
        };
        contents.chunks.iter().filter(points_into).count()
    }

    #[test]
    fn large_fragments_are_shared_where_the_rule_changes_nothing() {
        let long = |end: &str| Fragment::new(format!("{}{end}", "x".repeat(COPY_LIMIT + 1)));
        for (ends, indent, expected, chunks) in [
            (["\n", "\n", "\n"], "", 3, 3),
            (["", "", "\n\n"], "", 3, 5),
            (["\n", " ", "\n"], "", 2, 4),
            (["\n", "\n", "\n"], "  ", 0, 1),
        ] {
            let fragments = ends.map(long);
            let contents = block(&fragments, indent);
            assert_eq!(contents.to_string(), lines::block(fragments.iter().map(Fragment::as_str), indent), "{ends:?}");
            assert_eq!((shared(&contents, &fragments), contents.chunks.len()), (expected, chunks), "{ends:?}");
        }
    }

    #[test]
    fn comparison_walks_the_pieces() {
        let fragments = ["a".repeat(200), "b".repeat(200)].map(Fragment::new);
        let contents = block(&fragments, "");
        let text = contents.to_string();
        assert!(contents.is(text.as_bytes()));
        assert!(contents == Contents::from(text.clone()));
        assert_eq!(contents.len(), text.len());
        for other in [format!("{text}\n"), text[1..].to_owned(), text.replacen('b', "a", 1), text.replace('\n', " ")] {
            assert!(!contents.is(other.as_bytes()));
            assert!(contents != Contents::from(other));
        }
    }

    proptest! {
        #[test]
        fn the_fast_block_equals_the_exact_one(
            elements in prop::collection::vec("([a ]{0,3}|x{97}|[\n\t]|[\r\u{b}\u{c}\u{1c}\u{1f}\u{85}\u{a0}\u{2028}é\"]){0,6}", 0..6),
            indent in "[ \t]{0,2}|[\u{b}\u{a0} ]{0,3}",
        ) {
            let fragments: Vec<Fragment> = elements.iter().map(|text| Fragment::from(text.as_str())).collect();
            let contents = block(&fragments, &indent);
            prop_assert_eq!(contents.to_string(), lines::block(elements.iter().map(String::as_str), &indent));
            prop_assert_eq!(contents.len(), contents.to_string().len());
            prop_assert!(!contents.to_string().contains("\"\"\"") || contents.may_have_quotes());
        }
    }
}
