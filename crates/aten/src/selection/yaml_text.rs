//! YAML in block style as PyYAML's `safe_dump` writes it: keys sorted, lines folded after 80
//! columns.
//!
//! Invariant: the text reads back as the same value.

use serde::Serialize;

use crate::aten::declarations::scalar::{Depth, Scalar};
use torchgen_base::render::{RenderError, Renderer};

/// Behind this column a line is folded at the next blank.
const WIDTH: usize = 80;

/// A document, or a part of one.
#[derive(Debug, Clone)]
pub(super) enum Yaml {
    Flag(bool),
    List(Vec<String>),
    /// Keys are sorted when it is written.
    Map(Vec<(String, Yaml)>),
}

/// A line, or several if a scalar is folded.
#[derive(Debug, Serialize)]
struct Line {
    indent: String,
    item: bool,
    key: Option<String>,
    value: Option<String>,
}

#[derive(Serialize)]
struct Document {
    lines: Vec<Line>,
}

/// The text of a document. Errors: the template fails.
pub(super) fn dump(document: Yaml, renderer: &Renderer) -> Result<String, RenderError> {
    let mut lines = Vec::new();
    push(document, 0, &mut lines);
    renderer.fragment("torch/selection/document.yaml.j2", &Document { lines })
}

fn push(part: Yaml, indent: usize, lines: &mut Vec<Line>) {
    let line = |item, key, value| Line { indent: " ".repeat(indent), item, key, value };
    match part {
        Yaml::Flag(_) => {}
        Yaml::List(words) => {
            lines.extend(words.iter().map(|word| line(true, None, Some(folded(word, indent + 2, indent + 2)))));
        }
        Yaml::Map(mut pairs) => {
            pairs.sort_by(|a, b| a.0.cmp(&b.0));
            for (key, value) in pairs {
                let name = folded(&key, indent, indent + 2);
                let word = match &value {
                    Yaml::Flag(flag) => Some(flag.to_string()),
                    Yaml::List(words) if words.is_empty() => Some("[]".to_owned()),
                    Yaml::Map(pairs) if pairs.is_empty() => Some("{}".to_owned()),
                    Yaml::List(_) | Yaml::Map(_) => None,
                };
                let nested = word.is_none();
                lines.push(line(false, Some(name), word));
                // Lists are not indented below their keys.
                let below = if matches!(value, Yaml::Map(_)) { indent + 2 } else { indent };
                if nested {
                    push(value, below, lines);
                }
            }
        }
    }
}

/// A scalar that begins in a column, with further lines that begin in another. Rule: PyYAML's
/// emitter.py, `write_single_quoted`.
fn folded(text: &str, column: usize, indent: usize) -> String {
    let scalar = Scalar::text(text, Depth::Item).to_string();
    if scalar.starts_with('"') || text.contains('\n') {
        return scalar;
    }
    let quoted = usize::from(scalar.starts_with('\''));
    let mut out = String::with_capacity(scalar.len());
    let (mut column, mut chars) = (column, scalar.char_indices().peekable());
    let mut previous = ' ';
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map_or(' ', |(_, next)| *next);
        let inside = at > quoted && at + 1 + quoted < scalar.len();
        if c == ' ' && previous != ' ' && next != ' ' && inside && column > WIDTH {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            column = indent;
        } else {
            out.push(c);
            column += 1;
        }
        previous = c;
    }
    out
}
