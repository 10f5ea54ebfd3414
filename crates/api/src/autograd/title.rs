//! Class names made from operator names.
//!
//! Invariant: only the case of letters changes. Rule: Python's `str.title`.

/// The parts between underscores, each with a capital letter at its start and after digits:
/// `special_i0e` gives `SpecialI0E`.
pub(super) fn title(name: &str) -> String {
    let mut class = String::with_capacity(name.len() + 8);
    for part in name.split('_') {
        let mut in_word = false;
        for c in part.chars() {
            class.push(if in_word { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() });
            in_word = c.is_ascii_alphabetic();
        }
    }
    class
}
