//! Diagnostics as text, JSON and GitHub workflow commands.
//!
//! Invariant: the output depends on the diagnostic and the sources only, never on the terminal.
//! `driver::report` prints it and the summary line.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use serde::Serialize;
use std::borrow::Cow;

use super::visible::{visible, visible_with_places};
use super::{Applicability, CodeInfo, Diagnostic, Edit, FileId, Fix, Label, Severity, Sources, Span};

/// Whether to color the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    /// Plain text.
    Never,
    /// ANSI escape codes.
    Always,
}

/// A diagnostic with source lines and carets; ends in a line break.
pub fn human(diagnostic: &Diagnostic, sources: &Sources, color: Color) -> String {
    let renderer = match color {
        Color::Never => Renderer::plain(),
        Color::Always => Renderer::styled(),
    };
    let title = level(diagnostic.severity).primary_title(visible(&diagnostic.message)).id(diagnostic.code.id);
    let mut group: Group<'_> = Group::with_title(title);
    for (file, labels) in by_file(diagnostic) {
        group = group.element(snippet(sources, file, &labels));
    }
    let notes = diagnostic.notes.iter().map(|text| Level::NOTE.message(visible(text)));
    let help = diagnostic.help.iter().map(|text| Level::HELP.message(visible(text)));
    group = group.elements(notes.chain(help));
    let mut text = renderer.decor_style(DecorStyle::Ascii).render(&[group]);
    text.push('\n');
    text
}

/// The labels of a diagnostic per file; the primary one and its file come first.
fn by_file(diagnostic: &Diagnostic) -> Vec<(FileId, Vec<(AnnotationKind, &Label)>)> {
    let primary = diagnostic.primary.iter().map(|label| (AnnotationKind::Primary, label));
    let others = diagnostic.labels.iter().map(|label| (AnnotationKind::Context, label));
    let mut files: Vec<(FileId, Vec<_>)> = Vec::new();
    for (kind, label) in primary.chain(others) {
        match files.iter_mut().find(|(file, _)| *file == label.span.file) {
            Some((_, labels)) => labels.push((kind, label)),
            None => files.push((label.span.file, vec![(kind, label)])),
        }
    }
    files
}

/// The lines that the labels touch. Only those are passed on: searching the whole file again would
/// cost a millisecond each.
fn snippet<'a>(
    sources: &'a Sources,
    file: FileId,
    labels: &[(AnnotationKind, &'a Label)],
) -> Snippet<'a, Annotation<'a>> {
    let spans = labels.iter().map(|(_, label)| label.span);
    let whole = spans.reduce(Span::to).unwrap_or_default();
    let (range, line) = sources.whole_lines(Span { file, ..whole });
    let text = sources.text(file).get(range.clone()).unwrap_or("");
    // Lines may end in carriage returns alone.
    let shown = match text.contains('\r') && !text.contains('\n') {
        true => Cow::Owned(text.replace('\r', "\n")),
        false => Cow::Borrowed(text),
    };
    let (shown, place) = match shown {
        Cow::Borrowed(text) => visible_with_places(text),
        Cow::Owned(text) => {
            let (shown, place) = visible_with_places(&text);
            (Cow::Owned(shown.into_owned()), place)
        }
    };
    let mut snippet = Snippet::source(shown).path(visible(sources.path(file))).line_start(line);
    for (kind, label) in labels {
        let start = boundary(text, (label.span.start as usize).saturating_sub(range.start));
        let end = boundary(text, (label.span.end as usize).saturating_sub(range.start)).max(start);
        let mut annotation = kind.span(place(start)..place(end));
        if !label.text.is_empty() {
            annotation = annotation.label(visible(&label.text));
        }
        snippet = snippet.annotation(annotation);
    }
    snippet
}

/// The nearest character boundary at or before `at`.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

/// A diagnostic as data, as programs receive it. Its JSON has these fields in this order, and those
/// of the place in place of `place`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Shown {
    /// The id of its code, such as `TG0203`.
    pub code: &'static str,
    /// The name of its code, such as `unknown-type`.
    pub name: &'static str,
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// One sentence without a full stop.
    pub message: String,
    /// The place; none for errors outside input files.
    #[serde(flatten)]
    pub place: Option<Place>,
    /// All places with a text, that of the diagnostic included.
    pub labels: Vec<ShownLabel>,
    /// Further facts.
    pub notes: Vec<String>,
    /// How to fix it.
    pub help: Vec<String>,
    /// The edits that its helps describe.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<ShownFix>,
    /// The change that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<serde_json::Value>,
    /// All of it as text, with source lines and carets; ends in a line break.
    #[serde(skip)]
    pub text: String,
}

