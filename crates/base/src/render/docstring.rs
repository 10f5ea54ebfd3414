//! The rule for docstrings in generated Python: a blank line between a closing `"""` and the class
//! or function after it.
//!
//! As in the reference, it applies to every file made from a template, whatever its language.
//! Rule: torchgen/utils.py, `FileManager.substitute_with_template`.

use std::sync::LazyLock;

use regex::Regex;

use super::contents::Contents;

// Python's `\s` includes the four ASCII separators.
static AFTER_DOCSTRING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(""")\n+((?:[\s\x1c-\x1f]*@.+\n)*[\s\x1c-\x1f]*(?:class|def))"#).expect("a constant pattern")
});

/// Applies the rule. Contents without `"""` are returned without copying.
pub(super) fn part_docstrings(contents: Contents) -> Contents {
    if !contents.may_have_quotes() {
        return contents;
    }
    let text = contents.to_string();
    match AFTER_DOCSTRING.replace_all(&text, "${1}\n\n${2}") {
        std::borrow::Cow::Borrowed(_) => contents,
        std::borrow::Cow::Owned(changed) => changed.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{ContentsBuilder, Fragment};

    #[test]
    fn cases() {
        for (text, expected) in [
            ("\"\"\"\ndef f", "\"\"\"\n\ndef f"),
            ("\"\"\"\n\n\n\n    class C", "\"\"\"\n\n    class C"),
            ("\"\"\"\n  @a(1)\n  @b\n  def f", "\"\"\"\n\n  @a(1)\n  @b\n  def f"),
            ("\"\"\"\n\u{1c}def f", "\"\"\"\n\n\u{1c}def f"),
            ("\"\"\" def f", "\"\"\" def f"),
            ("\"\"\"\nx = 1\n", "\"\"\"\nx = 1\n"),
            ("\"\"\"\ndefault", "\"\"\"\n\ndefault"),
            ("\"\"\n\"\ndef f", "\"\"\n\"\ndef f"),
            ("no quotes\ndef f", "no quotes\ndef f"),
        ] {
            assert_eq!(part_docstrings(text.into()).to_string(), expected, "{text:?}");
        }
    }

    #[test]
    fn quotes_across_chunks_count() {
        let mut text = ContentsBuilder::new();
        text.push(&Fragment::new(format!("{}\"", "x".repeat(200))));
        text.push(&Fragment::new(format!("\"\"\ndef {}", "y".repeat(200))));
        let parted = part_docstrings(text.finish()).to_string();
        assert!(parted.contains("\"\"\"\n\ndef y"), "{parted}");
    }
}
