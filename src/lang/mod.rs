//! The languages that schemas speak about and output is in: words, keywords, and what C++ sources define.

pub(crate) mod cpp;
pub(crate) mod python;
mod word;

pub(crate) use word::{is_ascii_word, is_identifier, is_qualified_identifier, is_word, starts_word, whole_words};
