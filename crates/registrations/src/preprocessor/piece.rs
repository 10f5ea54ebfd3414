//! Tokens on their way through the preprocessor.
//!
//! Invariant: the place of a token is in a source: its own, or that of the macro's use.

use torchgen_base::diag::Span;
use torchgen_base::lang::cpp::{TokenKind, tokens};

use super::names::{Name, Names};
use crate::conditions::Condition;

/// The macros that a token comes from, which do not replace it again: a number of
/// [`super::hidden`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Hidden(pub(super) u32);

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Its text.
    pub(crate) name: Name,
    /// Its kind, never a directive.
    pub(crate) kind: TokenKind,
    /// White space precedes it.
    pub(crate) is_spaced: bool,
    /// The builds that have it.
    pub(crate) condition: Condition,
    /// Where it is; of a macro's token, where the macro is used.
    pub(crate) place: Span,
    /// Where its text is written, if it is.
    pub(crate) written: Option<Span>,
    /// What does not replace it.
    pub(super) hidden: Hidden,
    /// No macro replaces it any more.
    pub(super) is_final: bool,
}

impl Piece {
    /// A token of a source.
    pub(super) fn new(name: Name, kind: TokenKind, place: Span) -> Piece {
        Piece {
            name,
            kind,
            is_spaced: false,
            condition: Condition::ALWAYS,
            place,
            written: Some(place),
            hidden: Hidden::default(),
            is_final: false,
        }
    }
}

/// The tokens of a part of a source that begins at a byte of it.
pub(super) fn pieces(text: &str, from: Span, names: &mut Names) -> Vec<Piece> {
    let mut end = 0;
    let mut found: Vec<Piece> = Vec::new();
    for token in tokens(text) {
        let start = from.start as usize;
        let place = Span::new(from.file, start + token.range.start, start + token.range.end);
        // Within a line, `#` begins nothing.
        let kind = if token.kind == TokenKind::Directive { TokenKind::Punct } else { token.kind };
        let mut piece = Piece::new(names.of(&text[token.range.clone()]), kind, place);
        piece.is_spaced = token.range.start > end;
        end = token.range.end;
        found.push(piece);
    }
    found
}

/// The place behind the parenthesis that closes the one at `open`; the end if none does.
pub(super) fn past_parenthesis(pieces: &[Piece], open: usize, names: &Names) -> usize {
    let mut depth = 0usize;
    for (at, piece) in pieces.iter().enumerate().skip(open) {
        match names.text(piece.name) {
            "(" => depth += 1,
            ")" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    pieces.len()
}

/// The tokens as one text, with single spaces where the source has white space.
pub(crate) fn joined(pieces: &[Piece], names: &Names) -> String {
    let mut text = String::new();
    for (at, piece) in pieces.iter().enumerate() {
        if at > 0 && piece.is_spaced {
            text.push(' ');
        }
        text.push_str(names.text(piece.name));
    }
    text
}
