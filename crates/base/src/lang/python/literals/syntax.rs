//! Statements of Python, as far as they affect values.
//!
//! Invariant: an unsupported statement gives no name a known value, and is never an error. Of
//! conditions and loops only the statements inside them are kept.

use std::ops::Range;

use super::expression::{self, Expression};
use crate::diag::TextError;
use crate::lang::python::error;
use crate::lang::python::token::{self, Token, TokenKind};

/// A statement.
#[derive(Debug, Clone)]
pub(super) enum Statement {
    /// `a = b = value`: the names, and their common value.
    Assign {
        names: Vec<Name>,
        value: Expression,
    },
    /// `self.a = value`
    AssignAttribute {
        object: String,
        attribute: String,
        value: Expression,
    },
    /// `a: type`, which gives no value.
    Declare(Name),
    /// Names that get an unknown value: imports, loops, unpacking, `+=`.
    Bind(Vec<Name>),
    Def(Def),
    Class(Class),
    /// Statements of a block that may or may not run.
    Block(Vec<Statement>),
    Return(Option<Expression>),
    /// `from m import *`
    ImportAll,
    /// Any other: it assigns no name, but may change the values of these names.
    Touch(Vec<Name>),
}

/// A name and its place.
#[derive(Debug, Clone)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) range: Range<usize>,
    /// It was declared with a type, like the fields of a data class.
    pub(super) annotated: bool,
}

/// A function.
#[derive(Debug, Clone)]
pub(super) struct Def {
    pub(super) name: Name,
    /// Parameters that can be given by position, in order.
    pub(super) positional: Vec<String>,
    pub(super) decorated: bool,
    pub(super) body: Vec<Statement>,
}

/// A class.
#[derive(Debug, Clone)]
pub(super) struct Class {
    pub(super) name: Name,
    /// What it inherits from, in order; `None` for anything but a plain name.
    pub(super) bases: Vec<Option<String>>,
    pub(super) body: Vec<Statement>,
}

/// The statements of a file.
///
/// # Errors
/// As for [`token::tokens`], or a missing block.
pub(super) fn statements(text: &str) -> Result<Vec<Statement>, TextError> {
    let tokens = token::tokens(text)?;
    let mut parser = Parser { text, tokens: &tokens, at: 0 };
    let mut statements = Vec::new();
    while parser.kind() != &TokenKind::End {
        parser.statement(&mut statements)?;
    }
    Ok(statements)
}

