//! The tokens of a formula, and the places in it that an edit can change.
//!
//! Invariant: tokens print as the text that they were read from.

use std::ops::Range;

/// The tokens of a text of C++; white space is a token too.
#[derive(Clone, Debug)]
pub(crate) struct Tokens(pub(crate) Vec<String>);

/// A call: the place of its name, and those of its arguments.
pub(crate) struct Call {
    pub(crate) name: usize,
    pub(crate) open: usize,
    pub(crate) close: usize,
    pub(crate) arguments: Vec<Range<usize>>,
}

/// Operators of more than one character.
const LONG: [&str; 10] = ["::", "->", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>"];

impl Tokens {
    pub(crate) fn new(text: &str) -> Tokens {
        let mut all = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let length = if first.is_alphabetic() || first == '_' {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
            } else if first.is_ascii_digit() {
                number(rest)
            } else if first == '"' {
                rest[1..].find('"').map_or(rest.len(), |end| end + 2)
            } else if LONG.iter().any(|long| rest.starts_with(long)) {
                2
            } else {
                first.len_utf8()
            };
            all.push(rest[..length].to_owned());
            rest = &rest[length..];
        }
        Tokens(all)
    }

    pub(crate) fn text(&self) -> String {
        self.0.concat()
    }

    pub(crate) fn at(&self, i: usize) -> &str {
        self.0.get(i).map_or("", String::as_str)
    }

    /// The token before, without white space.
    pub(crate) fn before(&self, i: usize) -> &str {
        self.0[..i].iter().rev().find(|token| token.as_str() != " ").map_or("", String::as_str)
    }

    pub(crate) fn is_word(&self, i: usize) -> bool {
        self.at(i).starts_with(|c: char| c.is_alphabetic() || c == '_')
    }

    /// The text with other text in place of some tokens.
    pub(crate) fn with(&self, place: Range<usize>, text: &str) -> String {
        format!("{}{text}{}", self.0[..place.start].concat(), self.0[place.end..].concat())
    }

    /// The places of these tokens.
    pub(crate) fn places(&self, is: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..self.0.len()).filter(|i| is(*i)).collect()
    }

    /// Names of values: not members, functions or parts of qualified names.
    pub(crate) fn names(&self) -> Vec<usize> {
        self.places(|i| {
            self.is_word(i)
                && !matches!(self.before(i), "." | "->" | "::")
                && !matches!(self.at(i + 1), "(" | "::" | "<")
                && !matches!(self.at(i), "auto" | "return" | "const" | "true" | "false")
        })
    }

    /// The bracket that closes this one.
    pub(crate) fn close(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        for i in open..self.0.len() {
            match self.at(i) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(i);
            }
        }
        None
    }

    /// The pairs of brackets.
    pub(crate) fn pairs(&self) -> Vec<(usize, usize)> {
        let open = self.places(|i| matches!(self.at(i), "(" | "[" | "{"));
        open.into_iter().filter_map(|open| Some((open, self.close(open)?))).collect()
    }

    /// The calls of functions and methods.
    pub(crate) fn calls(&self) -> Vec<Call> {
        let open = self.places(|i| self.at(i) == "(" && i > 0 && self.is_word(i - 1));
        let call = |open: usize| {
            let close = self.close(open)?;
            Some(Call { name: open - 1, open, close, arguments: self.arguments(open + 1..close) })
        };
        open.into_iter().filter_map(call).collect()
    }

    /// The parts between commas, without white space around them.
    fn arguments(&self, inside: Range<usize>) -> Vec<Range<usize>> {
        let mut all = Vec::new();
        let (mut depth, mut start) = (0, inside.start);
        for i in inside.clone() {
            match self.at(i) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                "," if depth == 0 => {
                    all.push(start..i);
                    start = i + 1;
                }
                _ => {}
            }
        }
        all.push(start..inside.end);
        let trimmed = |mut range: Range<usize>| {
            while range.start < range.end && self.at(range.start) == " " {
                range.start += 1;
            }
            range
        };
        all.into_iter().map(trimmed).filter(|range| !range.is_empty()).collect()
    }

    /// Operands: names, numbers, calls and what is in parentheses, with their members.
    pub(crate) fn operands(&self) -> Vec<Range<usize>> {
        let starts = self.places(|i| {
            let first = self.is_word(i) || self.at(i) == "(" || self.at(i).starts_with(|c: char| c.is_ascii_digit());
            let within =
                matches!(self.before(i), "." | "->" | "::") || (self.at(i) == "(" && i > 0 && self.is_word(i - 1));
            first && !within
        });
        starts.into_iter().filter_map(|start| Some(start..self.operand_end(start)?)).collect()
    }

    fn operand_end(&self, start: usize) -> Option<usize> {
        let mut end = if self.at(start) == "(" { self.close(start)? + 1 } else { start + 1 };
        loop {
            end = match self.at(end) {
                "(" | "[" => self.close(end)? + 1,
                "." | "->" | "::" => end + 2,
                _ => return (end <= self.0.len()).then_some(end),
            };
        }
    }

    /// Whether it has lists of Python: brackets that are neither a subscript's nor a lambda's.
    pub(crate) fn has_lists(&self) -> bool {
        let follows = |i: usize| {
            let before = self.before(i);
            before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ')' | ']' | '>' | '"'))
        };
        let is_capture = |token: &String| matches!(token.as_str(), "&" | "=" | "," | " " | "this");
        let is_list = |(open, close): (usize, usize)| {
            let captures = self.0[open + 1..close].iter().all(is_capture) || close == open + 2;
            let after = (close + 1..self.0.len()).find(|i| self.at(*i) != " ").map_or("", |i| self.at(i));
            self.at(open) == "[" && !follows(open) && !(captures && matches!(after, "(" | "{"))
        };
        self.pairs().into_iter().any(is_list)
    }

    /// Whether all brackets and strings are closed.
    pub(crate) fn is_balanced(&self) -> bool {
        let mut open = Vec::new();
        for token in &self.0 {
            match token.as_str() {
                "(" => open.push(")"),
                "[" => open.push("]"),
                "{" => open.push("}"),
                ")" | "]" | "}" if open.pop() != Some(token) => return false,
                _ if token.starts_with('"') && (token.len() == 1 || !token.ends_with('"')) => return false,
                _ => {}
            }
        }
        open.is_empty()
    }
}

/// The length of the number that a text begins with.
fn number(text: &str) -> usize {
    let mut last = ' ';
    let is_part = |c: char| {
        let is = c.is_alphanumeric() || c == '.' || (matches!(c, '-' | '+') && matches!(last, 'e' | 'E'));
        last = c;
        !is
    };
    text.find(is_part).unwrap_or(text.len())
}
