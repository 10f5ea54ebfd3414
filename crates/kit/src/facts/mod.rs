//! The model as data: what scripts, editors and other commands read instead of the YAML.
//!
//! A [`Header`] and then one [`Thing`] for each declaration, in the order of the files. Every
//! family fills the same structure; what only one family knows is in [`Thing::facts`].
//! `torchgen-rs model` prints it, one JSON object a line.
//!
//! Invariant: plain data that owns its text. An added key keeps [`FORMAT`]; a key that changes its
//! meaning or goes away raises it.

mod print;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use print::{Lines, PIECE, is_named, line_of, lines_of, schema_of};

use torchgen_base::diag::{Sources, Span};

/// The version of the format.
pub const FORMAT: u32 = 1;

/// A word from a fixed list, or one that was read.
pub type Word = Cow<'static, str>;

/// The facts that only one family knows, as other families than PyTorch's have them.
pub type Own = Map<String, Value>;

/// The first line: what the others are about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Header {
    /// The version of the format.
    pub format: u32,
    /// The version of torchgen-rs that wrote the lines.
    pub program: Word,
    /// The family of the sources: `torch`, `graph-ir`, …
    pub family: Word,
    /// The namespace of the generated code, if the sources have one for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The version of torch whose rules the facts follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torch: Option<String>,
    /// The number of things that follow, one a line.
    pub things: usize,
}

/// A declaration, or something that is made of declarations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Thing<F = Own> {
    /// What it is: `operator`, `group`, `view_group`, `node`, `instruction`, `expr`, `builder`, …
    pub kind: Word,
    /// Its name, unique among the things of its kind: `aten::add.Tensor`.
    pub name: String,
    /// Where its name is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Place>,
    /// What it is for, in the words of its author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// Its schema string.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Its arguments, fields, operands and results, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// How it relates to other things.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relations: Vec<Relation>,
    /// Its functions in the generated code.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signatures: Vec<Signature>,
    /// What only its family knows.
    pub facts: F,
    /// Where the generated files are about it; only if asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<Output>,
}

/// A place in a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The file, as given or found. Inside a thing, it is missing if it is that of the thing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The same place for diagnostics of the run that made the facts.
    #[serde(skip)]
    pub span: Option<Span>,
}

/// A part of a thing: an argument, a result, a field, an operand.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// Its role: `self`, `argument`, `keyword`, `option`, `out` or `return` of an operator;
    /// `input`, `member`, `result`, `field`, `value`, … in other families.
    pub role: Word,
    /// Its name; returns may have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its type, as the schema spells it.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its alias annotation: `a`, `a!`, `a -> *`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
    /// Its default, as written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// Its default as a C++ expression.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpp_default: Option<String>,
    /// Its name in C++, if that is another: `result0` of a return.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpp_name: Option<String>,
    /// The C++ type of its value, optional or not: `at::Tensor`. Declarations.yaml calls it
    /// `dynamic_type`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpp_type: Option<String>,
    /// The length of a list, if its type has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u32>,
    /// Whether it, or its elements, may be missing.
    #[serde(default, skip_serializing_if = "is_false")]
    pub nullable: bool,
    /// Its type without lists and optionals: `Tensor` of `Tensor?[]`. Only of operators, as the
    /// next four.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// It is a list.
    #[serde(default, skip_serializing_if = "is_false")]
    pub list: bool,
    /// It may be missing.
    #[serde(default, skip_serializing_if = "is_false")]
    pub optional: bool,
    /// The elements of its list may be missing.
    #[serde(default, skip_serializing_if = "is_false")]
    pub optional_element: bool,
    /// The operator mutates it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub mutable: bool,
    /// Where it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Place>,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// How one thing relates to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Relation {
    /// The kind of relation: `group`, `delegates_to`, `generated_from`, `lowered_from`, `calls`, …
    pub kind: Word,
    /// The name of the other thing.
    pub to: String,
}

