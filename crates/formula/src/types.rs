//! Types in formulas: those of casts, and the arguments of templates.
//!
//! Invariant: `a < b` is an expression unless what follows can only be read as a template.

use super::Path;
use super::parse::{Parser, is_operator};
use torchgen_base::lang::cpp::{TokenKind, is_keyword};

/// Names before an angle bracket that opens the arguments of a template.
const TEMPLATES: &[&str] = &[
    "get",
    "tuple",
    "vector",
    "array",
    "optional",
    "ArrayRef",
    "OptionalArrayRef",
    "List",
    "make_tuple",
    "static_cast",
    "const_cast",
    "reinterpret_cast",
    "dynamic_cast",
];

/// Types that are keywords, and the words that go with them.
pub(super) const TYPES: &[&str] =
    &["bool", "char", "const", "double", "float", "int", "long", "short", "signed", "unsigned", "void", "volatile"];

/// Types of the standard library that end as tangents do: `(self_t) * x` is a product.
const ENDING_IN_T: &[&str] = &[
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "size_t",
    "ptrdiff_t",
    "intptr_t",
    "uintptr_t",
];

impl Parser<'_> {
    /// The type of a cast in parentheses, and how many tokens it has with them.
    pub(super) fn cast(&self) -> Option<(Path, usize)> {
        if self.text() != "(" {
            return None;
        }
        let first = self.at + 1;
        let mut last = first;
        while self.kind_at(last) == Some(TokenKind::Word) || matches!(self.text_at(last), "::" | "*" | "&") {
            last += 1;
        }
        if last == first || self.text_at(last) != ")" || self.kind_at(first) != Some(TokenKind::Word) {
            return None;
        }
        let words: Vec<&str> = (first..last).map(|i| self.text_at(i)).collect();
        let named = |word: &&str| TYPES.contains(word) || ENDING_IN_T.contains(word);
        let is_type = words.iter().filter(|word| !matches!(**word, "*" | "&" | "::" | "std")).all(named);
        // Two operands have an operator between them, so the first is a type.
        let operand = match self.kind_at(last + 1) {
            Some(TokenKind::Number | TokenKind::Literal) => true,
            Some(TokenKind::Word) => !is_operator(self.text_at(last + 1)),
            _ => false,
        };
        let is_path = words.iter().enumerate().all(|(i, word)| (i % 2 == 1) == (*word == "::")) && words.len() % 2 == 1;
        let casts = is_type || operand && is_path && !words.iter().any(|word| is_keyword(word));
        if !casts {
            return None;
        }
        let place = self.tokens[first].range.start..self.tokens[last - 1].range.end;
        let parts = match is_path {
            true => words.iter().step_by(2).map(|word| (*word).to_owned()).collect(),
            false => vec![words.join(" ")],
        };
        Some((Path { parts, template: None, is_global: false, range: place }, last + 1 - self.at))
    }

    /// The token behind the arguments of a template, if `name` has some here.
    pub(super) fn template_of(&self, name: &str) -> Option<usize> {
        if self.text() != "<" {
            return None;
        }
        if matches!(name, "true" | "false" | "nullptr" | "this") {
            return None;
        }
        let behind = self.behind_template();
        if TEMPLATES.contains(&name) {
            return behind;
        }
        let only_type = self.text_at(self.at + 2) == ">" && TYPES.contains(&self.text_at(self.at + 1));
        behind.filter(|behind| only_type || matches!(self.text_at(*behind), "(" | "{" | "::"))
    }

    /// The token behind the angle bracket that closes the one here, if all between them are parts
    /// of types and numbers.
    pub(super) fn behind_template(&self) -> Option<usize> {
        let mut depth = 0_usize;
        for i in self.at..self.tokens.len() {
            match self.text_at(i) {
                "<" => depth += 1,
                ">" => depth -= 1,
                "," | "::" | "*" | "&" => {}
                // The type of a function.
                "(" | ")" if self.at > 0 && matches!(self.text_at(self.at - 1), "function" | "typed") => {}
                _ if matches!(self.kind_at(i), Some(TokenKind::Word | TokenKind::Number)) => {}
                _ => return None,
            }
            if depth == 0 {
                return Some(i + 1);
            }
        }
        None
    }
}
