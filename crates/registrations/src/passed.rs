//! Functions that take a library, and the calls of blocks that give them theirs: `register_all(m)`.
//!
//! Invariant: a bounded number of tokens is looked at from each one.

use torchgen_base::diag::Span;

use crate::blocks::is_module;
use crate::conditions::Condition;
use crate::preprocessor::{Names, Piece, joined};
use crate::statement::Argument;

/// How many tokens are between a name and its arguments.
const MAX_BETWEEN: usize = 64;

/// Open braces: the builds that have each, and the namespaces that it opens.
pub(crate) type Scopes = Vec<(Condition, Vec<String>)>;

/// What the calls of a block share.
#[derive(Clone)]
pub(crate) struct Block {
    pub(crate) namespace: Argument,
    pub(crate) key: Option<Argument>,
    pub(crate) stable: bool,
    /// It is that of a Python module.
    pub(crate) module: bool,
}

/// A function that takes a library.
pub(crate) struct Helper {
    pub(crate) name: String,
    /// What it calls the library.
    pub(crate) variable: String,
    /// The brace of its body.
    pub(crate) open: usize,
    /// The builds that have it.
    pub(crate) condition: Condition,
    /// What is around it.
    pub(crate) scopes: Scopes,
}

/// A call that gives a function a library.
pub(crate) struct Passed {
    pub(crate) name: String,
    /// Its place: that of the library in it.
    pub(crate) place: Span,
    /// The builds that make it.
    pub(crate) condition: Condition,
    /// The block whose library it is.
    pub(crate) block: Block,
}

fn word<'a>(pieces: &[Piece], names: &'a Names, at: usize) -> &'a str {
    pieces.get(at).map_or("", |piece| names.text(piece.name))
}

/// The function one of whose parameters is a library, from the word of its type. A Python module is
/// passed by value too.
pub(crate) fn helper(pieces: &[Piece], names: &Names, at: usize, scopes: &Scopes) -> Option<Helper> {
    let text = |at: usize| word(pieces, names, at);
    let is_end = |text: &str| matches!(text, ")" | ",");
    let at = match text(at + 1) {
        "&" => at,
        _ if is_module(text(at)) => at.checked_sub(1)?,
        _ => return None,
    };
    let variable = text(at + 2).to_owned();
    if !variable.starts_with(|c: char| c.is_alphabetic() || c == '_') || !is_end(text(at + 3)) {
        return None;
    }
    let name = before_parenthesis(pieces, names, at)?;
    let mut depth = 1usize;
    let end = (at + 3..pieces.len()).take(MAX_BETWEEN * 4).find(|next| {
        match text(*next) {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })?;
    let open = if text(end + 1) == "noexcept" { end + 2 } else { end + 1 };
    let condition = pieces[at].condition;
    (text(open) == "{").then(|| Helper { name, variable, open, condition, scopes: scopes.clone() })
}

/// The call that the variable of a library is an argument of.
pub(crate) fn passed(
    pieces: &[Piece],
    names: &Names,
    at: usize,
    condition: Condition,
    block: &Block,
) -> Option<Passed> {
    let text = |at: usize| word(pieces, names, at);
    if !matches!(text(at + 1), ")" | ",") || !matches!(text(at.checked_sub(1)?), "(" | ",") {
        return None;
    }
    let name = before_parenthesis(pieces, names, at)?;
    Some(Passed { name, place: pieces[at].place, condition, block: block.clone() })
}

/// What the statement of a token begins with, up to a parenthesis: `py::class_<A>`.
pub(crate) fn beginning(pieces: &[Piece], names: &Names, at: usize) -> String {
    let text = |at: usize| word(pieces, names, at);
    let start = (0..at).rev().take(MAX_BETWEEN).find(|before| matches!(text(*before), ";" | "{" | "}"));
    let start = start.map_or(at, |before| before + 1);
    let end = (start..at).find(|next| text(*next) == "(").unwrap_or(at);
    joined(&pieces[start..end], names)
}

/// The word before the parenthesis that is open at a token.
fn before_parenthesis(pieces: &[Piece], names: &Names, at: usize) -> Option<String> {
    let text = |at: usize| word(pieces, names, at);
    let mut depth = 0usize;
    let open = (0..at).rev().take(MAX_BETWEEN).find(|before| match text(*before) {
        ")" => {
            depth += 1;
            false
        }
        "(" => {
            depth = depth.wrapping_sub(1);
            depth == usize::MAX
        }
        _ => false,
    })?;
    let name = text(open.checked_sub(1)?);
    name.starts_with(|c: char| c.is_alphabetic() || c == '_').then(|| name.to_owned())
}
