//! Argument and return lists, and the sorting of arguments by role.
//!
//! Invariant: arguments keep the order in which they are written; the places are in that order too.
//! Rule: torchgen/model.py, `Argument.parse`, `Return.parse`, `Arguments.parse`, `parse_returns`.

use std::ops::Range;

use nom::Parser;
use nom::bytes::complete::tag;
use nom::combinator::{cut, opt};
use nom::multi::separated_list1;
use nom::sequence::preceded;

use super::error::PResult;
use super::types::{Grammar, identifier};
use crate::codes;
use crate::model::schema::TensorOptionsArguments;
use crate::model::{Argument, Arguments, BaseTy, Return, Type};
use torchgen_base::diag::{CodeInfo, Help, TextError};
use torchgen_kit::schema::syntax::{Expected, SyntaxError, expect, missing, refuse};

/// The places of an argument's or return's parts.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The type with its annotation.
    pub(super) ty: Range<usize>,
    /// The name; empty for a return without one.
    pub(super) name: Range<usize>,
}

/// An entry of an argument list.
#[derive(Debug)]
pub(super) enum Item {
    /// The arguments after it are keyword-only.
    Star(usize),
    /// An argument.
    Argument(Argument, Place),
}

/// Returns with their places, and the place of all of them.
pub(super) type Returns = (Vec<Return>, Vec<Place>, Range<usize>);

impl Grammar {
    /// The arguments, parentheses included.
    pub(super) fn arguments<'a>(&self, i: &'a str) -> PResult<'a, Vec<Item>> {
        let (i, _) = expect(Expected::OPEN, tag("(")).parse(i)?;
        if let Some(rest) = i.strip_prefix(')') {
            return Ok((rest, Vec::new()));
        }
        let (i, items) = separated_list1(|i| self.comma(i), cut(|i| self.item(i))).parse(i)?;
        let end = i;
        let wants_default = matches!(items.last(), Some(Item::Argument(argument, _)) if argument.default.is_none());
        let expected =
            Expected::COMMA | Expected::CLOSE | if wants_default { Expected::EQUALS } else { Expected::NOTHING };
        let (i, _) = cut(expect(expected, tag(")"))).parse(end)?;
        Ok((i, items))
    }

    fn item<'a>(&self, i: &'a str) -> PResult<'a, Item> {
        if let Some(rest) = i.strip_prefix('*') {
            return Ok((rest, Item::Star(self.at(i))));
        }
        if i.starts_with("...") {
            return refuse(i, 3, &codes::SCHEMA_SYNTAX, "varargs are not supported", None);
        }
        let (i, (argument, place)) = self.argument(i)?;
        Ok((i, Item::Argument(argument, place)))
    }

    /// One argument.
    pub(super) fn argument<'a>(&self, i: &'a str) -> PResult<'a, (Argument, Place)> {
        let start = self.at(i);
        let (i, (ty, annotation)) = self.ty(i)?;
        let ty_place = start..self.at(i);
        let i = self.gap(i)?;
        let name_at = self.at(i);
        let (i, name) = cut(expect(Expected::ARGUMENT, identifier)).parse(i)?;
        let place = Place { ty: ty_place, name: name_at..self.at(i) };
        let equals = |i| tag("=").parse(i);
        let (i, default) = opt(preceded(equals, |i| cut(|i| self.default(i)).parse(i))).parse(i)?;
        let argument = Argument {
            name: name.to_owned(),
            ty,
            default: default.map(str::to_owned),
            annotation,
            schema_name: None,
            by_c10: false,
        };
        Ok((i, (argument, place)))
    }

    /// The space between a type and a name.
    fn gap<'a>(&self, i: &'a str) -> Result<&'a str, nom::Err<SyntaxError<'a, &'static CodeInfo>>> {
        match i.strip_prefix(' ') {
            Some(rest) => Ok(rest),
            None => cut(|i| missing(i, Expected::ARGUMENT)).parse(i).map(|(i, ())| i),
        }
    }

    /// `()`, one return, or several in parentheses.
    pub(super) fn returns<'a>(&self, i: &'a str) -> PResult<'a, Returns> {
        let start = i;
        let Some(inner) = i.strip_prefix('(') else {
            let (i, (ret, place)) = cut(|i| self.one_return(i)).parse(i)?;
            if i.starts_with(',') {
                let help = Some("several returns go in parentheses, as in `(Tensor, Tensor)`".into());
                return refuse(i, 1, &codes::SCHEMA_SYNTAX, "a second return without parentheses", help);
            }
            return Ok((i, (vec![ret], vec![place], self.at(start)..self.at(i))));
        };
        if let Some(rest) = inner.strip_prefix(')') {
            return Ok((rest, (Vec::new(), Vec::new(), self.at(start)..self.at(rest))));
        }
        let (i, list) = separated_list1(|i| self.comma(i), cut(|i| self.one_return(i))).parse(inner)?;
        let end = i;
        let (i, _) = cut(expect(Expected::COMMA | Expected::CLOSE, tag(")"))).parse(i)?;
        if list.len() == 1 {
            let one = &inner[..inner.len() - end.len()];
            let help = Some(Help::new(format!("write `-> {one}`")).instead(one).certainly());
            let len = start.len() - i.len();
            return refuse(start, len, &codes::SCHEMA_SYNTAX, "a single return does not go in parentheses", help);
        }
        let (returns, places) = list.into_iter().unzip();
        Ok((i, (returns, places, self.at(start)..self.at(i))))
    }

    /// One return.
    pub(super) fn one_return<'a>(&self, i: &'a str) -> PResult<'a, (Return, Place)> {
        if i.starts_with("...") {
            return refuse(i, 3, &codes::SCHEMA_SYNTAX, "varargs are not supported", None);
        }
        let start = i;
        let (i, (ty, annotation)) = self.ty(i)?;
        let ty_place = self.at(start)..self.at(i);
        let named = i.strip_prefix(' ');
        // The caller checks white space at the very end.
        let (rest, name) = match named {
            Some(rest) if rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') => {
                let (rest, name) = identifier(rest)?;
                (rest, Some(name.to_owned()))
            }
            _ => (i, None),
        };
        let name_len = name.as_ref().map_or(0, String::len);
        let has_arrow = annotation.as_ref().is_some_and(|annotation| !annotation.alias_set_after.is_empty());
        if has_arrow && name.is_none() {
            let message = "a return with an arrow in its annotation needs a name";
            return refuse(start, start.len() - i.len(), &codes::BAD_ANNOTATION, message, None);
        }
        let place = Place { ty: ty_place, name: self.at(rest) - name_len..self.at(rest) };
        Ok((rest, (Return { name, cpp_name: None, ty, annotation, owns_strings: false, given_back: false }, place)))
    }
}

