//! `torchgen-rs from-cpp`: the registrations of existing C++ sources as a native_functions.yaml.
//!
//! Data flows `literal, scan, infer -> entries -> command`. Invariant: every `def` of a file is in
//! the YAML, as an entry or as a comment with its place, or an error points at it; nothing is
//! compiled, and macros other than those of registration are not expanded.

pub mod command;
mod entries;
mod infer;
mod literal;
mod scan;
#[cfg(test)]
mod tests;

pub(crate) use command::{Found, FoundOperator, found};
pub(crate) use entries::Left as LeftOut;
