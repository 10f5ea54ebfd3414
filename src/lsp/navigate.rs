//! Where names are declared and used, and what changes if one is renamed.
//!
//! Invariant: places are those of the texts as they are now.

use std::ops::Range as Bytes;
use std::path::{Path, PathBuf};

use gen_lsp_types::{Location, TextEdit, WorkspaceEdit};

use super::edits;
use super::entries::{Entry, entries, entry_at, path_at};
use super::text::Text;
use super::uri::uri_of;
use super::words::{self, short};

/// What a word under the cursor is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Name {
    /// A declaration of the project.
    Declared(String),
    /// A part of a declaration: its name, and that of the declaration.
    Part(String, String),
    /// A kernel, by the name of its function.
    Kernel(String),
}

/// What the word at a place is; `is_declared`, `is_part` and `is_kernel` say what the project has.
pub(super) fn name(
    text: &Text,
    line: usize,
    column: usize,
    is_declared: impl Fn(&str) -> bool,
    is_part: impl Fn(&str, &str) -> bool,
    is_kernel: impl Fn(&str) -> bool,
) -> Option<(Name, Bytes<usize>)> {
    let own = text.line(line);
    let place = words::at(own, column);
    let word = own.get(place.clone()).filter(|word| !word.is_empty())?;
    if is_kernel(short(word)) && is_dispatched(text, line, column) {
        let start = place.end - short(word).len();
        return Some((Name::Kernel(short(word).to_owned()), start..place.end));
    }
    let entries = entries(text);
    let entry = entry_at(&entries, line);
    let inner = words::identifier(own, column);
    let part = &own[inner.clone()];
    if let Some(entry) = entry.filter(|entry| is_part(&entry.name, part)) {
        return Some((Name::Part(part.to_owned(), entry.name.clone()), inner));
    }
    is_declared(word).then(|| (Name::Declared(word.to_owned()), place))
}

/// The kernel at a place of a C++ source.
pub(super) fn kernel(
    text: &Text,
    line: usize,
    column: usize,
    is_kernel: impl Fn(&str) -> bool,
) -> Option<(Name, Bytes<usize>)> {
    let own = text.line(line);
    let place = words::at(own, column);
    let word = short(own.get(place.clone())?);
    let start = place.end - word.len();
    is_kernel(word).then(|| (Name::Kernel(word.to_owned()), start..place.end))
}

/// Whether a place names a kernel: it is a value below `dispatch`.
fn is_dispatched(text: &Text, line: usize, column: usize) -> bool {
    let path = path_at(text, line, column);
    !path.in_key && path.keys.iter().flatten().any(|key| key == "dispatch")
}

/// Bytes of a text as bytes of its lines.
pub(super) fn lined(path: &Path, text: &Text, places: Vec<Bytes<usize>>) -> Vec<(PathBuf, usize, Bytes<usize>)> {
    let place = |bytes: Bytes<usize>| {
        let (line, start) = text.line_of(bytes.start);
        (path.to_owned(), line, start..start + bytes.len())
    };
    places.into_iter().map(place).collect()
}

/// Whether an entry declares a name. Formulas are about one that another file declares.
fn declares(entry: &Entry, name: &str) -> bool {
    short(&entry.name) == short(name) && entry.key != "name"
}

/// Where texts declare a name.
pub(super) fn declared(texts: &[(PathBuf, Text)], name: &Name) -> Vec<Location> {
    let mut found = Vec::new();
    for (path, text) in texts {
        let (declaration, part) = match name {
            Name::Declared(name) => (name, None),
            Name::Part(part, of) => (of, Some(part)),
            Name::Kernel(_) => continue,
        };
        for entry in entries(text).iter().filter(|entry| declares(entry, declaration)) {
            let line = entry.lines.start;
            let place = match part {
                None => entry.place.clone(),
                Some(part) => match of_part(text.line(line), entry.place.end, part) {
                    Some(place) => place,
                    None => continue,
                },
            };
            found.extend(location(path, text, line, place));
        }
    }
    found
}

/// The first place of a part's name in a schema.
fn of_part(line: &str, from: usize, part: &str) -> Option<Bytes<usize>> {
    line[from..].match_indices(part).map(|(at, _)| from + at).find_map(|start| {
        let own = words::identifier(line, start);
        (own.start == start && own.len() == part.len()).then_some(own)
    })
}

