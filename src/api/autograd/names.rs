//! The names that a formula leaves open: words that are neither qualified, nor called, nor members.
//!
//! Invariant: a name that is reported would not compile. A formula with a lambda in it is not looked at, since it has names of its own.
//! Deliberately absent: functions and members, of which there are too many to know.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use serde::Deserialize;

use super::formula::{self, is_word};
use crate::diag::{Diagnostic, codes, nearest};
use crate::yaml::Text;

#[derive(Deserialize)]
struct Table {
    cpp: Vec<String>,
    types: Vec<String>,
    backward: Vec<String>,
    forward: Vec<String>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    serde_yaml::from_str(include_str!("../../../data/formula_names.yaml")).expect("a test reads the embedded table")
});

/// What kind of formula it is, which decides what is in scope beside inputs and outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// For gradients.
    Backward,
    /// For tangents.
    Forward,
}

/// Reports the names of a formula that are not in scope. `inputs_and_outputs` are the names that are.
pub(super) fn unknown_names(text: &Text, direction: Direction, inputs_and_outputs: &[String]) -> Vec<Diagnostic> {
    let table = &*TABLE;
    let scope = match direction {
        Direction::Backward => &table.backward,
        Direction::Forward => &table.forward,
    };
    let in_scope = || inputs_and_outputs.iter().chain(scope).map(String::as_str);
    let known = |name: &str| in_scope().any(|n| n == name) || table.cpp.iter().chain(&table.types).any(|n| n == name);
    let unknown = |range: Range<usize>| {
        let name = &text.as_str()[range.clone()];
        if known(name) || is_constant(name) {
            return None;
        }
        let diagnostic =
            Diagnostic::new(&codes::UNKNOWN_FORMULA_NAME, format!("`{name}` does not exist in this formula"))
                .at(text.sub_span(range));
        let value = name.strip_suffix("_t").or_else(|| name.strip_suffix("_p")).filter(|value| known(value));
        if let (Direction::Forward, Some(value)) = (direction, value) {
            return Some(diagnostic.help(format!("`{value}` has no formula, and so no tangent: write `{value}`")));
        }
        Some(match nearest(name, in_scope()) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic.help("use inputs, outputs and gradients, and qualify what stands elsewhere: `at::name`"),
        })
    };
    open_names(text.as_str()).into_iter().filter_map(unknown).collect()
}

/// Functions of FunctionsManual.h, by whether a library can link against them.
#[derive(Deserialize)]
struct FunctionsManual {
    exported: Vec<String>,
    inline: Vec<String>,
    unexported: HashSet<String>,
}

static FUNCTIONS_MANUAL: LazyLock<FunctionsManual> = LazyLock::new(|| {
    serde_yaml::from_str(include_str!("../../../data/functions_manual.yaml")).expect("a test reads the embedded table")
});

/// Reports the functions that a library's formula calls and libtorch does not export. `manual` is the author's own header, which may define
/// functions of such names.
pub(super) fn unexported(text: &Text, manual: &str) -> Vec<Diagnostic> {
    let tokens = tokens(text.as_str());
    let word = |i: usize| match tokens.get(i) {
        Some(Token::Word(range)) => &text.as_str()[range.clone()],
        _ => "",
    };
    let check = |(i, token): (usize, &Token)| {
        let Token::Word(range) = token else { return None };
        let name = &text.as_str()[range.clone()];
        let called = matches!(tokens.get(i + 1), Some(Token::Char('(')));
        let own = match i.checked_sub(1).and_then(|before| tokens.get(before)) {
            Some(Token::Scope) if i > 1 && word(i - 2) == DETAILS => false,
            Some(Token::Scope | Token::Arrow | Token::Char('.')) => return None,
            _ => formula::uses(manual, name),
        };
        let table = &*FUNCTIONS_MANUAL;
        if !called || own || !table.unexported.contains(name) {
            return None;
        }
        let usable: Vec<&str> = table.exported.iter().chain(&table.inline).map(String::as_str).collect();
        Some(
            Diagnostic::new(
                &codes::NOT_EXPORTED,
                format!("libtorch does not export `{name}`, so that no library can call it"),
            )
            .at(text.sub_span(range.clone()))
            .note(format!("of PyTorch's functions for formulas it exports {}", usable.join(", ")))
            .help(format!(
                "define `{name}` in derivatives_manual.h beside derivatives.yaml, or use functions of `at::`"
            )),
        )
    };
    tokens.iter().enumerate().filter_map(check).collect()
}

