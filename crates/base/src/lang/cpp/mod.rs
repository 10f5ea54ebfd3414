//! The reader of C++: tokens, preprocessor lines, and the functions that a source defines. All that
//! reads C++ reads it here; ARCHITECTURE lists who does.
//!
//! Reads tokens, then declarations at namespace level; bodies are skipped. Handles comments,
//! strings (raw ones too), line continuations, preprocessor lines, conditions such as `#if 0`,
//! nested and inline namespaces, namespace aliases, templates, attributes and PyTorch's macros for
//! structured kernels.
//!
//! Invariant: any bytes can be read; text that is not C++ gives fewer definitions or none, never a
//! panic. Includes are not followed, and names are not looked up. In signatures, macros without
//! parameters and aliases of types are expanded; other macros are not.

mod conditions;
mod definition;
mod directive;
mod directives;
mod keywords;
mod layout;
mod macros;
mod mentions;
mod scan;
mod string;
#[cfg(test)]
mod tests;
mod token;
mod types;
mod unfinished;

pub use conditions::tokens;
pub use definition::{Definition, DefinitionForm};
pub use directive::{Directive, directive};
pub use directives::{are_alternatives, includes};
pub use keywords::is_keyword;
pub use layout::laid_out;
pub use macros::is_macro;
pub use mentions::{mentions, only_names_template_parameters};
pub use scan::scan_source;
pub use string::{escaped, string_literal};
pub use token::{Token, TokenKind};
pub use types::{Aliases, Signature, differences, parameter_name, signature, signature_in, swapped, swapped_names};
pub use unfinished::unfinished;
