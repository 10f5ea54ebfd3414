//! Where the code of a C++ source has a word.
//!
//! Invariant: comments, literals and the names of included files are not code; definitions of
//! macros are.

use super::conditions::tokens;
use super::directive::directive;
use super::token::{Token, TokenKind};
use crate::lang::whole_words;

/// Preprocessor lines without code.
const PLAIN: &[&str] = &["error", "include", "pragma", "warning"];

/// Whether the code of a source has the word.
pub fn mentions(source: &str, word: &str) -> bool {
    // Most sources do not have it at all.
    whole_words(source, word).next().is_some() && in_tokens(source, word)
}

fn in_tokens(text: &str, word: &str) -> bool {
    tokens(text).iter().any(|token| match token.kind {
        TokenKind::Word => &text[token.range.clone()] == word,
        TokenKind::Directive => in_directive(&text[token.range.clone()], word),
        TokenKind::Number | TokenKind::Literal | TokenKind::Punct => false,
    })
}

fn in_directive(line: &str, word: &str) -> bool {
    let line = directive(line);
    !PLAIN.contains(&line.name) && in_tokens(&line.rest(), word)
}

/// Whether a source has the word only as the parameter of a template, and as the type of something.
pub fn only_names_template_parameters(source: &str, word: &str) -> bool {
    let tokens = tokens(source);
    let text = |i: usize| tokens.get(i).map_or("", |token: &Token| &source[token.range.clone()]);
    let places = || (0..tokens.len()).filter(|i| tokens[*i].kind == TokenKind::Word && text(*i) == word);
    let is_parameter = |i: usize| {
        let before = i.checked_sub(1).map_or("", text);
        // `typename... T` has three points.
        let of = if before == "." { i.checked_sub(4).map_or("", text) } else { before };
        matches!(of, "class" | "typename") && matches!(text(i + 1), "," | ">" | "=")
    };
    let is_type = |i: usize| {
        matches!(text(i + 1), "&" | "*" | ">" | "." | "::")
            || tokens.get(i + 1).is_some_and(|next| next.kind == TokenKind::Word)
    };
    let defines = |token: &Token| token.kind == TokenKind::Directive && mentions(&source[token.range.clone()], word);
    places().any(is_parameter) && places().all(|i| is_parameter(i) || is_type(i)) && !tokens.iter().any(defines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_has_a_word() {
        let source = "// here\n/* here */ #include <here.h>\n#include \"here\"\nint there(int x); // here\n\
            auto text = \"here\";\n#define MACRO(here_) \\\n  made(here_)\n#error here\n";
        assert!(!mentions(source, "here"));
        for word in ["there", "x", "MACRO", "made", "text"] {
            assert!(mentions(source, word), "{word}");
        }
    }

    #[test]
    fn parameters_of_templates() {
        let only = |source| only_names_template_parameters(source, "T");
        assert!(only("template <typename... T>\nint f(const T&...);"));
        assert!(only("template <class T, class U> T* f(T x, U y, const std::vector<T>& z);"));
        assert!(!only("template <class T> T f(T x);\nextern int T;"));
        assert!(!only("template <class T> T f(T x);\n#define T 1\n"));
        assert!(!only("int T = 1;") && !only("template <class T> struct A { int T(); };") && !only(""));
    }
}