/// A place in the tokens.
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Token],
    pub(super) at: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn token(&self) -> &'a Token {
        // The last token is the end, which is never passed.
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    pub(super) fn kind(&self) -> &'a TokenKind {
        &self.token().kind
    }

    /// The text of the token, empty for one without text.
    pub(super) fn word(&self) -> &'a str {
        self.word_at(self.at)
    }

    fn word_at(&self, index: usize) -> &'a str {
        match self.tokens.get(index) {
            Some(token) if matches!(token.kind, TokenKind::Name | TokenKind::Op) => &self.text[token.range.clone()],
            _ => "",
        }
    }

    /// The index of the first token from here that ends the line or is one of these operators or
    /// keywords outside brackets.
    pub(super) fn find(&self, wanted: &[&str]) -> usize {
        let mut at = self.at;
        while let Some(token) = self.tokens.get(at) {
            if matches!(token.kind, TokenKind::Newline | TokenKind::Indent | TokenKind::Dedent | TokenKind::End)
                || wanted.contains(&self.word_at(at))
            {
                break;
            }
            at = self.after(at);
        }
        at.min(self.tokens.len() - 1)
    }

    /// The index after a token, or after the brackets that it opens.
    pub(super) fn after(&self, index: usize) -> usize {
        self.tokens[index].close.max(index) + 1
    }

    fn name_at(&self, index: usize) -> Option<Name> {
        let token = self.tokens.get(index).filter(|token| token.kind == TokenKind::Name)?;
        let text = self.text[token.range.clone()].to_owned();
        Some(Name { text, range: token.range.clone(), annotated: false })
    }

    fn statement(&mut self, out: &mut Vec<Statement>) -> Result<(), TextError> {
        match self.word() {
            "def" => out.push(Statement::Def(self.def()?)),
            "class" => out.push(self.class()?),
            "@" => self.decorated(out)?,
            "async" if self.word_at(self.at + 1) == "def" => {
                self.at += 1;
                out.push(Statement::Def(self.def()?));
            }
            "if" | "elif" | "else" | "try" | "except" | "finally" | "while" => {
                self.header();
                out.push(Statement::Block(self.suite()?));
            }
            "for" | "with" | "async" => {
                let start = self.at;
                self.header();
                out.push(Statement::Bind(self.names(start, self.at)));
                out.push(Statement::Block(self.suite()?));
            }
            _ => return self.simple_line(out),
        }
        Ok(())
    }

    fn decorated(&mut self, out: &mut Vec<Statement>) -> Result<(), TextError> {
        while self.word() == "@" {
            self.at = self.find(&[]);
            self.skip_newline();
        }
        match self.word() {
            "def" => out.push(Statement::Def(Def { decorated: true, ..self.def()? })),
            "async" if self.word_at(self.at + 1) == "def" => {
                self.at += 1;
                out.push(Statement::Def(Def { decorated: true, ..self.def()? }));
            }
            _ => self.statement(out)?,
        }
        Ok(())
    }

    fn skip_newline(&mut self) {
        if self.kind() == &TokenKind::Newline {
            self.at += 1;
        }
    }

    /// Goes to the colon that ends a header.
    fn header(&mut self) {
        self.at = self.find_past_lambdas(&[":"]);
    }

    /// As [`Parser::find`], skipping the commas and colons of lambdas.
    fn find_past_lambdas(&self, wanted: &[&str]) -> usize {
        let mut ahead = Parser { at: self.at, ..*self };
        let mut stops = vec!["lambda"];
        stops.extend(wanted);
        loop {
            ahead.at = ahead.find(&stops);
            if ahead.word() != "lambda" {
                return ahead.at;
            }
            ahead.at = ahead.find(&[":"]);
            ahead.at += usize::from(ahead.word() == ":");
        }
    }

    /// The statements after a colon: on the same line, or indented.
    fn suite(&mut self) -> Result<Vec<Statement>, TextError> {
        let mut statements = Vec::new();
        if self.word() != ":" {
            let range = self.token().range.clone();
            return Err(error(range, "expected a colon"));
        }
        self.at += 1;
        if self.kind() != &TokenKind::Newline {
            self.simple_line(&mut statements)?;
            return Ok(statements);
        }
        self.at += 1;
        if self.kind() != &TokenKind::Indent {
            let range = self.token().range.clone();
            return Err(error(range, "expected an indented block"));
        }
        self.at += 1;
        while !matches!(self.kind(), TokenKind::Dedent | TokenKind::End) {
            self.statement(&mut statements)?;
        }
        self.at += 1;
        Ok(statements)
    }

    fn def(&mut self) -> Result<Def, TextError> {
        let Some(name) = self.name_at(self.at + 1) else {
            return Err(error(self.token().range.clone(), "expected the name of the function"));
        };
        // Type parameters may precede the parameters.
        self.at = self.find(&["("]);
        let positional = if self.word() == "(" { self.parameters() } else { Vec::new() };
        self.header();
        Ok(Def { name, positional, decorated: false, body: self.suite()? })
    }

    /// The parameters between these parentheses that can be given by position.
    fn parameters(&mut self) -> Vec<String> {
        let close = self.token().close;
        let mut names = Vec::new();
        self.at += 1;
        while self.at < close && !matches!(self.word(), "*" | "**") {
            names.extend(self.name_at(self.at).map(|name| name.text));
            self.at = self.find_past_lambdas(&[",", ")"]);
            self.at += usize::from(self.word() == ",");
        }
        self.at = close + 1;
        names
    }

    fn class(&mut self) -> Result<Statement, TextError> {
        let Some(name) = self.name_at(self.at + 1) else {
            return Err(error(self.token().range.clone(), "expected the name of the class"));
        };
        self.at = self.find(&["(", ":"]);
        let mut bases = Vec::new();
        if self.word() == "(" {
            let close = self.token().close;
            self.at += 1;
            while self.at < close {
                let single = matches!(self.word_at(self.at + 1), "," | ")");
                bases.push(self.name_at(self.at).filter(|_| single).map(|name| name.text));
                self.at = self.find_past_lambdas(&[",", ")"]);
                self.at += usize::from(self.word() == ",");
            }
            self.at = close + 1;
        }
        self.header();
        Ok(Statement::Class(Class { name, bases, body: self.suite()? }))
    }

    /// Statements up to the end of the line, and the block below if the line ends in a colon.
    fn simple_line(&mut self, out: &mut Vec<Statement>) -> Result<(), TextError> {
        if self.kind() == &TokenKind::Indent {
            return Err(error(self.token().range.clone(), "unexpected indent"));
        }
        loop {
            self.simple_statement(out);
            self.at = self.find(&[";"]);
            if self.word() != ";" {
                break;
            }
            self.at += 1;
        }
        let after_colon = self.at > 0 && self.word_at(self.at - 1) == ":";
        self.skip_newline();
        if self.kind() == &TokenKind::Indent && after_colon {
            // `match` and `case` are keywords here and names elsewhere.
            self.at -= 2;
            out.push(Statement::Block(self.suite()?));
        }
        Ok(())
    }

    fn simple_statement(&mut self, out: &mut Vec<Statement>) {
        match self.word() {
            "import" | "from" => {
                out.push(Statement::Bind(self.imported()));
                if self.word_at(self.find(&["*", ";"])) == "*" {
                    out.push(Statement::ImportAll);
                }
            }
            "return" => {
                self.at += 1;
                let ends = matches!(self.kind(), TokenKind::Newline | TokenKind::End) || self.word() == ";";
                out.push(Statement::Return((!ends).then(|| expression::expressions(self))));
            }
            "pass" | "break" | "continue" | "global" | "nonlocal" => {}
            "del" => out.push(Statement::Bind(self.names(self.at + 1, self.find(&[";"])))),
            _ => self.assignment(out),
        }
    }

    fn assignment(&mut self, out: &mut Vec<Statement>) {
        let start = self.at;
        let end = self.find(&[";"]);
        let mut names = Vec::new();
        let mut unpacked = Vec::new();
        let mut attribute = None;
        // The targets: the text before each equals sign.
        loop {
            let from = self.at;
            let until = self.find(&["=", ":", ";"]);
            let annotated = self.word_at(until) == ":" && until < end;
            self.at = until;
            if annotated {
                self.at = self.find(&["=", ";"]);
            }
            if self.at >= end || self.word() != "=" {
                if annotated && let (Some(name), true) = (self.name_at(from), until == from + 1) {
                    out.push(Statement::Declare(Name { annotated, ..name }));
                }
                self.at = from;
                break;
            }
            match (self.name_at(from), until - from) {
                (Some(name), 1) => names.push(Name { annotated, ..name }),
                (Some(object), 3) if self.word_at(from + 1) == "." => {
                    attribute = self.name_at(from + 2).map(|attribute| (object.text, attribute.text));
                }
                _ => unpacked.extend(self.names(from, until)),
            }
            self.at += 1;
        }
        if self.at == start {
            // Not an assignment, unless it is one that changes a value.
            let changes = (start..end).any(|at| {
                let word = self.word_at(at);
                word.len() > 1 && word.ends_with('=') && !matches!(word, "==" | "!=" | "<=" | ">=")
            });
            let names = self.names(start, end);
            out.push(if changes { Statement::Bind(names) } else { Statement::Touch(names) });
            return;
        }
        let value = expression::expressions(self);
        if let Some((object, attribute)) = attribute {
            out.push(Statement::AssignAttribute { object, attribute, value: value.clone() });
        }
        if !unpacked.is_empty() {
            out.push(Statement::Bind(unpacked));
        }
        out.push(Statement::Assign { names, value });
    }

    /// The names that an import defines.
    fn imported(&self) -> Vec<Name> {
        let end = self.find(&[";"]);
        let mut start = self.at + 1;
        if self.word() == "from" {
            start = (self.at..end).find(|&at| self.word_at(at) == "import").map_or(end, |at| at + 1);
        }
        let names = (start..end).filter_map(|at| {
            let renamed = self.word_at(at + 1) == "as";
            // For `a.b as c` the last name counts, for `a.b` the first.
            let follows_dot = at > start && self.word_at(at - 1) == ".";
            let keyword = self.word_at(at) == "as";
            if renamed || follows_dot || keyword { None } else { self.name_at(at) }
        });
        names.collect()
    }

    fn names(&self, start: usize, end: usize) -> Vec<Name> {
        (start..end).filter_map(|at| self.name_at(at)).collect()
    }
}
