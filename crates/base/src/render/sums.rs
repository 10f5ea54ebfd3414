//! Bounds the lists that users' templates add: the engine adds lists when it has billions of
//! elements, and counts no step for them.
//!
//! Each operand of `+` and `*` gets a filter in the text that the engine reads; [`unmarked`] finds
//! the place in the user's text. Invariant: a list that is added has at most [`ELEMENTS`] elements,
//! and none is multiplied.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use minijinja::value::{Kwargs, Rest, ValueKind};
use minijinja::{Environment, Error, ErrorKind, State, Value};

use super::length::tag;

/// The elements that a list has which is added to another.
const ELEMENTS: usize = 100_000;

/// What follows an operand of `+` and of `*`.
const TERM: &str = "|__term";
const FACTOR: &str = "|__factor";

/// Words after which `+` is a sign.
const WORDS: [&str; 14] =
    ["if", "elif", "else", "in", "is", "and", "or", "not", "set", "with", "do", "call", "filter", "include"];

/// Adds the filters, and those of the engine's that add lists or join mappings without limits.
pub(super) fn add_filters(environment: &mut Environment<'static>) {
    environment.add_filter(&TERM[1..], |value: &Value| {
        if !is_list(value) || value.len().is_some_and(|length| length <= ELEMENTS) {
            return Ok(value.clone());
        }
        Err(refused(match value.len() {
            Some(_) => format!("a list that is added has at most {ELEMENTS} elements"),
            None => "a list whose length is not known cannot be added; write `| list` first".to_owned(),
        }))
    });
    environment.add_filter(&FACTOR[1..], |value: &Value| match is_list(value) {
        true => Err(refused("a list cannot be multiplied; write a loop".to_owned())),
        false => Ok(value.clone()),
    });
    environment.add_filter("sum", |state: &State, values: Value, rest: Rest<Value>, options: Kwargs| {
        if options.has("start") || rest.len() > 1 {
            return Err(refused("`sum` adds numbers, from 0; `flatten` joins lists".to_owned()));
        }
        let attribute = rest.first().and_then(Value::as_str);
        minijinja::filters::sum(state, values, attribute, None, options)
    });
    environment.add_filter("chain", |state: &State, first: Value, rest: Rest<Value>| {
        let all = || std::iter::once(&first).chain(rest.iter());
        let are_mappings = all().all(|value| value.kind() == ValueKind::Map);
        let (mut items, mut pairs) = (Vec::new(), BTreeMap::new());
        for value in all() {
            for item in value.try_iter()? {
                state.consume_fuel(1)?;
                if are_mappings {
                    let found = value.get_item(&item)?;
                    pairs.insert(item, found);
                } else {
                    items.push(item);
                }
            }
        }
        Ok(if are_mappings { Value::from_pairs(pairs) } else { Value::from(items) })
    });
}

fn is_list(value: &Value) -> bool {
    matches!(value.kind(), ValueKind::Seq | ValueKind::Iterable)
}

fn refused(message: String) -> Error {
    Error::new(ErrorKind::InvalidOperation, message)
}

/// The text of a template as the engine gets it.
pub fn marked_template(text: &str) -> Cow<'_, str> {
    let mut marks = BTreeMap::new();
    let mut at = 0;
    let mut is_raw = false;
    while let Some(open) = text[at..].find('{').map(|found| at + found) {
        let rest = &text[open..];
        let length = match rest.as_bytes().get(1) {
            Some(b'#') => rest.find("#}").map_or(rest.len(), |end| end + 2),
            Some(sign @ (b'{' | b'%')) => {
                let (length, _) = tag(rest, if *sign == b'{' { "}}" } else { "%}" });
                let inside = open + 2..(open + length).saturating_sub(2).max(open + 2);
                let word = text[inside.clone()].trim_matches(|c: char| "+-".contains(c) || c.is_whitespace());
                is_raw = if is_raw { word != "endraw" } else { word == "raw" };
                if !is_raw {
                    find_operands(text, inside, &mut marks);
                }
                length
            }
            _ => 1,
        };
        at = open + length;
    }
    with_marks(text, &marks)
}

/// The text of an expression as the engine gets it.
pub fn marked_expression(text: &str) -> Cow<'_, str> {
    let mut marks = BTreeMap::new();
    find_operands(text, 0..text.len(), &mut marks);
    with_marks(text, &marks)
}

/// Where a range of a marked text is in the user's text.
pub fn unmarked(text: &str, range: Range<usize>) -> Range<usize> {
    let place = |at: usize| {
        let all = [TERM, FACTOR].into_iter().flat_map(|mark| text.match_indices(mark));
        let before = all.filter(|(start, _)| *start < at).map(|(start, mark)| mark.len().min(at - start));
        at - before.sum::<usize>()
    };
    place(range.start)..place(range.end)
}