/// A place in a file: lines and columns count from 1, columns in characters; the end is exclusive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Place {
    /// The path, as given.
    pub file: String,
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    pub end_column: usize,
}

/// A place with a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownLabel {
    /// The place.
    #[serde(flatten)]
    pub place: Place,
    /// The text.
    pub message: String,
}

/// Edits that fix an error together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownFix {
    /// The help that describes it.
    pub message: String,
    /// Whether it is right without a look at it.
    pub applicability: Applicability,
    /// The edits, ascending; they do not overlap.
    pub edits: Vec<ShownEdit>,
}

/// A place and its new text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownEdit {
    /// The place.
    #[serde(flatten)]
    pub place: Place,
    /// The text there.
    pub old: String,
    /// The text to write there.
    pub new: String,
    /// The place in bytes.
    #[serde(skip)]
    pub bytes: std::ops::Range<usize>,
}

/// A diagnostic as data.
pub fn shown(diagnostic: &Diagnostic, sources: &Sources) -> Shown {
    Shown { text: human(diagnostic, sources, Color::Never), ..without_text(diagnostic, sources) }
}

/// The same without its text.
fn without_text(diagnostic: &Diagnostic, sources: &Sources) -> Shown {
    let place = |span| {
        let at = sources.locate(span);
        let (line, column, end_line, end_column) = (at.line, at.column, at.end_line, at.end_column);
        Place { file: at.path.to_owned(), line, column, end_line, end_column }
    };
    let text = |text: &str| visible(text).into_owned();
    let edit = |Edit { span, old, new }: Edit| ShownEdit { place: place(span), old, new, bytes: span.range() };
    let fix = |Fix { message, applicability, edits }: Fix| ShownFix {
        message: text(&message),
        applicability,
        edits: edits.into_iter().map(edit).collect(),
    };
    let primary = diagnostic.primary.iter().filter(|label| !label.text.is_empty());
    let label = |label: &Label| ShownLabel { place: place(label.span), message: visible(&label.text).into_owned() };
    Shown {
        code: diagnostic.code.id,
        name: diagnostic.code.name,
        severity: diagnostic.severity.as_str(),
        message: visible(&diagnostic.message).into_owned(),
        place: diagnostic.primary.as_ref().map(|label| place(label.span)),
        labels: primary.chain(&diagnostic.labels).map(label).collect(),
        notes: diagnostic.notes.iter().map(|note| text(note)).collect(),
        help: diagnostic.help.iter().map(|help| text(help)).collect(),
        fixes: diagnostic.fixes(sources).into_iter().map(fix).collect(),
        change: diagnostic.change.as_deref().and_then(|change| serde_json::from_str(change).ok()),
        text: String::new(),
    }
}

/// A diagnostic as one line of JSON, without the line break. The place is omitted if there is none;
/// `labels` holds all labels with a text, the primary one included.
pub fn json(diagnostic: &Diagnostic, sources: &Sources) -> String {
    serde_json::to_string(&without_text(diagnostic, sources)).expect("strings and numbers always serialize")
}

/// A diagnostic as a GitHub workflow command: one line, without the line break. Carets cannot be
/// shown there, so help and notes follow the message.
pub fn github(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let level = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut properties = Vec::new();
    // What is gone has no place in the checkout.
    let is_gone = diagnostic.change.is_some() && diagnostic.labels.is_empty();
    if let Some(label) = diagnostic.primary.as_ref().filter(|label| !is_gone || label.text.is_empty()) {
        let at = sources.locate(label.span);
        // GitHub identifies files by their paths from the root of the checkout.
        properties.push(format!("file={}", escape_property(at.path.trim_start_matches("./"))));
        properties.push(format!("line={},endLine={}", at.line, at.end_line));
        // GitHub refuses columns in ranges over several lines.
        if at.line == at.end_line {
            properties.push(format!("col={},endColumn={}", at.column, at.end_column));
        }
    }
    let CodeInfo { id, name, .. } = diagnostic.code;
    properties.push(if id == name { format!("title={name}") } else { format!("title={id} {name}") });
    let mut message = diagnostic.message.clone();
    for label in diagnostic.primary.iter().filter(|label| !label.text.is_empty()).chain(&diagnostic.labels) {
        let at = sources.locate(label.span);
        message.push_str(&format!("\n{}:{}:{}: {}", at.path, at.line, at.column, label.text));
    }
    let notes = diagnostic.notes.iter().map(|text| ("note", text.as_str()));
    for (word, text) in notes.chain(diagnostic.help.iter().map(|text| ("help", text.as_str()))) {
        message.push_str(&format!("\n{word}: {text}"));
    }
    format!("::{level} {}::{}", properties.join(","), escape(&message))
}

