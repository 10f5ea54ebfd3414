//! The C++ file that generated code is inserted into.
//!
//! Invariant: the insertion line is there exactly once, alone on its line; names that the file
//! registers itself are known.

use std::collections::BTreeSet;
use std::path::Path;

use crate::codes;
use torchgen_base::diag::{Diagnostic, Diagnostics, FileId, Span};
use torchgen_base::lang::cpp::{TokenKind, tokens};
use torchgen_kit::driver::{JobError, Session};

/// The insertion line.
pub(crate) const MARKER: &str = "// INSERT_CODEGEN_HERE";

/// The words of the insertion line.
const WORD: &str = "INSERT_CODEGEN_HERE";

/// A body file in its parts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Body {
    /// The lines before the first `#include`.
    pub(crate) head: String,
    /// The lines from the first `#include` to the insertion line.
    pub(crate) before: String,
    /// The lines after the insertion line.
    pub(crate) after: String,
    /// PyTorch's operators that it registers kernels for, under the key of the wrappers.
    pub(crate) registered: BTreeSet<String>,
}

/// Reads a body file for wrappers of a dispatch key. An error in it is a diagnostic.
pub(crate) fn read_body(path: &Path, key: &str, session: &mut Session) -> Result<Option<Body>, JobError> {
    let file = session.read_text(path)?;
    let text = session.sources.text(file).to_owned();
    Ok(parts(&text, key, file, &mut session.diagnostics))
}

fn parts(text: &str, key: &str, file: FileId, diagnostics: &mut Diagnostics) -> Option<Body> {
    let mut offset = 0;
    let (mut exact, mut near) = (Vec::new(), Vec::new());
    let mut lines: Vec<&str> = Vec::new();
    for (number, whole) in text.split_inclusive('\n').enumerate() {
        let line = whole.trim_end_matches(['\n', '\r']);
        let span = Span::new(file, offset, offset + line.len());
        if line == MARKER {
            exact.push((number, span));
        } else if line.contains(WORD) {
            near.push(span);
        }
        offset += whole.len();
        lines.push(line);
    }
    let at = match exact.as_slice() {
        [(at, _)] => *at,
        [] => {
            let message = format!("the body lacks the line `{MARKER}`");
            let mut diagnostic = Diagnostic::new(&codes::INSERTION_LINE, message);
            diagnostic = match near.first() {
                Some(span) => diagnostic.at(*span).help(format!("write exactly `{MARKER}`, alone on its line")),
                None => {
                    diagnostic.at(Span::new(file, 0, 0)).help(format!("add the line `{MARKER}` where code is to go"))
                }
            };
            diagnostics.push(diagnostic);
            return None;
        }
        [(_, first), (_, second), ..] => {
            let message = format!("the line `{MARKER}` is there twice");
            let diagnostic = Diagnostic::new(&codes::INSERTION_LINE, message).at(*second);
            diagnostics.push(diagnostic.also(*first, "first here").help("remove one of them"));
            return None;
        }
    };
    let include = lines[..at].iter().position(|line| is_include(line)).unwrap_or(0);
    let joined = |lines: &[&str]| lines.iter().flat_map(|line| [*line, "\n"]).collect::<String>();
    Some(Body {
        head: joined(&lines[..include]),
        before: joined(&lines[include..at]),
        after: joined(&lines[at + 1..]),
        registered: registered(text, key),
    })
}

fn is_include(line: &str) -> bool {
    line.trim_start().strip_prefix('#').is_some_and(|rest| rest.trim_start().starts_with("include"))
}

/// The operators of `m.impl("…")`, in blocks of `TORCH_LIBRARY_IMPL` for PyTorch's namespace and
/// the key, and outside of blocks.
fn registered(text: &str, key: &str) -> BTreeSet<String> {
    let tokens = tokens(text);
    let word = |at: usize| tokens.get(at).map_or("", |token| &text[token.range.clone()]);
    let mut found = BTreeSet::new();
    // The namespace of the block, and whether it is for the key.
    let mut block = ("aten", true);
    for (at, token) in tokens.iter().enumerate() {
        match (token.kind, word(at)) {
            (TokenKind::Word, "TORCH_LIBRARY_IMPL") => block = (word(at + 2), word(at + 4) == key),
            (TokenKind::Word, "TORCH_LIBRARY" | "TORCH_LIBRARY_FRAGMENT") => block = (word(at + 2), false),
            (TokenKind::Word, "impl") if block.1 && at > 0 && [".", "->"].contains(&word(at - 1)) => {
                let name = if word(at + 2) == "TORCH_SELECTIVE_NAME" { at + 4 } else { at + 2 };
                let literal = word(name).strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                let named = literal.map(|name| name.split_once("::").unwrap_or((block.0, name)));
                if let Some(("aten", name)) = named {
                    found.insert(name.to_owned());
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registrations_of_the_key() {
        let text = r#"
            // m.impl("commented", f);
            TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
              m.impl("view", TORCH_FN(f));
              m.impl(TORCH_SELECTIVE_NAME("aten::add.Tensor"), f);
              m.impl("other::op", f);
            }
            TORCH_LIBRARY_IMPL(aten, AutogradPrivateUse1, m) { m.impl("mul.Tensor", f); }
            TORCH_LIBRARY_IMPL(own, PrivateUse1, library) { library.impl("relu", f); }
            TORCH_LIBRARY_IMPL(aten, PrivateUse1, library) { library.impl("neg", f); }
            TORCH_LIBRARY(own, m) { m.impl("abs", f); }
        "#;
        let names = |text: &str| registered(text, "PrivateUse1").into_iter().collect::<Vec<_>>();
        assert_eq!(names(text), ["add.Tensor", "neg", "view"]);
        assert_eq!(names("void add(Library& m) { m.impl(\"exp\", f); }"), ["exp"]);
        assert!(names("m.impl(").is_empty());
    }
}
