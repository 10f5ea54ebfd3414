//! Python source, read as text for the literals in it. Nothing is run.
//!
//! A module's statements are walked in order, as Python would run them; names stand for what was last assigned to them. What cannot be told
//! without running Python is [`Value::Unknown`], which is no fault here: whoever needs the value says so.
//!
//! This reader is own code, and only declarations are read with it. It must survive any input, and the parsers that crates.io has do not suit:
//! rustpython-parser (0.4.0, 64 packages) overflows the stack on brackets nested in brackets, and ruff_python_parser (0.0.20) is an internal
//! part of Ruff that needs a newer compiler than the one that this crate is built with.
//!
//! Invariant: what is not unknown has the value that Python would give it. Deliberately absent: operators, attributes, conditions, imports, and
//! complaints about anything but tokens, brackets and indentation.

mod expression;
mod module;
mod string;
mod syntax;
mod token;
mod value;

pub(crate) use module::{Scope, module};
pub(crate) use value::{Function, Located, Object, Value};

#[cfg(test)]
mod tests;
