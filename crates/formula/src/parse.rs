//! Reads a formula as an expression of C++: operators, and what they are between.
//!
//! Invariant: whatever the text is, the result is an expression or the place of the first token
//! that no expression of C++ has there. Depth and length are limited, so that no text exhausts the
//! stack, neither here nor in readers of the expression.

use std::ops::Range;

use super::{Binary, Expr, Node, Problem, Unary, foreign};
use torchgen_base::lang::cpp::{Token, TokenKind, tokens};
use torchgen_kit::expr::Comparison;

/// How deep expressions may be nested.
const DEPTH: usize = 100;
/// How many operators, calls of methods and indices a formula may have: each makes the expression
/// higher, because `a + b + c` is `(a + b) + c`.
const LINKS: usize = 300;

/// Reads a formula.
pub fn parse(formula: &str) -> Result<Expr, Problem> {
    let tokens = tokens(formula);
    let mut parser = Parser { formula, tokens: &tokens, at: 0, depth: 0, links: 0 };
    let expr = parser.expression()?;
    if parser.at < tokens.len() {
        return Err(parser.unexpected());
    }
    Ok(expr)
}

pub(super) struct Parser<'f> {
    pub(super) formula: &'f str,
    pub(super) tokens: &'f [Token],
    pub(super) at: usize,
    depth: usize,
    links: usize,
}

