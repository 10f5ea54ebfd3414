//! Counted words in messages.

/// A count and a word, in the plural if needed.
pub fn plural(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}
