//! Formulas of derivatives, which are expressions of C++: their tree, its types, and the functions
//! that they call.
//!
//! What checks formulas, prints them in another language or asks for their names is built on this.
//!
//! Invariant: a [`Problem`] that is `not_cpp` is certain: no compiler accepts such a formula. A
//! formula that is too long or too deep to be read has another problem.

mod ast;
mod brackets;
mod by_hand;
mod calls;
mod constants;
mod convert;
mod elements;
mod fit;
mod foreign;
mod form;
mod helpers;
mod kind;
mod made;
mod methods;
mod names;
mod operand;
mod operators;
mod parse;
mod passed;
mod problem;
mod signature;
mod spelled;
mod statements;
#[cfg(test)]
mod tests;
mod typed;
mod types;
pub mod vocabulary;

pub use self::ast::{Binary, Expr, Method, Node, Path, Statement, Unary};
pub use self::brackets::unmatched;
pub use self::constants::{constant_in_python, is_constant};
pub use self::convert::Rules;
pub use self::foreign::not_a_pointer;
pub use self::form::{is_single, is_unsigned, is_unsigned_word};
pub use self::helpers::{Helper, Python};
pub use self::kind::{Ty, ValueKind};
pub use self::names::{called, methods, open_names};
pub use self::parse::parse;
pub use self::problem::Problem;
pub use self::signature::{Parameter, Selected, Signature, selected};
pub use self::typed::{Call, Callee, FoundName, Outcome, Scope, Typed, typed};
