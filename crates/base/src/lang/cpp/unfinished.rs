//! Finds what a source leaves open at its end: text that is appended would be inside it.
//!
//! Invariant: nothing is found in a source that a compiler accepts, unless macros open or close
//! braces.

use std::ops::Range;

use super::definition::Source;
use super::directive::directive;
use super::directives::preprocessed;
use super::token::{TokenKind, all_tokens};

/// What is open, in words, and the place where it begins.
pub fn unfinished(text: &str) -> Option<(&'static str, Range<usize>)> {
    // Text that is appended begins on a new line.
    let followed = format!("{text}{};", if text.ends_with(['\n', '\r']) { "" } else { "\n" });
    let end = followed.len() - 1;
    let mut found = all_tokens(&followed);
    match found.pop() {
        Some(last) if last.range.start == end => {}
        Some(last) if last.range.end == followed.len() => {
            let what = if last.kind == TokenKind::Directive { "preprocessor line" } else { "string" };
            return Some((what, last.range.start..text.len()));
        }
        last => {
            let from = last.map_or(0, |last| last.range.end);
            let comment = text[from..].find("/*").or_else(|| text[from..].rfind("//")).unwrap_or(0);
            return Some(("comment", from + comment..text.len()));
        }
    }
    let mut conditions = Vec::new();
    for token in found.into_iter().filter(|token| token.kind == TokenKind::Directive) {
        match directive(&text[token.range.clone()]).name {
            "if" | "ifdef" | "ifndef" => conditions.push(token.range),
            "endif" => drop(conditions.pop()),
            _ => {}
        }
    }
    if let Some(open) = conditions.pop() {
        return Some(("condition", open));
    }
    let (kept, depth) = preprocessed(text, &mut Source::default());
    let mut braces = Vec::new();
    for token in kept {
        match token.mark(text) {
            Some('{') => braces.push(token.range),
            Some('}') => drop(braces.pop()),
            _ => {}
        }
    }
    braces.pop().filter(|_| depth > 0).map(|open| ("brace", open))
}

#[cfg(test)]
mod tests {
    use super::unfinished;

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, &str)>) {
        let found = unfinished(text);
        assert_eq!(found.map(|(what, range)| (what, &text[range])), expected, "{text}");
    }

    #[test]
    fn what_is_open_at_the_end() {
        for closed in [
            "",
            "int f() { return 0; }",
            "namespace a { } // namespace a",
            "/* a { */ char c = '{'; // {",
            "#if 0\nit's {\n#endif\n",
            "#ifdef A\nvoid f(int) {\n#else\nvoid f(long) {\n#endif\n}\n",
            "#ifdef A\nnamespace a {\n#endif\n#ifdef A\n}\n#endif",
            "auto s = R\"({)\";\n#define OPEN {",
            "\u{e9} \"{\n",
        ] {
            check(closed, None);
        }
        check("int a; /* b\n c", Some(("comment", "/* b\n c")));
        check("int a; // b\\", Some(("comment", "// b\\")));
        check("#define A \\", Some(("preprocessor line", "#define A \\")));
        check("#define A \\\n", Some(("preprocessor line", "#define A \\\n")));
        check("auto s = R\"(a", Some(("string", "R\"(a")));
        check("#if 0\nint a;", Some(("condition", "#if 0")));
        check("#if A\n#else\n", Some(("condition", "#if A")));
        check("namespace a {\nint f() {}\n", Some(("brace", "{")));
    }
}
