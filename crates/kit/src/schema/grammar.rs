//! The grammar: parses a text without looking at the table.
//!
//! The table can determine where a type ends and a name begins (`const int x`, `-> const int`), so
//! an item is read as words here.

use std::ops::Range;

use nom::Parser;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{char, digit1, multispace0, multispace1};
use nom::combinator::{cut, opt, recognize};
use nom::multi::separated_list1;
use nom::sequence::{delimited, pair, preceded, terminated};

use super::error::{PResult, SchemaError, SchemaErrorKind, finish, refuse};
use super::syntax::{Expected, expect};
use super::tree::{Alias, Spanned, Suffix, Value};
use torchgen_base::diag::Help;
use torchgen_base::lang::is_ascii_word;

/// The maximum nesting of lists and suffixes. Nobody needs more, and each level uses stack.
pub(super) const MAX_DEPTH: usize = 64;

type Word<'a> = Spanned<&'a str>;

/// A schema as written.
#[derive(Debug)]
pub(super) struct WrittenSchema<'a> {
    pub(super) name: Word<'a>,
    pub(super) overload: Option<Word<'a>>,
    pub(super) items: Vec<Item<'a>>,
    pub(super) parentheses: Range<usize>,
    pub(super) arrow: Option<Range<usize>>,
    pub(super) returns: WrittenReturns<'a>,
    /// The end of the text, without trailing white space.
    pub(super) end: usize,
}

#[derive(Debug)]
pub(super) enum WrittenReturns<'a> {
    Absent,
    One(TypeAndName<'a>),
    Tuple(Spanned<Vec<TypeAndName<'a>>>),
}

/// An item between commas.
#[derive(Debug)]
pub(super) enum Item<'a> {
    Star(Range<usize>),
    Parameter(TypeAndName<'a>, Option<Spanned<Value>>),
}

/// `const int x`, `Tensor(a!)[] x`, `Tensor`
#[derive(Debug)]
pub(super) struct TypeAndName<'a> {
    /// Never empty. Without suffixes and an alias set, the last word may be the name.
    pub(super) words: Vec<Word<'a>>,
    pub(super) alias: Option<Spanned<Alias>>,
    pub(super) suffixes: Vec<Spanned<Suffix>>,
    /// The name, if a suffix or an alias set separates it from the words.
    pub(super) name: Option<Word<'a>>,
    pub(super) range: Range<usize>,
}

impl TypeAndName<'_> {
    /// Whether something follows the words, so that all of them belong to the type.
    pub(super) fn has_marks(&self) -> bool {
        self.alias.is_some() || !self.suffixes.is_empty()
    }
}

/// Reads a whole schema.
pub(super) fn schema(text: &str) -> Result<WrittenSchema<'_>, SchemaError> {
    let grammar = Grammar { len: text.len() };
    match grammar.schema(text) {
        Ok((_, written)) => Ok(written),
        Err(error) => Err(finish(error, text.len())),
    }
}

/// Reads a whole default.
pub(super) fn value(text: &str) -> Option<Value> {
    let grammar = Grammar { len: text.len() };
    grammar.value(text, 0).ok().filter(|(rest, _)| rest.is_empty()).map(|(_, value)| value.value)
}

/// The grammar of one text.
#[derive(Debug)]
pub(super) struct Grammar {
    /// The length of the whole text; offsets follow from it.
    len: usize,
}

impl Grammar {
    /// The offset of the rest of the text.
    pub(super) fn at(&self, rest: &str) -> usize {
        self.len - rest.len()
    }

