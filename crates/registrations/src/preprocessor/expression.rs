//! The expressions of `#if`, in which what the sources do not define stays unknown.
//!
//! Invariant: any tokens have a condition; the depth of parentheses is bounded, and operators of
//! one strength are read in a loop.

use torchgen_base::lang::cpp::TokenKind;

use super::names::Names;
use super::piece::{Piece, joined, past_parenthesis};
use crate::conditions::{Condition, Conditions};

/// The depth of parentheses and of signs.
const MAX_DEPTH: usize = 48;

/// The beginning of a word for a condition that is known; its number follows.
pub(super) const KNOWN: &str = "known condition ";

/// A value.
enum Value {
    Number(i128),
    Truth(Condition),
    /// What is not known.
    Text(String),
}

/// The builds in which an expression, whose macros are replaced, is not zero.
pub(super) fn holds(pieces: &[Piece], known: &[Condition], names: &Names, conditions: &mut Conditions) -> Condition {
    let mut reader = Reader { pieces, at: 0, known, names, conditions };
    let value = reader.choice(0);
    if reader.at < pieces.len() || pieces.is_empty() {
        return reader.conditions.atom(&joined(pieces, names));
    }
    reader.truth(value)
}

struct Reader<'a> {
    pieces: &'a [Piece],
    at: usize,
    known: &'a [Condition],
    names: &'a Names,
    conditions: &'a mut Conditions,
}

/// The operators of two characters and of one, by strength, the weakest first.
const OPERATORS: [&[&str]; 10] = [
    &["||", "or"],
    &["&&", "and"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Reader<'_> {
    fn word(&self, at: usize) -> &str {
        self.pieces.get(at).map_or("", |piece| self.names.text(piece.name))
    }

    /// The operator at the place: two adjacent characters, or one.
    fn operator(&self) -> String {
        let (one, two) = (self.word(self.at), self.word(self.at + 1));
        let is_joined = self.pieces.get(self.at + 1).is_some_and(|next| !next.is_spaced);
        let both = format!("{one}{two}");
        if is_joined && matches!(both.as_str(), "||" | "&&" | "==" | "!=" | "<=" | ">=" | "<<" | ">>") {
            return both;
        }
        one.to_owned()
    }

    fn take(&mut self, operator: &str) {
        let is_word = operator.starts_with(|c: char| c.is_ascii_alphabetic());
        self.at += if is_word { 1 } else { operator.len() };
    }

    fn choice(&mut self, depth: usize) -> Value {
        let first = self.binary(0, depth);
        if self.word(self.at) != "?" || depth >= MAX_DEPTH {
            return first;
        }
        self.at += 1;
        let then = self.choice(depth + 1);
        if self.word(self.at) == ":" {
            self.at += 1;
        }
        let otherwise = self.choice(depth + 1);
        let first = self.truth(first);
        match first {
            Condition::ALWAYS => then,
            Condition::NEVER => otherwise,
            _ => {
                let (then, otherwise) = (self.truth(then), self.truth(otherwise));
                Value::Truth(self.conditions.choose(first, then, otherwise))
            }
        }
    }

    fn binary(&mut self, strength: usize, depth: usize) -> Value {
        let Some(own) = OPERATORS.get(strength) else { return self.unary(depth) };
        let mut value = self.binary(strength + 1, depth);
        loop {
            let operator = self.operator();
            if !own.contains(&operator.as_str()) {
                return value;
            }
            self.take(&operator);
            // Conditions have the order of the source.
            if strength < 2 {
                value = Value::Truth(self.truth(value));
            }
            let other = self.binary(strength + 1, depth);
            value = self.combined(value, &operator, other);
        }
    }

    fn unary(&mut self, depth: usize) -> Value {
        let word = self.word(self.at).to_owned();
        if depth >= MAX_DEPTH {
            self.at = self.pieces.len() + 1;
            return Value::Text(word);
        }
        match word.as_str() {
            "!" | "not" => {
                self.at += 1;
                let value = self.unary(depth + 1);
                let truth = self.truth(value);
                Value::Truth(self.conditions.not(truth))
            }
            "-" | "+" | "~" => {
                self.at += 1;
                match (word.as_str(), self.unary(depth + 1)) {
                    ("-", Value::Number(number)) => Value::Number(number.wrapping_neg()),
                    ("~", Value::Number(number)) => Value::Number(!number),
                    ("+", value) => value,
                    (_, value) => Value::Text(format!("{word}{}", self.shown(value))),
                }
            }
            "(" => {
                self.at += 1;
                let value = self.choice(depth + 1);
                if self.word(self.at) == ")" {
                    self.at += 1;
                }
                value
            }
            _ => self.single(&word),
        }
    }

    /// A number or a name, which may have parentheses behind.
    fn single(&mut self, word: &str) -> Value {
        let Some(piece) = self.pieces.get(self.at) else { return Value::Number(0) };
        let start = self.at;
        self.at += 1;
        if let Some(known) = word.strip_prefix(KNOWN).and_then(|number| self.known.get(number.parse::<usize>().ok()?)) {
            return Value::Truth(*known);
        }
        match (piece.kind, word) {
            (TokenKind::Number, _) => number(word).map_or_else(|| Value::Text(word.to_owned()), Value::Number),
            (TokenKind::Word, "true") => Value::Number(1),
            (TokenKind::Word, "false") => Value::Number(0),
            (TokenKind::Word, "__cplusplus") => Value::Number(202_002),
            _ => {
                if piece.kind == TokenKind::Word && self.word(self.at) == "(" {
                    self.at = past_parenthesis(self.pieces, self.at, self.names);
                }
                Value::Text(joined(&self.pieces[start..self.at], self.names))
            }
        }
    }

    fn combined(&mut self, one: Value, operator: &str, other: Value) -> Value {
        if let "||" | "or" | "&&" | "and" = operator {
            let (one, other) = (self.truth(one), self.truth(other));
            let is_any = matches!(operator, "||" | "or");
            return Value::Truth(if is_any { self.conditions.or(one, other) } else { self.conditions.and(one, other) });
        }
        match (one, other) {
            (Value::Number(one), Value::Number(other)) => computed(one, operator, other)
                .map_or_else(|| Value::Text(format!("{one} {operator} {other}")), Value::Number),
            (one, other) => {
                let numbers = (matches!(one, Value::Number(_)), matches!(other, Value::Number(_)));
                let (one, other) = (self.shown(one), self.shown(other));
                // The number is behind the operator, and each comparison has one form.
                let (one, operator, other) = match (numbers, mirrored(operator)) {
                    ((true, false), Some(mirrored)) => (other, mirrored, one),
                    _ => (one, operator, other),
                };
                let (operator, is_negated) = match operator {
                    "<" => (">=", true),
                    "<=" => (">", true),
                    "!=" => ("==", true),
                    operator => (operator, false),
                };
                let text = format!("{one} {operator} {other}");
                match operator {
                    ">=" | ">" | "==" => {
                        let atom = self.conditions.atom(&text);
                        Value::Truth(if is_negated { self.conditions.not(atom) } else { atom })
                    }
                    _ => Value::Text(text),
                }
            }
        }
    }

    fn truth(&mut self, value: Value) -> Condition {
        match value {
            Value::Number(0) => Condition::NEVER,
            Value::Number(_) => Condition::ALWAYS,
            Value::Truth(condition) => condition,
            Value::Text(text) => self.conditions.atom(&text),
        }
    }

    fn shown(&self, value: Value) -> String {
        match value {
            Value::Number(number) => number.to_string(),
            Value::Text(text) => text,
            Value::Truth(condition) => match crate::words::words(self.conditions, condition) {
                Some(text) => format!("({text})"),
                None => (if condition == Condition::NEVER { "0" } else { "1" }).to_owned(),
            },
        }
    }
}

/// The comparison with its sides exchanged.
fn mirrored(operator: &str) -> Option<&'static str> {
    match operator {
        "<" => Some(">"),
        ">" => Some("<"),
        "<=" => Some(">="),
        ">=" => Some("<="),
        "==" => Some("=="),
        "!=" => Some("!="),
        _ => None,
    }
}

