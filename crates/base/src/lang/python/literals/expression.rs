//! Expressions of Python: literals, names, calls and simple comprehensions.
//!
//! Invariant: parsing always continues to the end of the expression. Operators, attributes,
//! subscripts, conditions and lambdas are not supported; an expression with one of them is
//! [`ExpressionForm::Unknown`].

use std::ops::Range;

use super::syntax::Parser;
use crate::lang::python::token::TokenKind;

/// An expression and its place.
#[derive(Debug, Clone)]
pub(super) struct Expression {
    pub(super) form: ExpressionForm,
    pub(super) range: Range<usize>,
}

/// What an expression is.
#[derive(Debug, Clone)]
pub(super) enum ExpressionForm {
    Str(String),
    Number(String),
    Bool(bool),
    None,
    Name(String),
    List(Vec<Expression>),
    Tuple(Vec<Expression>),
    Set(Vec<Expression>),
    /// Without a value: the contents of a `**`.
    Dict(Vec<(Expression, Option<Expression>)>),
    /// `*x` in a list
    Starred(Box<Expression>),
    /// `f(a, b, c=d)`
    Call {
        function: String,
        arguments: Vec<Argument>,
    },
    /// `[element for name in iterable]`
    Comprehension {
        element: Box<Expression>,
        name: String,
        iterable: Box<Expression>,
    },
    Unknown,
}

/// An argument of a call.
#[derive(Debug, Clone)]
pub(super) struct Argument {
    pub(super) name: Option<String>,
    pub(super) value: Expression,
}

/// Words and operators that end an expression in a list or a call.
const ENDS: [&str; 8] = [",", ")", "]", "}", ":", "=", ";", "for"];

/// The rest of the statement: one expression, or several as a tuple.
pub(super) fn expressions(parser: &mut Parser<'_>) -> Expression {
    let start = parser.token().range.start;
    let first = expression(parser);
    if parser.word() != "," {
        return first;
    }
    let mut items = vec![first];
    let mut end = start;
    while parser.word() == "," {
        end = parser.token().range.end;
        parser.at += 1;
        if ends(parser) {
            break;
        }
        let item = expression(parser);
        end = item.range.end;
        items.push(item);
    }
    Expression { form: ExpressionForm::Tuple(items), range: start..end }
}

fn ends(parser: &Parser<'_>) -> bool {
    matches!(parser.kind(), TokenKind::Newline | TokenKind::Indent | TokenKind::Dedent | TokenKind::End)
        || ENDS.contains(&parser.word())
}

fn expression(parser: &mut Parser<'_>) -> Expression {
    let start = parser.at;
    let mut form = if parser.word() == "*" {
        parser.at += 1;
        let at = parser.at;
        let form = primary(parser);
        ExpressionForm::Starred(Box::new(Expression { form, range: range(parser, at) }))
    } else {
        primary(parser)
    };
    if !ends(parser) || parser.at == start {
        form = ExpressionForm::Unknown;
        // A lambda has commas and a colon of its own.
        while !ends(parser) {
            let lambda = parser.word() == "lambda";
            parser.at = parser.after(parser.at);
            if lambda {
                parser.at = parser.find(&[":"]);
                parser.at += usize::from(parser.word() == ":");
            }
        }
    }
    Expression { form, range: range(parser, start) }
}

/// From the token of that index to the one before the parser.
fn range(parser: &Parser<'_>, start: usize) -> Range<usize> {
    let first = &parser.tokens[start.min(parser.tokens.len() - 1)].range;
    let end = parser.tokens[..parser.at.min(parser.tokens.len())].last().map_or(0, |token| token.range.end);
    first.start..end.max(first.start)
}

fn primary(parser: &mut Parser<'_>) -> ExpressionForm {
    match parser.kind() {
        TokenKind::Str(_) => strings(parser),
        TokenKind::Number => {
            let text = &parser.text[parser.token().range.clone()];
            parser.at += 1;
            ExpressionForm::Number(text.to_owned())
        }
        TokenKind::Name => {
            let word = parser.word();
            if word == "lambda" {
                return ExpressionForm::Unknown;
            }
            parser.at += 1;
            match word {
                "True" => ExpressionForm::Bool(true),
                "False" => ExpressionForm::Bool(false),
                "None" => ExpressionForm::None,
                "not" | "await" | "yield" => ExpressionForm::Unknown,
                name => name_or_call(parser, name.to_owned()),
            }
        }
        TokenKind::Op => match parser.word() {
            "-" if matches!(parser.tokens.get(parser.at + 1).map(|token| &token.kind), Some(TokenKind::Number)) => {
                let number = &parser.text[parser.tokens[parser.at + 1].range.clone()];
                parser.at += 2;
                ExpressionForm::Number(format!("-{number}"))
            }
            "(" => {
                let (mut items, comma, comprehension) = items(parser);
                let single = items.len() == 1 && !comma;
                match (comprehension, single, items.pop()) {
                    (Some(_), ..) | (None, true, Some(Expression { form: ExpressionForm::Starred(_), .. })) => {
                        ExpressionForm::Unknown
                    }
                    (None, true, Some(item)) => item.form,
                    (None, _, last) => {
                        items.extend(last);
                        ExpressionForm::Tuple(items)
                    }
                }
            }
            "[" => match items(parser) {
                (_, _, Some(comprehension)) => comprehension,
                (items, ..) => ExpressionForm::List(items),
            },
            "{" => braces(parser),
            _ => ExpressionForm::Unknown,
        },
        _ => ExpressionForm::Unknown,
    }
}