    fn spanned<'a, T>(&self, i: &'a str, rest: &'a str, value: T) -> Spanned<T> {
        Spanned::new(value, self.at(i)..self.at(rest))
    }

    fn word<'a>(&self, i: &'a str) -> PResult<'a, Word<'a>> {
        let (rest, word) = identifier(i)?;
        Ok((rest, self.spanned(i, rest, word)))
    }

    fn schema<'a>(&self, i: &'a str) -> PResult<'a, WrittenSchema<'a>> {
        let (i, _) = multispace0(i)?;
        let (i, name) = expect(Expected::SCHEMA_NAME, |i| self.word(i))(i)?;
        let overload = |i: &'a str| {
            let (rest, word) = take_while1(is_ascii_word)(i)?;
            Ok((rest, self.spanned(i, rest, word)))
        };
        let (i, overload) = opt(preceded(char('.'), cut(expect(Expected::OVERLOAD, overload)))).parse(i)?;
        let before = if overload.is_some() { Expected::OPEN } else { Expected::OPEN | Expected::DOT };
        let (i, _) = multispace0(i)?;
        let (i, items) = expect(before, |i| self.parameters(i))(i)?;
        let after_parameters = i;
        let (i, _) = multispace0(i)?;
        let arrow_at = self.at(i);
        let (i, arrow) = opt(tag("->")).parse(i)?;
        let (i, returns) = match arrow {
            Some(_) => preceded(multispace0, cut(|i| self.returns(i))).parse(i)?,
            None => (after_parameters, WrittenReturns::Absent),
        };
        let end_at = self.at(i);
        let (i, ()) = end(i, if arrow.is_some() { Expected::NOTHING } else { Expected::ARROW })?;
        let arrow = arrow.map(|_| arrow_at..arrow_at + 2);
        Ok((
            i,
            WrittenSchema { name, overload, items: items.value, parentheses: items.range, arrow, returns, end: end_at },
        ))
    }

    fn parameters<'a>(&self, i: &'a str) -> PResult<'a, Spanned<Vec<Item<'a>>>> {
        let start = i;
        let (i, _) = terminated(char('('), multispace0).parse(i)?;
        if let Some(rest) = i.strip_prefix(')') {
            return Ok((rest, self.spanned(start, rest, Vec::new())));
        }
        let item = cut(expect(Expected::TYPE | Expected::STAR, |i| self.item(i)));
        let (i, items) = separated_list1(comma, item).parse(i)?;
        let (i, _) = multispace0(i)?;
        let more = match items.last() {
            Some(Item::Parameter(_, None)) => Expected::EQUALS,
            _ => Expected::NOTHING,
        };
        let (rest, _) = cut(expect(Expected::COMMA | Expected::CLOSE | more, char(')'))).parse(i)?;
        Ok((rest, self.spanned(start, rest, items)))
    }

    fn item<'a>(&self, i: &'a str) -> PResult<'a, Item<'a>> {
        if let Some(rest) = i.strip_prefix('*') {
            return Ok((rest, Item::Star(self.at(i)..self.at(rest))));
        }
        let (i, parameter) = self.type_and_name(i)?;
        // `Tensor x` and `const int` have a name or may have one; `Tensor` and `int[]` lack it.
        if parameter.name.is_none() && (parameter.has_marks() || parameter.words.len() == 1) {
            let (i, _) = multispace0(i)?;
            cut(expect(Expected::PARAMETER, identifier)).parse(i)?;
        }
        let equals = delimited(multispace0, char('='), multispace0);
        let (i, default) = opt(preceded(equals, cut(|i| self.value(i, 0)))).parse(i)?;
        Ok((i, Item::Parameter(parameter, default)))
    }

    fn returns<'a>(&self, i: &'a str) -> PResult<'a, WrittenReturns<'a>> {
        let start = i;
        let one = |i| expect(Expected::TYPE, |i| self.type_and_name(i))(i);
        let Some(inner) = i.strip_prefix('(') else {
            let (i, ret) = expect(Expected::OPEN, one)(i)?;
            if i.trim_start().starts_with(',') {
                let help = Some("write several results in parentheses, as in `(Tensor, Tensor)`".into());
                let at = i.trim_start();
                return refuse(at, 1, SchemaErrorKind::Syntax, "a second result without parentheses", help);
            }
            return Ok((i, WrittenReturns::One(ret)));
        };
        let (i, _) = multispace0(inner)?;
        if let Some(rest) = i.strip_prefix(')') {
            return Ok((rest, WrittenReturns::Tuple(self.spanned(start, rest, Vec::new()))));
        }
        let (i, list) = separated_list1(comma, cut(one)).parse(i)?;
        let (i, _) = multispace0(i)?;
        let (rest, _) = cut(expect(Expected::COMMA | Expected::CLOSE, char(')'))).parse(i)?;
        if list.len() == 1 {
            let len = start.len() - rest.len();
            let one = start[1..len - 1].trim();
            let help = Help::new("write it without parentheses, as in `-> Tensor`").instead(one).certainly();
            let help = Some(help);
            return refuse(start, len, SchemaErrorKind::Syntax, "a single result in parentheses", help);
        }
        Ok((rest, WrittenReturns::Tuple(self.spanned(start, rest, list))))
    }

    fn type_and_name<'a>(&self, i: &'a str) -> PResult<'a, TypeAndName<'a>> {
        let start = i;
        let (i, words) = separated_list1(multispace1, |i| self.word(i)).parse(i)?;
        let (i, alias) = opt(|i| self.alias(i)).parse(i)?;
        let (i, suffixes) = self.suffixes(i)?;
        let marked = alias.is_some() || !suffixes.is_empty();
        if marked && i.starts_with('(') {
            let len = i.find(')').map_or(1, |close| close + 1);
            let help = Some("an alias set directly follows the name of its type, as in `Tensor(a)[]`".into());
            return refuse(i, len, SchemaErrorKind::Alias, "misplaced alias set", help);
        }
        if i.starts_with('!') {
            let help = Some(Help::new("an alias set marks what is mutated, as in `Tensor(a!)`").instead("(a!)"));
            return refuse(i, 1, SchemaErrorKind::Alias, "`!` without an alias set", help);
        }
        let (i, name) = if marked { opt(preceded(multispace1, |i| self.word(i))).parse(i)? } else { (i, None) };
        let range = self.at(start)..self.at(i);
        Ok((i, TypeAndName { words, alias, suffixes, name, range }))
    }

    fn suffixes<'a>(&self, mut i: &'a str) -> PResult<'a, Vec<Spanned<Suffix>>> {
        let mut suffixes = Vec::new();
        while i.starts_with(['?', '[']) {
            if suffixes.len() >= MAX_DEPTH {
                let message = format!("types are nested more than {MAX_DEPTH} levels deep");
                return refuse(i, 1, SchemaErrorKind::Type, message, None);
            }
            let (rest, suffix) = match i.strip_prefix('?') {
                Some(rest) => (rest, Suffix::Optional),
                None => {
                    let size = delimited(char('['), opt(size), cut(expect(Expected::BRACKET, char(']'))));
                    size.map(Suffix::List).parse(i)?
                }
            };
            suffixes.push(self.spanned(i, rest, suffix));
            i = rest;
        }
        Ok((i, suffixes))
    }

    fn alias<'a>(&self, i: &'a str) -> PResult<'a, Spanned<Alias>> {
        let (rest, _) = char('(').parse(i)?;
        let (rest, alias) = cut(|i| self.alias_sets(i)).parse(rest)?;
        Ok((rest, self.spanned(i, rest, alias)))
    }

    fn alias_sets<'a>(&self, i: &'a str) -> PResult<'a, Alias> {
        let set = |i| {
            let (rest, word) = expect(Expected::ALIAS, |i| self.word(i))(i)?;
            Ok((rest, word.map(str::to_owned)))
        };
        let (i, before) = separated_list1(char('|'), set).parse(i)?;
        let (i, write) = opt(char('!')).parse(i)?;
        let arrow = delimited(multispace0, tag("->"), multispace0);
        let any = |i: &'a str| {
            let (rest, _) = char('*').parse(i)?;
            Ok((rest, vec![self.spanned(i, rest, "*".to_owned())]))
        };
        let after = |i: &'a str| {
            if i.starts_with('*') { any(i) } else { separated_list1(char('|'), set).parse(i) }
        };
        let (i, after) = opt(preceded(arrow, cut(after))).parse(i)?;
        let mut expected = Expected::CLOSE;
        if after.is_none() {
            expected = expected | Expected::ARROW;
        }
        if after.is_none() && write.is_none() {
            expected = expected | Expected::BANG;
        }
        let (i, _) = expect(expected, char(')')).parse(i)?;
        Ok((i, Alias { before, write: write.is_some(), after: after.unwrap_or_default() }))
    }
}

