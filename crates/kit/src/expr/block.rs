//! Parses statements: lines, and blocks by indentation.
//!
//! Invariant: an error in a statement does not hide errors in later statements.

use super::parse::Parser;
use super::syntax::{Expr, Ident, Statement, StatementKind};
use super::token::TokenKind;
use torchgen_base::diag::{TextError, codes};

/// Parses a list of statements.
///
/// # Errors
/// The errors of all malformed statements.
pub fn parse_block(text: &str) -> Result<Vec<Statement>, Vec<TextError>> {
    let mut reader = Reader { parser: Parser::new(text, 0..text.len(), 0), errors: Vec::new() };
    let mut statements = Vec::new();
    while reader.parser.kind() != TokenKind::End {
        statements.extend(reader.block(0));
        if reader.parser.kind() != TokenKind::End {
            reader.errors.push(reader.indentation("this line is indented, but belongs to no block"));
            reader.skip_line();
        }
    }
    if reader.errors.is_empty() { Ok(statements) } else { Err(reader.errors) }
}

struct Reader<'t> {
    parser: Parser<'t>,
    errors: Vec<TextError>,
}

impl Reader<'_> {
    fn indentation(&self, message: &str) -> TextError {
        let mut range = self.parser.range();
        if range.is_empty() {
            range.end = range.start;
        }
        let error = TextError::new(&codes::EXPRESSION_INDENTATION, range, message);
        error.help("the lines of a block are indented by the same number of spaces")
    }

    /// Skips to the start of the next line.
    fn skip_line(&mut self) {
        self.parser.next();
        while !matches!(self.parser.kind(), TokenKind::Line(_) | TokenKind::Tab | TokenKind::End) {
            self.parser.next();
        }
    }

    /// The lines with exactly this indentation, up to one with less.
    fn block(&mut self, indent: usize) -> Vec<Statement> {
        let mut statements = Vec::new();
        loop {
            match self.parser.kind() {
                TokenKind::Line(found) if found == indent => {
                    self.parser.next();
                    match self.statement(indent) {
                        Ok(statement) => statements.push(statement),
                        Err(error) => {
                            self.errors.push(error);
                            if !matches!(self.parser.kind(), TokenKind::Line(_) | TokenKind::End) {
                                self.skip_line();
                            }
                            // Skip the block below a malformed line too.
                            while matches!(self.parser.kind(), TokenKind::Line(found) if found > indent) {
                                self.skip_line();
                            }
                        }
                    }
                }
                TokenKind::Line(found) if found > indent => {
                    self.errors.push(self.indentation("this line is indented further than its block"));
                    self.skip_line();
                }
                TokenKind::Tab => {
                    let error = TextError::new(
                        &codes::EXPRESSION_INDENTATION,
                        self.parser.range(),
                        "this line is indented with a tab",
                    );
                    self.errors.push(error.help("indent with spaces"));
                    self.skip_line();
                }
                _ => return statements,
            }
        }
    }

    fn statement(&mut self, indent: usize) -> Result<Statement, TextError> {
        self.parser.begin();
        let start = self.parser.range().start;
        let kind = match self.parser.kind() {
            TokenKind::Word("if") => {
                self.parser.next();
                self.conditional(indent)?
            }
            TokenKind::Word("for") => {
                self.parser.next();
                let variable = self.parser.ident("the name of an item")?;
                self.parser.expect(TokenKind::Word("in"), "`in`")?;
                let list = self.parser.expression()?;
                let body = self.suite(indent)?;
                StatementKind::For { variable, list, body }
            }
            TokenKind::Word("elif" | "else") => {
                return Err(self.parser.unexpected("a statement").help("it goes with an `if` that is indented as far"));
            }
            _ => {
                let kind = self.simple()?;
                self.line_end()?;
                kind
            }
        };
        Ok(Statement { kind, range: start..self.parser.end().max(start) })
    }

    fn line_end(&mut self) -> Result<(), TextError> {
        match self.parser.kind() {
            TokenKind::Line(_) | TokenKind::Tab | TokenKind::End => Ok(()),
            _ => Err(self.parser.unexpected("the end of the line")),
        }
    }

    /// The rest of an `if` or `elif`.
    fn conditional(&mut self, indent: usize) -> Result<StatementKind, TextError> {
        self.parser.begin();
        let condition = self.parser.expression()?;
        let then = self.suite(indent)?;
        let mut otherwise = Vec::new();
        let follows = |reader: &Self, word| {
            reader.parser.kind() == TokenKind::Line(indent) && reader.parser.peek() == TokenKind::Word(word)
        };
        if follows(self, "elif") {
            self.parser.next();
            let start = self.parser.next().start;
            let kind = self.nested(|reader| reader.conditional(indent))?;
            otherwise.push(Statement { kind, range: start..self.parser.end() });
        } else if follows(self, "else") {
            self.parser.next();
            self.parser.next();
            otherwise = self.suite(indent)?;
        }
        Ok(StatementKind::If { condition, then, otherwise })
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, TextError>) -> Result<T, TextError> {
        self.parser.enter()?;
        let result = read(self);
        self.parser.leave();
        result
    }

    /// A colon, then a statement on the same line or a block below.
    fn suite(&mut self, indent: usize) -> Result<Vec<Statement>, TextError> {
        self.parser.expect(TokenKind::Punct(":"), "`:`")?;
        match self.parser.kind() {
            TokenKind::Line(found) if found > indent => self.nested(|reader| Ok(reader.block(found))),
            TokenKind::Line(_) | TokenKind::End => Err(self
                .indentation("expected an indented block")
                .help("indent the block, or write a statement after `:`")),
            _ => {
                let start = self.parser.range().start;
                let kind = self.simple()?;
                self.line_end()?;
                Ok(vec![Statement { kind, range: start..self.parser.end() }])
            }
        }
    }

    /// A statement without blocks.
    fn simple(&mut self) -> Result<StatementKind, TextError> {
        match self.parser.kind() {
            TokenKind::Word("return") => {
                self.parser.next();
                let mut values = vec![self.parser.expression()?];
                while self.parser.eat(TokenKind::Punct(",")) {
                    values.push(self.parser.expression()?);
                }
                Ok(StatementKind::Return { values })
            }
            TokenKind::Word("require") => {
                self.parser.next();
                let condition = self.parser.expression()?;
                self.parser.expect(TokenKind::Punct(","), "`,` and a message in quotes")?;
                Ok(StatementKind::Require { condition, message: self.message()? })
            }
            TokenKind::Word("fail") => {
                self.parser.next();
                Ok(StatementKind::Fail { message: self.message()? })
            }
            _ => {
                let target: Ident = self.parser.ident("a statement")?;
                if let Some(error) = self.parser.statement_slip(&target) {
                    return Err(error);
                }
                if matches!(self.parser.kind(), TokenKind::Punct("(" | "!")) {
                    let message = format!("the result of `{}` is not used", target.name);
                    let help = format!("write `return {0}(…)`, or give it a name: `y = {0}(…)`", target.name);
                    return Err(TextError::new(&codes::EXPRESSION_SYNTAX, target.range, message).help(help));
                }
                self.parser.expect(TokenKind::Punct("="), "`=`")?;
                Ok(StatementKind::Assign { target, value: self.parser.expression()? })
            }
        }
    }

    fn message(&mut self) -> Result<Expr, TextError> {
        if self.parser.kind() != TokenKind::Str {
            let error = self.parser.unexpected("a message in quotes");
            let is_f_string = self.parser.kind() == TokenKind::Name && self.parser.peek() == TokenKind::Str;
            return Err(if is_f_string {
                error.help("delete it: messages always have values in braces")
            } else {
                error
            });
        }
        self.parser.expression()
    }
}
