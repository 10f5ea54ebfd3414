//! The grammar of defaults: `None`, `True`, `-1`, `1e-5`, `"text"`, `NORMAL`, `[1, 2]`.
//!
//! Invariant: reading depends on the text alone; whether a default fits its type is checked later.

use nom::Parser;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::multispace0;
use nom::combinator::{cut, opt};
use nom::multi::separated_list1;

use super::error::{PResult, SchemaErrorKind, refuse, token};
use super::grammar::{Grammar, MAX_DEPTH};
use super::syntax::{Expected, expect};
use super::tree::{Spanned, Value};
use torchgen_base::diag::Help;
use torchgen_base::lang::is_identifier;

impl Grammar {
    /// A default inside `depth` lists.
    pub(super) fn value<'a>(&self, i: &'a str, depth: usize) -> PResult<'a, Spanned<Value>> {
        let (rest, value) = match i.chars().next() {
            Some('"' | '\'') => string(i)?,
            Some('[') => self.list(i, depth)?,
            _ => bare(i)?,
        };
        Ok((rest, Spanned::new(value, self.at(i)..self.at(rest))))
    }

    fn list<'a>(&self, i: &'a str, depth: usize) -> PResult<'a, Value> {
        if depth >= MAX_DEPTH {
            let message = format!("lists are nested more than {MAX_DEPTH} levels deep");
            return refuse(i, 1, SchemaErrorKind::Default, message, None);
        }
        let comma = |i| {
            let (rest, _) = (multispace0, tag(","), multispace0).parse(i)?;
            Ok((rest, ()))
        };
        let element = |i| cut(|i| self.value(i, depth + 1)).parse(i);
        let (rest, _) = (tag("["), multispace0).parse(i)?;
        let (rest, values) = match rest.starts_with(']') {
            true => (rest, None),
            false => opt(separated_list1(comma, element)).parse(rest)?,
        };
        let (rest, _) = multispace0.parse(rest)?;
        let (rest, _) = cut(expect(Expected::COMMA | Expected::BRACKET, tag("]"))).parse(rest)?;
        Ok((rest, Value::List(values.unwrap_or_default())))
    }
}

/// A quoted string, with its escapes decoded.
fn string(i: &str) -> PResult<'_, Value> {
    let mut chars = i.char_indices();
    let Some((_, quote)) = chars.next() else {
        return refuse(i, 0, SchemaErrorKind::Default, "expected a quoted string", None);
    };
    let mut value = String::new();
    while let Some((at, c)) = chars.next() {
        match c {
            _ if c == quote => return Ok((&i[at + 1..], Value::Str(value))),
            '\\' => match chars.next() {
                Some((_, c @ ('\\' | '"' | '\''))) => value.push(c),
                Some((_, 'n')) => value.push('\n'),
                Some((_, 't')) => value.push('\t'),
                Some((_, 'r')) => value.push('\r'),
                Some((end, other)) => {
                    let message = format!("unknown escape `\\{other}`");
                    let help = Some(r#"the escapes are `\\`, `\"`, `\'`, `\n`, `\t` and `\r`"#.into());
                    return refuse(&i[at..], end + other.len_utf8() - at, SchemaErrorKind::Default, message, help);
                }
                None => break,
            },
            _ => value.push(c),
        }
    }
    refuse(i, i.len(), SchemaErrorKind::Default, "unterminated string", Some("close it with the same quote".into()))
}

/// A number or a word.
fn bare(i: &str) -> PResult<'_, Value> {
    let run = take_while1(|c: char| !c.is_whitespace() && !",=()[]'\"".contains(c));
    let (rest, text) = expect(Expected::DEFAULT, run).parse(i)?;
    let value = match text {
        "None" => Value::None,
        "True" => Value::Bool(true),
        "False" => Value::Bool(false),
        "inf" => Value::Float(f64::INFINITY),
        "-inf" => Value::Float(f64::NEG_INFINITY),
        "nan" => Value::Float(f64::NAN),
        _ if is_path(text) => Value::Word(text.to_owned()),
        _ => match number(text) {
            Ok(value) => value,
            Err(message) => {
                let len = if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
                    text.len()
                } else {
                    token(text).len()
                };
                // A suffix of C++.
                let number = text.trim_end_matches(['f', 'F', 'l', 'L', 'u', 'U']);
                if number != text && is_number(number) {
                    let message = format!("`{}` is not a part of a number in schemas", &text[number.len()..]);
                    let help = Help::write(number).certainly();
                    return refuse(i, len, SchemaErrorKind::Default, message, Some(help));
                }
                return refuse(i, len, SchemaErrorKind::Default, message, None);
            }
        },
    };
    Ok((rest, value))
}

/// Identifiers separated by `::` or `.`.
fn is_path(text: &str) -> bool {
    text.split("::").flat_map(|part| part.split('.')).all(is_identifier)
}

fn is_number(text: &str) -> bool {
    number(text).is_ok()
}

/// A decimal number, or the message of the error.
fn number(text: &str) -> Result<Value, &'static str> {
    const FORM: &str = "a default is a number, a string, a list or a word";
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(FORM);
    }
    if digits.chars().all(|c| c.is_ascii_digit()) {
        return text.parse().map(Value::Int).map_err(|_| "the number is too large");
    }
    if !digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-')) {
        return Err("a number must have decimal digits");
    }
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Value::Float(value)),
        Ok(_) => Err("the number is too large"),
        Err(_) => Err("not a number"),
    }
}
