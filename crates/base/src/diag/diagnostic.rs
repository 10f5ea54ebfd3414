//! A diagnostic, and the collector that every stage reports to.
//!
//! Invariant: a diagnostic has a code from [`codes`](super::codes) and that code's severity,
//! unless it is raised or lowered on purpose. `render` shows diagnostics.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use super::{CodeInfo, FileId, Help, Severity, Span};

/// A place with an optional explanation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The explanation; may be empty.
    pub text: String,
}

/// An error, a warning or a note.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[must_use = "a diagnostic does nothing until it is pushed to a collector"]
pub struct Diagnostic {
    /// Its kind.
    pub code: &'static CodeInfo,
    /// Its severity.
    pub severity: Severity,
    /// One sentence without a full stop.
    pub message: String,
    /// The place of the error; none for errors outside input files.
    pub primary: Option<Label>,
    /// Other relevant places.
    pub labels: Vec<Label>,
    /// Further facts.
    pub notes: Vec<String>,
    /// How to fix it.
    pub help: Vec<Help>,
    /// Whether it is shown only with `--verbose`.
    pub verbose: bool,
    /// The change that it is about, for programs: a JSON object.
    pub change: Option<String>,
}

impl Diagnostic {
    /// A diagnostic without a place.
    pub fn new(code: &'static CodeInfo, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: code.severity,
            message: message.into(),
            primary: None,
            labels: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            verbose: false,
            change: None,
        }
    }

    /// Points at the error.
    pub fn at(self, span: Span) -> Diagnostic {
        self.at_with(span, "")
    }

    /// Points at the error, with a label.
    pub fn at_with(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.primary = Some(Label { span, text: label.into() });
        self
    }

    /// Points at another relevant place.
    pub fn also(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: label.into() });
        self
    }

    /// Adds a help.
    pub fn help(mut self, text: impl Into<Help>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// Adds a help if there is one.
    pub fn maybe_help(self, text: Option<impl Into<Help>>) -> Diagnostic {
        match text {
            Some(text) => self.help(text),
            None => self,
        }
    }

    /// Adds a note.
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Restricts it to `--verbose`.
    pub fn only_verbose(mut self) -> Diagnostic {
        self.verbose = true;
        self
    }

    /// Describes the change that it is about, as a JSON object.
    pub fn with_change(mut self, json: String) -> Diagnostic {
        self.change = Some(json);
        self
    }

    /// Replaces the severity of the code.
    pub fn severity(mut self, severity: Severity) -> Diagnostic {
        self.severity = severity;
        self
    }

    /// The order in which diagnostics are shown: by file, offset and code; those without a place
    /// first.
    fn order(&self) -> (Option<Span>, &'static str) {
        (self.primary.as_ref().map(|label| label.span), self.code.id)
    }
}

/// Lints that an author allows: warnings with these codes.
#[derive(Debug, Clone)]
pub struct Allowed {
    /// The place that they must have a label in; anywhere, if there is none.
    pub within: Option<Span>,
    /// Their codes.
    pub codes: Vec<&'static CodeInfo>,
}

/// All that authors allow, so that one question takes the same time however much it is.
#[derive(Debug, Clone, Default)]
struct AllAllowed {
    /// The codes that are allowed anywhere.
    everywhere: HashSet<&'static str>,
    /// By code and file: where each place begins, and the end of the last one that begins there or
    /// before.
    places: HashMap<(&'static str, FileId), BTreeMap<u32, u32>>,
}

impl AllAllowed {
    fn add(&mut self, allowed: Allowed) {
        let Some(within) = allowed.within else {
            self.everywhere.extend(allowed.codes.iter().map(|code| code.id));
            return;
        };
        for code in allowed.codes {
            let ends = self.places.entry((code.id, within.file)).or_default();
            let before = ends.range(..=within.start).next_back().map_or(0, |(_, end)| *end);
            ends.insert(within.start, before.max(within.end));
            let later = ends.range_mut(within.start..).skip(1).map(|(_, end)| end);
            later.take_while(|end| **end < within.end).for_each(|end| *end = within.end);
        }
    }

    fn covers(&self, diagnostic: &Diagnostic) -> bool {
        // What a change breaks may raise its severity.
        if diagnostic.severity != Severity::Warning && diagnostic.change.is_none() {
            return false;
        }
        let code = diagnostic.code.id;
        let is_in = |place: Span| {
            let ends = self.places.get(&(code, place.file));
            let end = ends.and_then(|ends| ends.range(..=place.start).next_back());
            end.is_some_and(|(_, end)| place.start < *end)
        };
        let mut places = diagnostic.primary.iter().chain(&diagnostic.labels).map(|label| label.span);
        self.everywhere.contains(code) || places.any(is_in)
    }
}

/// The diagnostics of a run so far, without those that authors allow.
#[derive(Debug, Clone, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    allowed: AllAllowed,
}

impl Diagnostics {
    /// No diagnostics.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if !self.allowed.covers(&diagnostic) {
            self.list.push(diagnostic);
        }
    }

    /// Leaves out lints, also those that were added before.
    pub fn allow(&mut self, allowed: impl IntoIterator<Item = Allowed>) {
        allowed.into_iter().for_each(|allowed| self.allowed.add(allowed));
        self.list.retain(|diagnostic| !self.allowed.covers(diagnostic));
    }

    /// In the order of arrival.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// Whether there is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Whether there is an error or a warning.
    pub fn has_warnings(&self) -> bool {
        self.list.iter().any(|diagnostic| diagnostic.severity != Severity::Note)
    }

    /// The number of diagnostics.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The diagnostics in file order, without exact repeats.
    pub fn into_sorted(self) -> Vec<Diagnostic> {
        let mut seen = HashSet::new();
        let mut list: Vec<_> = self.list.into_iter().filter(|diagnostic| seen.insert(diagnostic.clone())).collect();
        list.sort_by(|a, b| a.order().cmp(&b.order()));
        list
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: I) {
        diagnostics.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

/// An error in a string, located by offsets within the string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextError {
    /// The bytes that are wrong; empty if something is missing.
    pub range: Range<usize>,
    /// One sentence without a full stop.
    pub message: String,
    /// How to fix it.
    pub help: Option<Help>,
    /// Its kind.
    pub code: &'static CodeInfo,
}

impl TextError {
    /// An error without help.
    pub fn new(code: &'static CodeInfo, range: Range<usize>, message: impl Into<String>) -> TextError {
        TextError { range, message: message.into(), help: None, code }
    }

    /// Adds a help.
    #[must_use]
    pub fn help(mut self, text: impl Into<Help>) -> TextError {
        self.help = Some(text.into());
        self
    }
}
