//! Types and alias annotations.
//!
//! Invariant: accepted text prints back as it was written, except for white space in the library
//! layout. Rule: torchgen/model.py, `Type.parse` and `Annotation.parse`; for the library layout
//! c10's schema type parser.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::digit1;
use nom::combinator::{cut, opt, recognize, value};
use nom::multi::{fold_many0, separated_list1};
use nom::sequence::{delimited, pair, preceded};

use super::error::{MAX_TYPE_DEPTH, PResult, token_len};
use crate::codes;
use crate::model::{Annotation, BaseTy, Type};
use torchgen_base::diag::{Help, did_you_mean};
use torchgen_base::lang::is_ascii_word;
use torchgen_kit::schema::syntax::{Expected, expect, missing, refuse};

/// The grammar of one text.
#[derive(Debug)]
pub(super) struct Grammar {
    /// The length of the whole text, from which offsets follow.
    len: usize,
    /// `Dimname` is a type.
    named_tensors: bool,
}

/// The type of an argument or return.
pub(super) type Annotated = (Type, Option<Annotation>);

#[derive(Debug, Clone, Copy, PartialEq)]
enum Suffix {
    Optional,
    List(Option<u32>),
}

impl Grammar {
    pub(super) fn new(text: &str) -> Grammar {
        Grammar { len: text.len(), named_tensors: false }
    }

    /// The grammar of a version of PyTorch, which may have named tensors.
    pub(super) fn of_torch(text: &str, named_tensors: bool) -> Grammar {
        Grammar { len: text.len(), named_tensors }
    }

    /// The offset of the rest of the text.
    pub(super) fn at(&self, rest: &str) -> usize {
        self.len - rest.len()
    }

