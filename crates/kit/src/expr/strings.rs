//! Parses the inside of strings: escapes, and expressions in braces.
//!
//! Invariant: a part that is an expression has its place in the whole text.

use std::ops::Range;

use super::parse::{Parser, parse_part};
use super::syntax::Piece;
use torchgen_base::diag::{TextError, codes};

impl Parser<'_> {
    /// The parts of a string: escapes become characters, braces enclose expressions, doubled braces
    /// are braces.
    pub(super) fn pieces(&mut self, inner: Range<usize>) -> Result<Vec<Piece>, TextError> {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut at = inner.start;
        while at < inner.end {
            let rest = &self.text[at..inner.end];
            let Some(c) = rest.chars().next() else { break };
            let second = rest[c.len_utf8()..].chars().next();
            match (c, second) {
                ('\\', Some(escaped)) => {
                    plain.push(match escaped {
                        'n' => '\n',
                        't' => '\t',
                        '"' | '\\' => escaped,
                        _ => {
                            let range = at..at + 1 + escaped.len_utf8();
                            let error = TextError::new(&codes::EXPRESSION_SYNTAX, range, "unknown escape");
                            return Err(error.help("the escapes are `\\n`, `\\t`, `\\\"` and `\\\\`"));
                        }
                    });
                    at += 1 + escaped.len_utf8();
                }
                ('{', Some('{')) | ('}', Some('}')) => {
                    plain.push(c);
                    at += 2;
                }
                ('{', _) => {
                    let Some(length) = rest.find('}') else {
                        let message = "this brace is not closed in the string";
                        let error = TextError::new(&codes::EXPRESSION_SYNTAX, at..at + 1, message);
                        return Err(error.help("double it for a literal brace"));
                    };
                    if !plain.is_empty() {
                        pieces.push(Piece::Text(std::mem::take(&mut plain)));
                    }
                    let (text, depth) = (self.text, self.depth);
                    let part = at + 1..at + length;
                    pieces.push(Piece::Value(self.deeper(|_| parse_part(text, part, depth + 1))?));
                    at += length + 1;
                }
                ('}', _) => {
                    let error = TextError::new(&codes::EXPRESSION_SYNTAX, at..at + 1, "unmatched closing brace");
                    return Err(error.help("double it for a literal brace"));
                }
                _ => {
                    plain.push(c);
                    at += c.len_utf8();
                }
            }
        }
        if !plain.is_empty() || pieces.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Ok(pieces)
    }
}