/// A function in generated code, or one that generated code calls.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Signature {
    /// The rules it is made by: `cpp`, `dispatcher`, `native`, `structured`, `python`, `lazy`,
    /// `stable`.
    pub convention: Word,
    /// Which of the convention's functions it is: `function`, `method`, `redispatch`, `call`,
    /// `kernel`, `impl`, `meta`, `module`, `shape`.
    pub form: Word,
    /// Where it is: the namespace or class in C++, the module in Python.
    pub scope: String,
    /// Whether its parameters are those of the schema, in order. Otherwise it is the convenient
    /// form, with gathered options and out arguments first.
    #[serde(default, skip_serializing_if = "is_false")]
    pub faithful: bool,
    /// Whether it takes symbolic integers.
    #[serde(default, skip_serializing_if = "is_false")]
    pub symint: bool,
    /// Whether it is only how the convention spells the operator: there is no such function.
    #[serde(default, skip_serializing_if = "is_false")]
    pub absent: bool,
    /// Its name, without the scope.
    pub name: String,
    /// What it returns; empty if the convention does not say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub returns: String,
    /// Its parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    /// Its declaration.
    pub text: String,
}

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type in the language of the function.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its default in that language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

/// A generated file, and the lines at which its texts about a thing begin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The file.
    pub file: String,
    /// The lines, from 1, ascending.
    pub lines: Vec<usize>,
}

/// The facts of one run of a family.
#[derive(Debug, Clone)]
pub struct Facts<F = Own> {
    /// The namespace of the generated code, if there is one for all.
    pub namespace: Option<String>,
    /// The things, in the order of the files.
    pub things: Vec<Thing<F>>,
}

impl<F> Thing<F> {
    /// A thing that has nothing but a name and facts.
    pub fn new(kind: &'static str, name: impl Into<String>, facts: F) -> Thing<F> {
        Thing {
            kind: kind.into(),
            name: name.into(),
            at: None,
            doc: None,
            schema: None,
            parts: Vec::new(),
            relations: Vec::new(),
            signatures: Vec::new(),
            facts,
            outputs: Vec::new(),
        }
    }

    /// The things that this one has a relation to.
    pub fn related<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a str> {
        self.relations.iter().filter(move |relation| relation.kind == kind).map(|relation| relation.to.as_str())
    }
}

/// How the names of texts begin that are parts of the program.
pub const BUILT_IN: &str = "(built in) ";

impl Place {
    /// The place of a span, unless its text is a part of the program.
    pub fn from_span(span: Span, sources: &Sources) -> Option<Place> {
        let file = sources.path(span.file);
        let (line, column) = sources.line_col(span);
        (!file.starts_with(BUILT_IN)).then(|| Place { file: Some(file.to_owned()), line, column, span: Some(span) })
    }

    /// The place of a span inside a thing whose name is at another one.
    pub fn inside(span: Span, thing: Span, sources: &Sources) -> Option<Place> {
        let place = Place::from_span(span, sources)?;
        Some(if span.file == thing.file { Place { file: None, ..place } } else { place })
    }
}

impl Facts {
    /// The lines that `torchgen-rs model` prints.
    pub fn lines(self, family: impl Into<Word>) -> Lines {
        let header = Header { namespace: self.namespace, ..Header::of_family(family, self.things.len()) };
        Lines::from_things(&header, &self.things)
    }
}

/// The facts that are written as a JSON object.
pub fn own(facts: Value) -> Own {
    match facts {
        Value::Object(own) => own,
        _ => Own::new(),
    }
}

impl Part {
    /// A part with a name and a type.
    pub fn new(role: &'static str, name: impl Into<String>, ty: impl Into<String>) -> Part {
        Part { role: role.into(), name: Some(name.into()), ty: ty.into(), ..Part::default() }
    }
}

impl Relation {
    /// The relation to another thing.
    pub fn new(kind: &'static str, to: impl Into<String>) -> Relation {
        Relation { kind: kind.into(), to: to.into() }
    }
}

impl Header {
    /// The header of a family's facts.
    pub fn of_family(family: impl Into<Word>, things: usize) -> Header {
        Header {
            format: FORMAT,
            program: env!("CARGO_PKG_VERSION").into(),
            family: family.into(),
            namespace: None,
            torch: None,
            things,
        }
    }
}
