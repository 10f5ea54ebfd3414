//! Words: the parts of C++ and Python names.
//!
//! Invariant: all code that searches a text for names uses this module. Names in the input are
//! ASCII; text that is only searched, such as formulas, may contain words in other scripts.

use std::ops::Range;

/// Whether the character can be part of a word in any script.
pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether the character can be part of an identifier.
pub fn is_ascii_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Whether a text is an identifier. Keywords count as identifiers.
pub fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_ascii_word) && !text.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a text is one or more identifiers, separated by `::`.
pub fn is_qualified_identifier(text: &str) -> bool {
    text.split("::").all(is_identifier)
}

/// Whether the character at an offset does not continue a word.
pub fn starts_word(text: &str, at: usize) -> bool {
    !text[..at].ends_with(is_word)
}

/// Every place where the word occurs in a text as a whole word.
pub fn whole_words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    text.match_indices(word)
        .map(|(at, found)| at..at + found.len())
        .filter(|range| !range.is_empty() && starts_word(text, range.start) && !text[range.end..].starts_with(is_word))
}

/// The text with what `with` returns in place of the word, where it occurs as a whole word. Where
/// `with` returns nothing, the word remains.
pub fn replace_words(text: &str, word: &str, mut with: impl FnMut(Range<usize>) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for range in whole_words(text, word) {
        if let Some(other) = with(range.clone()) {
            out.push_str(&text[copied..range.start]);
            out.push_str(&other);
            copied = range.end;
        }
    }
    out + &text[copied..]
}

/// The lines of a text of words, which have at most some characters as far as words allow.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
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

    #[test]
    fn words_replaced() {
        let all = replace_words("a + ab * a", "a", |_| Some("long".to_owned()));
        assert_eq!(all, "long + ab * long");
        let later = replace_words("a + ab * a", "a", |range| (range.start > 0).then(String::new));
        assert_eq!(later, "a + ab * ");
    }
}
