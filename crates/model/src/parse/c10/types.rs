//! c10's types and alias annotations.
//!
//! Invariant: a type has a model if and only if the text printed from the model means the same.
//! `api` decides whether C++ has a form for it. Rule:
//! torch/csrc/jit/frontend/schema_type_parser.cpp.

use std::ops::Range;

use super::base_types::{BASE_TYPES, DefaultForm, Element};
use super::schema::{Parser, Result};
use super::token::TokenKind;
use crate::codes;
use crate::model::{Annotation, Type};
use crate::parse::error::MAX_TYPE_DEPTH;
use torchgen_base::diag::{Help, TextError, did_you_mean};

/// A type with its annotation.
#[derive(Debug, Clone)]
pub(super) struct AnnotatedType {
    /// Where it is.
    pub(super) range: Range<usize>,
    /// The defaults that it accepts.
    pub(super) default: DefaultForm,
    /// It is a list, which c10 allows after arguments with defaults.
    pub(super) is_list: bool,
    /// The type in the model, or why there is none.
    pub(super) model: std::result::Result<(Type, Option<Annotation>), TextError>,
    /// It can be the key of a dictionary.
    is_key: bool,
    /// It is `None`, which cannot be optional.
    is_none: bool,
}

impl Parser<'_> {
    /// The type of an argument or return: only its outermost list can have a size.
    pub(super) fn outer_type(&mut self) -> Result<AnnotatedType> {
        let mut written = self.ty()?;
        if !self.is("[") {
            return Ok(written);
        }
        let at = self.range();
        self.advance();
        let digits = self.token();
        if digits.kind != TokenKind::Number {
            return Err(self.unexpected("a size or `]`"));
        }
        self.advance();
        let size = self.size(&digits.range)?;
        self.expect("]")?;
        let until_size = written.range.start..self.before();
        written.model = self.listed(written.model, size.1, &until_size);
        written.default = written.default.listed(Some(size.0));
        written.is_list = true;
        written.is_key = false;
        self.outer_annotation(&mut written)?;
        if self.take("?") {
            written.default = written.default.optional();
            written.is_list = false;
            written.model = written.model.map(|(ty, annotation)| (ty.optional(), annotation));
        }
        written.range.end = self.before();
        if self.is("[") || self.is("?") {
            let range = at.start..self.range().end;
            return Err(TextError::new(&codes::UNKNOWN_TYPE, range, "a list with a size cannot be an element")
                .help("c10 allows a size in the outermost list only, as in `int[][2]` or `int[2]?`"));
        }
        Ok(written)
    }

    /// A size as c10 reads it, and as the model can print it.
    fn size(&self, range: &Range<usize>) -> Result<(u32, Option<u32>)> {
        let text = &self.text[range.clone()];
        let leading = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        match text[..leading].parse::<u32>() {
            Ok(size) if i32::try_from(size).is_ok() => {
                Ok((size, Some(size).filter(|size| *size > 0 && size.to_string() == text)))
            }
            _ => Err(TextError::new(&codes::UNKNOWN_TYPE, range.clone(), "a list size must fit 32 bits")),
        }
    }

    fn listed(
        &self,
        model: std::result::Result<(Type, Option<Annotation>), TextError>,
        size: Option<u32>,
        range: &Range<usize>,
    ) -> std::result::Result<(Type, Option<Annotation>), TextError> {
        let (ty, annotation) = model?;
        match size {
            Some(size) => Ok((ty.list(Some(size)), annotation)),
            None => Err(not_generated(range.clone(), &self.shown(range))
                .help("a list size is a positive number without leading zeros")),
        }
    }

    /// A type that can be nested.
    pub(super) fn ty(&mut self) -> Result<AnnotatedType> {
        let start = self.range().start;
        self.open_types += 1;
        self.not_too_deep(self.open_types)?;
        let mut written = self.innermost()?;
        self.open_types -= 1;
        for suffixes in 0.. {
            self.not_too_deep(suffixes)?;
            if self.is("[") && self.follows("]") {
                self.advance();
                self.advance();
                written.default = written.default.listed(None);
                written.is_list = true;
                written.model = written.model.map(|(ty, annotation)| (ty.list(None), annotation));
                self.outer_annotation(&mut written)?;
            } else if self.is("?") {
                if written.is_none {
                    let message = "`None?` is not a type";
                    return Err(TextError::new(&codes::UNKNOWN_TYPE, start..self.range().end, message));
                }
                self.advance();
                written.default = written.default.optional();
                written.is_list = false;
                written.model = written.model.map(|(ty, annotation)| (ty.optional(), annotation));
            } else {
                break;
            }
            (written.is_key, written.is_none) = (false, false);
            written.range = start..self.before();
        }
        Ok(written)
    }

    fn not_too_deep(&self, depth: usize) -> Result<()> {
        if depth <= MAX_TYPE_DEPTH {
            return Ok(());
        }
        let message = format!("types are nested more than {MAX_TYPE_DEPTH} levels deep");
        Err(TextError::new(&codes::UNKNOWN_TYPE, self.range(), message))
    }

    fn innermost(&mut self) -> Result<AnnotatedType> {
        let start = self.range().start;
        if self.is("(") {
            self.list("(", ")", |parser| parser.ty().map(drop))?;
            return Ok(self.without_model(start));
        }
        let token = self.token();
        let is_none = matches!(self.word(&token), "None" | "NoneType");
        if token.kind != TokenKind::Ident && !is_none {
            return Err(self.unexpected("a type"));
        }
        self.advance();
        let mut written = match self.word(&token) {
            "Future" | "RRef" | "Await" => {
                self.expect("(")?;
                self.ty()?;
                self.expect(")")?;
                return Ok(self.without_model(start));
            }
            "__torch__" => return self.custom_class(start),
            "Dict" => self.dict(start)?,
            "Union" => self.union(start)?,
            word => {
                // The name of a type variable can contain dots.
                while self.is(".") && self.follows_identifier() {
                    self.advance();
                    self.advance();
                }
                let range = start..self.before();
                if range.len() == token.range.len() {
                    self.base(word, range)?
                } else {
                    self.base(&self.joined(range.clone()), range)?
                }
            }
        };
        let annotation_at = self.range().start;
        let annotation = self.annotation()?;
        written.range = start..self.before();
        match annotation {
            None => {}
            Some(Some(annotation)) => written.model = written.model.map(|(ty, _)| (ty, Some(annotation))),
            Some(None) => written.model = Err(not_generated(annotation_at..self.before(), "an empty alias set")),
        }
        Ok(written)
    }

    fn without_model(&self, start: usize) -> AnnotatedType {
        let range = start..self.before();
        AnnotatedType {
            default: DefaultForm::Nothing,
            is_list: false,
            model: Err(not_generated(range.clone(), &format!("type {}", self.shown(&range)))),
            is_key: false,
            is_none: false,
            range,
        }
    }

    fn base(&self, word: &str, range: Range<usize>) -> Result<AnnotatedType> {
        let Some(base) = BASE_TYPES.iter().find(|base| base.name == word) else {
            let unknown = || TextError::new(&codes::UNKNOWN_TYPE, range.clone(), format!("unknown type `{word}`"));
            if !word.starts_with(|c: char| c.is_ascii_lowercase()) {
                return Err(TextError { help: help(word), ..unknown() });
            }
            // c10 reads it as a type variable, but only one of a letter, such as `t`, is probably
            // meant as one.
            let model = Err(match help(word) {
                Some(help) => unknown().help(help),
                None => not_generated(range.clone(), &format!("the type variable `{word}`")),
            });
            return Ok(AnnotatedType {
                default: DefaultForm::Nothing,
                is_list: false,
                model,
                is_key: false,
                is_none: false,
                range,
            });
        };
        let model = match base.model {
            Some(model) => Ok((Type::Base(model), None)),
            None => Err(not_generated(range.clone(), &format!("type `{word}`"))),
        };
        Ok(AnnotatedType {
            default: base.default,
            is_list: false,
            model,
            is_key: base.is_key,
            is_none: matches!(word, "None" | "NoneType"),
            range,
        })
    }

    /// The rest of a `Dict`.
    fn dict(&mut self, start: usize) -> Result<AnnotatedType> {
        self.expect("(")?;
        let key = self.ty()?;
        if !key.is_key {
            let message = format!("{} cannot be the key of a dictionary", self.shown(&key.range));
            return Err(TextError::new(&codes::UNKNOWN_TYPE, key.range, message)
                .help("keys are int, float, bool, complex, str, Tensor and Device"));
        }
        self.expect(",")?;
        let value = self.ty()?;
        self.expect(")")?;
        let range = start..self.before();
        let model = match (key.model, value.model) {
            (Ok((key, None)), Ok((value, None))) => Ok((Type::Dict(Box::new(key), Box::new(value)), None)),
            (Err(error), _) | (_, Err(error)) => Err(error),
            _ => Err(not_generated(range.clone(), "a dictionary whose keys or values have an annotation")),
        };
        Ok(AnnotatedType { default: DefaultForm::Nothing, is_list: false, model, is_key: false, is_none: false, range })
    }

    /// The rest of a `Union`. c10 merges types that contain each other; at least two must remain.
    fn union(&mut self, start: usize) -> Result<AnnotatedType> {
        let mut members: Vec<String> = Vec::new();
        self.list("(", ")", |parser| {
            let member = parser.ty()?;
            let text = parser.joined(member.range);
            let mut add = |text: &str| {
                let text = match text {
                    "SymInt" | "ScalarType" | "Layout" | "MemoryFormat" | "DeviceIndex" => "int",
                    "NoneType" => "None",
                    other => other,
                };
                if !members.iter().any(|known| known == text) {
                    members.push(text.to_owned());
                }
            };
            match text.strip_suffix('?') {
                Some(inner) => {
                    add(inner);
                    add("None");
                }
                None => add(&text),
            }
            Ok(())
        })?;
        let mut written = self.without_model(start);
        let has = |name: &str| members.iter().any(|member| member == name);
        if members.len() < 2 || (has("Any") && !has("None")) {
            let message = "a union needs two types that do not contain each other";
            return Err(TextError::new(&codes::UNKNOWN_TYPE, written.range, message));
        }
        if members.len() == 2 && has("None") {
            written.default = DefaultForm::Constant(Element::Other);
        }
        Ok(written)
    }

    /// The rest of a `__torch__`.
    fn custom_class(&mut self, start: usize) -> Result<AnnotatedType> {
        let bad = |parser: &Self| {
            TextError::new(&codes::UNKNOWN_TYPE, start..parser.before(), "not a custom class")
                .help("a custom class is `__torch__.torch.classes.<namespace>.<Class>`")
        };
        let mut parts = Vec::new();
        for wanted in [Some("torch"), Some("classes"), None, None] {
            if !self.take(".") {
                return Err(bad(self));
            }
            let token = self.token();
            let word = self.word(&token);
            if token.kind != TokenKind::Ident || wanted.is_some_and(|wanted| wanted != word) {
                return Err(bad(self));
            }
            parts.push(word);
            self.advance();
        }
        let class = format!("{}.{}", parts[2], parts[3]);
        let range = start..self.before();
        Ok(AnnotatedType {
            default: DefaultForm::Nothing,
            is_list: false,
            model: Ok((Type::CustomClass(class), None)),
            is_key: false,
            is_none: false,
            range,
        })
    }

    /// An annotation after `[]`, which the model does not support.
    fn outer_annotation(&mut self, written: &mut AnnotatedType) -> Result<()> {
        let at = self.range().start;
        if self.annotation()?.is_some() {
            let range = at..self.before();
            let inside = &self.text[written.range.start..at];
            let (base, rest) = inside.split_at(inside.find(['[', '?']).unwrap_or(inside.len()));
            let annotation = self.joined(range.clone());
            written.model = Err(not_generated(range, "an annotation of the list itself").help(
                Help::new(format!("write `{base}{annotation}{rest}`")).with_before(rest, format!("{annotation}{rest}")),
            ));
        }
        Ok(())
    }

    /// `(a)`, `(a!)`, `(a|b)`, `(a! -> a|b)`, `(a -> *)`, `!`, or nothing. An inner `None` means
    /// that the model cannot represent it.
    fn annotation(&mut self) -> Result<Option<Option<Annotation>>> {
        if self.take("!") {
            self.bare += 1;
            return Ok(Some(Some(Annotation { bare: true, ..Annotation::write(format!("${}", self.bare - 1)) })));
        }
        if !self.take("(") {
            return Ok(None);
        }
        let alias_set = self.alias_sets()?;
        let is_write = self.take("!");
        let alias_set_after = if self.take("->") { Some(self.alias_sets()?) } else { None };
        if !self.is(")") {
            return Err(self.unexpected(match (is_write, alias_set_after.is_some()) {
                (_, true) => "`|` or `)`",
                (true, false) => "`->` or `)`",
                (false, false) => "`|`, `!`, `->` or `)`",
            }));
        }
        self.advance();
        let annotation = match (alias_set, alias_set_after) {
            (Some(alias_set), None) => Some(Annotation { alias_set, is_write, alias_set_after: vec![], bare: false }),
            (Some(alias_set), Some(Some(alias_set_after))) => {
                Some(Annotation { alias_set, is_write, alias_set_after, bare: false })
            }
            _ => None,
        };
        Ok(Some(annotation))
    }

    /// Alias sets; `None` if one is left out, which c10 allows after the wildcard.
    fn alias_sets(&mut self) -> Result<Option<Vec<String>>> {
        let (mut sets, mut wildcard, mut complete) = (Vec::new(), false, true);
        loop {
            if self.take("*") {
                wildcard = true;
                sets.push("*".to_owned());
            } else if !wildcard {
                sets.push(self.identifier("an alias set")?.0);
            } else {
                complete = false;
            }
            if !self.take("|") {
                return Ok(complete.then_some(sets));
            }
        }
    }
}

