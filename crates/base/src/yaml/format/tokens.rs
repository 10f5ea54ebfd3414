//! Splits YAML into tokens: scalars as libyaml finds them, and what is between them.
//!
//! Invariant: tokens ascend, do not overlap, and with white space they are the whole text.

use super::super::build::{MAX_DEPTH, after_properties};
use super::super::libyaml::{EventKind, Events};
use super::super::text::Style;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// `-` of a list.
    Dash,
    /// `?` of a key.
    Question,
    /// `:`
    Colon,
    /// `,`
    Comma,
    /// `[` or `{`
    Open,
    /// `]` or `}`
    Close,
    /// An anchor or a tag.
    Property,
    /// A scalar that is not empty.
    Scalar(Style),
    /// `*name`
    Alias,
    /// From `#` to the end of the line.
    Comment,
    /// `---`, `...`, or a directive.
    Marker,
}

/// A token and its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl TokenKind {
    /// Whether it is a scalar with `|` or `>`.
    pub(super) fn is_block(self) -> bool {
        matches!(self, TokenKind::Scalar(Style::Literal | Style::Folded))
    }
}

/// The characters that end a line.
pub(super) const BREAKS: [char; 5] = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];

/// The tokens of a text; `None` if it has a syntax error, or is nested more deeply than a reader
/// allows.
pub(super) fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut from = 0;
    let mut events = Events::new(text)?;
    let mut depth = 0_usize;
    loop {
        let event = events.next().ok()?;
        match event.kind {
            EventKind::SequenceStart { .. } | EventKind::MappingStart { .. } if depth == MAX_DEPTH => return None,
            EventKind::SequenceStart { .. } | EventKind::MappingStart { .. } => depth += 1,
            EventKind::SequenceEnd | EventKind::MappingEnd => depth = depth.saturating_sub(1),
            _ => {}
        }
        let scalar = match event.kind {
            EventKind::StreamEnd => break,
            EventKind::Alias(_) => Some((event.start, event.end, TokenKind::Alias)),
            EventKind::Scalar { style, .. } => {
                let start = event.start + after_properties(text.get(event.start..event.end)?);
                Some((start, end_of_scalar(text, start, event.end, style), TokenKind::Scalar(style)))
            }
            _ => None,
        };
        if let Some((start, end, kind)) = scalar.filter(|(start, end, _)| start < end) {
            between(text, from, start, &mut tokens)?;
            tokens.push(Token { kind, start, end });
            from = end;
        }
    }
    between(text, from, text.len(), &mut tokens)?;
    Some(tokens)
}

/// The end of a scalar's text. Blank lines after a block scalar belong to it only with `+`.
fn end_of_scalar(text: &str, start: usize, end: usize, style: Style) -> usize {
    let raw = text.get(start..end).unwrap_or_default();
    let header = raw.lines().next().unwrap_or_default();
    let header = header.split('#').next().unwrap_or_default();
    match style {
        Style::Literal | Style::Folded if header.contains('+') => end,
        Style::Literal | Style::Folded => {
            // Blanks at the end of the last line are a part of it.
            let kept = raw.trim_end_matches([' ', '\t', '\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).len();
            let rest = &raw[kept..];
            start + kept + rest.find(BREAKS).unwrap_or(rest.len())
        }
        _ => end,
    }
}

/// Adds the tokens between two scalars.
fn between(text: &str, from: usize, to: usize, tokens: &mut Vec<Token>) -> Option<()> {
    let gap = text.get(from..to)?;
    let mut at = 0;
    while let Some(c) = gap[at..].chars().next() {
        let rest = &gap[at..];
        let starts_line = from + at == 0 || text[..from + at].ends_with(BREAKS);
        let is_marker = |marker: &str| {
            let after = text[from + at..].strip_prefix(marker);
            starts_line
                && after.is_some_and(|after| {
                    after.is_empty() || after.starts_with([' ', '\t']) || after.starts_with(BREAKS)
                })
        };
        let to_end = || rest.find(BREAKS).unwrap_or(rest.len());
        let (kind, len) = match c {
            _ if c == ' ' || c == '\t' || BREAKS.contains(&c) => {
                at += c.len_utf8();
                continue;
            }
            '#' => (TokenKind::Comment, to_end()),
            '%' if starts_line => (TokenKind::Marker, to_end()),
            _ if is_marker("---") || is_marker("...") => (TokenKind::Marker, 3),
            '-' => (TokenKind::Dash, 1),
            '?' => (TokenKind::Question, 1),
            ':' => (TokenKind::Colon, 1),
            ',' => (TokenKind::Comma, 1),
            '[' | '{' => (TokenKind::Open, 1),
            ']' | '}' => (TokenKind::Close, 1),
            '&' | '!' => (TokenKind::Property, end_of_property(rest)),
            _ => return None,
        };
        tokens.push(Token { kind, start: from + at, end: from + at + len });
        at += len;
    }
    Some(())
}

fn end_of_property(rest: &str) -> usize {
    if rest.starts_with("!<") {
        return rest.find('>').map_or(rest.len(), |at| at + 1);
    }
    let ends = |c: char| c == ' ' || c == '\t' || BREAKS.contains(&c) || matches!(c, ',' | ']' | '}' | '[' | '{');
    rest.find(ends).unwrap_or(rest.len())
}
