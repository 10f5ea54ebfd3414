//! Whole declarations, parsed token by token.
//!
//! Invariant: the parser is always at a token; the last one is the end.

use std::ops::Range;

use super::token::{Token, TokenKind, tokens};
use super::types::AnnotatedType;
use crate::codes;
use torchgen_base::diag::{Help, TextError};

pub(super) type Result<T> = std::result::Result<T, TextError>;

/// The state of a parse.
#[derive(Debug)]
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    /// The number of bare annotations so far. Each has an alias set of its own.
    pub(super) bare: u32,
    /// The number of nested types being parsed.
    pub(super) open_types: usize,
}

/// A schema that c10 accepts.
#[derive(Debug, Clone)]
pub struct Declared {
    /// The namespace, if one is written.
    pub namespace: Option<String>,
    /// The schema without the namespace, in the usual white space and without comments.
    pub text: String,
    /// The place of the name with its overload.
    pub(super) name_at: Range<usize>,
    pub(super) base_name: String,
    pub(super) overload_name: String,
    pub(super) arguments: Vec<Item>,
    pub(super) returns: Vec<Item>,
    pub(super) returns_at: Range<usize>,
}

/// An item of an argument or return list.
#[derive(Debug, Clone)]
pub(super) enum Item {
    /// The arguments after it are keyword-only.
    Star,
    /// `...`
    Dots(Range<usize>),
    /// An argument or return.
    Value(Box<DeclaredValue>),
}

/// An argument or return.
#[derive(Debug, Clone)]
pub(super) struct DeclaredValue {
    pub(super) written: AnnotatedType,
    /// Its name and place; only a return can lack it.
    pub(super) name: Option<(String, Range<usize>)>,
    pub(super) default: Option<(String, Range<usize>)>,
    pub(super) keyword_only: bool,
}

