//! Converts render errors to diagnostics.
//!
//! A template of the source path is a source like any other, so an error in it gets a caret; an
//! embedded one has no file to point into.

use std::ops::Range;

use super::error::{RenderError, RenderErrorKind};
use super::limits::STEPS;
use crate::diag::{Diagnostic, FileId, Span, codes};
use crate::lang::whole_words;

impl RenderError {
    /// The error as a diagnostic, at its place in the template if that is known.
    pub fn diagnostic(&self) -> Diagnostic {
        let diagnostic = match self.span {
            Some(span) => Diagnostic::new(&codes::TEMPLATE, self.kind.to_string()).at(span),
            None => Diagnostic::new(&codes::TEMPLATE, self.to_string()),
        };
        match &self.kind {
            RenderErrorKind::Undefined(_) => {
                diagnostic.note("a template can use only the names that its generator provides")
            }
            RenderErrorKind::TooLong => diagnostic.note(format!(
                "one text can take {} million steps, of which each pays for 64 bytes",
                STEPS / 1_000_000
            )),
            RenderErrorKind::NoTemplate { looked_in, .. } if !looked_in.is_empty() => {
                diagnostic.note(format!("looked in {}", looked_in.join(", ")))
            }
            _ => diagnostic,
        }
    }

    /// Adds the place in the template, given its file and text.
    pub(super) fn located(self, file: FileId, text: &str) -> Self {
        let range = self.line.and_then(|line| line_range(text, line)).map(|line| {
            let place = match &self.kind {
                RenderErrorKind::Undefined(name) => find_name(&text[line.clone()], name),
                _ => None,
            };
            place.map_or(line.clone(), |place| line.start + place.start..line.start + place.end)
        });
        Self { span: range.map(|range| Span::new(file, range.start, range.end)), ..self }
    }
}

/// The range of a line, by its number from 1, without its end.
fn line_range(text: &str, number: usize) -> Option<Range<usize>> {
    let mut start = 0;
    for _ in 1..number {
        let rest = &text[start..];
        let end = rest.find(['\n', '\r'])?;
        start += end + if rest[end..].starts_with("\r\n") { 2 } else { 1 };
    }
    let len = text[start..].find(['\n', '\r']).unwrap_or(text.len() - start);
    Some(start..start + len)
}

/// The range in the line of the name as a whole word.
fn find_name(line: &str, name: &str) -> Option<Range<usize>> {
    whole_words(line, name).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let error = |line, kind| RenderError { template: "F.h".into(), line, span: None, kind };
        let name = |name: &str| RenderErrorKind::Undefined(name.into());
        let text = "one\r\ntwo $xy ${,x}\rthree";
        for (error, expected) in [
            (error(Some(2), name("x")), Some("x")),
            (error(Some(2), name("y")), Some("two $xy ${,x}")),
            (error(Some(3), RenderErrorKind::Other("bad".into())), Some("three")),
            (error(Some(4), name("x")), None),
            (error(None, name("x")), None),
        ] {
            let span = error.located(FileId(3), text).span;
            assert_eq!(span.map(|span| (span.file, &text[span.range()])), expected.map(|text| (FileId(3), text)));
        }
        let diagnostic = error(Some(2), name("x")).diagnostic();
        assert_eq!(diagnostic.message, "F.h:2: `x` is not defined");
    }
}