/// Adjacent strings are one.
fn strings(parser: &mut Parser<'_>) -> ExpressionForm {
    let mut text = Some(String::new());
    while let TokenKind::Str(value) = parser.kind() {
        text = text.zip(value.as_ref()).map(|(text, value)| text + value);
        parser.at += 1;
    }
    text.map_or(ExpressionForm::Unknown, ExpressionForm::Str)
}

/// A name, possibly with dots, and possibly called.
fn name_or_call(parser: &mut Parser<'_>, mut name: String) -> ExpressionForm {
    let mut dotted = false;
    while parser.word() == "."
        && matches!(parser.tokens.get(parser.at + 1).map(|token| &token.kind), Some(TokenKind::Name))
    {
        parser.at += 1;
        name.push('.');
        name.push_str(parser.word());
        parser.at += 1;
        dotted = true;
    }
    if parser.word() != "(" {
        return if dotted { ExpressionForm::Unknown } else { ExpressionForm::Name(name) };
    }
    let close = parser.token().close;
    parser.at += 1;
    let mut arguments = Vec::new();
    let mut known = true;
    while parser.at < close {
        let keyword = (parser.kind() == &TokenKind::Name
            && parser.tokens.get(parser.at + 1).is_some_and(|next| &parser.text[next.range.clone()] == "="))
        .then(|| parser.word().to_owned());
        if keyword.is_some() {
            parser.at += 2;
        }
        let value = expression(parser);
        known &= !matches!(value.form, ExpressionForm::Starred(_)) && (parser.at == close || parser.word() == ",");
        arguments.push(Argument { name: keyword, value });
        if parser.word() != "," {
            break;
        }
        parser.at += 1;
    }
    // A generator, or `**` before an argument, makes the rest unknown.
    known &= parser.at == close;
    parser.at = close + 1;
    if known { ExpressionForm::Call { function: name, arguments } } else { ExpressionForm::Unknown }
}

/// The contents of brackets: the items, whether a comma follows the last, and the comprehension if
/// it is one.
fn items(parser: &mut Parser<'_>) -> (Vec<Expression>, bool, Option<ExpressionForm>) {
    let close = parser.token().close;
    parser.at += 1;
    let mut items = Vec::new();
    let mut comma = false;
    while parser.at < close {
        let item = expression(parser);
        if parser.word() == "for" {
            let form = comprehension(parser, item, close);
            parser.at = close + 1;
            return (items, false, Some(form));
        }
        items.push(item);
        comma = parser.word() == ",";
        if !comma {
            break;
        }
        parser.at += 1;
    }
    let complete = parser.at == close;
    parser.at = close + 1;
    (items, comma, (!complete).then_some(ExpressionForm::Unknown))
}

fn comprehension(parser: &mut Parser<'_>, element: Expression, close: usize) -> ExpressionForm {
    parser.at += 1;
    let name = parser.word().to_owned();
    let single = parser.kind() == &TokenKind::Name;
    parser.at += 1;
    if !single || parser.word() != "in" {
        return ExpressionForm::Unknown;
    }
    parser.at += 1;
    let iterable = expression(parser);
    if parser.at != close {
        return ExpressionForm::Unknown;
    }
    ExpressionForm::Comprehension { element: Box::new(element), name, iterable: Box::new(iterable) }
}

/// A dictionary or a set.
fn braces(parser: &mut Parser<'_>) -> ExpressionForm {
    let close = parser.token().close;
    parser.at += 1;
    let mut entries = Vec::new();
    let mut elements = Vec::new();
    while parser.at < close {
        if parser.word() == "**" {
            parser.at += 1;
            entries.push((expression(parser), None));
        } else {
            let key = expression(parser);
            if parser.word() == ":" {
                parser.at += 1;
                entries.push((key, Some(expression(parser))));
            } else {
                elements.push(key);
            }
        }
        if parser.word() != "," {
            break;
        }
        parser.at += 1;
    }
    let complete = parser.at == close;
    parser.at = close + 1;
    match (complete, elements.is_empty()) {
        (false, _) => ExpressionForm::Unknown,
        (true, true) => ExpressionForm::Dict(entries),
        (true, false) if entries.is_empty() => ExpressionForm::Set(elements),
        _ => ExpressionForm::Unknown,
    }
}
