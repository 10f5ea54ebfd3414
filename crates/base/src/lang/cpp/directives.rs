//! Preprocessor lines: which alternatives are read, and the macros and includes.
//!
//! Invariant: all alternatives of `#if`, `#else` and `#endif` are read, except `#if 0`; if only one
//! of them opens a brace, it counts once.

use super::definition::Source;
use super::token::{Kind, Token, tokens};
use crate::lang::is_word;

/// The tokens without preprocessor lines and `#if 0` blocks; of alternatives with different braces
/// only the first. Macros and includes go to `found`.
pub(super) fn without_directives(text: &str, found: &mut Source) -> Vec<Token> {
    preprocessed(text, found).0
}

/// The same, and the number of braces that are open at the end.
pub(super) fn preprocessed(text: &str, found: &mut Source) -> (Vec<Token>, i64) {
    struct If {
        /// Whether tokens are skipped until the next branch.
        skips: bool,
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
        if token.kind != Kind::Directive {
            if ifs.iter().any(|one| one.skips) {
                continue;
            }
            match word {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            kept.push(token);
            continue;
        }
        let mut words = word[1..].split_whitespace();
        match words.next() {
            Some("define" | "include") if ifs.iter().any(|one| one.skips) => {}
            Some("define") => found.aliases.extend(macro_without_parameters(word)),
            Some("include") => {
                let quoted = word.split_once('"').and_then(|(_, rest)| rest.split_once('"'));
                found.includes.extend(quoted.map(|(path, _)| path.to_owned()));
            }
            Some("if" | "ifdef" | "ifndef") => {
                let skips = word[1..].split_whitespace().collect::<Vec<_>>() == ["if", "0"];
                ifs.push(If { skips, before: depth, after_first: None, start: kept.len() });
            }
            Some("else" | "elif" | "elifdef" | "elifndef") => {
                if let Some(one) = ifs.last_mut() {
                    if !one.skips && one.after_first.is_none() {
                        one.after_first = Some(depth);
                    }
                    one.skips = false;
                    one.start = kept.len();
                    depth = one.before;
                }
            }
            Some("endif") => {
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
pub fn are_alternatives(text: &str, (one, other): (usize, usize)) -> bool {
    // The alternatives that a place is in: the number of the `#if`, and that of its branch.
    let branches = |place: usize| {
        let (mut open, mut ifs) = (Vec::<(usize, usize)>::new(), 0);
        let before = tokens(text).into_iter().take_while(|token| token.range.start < place);
        for token in before.filter(|token| token.kind == Kind::Directive) {
            match text[token.range][1..].split_whitespace().next() {
                Some("if" | "ifdef" | "ifndef") => {
                    open.push((ifs, 0));
                    ifs += 1;
                }
                Some("else" | "elif" | "elifdef" | "elifndef") => {
                    open.last_mut().into_iter().for_each(|(_, branch)| *branch += 1);
                }
                Some("endif") => drop(open.pop()),
                _ => {}
            }
        }
        open
    };
    let others = branches(other);
    branches(one).into_iter().any(|(own, branch)| others.iter().any(|(id, other)| *id == own && *other != branch))
}

/// The name and the meaning of a macro in a preprocessor line, if it has no parameters.
fn macro_without_parameters(line: &str) -> Option<(String, String)> {
    let (_, rest) = line.split_once("define")?;
    let rest = rest.trim_start_matches([' ', '\t']);
    let len = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
    let (name, meaning) = rest.split_at(len);
    let plain = !name.is_empty() && !meaning.starts_with('(');
    plain.then(|| (name.to_owned(), meaning.trim().to_owned()))
}
