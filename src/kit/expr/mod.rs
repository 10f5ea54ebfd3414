//! A small typed expression language for YAML: arithmetic, lists, text, conditions, calls, and statements by indentation.
//!
//! A family brings names, functions and types as a [`Vocabulary`]; the language brings syntax, checking and printers. The stages:
//! [`parse`] or [`parse_block`] give a tree, [`Checker`] and [`check_body`] give a typed one, [`Cpp`], [`source`] and [`python`] print it.
//! Offsets in errors are offsets in the text, which [`Text`](crate::yaml::Text) turns into places in the file, inside block scalars too.
//! Invariant: nothing panics on any text. Deliberately absent: evaluation, and what any family's call does.

mod block;
mod check;
mod cpp;
mod flow;
mod parse;
mod print;
mod syntax;
#[cfg(test)]
mod tests;
mod token;
mod typed;
mod types;

pub use block::parse_block;
pub use check::{Checker, coerce};
pub use cpp::{Cpp, string_literal};
pub use flow::check_body;
pub use parse::parse;
pub use print::{python, source};
pub use syntax::{Call, Expr, ExprKind, Ident, Piece, Sigil, Statement, StatementKind};
pub use typed::{CustomCall, Step, Typed, TypedComprehension, TypedKind};
pub use types::{Constant, Function, Type, Vocabulary, core_functions};
