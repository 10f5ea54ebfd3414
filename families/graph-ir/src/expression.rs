//! The C++ expressions of records: `shape:` of `infer:`, `check:` and `scratch_size:`.
//!
//! They have one dialect: a part of the schema has its name, and its getter. The expressions are
//! functions of a class or of its object, so each lacks one of the two; generated code declares
//! those that the expression mentions. Invariant: an expression ends where its text ends, so what
//! the templates write after it is not a part of it.

use std::ops::Range;

use crate::codes;
use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_base::lang::cpp::{Token, TokenKind, tokens as lexed, unfinished};
use torchgen_base::lang::is_word;
use torchgen_base::yaml::Text;

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Expression {
    pub(crate) text: String,
    /// The parts of the schema that it mentions by name, in the order of the schema.
    pub(crate) names: Vec<String>,
    /// Those whose getters it calls.
    pub(crate) getters: Vec<String>,
    /// The functions that it calls, neither methods nor qualified.
    pub(crate) calls: Vec<String>,
}

impl Expression {
    /// Reads an expression that can mention these parts. An error is a diagnostic.
    pub(crate) fn read_expression<'p>(
        text: &Text,
        parts: impl IntoIterator<Item = &'p str>,
        diagnostics: &mut Diagnostics,
    ) -> Expression {
        let tokens = lexed(text);
        if let Err((range, message, help)) = whole(text, &tokens) {
            let span = if range.is_empty() { text.span() } else { text.sub_span(range) };
            diagnostics.push(Diagnostic::new(&codes::IR_EXPRESSION, message).at(span).maybe_help(help));
        }
        let mentions = Mentions { text, tokens: &tokens };
        let mut expression =
            Expression { text: text.as_str().to_owned(), names: Vec::new(), getters: Vec::new(), calls: Vec::new() };
        let words = || (0..tokens.len()).filter(|at| tokens[*at].kind == TokenKind::Word && mentions.is_free(*at));
        let is_called = |at: &usize| mentions.mark(at + 1) == Some('(');
        for part in parts {
            if words().any(|at| mentions.word(at) == part && mentions.is_value(at)) {
                expression.names.push(part.to_owned());
            }
            if words().filter(is_called).any(|at| mentions.word(at).strip_prefix("get") == Some(part)) {
                expression.getters.push(part.to_owned());
            }
        }
        expression.calls.extend(words().filter(is_called).map(|at| mentions.word(at).to_owned()));
        expression
    }
}

/// The place of an error, its message and its help.
type Wrong = (Range<usize>, &'static str, Option<&'static str>);

/// Checks that a text is one expression, as far as its brackets show.
fn whole(text: &str, tokens: &[Token]) -> Result<(), Wrong> {
    let Some(last) = tokens.last() else { return Err((0..text.len(), "an expression is missing", None)) };
    let is_closed = |literal: &str| literal.trim_start_matches(is_word).len() > 1 && literal.ends_with(['"', '\'']);
    let is_open = |token: &&Token| token.kind == TokenKind::Literal && !is_closed(&text[token.range.clone()]);
    if let Some(literal) = tokens.iter().find(is_open) {
        return Err((literal.range.clone(), "this string is not closed", None));
    }
    if let Some(("comment", range)) = unfinished(text) {
        return Err((range, "this comment is not closed", None));
    }
    let mut open: Vec<(char, &Token)> = Vec::new();
    let mut compares = false;
    for token in tokens {
        match token.mark(text) {
            Some(bracket @ ('(' | '[' | '{')) => open.push((bracket, token)),
            Some(bracket @ (')' | ']' | '}')) if !closes(open.pop(), bracket) => {
                return Err((token.range.clone(), "this bracket closes none", None));
            }
            Some(';') if open.iter().all(|(bracket, _)| *bracket != '{') => {
                return Err((
                    token.range.clone(),
                    "an expression has no `;`",
                    Some("delete it; a lambda can have statements: `[&] { ... }()`"),
                ));
            }
            // It may be between the arguments of a template.
            Some('<') if open.is_empty() => compares = true,
            Some(',') if open.is_empty() && !compares => {
                return Err((
                    token.range.clone(),
                    "an expression has no comma outside of brackets",
                    Some("write one expression"),
                ));
            }
            _ => {}
        }
    }
    if let Some((_, token)) = open.pop() {
        return Err((token.range.clone(), "this bracket is not closed", None));
    }
    // What follows the text goes on its last line.
    let followed = text.to_owned() + " _";
    if lexed(&followed).len() > tokens.len() {
        return Ok(());
    }
    let rest = text[last.range.end..].trim();
    let from = text.trim_end().len() - rest.len();
    let help = "write it as `/* ... */`, or after `#` outside of the YAML text";
    Err((from..from + rest.len(), "this comment would hide what follows the expression", Some(help)))
}

