//! Printed forms: `({l} + {r})`, `{ptr}[{idx:, }{lanes>1: @ {lanes}}{mask?: M= {mask}}]`.
//!
//! A form is text with pieces in braces: `{field}`, `{list:separator}`, `{field?: text}` for text
//! that is printed if the field has a value, and `{number>0: text}` for text that is printed if the
//! comparison is true. After a field, `!d` prints a variable in its declared form, `!k` prints its
//! kind, and `!b` prints a list of statements as a block. `{{` and `}}` are braces. Invariant: a
//! parsed form names existing fields, and prints each in a way that its type allows.

use std::ops::Range;

use super::codes as own;
use super::types::{FieldType, Many, SchemaTypeKind};
use torchgen_base::diag::{Diagnostic, Diagnostics, Help, did_you_mean};
use torchgen_base::lang::is_ascii_word;
use torchgen_base::yaml::Text;

/// A part of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// As it is.
    Text(String),
    /// A field's value.
    Field {
        /// The field.
        name: String,
        /// How.
        style: Style,
        /// What is between the elements of a list.
        separator: Option<String>,
    },
    /// Printed under a condition.
    If(Condition, Vec<Piece>),
}

/// How a field is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// As the value is.
    Plain,
    /// As where it is declared.
    Declared,
    /// The name of the node's kind.
    Kind,
    /// As a block of statements.
    Block,
}

/// When a part is printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Condition {
    /// The field is there, is not empty, or is true.
    There(String),
    /// The comparison holds.
    Compares(String, &'static str, i64),
}

