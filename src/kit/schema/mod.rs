//! Schema strings: `name.overload(Type[set] arg=default, *, Type kw=default) -> (Type a, Type b)`.
//!
//! A family gives a [`TypeTable`] (which types exist, how their defaults are read) and [`Rules`] (which
//! parts a schema may have). [`parse`] gives the [`Schema`], or every error with the bytes it is about.
//! Between tokens any white space may occur; a type with its alias set and suffixes has none inside.
//!
//! Invariants: no text makes a parser here panic; every range lies inside the text, on character
//! boundaries; a schema prints as it was written, white space between tokens apart.
//! Not here: what a schema means to a family, and the rules of PyTorch's operators.

mod error;
mod grammar;
mod print;
mod resolve;
mod table;
#[cfg(test)]
mod tests;
mod tree;
mod value;

pub(crate) use error::SchemaError;
pub(crate) use table::{DefaultForm, Presence, Rules, TypeRow, TypeTable};
pub(crate) use tree::{Alias, Default, Parameter, Return, Returns, Schema, Spanned, Suffix, Type, Value};

/// Reads a schema.
///
/// # Errors
/// If the text does not have the form of a schema (one error, where it ends to be one), or if it breaks
/// the rules or uses types and defaults that the table does not know (all such errors, in text order).
pub(crate) fn parse<K: Clone>(text: &str, types: &TypeTable<K>, rules: &Rules) -> Result<Schema<K>, Vec<SchemaError>> {
    let written = grammar::schema(text).map_err(|error| vec![error])?;
    resolve::schema(text, written, types, rules)
}

/// Reads a type by itself, such as `Tensor(a!)[]` or `int[2]?`.
///
/// # Errors
/// As [`parse`].
#[allow(dead_code, reason = "kernel wrappers read types alone")]
pub(crate) fn parse_type<K: Clone>(text: &str, types: &TypeTable<K>) -> Result<Spanned<Type<K>>, Vec<SchemaError>> {
    let written = grammar::lone_type(text).map_err(|error| vec![error])?;
    resolve::lone_type(written, types)
}
