//! The names that embedded templates and C++ sources declare in the namespace of a family, or look
//! up there.
//!
//! A user cannot declare a second thing of such a name; all other words of generated code are those
//! of scopes inside, which hide what the user declares. Invariant: the list follows the templates,
//! so it cannot be out of date.

use std::collections::HashSet;

use torchgen_templates::Files;

use super::plain::{STAND_IN, is_fragment};
use crate::lang::cpp::{Token, TokenKind, directive, is_keyword, tokens};
use crate::lang::is_word;

/// The names in the text of a family's templates and C++ sources, and of the shared ones, that
/// `chosen` selects by name: those outside of bodies, classes, parameters and namespaces inside.
///
/// A macro is everywhere, so those that the text defines are among them.
pub fn declared_names(own: &'static Files, chosen: impl Fn(&str) -> bool) -> HashSet<String> {
    let mut names = HashSet::new();
    for file in torchgen_templates::of_family(own).filter(|file| chosen(file.name)) {
        let text = if is_fragment(file.name) { without_tags(file.text()) } else { file.text().to_owned() };
        names_of(&text, &mut names);
    }
    names
}

fn names_of(text: &str, names: &mut HashSet<String>) {
    let mut found = HashSet::new();
    Scopes { text, tokens: &tokens(text), at: 0 }.walk(&mut found);
    // A view writes the rest of a word with the stand-in.
    names.extend(found.into_iter().filter(|name| !name.contains(STAND_IN) && !is_keyword(name)));
}

/// The text that a template writes itself, with the stand-in for what a view writes.
fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('{') {
        out.push_str(before);
        let forms = [("{", "}}", STAND_IN), ("%", "%}", ""), ("#", "#}", "")];
        let mut forms =
            forms.into_iter().filter_map(|(open, end, instead)| Some((tag.strip_prefix(open)?, end, instead)));
        let (instead, after) = match forms.next() {
            Some((tag, end, instead)) => (instead, tag.split_once(end).map_or("", |(_, after)| after)),
            None => ("{", tag),
        };
        out.push_str(instead);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// A walk over the tokens of a source that skips scopes.
struct Scopes<'t> {
    text: &'t str,
    tokens: &'t [Token],
    at: usize,
}

impl<'t> Scopes<'t> {
    fn word(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| &self.text[token.range.clone()])
    }

    fn walk(mut self, names: &mut HashSet<String>) {
        // Whether each namespace around has a name.
        let mut around: Vec<bool> = Vec::new();
        // Those of the template that is declared.
        let mut parameters: HashSet<&str> = HashSet::new();
        while let Some(token) = self.tokens.get(self.at) {
            let word = self.word(self.at);
            self.at += 1;
            match (token.kind, word) {
                (TokenKind::Directive, line) => {
                    let line = directive(line);
                    let rest = line.rest();
                    let defined = rest.trim_start().chars().take_while(|c| is_word(*c)).collect();
                    names.extend((line.name == "define").then_some(defined));
                }
                (_, "namespace") => {
                    let first = self.word(self.at);
                    let is_one = self.word(self.at + 1) == "{";
                    let opens = self.until_body();
                    let last = self.word(self.at.saturating_sub(1));
                    // One without a name declares for the namespace around it.
                    if opens && (first == "{" || is_one && first != "std" && !around.contains(&true)) {
                        around.push(first != "{");
                        self.at += 1;
                    } else {
                        names.insert(last.to_owned());
                    }
                }
                // Without a scope, its enumerators are names of the namespace.
                (_, "enum") if !matches!(self.word(self.at), "class" | "struct") => {
                    names.insert(self.word(self.at).to_owned());
                    self.at += usize::from(self.until_body());
                }
                (_, "template") => {
                    let from = self.at;
                    self.skip('<', '>');
                    let ends = |at: &usize| matches!(self.word(at + 1), "," | "=" | ">");
                    parameters.extend((from..self.at).filter(ends).map(|at| self.word(at)));
                }
                (_, "::") => self.at += 1,
                (_, "(") => self.again('(', ')'),
                (_, "{") => {
                    self.again('{', '}');
                    parameters.clear();
                }
                (_, "}") => drop(around.pop()),
                (_, ";") => parameters.clear(),
                (TokenKind::Word, word) if !parameters.contains(word) => drop(names.insert(word.to_owned())),
                _ => {}
            }
        }
    }

    /// Goes on to the body of what was begun; false if it has none.
    fn until_body(&mut self) -> bool {
        while !matches!(self.word(self.at), "{" | ";" | "") {
            self.at += 1;
        }
        self.word(self.at) == "{"
    }

    fn again(&mut self, open: char, close: char) {
        self.at -= 1;
        self.skip(open, close);
    }

    /// Skips what is in brackets, if they open here.
    fn skip(&mut self, open: char, close: char) {
        let mut depth = 0_usize;
        while let Some(mark) = self.tokens.get(self.at).map(|token| token.mark(self.text)) {
            if mark == Some(open) {
                depth += 1;
            } else if mark == Some(close) {
                depth = depth.saturating_sub(1);
            } else if mark == Some('(') && open == '<' {
                self.skip('(', ')');
                continue;
            }
            if depth == 0 && mark != Some(close) {
                return;
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let mut names = HashSet::new();
        names_of(&without_tags(text), &mut names);
        let mut names: Vec<String> = names.into_iter().collect();
        names.sort();
        names
    }

    #[test]
    fn names_of_a_namespace_are_found_and_those_of_scopes_are_not() {
        let text = "{# view #}\n#define TWO(x) \\\n  x\nnamespace {{ namespace }} {\n\
            template <typename T, typename = decltype(f<T>(a > b))> struct One : Base<T> { int x; };\n\
            {% if a %}std::string three(int y = g()) { return z; }{% endif %}\n\
            {{ node.class }} *Four::five{{ name }}() const {}\n\
            namespace { int six[] = {seven}; }\n\
            namespace inner { int eight; }\n\
            enum {{ \"class \" if scoped }}{{ enum.name }} { {{ value }}, };\n\
            enum Nine { ten };\nenum class Eleven : unsigned { twelve };\n\
            }\nnamespace {{ namespace }} { int twelve; }\n\
            namespace {{ namespace }}::other { int i; }\n\
            namespace std { template <> struct hash<{{ namespace }}::One> { int h; }; }\n";
        let found =
            ["Base", "Eleven", "Four", "Nine", "One", "TWO", "inner", "other", "six", "std", "ten", "three", "twelve"];
        assert_eq!(names(text), found);
        assert_eq!(names("a } b ( c"), ["a", "b"]);
    }
}