    /// A comma and the space after it.
    pub(super) fn comma<'a>(&self, i: &'a str) -> PResult<'a, ()> {
        let (rest, _) = expect(Expected::COMMA, tag(",")).parse(i)?;
        match rest.strip_prefix(' ') {
            Some(rest) => Ok((rest, ())),
            None if rest.starts_with([')', ',']) => refuse(
                i,
                1,
                &codes::SCHEMA_SYNTAX,
                "nothing follows the comma",
                Some(Help::new("remove it").instead("").certainly()),
            ),
            None => {
                refuse(i, 1, &codes::SCHEMA_SYNTAX, "no space after the comma", Some(Help::write(", ").certainly()))
            }
        }
    }

    /// The arrow and the spaces around it.
    pub(super) fn arrow<'a>(&self, i: &'a str) -> PResult<'a, ()> {
        let (rest, _) = expect(Expected::ARROW, tag(" -> ")).parse(i)?;
        Ok((rest, ()))
    }

    /// A type with its annotation.
    pub(super) fn ty<'a>(&self, i: &'a str) -> PResult<'a, Annotated> {
        let start = i;
        let (i, base) = self.base(i)?;
        let (i, annotation) = self.annotation(i, start, &base)?;
        let suffixes_at = i;
        let (mut i, mut ty) = (i, base);
        let mut depth = 0;
        while matches!(i.as_bytes().first(), Some(b'?' | b'[')) {
            depth += 1;
            if depth > MAX_TYPE_DEPTH {
                let message = format!("types are nested more than {MAX_TYPE_DEPTH} levels deep");
                return refuse(i, 1, &codes::UNKNOWN_TYPE, message, None);
            }
            let (rest, suffix) = self.suffix(i)?;
            ty = match suffix {
                Suffix::Optional => ty.optional(),
                Suffix::List(size) => ty.list(size),
            };
            i = rest;
        }
        let suffixes = &suffixes_at[..suffixes_at.len() - i.len()];
        if annotation.is_some() && !matches!(suffixes, "" | "?" | "[]") {
            let message = format!("an annotated tensor cannot be `{suffixes}`");
            let help = Some("only `Tensor(a)`, `Tensor(a)?` and `Tensor(a)[]` can have an annotation".into());
            return refuse(suffixes_at, suffixes.len(), &codes::BAD_ANNOTATION, message, help);
        }
        self.no_late_annotation(i, start)?;
        Ok((i, (ty, annotation)))
    }

    /// The help for an annotation in the wrong place.
    fn no_late_annotation<'a>(&self, i: &'a str, start: &'a str) -> PResult<'a, ()> {
        let written = match i.as_bytes().first() {
            Some(b'!') => "!",
            Some(b'(') => &i[..i.find(')').map_or(1, |close| close + 1)],
            _ => return Ok((i, ())),
        };
        let base = &start[..token_len(start)];
        let between = &start[base.len()..start.len() - i.len()];
        let help = (!between.contains(['(', '!'])).then(|| {
            let annotation = if written == "!" { "(a!)" } else { written };
            let help = Help::new(format!("write `{base}{annotation}{between}`"));
            help.with_before(between, format!("{annotation}{between}")).certainly()
        });
        let message = "the annotation must directly follow the innermost type";
        refuse(i, written.len(), &codes::BAD_ANNOTATION, message, help)
    }

    fn base<'a>(&self, i: &'a str) -> PResult<'a, Type> {
        if i.starts_with("__torch__") {
            return self.custom_class(i);
        }
        let (rest, word) = expect(Expected::TYPE, identifier).parse(i)?;
        match BaseTy::parse(word) {
            Some(BaseTy::Complex) => {}
            Some(BaseTy::Dimname) if !self.named_tensors => {}
            Some(base) => return Ok((rest, Type::Base(base))),
            None => {}
        }
        refuse(i, word.len(), &codes::UNKNOWN_TYPE, format!("unknown type `{word}`"), self.type_help(word))
    }

    fn type_help(&self, word: &str) -> Option<Help> {
        let known = BaseTy::ATEN.iter().map(|base| base.as_str());
        let means = |text: &str, instead: &str| Help::new(text).word(word, instead);
        Some(match word {
            "double" => means("`float` is C++'s double", "float").certainly(),
            "int64_t" | "long" | "size_t" | "Int" => {
                means("`int` is C++'s int64_t; `SymInt` if it is a size that may be symbolic", "int")
            }
            "string" | "string_view" => means("strings are `str`", "str").certainly(),
            "std" => "strings are `str`".into(),
            "TensorList" => means("lists are written `Tensor[]`", "Tensor[]").certainly(),
            "List" => "lists are written `Tensor[]`".into(),
            "Optional" => "optionals are written `Tensor?`".into(),
            "Dimname" => "PyTorch 2.13 removed named tensors".into(),
            "complex" | "Dict" => "c10 knows this type, but only the library layout accepts it".into(),
            "Any" | "Union" | "Future" | "Await" | "RRef" | "None" | "NoneType" | "Capsule" | "Quantizer"
            | "AnyClassType" | "AnyEnumType" => "c10 accepts this type, but no C++ can be generated for it".into(),
            _ => return did_you_mean(word, known),
        })
    }

    fn custom_class<'a>(&self, i: &'a str) -> PResult<'a, Type> {
        let path = recognize(separated_list1(tag("."), identifier));
        let (rest, class) = match preceded(tag("__torch__.torch.classes."), path).parse(i) {
            Ok(parsed) => parsed,
            Err(nom::Err::Error(_)) => {
                let len = i.len() - i.trim_start_matches(|c| is_ascii_word(c) || c == '.').len();
                let help = Some("a custom class is `__torch__.torch.classes.<namespace>.<Class>`".into());
                return refuse(i, len, &codes::UNKNOWN_TYPE, "not a custom class", help);
            }
            Err(error) => return Err(error),
        };
        Ok((rest, Type::CustomClass(class.to_owned())))
    }

    fn suffix<'a>(&self, i: &'a str) -> PResult<'a, Suffix> {
        let list = delimited(tag("["), opt(|i| self.size(i)), |i| cut(expect(Expected::BRACKET, tag("]"))).parse(i));
        alt((value(Suffix::Optional, tag("?")), list.map(Suffix::List))).parse(i)
    }

    fn size<'a>(&self, i: &'a str) -> PResult<'a, u32> {
        let (rest, digits) = digit1(i)?;
        match digits.parse::<u32>() {
            Ok(size) if !digits.starts_with('0') => Ok((rest, size)),
            _ => {
                let message = "a list size is a positive number without leading zeros";
                refuse(i, digits.len(), &codes::UNKNOWN_TYPE, message, None)
            }
        }
    }

    /// `(a)`, `(a!)`, `(a|b)`, `(a! -> a|b)`, `(a -> *)`; `!` in the library layout; or nothing.
    fn annotation<'a>(&self, i: &'a str, start: &'a str, base: &Type) -> PResult<'a, Option<Annotation>> {
        match i.as_bytes().first() {
            Some(b'!') => {
                let base = &start[..start.len() - i.len()];
                let help = format!("write `{base}(a!)`; only the library layout accepts c10's short form");
                let help = Some(Help::new(help).instead("(a!)"));
                refuse(i, 1, &codes::BAD_ANNOTATION, "`!` without an alias set", help)
            }
            Some(b'(') if *base != Type::TENSOR => {
                let len = i.find(')').map_or(1, |close| close + 1);
                let message = format!("`{base}` cannot have an alias annotation");
                refuse(i, len, &codes::BAD_ANNOTATION, message, Some("only tensors can have alias sets".into()))
            }
            Some(b'(') => {
                let (rest, annotation) = cut(|i| self.alias_sets(i)).parse(&i[1..])?;
                let (rest, _) = cut(expect(Expected::CLOSE, tag(")"))).parse(rest)?;
                Ok((rest, Some(annotation)))
            }
            _ => Ok((i, None)),
        }
    }

    fn alias_sets<'a>(&self, i: &'a str) -> PResult<'a, Annotation> {
        let start = i;
        let (i, alias_set) = self.alias_list(i)?;
        let before_end = i;
        let (i, write) = opt(tag("!")).parse(i)?;
        let (i, after) =
            opt(preceded(|i| self.arrow(i), |i| cut(|i| self.alias_list_or_wildcard(i)).parse(i))).parse(i)?;
        let annotation = Annotation {
            alias_set: alias_set.into_iter().map(str::to_owned).collect(),
            is_write: write.is_some(),
            alias_set_after: after.unwrap_or_default().into_iter().map(str::to_owned).collect(),
            bare: false,
        };
        let mut expected = Expected::CLOSE;
        if annotation.alias_set_after.is_empty() {
            expected =
                expected | Expected::ARROW | if annotation.is_write { Expected::NOTHING } else { Expected::BANG };
        }
        if !i.starts_with(')') {
            return missing(i, expected);
        }
        let before = annotation.alias_set.len();
        let (text, message) = if before > 2 {
            (before_end, "at most two alias sets are allowed here")
        } else if before > 1 && annotation.is_write {
            (before_end, "a tensor with several alias sets cannot be mutable")
        } else if before > 1 && annotation.alias_set_after.len() > 1 {
            (i, "several alias sets cannot be on both sides of the arrow")
        } else {
            return Ok((i, annotation));
        };
        refuse(start, start.len() - text.len(), &codes::BAD_ANNOTATION, message, None)
    }

    fn alias_list_or_wildcard<'a>(&self, i: &'a str) -> PResult<'a, Vec<&'a str>> {
        // The reference accepts the wildcard only alone.
        match i.starts_with('*') {
            true => Ok((&i[1..], vec![&i[..1]])),
            false => self.alias_list(i),
        }
    }

    fn alias_list<'a>(&self, i: &'a str) -> PResult<'a, Vec<&'a str>> {
        let bar = |i| tag("|").parse(i);
        let (rest, first) = self.alias(i)?;
        let mut all = vec![first];
        let (rest, ()) =
            fold_many0(preceded(bar, |i| cut(|i| self.alias(i)).parse(i)), || (), |(), alias| all.push(alias))
                .parse(rest)?;
        Ok((rest, all))
    }

    fn alias<'a>(&self, i: &'a str) -> PResult<'a, &'a str> {
        let (rest, word) = expect(Expected::ALIAS, identifier).parse(i)?;
        let is_letter = word.len() == 1 && word.starts_with(|c: char| c.is_ascii_lowercase());
        if is_letter {
            return Ok((rest, word));
        }
        refuse(i, word.len(), &codes::BAD_ANNOTATION, "an alias set is one lowercase letter", None)
    }
}

/// A letter or underscore, then letters, digits and underscores.
pub(super) fn identifier(i: &str) -> PResult<'_, &str> {
    recognize(pair(take_while1(|c: char| c.is_ascii_alphabetic() || c == '_'), take_while(is_ascii_word))).parse(i)
}
