//! The tokens of a function's body, with their brackets.
//!
//! Invariant: each search is bounded, so that a body costs time in proportion to its length.

use std::ops::Range;

use torchgen_base::lang::cpp::{Token, TokenKind, tokens};

/// The number of tokens that a search looks at.
const FAR: usize = 2000;
/// The number of tokens that the arguments of a template have.
const TEMPLATE: usize = 80;
/// The depth of brackets that a search looks through.
const DEEP: usize = 64;

/// Words that an expression can follow, so that none is a type or an operand.
const BEFORE_EXPRESSIONS: [&str; 15] = [
    "return",
    "else",
    "do",
    "case",
    "throw",
    "co_return",
    "co_await",
    "co_yield",
    "and",
    "or",
    "not",
    "delete",
    "goto",
    "new",
    "in",
];

/// The functions whose result consists of their arguments.
const TUPLES: &[&str] =
    &["tuple", "pair", "make_tuple", "make_pair", "tie", "forward_as_tuple", "vector", "move", "Tensor", "optional"];

/// How an operator assigns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Assigns {
    /// `=`
    Plain,
    /// `+=` and the like.
    Compound,
}

/// The tokens between the braces of a function.
pub(super) struct Code<'t> {
    text: &'t str,
    /// Its place in the source.
    start: usize,
    tokens: Vec<Token>,
    /// For each bracket, the other one.
    partners: Vec<Option<usize>>,
    /// The innermost bracket that is open before each token.
    within: Vec<Option<usize>>,
}

impl<'t> Code<'t> {
    pub(super) fn new(source: &'t str, body: &Range<usize>) -> Code<'t> {
        let text = source.get(body.clone()).unwrap_or_default();
        let mut tokens = tokens(text);
        tokens.retain(|token| token.kind != TokenKind::Directive);
        let (mut partners, mut within) = (vec![None; tokens.len()], vec![None; tokens.len()]);
        let mut open: Vec<usize> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let mark = token.mark(text);
            let closes = |before: usize| {
                matches!(
                    (tokens[before].mark(text), mark),
                    (Some('('), Some(')')) | (Some('['), Some(']')) | (Some('{'), Some('}'))
                )
            };
            if let Some(before) = open.last().copied().filter(|before| closes(*before)) {
                (partners[before], partners[at]) = (Some(at), Some(before));
                open.pop();
            }
            within[at] = open.last().copied();
            if matches!(mark, Some('(' | '[' | '{')) {
                open.push(at);
            }
        }
        Code { text, start: body.start, tokens, partners, within }
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    pub(super) fn word(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| &self.text[token.range.clone()])
    }

