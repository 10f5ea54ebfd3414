//! The identifiers that embedded templates and C++ sources write themselves.
//!
//! A family compares the names of its users with them: a parameter that is called as a local
//! variable of the generated code would hide it. Invariant: the list follows the templates, so it
//! cannot be out of date.

use torchgen_templates::{File, Files};

use super::plain::{STAND_IN, is_fragment};

/// The identifiers in the text of a family's templates and C++ sources, and of the shared ones,
/// that `chosen` selects by name: those outside comments and strings, and without words of which a
/// view writes a part, or that written files do not have.
pub fn identifiers(own: &'static Files, chosen: impl Fn(&str) -> bool) -> impl Iterator<Item = &'static str> {
    let chosen = torchgen_templates::of_family(own).filter(move |template| chosen(template.name));
    let words = |file: &'static File| Words { text: file.text(), plain: !is_fragment(file.name) };
    chosen.flat_map(words).filter(|word| !word.starts_with(STAND_IN))
}

struct Words {
    text: &'static str,
    /// It is a C++ source, in which braces are those of C++.
    plain: bool,
}

/// What begins at a place that is not a word, and how it ends; in C++ sources only the first.
const SKIPPED: [(&str, &str); 5] = [("//", "\n"), ("/*", "*/"), ("{#", "#}"), ("{%", "%}"), ("{{", "}}")];

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl Iterator for Words {
    type Item = &'static str;

    fn next(&mut self) -> Option<&'static str> {
        // Whether what a view writes ends here.
        let mut joined = false;
        while !self.text.is_empty() {
            let skipped = SKIPPED.get(..if self.plain { 2 } else { SKIPPED.len() }).unwrap_or(&SKIPPED);
            if let Some((open, close)) = skipped.iter().find(|(open, _)| self.text.starts_with(open)) {
                self.text = self.text.split_once(close).map_or("", |(_, rest)| rest);
                joined = *open == "{{";
                continue;
            }
            let length = self.text.bytes().take_while(|byte| is_part(*byte)).count();
            if length == 0 {
                self.text = match self.text.strip_prefix('"') {
                    Some(string) => after_string(string),
                    None => self.text.split_at(self.text.chars().next().map_or(0, char::len_utf8)).1,
                };
                joined = false;
                continue;
            }
            let (word, rest) = self.text.split_at(length);
            self.text = rest;
            if !joined && !rest.starts_with("{{") && !word.starts_with(|c: char| c.is_ascii_digit()) {
                return Some(word);
            }
            joined = false;
        }
        None
    }
}

/// The text after a string literal, whose opening quote was read.
fn after_string(text: &'static str) -> &'static str {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' if !escaped => return &text[at + 1..],
            '\n' => return &text[at..],
            _ => escaped = c == '\\' && !escaped,
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;
    use torchgen_templates::FileKind;

    #[test]
    fn words_of_views_comments_and_strings_are_left_out() {
        let text = "{# view #}auto *one = get{{ name }}Of(two, \"thr\\\"ee\"); // four\n{% if five %}{{ six }}7 eight9 /* ten */";
        assert_eq!(Words { text, plain: false }.collect::<Vec<_>>(), ["auto", "one", "two", "eight9"]);
        let text = "int one[] = {{1}, {two}}; // }}\n/* {% */ three";
        assert_eq!(Words { text, plain: true }.collect::<Vec<_>>(), ["int", "one", "two", "three"]);
        static NONE: Files = Files::new(FileKind::Templates, "", "", Some(&[]), &[]);
        let words = |file: &'static str| identifiers(&NONE, move |name| name == file);
        assert!(words("kit/cpp/casting.h").any(|word| word == "classof"));
        assert!(!words("kit/cpp/casting.h").any(|word| word.starts_with(STAND_IN)));
        assert!(words("torch/redispatch/function.j2").any(|word| word == "inline"));
    }
}