fn escape(text: &str) -> String {
    visible(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escape_property(text: &str) -> String {
    escape(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::codes;
    use super::*;

    fn sample(sources: &mut Sources) -> Diagnostic {
        let text = "- func: a\n  dispatch:\n    CPU: é x\n    CUDA: y\n    CPU: z\n".to_owned();
        let file = sources.add("native_functions.yaml", text);
        Diagnostic::new(&codes::DUPLICATE_KEY, "duplicate key `CPU`")
            .at(Span::new(file, 52, 55))
            .also(Span::new(file, 26, 29), "first here")
            .help("delete one")
            .note("they differ")
    }

    #[test]
    fn for_people() {
        let mut sources = Sources::new();
        let diagnostic = sample(&mut sources);
        let expected = "\
error[TG0101]: duplicate key `CPU`
 --> native_functions.yaml:5:5
  |
3 |     CPU: é x
  |     --- first here
4 |     CUDA: y
5 |     CPU: z
  |     ^^^
  |
  = note: they differ
  = help: delete one
";
        assert_eq!(human(&diagnostic, &sources, Color::Never), expected);
        assert!(human(&diagnostic, &sources, Color::Always).contains("\u{1b}["));
        let bare = Diagnostic::new(&codes::USAGE, "no source path").help("give `-s DIR`");
        assert_eq!(human(&bare, &sources, Color::Never), "error[TG0001]: no source path\n |\n = help: give `-s DIR`\n");
    }

    #[test]
    fn for_machines() {
        let mut sources = Sources::new();
        let diagnostic = sample(&mut sources);
        assert_eq!(
            json(&diagnostic, &sources),
            "{\"code\":\"TG0101\",\"name\":\"duplicate-key\",\"severity\":\"error\",\"message\":\"duplicate key `CPU`\",\
             \"file\":\"native_functions.yaml\",\"line\":5,\"column\":5,\"end_line\":5,\"end_column\":8,\
             \"labels\":[{\"file\":\"native_functions.yaml\",\"line\":3,\"column\":5,\"end_line\":3,\"end_column\":8,\
             \"message\":\"first here\"}],\"notes\":[\"they differ\"],\"help\":[\"delete one\"]}"
        );
        let bare = Diagnostic::new(&codes::USAGE, "no source path");
        assert_eq!(
            json(&bare, &sources),
            "{\"code\":\"TG0001\",\"name\":\"usage\",\"severity\":\"error\",\"message\":\"no source path\",\
             \"labels\":[],\"notes\":[],\"help\":[]}"
        );
    }

    #[test]
    fn for_github() {
        let mut sources = Sources::new();
        let diagnostic = sample(&mut sources);
        assert_eq!(
            github(&diagnostic, &sources),
            "::error file=native_functions.yaml,line=5,endLine=5,col=5,endColumn=8,title=TG0101 duplicate-key::duplicate key `CPU`\
             %0Anative_functions.yaml:3:5: first here%0Anote: they differ%0Ahelp: delete one"
        );
        let bare = Diagnostic::new(&codes::USAGE, "100% no");
        assert_eq!(github(&bare, &sources), "::error title=TG0001 usage::100%25 no");
    }

    #[test]
    fn any_span_can_be_shown() {
        let mut sources = Sources::new();
        let file = sources.add("a", "é\n".to_owned());
        for (start, end) in [(0, 1), (1, 2), (3, 3), (3, 90), (70, 90)] {
            let diagnostic = Diagnostic::new(&codes::USAGE, "x").at(Span::new(file, start, end));
            assert!(human(&diagnostic, &sources, Color::Never).contains("--> a:"), "{start}..{end}");
        }
    }
}
