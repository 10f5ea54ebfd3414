//! The diagnostics of a run, stored so that a later run can repeat them without running.
//!
//! Invariant: stored places lie in files that the record lists as unchanged. The texts of those
//! files are not stored: they are read again if there is a diagnostic to show.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::driver::Session;
use torchgen_base::diag::{CodeInfo, Diagnostic, FileId, Help, KeptFix, Label, Severity, Sources, Span, codes};
use torchgen_base::yaml;

#[derive(Serialize, Deserialize)]
struct Message {
    code: String,
    severity: u8,
    message: String,
    primary: Option<Place>,
    labels: Vec<Place>,
    notes: Vec<String>,
    help: Vec<String>,
    fixes: Vec<KeptFix>,
    /// A place in each file that a fix edits.
    edited: Vec<Place>,
    verbose: bool,
}

#[derive(Serialize, Deserialize)]
struct Place {
    /// Files are numbered in the order in which diagnostics are shown.
    file: u32,
    path: String,
    start: u32,
    end: u32,
    text: String,
}

const SEVERITIES: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Note];

/// The diagnostics as data.
pub(crate) fn keep(session: &Session) -> Vec<Value> {
    let place = |label: &Label| {
        let Span { file, start, end } = label.span;
        Place { file: file.0, path: session.sources.path(file).to_owned(), start, end, text: label.text.clone() }
    };
    let edited = |diagnostic: &Diagnostic| {
        let edits = diagnostic.fixes(&session.sources).into_iter().flat_map(|fix| fix.edits);
        edits.map(|edit| place(&Label { span: edit.span, text: String::new() })).collect()
    };
    let message = |diagnostic: Diagnostic| Message {
        fixes: diagnostic.keep_fixes(&session.sources),
        edited: edited(&diagnostic),
        code: diagnostic.code.id.to_owned(),
        severity: SEVERITIES.iter().position(|s| *s == diagnostic.severity).unwrap_or_default() as u8,
        primary: diagnostic.primary.as_ref().map(place),
        labels: diagnostic.labels.iter().map(place).collect(),
        message: diagnostic.message,
        notes: diagnostic.notes,
        help: diagnostic.help.into_iter().map(String::from).collect(),
        verbose: diagnostic.verbose,
    };
    let sorted = session.diagnostics.clone().into_sorted();
    sorted
        .into_iter()
        .map(|d| serde_json::to_value(message(d)).expect("strings and numbers always serialize"))
        .collect()
}

/// Restores the diagnostics; `None` if a code is unknown or a file that they point into cannot be
/// read. Those for `--verbose` are omitted without it, so that their files need not be read.
pub(crate) fn recall(
    kept: &[Value],
    own: &[&'static CodeInfo],
    verbose: bool,
    sources: &mut Sources,
) -> Option<Vec<Diagnostic>> {
    let known = [codes::ALL, own].concat();
    let mut messages: Vec<Message> =
        kept.iter().map(|message| Message::deserialize(message).ok()).collect::<Option<_>>()?;
    messages.retain(|message| verbose || !message.verbose);
    let places =
        messages.iter().flat_map(|message| message.primary.iter().chain(&message.labels).chain(&message.edited));
    let files: std::collections::BTreeMap<u32, &str> = places.map(|place| (place.file, place.path.as_str())).collect();
    let mut ids: Vec<(u32, FileId)> = Vec::new();
    for (file, path) in files {
        let bytes = std::fs::read(path).ok()?;
        // Only YAML may have another encoding.
        let text = match path.ends_with(".yaml") {
            true => yaml::decode(path, bytes).ok()?,
            false => String::from_utf8(bytes).ok()?,
        };
        ids.push((file, sources.add(path, text)));
    }
    let label = |place: &Place| {
        let (_, id) = ids.iter().find(|(file, _)| *file == place.file)?;
        Some(Label {
            span: Span { file: *id, start: place.start, end: place.end.max(place.start) },
            text: place.text.clone(),
        })
    };
    let diagnostic = |message: &Message| {
        let mut diagnostic = Diagnostic {
            code: codes::find(&message.code, &known)?,
            severity: *SEVERITIES.get(usize::from(message.severity))?,
            message: message.message.clone(),
            primary: match &message.primary {
                Some(place) => Some(label(place)?),
                None => None,
            },
            labels: message.labels.iter().map(label).collect::<Option<_>>()?,
            notes: message.notes.clone(),
            help: message.help.iter().map(|help| Help::new(help.as_str())).collect(),
            change: None,
            verbose: message.verbose,
        };
        let file = |number: u32| ids.iter().find(|(file, _)| *file == number).map(|(_, id)| *id);
        diagnostic.recall_fixes(&message.fixes, file);
        Some(diagnostic)
    };
    messages.iter().map(diagnostic).collect()
}
