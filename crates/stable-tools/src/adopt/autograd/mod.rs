//! Autograd functions of a library, in C++ and Python, as entries of derivatives.yaml.
//!
//! Data flows `sources (class) -> body (expression, values) -> operator -> gradients -> entries ->
//! checked`. Python's are read as C++: what its reader writes is a body too. Invariant: each class
//! is an entry that the checks of formulas accept, or a comment with the reason; the library keeps
//! its own.

mod body;
mod checked;
mod class;
mod entries;
mod expression;
mod gradients;
mod operator;
mod sources;
mod values;

pub(super) use self::checked::check;
pub(super) use self::class::Class;
pub(super) use self::entries::Entries;
pub(super) use self::sources::Classes;
