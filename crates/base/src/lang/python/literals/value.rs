//! Values of Python.
//!
//! Invariant: copying a value costs at most a reference count, so a file cannot cause endless
//! copies.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::syntax::Def;

/// A value and its expression.
#[derive(Debug, Clone)]
pub struct Located {
    /// The value.
    pub value: Value,
    /// The range of the expression in the file, in bytes.
    pub range: Range<usize>,
    /// The nesting depth of its containers, including itself.
    depth: u32,
}

/// A value.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub enum Value {
    Str(Arc<str>),
    /// As written, with its sign.
    Number(Arc<str>),
    Bool(bool),
    None,
    List(Arc<[Located]>),
    Tuple(Arc<[Located]>),
    Set(Arc<[Located]>),
    /// Its values are not needed so far.
    Dict(Arc<[Located]>),
    Function(Function),
    Class(Arc<Class>),
    Object(Arc<Object>),
    /// Known only by running Python.
    Unknown,
}

/// A function.
#[derive(Debug, Clone)]
pub struct Function {
    pub(super) def: Arc<Def>,
    /// It is called on an object, which is its first argument.
    pub(super) bound: bool,
}

/// A class: what its objects share, and how they are created.
#[derive(Debug)]
pub struct Class {
    pub(super) attributes: HashMap<String, Located>,
    /// Names with a type, in order: the fields of a data class.
    pub(super) fields: Vec<String>,
    pub(super) init: Option<Arc<Def>>,
    /// The class inherits only what is known here.
    pub(super) complete: bool,
}

/// An object or a module: its names and their values.
#[derive(Debug, Clone, Default)]
pub struct Object {
    pub(super) attributes: HashMap<String, Located>,
    /// It may have attributes that are not known here.
    pub(super) open: bool,
}

const MAX_DEPTH: u32 = 1000;

fn deepest<'a>(values: impl Iterator<Item = &'a Located>) -> u32 {
    values.map(|value| value.depth).max().unwrap_or(0)
}

impl Located {
    /// A value that is nested too deeply becomes unknown, since freeing it would need as deep a
    /// stack.
    pub(super) fn new(value: Value, range: &Range<usize>) -> Self {
        let inner = match &value {
            Value::List(items) | Value::Tuple(items) | Value::Set(items) | Value::Dict(items) => deepest(items.iter()),
            Value::Class(class) => deepest(class.attributes.values()),
            Value::Object(object) => deepest(object.attributes.values()),
            _ => 0,
        };
        let value = if inner < MAX_DEPTH { value } else { Value::Unknown };
        Located { value, range: range.clone(), depth: (inner + 1) % (MAX_DEPTH + 1) }
    }

    /// The same value, used elsewhere.
    pub(super) fn at(&self, range: &Range<usize>) -> Self {
        Located { range: range.clone(), ..self.clone() }
    }
}

impl Value {
    /// Its type in Python.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Str(_) => "str",
            Value::Number(text) if text.contains(['j', 'J']) => "complex",
            Value::Number(text) if text.contains('.') || (text.contains(['e', 'E']) && !text.contains("0x")) => "float",
            Value::Number(_) => "int",
            Value::Bool(_) => "bool",
            Value::None => "None",
            Value::List(_) => "list",
            Value::Tuple(_) => "tuple",
            Value::Set(_) => "set",
            Value::Dict(_) => "dict",
            Value::Function(_) => "function",
            Value::Class(_) => "type",
            Value::Object(_) | Value::Unknown => "object",
        }
    }

    /// The items of an iteration over a list, a tuple, a set or a dictionary (its keys).
    pub fn items(&self) -> Option<&[Located]> {
        match self {
            Value::List(items) | Value::Tuple(items) | Value::Set(items) | Value::Dict(items) => Some(items),
            _ => None,
        }
    }

    pub(super) fn is_mutable(&self) -> bool {
        !matches!(self, Value::Str(_) | Value::Number(_) | Value::Bool(_) | Value::None | Value::Tuple(_))
    }
}

impl Function {
    /// The number of arguments that can be given by position; `None` if a decorator may have
    /// changed it.
    pub fn positional(&self) -> Option<usize> {
        (!self.def.decorated).then(|| self.def.positional.len().saturating_sub(usize::from(self.bound)))
    }

    /// The place of its name.
    pub fn range(&self) -> &Range<usize> {
        &self.def.name.range
    }
}

impl Object {
    /// The attribute, [`Value::Unknown`] if there may be one, or `None` if there is none.
    pub fn get(&self, name: &str) -> Option<Located> {
        match self.attributes.get(name) {
            Some(known) => Some(known.clone()),
            None => self.open.then(|| Located::new(Value::Unknown, &(0..0))),
        }
    }
}
