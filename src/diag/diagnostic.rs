//! One diagnostic, and the collector that every stage reports to.
//!
//! Invariant: a diagnostic carries a code from [`codes`](super::codes); its severity is the code's unless it was raised or lowered
//! on purpose. Deliberately absent: how a diagnostic is shown.

use std::collections::HashSet;
use std::ops::Range;

use super::{CodeInfo, Severity, Span};

/// A place with an optional explanation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Label {
    /// The place.
    pub span: Span,
    /// What is to be said about it; may be empty.
    pub text: String,
}

/// A fault in the input, or something doubtful.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[must_use = "a diagnostic does nothing until it is pushed to a collector"]
pub(crate) struct Diagnostic {
    /// Its kind.
    pub code: &'static CodeInfo,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence without a full stop.
    pub message: String,
    /// The place of the fault; none for faults that no file shows.
    pub primary: Option<Label>,
    /// Other places that matter.
    pub labels: Vec<Label>,
    /// Facts that explain.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// A diagnostic without a place.
    pub(crate) fn new(code: &'static CodeInfo, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: code.severity,
            message: message.into(),
            primary: None,
            labels: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
        }
    }

    /// Points at the fault.
    pub(crate) fn at(self, span: Span) -> Diagnostic {
        self.at_with(span, "")
    }

    /// Points at the fault and says something there.
    pub(crate) fn at_with(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.primary = Some(Label { span, text: label.into() });
        self
    }

    /// Points at another place that matters.
    pub(crate) fn also(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: label.into() });
        self
    }

    /// Says what to do.
    pub(crate) fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// Says what to do, if there is something to say.
    pub(crate) fn maybe_help(self, text: Option<impl Into<String>>) -> Diagnostic {
        match text {
            Some(text) => self.help(text),
            None => self,
        }
    }

    /// States a fact that explains.
    pub(crate) fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Replaces the severity that comes with the code.
    pub(crate) fn severity(mut self, severity: Severity) -> Diagnostic {
        self.severity = severity;
        self
    }

    /// The order in which diagnostics are shown: file, offset, code; those without a place first.
    fn order(&self) -> (Option<Span>, &'static str) {
        (self.primary.as_ref().map(|label| label.span), self.code.id)
    }
}

/// What was found so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Nothing found.
    pub(crate) fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds one.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Whether one of them is an error.
    pub(crate) fn has_errors(&self) -> bool {
        self.list.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Whether there is more than notes.
    pub(crate) fn has_warnings(&self) -> bool {
        self.list.iter().any(|diagnostic| diagnostic.severity != Severity::Note)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// In file order, exact repeats dropped.
    pub(crate) fn into_sorted(self) -> Vec<Diagnostic> {
        let mut seen = HashSet::new();
        let mut list: Vec<_> = self.list.into_iter().filter(|diagnostic| seen.insert(diagnostic.clone())).collect();
        list.sort_by(|a, b| a.order().cmp(&b.order()));
        list
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: I) {
        self.list.extend(diagnostics);
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

/// What a parser of strings found wrong, by offsets within the string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The bytes of the string that are wrong; empty for something missing.
    pub range: Range<usize>,
    /// One sentence without a full stop.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Its kind.
    pub code: &'static CodeInfo,
}

impl Fault {
    /// A fault without help.
    pub(crate) fn new(code: &'static CodeInfo, range: Range<usize>, message: impl Into<String>) -> Fault {
        Fault { range, message: message.into(), help: None, code }
    }

    /// Says what to do.
    #[must_use]
    pub(crate) fn help(mut self, text: impl Into<String>) -> Fault {
        self.help = Some(text.into());
        self
    }
}