/// Reads a form. Errors are diagnostics.
pub(crate) fn read_form(
    text: &Text,
    fields: &[(String, FieldType)],
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Piece>> {
    let mut reader = Reader { text, at: 0, depth: 0, fields, errors: Vec::new() };
    let pieces = reader.pieces();
    let correct = reader.errors.is_empty();
    for error in reader.errors {
        diagnostics.push(error);
    }
    correct.then_some(pieces)
}

/// How deep conditional pieces may nest.
const DEPTH_LIMIT: usize = 20;

struct Reader<'a> {
    text: &'a Text,
    at: usize,
    /// How many conditional pieces are open.
    depth: usize,
    fields: &'a [(String, FieldType)],
    errors: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn error(&mut self, range: Range<usize>, message: impl Into<String>, help: Option<Help>) {
        let span = self.text.sub_span(range);
        self.errors.push(Diagnostic::new(&own::BAD_PRINT_FORM, message).at(span).maybe_help(help));
    }

    fn rest(&self) -> &str {
        &self.text.as_str()[self.at..]
    }

    /// The bytes of the next character.
    fn next(&self) -> Range<usize> {
        self.at..self.at + self.rest().chars().next().map_or(0, char::len_utf8)
    }

    /// The pieces up to the end, or, nested, up to the brace that closes them.
    fn pieces(&mut self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut literal = String::new();
        while let Some(next) = self.rest().chars().next() {
            // More braces than pieces are open: the first two of them are one to print.
            let closing = self.rest().chars().take_while(|c| *c == '}').count();
            if self.depth > 0 && closing > 0 && closing <= self.depth {
                break;
            }
            match next {
                '{' if self.rest().starts_with("{{") => {
                    literal.push('{');
                    self.at += 2;
                }
                '}' if self.rest().starts_with("}}") => {
                    literal.push('}');
                    self.at += 2;
                }
                '{' => {
                    if !literal.is_empty() {
                        pieces.push(Piece::Text(std::mem::take(&mut literal)));
                    }
                    pieces.extend(self.piece());
                }
                '}' => {
                    let help = Some("write a brace as two of them".into());
                    self.error(self.at..self.at + 1, "no piece begins before this brace", help);
                    self.at += 1;
                }
                _ => {
                    literal.push(next);
                    self.at += next.len_utf8();
                }
            }
        }
        if !literal.is_empty() {
            pieces.push(Piece::Text(literal));
        }
        pieces
    }

    /// What is between a brace and the one that closes it.
    fn piece(&mut self) -> Option<Piece> {
        let open = self.at;
        self.at += 1;
        let start = self.at;
        let rest = self.rest();
        let length = rest.find(|c| !is_ascii_word(c)).unwrap_or(rest.len());
        let name = rest[..length].to_owned();
        let range = start..start + length;
        self.at += length;
        if name.is_empty() {
            let help = Some("write a brace that is meant to be printed as two of them".into());
            self.error(open..self.at.max(open + 1), "a field is missing here", help);
            self.skip();
            return None;
        }
        let ty = self.fields.iter().find(|(field, _)| *field == name).map(|(_, ty)| ty.clone());
        if ty.is_none() {
            let names = || self.fields.iter().map(|(field, _)| field.as_str());
            let help = did_you_mean(&name, names()).or_else(|| {
                let names: Vec<String> = names().map(|name| format!("`{name}`")).collect();
                (!names.is_empty()).then(|| format!("its fields are {}", names.join(", "))).map(Help::from)
            });
            self.error(range.clone(), format!("there is no field `{name}`"), help);
        }
        let style = self.style();
        let piece = match self.rest().chars().next() {
            Some('}') => {
                if let Some(ty) = &ty {
                    self.check_placeholder(&name, ty, style, &range);
                }
                Some(Piece::Field { name, style, separator: None })
            }
            Some(':') => {
                self.at += 1;
                let from = self.at;
                let length = self.rest().find(['{', '}']).unwrap_or(self.rest().len());
                let separator = self.rest()[..length].to_owned();
                self.at += length;
                if let Some(ty) = &ty {
                    self.check_placeholder(&name, ty, style, &range);
                    if ty.many != Many::List {
                        let help = Some(format!("write `{{{name}?:…}}` for what is printed if it is there").into());
                        self.error(from - 1..self.at, format!("`{name}` is not a list to be separated"), help);
                    }
                }
                Some(Piece::Field { name, style, separator: Some(separator) })
            }
            // What was wrong with a condition was reported, and its brace passed.
            Some('?' | '>' | '<' | '=' | '!') => Some(self.condition(name, ty.as_ref(), &range)?),
            // The brace that is missing is reported below.
            None => None,
            _ => {
                let help = Some("a piece is `{field}`, `{list:separator}` or `{field?: text}`".into());
                self.error(self.next(), "this has no meaning after a field", help);
                self.skip();
                return None;
            }
        };
        if !self.rest().starts_with('}') {
            self.error(open..open + 1, "no brace closes this piece", Some("add `}`".into()));
            self.at = self.text.len();
            return None;
        }
        self.at += 1;
        piece
    }

    fn style(&mut self) -> Style {
        let style = match self.rest() {
            rest if rest.starts_with("!d") => Style::Declared,
            rest if rest.starts_with("!k") => Style::Kind,
            rest if rest.starts_with("!b") => Style::Block,
            _ => return Style::Plain,
        };
        self.at += 2;
        style
    }

    fn condition(&mut self, name: String, ty: Option<&FieldType>, range: &Range<usize>) -> Option<Piece> {
        let condition = if self.rest().starts_with('?') {
            self.at += 1;
            let may_lack = ty.is_none_or(|ty| {
                ty.many != Many::One
                    || matches!(
                        ty.kind,
                        SchemaTypeKind::Bool | SchemaTypeKind::Str | SchemaTypeKind::Data | SchemaTypeKind::Attrs
                    )
            });
            if !may_lack {
                self.error(range.clone(), format!("`{name}` is always there"), Some("compare it, or print it".into()));
            }
            Condition::There(name)
        } else {
            let start = self.at;
            let operator = ["==", "!=", ">=", "<=", ">", "<"].into_iter().find(|op| self.rest().starts_with(op));
            let Some(operator) = operator else {
                let help = Some("a style is `!d`, `!k` or `!b`; a comparison is `!=` and a number".into());
                self.error(start..start + 1, "this is neither a style nor a comparison", help);
                self.skip();
                return None;
            };
            self.at += operator.len();
            let rest = self.rest();
            let length = rest.find(|c: char| !(c.is_ascii_digit() || c == '-')).unwrap_or(rest.len());
            let number = rest[..length].parse();
            self.at += length;
            let Ok(number) = number else {
                self.error(start..self.at.max(start + 1), "a whole number is missing here", None);
                self.skip();
                return None;
            };
            if ty.is_some_and(|ty| {
                !matches!(ty.kind, SchemaTypeKind::Int | SchemaTypeKind::Int64) || ty.many != Many::One
            }) {
                self.error(range.clone(), format!("`{name}` is not a number to be compared"), None);
            }
            Condition::Compares(name, operator, number)
        };
        if !self.rest().starts_with(':') {
            self.error(self.next(), "expected `:` and what is printed", None);
            self.skip();
            return None;
        }
        self.at += 1;
        if self.depth == DEPTH_LIMIT {
            let help = Some("print some of it by nodes of their own".into());
            self.error(range.clone(), format!("this nests deeper than {DEPTH_LIMIT} levels"), help);
            self.at = self.text.len();
            return None;
        }
        self.depth += 1;
        let pieces = self.pieces();
        self.depth -= 1;
        Some(Piece::If(condition, pieces))
    }

    fn check_placeholder(&mut self, name: &str, ty: &FieldType, style: Style, range: &Range<usize>) {
        let fits = match style {
            Style::Plain => !matches!(ty.kind, SchemaTypeKind::Attrs),
            Style::Declared => matches!(ty.kind, SchemaTypeKind::Expr),
            Style::Kind => matches!(ty.kind, SchemaTypeKind::Expr | SchemaTypeKind::Stmt) && ty.many != Many::List,
            Style::Block => matches!(ty.kind, SchemaTypeKind::Stmt) && ty.many == Many::List,
        };
        if !fits {
            self.error(range.clone(), format!("`{name}` cannot be printed in this way"), None);
        }
    }

    /// Goes to the brace that closes the piece, or to the end.
    fn skip(&mut self) {
        let mut depth = 1_usize;
        while let Some(next) = self.rest().chars().next() {
            self.at += next.len_utf8();
            match next {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }
}

/// The text that a form has before its first field, and whether a field comes first: what
/// distinguishes forms.
pub(crate) fn shape(pieces: &[Piece]) -> String {
    let mut shape = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => shape.push_str(text.trim()),
            Piece::Field { separator: None, .. } => shape.push('\u{1}'),
            Piece::Field { separator: Some(_), .. } => shape.push('\u{2}'),
            Piece::If(_, inner) => {
                shape.push('\u{3}');
                shape.push_str(&self::shape(inner));
                shape.push('\u{4}');
            }
        }
    }
    shape
}
