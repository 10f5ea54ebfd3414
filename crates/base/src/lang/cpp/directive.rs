//! One preprocessor line.
//!
//! Invariant: comments in it and its continuations are white space.

use super::token::{TokenKind, all_tokens};
use crate::lang::is_word;

/// A preprocessor line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Directive<'t> {
    /// Its name, such as `include`; empty if it has none.
    pub name: &'t str,
    /// What follows, as written.
    written: &'t str,
}

/// The parts of the text of a [`Directive`](Kind::Directive) token.
pub fn directive(line: &str) -> Directive<'_> {
    let line = line.strip_prefix('#').unwrap_or(line);
    // A comment or a continuation may precede the name.
    let first = if line.trim_start().starts_with(is_word) {
        let start = line.len() - line.trim_start().len();
        let len = line[start..].find(|c| !is_word(c)).unwrap_or(line.len() - start);
        Some(start..start + len)
    } else {
        all_tokens(line).into_iter().next().filter(|token| token.kind == TokenKind::Word).map(|token| token.range)
    };
    match first {
        Some(name) => Directive { name: &line[name.clone()], written: &line[name.end..] },
        None => Directive { name: "", written: line },
    }
}

impl<'t> Directive<'t> {
    /// What follows the name: with one space where it has white space, continuations or comments.
    pub fn rest(&self) -> String {
        let (mut rest, mut end) = (String::new(), 0);
        for token in all_tokens(self.written) {
            if token.range.start > end {
                rest.push(' ');
            }
            rest.push_str(&self.written[token.range.clone()]);
            end = token.range.end;
        }
        rest
    }

    /// The file that it includes, with its quotes or angle brackets.
    pub fn include(&self) -> Option<&'t str> {
        let rest = self.written.trim_start();
        let end = if rest.starts_with('<') { '>' } else { '"' };
        let length = rest.get(1..).filter(|_| rest.starts_with(['<', '"']))?.find([end, '\n'])?;
        (self.name == "include" && rest[1 + length..].starts_with(end)).then(|| &rest[..length + 2])
    }
}
