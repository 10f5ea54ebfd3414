//! Schema strings: `name.overload(Type[set] arg=default, *, Type kw=default) -> (Type a, Type b)`.
//!
//! A family provides a [`TypeTable`] (which types exist, and the form of their defaults) and
//! [`Rules`] (which parts a schema may have). [`parse`] returns the [`Schema`], or every error with
//! its bytes. White space is allowed between tokens, but not between a type, its alias set and its
//! suffixes.
//!
//! Invariants: no text makes the parser panic; every range lies inside the text, on character
//! boundaries; a schema prints as it was written, except for white space between tokens.
//! Families interpret schemas; PyTorch's operators have a parser of their own.

mod error;
mod grammar;
mod print;
mod resolve;
pub mod syntax;
mod table;
#[cfg(test)]
mod tests;
mod tree;
mod value;

pub(crate) use error::SchemaError;
pub use table::{DefaultForm, Presence, Rules, TypeRow, TypeTable};
pub(crate) use tree::Returns;
pub use tree::{Alias, Default, Parameter, Return, Schema, Spanned, Suffix, Type, Value};

/// The name that a schema declares, which may have errors behind it.
pub fn declared_name(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    Some(&text[..end]).filter(|name| !name.is_empty())
}

/// Reads a default by itself; `None` if the text is not one.
pub fn value(text: &str) -> Option<Value> {
    grammar::value(text)
}

/// Reads a schema.
///
/// # Errors
/// The text is not a schema (one error, at the first wrong token), or it breaks the rules or uses
/// types and defaults that are not in the table (all such errors, in text order).
pub fn parse<K: Clone>(text: &str, types: &TypeTable<K>, rules: &Rules) -> Result<Schema<K>, Vec<SchemaError>> {
    let written = grammar::schema(text).map_err(|error| vec![error])?;
    resolve::schema(text, written, types, rules)
}
