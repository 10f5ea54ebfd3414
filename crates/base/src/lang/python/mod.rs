//! Python's reserved words, its tokens, and the literals of its modules.

mod error;
pub mod literals;
mod string;
pub mod token;
mod written;

pub use error::error;
pub use written::{in_one_line, string_literal};

/// The keywords, unchanged since 3.7. Soft keywords, such as `match`, can be names.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// Whether a word cannot be a name in Python.
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}
