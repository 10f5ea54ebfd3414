//! A small typed expression language for YAML: arithmetic, lists, text, conditions, calls, and
//! statements by indentation.
//!
//! A family supplies names, functions and types as a [`Vocabulary`]; the language supplies syntax,
//! checks and printers. The stages: [`parse`] or [`parse_block`] returns a tree, [`Checker`] and
//! [`check_body`] return a typed one, [`Cpp`], [`Python`] and [`source`] print it. Offsets in
//! errors are offsets in the text; [`Text`](torchgen_base::yaml::Text) maps them to places in the
//! file, inside block scalars too. Invariant: no text makes the parser panic. Expressions are not
//! evaluated here.

mod block;
mod check;
mod cpp;
mod flow;
mod member;
mod parse;
mod pattern;
mod print;
mod python;
mod slips;
mod strings;
mod syntax;
#[cfg(test)]
mod tests;
mod token;
mod typed;
mod types;
mod vocabulary;

pub use block::parse_block;
pub use check::{Checker, coerce};
pub use cpp::{Cpp, string_literal};
pub use flow::check_body;
pub use parse::{parse, parse_calls, parse_names};
pub use pattern::parse_pattern;
pub use print::source;
pub use python::Python;
pub use syntax::{
    Binary, Call, Comparison, Expr, ExprKind, GuardedCall, Ident, Piece, Sigil, Statement, StatementKind, Unary,
};
pub use typed::{CustomCall, Step, Typed, TypedComprehension, TypedKind};
pub use types::{Function, Type, core_functions};
pub use vocabulary::{Constant, Vocabulary};
