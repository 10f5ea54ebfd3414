//! Conditions of the preprocessor that are the same in each build, and what they leave out.
//!
//! Invariant: only what no compiler reads is left out. Of an `#if` whose branches are all known,
//! its lines are left out too, so that the branch that is read has no condition.

use super::directive::directive;
use super::token::{Token, TokenKind, all_tokens};

/// The depth of parentheses in a condition.
const MAX_DEPTH: usize = 32;

/// An `#if` that is open.
struct Group {
    /// It is in a branch that is not read.
    is_inside_dead: bool,
    /// Whether each build reads the same branch.
    is_certain: bool,
    /// Whether each build reads one of the branches so far.
    is_taken: bool,
    /// Whether no build reads the branch.
    is_dead: bool,
    /// The tokens of its lines.
    lines: Vec<usize>,
}

/// The tokens of a text that a compiler may read: all but those of `#if 0` and the like.
pub fn tokens(text: &str) -> Vec<Token> {
    without_dead_branches(text, all_tokens(text))
}

/// The tokens without those that no compiler reads.
fn without_dead_branches(text: &str, tokens: Vec<Token>) -> Vec<Token> {
    if !tokens.iter().any(|token| token.kind == TokenKind::Directive) {
        return tokens;
    }
    let mut kept = vec![true; tokens.len()];
    let mut groups: Vec<Group> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let line = &text[token.range.clone()];
        let name = if token.kind == TokenKind::Directive { directive(line).name } else { "" };
        let is_inside_dead = groups.last().is_some_and(|group| group.is_inside_dead || group.is_dead);
        let condition = || if matches!(name, "if" | "elif") { constant(&directive(line).rest()) } else { None };
        match name {
            "if" | "ifdef" | "ifndef" => {
                let known = condition();
                kept[at] = !is_inside_dead;
                groups.push(Group {
                    is_inside_dead,
                    is_certain: known.is_some(),
                    is_taken: known == Some(true),
                    is_dead: known == Some(false),
                    lines: vec![at],
                });
            }
            "elif" | "elifdef" | "elifndef" | "else" => {
                let Some(group) = groups.last_mut() else { continue };
                let known = if name == "else" { Some(true) } else { condition() };
                kept[at] = !group.is_inside_dead;
                group.is_dead = group.is_taken || known == Some(false);
                group.is_certain &= group.is_taken || known.is_some();
                group.is_taken |= known == Some(true);
                group.lines.push(at);
            }
            "endif" => {
                let Some(group) = groups.pop() else { continue };
                kept[at] = !group.is_inside_dead && !group.is_certain;
                if group.is_certain {
                    group.lines.into_iter().for_each(|line| kept[line] = false);
                }
            }
            _ => kept[at] = !is_inside_dead,
        }
    }
    let mut kept = kept.into_iter();
    tokens.into_iter().filter(|_| kept.next().unwrap_or(true)).collect()
}

/// The value of a condition that is the same in each build.
fn constant(condition: &str) -> Option<bool> {
    let tokens = all_tokens(condition);
    let words: Vec<&str> = tokens.into_iter().map(|token| &condition[token.range]).collect();
    let mut rest = words.as_slice();
    let value = any(&mut rest, 0);
    if rest.is_empty() { value } else { None }
}

fn any(rest: &mut &[&str], depth: usize) -> Option<bool> {
    let mut value = all(rest, depth);
    while let ["|", "|", behind @ ..] = *rest {
        *rest = behind;
        value = match (value, all(rest, depth)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        };
    }
    value
}

fn all(rest: &mut &[&str], depth: usize) -> Option<bool> {
    let mut value = one(rest, depth);
    while let ["&", "&", behind @ ..] = *rest {
        *rest = behind;
        value = match (value, one(rest, depth)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        };
    }
    value
}

/// A number, a condition in parentheses, or what is not known: up to the next operator of words.
fn one(rest: &mut &[&str], depth: usize) -> Option<bool> {
    if let ["!", behind @ ..] = *rest
        && depth < MAX_DEPTH
    {
        *rest = behind;
        return one(rest, depth + 1).map(|value| !value);
    }
    let mut value = None;
    let mut parts = 0;
    loop {
        match *rest {
            [] | [")", ..] | ["&", "&", ..] | ["|", "|", ..] => break,
            ["(", behind @ ..] if depth < MAX_DEPTH => {
                *rest = behind;
                value = any(rest, depth + 1);
                if let [")", behind @ ..] = *rest {
                    *rest = behind;
                }
            }
            [word, behind @ ..] => {
                *rest = behind;
                value = number(word);
            }
        }
        parts += 1;
    }
    value.filter(|_| parts == 1)
}

fn number(word: &str) -> Option<bool> {
    match word {
        "true" => Some(true),
        "false" => Some(false),
        _ => {
            let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| digits.bytes().any(|byte| byte != b'0'))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_of_each_build() {
        for text in ["0", "(0)", "false", "0 && A", "A(1) && 0", "!1", "!(1 || A)", "0L", "0 || 0", "!!0"] {
            assert_eq!(constant(text), Some(false), "{text}");
        }
        for text in ["1", "true", "1 || A", "!0", "(1) && (2)", "10"] {
            assert_eq!(constant(text), Some(true), "{text}");
        }
        for text in
            ["", "A", "0 + 1", "A && 1", "defined(A)", "!A", "1 == 0", "0)", "(0", "0 ? 1 : 0", "__has_include(<a>)"]
        {
            assert!(constant(text).is_none() || text == "(0", "{text}");
        }
        assert_eq!(constant(&"(".repeat(100_000)), None);
        assert_eq!(constant(&"!".repeat(100_000)), None);
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let read: Vec<&str> = tokens(text).into_iter().map(|token| &text[token.range]).collect();
        assert_eq!(read.join(" "), expected, "{text}");
    }

    #[test]
    fn what_compilers_read() {
        check("a\n#if 0 // off\nb\n#endif\nc", "a c");
        check("#if 0 /* off */\nb\n#else\nc\n#endif", "c");
        check("#if 0 \\\n\nb\n#endif", "");
        check("#if 1\nb\n#else\nc\n#endif", "b");
        check("#if A\nb\n#elif 0\nc\n#else\nd\n#endif", "#if A b #elif 0 #else d #endif");
        check("#if A\nb\n#elif 1\nc\n#else\nd\n#endif", "#if A b #elif 1 c #else #endif");
        check("#if 0\n#if A\nb\n#else\nc\n#endif\nd\n#endif\ne", "e");
        check("#if 0\nb\n#elif A\nc\n#endif", "#if 0 #elif A c #endif");
        check("#if 0\nb", "#if 0");
        check("#endif\n#else\na", "#endif #else a");
    }
}