/// Whether a bracket closes the last one that is open.
fn closes(open: Option<(char, &Token)>, bracket: char) -> bool {
    matches!((open, bracket), (Some(('(', _)), ')') | (Some(('[', _)), ']') | (Some(('{', _)), '}'))
}

/// Words of C++ that can follow a value.
const OPERATORS: [&str; 9] = ["and", "or", "xor", "bitand", "bitor", "not_eq", "and_eq", "or_eq", "xor_eq"];

/// Where an expression mentions names.
struct Mentions<'t> {
    text: &'t str,
    tokens: &'t [Token],
}

impl Mentions<'_> {
    fn word(&self, at: usize) -> &str {
        &self.text[self.tokens[at].range.clone()]
    }

    fn mark(&self, at: usize) -> Option<char> {
        self.tokens.get(at)?.mark(self.text)
    }

    fn is(&self, at: usize, symbol: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| &self.text[token.range.clone()] == symbol)
    }

    /// Whether a word is looked up by itself, not as a member or in a scope.
    fn is_free(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return true };
        self.mark(before) != Some('.') && !self.is(before, "->") && !self.is(before, "::")
    }

    /// Whether a word can be a value there: neither a type, nor a scope, nor what is called.
    fn is_value(&self, at: usize) -> bool {
        let next = at + 1;
        if self.is(next, "::") || matches!(self.mark(next), Some('(' | '{')) {
            return false;
        }
        let declares = self.tokens.get(next).is_some_and(|token| token.kind == TokenKind::Word)
            && !OPERATORS.contains(&self.word(next));
        let argument = self.mark(next) == Some('>') && at.checked_sub(1).and_then(|at| self.mark(at)) == Some('<');
        !declares && !argument
    }
}

#[cfg(test)]
mod tests {
    use super::Expression;
    use crate::codes;
    use torchgen_base::diag::{Diagnostics, FileId, Span};
    use torchgen_base::yaml::Text;

    fn read(text: &str) -> (Expression, Option<String>) {
        let mut diagnostics = Diagnostics::new();
        let text = Text::made(text, Span::new(FileId(0), 0, 0));
        let expression = Expression::read_expression(&text, ["Input", "K", "Layout"], &mut diagnostics);
        let first = diagnostics.iter().next().map(|error| {
            assert_eq!(error.code.id, codes::IR_EXPRESSION.id);
            error.message.clone()
        });
        (expression, first)
    }

    #[test]
    fn parts_are_mentioned_by_name_or_by_getter() {
        for (text, names, getters) in [
            ("K * Input.dims()[0]", vec!["Input", "K"], vec![]),
            ("getK() * getInput().dims()[0]", vec![], vec!["Input", "K"]),
            ("K * this->getK() + other.getK() + x::K + x->K", vec!["K"], vec![]),
            ("K and K", vec!["K"], vec![]),
            ("Layout::NCHW == static_cast<Layout>(x) || Layout(3) == Layout{}", vec![], vec![]),
            ("std::all_of(a, b, [](Layout K2) { return true; })", vec![], vec![]),
            ("\"K\" /* K */ 'K' // K\n + k", vec![], vec![]),
            ("a < K && K > 3", vec!["K"], vec![]),
        ] {
            let (found, error) = read(text);
            assert_eq!(
                (found.names, found.getters, error),
                (
                    names.into_iter().map(str::to_owned).collect(),
                    getters.into_iter().map(str::to_owned).collect(),
                    None,
                ),
                "{text}"
            );
        }
        assert_eq!(read("f(g(1), x.h(2), n::i(3))").0.calls, ["f", "g"]);
    }

    #[test]
    fn an_expression_ends_with_its_text() {
        for text in [
            "std::min<dim_t>(a, b)",
            "f<a, b>(c)",
            "{1, K}",
            "[this] { return 1; }()",
            "a // why\n  + b",
            "a // why\n",
            "a /* why\n // */",
            "a /* why */",
            "u8\"a\"s",
            "';' + \",\" + R\"(;)\"[0]",
            "a < b",
        ] {
            assert_eq!(read(text).1, None, "{text}");
        }
        for (text, message) in [
            ("", "an expression is missing"),
            ("/* a */", "an expression is missing"),
            ("a;", "an expression has no `;`"),
            ("(a; b)", "an expression has no `;`"),
            ("a, b", "an expression has no comma outside of brackets"),
            ("f(a))", "this bracket closes none"),
            ("f(a]", "this bracket closes none"),
            ("f({a}", "this bracket is not closed"),
            ("a // why", "this comment would hide what follows the expression"),
            ("a /* why", "this comment is not closed"),
            ("\"a", "this string is not closed"),
            ("a == u8'", "this string is not closed"),
            ("f(\"a)\n + 1", "this string is not closed"),
        ] {
            assert_eq!(read(text).1.as_deref(), Some(message), "{text}");
        }
    }
}