/// The namespace that the functions of FunctionsManual.h stand in.
const DETAILS: &str = "details";

/// Macros and constants are written so.
fn is_constant(name: &str) -> bool {
    let shouts = !name.contains(|c: char| c.is_lowercase()) && name.len() > 1;
    let k_name = name.strip_prefix('k').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
    shouts || k_name
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(Range<usize>),
    /// `::`
    Scope,
    /// `->`
    Arrow,
    /// Any other character.
    Char(char),
    /// A number or a quoted literal.
    Literal,
}

/// The words that stand by themselves.
fn open_names(formula: &str) -> Vec<Range<usize>> {
    let tokens = tokens(formula);
    let at = |i: Option<usize>| i.and_then(|i| tokens.get(i));
    let mut open = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let (before, behind) = (at(i.checked_sub(1)), at(Some(i + 1)));
        let member = matches!(before, Some(Token::Scope | Token::Arrow | Token::Char('.')));
        let called = matches!(behind, Some(Token::Scope | Token::Char('(' | '<' | '{')));
        match token {
            // A capture list: an opening bracket where no index can stand.
            Token::Char('[') if !matches!(before, Some(Token::Word(_) | Token::Char(')' | ']' | '}'))) => {
                return Vec::new();
            }
            Token::Word(range) if !member && !called && !matches!(before, Some(Token::Word(_))) => {
                open.push(range.clone());
            }
            _ => {}
        }
    }
    open
}

/// The formula in tokens, without white space and comments.
fn tokens(formula: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = formula[at..].chars().next() {
        let rest = &formula[at..];
        let len = if c.is_whitespace() {
            c.len_utf8()
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if c.is_ascii_digit() {
            tokens.push(Token::Literal);
            number_len(rest)
        } else if is_word(c) {
            let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            tokens.push(Token::Word(at..at + len));
            len
        } else if c == '"' || c == '\'' {
            tokens.push(Token::Literal);
            literal_len(rest, c)
        } else if rest.starts_with("::") {
            tokens.push(Token::Scope);
            2
        } else if rest.starts_with("->") {
            tokens.push(Token::Arrow);
            2
        } else {
            tokens.push(Token::Char(c));
            c.len_utf8()
        };
        at += len;
    }
    tokens
}

/// A number with its fraction, exponent and suffix: `1.5e-3f`.
fn number_len(text: &str) -> usize {
    let mut before = ' ';
    text.find(|c: char| {
        let part = is_word(c) || c == '.' || (matches!(c, '+' | '-') && matches!(before, 'e' | 'E'));
        before = c;
        !part
    })
    .unwrap_or(text.len())
}

/// A quoted literal, or what there is of it.
fn literal_len(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(formula: &str, expected: &[&str]) {
        let found: Vec<&str> = open_names(formula).into_iter().map(|range| &formula[range]).collect();
        assert_eq!(found, expected, "{formula}");
    }

    #[test]
    fn names_that_are_open() {
        check("grad * self.sgn() + at::foo(other, 1.5e-3f, x_y)", &["grad", "self", "other", "x_y"]);
        check("weight->sym_sizes() ? a::B::c : std::get<0>(f)", &["weight", "f"]);
        check("f(\"a b\\\" c\", 'x', /* y */ z)", &["z"]);
        check("fmap(xs, [](c10::SymInt i) { return -i; })", &[]);
        check("{a[0], b}[1](c)[d]", &["a", "b", "c", "d"]);
        check("grads[i] - Tensor(x)", &["grads", "i", "x"]);
        check("\"open", &[]);
        check("/* open", &[]);
        check("é + 1é", &["é"]);
    }

    #[test]
    fn functions_of_libtorch() {
        let table = &*FUNCTIONS_MANUAL;
        assert_eq!(table.exported.len(), 10);
        assert!(table.exported.iter().chain(&table.inline).all(|name| !table.unexported.contains(name)));
        // What the skeletons bring into scope is what there is.
        let skeleton = include_str!("../../../templates/library/formula_names.j2");
        let usable = table.exported.iter().chain(&table.inline);
        assert!(usable.clone().all(|name| skeleton.contains(&format!("::{name};"))));
        assert_eq!(skeleton.matches("::details::").count(), usable.count());
    }

    #[test]
    fn constants() {
        assert!(
            is_constant("M_PI")
                && is_constant("kCPU")
                && !is_constant("k")
                && !is_constant("N")
                && !is_constant("keep")
        );
    }
}