/// Where texts have a name. That of a part counts only in the entries about its declaration.
pub(super) fn used(texts: &[(PathBuf, Text)], name: &Name) -> Vec<(PathBuf, usize, Bytes<usize>)> {
    let mut found = Vec::new();
    for (path, text) in texts {
        match name {
            Name::Declared(name) => {
                let places = words::occurrences(text, short(name), true).into_iter();
                found.extend(places.map(|(line, place)| (path.clone(), line, place)));
            }
            Name::Part(part, of) => {
                let entries = entries(text);
                let about: Vec<_> = entries.iter().filter(|entry| short(&entry.name) == short(of)).collect();
                let is_about = |line: usize| about.iter().any(|entry| entry.lines.contains(&line));
                let places = words::occurrences(text, part, false).into_iter().filter(|(line, _)| is_about(*line));
                found.extend(places.map(|(line, place)| (path.clone(), line, place)));
            }
            Name::Kernel(kernel) => {
                let places = words::occurrences(text, kernel, true).into_iter();
                let named = places.filter(|(line, place)| is_dispatched(text, *line, place.end));
                found.extend(named.map(|(line, place)| (path.clone(), line, place)));
            }
        }
    }
    found
}

/// Places as the protocol has them.
pub(super) fn locations(texts: &[(PathBuf, Text)], places: &[(PathBuf, usize, Bytes<usize>)]) -> Vec<Location> {
    let text = |path: &Path| texts.iter().find(|(known, _)| known == path).map(|(_, text)| text);
    places.iter().filter_map(|(path, line, place)| location(path, text(path)?, *line, place.clone())).collect()
}

fn location(path: &Path, text: &Text, line: usize, place: Bytes<usize>) -> Option<Location> {
    Some(Location { uri: uri_of(path)?, range: text.range(line, place) })
}

/// The edit that writes another name at places.
pub(super) fn renamed(texts: &[(PathBuf, Text)], places: &[(PathBuf, usize, Bytes<usize>)], to: &str) -> WorkspaceEdit {
    let edit = |Location { uri, range }| (uri, TextEdit { range, new_text: to.to_owned() });
    edits::changes(locations(texts, places).into_iter().map(edit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::text::Encoding;

    #[test]
    fn declarations_and_uses() {
        let text = |text: &str| Text::new(text.to_owned(), Encoding::Utf8);
        let operators = text(
            "- func: f.out(Tensor x, int n) -> Tensor\n- func: g(Tensor x) -> Tensor\n  structured_delegate: f.out\n",
        );
        let formulas = text("- name: f.out(Tensor x, int n) -> Tensor\n  x: g(x) # x\n");
        let texts = [(PathBuf::from("/o"), operators.clone()), (PathBuf::from("/d"), formulas.clone())];
        let is_part = |of: &str, word: &str| of == "f.out" && ["x", "n"].contains(&word) || of == "g" && word == "x";
        let at = |text: &Text, line, column| {
            name(text, line, column, |word| ["f.out", "g"].contains(&word), is_part, |_| false)
        };
        let x = Name::Part("x".to_owned(), "f.out".to_owned());
        assert_eq!(at(&formulas, 1, 7), Some((x.clone(), 7..8)));
        assert_eq!(at(&operators, 2, 26), Some((Name::Declared("f.out".to_owned()), 23..28)));
        assert_eq!(at(&operators, 0, 16), None);
        let shown = |places: Vec<Location>| {
            places
                .iter()
                .map(|at| {
                    format!(
                        "{} {}:{}",
                        crate::lsp::uri::path_of(&at.uri).unwrap_or_default().display(),
                        at.range.start.line,
                        at.range.start.character
                    )
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(shown(declared(&texts, &x)), ["/o 0:21"]);
        assert_eq!(shown(locations(&texts, &used(&texts, &x))), ["/o 0:21", "/d 0:21", "/d 1:2", "/d 1:7"]);
        let f = Name::Declared("a::f.out".to_owned());
        assert_eq!(shown(declared(&texts, &f)), ["/o 0:8"]);
        assert_eq!(shown(locations(&texts, &used(&texts, &f))), ["/o 0:8", "/o 2:23", "/d 0:8"]);
    }

    #[test]
    fn kernels_in_both() {
        let yaml = "- func: k(Tensor x) -> Tensor\n  dispatch:\n    CPU: a::native::k\n    CUDA: k # k\n";
        let text = |text: &str| Text::new(text.to_owned(), Encoding::Utf8);
        let operators = text(yaml);
        let at = |line, column| name(&operators, line, column, |word| word == "k", |_, _| false, |word| word == "k");
        let kernel = Name::Kernel("k".to_owned());
        assert_eq!(at(0, 8), Some((Name::Declared("k".to_owned()), 8..9)));
        assert_eq!(at(2, 10), Some((kernel.clone(), 20..21)));
        assert_eq!(at(3, 10), Some((kernel.clone(), 10..11)));
        let path = PathBuf::from("/o");
        let places: Vec<_> = used(&[(path.clone(), operators)], &kernel);
        assert_eq!(places, [(path.clone(), 2, 20..21), (path.clone(), 3, 10..11)]);
        let source = text("int x;\nint a::native::k() {}\n");
        assert_eq!(super::kernel(&source, 1, 6, |word| word == "k"), Some((kernel, 15..16)));
        let start = source.as_str().find("k()").expect("the name");
        let place = start..start + 1;
        assert_eq!(lined(&path, &source, Vec::from([place])), [(path, 1, 15..16)]);
    }
}
