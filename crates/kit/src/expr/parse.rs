//! Parses expressions by precedence climbing.
//!
//! Invariant: recursion is never deeper than [`DEPTH`], and trees are never higher than that and
//! [`LINKS`] together, whatever the text. So no reader of a tree exhausts the stack either.

use std::ops::Range;

use super::syntax::{
    Binary, COMPARISON, Call, Comparison, Comprehension, Expr, ExprKind, GuardedCall, Ident, NOT, SIGN, Sigil, Unary,
};
use super::token::{Token, TokenKind, tokens};
use torchgen_base::diag::{Help, TextError, codes};

/// The maximum nesting of expressions and blocks.
const DEPTH: usize = 60;
/// The maximum number of operators and indices in one statement: each makes a tree higher, because
/// `a + b + c` is `(a + b) + c`.
const LINKS: usize = 300;

/// A parser with its tokens.
pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    pub(super) depth: usize,
    links: usize,
    /// Whether `as` and `|` are possible.
    pub(super) is_pattern: bool,
}

/// Parses an expression.
///
/// # Errors
/// The first place where the text is not an expression.
pub fn parse(text: &str) -> Result<Expr, TextError> {
    parse_part(text, 0..text.len(), 0)
}

/// Parses an expression of names, numbers and calls, in which reserved words are names too.
pub fn parse_names(text: &str) -> Result<Expr, TextError> {
    Parser::single(text, 0..text.len(), 0, |_| true).whole()
}

/// Parses calls that commas separate, each perhaps with a condition. Reserved words for which
/// `is_name` holds are names.
pub fn parse_calls(text: &str, is_name: impl Fn(&str) -> bool) -> Result<Vec<GuardedCall>, TextError> {
    let mut parser = Parser::single(text, 0..text.len(), 0, is_name);
    let mut calls = Vec::new();
    loop {
        let start = parser.range().start;
        let callee = parser.ident("a call")?;
        let (call, end) = parser.call_of(callee, Sigil::Plain)?;
        let condition = if parser.eat(TokenKind::Word("if")) { Some(parser.or_none()?) } else { None };
        calls.push(GuardedCall { call, condition, range: start..end });
        match parser.kind() {
            TokenKind::Punct(",") => parser.next(),
            TokenKind::End => return Ok(calls),
            _ => return Err(parser.unexpected("`,` or the end of the expression")),
        };
    }
}

