//! Python source, parsed for the literals in it. Nothing is run.
//!
//! The statements of a module are visited in order, as Python would run them; a name has the value
//! that was last assigned to it. A value that needs running Python is [`Value::Unknown`], which is
//! not an error here: the user of the value reports it.
//!
//! This parser is our own, and only reads literals. It must survive any input. The parsers on
//! the registry do not fit: rustpython-parser (0.4.0, 64 packages) overflows the stack on nested
//! brackets, and ruff_python_parser (0.0.20) is an internal part of Ruff that needs a newer
//! compiler than this crate.
//!
//! Invariant: a known value is the value that Python would compute. Operators, attributes,
//! conditions and imports are not supported. Only tokens, brackets and indentation can be errors.

mod expression;
mod module;
mod syntax;
mod value;

pub use module::{Scope, module};
pub use value::{Function, Located, Object, Value};

#[cfg(test)]
mod tests;
