//! Compares what a run makes with files that are there: `--against`, and the files of tests.
//!
//! Invariant: one error for each file, at its first difference, with the line of the template whose
//! words the made line has; if none has, there is no place.

use std::path::Path;
use std::sync::Arc;

use torchgen_base::diag::{Diagnostic, FileId, Span, plural};
use torchgen_base::render::trace::Trace;
use torchgen_kit::driver::request::Request;
use torchgen_kit::driver::{JobError, Session};

use super::codes;
use super::report::line;
use super::run::{Read, files};

/// The characters of a line that are shown.
const SHOWN: usize = 200;

/// Compares the files of a run with those of a directory.
///
/// # Errors
/// A file cannot be read. Differences are diagnostics.
pub(crate) fn against(
    read: &Read,
    made: &[(String, String)],
    dir: &Path,
    request: &Request,
    session: &mut Session,
) -> Result<(), JobError> {
    let (mut equal, mut differing, mut all) = (0, Vec::new(), Vec::new());
    for (place, (name, text)) in made.iter().enumerate() {
        let path = dir.join(name);
        match text_of(&path, session)? {
            None => all.push(differs(format!("there is no `{}`", path.display()))),
            Some(other) => match difference(text, &other) {
                Some((number, found)) => differing.push((place, path, number, found)),
                None => equal += 1,
            },
        }
    }
    session.has_found(format!("{equal} of {} as in `{}`", plural(made.len(), "file"), dir.display()));
    if differing.is_empty() {
        session.diagnostics.extend(all);
        return Ok(());
    }
    // Once more, to know what each line is about.
    let operators = read.model.kind("operator").iter().map(|at| read.model.thing(*at).name.clone());
    let trace = Arc::new(Trace::new(operators));
    session.trace = Some(Arc::clone(&trace));
    let renderer = request.renderer("generator", session)?;
    let marked = files(read, &renderer, session)?;
    session.trace = None;
    for (place, path, number, found) in differing {
        let marks = trace.read_marks(std::iter::once(marked[place].1.as_str()));
        let owner = marks.into_iter().take_while(|(line, _)| *line <= number).last();
        let span = source(read, &found.made, session);
        let found = found.diagnostic(&path, number);
        let found = match owner {
            Some((_, note)) => found.note(format!("for `{}`", note.operator)),
            None => found,
        };
        all.push(match span {
            Some(span) => found.at(span),
            None => found,
        });
    }
    session.diagnostics.extend(all);
    Ok(())
}

/// A line that differs.
pub(crate) struct Difference {
    made: String,
    there: Option<String>,
}

impl Difference {
    /// The error.
    pub(crate) fn diagnostic(&self, path: &Path, number: usize) -> Diagnostic {
        let shown = |text: &str| text.chars().take(SHOWN).collect::<String>();
        let there = match &self.there {
            Some(there) => format!("there: {}", shown(there)),
            None => "there: no more lines".to_owned(),
        };
        let found = differs(format!("`{}` is another text from line {number} on", path.display()));
        found.note(format!("made:  {}", shown(&self.made)).trim_end()).note(there.trim_end())
    }
}

/// The first line that differs, and its number from 1.
pub(crate) fn difference(made: &str, there: &str) -> Option<(usize, Difference)> {
    if made == there {
        return None;
    }
    let (mut own, mut others) = (made.split_inclusive('\n'), there.split_inclusive('\n'));
    for number in 1.. {
        match (own.next(), others.next()) {
            (Some(own), Some(other)) if own == other => {}
            (None, None) => break,
            (own, other) => {
                let made = own.unwrap_or_default().to_owned();
                return Some((number, Difference { made, there: other.map(str::to_owned) }));
            }
        }
    }
    None
}

/// The text of a file, if there is one.
///
/// # Errors
/// It cannot be read.
pub(crate) fn text_of(path: &Path, session: &mut Session) -> Result<Option<String>, JobError> {
    if !session.seen.is_file(path) {
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(&session.read_bytes(path)?).into_owned()))
}

/// An error about a file.
pub(crate) fn differs(message: String) -> Diagnostic {
    Diagnostic::new(&codes::DIFFERS, message)
}

/// The line of a template whose words a line has: the one with most of them.
fn source(read: &Read, made: &str, session: &Session) -> Option<Span> {
    let mut templates: Vec<(&String, &FileId)> = read.folder.files.iter().collect();
    templates.sort();
    let mut best = (2, None);
    for (_, file) in templates {
        let text = session.sources.text(*file);
        for (place, own) in text.lines().enumerate() {
            if let Some(score) = shared_words(own, made).filter(|score| *score > best.0) {
                let range = line(text, place + 1);
                best = (score, Some(Span::new(*file, range.start, range.end)));
            }
        }
    }
    best.1
}

/// How many characters of a template's line are in a made line, if all that no tag makes are.
fn shared_words(template: &str, made: &str) -> Option<usize> {
    let (mut rest, mut from, mut score) = (template, 0, 0);
    while !rest.is_empty() {
        let (words, after) = match rest.find("{{").into_iter().chain(rest.find("{%")).min() {
            Some(open) => (&rest[..open], rest[open + 2..].find('}').map_or("", |end| &rest[open + 2 + end + 1..])),
            None => (rest, ""),
        };
        let words = words.trim_matches('}').trim();
        let at = made.get(from..)?.find(words)?;
        from += at + words.len();
        score += words.len();
        rest = after;
    }
    Some(score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_compared_and_found() {
        assert!(difference("a\nb\n", "a\nb\n").is_none());
        assert_eq!(difference("a\nb\n", "a\n").map(|(line, _)| line), Some(2));
        assert_eq!(difference("a\n", "a").map(|(line, _)| line), Some(1));
        assert_eq!(shared_words("  return {{ a.b }}({{ c }});", "  return f(x, y);"), Some(9));
        assert_eq!(shared_words("  return {{ a.b }};", "  throw f;"), None);
    }
}