/// A piece of a marked text without the marks.
pub fn without_marks(text: &str) -> String {
    text.replace(TERM, "").replace(FACTOR, "")
}

fn with_marks<'t>(text: &'t str, marks: &BTreeMap<usize, &str>) -> Cow<'t, str> {
    if marks.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut all = String::with_capacity(text.len() + marks.len() * FACTOR.len());
    let mut from = 0;
    for (&at, mark) in marks {
        all.push_str(&text[from..at]);
        all.push_str(mark);
        from = at;
    }
    Cow::Owned(all + &text[from..])
}

/// The ends of the operands in an expression, each with its filter.
fn find_operands(text: &str, range: Range<usize>, marks: &mut BTreeMap<usize, &'static str>) {
    let tokens = tokens(text, range);
    let token = |at: usize| tokens.get(at).map_or("", |token| &text[token.clone()]);
    for at in 1..tokens.len() {
        let mark = match token(at) {
            "+" => TERM,
            "*" => FACTOR,
            _ => continue,
        };
        let before = token(at - 1);
        let ends = before.ends_with(|c: char| is_word(c) || ")]}\"'".contains(c)) && !WORDS.contains(&before);
        if !ends || at + 1 == tokens.len() {
            continue;
        }
        let mut mark_end = |at: usize, is_literal: bool| {
            if !is_literal {
                marks.entry(tokens[at].end).or_insert(mark);
            }
        };
        mark_end(at - 1, is_literal(before));
        let mut next = at + 1;
        while matches!(token(next), "+" | "-" | "not") {
            next += 1;
        }
        let end = postfix_end(next, &tokens, text);
        if end < tokens.len() {
            mark_end(end, end == next && is_literal(token(end)));
        }
    }
}

/// The last token of an operand: a name, a literal or brackets, with what is called or taken of it.
fn postfix_end(first: usize, tokens: &[Range<usize>], text: &str) -> usize {
    let token = |at: usize| tokens.get(at).map_or("", |token| &text[token.clone()]);
    let closed = |open: usize| {
        let mut depth = 0_usize;
        (open..tokens.len())
            .find(|at| {
                depth += usize::from(matches!(token(*at), "(" | "[" | "{"));
                depth -= usize::from(depth > 0 && matches!(token(*at), ")" | "]" | "}"));
                depth == 0
            })
            .unwrap_or(tokens.len())
    };
    let mut end = closed(first);
    loop {
        match token(end + 1) {
            "(" | "[" => end = closed(end + 1),
            "." | "|" if end + 2 < tokens.len() => end += 2,
            _ => return end,
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a token is a text or a number, which no limit is for.
fn is_literal(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_digit() || c == '"' || c == '\'')
}

/// The words, texts and signs of an expression.
fn tokens(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    let mut at = range.start;
    while let Some(c) = text[at..range.end].chars().next() {
        let rest = &text[at..range.end];
        let length = match c {
            '"' | '\'' => super::length::string(rest, c),
            _ if is_word(c) => {
                let is_number = c.is_ascii_digit();
                let part = |c: char| is_word(c) || (is_number && c == '.');
                rest.find(|c: char| !part(c)).unwrap_or(rest.len())
            }
            '*' | '/' if rest[1..].starts_with(c) => 2,
            _ => c.len_utf8(),
        };
        if !c.is_whitespace() {
            all.push(at..at + length);
        }
        at += length;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_marked() {
        let check = |text: &str, expected: &str| {
            let short = |text: &str| text.replace(TERM, "@").replace(FACTOR, "#");
            let marked = marked_template(text);
            assert_eq!(short(&marked), expected);
            assert_eq!(without_marks(&marked), text);
            let at = text.find('b').unwrap_or(0);
            let place = marked.find('b').unwrap_or(0);
            assert_eq!(unmarked(&marked, place..place + 1), at..at + 1);
        };
        check("{% set a = a + b %}", "{% set a = a@ + b@ %}");
        check("{{ a + b.c[1](x) | map('y') + d }}", "{{ a@ + b.c[1](x) | map('y')@ + d@ }}");
        check("{{ a + 1 + 'b' ~ -2 }}{% if a -%}", "{{ a@ + 1 + 'b' ~ -2 }}{% if a -%}");
        check("{%+ if +1 in +b +%}", "{%+ if +1 in +b +%}");
        check("{{ a * 2 ** b }}{{ (a + b) * [c] }}", "{{ a# * 2 ** b }}{{ (a@ + b@)# * [c]# }}");
        check("a + b {# a + b #}{% raw %}{{ a + b }}{% endraw %}", "a + b {# a + b #}{% raw %}{{ a + b }}{% endraw %}");
        assert_eq!(marked_expression("1 + x"), format!("1 + x{TERM}"));
    }
}