fn comma(i: &str) -> PResult<'_, ()> {
    let (at, _) = multispace0(i)?;
    let (rest, _) = expect(Expected::COMMA, char(',')).parse(at)?;
    let (rest, _) = multispace0(rest)?;
    if rest.starts_with([')', ',']) {
        return refuse(
            at,
            1,
            SchemaErrorKind::Syntax,
            "nothing follows the comma",
            Some(Help::new("remove it").instead("").certainly()),
        );
    }
    Ok((rest, ()))
}

fn end(i: &str, more: Expected) -> PResult<'_, ()> {
    let (i, _) = multispace0(i)?;
    let (i, _) = cut(expect(Expected::END | more, nom::combinator::eof)).parse(i)?;
    Ok((i, ()))
}

fn size(i: &str) -> PResult<'_, u32> {
    let (rest, digits) = digit1(i)?;
    match digits.parse::<u32>() {
        Ok(size) if !digits.starts_with('0') => Ok((rest, size)),
        _ => {
            let message = "a list size must be a positive number without leading zeros";
            refuse(i, digits.len(), SchemaErrorKind::Type, message, None)
        }
    }
}

/// A letter or underscore, then letters, digits and underscores.
fn identifier(i: &str) -> PResult<'_, &str> {
    recognize(pair(take_while1(|c: char| c.is_ascii_alphabetic() || c == '_'), take_while(is_ascii_word))).parse(i)
}
