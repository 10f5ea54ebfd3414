//! A schema as data: every part with its bytes in the text.
//!
//! Invariant: comparison ignores places.

use std::ops::{Deref, Range};

use torchgen_base::diag::Span;
use torchgen_base::yaml::Text;

/// A part of a schema and its bytes in the text. Compares by value.
#[derive(Debug, Clone)]
pub struct Spanned<T> {
    /// The part.
    pub value: T,
    /// The bytes of the schema string.
    pub range: Range<usize>,
}

impl<T> Spanned<T> {
    /// The part at these bytes.
    pub fn new(value: T, range: Range<usize>) -> Spanned<T> {
        Spanned { value, range }
    }

    /// The place of the part in the file, given the scalar that holds the schema.
    pub fn span(&self, text: &Text) -> Span {
        text.sub_span(self.range.clone())
    }

    /// Another value at the same place.
    pub(super) fn map<U>(self, of: impl FnOnce(T) -> U) -> Spanned<U> {
        Spanned { value: of(self.value), range: self.range }
    }
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Spanned<T>) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Spanned<T> {}

impl<T> Deref for Spanned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// A whole schema. `K` is the family's description of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema<K> {
    /// `add` of `add.Tensor(…)`.
    pub name: Spanned<String>,
    /// `Tensor` of `add.Tensor(…)`.
    pub overload: Option<Spanned<String>>,
    /// In the order of the text, the keyword-only ones last.
    pub parameters: Vec<Spanned<Parameter<K>>>,
    /// The list of parameters with its parentheses.
    pub parentheses: Spanned<()>,
    /// What follows the arrow.
    pub returns: Returns<K>,
}

impl<K> Schema<K> {
    /// The parameters before the `*`.
    pub fn positional(&self) -> impl Iterator<Item = &Spanned<Parameter<K>>> {
        self.parameters.iter().filter(|parameter| !parameter.keyword_only)
    }

    /// The parameters after the `*`.
    pub fn keyword_only(&self) -> impl Iterator<Item = &Spanned<Parameter<K>>> {
        self.parameters.iter().filter(|parameter| parameter.keyword_only)
    }

    /// All results.
    pub fn results(&self) -> &[Spanned<Return<K>>] {
        match &self.returns {
            Returns::Absent => &[],
            Returns::One(one) => std::slice::from_ref(one),
            Returns::Tuple(several) => &several.value,
        }
    }
}

/// A parameter, such as `int[2] dims=[0, 1]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter<K> {
    /// Its type.
    pub ty: Spanned<Type<K>>,
    /// Its name.
    pub name: Spanned<String>,
    /// What follows the `=`.
    pub default: Option<Spanned<Default>>,
    /// Whether it follows the `*`.
    pub keyword_only: bool,
}

/// What follows the arrow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Returns<K> {
    /// There is no arrow.
    Absent,
    /// `-> Type` or `-> Type name`.
    One(Spanned<Return<K>>),
    /// `-> ()` or `-> (Type a, Type b)`.
    Tuple(Spanned<Vec<Spanned<Return<K>>>>),
}

/// One result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Return<K> {
    /// Its type.
    pub ty: Spanned<Type<K>>,
    /// Its name.
    pub name: Option<Spanned<String>>,
}

/// A type, such as `Tensor(a!)[]?`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Type<K> {
    /// The family's description of the type.
    pub kind: K,
    /// Its name in the table.
    pub name: Spanned<String>,
    /// The alias set, as `(a!)`.
    pub alias: Option<Spanned<Alias>>,
    /// From the inside out: `int[]?` is an optional list.
    pub suffixes: Vec<Spanned<Suffix>>,
}

impl<K> Type<K> {
    /// Whether the outermost suffix is `?`.
    #[cfg(test)]
    pub(crate) fn is_optional(&self) -> bool {
        matches!(self.suffixes.last(), Some(Spanned { value: Suffix::Optional, .. }))
    }

    /// Whether one of the suffixes makes it a list.
    pub fn is_list(&self) -> bool {
        self.suffixes.iter().any(|suffix| matches!(suffix.value, Suffix::List(_)))
    }

    /// Whether the alias set is marked as mutable.
    pub fn is_write(&self) -> bool {
        self.alias.as_ref().is_some_and(|alias| alias.write)
    }
}

/// A suffix of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suffix {
    /// `?`
    Optional,
    /// `[]` or `[N]`
    List(Option<u32>),
}

/// `(a)`, `(a!)`, `(a|b)`, `(a -> *)`, `(a! -> a|b)`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alias {
    /// The sets that the value is in.
    pub before: Vec<Spanned<String>>,
    /// Whether the value is written to.
    pub write: bool,
    /// The sets it is in afterwards; `*` is any set.
    pub after: Vec<Spanned<String>>,
}

/// A default. Compares by its text.
#[derive(Debug, Clone)]
pub struct Default {
    /// Its text.
    pub text: String,
    /// Its value.
    pub value: Value,
}

impl PartialEq for Default {
    fn eq(&self, other: &Default) -> bool {
        self.text == other.text
    }
}

impl Eq for Default {}

/// The value of a default.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `None`
    None,
    /// `True` or `False`
    Bool(bool),
    /// `-1`
    Int(i128),
    /// `1e-5`, `inf`, `-inf`, `nan`
    Float(f64),
    /// `"a\n"`, with its escapes decoded.
    Str(String),
    /// `NORMAL`, `ElemKind::FloatTy`
    Word(String),
    /// `[1, 2]`
    List(Vec<Spanned<Value>>),
}
