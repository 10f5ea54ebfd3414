//! A state of a schema, as far as changes are compared.
//!
//! Invariant: names of things are unique by kind, and names of parts within a thing.

use super::ChangeKind;
use super::functions::Function;
use torchgen_base::diag::Span;

/// Something that others use by name: an operator, a node, a builder.
#[derive(Debug, Clone, Default)]
pub struct Thing {
    /// What it is: `operator`.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub place: Option<Span>,
    /// Its declaration.
    pub text: String,
    /// What is passed to it, in order.
    pub parts: Vec<Part>,
    /// What it returns, in order.
    pub results: Vec<Part>,
    /// What else is known about it.
    pub facts: Vec<Fact>,
    /// The functions in C++ that call it, if they are known.
    pub functions: Vec<Function>,
    /// It is made from another declaration at its place, with which its parts change.
    pub generated: bool,
}

/// How a part is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    /// By position or by name.
    Positional,
    /// By name only.
    Keyword,
    /// By name only, after all others: the memory for a result.
    Out,
}

/// An argument, a field, an option or a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What it is: `argument`.
    pub role: &'static str,
    /// How it is passed.
    pub group: Group,
    /// Its name; empty for a result without one.
    pub name: String,
    /// Its type, without aliases.
    pub ty: String,
    /// What it may alias, and whether it is mutated; empty if there is nothing of both.
    pub alias: String,
    /// Its default, as written.
    pub default: Option<String>,
    /// Its declaration.
    pub text: String,
    /// Where it is declared.
    pub place: Option<Span>,
}

/// A property of a thing.
#[derive(Debug, Clone)]
pub struct Fact {
    /// The property.
    pub of: &'static FactKind,
    /// Which one, if there can be several: the name of a tag.
    pub key: String,
    /// Its value; empty if the property is there or not.
    pub value: String,
    /// Where it is declared.
    pub place: Option<Span>,
}

/// A kind of property: how messages name it, and the kinds of its changes. In the sentences,
/// `THING`, `KEY`, `OLD` and `NEW` are replaced.
#[derive(Debug)]
pub struct FactKind {
    /// A new one, unless that is not a change by itself.
    pub added: Option<(&'static ChangeKind, &'static str)>,
    /// One that is gone, unless that is not a change by itself.
    pub removed: Option<(&'static ChangeKind, &'static str)>,
    /// One with another value.
    pub changed: (&'static ChangeKind, &'static str),
    /// Whether a value names parts in braces. Other names of them are not another value.
    pub names_parts: bool,
    /// Whether something else in the new state serves a key that is gone.
    pub served: fn(&Thing, &str) -> bool,
}

/// A kind of change, and its sentence.
pub type Said = (&'static ChangeKind, &'static str);

impl FactKind {
    /// A property with a kind and a sentence for each change.
    pub const fn new(added: Said, removed: Said, changed: Said) -> FactKind {
        FactKind { added: Some(added), removed: Some(removed), changed, names_parts: false, served: unserved }
    }

    /// A property of which only another value is a change.
    pub const fn value(changed: Said) -> FactKind {
        FactKind { added: None, removed: None, changed, names_parts: false, served: unserved }
    }

    /// A property that is there or not.
    pub const fn flag(added: Said, removed: Said) -> FactKind {
        FactKind::new(added, removed, added)
    }
}

/// Nothing else serves a key that is gone.
pub fn unserved(_: &Thing, _: &str) -> bool {
    false
}