fn computed(one: i128, operator: &str, other: i128) -> Option<i128> {
    let shift = u32::try_from(other).ok().filter(|shift| *shift < 64);
    Some(match operator {
        "==" => i128::from(one == other),
        "!=" => i128::from(one != other),
        "<" => i128::from(one < other),
        ">" => i128::from(one > other),
        "<=" => i128::from(one <= other),
        ">=" => i128::from(one >= other),
        "+" => one.checked_add(other)?,
        "-" => one.checked_sub(other)?,
        "*" => one.checked_mul(other)?,
        "/" => one.checked_div(other)?,
        "%" => one.checked_rem(other)?,
        "|" => one | other,
        "^" => one ^ other,
        "&" => one & other,
        "<<" => one.checked_shl(shift?)?,
        ">>" => one.checked_shr(shift?)?,
        _ => return None,
    })
}

/// An integer of C++.
fn number(text: &str) -> Option<i128> {
    let digits = text.to_ascii_lowercase().replace('\'', "");
    let digits = digits.trim_end_matches(['u', 'l', 'z']);
    let parsed = |digits: &str, radix| i128::from_str_radix(digits, radix).ok();
    match (digits.strip_prefix("0x"), digits.strip_prefix("0b"), digits.strip_prefix('0')) {
        (Some(hex), ..) => parsed(hex, 16),
        (_, Some(binary), _) => parsed(binary, 2),
        (.., Some(octal)) if !octal.is_empty() => parsed(octal, 8),
        _ => parsed(digits, 10),
    }
}
