//! C++ sources that no template engine reads: whole files, or parts of files that templates write.
//!
//! A source is valid C++ in `templates/`, where it has stand-in names: namespaces such as
//! `torchgen_support`, and the word `torchgen_comment` for the comment that generated files open
//! with. Whoever writes it says what these words become. Invariant: nothing else of the text
//! changes, and no other name starts with `torchgen_`.

use std::borrow::Cow;
use std::sync::{Arc, PoisonError, RwLock};

use minijinja::value::Kwargs;
use minijinja::{Environment, Error, ErrorKind, State};
use rustc_hash::FxHashMap;

use super::lines::newlines;

/// How the names begin that only sources have.
pub(super) const STAND_IN: &str = "torchgen_";

/// A word or a line of a source, and what a written file has instead. A word that ends in `_` is
/// the beginning of longer ones: the prefix of macros.
pub type Word = (&'static str, String);

/// The sources, with those that overlays replaced.
#[derive(Default)]
pub(super) struct Sources {
    replaced: RwLock<FxHashMap<String, Arc<str>>>,
}

impl Sources {
    /// Whether there is a source of that name.
    pub(super) fn has(name: &str) -> bool {
        embedded(name).is_some()
    }

    /// Replaces a source.
    pub(super) fn replace(&self, name: &str, text: &str) {
        self.replaced.write().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), text.into());
    }

    /// The text of a source with all words replaced.
    pub(super) fn with_words_replaced<'w>(
        &self,
        name: &str,
        words: impl Iterator<Item = (&'w str, &'w str)>,
    ) -> Option<String> {
        self.with(name, |text| with_words_replaced(text, &words.collect::<Vec<_>>()))
    }

    fn with<R>(&self, name: &str, read: impl FnOnce(&str) -> R) -> Option<R> {
        let replaced = self.replaced.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        match replaced {
            Some(text) => Some(read(&text)),
            None => embedded(name).map(|file| read(&newlines(file.text()))),
        }
    }

    /// Adds the functions with which templates write parts of sources.
    pub(super) fn serve(self: &Arc<Self>, environment: &mut Environment<'static>) {
        for (function, part) in [("plain_part", part as fn(&str) -> Option<&str>), ("plain_body", body)] {
            let sources = Arc::clone(self);
            environment.add_function(function, move |state: &State, name: String, words: Kwargs| {
                let mut pairs = Vec::new();
                for word in words.args() {
                    pairs.push((word, words.get::<Cow<'_, str>>(word)?));
                }
                // A word is in a source some sixty times at most.
                let length: usize = pairs.iter().map(|(_, text)| text.len()).sum();
                state.consume_fuel(length as u64)?;
                let pairs: Vec<(&str, &str)> = pairs.iter().map(|(word, text)| (*word, text.as_ref())).collect();
                let wrong = |what: &str| Error::new(ErrorKind::InvalidOperation, format!("`{name}` {what}"));
                let text = sources.with(&name, |text| part(text).map(|part| with_words_replaced(part, &pairs)));
                let text = text.ok_or_else(|| wrong("is not a C++ source of templates/"))?;
                text.ok_or_else(|| wrong("lacks a namespace with a line before and after its body"))
            });
        }
    }
}

fn embedded(name: &str) -> Option<&'static torchgen_templates::File> {
    torchgen_templates::template_named(name).filter(|file| !is_fragment(file.name))
}

/// Whether a name is that of a template of the engine.
pub(super) fn is_fragment(name: &str) -> bool {
    name.ends_with(".j2")
}

/// What a source has from the first header of the system on, without the last line break.
fn part(text: &str) -> Option<&str> {
    let from = text.find(SYSTEM_HEADER)?;
    text.get(from..).map(str::trim_end)
}

const SYSTEM_HEADER: &str = "#include <";

/// What a source has between the lines that open and close its namespaces, without the blank lines
/// there. A nameless namespace is one of them if the line below opens it.
fn body(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once(NAMESPACE)?;
    let (_, rest) = rest.split_once('\n')?;
    let (rest, close) = match rest.strip_prefix("namespace {\n") {
        Some(rest) => (rest, "\n} // namespace\n} // namespace torchgen_"),
        None => (rest, "\n} // namespace torchgen_"),
    };
    rest.get(..rest.find(close)?).map(|body| body.trim_matches('\n'))
}

/// How the line begins that opens the namespace of a source.
const NAMESPACE: &str = "\nnamespace torchgen_";

/// The text with each word replaced where it is not a part of a longer one; of several that begin
/// at a place, the longest.
fn with_words_replaced(text: &str, words: &[(&str, &str)]) -> String {
    let mut made = String::with_capacity(text.len());
    let mut at = 0;
    let next = |at: usize| {
        let found = words.iter().filter_map(|(word, by)| Some((find(text, at, word)?, *word, *by)));
        found.min_by_key(|(place, word, _)| (*place, usize::MAX - word.len()))
    };
    while let Some((place, word, by)) = next(at) {
        made.push_str(&text[at..place]);
        made.push_str(by);
        at = place + word.len();
    }
    made.push_str(&text[at..]);
    made
}

/// The first place from `at` on at which a text has a word.
fn find(text: &str, at: usize, word: &str) -> Option<usize> {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let inside = |place: usize| {
        let (before, after) = (&text[..place], &text[place + word.len()..]);
        is_part(word.chars().next()) && is_part(before.chars().next_back())
            || !word.ends_with('_') && is_part(word.chars().next_back()) && is_part(after.chars().next())
    };
    text[at..].match_indices(word).map(|(place, _)| at + place).find(|place| !inside(*place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_and_the_longest_first() {
        assert_eq!(with_words_replaced("X_a_ MX_b x_ X", &[("X_", "Y_")]), "Y_a_ MX_b x_ X");
        let words = [("torchgen_x", "a::b"), ("namespace torchgen_x {", "namespace a {"), ("b", "torchgen_x")];
        let text = "namespace torchgen_x {\ntorchgen_x::f(torchgen_xy, my_torchgen_x, b);\n";
        assert_eq!(
            with_words_replaced(text, &words),
            "namespace a {\na::b::f(torchgen_xy, my_torchgen_x, torchgen_x);\n"
        );
        assert_eq!(with_words_replaced("\u{e9}b b\u{e9} b", &words), "\u{e9}b b\u{e9} torchgen_x");
        assert_eq!(with_words_replaced("", &words), "");
    }

    #[test]
    fn parts_and_bodies() {
        let text = "#pragma once\n#include \"x.h\"\n\n#include <map>\n\nnamespace torchgen_a {\n\nnamespace {\nint x;\n} \
                    // namespace\n\nint y;\n\n} // namespace torchgen_a\n";
        assert_eq!(body(text), Some("namespace {\nint x;\n} // namespace\n\nint y;"));
        assert_eq!(part(text).map(|part| part.starts_with("#include <map>\n\nnamespace torchgen_a {")), Some(true));
        assert_eq!(part(text).map(|part| part.ends_with("} // namespace torchgen_a")), Some(true));
        let nameless = "using namespace torchgen_b;\nnamespace torchgen_a {\nnamespace {\n\nint x;\n\n} // namespace\n} // namespace torchgen_a\n";
        assert_eq!(body(nameless), Some("int x;"));
        assert_eq!((body("int x;"), part("int x;")), (None, None));
        assert_eq!(body("namespace torchgen_a {"), None);
    }
}
