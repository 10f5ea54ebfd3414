//! Finds the functions that a C++ source defines: enough to check whether a kernel exists and has
//! the expected signature.
//!
//! Reads tokens, then declarations at namespace level; bodies are skipped. Handles comments,
//! strings (raw ones too), line continuations, preprocessor lines, nested and inline namespaces,
//! namespace aliases, templates, attributes and PyTorch's macros for structured kernels.
//!
//! Invariant: any bytes can be read; text that is not C++ gives fewer definitions or none, never a
//! panic. Includes are not followed, and names are not looked up. In signatures, macros without
//! parameters and aliases of types are expanded; other macros are not.

mod definition;
mod directives;
mod keywords;
mod layout;
mod macros;
mod scan;
#[cfg(test)]
mod tests;
mod token;
mod types;
mod unfinished;

pub(crate) use definition::{Definition, Form};
pub(crate) use directives::are_alternatives;
pub(crate) use keywords::is_keyword;
pub(crate) use layout::laid_out;
pub(crate) use macros::is_macro;
pub(crate) use scan::read;
pub(crate) use token::{Kind, Token, tokens};
pub(crate) use types::{Aliases, Signature, differences, signature, signature_in};
pub(crate) use unfinished::unfinished;