pub(super) fn parse_part(text: &str, part: Range<usize>, depth: usize) -> Result<Expr, TextError> {
    Parser::single(text, part, depth, |_| false).whole()
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, part: Range<usize>, depth: usize) -> Parser<'t> {
        Parser { text, tokens: tokens(text, part), at: 0, depth, links: 0, is_pattern: false }
    }

    /// A parser of a single expression, where line breaks, which separate statements, are blanks.
    /// Reserved words for which `is_name` holds are names.
    pub(super) fn single(
        text: &'t str,
        part: Range<usize>,
        depth: usize,
        is_name: impl Fn(&str) -> bool,
    ) -> Parser<'t> {
        let mut parser = Parser::new(text, part, depth);
        parser.tokens.retain(|token| !matches!(token.kind, TokenKind::Line(_) | TokenKind::Tab));
        for token in &mut parser.tokens {
            if matches!(token.kind, TokenKind::Word(word) if is_name(word)) {
                token.kind = TokenKind::Name;
            }
        }
        parser
    }

    /// An expression, and nothing after it.
    pub(super) fn whole(mut self) -> Result<Expr, TextError> {
        let found = self.expression()?;
        match self.kind() {
            TokenKind::End => Ok(found),
            _ => Err(self.unexpected("the end of the expression")),
        }
    }

    pub(super) fn kind(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    pub(super) fn range(&self) -> Range<usize> {
        self.tokens[self.at].range.clone()
    }

    /// The end of the last token that was read.
    pub(super) fn end(&self) -> usize {
        self.at.checked_sub(1).map_or(0, |before| self.tokens[before].range.end)
    }

    pub(super) fn next(&mut self) -> Range<usize> {
        let range = self.range();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        range
    }

    pub(super) fn eat(&mut self, kind: TokenKind) -> bool {
        let fits = self.kind() == kind;
        if fits {
            self.next();
        }
        fits
    }

    pub(super) fn expect(&mut self, kind: TokenKind, what: &str) -> Result<Range<usize>, TextError> {
        if self.kind() == kind { Ok(self.next()) } else { Err(self.unexpected(what)) }
    }

    pub(super) fn ident(&mut self, what: &str) -> Result<Ident, TextError> {
        let range = self.expect(TokenKind::Name, what)?;
        Ok(Ident { name: self.text[range.clone()].to_owned(), range })
    }

    /// The error that something else was expected here.
    pub(super) fn unexpected(&self, wanted: &str) -> TextError {
        let range = self.range();
        let found = match self.kind() {
            TokenKind::End => "the text ends".to_owned(),
            TokenKind::Line(_) => "the line ends".to_owned(),
            TokenKind::Tab => "a line is indented with a tab".to_owned(),
            TokenKind::OpenStr => "a string lacks its closing quote".to_owned(),
            TokenKind::Word(word) => format!("`{word}` is a reserved word"),
            _ => format!("found `{}`", &self.text[range.clone()]),
        };
        let range = if matches!(self.kind(), TokenKind::Line(_)) { self.end()..self.end() } else { range };
        if let Some(error) = self.habit(wanted) {
            return error;
        }
        let error = TextError::new(&codes::EXPRESSION_SYNTAX, range, format!("expected {wanted}, but {found}"));
        match self.kind() {
            TokenKind::Punct("=") => error.help("`==` compares; `=` assigns, in a statement on its own line"),
            TokenKind::Tab => error.help("indent with spaces"),
            TokenKind::OpenStr => error.help("strings are written in double quotes, on one line"),
            TokenKind::Invalid if self.text[self.range()].starts_with('\'') => {
                error.help("strings are written in double quotes")
            }
            TokenKind::Invalid if self.text[self.range()].starts_with(';') => {
                error.help(Help::new("delete it").instead("").certainly())
            }
            _ if self.text[self.range()].starts_with(['&', '|']) => error.help("write `and`, `or`"),
            _ => error,
        }
    }

    /// Runs a parser one level deeper.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, TextError>) -> Result<T, TextError> {
        if self.depth >= DEPTH {
            let message = format!("this is nested more than {DEPTH} levels deep");
            return Err(TextError::new(&codes::EXPRESSION_SYNTAX, self.range(), message)
                .help("assign parts of it to variables"));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Counts an operator or an index.
    pub(super) fn link(&mut self) -> Result<(), TextError> {
        self.links += 1;
        if self.links <= LINKS {
            return Ok(());
        }
        let message = format!("this has more than {LINKS} operators and indices");
        Err(TextError::new(&codes::EXPRESSION_SYNTAX, self.range(), message).help("write a shorter expression"))
    }

    /// Begins a statement, whose operators are counted.
    pub(super) fn begin(&mut self) {
        self.links = 0;
    }

    /// The token after the next.
    pub(super) fn peek(&self) -> TokenKind {
        self.tokens.get(self.at + 1).map_or(TokenKind::End, |token| token.kind)
    }

    /// Enters a level.
    pub(super) fn enter(&mut self) -> Result<(), TextError> {
        self.deeper(|_| Ok(()))?;
        self.depth += 1;
        Ok(())
    }

    /// Leaves a level.
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// An expression, conditional ones included, or a pattern.
    pub(super) fn expression(&mut self) -> Result<Expr, TextError> {
        if self.is_pattern { self.pattern() } else { self.plain_expression() }
    }

    pub(super) fn plain_expression(&mut self) -> Result<Expr, TextError> {
        self.deeper(|parser| {
            let then = parser.climb(0)?;
            if !parser.eat(TokenKind::Word("if")) {
                return Ok(then);
            }
            let condition = parser.climb(0)?;
            parser.expect(TokenKind::Word("else"), "`else` of the conditional expression")?;
            let otherwise = parser.expression()?;
            let range = then.range.start..otherwise.range.end;
            let (then, condition, otherwise) = (Box::new(then), Box::new(condition), Box::new(otherwise));
            Ok(Expr { kind: ExprKind::Conditional { then, condition, otherwise }, range })
        })
    }

    /// The condition of what is `None` if it does not hold.
    fn or_none(&mut self) -> Result<Expr, TextError> {
        let condition = self.deeper(|parser| parser.climb(0))?;
        self.expect(TokenKind::Word("else"), "`else None` after the condition")?;
        let is_none = self.eat(TokenKind::Word("None")) || self.eat(TokenKind::Word("none"));
        if is_none { Ok(condition) } else { Err(self.unexpected("`None` after `else`")) }
    }

    /// An expression of operators with at least the precedence `power`.
    fn climb(&mut self, power: u8) -> Result<Expr, TextError> {
        let mut left = self.prefix()?;
        loop {
            if COMPARISON >= power && self.kind() == TokenKind::Word("is") {
                self.link()?;
                left = self.is_none(left)?;
                continue;
            }
            let Some((operator, length)) = self.operator().filter(|(operator, _)| operator.power() >= power) else {
                return Ok(left);
            };
            self.link()?;
            for _ in 0..length {
                self.next();
            }
            let right = self.deeper(|parser| parser.climb(operator.power() + 1))?;
            let range = left.range.start..right.range.end;
            left = Expr { kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)), range };
            self.refuse_chain(operator)?;
        }
    }

    /// `is None` or `is not None` after a value.
    fn is_none(&mut self, value: Expr) -> Result<Expr, TextError> {
        self.next();
        let negated = self.eat(TokenKind::Word("not"));
        if !matches!(self.kind(), TokenKind::Word("None" | "none")) {
            return Err(self.unexpected("`None` after `is`").help("`==` compares values"));
        }
        let range = value.range.start..self.next().end;
        Ok(Expr { kind: ExprKind::IsNone { value: Box::new(value), negated }, range })
    }

    /// Comparisons do not chain: `a < b < c` would compare a boolean.
    fn refuse_chain(&self, operator: Binary) -> Result<(), TextError> {
        let chains =
            operator.power() == COMPARISON && self.operator().is_some_and(|(next, _)| next.power() == COMPARISON);
        if !chains {
            return Ok(());
        }
        let error = TextError::new(&codes::EXPRESSION_SYNTAX, self.range(), "comparisons do not chain");
        Err(error.help("write `a < b and b < c`"))
    }

    /// The operator here, and its number of tokens.
    fn operator(&self) -> Option<(Binary, usize)> {
        Some(match self.kind() {
            TokenKind::Word("or") => (Binary::Or, 1),
            TokenKind::Word("and") => (Binary::And, 1),
            TokenKind::Word("in") => (Binary::In, 1),
            TokenKind::Word("not") if self.peek() == TokenKind::Word("in") => (Binary::NotIn, 2),
            TokenKind::Punct(symbol) => {
                use Binary::{Add, Divide, FloorDivide, Modulo, Multiply, Subtract};
                let arithmetic = [Add, Subtract, Multiply, Divide, FloorDivide, Modulo];
                let mut all = Comparison::ALL.map(Binary::Compare).into_iter().chain(arithmetic);
                (all.find(|operator| operator.symbol() == symbol)?, 1)
            }
            _ => return None,
        })
    }

    /// A sign, `not`, or an operand followed by calls and indices.
    fn prefix(&mut self) -> Result<Expr, TextError> {
        let start = self.range().start;
        let (operator, power) = match self.kind() {
            TokenKind::Punct("-") => (Unary::Negate, SIGN),
            TokenKind::Word("not") => (Unary::Not, NOT),
            _ => return self.postfix(),
        };
        self.next();
        let operand = self.deeper(|parser| parser.climb(power))?;
        let range = start..operand.range.end;
        Ok(Expr { kind: ExprKind::Unary(operator, Box::new(operand)), range })
    }

    fn postfix(&mut self) -> Result<Expr, TextError> {
        let mut value = self.primary()?;
        loop {
            if self.eat(TokenKind::Punct(".")) {
                self.link()?;
                value = self.member(value)?;
                continue;
            }
            if !self.eat(TokenKind::Punct("[")) {
                return Ok(value);
            }
            self.link()?;
            let start = value.range.start;
            let from = if self.kind() == TokenKind::Punct(":") { None } else { Some(Box::new(self.expression()?)) };
            let kind = if self.eat(TokenKind::Punct(":")) {
                let to = if self.kind() == TokenKind::Punct("]") { None } else { Some(Box::new(self.expression()?)) };
                ExprKind::Slice(Box::new(value), from, to)
            } else {
                let index = from.ok_or_else(|| self.unexpected("an index"))?;
                ExprKind::Index(Box::new(value), index)
            };
            let end = self.expect(TokenKind::Punct("]"), "`]`")?.end;
            value = Expr { kind, range: start..end };
        }
    }

    /// A property or a method, after the point.
    fn member(&mut self, of: Expr) -> Result<Expr, TextError> {
        let name = self.ident("the name of a property or method after `.`")?;
        let start = of.range.start;
        let (arguments, end) = if self.kind() == TokenKind::Punct("(") {
            let (call, end) = self.call_of(name.clone(), Sigil::Plain)?;
            if let Some((key, _)) = call.keywords.first() {
                let message = format!("the method `{}` takes no keyword arguments", name.name);
                return Err(TextError::new(&codes::EXPRESSION_CALL, key.range.clone(), message));
            }
            (Some(call.positional), end)
        } else {
            (None, name.range.end)
        };
        Ok(Expr { kind: ExprKind::Member { of: Box::new(of), name, arguments }, range: start..end })
    }

    fn primary(&mut self) -> Result<Expr, TextError> {
        let range = self.range();
        let simple = |kind| Ok(Expr { kind, range: range.clone() });
        match self.kind() {
            TokenKind::Word("None" | "none") => (self.next(), simple(ExprKind::None)).1,
            TokenKind::Word("True" | "true") => (self.next(), simple(ExprKind::Bool(true))).1,
            TokenKind::Word("False" | "false") => (self.next(), simple(ExprKind::Bool(false))).1,
            TokenKind::Int => {
                self.next();
                let value = self.text[range.clone()].parse().map_err(|_| {
                    let message = "this integer does not fit in 64 bits";
                    TextError::new(&codes::EXPRESSION_SYNTAX, range.clone(), message)
                })?;
                simple(ExprKind::Int(value))
            }
            TokenKind::Float => (self.next(), simple(ExprKind::Float(self.text[range.clone()].to_owned()))).1,
            TokenKind::Str => {
                self.next();
                let pieces = self.pieces(range.start + 1..range.end - 1)?;
                simple(ExprKind::Str(pieces))
            }
            TokenKind::Punct("(") => {
                self.next();
                let inner = self.expression()?;
                let end = self.expect(TokenKind::Punct(")"), "`)`")?.end;
                Ok(Expr { kind: inner.kind, range: range.start..end })
            }
            TokenKind::Punct("[") => self.list(),
            TokenKind::Punct("@") => {
                self.next();
                let callee = self.ident("a name after `@`")?;
                self.call(callee, Sigil::At, range.start)
            }
            TokenKind::Name => {
                let callee = self.ident("a name")?;
                if self.kind() == TokenKind::Punct("!") && self.peek() == TokenKind::Punct("(") {
                    self.next();
                    return self.call(callee, Sigil::Exact, range.start);
                }
                if self.kind() == TokenKind::Punct("(") {
                    return self.call(callee, Sigil::Plain, range.start);
                }
                simple(ExprKind::Name(callee.name))
            }
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn list(&mut self) -> Result<Expr, TextError> {
        let start = self.next().start;
        let mut items = Vec::new();
        while self.kind() != TokenKind::Punct("]") {
            let star = self.range().start;
            let starred = self.eat(TokenKind::Punct("*"));
            let item = self.expression()?;
            if items.is_empty() && !starred && self.eat(TokenKind::Word("for")) {
                return self.comprehension(start, item);
            }
            items.push(match starred {
                true => Expr { range: star..item.range.end, kind: ExprKind::Starred(Box::new(item)) },
                false => item,
            });
            if !self.eat(TokenKind::Punct(",")) {
                break;
            }
        }
        let end = self.expect(TokenKind::Punct("]"), "`,` or `]`")?.end;
        Ok(Expr { kind: ExprKind::List(items), range: start..end })
    }

    /// The rest of a comprehension, after `for`.
    fn comprehension(&mut self, start: usize, element: Expr) -> Result<Expr, TextError> {
        let variable = self.ident("the name of an item")?;
        self.expect(TokenKind::Word("in"), "`in`")?;
        let list = self.climb(0)?;
        let condition = if self.eat(TokenKind::Word("if")) { Some(self.climb(0)?) } else { None };
        let end = self.expect(TokenKind::Punct("]"), "`]`")?.end;
        let parts = Comprehension { element, variable, list, condition };
        Ok(Expr { kind: ExprKind::Comprehension(Box::new(parts)), range: start..end })
    }

    fn call(&mut self, callee: Ident, sigil: Sigil, start: usize) -> Result<Expr, TextError> {
        let (call, end) = self.call_of(callee, sigil)?;
        Ok(Expr { kind: ExprKind::Call(call), range: start..end })
    }

    /// A call, and where it ends.
    fn call_of(&mut self, callee: Ident, sigil: Sigil) -> Result<(Call, usize), TextError> {
        self.expect(TokenKind::Punct("("), "`(`")?;
        let mut positional = Vec::new();
        let mut keywords: Vec<(Ident, Expr)> = Vec::new();
        while self.kind() != TokenKind::Punct(")") {
            if self.kind() == TokenKind::Name && self.peek() == TokenKind::Punct("=") {
                let key = self.ident("a name")?;
                self.next();
                if keywords.iter().any(|(other, _)| other.name == key.name) {
                    let message = format!("`{}` is given twice", key.name);
                    return Err(TextError::new(&codes::EXPRESSION_SYNTAX, key.range, message));
                }
                let value = self.expression()?;
                keywords.push((key, value));
            } else {
                let value = self.expression()?;
                if !keywords.is_empty() {
                    let message = "a positional argument follows a keyword argument";
                    let error = TextError::new(&codes::EXPRESSION_SYNTAX, value.range, message);
                    return Err(error.help("put it before the keyword arguments"));
                }
                positional.push(value);
            }
            if !self.eat(TokenKind::Punct(",")) {
                break;
            }
        }
        let end = self.expect(TokenKind::Punct(")"), "`,` or `)`")?.end;
        Ok((Call { callee, sigil, positional, keywords }, end))
    }
}
