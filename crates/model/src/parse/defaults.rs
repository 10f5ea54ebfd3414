//! Defaults of arguments, kept as written.
//!
//! Invariant: in the ATen layout a default contains no white space outside strings, so it ends
//! where the reference ends it. Whether the default matches the type is not checked here.

use nom::Parser;
use nom::bytes::complete::{tag, take_while1};
use nom::combinator::{cut, recognize};
use nom::multi::separated_list1;

use super::error::PResult;
use super::types::Grammar;
use crate::codes;
use torchgen_base::diag::Help;
use torchgen_kit::schema::syntax::{Expected, expect, refuse};

impl Grammar {
    /// The text after the equals sign.
    pub(super) fn default<'a>(&self, i: &'a str) -> PResult<'a, &'a str> {
        match i.as_bytes().first() {
            Some(b'"' | b'\'') => self.string(i),
            Some(b'[') => self.list(i),
            _ => self.constant(i),
        }
    }

    fn string<'a>(&self, i: &'a str) -> PResult<'a, &'a str> {
        let Some(end) = string_end(i) else {
            return refuse(i, i.len(), &codes::BAD_DEFAULT, "unterminated string", None);
        };
        let text = &i[..end];
        let help =
            || Some("the reference splits the text here even inside a string; the library layout does not".into());
        if let Some(at) = text.find(", ") {
            return refuse(&i[at..], 2, &codes::BAD_DEFAULT, "a default cannot contain `, `", help());
        }
        if let Some(at) = text.find('=') {
            return refuse(&i[at..], 1, &codes::BAD_DEFAULT, "a default cannot contain `=`", help());
        }
        Ok((&i[end..], text))
    }

    fn list<'a>(&self, i: &'a str) -> PResult<'a, &'a str> {
        let inner = &i[1..];
        let end = if inner.starts_with(']') {
            inner
        } else {
            let comma = |i: &'a str| {
                let (rest, _) = tag(",").parse(i)?;
                if rest.starts_with(' ') {
                    let help = Some(Help::new("write the list without spaces, as in `[0,1]`").instead("").certainly());
                    return refuse(rest, 1, &codes::BAD_DEFAULT, "a list in a default cannot contain `, `", help);
                }
                Ok((rest, ()))
            };
            let element = |i: &'a str| {
                if i.starts_with(['"', '\'']) { self.string(i) } else { self.constant(i) }
            };
            let (rest, _) = cut(recognize(separated_list1(comma, cut(element)))).parse(inner)?;
            rest
        };
        let (rest, _) = cut(expect(Expected::COMMA | Expected::BRACKET, tag("]"))).parse(end)?;
        Ok((rest, &i[..i.len() - rest.len()]))
    }

    /// A number or word: any.
    fn constant<'a>(&self, i: &'a str) -> PResult<'a, &'a str> {
        expect(Expected::DEFAULT, bare).parse(i)
    }
}

/// A character allowed in a default outside strings and lists.
fn bare(i: &str) -> PResult<'_, &str> {
    take_while1(|c: char| !c.is_whitespace() && !",=()[]'\"".contains(c))(i)
}

/// The length of the string literal at the start of a text, including the quotes. A backslash
/// escapes the next character.
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
