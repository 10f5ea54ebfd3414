//! Defaults of arguments, kept as written.
//!
//! Invariant: a default holds no white space outside strings in the ATen layout, so that it ends where the reference ends it.
//! Deliberately absent: whether the default suits the type; C++ spellings (see `api`).

use nom::Parser;
use nom::bytes::complete::{tag, take_while1};
use nom::combinator::{cut, recognize};
use nom::multi::separated_list1;
use nom::sequence::pair;

use super::error::{Expected, PResult, expect, is_word, refuse};
use super::types::Grammar;
use crate::diag::{codes, did_you_mean};

/// The words that c10 reads as defaults.
const WORDS: [&str; 9] = ["None", "True", "False", "float", "complex", "long", "strided", "Mean", "contiguous_format"];

impl Grammar {
    /// What follows the equals sign.
    pub(super) fn default<'a>(&self, i: &'a str) -> PResult<'a, &'a str> {
        match i.as_bytes().first() {
            Some(b'"' | b'\'') => self.string(i),
            Some(b'[') => self.list(i),
            _ => self.constant(i),
        }
    }

    fn string<'a>(&self, i: &'a str) -> PResult<'a, &'a str> {
        let Some(end) = string_end(i) else {
            return refuse(i, i.len(), &codes::BAD_DEFAULT, "the string does not end", None);
        };
        let text = &i[..end];
        if !self.is_library() {
            let help =
                || Some("the reference splits there even inside a string; the library layout does not".to_owned());
            if let Some(at) = text.find(", ") {
                return refuse(&i[at..], 2, &codes::BAD_DEFAULT, "a default cannot hold `, `", help());
            }
            if let Some(at) = text.find('=') {
                return refuse(&i[at..], 1, &codes::BAD_DEFAULT, "a default cannot hold `=`", help());
            }
        }
        Ok((&i[end..], text))
    }

    fn list<'a>(&self, i: &'a str) -> PResult<'a, &'a str> {
        let inner = self.ws(&i[1..]);
        let end = if inner.starts_with(']') {
            inner
        } else {
            let comma = |i| {
                let (rest, _) = tag(",").parse(self.ws(i))?;
                if !self.is_library() && rest.starts_with(' ') {
                    let help = Some("write the list without spaces, as in `[0,1]`".to_owned());
                    return refuse(rest, 1, &codes::BAD_DEFAULT, "a list in a default cannot hold `, `", help);
                }
                Ok((self.ws(rest), ()))
            };
            let element = |i: &'a str| {
                if i.starts_with(['"', '\'']) { self.string(i) } else { self.constant(i) }
            };
            let (rest, _) = cut(recognize(separated_list1(comma, cut(element)))).parse(inner)?;
            self.ws(rest)
        };
        let (rest, _) = cut(expect(Expected::COMMA | Expected::BRACKET, tag("]"))).parse(end)?;
        Ok((rest, &i[..i.len() - rest.len()]))
    }

    /// A number or word. The ATen layout takes any; c10 knows which.
    fn constant<'a>(&self, i: &'a str) -> PResult<'a, &'a str> {
        let (rest, text) = if self.is_library() && i.starts_with('-') {
            recognize(pair(tag("-"), |i| expect(Expected::DEFAULT, bare).parse(self.ws(i)))).parse(i)
        } else {
            expect(Expected::DEFAULT, bare).parse(i)
        }?;
        if !self.is_library() || WORDS.contains(&text) || is_number(text) {
            return Ok((rest, text));
        }
        let help = did_you_mean(text, WORDS)
            .or_else(|| text.chars().all(is_word).then(|| format!("c10 knows the words {}", WORDS.join(", "))));
        refuse(i, text.len(), &codes::BAD_DEFAULT, format!("`{text}` is no default that c10 can read"), help)
    }
}

/// What can stand in a default outside strings and lists.
fn bare(i: &str) -> PResult<'_, &str> {
    take_while1(|c: char| !c.is_whitespace() && !",=()[]'\"".contains(c))(i)
}

/// The length of the string literal that a text begins with, quotes included. A backslash keeps the next character from ending it.
fn string_end(text: &str) -> Option<usize> {
    let mut chars = text.char_indices();
    let (_, quote) = chars.next()?;
    let mut escaped = false;
    for (at, c) in chars {
        match c {
            '\n' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// A number as c10 reads it, perhaps imaginary.
fn is_number(text: &str) -> bool {
    let text = text.strip_prefix('-').map_or(text, str::trim_start);
    let text = text.strip_suffix('j').unwrap_or(text);
    text.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && text.bytes().all(|b| b.is_ascii_digit() || b".eE+-".contains(&b))
        && text.parse::<f64>().is_ok()
}
