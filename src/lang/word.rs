//! Words: what names of C++ and Python are made of.
//!
//! Invariant: every place that looks for names in a text asks here. Names in the input are ASCII; text
//! that is only searched, such as formulas, may have letters of other scripts in its words.

use std::ops::Range;

/// Whether the character can be part of a word, of whatever script.
pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether the character can be part of an identifier.
pub(crate) fn is_ascii_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Whether a text is an identifier. Keywords are.
pub(crate) fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_ascii_word) && !text.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a text is an identifier, or several with `::` between.
pub(crate) fn is_qualified_identifier(text: &str) -> bool {
    text.split("::").all(is_identifier)
}

/// Whether what is at an offset is not the rest of a word.
pub(crate) fn starts_word(text: &str, at: usize) -> bool {
    !text[..at].ends_with(is_word)
}

/// Every place where a text has a word by itself, not as a part of a longer one.
pub(crate) fn whole_words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    text.match_indices(word)
        .map(|(at, found)| at..at + found.len())
        .filter(|range| !range.is_empty() && starts_word(text, range.start) && !text[range.end..].starts_with(is_word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers() {
        assert!(is_identifier("_a1") && is_qualified_identifier("a::b"));
        for text in ["", "1a", "a-b", "é", "a::b"] {
            assert!(!is_identifier(text), "{text}");
        }
        assert!(!is_qualified_identifier("a::") && !is_qualified_identifier("a:b"));
    }

    #[test]
    fn words_by_themselves() {
        let found = |text, word| whole_words(text, word).collect::<Vec<_>>();
        assert_eq!(found("a + ab + é_a * a", "a"), [0..1, 16..17]);
        assert!(found("a", "").is_empty());
    }
}