impl<'f> Parser<'f> {
    pub(super) fn text_at(&self, i: usize) -> &'f str {
        self.tokens.get(i).map_or("", |token| &self.formula[token.range.clone()])
    }

    pub(super) fn text(&self) -> &'f str {
        self.text_at(self.at)
    }

    /// Whether the tokens from here on are these characters, without space between them.
    pub(super) fn is_joined(&self, characters: &str) -> bool {
        let Some(first) = self.tokens.get(self.at) else { return false };
        // Most tokens begin otherwise.
        self.formula[first.range.start..].starts_with(characters)
            && self.tokens.get(self.at..self.at + characters.len()).is_some_and(|tokens| {
                tokens.iter().all(|token| token.range.len() == 1)
                    && tokens.windows(2).all(|pair| pair[0].range.end == pair[1].range.start)
            })
    }

    pub(super) fn kind_at(&self, i: usize) -> Option<TokenKind> {
        self.tokens.get(i).map(|token| token.kind)
    }

    pub(super) fn range(&self) -> Range<usize> {
        self.tokens.get(self.at).map_or(self.formula.len()..self.formula.len(), |token| token.range.clone())
    }

    /// The problem of the token here.
    pub(super) fn unexpected(&self) -> Problem {
        foreign::unexpected(self.formula, self.tokens, self.at)
    }

    pub(super) fn take(&mut self, text: &str) -> bool {
        let found = self.text() == text;
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, text: &str) -> Result<(), Problem> {
        if self.take(text) { Ok(()) } else { Err(self.unexpected()) }
    }

    /// The text from there to the last token that was read.
    pub(super) fn since(&self, start: usize) -> Range<usize> {
        let end = self.at.checked_sub(1).and_then(|i| self.tokens.get(i)).map_or(start, |token| token.range.end);
        start..end.max(start)
    }

    /// Enters a level.
    pub(super) fn enter(&mut self) -> Result<(), Problem> {
        self.depth += 1;
        if self.depth <= DEPTH {
            return Ok(());
        }
        Err(Problem::new(self.range(), format!("the formula is nested more than {DEPTH} levels deep")))
    }

    /// Leaves a level.
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Counts an operator, a call of a method or an index.
    pub(super) fn link(&mut self) -> Result<(), Problem> {
        self.links += 1;
        if self.links <= LINKS {
            return Ok(());
        }
        let message = format!("the formula has more than {LINKS} operators, calls of methods and indices");
        Err(Problem::new(self.range(), message))
    }

    /// An expression without a comma at its top.
    pub(super) fn expression(&mut self) -> Result<Expr, Problem> {
        self.enter()?;
        let start = self.range().start;
        let expr = if self.take("throw") {
            let nothing = matches!(self.text(), "" | ")" | ":" | ";" | ",");
            let value = if nothing { None } else { Some(Box::new(self.expression()?)) };
            Expr { node: Node::Throw(value), range: self.since(start) }
        } else {
            let condition = self.binary(0)?;
            self.behind_condition(condition, start)?
        };
        self.leave();
        Ok(expr)
    }

    /// An assignment or a choice, if there is one behind the expression.
    fn behind_condition(&mut self, condition: Expr, start: usize) -> Result<Expr, Problem> {
        if let Some((place, length)) = self.assignment() {
            self.link()?;
            self.at += length;
            let right = Box::new(self.expression()?);
            let node = Node::Binary { operator: Binary::Assign, place, left: Box::new(condition), right };
            return Ok(Expr { node, range: self.since(start) });
        }
        if !self.take("?") {
            return Ok(condition);
        }
        let yes = Box::new(self.expression()?);
        self.expect(":")?;
        let no = Box::new(self.expression()?);
        let node = Node::Ternary { condition: Box::new(condition), yes, no };
        Ok(Expr { node, range: self.since(start) })
    }

    /// The place of `=` or `+=`, and how many tokens it has.
    fn assignment(&self) -> Option<(Range<usize>, usize)> {
        let forms = ["<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="];
        let compound = forms.into_iter().find(|form| self.is_joined(form));
        let length = match compound {
            Some(form) => form.len(),
            None if self.text() == "=" && !self.is_joined("==") => 1,
            None => return None,
        };
        let start = self.range().start;
        Some((start..start + length, length))
    }

    /// The operator here, and how many tokens it has.
    fn operator(&self) -> Option<(Binary, usize)> {
        use Binary::*;
        if self.assignment().is_some() {
            return None;
        }
        let pairs = [("||", Or), ("&&", And), ("<<", ShiftLeft), (">>", ShiftRight)];
        let comparisons = Comparison::ALL.map(|comparison| (comparison.symbol(), Compare(comparison)));
        let mut long = pairs.into_iter().chain(comparisons).filter(|(text, _)| text.len() == 2);
        if let Some((_, operator)) = long.find(|(text, _)| self.is_joined(text)) {
            return Some((operator, 2));
        }
        let operator = match self.text() {
            "or" => Or,
            "and" => And,
            "bitor" | "|" => BitOr,
            "xor" | "^" => BitXor,
            "bitand" | "&" => BitAnd,
            "not_eq" => Compare(Comparison::NotEqual),
            "+" => Add,
            "-" => Subtract,
            "*" => Multiply,
            "/" => Divide,
            "%" => Remainder,
            other => Compare(Comparison::of_symbol(other)?),
        };
        Some((operator, 1))
    }

    fn binary(&mut self, weakest: u8) -> Result<Expr, Problem> {
        let start = self.range().start;
        let mut left = self.unary()?;
        while let Some((operator, length)) = self.operator().filter(|(operator, _)| operator.strength() > weakest) {
            self.link()?;
            let place = self.range().start..self.range().start + length;
            let place = if length == 1 { self.range() } else { place };
            self.at += length;
            let right = Box::new(self.binary(operator.strength())?);
            left =
                Expr { node: Node::Binary { operator, place, left: Box::new(left), right }, range: self.since(start) };
        }
        Ok(left)
    }

    pub(super) fn unary(&mut self) -> Result<Expr, Problem> {
        let start = self.range().start;
        self.enter()?;
        let operator = match self.text() {
            "-" if self.is_joined("--") => Some((Unary::Step, 2)),
            "+" if self.is_joined("++") => Some((Unary::Step, 2)),
            "-" => Some((Unary::Minus, 1)),
            "+" => Some((Unary::Plus, 1)),
            "!" | "not" => Some((Unary::Not, 1)),
            "~" | "compl" => Some((Unary::Invert, 1)),
            "&" | "bitand" => Some((Unary::AddressOf, 1)),
            _ => None,
        };
        // `- -x` has two signs, and `--1` has no variable to step.
        let operator = match operator {
            Some((Unary::Step, _)) if self.kind_at(self.at + 2) == Some(TokenKind::Number) => {
                return Err(self.unexpected());
            }
            other => other,
        };
        let node = if let Some((operator, length)) = operator {
            self.at += length;
            Node::Unary(operator, Box::new(self.unary()?))
        } else if self.take("*") {
            let doubled = self.formula[..start].ends_with('*');
            let place = start - usize::from(doubled)..start + 1;
            let value = Box::new(self.unary()?);
            if let Some(problem) = foreign::not_a_pointer(&value, &place, |_| false) {
                return Err(problem);
            }
            Node::Dereferenced { value, place }
        } else if let Some((ty, length)) = self.cast() {
            self.at += length;
            Node::Cast(ty, Box::new(self.unary()?))
        } else {
            let expr = self.postfix()?;
            self.leave();
            return Ok(expr);
        };
        self.leave();
        Ok(Expr { node, range: self.since(start) })
    }
}

/// Words that are operators on two values.
pub(super) fn is_operator(word: &str) -> bool {
    const WORDS: [&str; 9] = ["and", "and_eq", "bitand", "bitor", "not_eq", "or", "or_eq", "xor", "xor_eq"];
    WORDS.contains(&word)
}