/// An error about something that c10 knows, but for which no C++ is generated.
pub(super) fn not_generated(range: Range<usize>, what: &str) -> TextError {
    TextError::new(&codes::NOT_GENERATED, range, format!("c10 accepts {what}, but no C++ can be generated for it"))
}

/// What to write for an unknown type; nothing for a type variable such as `t`.
fn help(word: &str) -> Option<Help> {
    let means = |text: &str, instead: &str| Help::new(text).word(word, instead);
    Some(match word {
        "double" => means("`float` is C++'s double", "float").certainly(),
        "void" | "None" => "an operator that returns nothing has `-> ()`".into(),
        "dtype" | "torch.dtype" => means("a dtype is a `ScalarType`", "ScalarType").certainly(),
        "torch.device" | "device" => means("a device is a `Device`", "Device").certainly(),
        "at" => "tensors are `Tensor`".into(),
        "torch.Tensor" | "tensor" => means("tensors are `Tensor`", "Tensor").certainly(),
        "ndarray" | "np.ndarray" => means("tensors are `Tensor`", "Tensor"),
        "torch.Size" | "Size" | "IntArrayRef" | "SymIntArrayRef" => means("sizes are `SymInt[]`", "SymInt[]"),
        "boolean" => means("booleans are `bool`", "bool").certainly(),
        "Number" | "number" => means("numbers are `Scalar`", "Scalar").certainly(),
        "Int" | "long" | "size_t" | "integer" => means(INT, "int"),
        "unsigned" | "short" => INT.into(),
        _ if word.contains("int") && word.ends_with(|c: char| c.is_ascii_digit() || c == 't') => means(INT, "int"),
        "string" | "string_view" => means("strings are `str`", "str").certainly(),
        "std" | "char" => "strings are `str`".into(),
        "TensorList" => means("lists are written `Tensor[]`", "Tensor[]").certainly(),
        "List" | "Sequence" => "lists are written `Tensor[]`".into(),
        "Tuple" | "tuple" => TUPLE.into(),
        "dict" | "Mapping" => "dictionaries are written `Dict(str, Tensor)`".into(),
        "Optional" | "optional" => "optionals are written `Tensor?`".into(),
        "Callable" | "callable" | "function" => "an operator cannot take a function".into(),
        "DimVector" | "GraphModule" => "this type is valid only in PyTorch's own native_functions.yaml".into(),
        _ => {
            let known = BASE_TYPES.iter().map(|base| base.name).chain(["Dict"]);
            let is_variable = word.len() <= 2 && word.starts_with(|c: char| c.is_ascii_lowercase());
            return did_you_mean(word, known).or_else(|| (!is_variable).then(|| USUAL.into()));
        }
    })
}

/// The values of a tuple have types of their own, and only returns can be several.
pub(super) const TUPLE: &str =
    "several returns are written `(Tensor, Tensor)`; an argument with two integers is a list: `int[2] k`";
const INT: &str = "`int` is C++'s int64_t; `SymInt` if it is a size that may be symbolic";

const USUAL: &str = "the usual types are `Tensor`, `int`, `SymInt`, `float`, `bool`, `str`, `Scalar`, `ScalarType` \
    and `Device`; `[]` makes a list, and `?` an optional";
