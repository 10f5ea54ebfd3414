//! Parses patterns, which are expressions with names for parts and with alternatives.
//!
//! Invariant: what is read is as deep and as long as an expression may be.

use super::parse::Parser;
use super::syntax::{Expr, ExprKind};
use super::token::TokenKind;
use torchgen_base::diag::TextError;

/// Parses a pattern: an expression in which parts can have names, `f(x) as y`, and alternatives,
/// `f(x) | g(x)`.
///
/// # Errors
/// The first place where the text is not a pattern.
pub fn parse_pattern(text: &str) -> Result<Expr, TextError> {
    let mut parser = Parser::single(text, 0..text.len(), 0, |_| false);
    parser.is_pattern = true;
    parser.whole()
}

impl Parser<'_> {
    /// One of several expressions that may have names.
    pub(super) fn pattern(&mut self) -> Result<Expr, TextError> {
        let mut alternatives = vec![self.bound()?];
        while self.eat(TokenKind::Punct("|")) {
            self.link()?;
            alternatives.push(self.bound()?);
        }
        if alternatives.len() == 1 {
            return Ok(alternatives.remove(0));
        }
        let range = alternatives[0].range.start..self.end();
        Ok(Expr { kind: ExprKind::Either(alternatives), range })
    }

    /// An expression, with a name or without.
    fn bound(&mut self) -> Result<Expr, TextError> {
        let value = self.plain_expression()?;
        if self.kind() != TokenKind::Name || &self.text[self.range()] != "as" {
            return Ok(value);
        }
        self.next();
        let name = self.ident("a name after `as`")?;
        let range = value.range.start..name.range.end;
        Ok(Expr { kind: ExprKind::Bound(Box::new(value), name), range })
    }
}
