//! A sequence of tokens as the different builds have it.
//!
//! Invariant: the conditions of the variants exclude each other; there is a bounded number of them.

use torchgen_base::lang::cpp::TokenKind;

use super::names::Names;
use super::piece::Piece;
use crate::conditions::{Condition, Conditions};

/// How many variants a sequence may have; further ones are lost.
const MAX_VARIANTS: usize = 24;

/// How many tokens a statement may have.
const MAX_LENGTH: usize = 20_000;

/// What a sequence is in some builds.
pub(crate) struct Variant {
    pub(crate) condition: Condition,
    pub(crate) pieces: Vec<Piece>,
    /// The index after its last token.
    pub(crate) end: usize,
}

/// The variants of the tokens from a place on, in the builds of a condition. `ends` says whether a
/// token is the last one: its text, and how many brackets are open behind it.
pub(crate) fn variants(
    all: &[Piece],
    start: usize,
    within: Condition,
    names: &Names,
    conditions: &mut Conditions,
    ends: impl Fn(&str, usize) -> bool,
) -> Vec<Variant> {
    let mut open = vec![within];
    let mut found: Vec<Variant> = Vec::new();
    while let Some(mut condition) = open.pop() {
        let (mut pieces, mut depth, mut at) = (Vec::new(), 0usize, start);
        while let Some(piece) = all.get(at).filter(|_| pieces.len() < MAX_LENGTH) {
            at += 1;
            if piece.condition != condition {
                let both = conditions.and(condition, piece.condition);
                if both == Condition::NEVER {
                    continue;
                }
                if both != condition {
                    let others = conditions.without(condition, piece.condition);
                    if others != Condition::NEVER && found.len() + open.len() < MAX_VARIANTS {
                        open.push(others);
                    }
                    condition = both;
                }
            }
            pieces.push(*piece);
            let text = if piece.kind == TokenKind::Punct { names.text(piece.name) } else { "" };
            match text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if ends(text, depth) {
                break;
            }
        }
        found.push(Variant { condition, pieces, end: at });
    }
    found
}