impl Declared {
    /// The name with its overload.
    pub fn name(&self) -> String {
        match self.overload_name.as_str() {
            "" => self.base_name.clone(),
            overload => format!("{}.{overload}", self.base_name),
        }
    }
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Parser { text, tokens: tokens(text), at: 0, bare: 0, open_types: 0 }
    }

    /// The current token.
    pub(super) fn token(&self) -> Token {
        self.tokens[self.at].clone()
    }

    /// Where it is.
    pub(super) fn range(&self) -> Range<usize> {
        self.tokens[self.at].range.clone()
    }

    /// The token before it.
    pub(super) fn last(&self) -> Option<Token> {
        self.tokens.get(self.at.checked_sub(1)?).cloned()
    }

    /// The end of the token before it.
    pub(super) fn before(&self) -> usize {
        self.at.checked_sub(1).map_or(0, |before| self.tokens[before].range.end)
    }

    /// The text of a token.
    pub(super) fn word(&self, token: &Token) -> &'a str {
        &self.text[token.range.clone()]
    }

    /// Goes to the next token, and stays at the end.
    pub(super) fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    /// Whether this is the current token.
    pub(super) fn is(&self, punctuation: &str) -> bool {
        matches!(self.tokens[self.at].kind, TokenKind::Punct(own) if own == punctuation)
    }

    /// Whether this is the next token.
    pub(super) fn follows(&self, punctuation: &str) -> bool {
        matches!(self.tokens.get(self.at + 1), Some(Token { kind: TokenKind::Punct(own), .. }) if *own == punctuation)
    }

    /// Whether the next token is a name.
    pub(super) fn follows_identifier(&self) -> bool {
        matches!(self.tokens.get(self.at + 1), Some(Token { kind: TokenKind::Ident, .. }))
    }

    /// Takes this token if it is the current one.
    pub(super) fn take(&mut self, punctuation: &str) -> bool {
        let is = self.is(punctuation);
        if is {
            self.advance();
        }
        is
    }

    /// Takes this token.
    pub(super) fn expect(&mut self, punctuation: &str) -> Result<()> {
        if self.take(punctuation) { Ok(()) } else { Err(self.unexpected(&format!("`{punctuation}`"))) }
    }

    /// Takes a name.
    pub(super) fn identifier(&mut self, what: &str) -> Result<(String, Range<usize>)> {
        let token = self.token();
        match token.kind {
            TokenKind::Ident => {
                self.advance();
                Ok((self.word(&token).to_owned(), token.range))
            }
            TokenKind::Reserved => {
                let name = self.word(&token);
                Err(self.reserved_name(token.range, name))
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// Items between two tokens, with commas.
    pub(super) fn list(
        &mut self,
        open: &str,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.expect(open)?;
        if self.take(close) {
            return Ok(());
        }
        loop {
            item(self)?;
            if self.take(close) {
                return Ok(());
            }
            if !self.take(",") {
                return Err(self.unexpected(&format!("`,` or `{close}`")));
            }
        }
    }

    /// The text, in backquotes.
    pub(super) fn shown(&self, range: &Range<usize>) -> String {
        format!("`{}`", self.joined(range.clone()))
    }

    /// The text as written, unless it contains comments or line breaks.
    pub(super) fn verbatim(&self, range: Range<usize>) -> String {
        let outside_strings = self.inside(&range).iter().scan(range.start, |at, token| {
            let between = &self.text[*at..token.range.start];
            *at = token.range.end;
            Some(between)
        });
        let is_plain = !outside_strings.clone().any(|between| between.contains(['\n', '#']));
        if is_plain { self.text[range].to_owned() } else { self.joined(range) }
    }

    /// The tokens in a range, which are in order: schemas may have thousands.
    fn inside(&self, range: &Range<usize>) -> &[Token] {
        let tokens = &self.tokens[self.tokens.partition_point(|token| token.range.start < range.start)..];
        &tokens[..tokens.partition_point(|token| token.range.end <= range.end)]
    }

    /// The tokens in the usual white space.
    pub(super) fn joined(&self, range: Range<usize>) -> String {
        let mut text = String::with_capacity(range.len());
        let mut word_before = false;
        for token in self.inside(&range) {
            let is_word = matches!(token.kind, TokenKind::Ident | TokenKind::Reserved | TokenKind::Number);
            if is_word && word_before {
                text.push(' ');
            }
            match token.kind {
                TokenKind::Punct("->") => text.push_str(" -> "),
                TokenKind::Punct(",") => text.push_str(", "),
                TokenKind::NewLine | TokenKind::End => {}
                _ => text.push_str(self.word(token)),
            }
            word_before = is_word;
        }
        text
    }

    /// A whole declaration.
    pub(super) fn declaration(mut self) -> Result<Declared> {
        let name_start = self.range().start;
        let (mut base_name, _) = self.identifier("an operator name")?;
        let mut namespace: Option<String> = None;
        let mut name_at = name_start;
        while self.is(":") {
            self.advance();
            self.expect(":")?;
            namespace = Some(namespace.map_or(base_name.clone(), |outer| format!("{outer}::{base_name}")));
            name_at = self.range().start;
            base_name = self.identifier("an operator name")?.0;
        }
        let mut overload_name = String::new();
        if self.token().kind == TokenKind::Number {
            // `.2d` begins with a number.
            return Err(self.unexpected("an overload name"));
        }
        if self.take(".") {
            let range;
            (overload_name, range) = self.identifier("an overload name")?;
            if overload_name == "default" || overload_name.starts_with("__") {
                let message = format!("`{overload_name}` is reserved and cannot be an overload name");
                return Err(TextError::new(&codes::BAD_NAME, range, message));
            }
        }
        let name_at = name_at..self.before();
        let arguments = self.arguments()?;
        self.expect("->")?;
        let returns_start = self.range().start;
        let (returns, in_parentheses) = self.returns()?;
        let returns_at = returns_start..self.before();
        if self.token().kind == TokenKind::NewLine {
            self.advance();
        }
        if self.token().kind != TokenKind::End {
            let error = self.unexpected("the end");
            return Err(match self.is(",") && !in_parentheses {
                true => TextError::new(&codes::SCHEMA_SYNTAX, self.range(), "a second return without parentheses")
                    .help("several returns go in parentheses, as in `(Tensor, Tensor)`"),
                false => error,
            });
        }
        defaults_in_order(&arguments)?;
        let declared = Declared {
            namespace,
            text: String::new(),
            name_at,
            base_name,
            overload_name,
            arguments,
            returns,
            returns_at,
        };
        let text = self.canonical(&declared, in_parentheses);
        Ok(Declared { text, ..declared })
    }

    fn arguments(&mut self) -> Result<Vec<Item>> {
        let mut items = Vec::new();
        let mut keyword_only = false;
        self.list("(", ")", |parser| {
            if let Some(Item::Dots(range)) = items.last() {
                let message = "`...` must be the last argument";
                return Err(TextError::new(&codes::SCHEMA_SYNTAX, Range::clone(range), message));
            }
            let item = if parser.take("*") {
                keyword_only = true;
                Item::Star
            } else if parser.is("...") {
                let range = parser.range();
                parser.advance();
                Item::Dots(range)
            } else {
                let one = DeclaredValue { keyword_only, ..parser.argument()? };
                if one.default.is_none() && !parser.is(",") && !parser.is(")") {
                    return Err(parser.unexpected("`=`, `,` or `)`"));
                }
                Item::Value(Box::new(one))
            };
            items.push(item);
            Ok(())
        })?;
        Ok(items)
    }

    /// One argument, as if it could be given by position.
    pub(super) fn argument(&mut self) -> Result<DeclaredValue> {
        let written = self.outer_type()?;
        if self.is("(") || self.is("!") {
            return Err(self.late_annotation(&written));
        }
        let name = self.identifier("an argument name")?;
        let default = match self.take("=") {
            true => {
                let first = self.token();
                let default = self.default(written.default);
                let default = default.map_err(|error| self.helped_default(error, &written, &name.0, &first))?;
                Some((default, first.range.start..self.before()))
            }
            false => None,
        };
        Ok(DeclaredValue { written, name: Some(name), default, keyword_only: false })
    }

    /// The returns, and whether they are in parentheses.
    fn returns(&mut self) -> Result<(Vec<Item>, bool)> {
        if self.is("...") {
            let range = self.range();
            self.advance();
            return Ok((vec![Item::Dots(range)], false));
        }
        if !self.is("(") {
            return Ok((vec![Item::Value(Box::new(self.one_return()?))], false));
        }
        let mut items = Vec::new();
        self.list("(", ")", |parser| {
            if let Some(Item::Dots(range)) = items.last() {
                let message = "`...` must be the last return";
                return Err(TextError::new(&codes::SCHEMA_SYNTAX, Range::clone(range), message));
            }
            items.push(if parser.is("...") {
                let range = parser.range();
                parser.advance();
                Item::Dots(range)
            } else {
                Item::Value(Box::new(parser.one_return()?))
            });
            Ok(())
        })?;
        Ok((items, true))
    }

    fn one_return(&mut self) -> Result<DeclaredValue> {
        let written = self.outer_type()?;
        if self.is("(") || self.is("!") {
            return Err(self.late_annotation(&written));
        }
        let name = if self.token().kind == TokenKind::Ident { Some(self.identifier("a name")?) } else { None };
        Ok(DeclaredValue { written, name, default: None, keyword_only: false })
    }

    /// An annotation after `?`.
    fn late_annotation(&self, written: &AnnotatedType) -> TextError {
        let start = self.range().start;
        let rest = &self.text[start..];
        let len = if rest.starts_with('!') { 1 } else { rest.find(')').map_or(1, |close| close + 1) };
        let annotation = &rest[..len];
        let before = self.joined(written.range.clone());
        if let Some(annotated) = before.strip_suffix(')').filter(|_| annotation == "!") {
            let message = "`!` goes into the parentheses of the annotation";
            return TextError::new(&codes::BAD_ANNOTATION, start..start + 1, message)
                .help(Help::new(format!("write `{annotated}!)`")).with_before(")", "!)").certainly());
        }
        let error = TextError::new(
            &codes::BAD_ANNOTATION,
            start..start + len,
            "the annotation must directly follow the innermost type",
        );
        match before.find(['?', '[']) {
            Some(at) if !before.contains(['(', '!']) => {
                let (base, rest) = before.split_at(at);
                let help = Help::new(format!("write `{base}{annotation}{rest}`"));
                error.help(help.with_before(rest, format!("{annotation}{rest}")).certainly())
            }
            _ => error,
        }
    }

    /// The schema in the usual white space. Redundant stars are dropped.
    fn canonical(&self, declared: &Declared, in_parentheses: bool) -> String {
        let mut text = declared.base_name.clone();
        if !declared.overload_name.is_empty() {
            text.push('.');
            text.push_str(&declared.overload_name);
        }
        text.push('(');
        let mut keyword_only = false;
        let mut arguments = Vec::new();
        for item in &declared.arguments {
            if let Item::Value(one) = item
                && one.keyword_only
                && !keyword_only
            {
                keyword_only = true;
                arguments.push("*".to_owned());
            }
            arguments.extend(self.item(item));
        }
        text.push_str(&arguments.join(", "));
        text.push_str(") -> ");
        let returns: Vec<String> = declared.returns.iter().filter_map(|item| self.item(item)).collect();
        let parentheses = in_parentheses && (returns.len() != 1 || returns[0].starts_with('('));
        if parentheses {
            text.push('(');
        }
        text.push_str(&returns.join(", "));
        if parentheses {
            text.push(')');
        }
        text
    }

    fn item(&self, item: &Item) -> Option<String> {
        let one = match item {
            Item::Star => return None,
            Item::Dots(_) => return Some("...".to_owned()),
            Item::Value(one) => one,
        };
        let mut text = self.joined(one.written.range.clone());
        if let Some((name, _)) = &one.name {
            text.push(' ');
            text.push_str(name);
        }
        if let Some((default, _)) = &one.default {
            text.push('=');
            text.push_str(default);
        }
        Some(text)
    }
}

/// c10 refuses a positional argument without a default after one with a default, except for lists,
/// and defaults together with `...`.
fn defaults_in_order(items: &[Item]) -> Result<()> {
    let arguments = || items.iter().filter_map(|item| if let Item::Value(one) = item { Some(one) } else { None });
    let name = |one: &DeclaredValue| one.name.clone().unwrap_or_default();
    let first = arguments().find(|one| one.default.is_some());
    if let (Some(Item::Dots(range)), Some(first)) = (items.last(), first) {
        let message = format!("`...` cannot follow `{}`, which has a default", name(first).0);
        return Err(TextError::new(&codes::BAD_ARGUMENT, range.clone(), message));
    }
    let mut seen: Option<String> = None;
    for one in arguments().filter(|one| !one.keyword_only) {
        match (&seen, &one.default) {
            (None, Some(_)) => seen = Some(name(one).0),
            (Some(earlier), None) if !one.written.is_list => {
                let (name, range) = name(one);
                let message = format!("`{name}` needs a default, since `{earlier}` before it has one");
                let help = format!("put it before `{earlier}`, or give it a default");
                return Err(TextError::new(&codes::BAD_ARGUMENT, range, message).help(help));
            }
            _ => {}
        }
    }
    Ok(())
}
