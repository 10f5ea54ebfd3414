//! The languages of schemas and output: words, keywords, and the definitions in C++ sources.

pub mod cpp;
pub mod python;
mod word;

pub use word::{
    is_ascii_word, is_identifier, is_qualified_identifier, is_word, replace_words, starts_word, whole_words, wrapped,
};