    /// The token that many places before another one.
    pub(super) fn back(&self, at: usize, by: usize) -> &'t str {
        at.checked_sub(by).map_or("", |before| self.word(before))
    }

    /// The place of tokens in the source.
    pub(super) fn range(&self, tokens: Range<usize>) -> Range<usize> {
        let start = self.tokens.get(tokens.start).map_or(0, |token| token.range.start);
        let end =
            tokens.end.checked_sub(1).and_then(|last| self.tokens.get(last)).map_or(start, |token| token.range.end);
        self.start + start..self.start + end.max(start)
    }

    /// Whether the token is a name.
    pub(super) fn is_name(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == TokenKind::Word)
            && !BEFORE_EXPRESSIONS.contains(&self.word(at))
    }

    /// Whether the token is a name that something precedes: an operand.
    fn is_operand(&self, at: usize) -> bool {
        let is_value =
            self.tokens.get(at).is_some_and(|token| matches!(token.kind, TokenKind::Number | TokenKind::Literal));
        let ends = match self.word(at) {
            // `if (c) *p = 1;`
            ")" => !self.partner(at).is_some_and(|open| matches!(self.back(open, 1), "for" | "if" | "while")),
            word => word == "]",
        };
        is_value || self.is_name(at) || ends
    }

    /// Whether the operator at that place has no operand before it.
    pub(super) fn is_unary(&self, at: usize) -> bool {
        at.checked_sub(1).is_none_or(|before| !self.is_operand(before))
    }

    pub(super) fn partner(&self, at: usize) -> Option<usize> {
        self.partners.get(at).copied().flatten()
    }

    /// The innermost bracket around a token.
    pub(super) fn around(&self, at: usize) -> Option<usize> {
        self.within.get(at).copied().flatten()
    }

    /// Whether nothing is between a token and the next one.
    fn touches(&self, at: usize) -> bool {
        matches!((self.tokens.get(at), self.tokens.get(at + 1)), (Some(one), Some(next)) if one.range.end == next.range.start)
    }

    /// Whether the token is `++` or `--`, which is two tokens.
    pub(super) fn steps(&self, at: usize) -> bool {
        matches!(self.word(at), "+" | "-") && self.word(at + 1) == self.word(at) && self.touches(at)
    }

    /// The assignment behind an operand.
    pub(super) fn assigns(&self, at: usize) -> Option<Assigns> {
        let is_equal = |at: usize| self.word(at) == "=" && !(self.word(at + 1) == "=" && self.touches(at));
        match self.word(at) {
            "=" if is_equal(at) => Some(Assigns::Plain),
            "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" if self.touches(at) && is_equal(at + 1) => {
                Some(Assigns::Compound)
            }
            shift @ ("<" | ">") if self.word(at + 1) == shift && self.touches(at) => {
                (self.touches(at + 1) && is_equal(at + 2)).then_some(Assigns::Compound)
            }
            _ => None,
        }
    }

    /// The place behind the arguments of a template that begin at `<`.
    pub(super) fn behind_template(&self, at: usize) -> Option<usize> {
        let mut depth = 0usize;
        for i in at..self.len().min(at + TEMPLATE) {
            match self.word(i) {
                "<" => depth += 1,
                ">" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(i + 1);
                    }
                }
                ";" | "{" | "}" => return None,
                _ => {}
            }
        }
        None
    }

    /// The `<` of the arguments of a template, or of a launch, that end at `>`.
    fn template_before(&self, at: usize) -> Option<usize> {
        let (mut depth, mut i) = (0usize, at);
        for _ in 0..TEMPLATE {
            match self.word(i) {
                ">" => depth += 1,
                "<" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(i);
                    }
                }
                ")" => i = self.partner(i)?,
                ";" | "{" | "}" => return None,
                _ => {}
            }
            i = i.checked_sub(1)?;
        }
        None
    }

    /// The name that a bracket's content is passed to: the place of its last word, and of the first
    /// one with its namespaces.
    pub(super) fn called(&self, open: usize) -> Option<(usize, usize)> {
        let mut name = open.checked_sub(1)?;
        // `f<T><<<grid, block>>>(…)`
        for _ in 0..2 {
            if self.word(name) == ">" {
                name = self.template_before(name)?.checked_sub(1)?;
            }
        }
        if !self.is_name(name) {
            return None;
        }
        let mut first = name;
        while self.back(first, 1) == "::" && first >= 2 && self.is_name(first - 2) {
            first -= 2;
        }
        if self.back(first, 1) == "::" {
            first -= 1;
        }
        Some((name, first))
    }

    /// The words of a name with its namespaces.
    pub(super) fn joined(&self, range: Range<usize>) -> String {
        range.map(|at| self.word(at)).collect()
    }

    /// The index of an argument among those of a call, and how many there are.
    pub(super) fn argument(&self, open: usize, at: usize) -> Option<(usize, usize)> {
        let close = self.partner(open)?;
        if close - open > FAR {
            return None;
        }
        let (mut i, mut index, mut commas) = (open + 1, 0, 0);
        while i < close {
            match self.word(i) {
                "(" | "[" | "{" => i = self.partner(i)?,
                "<" => {
                    let behind =
                        self.behind_template(i).filter(|behind| matches!(self.word(*behind), "(" | "::" | "{"));
                    if let Some(behind) = behind {
                        i = behind - 1;
                    }
                }
                "," => {
                    commas += 1;
                    if i < at {
                        index += 1;
                    }
                }
                _ => {}
            }
            i += 1;
        }
        Some((index, commas + 1))
    }

    /// The first token of the statement, or of the part of it in brackets.
    pub(super) fn statement_start(&self, at: usize) -> Option<usize> {
        let mut i = at;
        for _ in 0..FAR {
            match self.back(i, 1) {
                "" | ";" | "{" | "}" | "(" | "[" => return Some(i),
                ")" | "]" => i = self.partner(i - 1)?,
                _ => i -= 1,
            }
        }
        None
    }

    /// The end of the statement, or of the part of it in brackets.
    pub(super) fn statement_end(&self, at: usize) -> usize {
        let mut i = at;
        for _ in 0..FAR {
            match self.word(i) {
                "" | ";" | "}" | ")" | "]" => return i,
                "(" | "[" | "{" => i = self.partner(i).unwrap_or(self.len()),
                _ => {}
            }
            i += 1;
        }
        i.min(self.len())
    }

    /// Whether the function returns the expression, alone or among others.
    pub(super) fn returns(&self, mut first: usize, mut end: usize) -> bool {
        let at = first;
        for _ in 0..8 {
            if self.back(first, 1) == "return" && self.word(end) == ";" {
                return !self.is_in_lambda(at);
            }
            if matches!(self.back(first, 1), "?" | ":") && matches!(self.word(end), ":" | ";") {
                let start = self.statement_start(first);
                return start.is_some_and(|start| self.word(start) == "return") && !self.is_in_lambda(at);
            }
            let Some(open) = self.around(first) else { return false };
            let is_whole = (open + 1 == first || self.back(first, 1) == ",")
                && (self.word(end) == "," || self.partner(open) == Some(end));
            let Some(close) = self.partner(open).filter(|_| is_whole) else { return false };
            let called = self.called(open);
            let is_tuple = called.is_some_and(|(name, _)| TUPLES.contains(&self.word(name)));
            match (self.word(open), called) {
                ("(" | "{", Some((_, start))) if is_tuple => (first, end) = (start, close + 1),
                ("{", None) => (first, end) = (open, close + 1),
                _ => return false,
            }
        }
        false
    }

    /// Whether a lambda has the token: a `return` there is not the function's.
    pub(super) fn is_in_lambda(&self, at: usize) -> bool {
        let mut open = self.around(at);
        for _ in 0..DEEP {
            let Some(bracket) = open else { return false };
            if self.word(bracket) == "{" && self.opens_lambda(bracket) {
                return true;
            }
            open = self.around(bracket);
        }
        true
    }

    /// Whether a brace follows the signature of a lambda.
    fn opens_lambda(&self, brace: usize) -> bool {
        let mut at = brace;
        for _ in 0..16 {
            match self.back(at, 1) {
                "]" => return true,
                ")" => {
                    let Some(open) = self.partner(at - 1) else { return false };
                    let mut before = open;
                    // `[=] GPU_LAMBDA (int i) {`
                    while before > 0 && open - before < 3 && self.is_name(before - 1) {
                        before -= 1;
                    }
                    return self.back(before, 1) == "]";
                }
                ";" | "{" | "}" | "" => return false,
                _ => at -= 1,
            }
        }
        false
    }
}
