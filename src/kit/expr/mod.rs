//! A small typed expression language for YAML: arithmetic, lists, text, conditions, calls, and
//! statements by indentation.
//!
//! A family supplies names, functions and types as a [`Vocabulary`]; the language supplies syntax,
//! checks and printers. The stages: [`parse`] or [`parse_block`] returns a tree, [`Checker`] and
//! [`check_body`] return a typed one, [`Cpp`] and [`source`] print it. Offsets in
//! errors are offsets in the text; [`Text`](crate::yaml::Text) maps them to places in the file,
//! inside block scalars too. Invariant: no text makes the parser panic. Expressions are not
//! evaluated here.

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
mod vocabulary;

pub(crate) use block::parse_block;
pub(crate) use check::{Checker, coerce};
pub(crate) use cpp::{Cpp, string_literal};
pub(crate) use flow::check_body;
pub(crate) use parse::{parse, parse_names};
pub(crate) use print::source;
pub(crate) use syntax::{Binary, Call, Comparison, Expr, ExprKind, Piece, Sigil, Statement, StatementKind, Unary};
pub(crate) use typed::{CustomCall, Step, Typed, TypedComprehension, TypedKind};
pub(crate) use types::{Function, Type, core_functions};
pub(crate) use vocabulary::{Constant, Vocabulary};
