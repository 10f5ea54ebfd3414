//! Pieces of text that are rendered once and shared by all files that contain them.
//!
//! A fragment has a normal form: the result of the block rule at indentation zero. It is computed
//! once. For nearly all fragments it is a prefix of the text, so that inserting a fragment copies
//! nothing.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, LazyLock, OnceLock};

use memchr::{memchr_iter, memmem};
use serde::{Serialize, Serializer};

use super::lines;

/// Immutable shared text. Cloning costs one reference count.
#[derive(Clone)]
pub struct Fragment(Arc<Inner>);

struct Inner {
    text: String,
    in_line: InLine,
    scan: OnceLock<Scan>,
}

/// What the text is where it does not begin its line.
enum InLine {
    /// All of it.
    Whole,
    /// All but the line break with which a template ends.
    WithoutEnd,
    /// The list of its lines and of empty ones, which have these places in the list.
    Lines(Box<[u32]>),
}

/// The result of one pass over the text.
struct Scan {
    normal: Normal,
    /// Whether three double quotes in a row occur, which the docstring rule searches for.
    quotes: bool,
}

/// The result of the block rule at indentation zero, before the end of the whole block is stripped.
enum Normal {
    /// The text has no lines and yields nothing, not even an empty line.
    Absent,
    /// A prefix of the text, of this many bytes.
    Prefix(usize),
    /// Lines end in blanks or in unusual separators, so the normal form is another text.
    Other(Fragment),
}

impl Fragment {
    /// Makes a fragment of a text without copying it.
    pub fn new(text: String) -> Self {
        Self::with(text, InLine::Whole)
    }

    /// The text that a template made: the line break at its end ends the template.
    pub fn of_template(text: String) -> Self {
        Self::with(text, InLine::WithoutEnd)
    }

    /// The list of the lines of a text, as `str.split` of Python finds them. In a block, empty ones
    /// vanish.
    pub fn lines(text: &str) -> Self {
        let mut empty = Vec::new();
        let mut kept = String::with_capacity(text.len() + 1);
        let mut begin = 0;
        for (place, end) in (0..).zip(memchr_iter(b'\n', text.as_bytes()).chain([text.len()])) {
            let line = &text[begin..end];
            begin = end + 1;
            if line.is_empty() {
                empty.push(place);
            } else {
                kept.push_str(line);
                kept.push('\n');
            }
        }
        Self::with(kept, InLine::Lines(empty.into()))
    }

    /// A list of the lines of what a template made; no list if there are none.
    pub fn lines_of(text: &str) -> Vec<Self> {
        let lines = text.strip_suffix('\n').unwrap_or(text);
        if text.is_empty() { Vec::new() } else { vec![Self::lines(lines)] }
    }

    fn with(text: String, in_line: InLine) -> Self {
        Self(Arc::new(Inner { text, in_line, scan: OnceLock::new() }))
    }

    /// The elements that it is inside a line of a template.
    pub(super) fn in_line(&self) -> Vec<&str> {
        let text = self.as_str();
        let InLine::Lines(empty) = &self.0.in_line else { return vec![&text[..self.in_line_end()]] };
        let mut empty = empty.iter().peekable();
        let mut lines = text.split_terminator('\n');
        let next = |place: u32| match empty.next_if_eq(&&place) {
            Some(_) => Some(""),
            None => lines.next(),
        };
        (0..).map_while(next).collect()
    }

    /// The end of its text inside a line, unless it is a list.
    pub(super) fn whole_in_line(&self) -> Option<usize> {
        (!matches!(self.0.in_line, InLine::Lines(_))).then(|| self.in_line_end())
    }

    fn in_line_end(&self) -> usize {
        let text = self.as_str();
        match self.0.in_line {
            InLine::WithoutEnd => text.strip_suffix('\n').unwrap_or(text).len(),
            InLine::Whole | InLine::Lines(_) => text.len(),
        }
    }

    /// The text as given.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// The normal form, as a fragment and the length of its prefix; `None` if the text has no
    /// lines.
    ///
    /// The lines of the normal form have no blanks at their ends and are separated by newlines;
    /// none follows the last.
    pub(super) fn normal(&self) -> Option<(&Fragment, usize)> {
        match &self.scan().normal {
            Normal::Absent => None,
            Normal::Prefix(len) => Some((self, *len)),
            Normal::Other(fragment) => Some((fragment, fragment.as_str().len())),
        }
    }

    /// Whether `"""` occurs in the text.
    pub(super) fn has_quotes(&self) -> bool {
        self.scan().quotes
    }

    fn scan(&self) -> &Scan {
        self.0.scan.get_or_init(|| Scan {
            normal: normalise(&self.0.text),
            quotes: QUOTES.find(self.0.text.as_bytes()).is_some(),
        })
    }
}

static QUOTES: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("\"\"\""));

fn normalise(text: &str) -> Normal {
    if text.is_empty() {
        return Normal::Absent;
    }
    let bytes = text.as_bytes();
    if lines::is_plain(bytes) && !has_trailing_blanks(bytes) {
        let ended = bytes.ends_with(b"\n");
        return Normal::Prefix(text.len() - usize::from(ended));
    }
    let mut normal = String::with_capacity(text.len());
    for (index, line) in lines::split(text).enumerate() {
        if index > 0 {
            normal.push('\n');
        }
        normal.push_str(lines::strip_end(line));
    }
    let len = normal.len();
    let normal = Fragment::new(normal);
    // The normal form of `normal` would lose one more newline at the end, so it is set here, not
    // computed.
    let quotes = QUOTES.find(normal.as_str().as_bytes()).is_some();
    let _ = normal.0.scan.set(Scan { normal: Normal::Prefix(len), quotes });
    Normal::Other(normal)
}

/// Whether a line of a plain text ends in a blank.
fn has_trailing_blanks(bytes: &[u8]) -> bool {
    let blank = |b: u8| (b == b' ') | (b == b'\t');
    // Without an early exit, which the compiler vectorizes.
    let before_ends = bytes.iter().zip(bytes.iter().skip(1));
    before_ends.fold(false, |found, (&b, &next)| found | (blank(b) & (next == b'\n')))
        || bytes.last().is_some_and(|&b| blank(b))
}

impl Deref for Fragment {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl From<String> for Fragment {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl From<&str> for Fragment {
    fn from(text: &str) -> Self {
        Self::new(text.to_owned())
    }
}

impl Default for Fragment {
    fn default() -> Self {
        Self::new(String::new())
    }
}

impl PartialEq for Fragment {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.as_str() == other.as_str()
    }
}

impl Eq for Fragment {}

impl fmt::Debug for Fragment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl fmt::Display for Fragment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl Serialize for Fragment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
