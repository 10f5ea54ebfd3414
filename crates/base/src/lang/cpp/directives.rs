//! Preprocessor lines: which alternatives are read, and the macros and includes.
//!
//! Invariant: all alternatives of `#if`, `#else` and `#endif` are read that a compiler may read; if
//! only one of them opens a brace, it counts once.

use super::conditions::tokens;
use super::definition::Source;
use super::directive::directive;
use super::token::{Token, TokenKind};
use crate::lang::is_word;

/// The files that a source includes, each with its quotes or angle brackets; empty for one that a
/// macro names.
pub fn includes(text: &str) -> Vec<&str> {
    let lines = tokens(text).into_iter().filter(|token| token.kind == TokenKind::Directive);
    let lines = lines.map(|token| directive(&text[token.range])).filter(|line| line.name == "include");
    lines.map(|line| line.include().unwrap_or_default()).collect()
}

/// The tokens without preprocessor lines; of alternatives with different braces only the first.
/// Macros and includes go to `found`.
pub(super) fn without_directives(text: &str, found: &mut Source) -> Vec<Token> {
    preprocessed(text, found).0
}

/// The same, and the number of braces that are open at the end.
pub(super) fn preprocessed(text: &str, found: &mut Source) -> (Vec<Token>, i64) {
    struct If {
        /// The depth of braces before it, and after its first branch.
        before: i64,
        after_first: Option<i64>,
        /// The start of the branch.
        start: usize,
    }
    let mut kept: Vec<Token> = Vec::new();
    let mut ifs: Vec<If> = Vec::new();
    let mut depth = 0i64;
    for token in tokens(text) {
        let word = &text[token.range.clone()];
        if token.kind != TokenKind::Directive {
            match word {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            kept.push(token);
            continue;
        }
        let line = directive(word);
        match line.name {
            "define" => found.aliases.extend(macro_without_parameters(&line.rest())),
            "include" => {
                let quoted = line.include().and_then(|path| path.strip_prefix('"')?.strip_suffix('"'));
                found.includes.extend(quoted.map(str::to_owned));
            }
            "if" | "ifdef" | "ifndef" => {
                ifs.push(If { before: depth, after_first: None, start: kept.len() });
            }
            "else" | "elif" | "elifdef" | "elifndef" => {
                if let Some(one) = ifs.last_mut() {
                    // A branch without code, such as one that no compiler reads, is not the first.
                    if one.after_first.is_none() && one.start < kept.len() {
                        one.after_first = Some(depth);
                    }
                    one.start = kept.len();
                    depth = one.before;
                }
            }
            "endif" => {
                if let Some(one) = ifs.pop()
                    && let Some(after_first) = one.after_first
                {
                    // A later branch that opens the same brace: its head is a variant of the first
                    // one's.
                    if depth == after_first && depth != one.before {
                        kept.truncate(one.start);
                    }
                    depth = after_first;
                }
            }
            _ => {}
        }
    }
    (kept, depth)
}

/// Whether two places of a text are in different alternatives of an `#if`, so that no build
/// compiles both.
pub fn are_alternatives(text: &str, one: usize, other: usize) -> bool {
    // The alternatives that a place is in: the number of the `#if`, and that of its branch.
    let branches = |place: usize| {
        let (mut open, mut ifs) = (Vec::<(usize, usize)>::new(), 0);
        let before = tokens(text).into_iter().take_while(|token| token.range.start < place);
        for token in before.filter(|token| token.kind == TokenKind::Directive) {
            match directive(&text[token.range]).name {
                "if" | "ifdef" | "ifndef" => {
                    open.push((ifs, 0));
                    ifs += 1;
                }
                "else" | "elif" | "elifdef" | "elifndef" => {
                    open.last_mut().into_iter().for_each(|(_, branch)| *branch += 1);
                }
                "endif" => drop(open.pop()),
                _ => {}
            }
        }
        open
    };
    let others = branches(other);
    branches(one).into_iter().any(|(own, branch)| others.iter().any(|(id, other)| *id == own && *other != branch))
}

/// The name and the meaning of a macro, after `#define`, if it has no parameters.
fn macro_without_parameters(rest: &str) -> Option<(String, String)> {
    let rest = rest.trim_start();
    let len = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
    let (name, meaning) = rest.split_at(len);
    let plain = !name.is_empty() && !meaning.starts_with('(');
    plain.then(|| (name.to_owned(), meaning.trim().to_owned()))
}
