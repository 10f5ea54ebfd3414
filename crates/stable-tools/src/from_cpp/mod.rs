//! `torchgen-rs from-cpp`: the registrations of existing C++ sources as a native_functions.yaml.
//!
//! Data flows `infer, functions -> operators -> entries -> command`; the crate `registrations`
//! reads the calls. Invariant: every `def` of a file is in the YAML, as an entry that `check`
//! accepts or as a comment with its place; nothing is compiled.

mod accepted;
pub mod command;
mod entries;
mod functions;
pub(crate) mod infer;
mod operators;
#[cfg(test)]
mod tests;

pub(crate) use accepted::accepted;
pub(crate) use command::sources_of;
pub(crate) use entries::{Comment as LeftOut, place, quoted, when};
pub(crate) use functions::{Functions, Meant, function};
pub(crate) use operators::is_macro;
pub use operators::{Kernel, Left, LeftCall, Operator, Operators, operators};
