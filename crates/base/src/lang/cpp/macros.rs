//! Names that the headers of the standard library define as macros.
//!
//! Invariant: the list has the macros of all headers of C++17 that do not begin with an underscore,
//! as g++ and glibc define them. A test of the families compiles generated headers, and checks that
//! they define no other macros.

use std::sync::LazyLock;

/// One name a line, sorted.
fn names() -> impl Iterator<Item = &'static str> {
    torchgen_data::text("lang/macros.txt").expect("a table of the program").lines()
}

/// Whether the preprocessor replaces a word once headers of the standard library are included.
pub fn is_macro(word: &str) -> bool {
    static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| names().collect());
    NAMES.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(names().is_sorted());
        assert!(["NULL", "EOF", "INT32_MAX", "errno", "assert", "linux"].into_iter().all(is_macro));
        assert!(!["min", "ELU", "Null"].into_iter().any(is_macro));
    }
}
