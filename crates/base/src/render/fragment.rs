//! Pieces of text that are rendered once and shared by all files that contain them.
//!
//! A fragment has a normal form: the result of the block rule at indentation zero. It is computed
//! once. For nearly all fragments it is a prefix of the text, so that inserting a fragment copies
//! nothing.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

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
        self.0.scan.get_or_init(|| {
            let traits = Traits::of(self.0.text.as_bytes());
            Scan { normal: normalise(&self.0.text, &traits), quotes: traits.quotes }
        })
    }
}

/// What one pass over a text finds.
#[derive(Default)]
struct Traits {
    /// A byte is neither printable ASCII nor a tab nor a newline, so that other characters may end
    /// lines or be blank.
    odd: bool,
    /// A line ends in a space or a tab.
    trailing_blanks: bool,
    /// `"""` occurs.
    quotes: bool,
}

impl Traits {
    fn of(bytes: &[u8]) -> Traits {
        let Some((&last, before)) = bytes.split_last() else { return Traits::default() };
        let odd = |b: u8| !lines::is_plain(b);
        // Without an early exit and with bytes as results, which the compiler vectorizes.
        let (mut odds, mut blanks, mut quotes) = (u8::from(odd(last)), u8::from(is_blank(last)), 0);
        for (&b, &next) in before.iter().zip(&bytes[1..]) {
            odds |= u8::from(odd(b));
            blanks |= u8::from(is_blank(b) & (next == b'\n'));
            quotes |= u8::from(b == b'"');
        }
        let quotes = quotes != 0 && memmem::find(bytes, b"\"\"\"").is_some();
        Traits { odd: odds != 0, trailing_blanks: blanks != 0, quotes }
    }
}

fn is_blank(b: u8) -> bool {
    (b == b' ') | (b == b'\t')
}

fn normalise(text: &str, traits: &Traits) -> Normal {
    if text.is_empty() {
        return Normal::Absent;
    }
    if !traits.odd && !traits.trailing_blanks {
        return Normal::Prefix(text.len() - usize::from(text.ends_with('\n')));
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
    let quotes = Traits::of(normal.as_str().as_bytes()).quotes;
    let _ = normal.0.scan.set(Scan { normal: Normal::Prefix(len), quotes });
    Normal::Other(normal)
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
