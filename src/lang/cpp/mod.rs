//! Reads C++ for the functions that it defines: enough to tell whether a kernel is there and has the wanted signature.
//!
//! Tokens, then declarations at namespace level; bodies are skipped. Comments, strings (raw ones too), line continuations, preprocessor lines,
//! nested and inline namespaces, namespace aliases, templates, attributes and PyTorch's macros for structured kernels are understood.
//!
//! Invariant: any bytes can be read; what is no C++ gives no definitions or fewer, never a panic. Deliberately absent: macros are not expanded,
//! includes not followed, and names not looked up.

mod definition;
mod keywords;
mod scan;
#[cfg(test)]
mod tests;
mod token;
mod types;

pub(crate) use definition::{Definition, Form};
pub(crate) use keywords::is_keyword;
pub(crate) use scan::read;
pub(crate) use token::{Kind, Token, tokens};
pub(crate) use types::{Signature, signature};