/// Sorts arguments by role. Returns the places of the arguments in the order of the schema.
pub(super) fn by_role(items: Vec<Item>) -> Result<(Arguments, Vec<Place>), TextError> {
    let mut places: Vec<Place> = Vec::with_capacity(items.len());
    let mut arguments = Arguments::default();
    let mut positional: Vec<Argument> = Vec::with_capacity(items.len());
    let mut keywords: Vec<Argument> = Vec::new();
    let mut star = None;
    for item in items {
        match item {
            Item::Star(at) => {
                if star.replace(at..at + 1).is_some() {
                    return Err(syntax(at..at + 1, "a second `*`"));
                }
            }
            Item::Argument(argument, place) => {
                if star.is_none() {
                    positional.push(argument);
                } else if argument.is_write() {
                    arguments.out.push(argument);
                } else if let Some(out) = arguments.out.last() {
                    let message = format!("`{}` cannot follow the out argument `{}`", argument.name, out.name);
                    return Err(syntax(place.name, message).help("out arguments come last"));
                } else {
                    keywords.push(argument);
                }
                places.push(place);
            }
        }
    }
    if let Some(star) = star
        && keywords.is_empty()
        && arguments.out.is_empty()
    {
        return Err(syntax(star, "no argument follows the `*`"));
    }
    split_at_self(positional, &mut arguments);
    let keywords_at = places.len() - arguments.out.len() - keywords.len();
    gather_options(&keywords, &mut arguments)
        .map_err(|i| syntax(places[keywords_at + i].name.clone(), "tensor options can appear only once"))?;
    Ok((arguments, places))
}

fn split_at_self(mut positional: Vec<Argument>, arguments: &mut Arguments) {
    if let Some(at) = positional.iter().position(|argument| argument.name == "self") {
        arguments.post_self_positional = positional.split_off(at + 1);
        arguments.self_arg = positional.pop();
        arguments.pre_self_positional = positional;
    } else {
        arguments.post_self_positional = positional;
    }
}

/// Takes the tensor options out of the keyword-only arguments. The error is the index of a second
/// set of them.
pub(super) fn gather_options(keywords: &[Argument], arguments: &mut Arguments) -> Result<(), usize> {
    let mut keywords = keywords.to_vec();
    let Some(at) = options_in(&keywords) else {
        arguments.pre_tensor_options_kwarg_only = keywords;
        return Ok(());
    };
    let mut rest = keywords.split_off(at).into_iter();
    arguments.pre_tensor_options_kwarg_only = keywords;
    if let (Some(dtype), Some(layout), Some(device), Some(pin_memory)) =
        (rest.next(), rest.next(), rest.next(), rest.next())
    {
        arguments.tensor_options = Some(TensorOptionsArguments { dtype, layout, device, pin_memory });
    }
    arguments.post_tensor_options_kwarg_only = rest.collect();
    match options_in(&arguments.post_tensor_options_kwarg_only) {
        Some(again) => Err(at + 4 + again),
        None => Ok(()),
    }
}

fn options_in(keywords: &[Argument]) -> Option<usize> {
    const OPTIONS: [(&str, BaseTy); 4] = [
        ("dtype", BaseTy::ScalarType),
        ("layout", BaseTy::Layout),
        ("device", BaseTy::Device),
        ("pin_memory", BaseTy::Bool),
    ];
    let fits = |argument: &Argument, (name, base): (&str, BaseTy)| {
        argument.name == name
            && match &argument.ty {
                Type::Optional(elem) => elem.is(base),
                ty => ty.is(base),
            }
    };
    keywords.windows(4).position(|four| four.iter().zip(OPTIONS).all(|(argument, option)| fits(argument, option)))
}

fn syntax(range: Range<usize>, message: impl Into<String>) -> TextError {
    TextError::new(&codes::SCHEMA_SYNTAX, range, message)
}
