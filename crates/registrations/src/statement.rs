//! A statement of a registration: calls in a chain, with their arguments.
//!
//! Invariant: any tokens can be read; a place is that of tokens of one file.

use torchgen_base::diag::Span;
use torchgen_base::lang::cpp::TokenKind;

use crate::literal::Literal;
use crate::preprocessor::{Names, Piece, joined};

/// An argument of a macro or call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Argument {
    /// Its tokens, with single spaces where the source has any.
    pub text: String,
    /// Its place.
    pub place: Span,
    /// The string that it is, possibly inside a macro such as `TORCH_SELECTIVE_SCHEMA`.
    pub literal: Option<Literal>,
}

/// Macros and functions around a schema or a name.
const AROUND: &[&str] = &["TORCH_SELECTIVE_SCHEMA", "TORCH_SELECTIVE_NAME", "torch::schema", "schema"];

/// The tokens of a statement in some builds.
pub(crate) struct Statement<'a> {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) names: &'a Names,
}

impl Statement<'_> {
    pub(crate) fn word(&self, at: usize) -> &str {
        self.pieces.get(at).map_or("", |piece| self.names.text(piece.name))
    }

    pub(crate) fn is_word(&self, at: usize) -> bool {
        self.pieces.get(at).is_some_and(|piece| piece.kind == TokenKind::Word)
    }

    /// `m.def(...).impl(...)`: the calls behind a token, each with its place. Places of calls in a
    /// chain of `op` begin with their name.
    pub(crate) fn chain(&self, first: usize, calls: &mut Vec<(String, Vec<Argument>, Span)>, begins_with_name: bool) {
        let mut at = first;
        while self.word(at + 1) == "." && self.is_word(at + 2) {
            let open = self.past_angles(at + 3);
            if self.word(open) != "(" {
                return;
            }
            let (arguments, next) = self.arguments(open);
            let name = self.word(at + 2).to_owned();
            let start = if begins_with_name { at + 2 } else { first };
            // The methods of a class are no operators.
            let ends = matches!(name.as_str(), "class_");
            calls.push((name, arguments, self.place(start..next)));
            if ends {
                return;
            }
            at = next - 1;
        }
    }

    /// The index behind the arguments of a template, if there are any.
    fn past_angles(&self, at: usize) -> usize {
        if self.word(at) != "<" {
            return at;
        }
        let mut depth = 0usize;
        for next in at..self.pieces.len() {
            match self.word(next) {
                "<" => depth += 1,
                ">" => {
                    depth -= 1;
                    if depth == 0 {
                        return next + 1;
                    }
                }
                _ => {}
            }
        }
        at
    }

    /// The arguments in the parentheses at `open`, and the index after them.
    pub(crate) fn arguments(&self, open: usize) -> (Vec<Argument>, usize) {
        let (mut found, mut depth, mut start, mut at) = (Vec::new(), 0usize, open + 1, open);
        while at < self.pieces.len() {
            match self.word(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        found.extend(self.argument(start, at));
                        return (found, at + 1);
                    }
                }
                // The arguments of a template have commas too.
                "<" if self.is_word(at.wrapping_sub(1)) => {
                    let end = self.past_angles(at);
                    // `a < b & c > d` is none; a reference is the end of an argument.
                    let is_part = |inside: usize| match self.word(inside) {
                        "(" | ";" | "{" => false,
                        "&" => matches!(self.word(inside + 1), "," | ">" | "&"),
                        _ => true,
                    };
                    if (at..end).all(is_part) && end > at {
                        at = end;
                        continue;
                    }
                }
                "," if depth == 1 => {
                    found.extend(self.argument(start, at));
                    start = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        (found, at.max(open + 1))
    }

    fn argument(&self, start: usize, end: usize) -> Option<Argument> {
        let pieces = self.pieces.get(start..end).filter(|pieces| !pieces.is_empty())?;
        let text = joined(pieces, self.names);
        Some(Argument { literal: self.literal(start, end), text, place: self.place(start..end) })
    }

    /// The place of tokens: from the first to the last, if one file has both.
    pub(crate) fn place(&self, tokens: std::ops::Range<usize>) -> Span {
        let Some(first) = self.pieces.get(tokens.start) else { return Span::default() };
        let end = tokens.end.min(self.pieces.len()).max(tokens.start + 1);
        let last = self.pieces[end - 1].place;
        let first = first.place;
        match last.file == first.file && last.end > first.end {
            true => Span { end: last.end, ..first },
            false => first,
        }
    }

    /// The string that tokens make, possibly inside a macro, which may be inside another one.
    fn literal(&self, start: usize, end: usize) -> Option<Literal> {
        let mut first = start;
        while !self.is_literal(first) {
            let open = (first..end).find(|&at| self.word(at) == "(")?;
            let name: String = (first..open).map(|at| self.word(at)).collect();
            if !AROUND.contains(&name.strip_prefix("::").unwrap_or(&name)) {
                return None;
            }
            first = open + 1;
        }
        let last = (first..end).find(|&at| !self.is_literal(at)).unwrap_or(end);
        let complete = if first == start { last == end } else { matches!(self.word(last), "," | ")") };
        let mut literal = Literal::default();
        for piece in &self.pieces[first..last] {
            literal.add(self.names.text(piece.name), piece.written.unwrap_or(piece.place), piece.written.is_some());
        }
        complete.then_some(literal)
    }

    fn is_literal(&self, at: usize) -> bool {
        self.pieces.get(at).is_some_and(|piece| piece.kind == TokenKind::Literal)
    }
}
