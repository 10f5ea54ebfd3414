//! Which fixes of a run can be applied together, and the texts after them.
//!
//! Invariant: edits that are applied together do not touch. Bytes beside them stay as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;

use torchgen_base::diag::{Applicability, Place};

/// A fix of a diagnostic. Certain ones come first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    pub(super) applicability: Applicability,
    pub(super) edits: Vec<FileEdit>,
}

/// An edit of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FileEdit {
    /// The file, by absolute path.
    pub(super) file: PathBuf,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) old: String,
    pub(super) new: String,
}

impl FileEdit {
    /// Whether the places of two edits have a byte in common, or touch where one inserts.
    fn touches(&self, other: &FileEdit) -> bool {
        let inserts = self.start == self.end || other.start == other.end;
        let apart = match inserts {
            true => self.end < other.start || other.end < self.start,
            false => self.end <= other.start || other.end <= self.start,
        };
        self.file == other.file && !apart
    }
}

/// The candidates that can be applied together: certain ones first, then those before others.
pub(super) fn chosen(candidates: BTreeSet<Candidate>) -> Vec<Candidate> {
    let mut chosen: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        let mut taken = chosen.iter().flat_map(|other| &other.edits);
        if !taken.any(|edit| candidate.edits.iter().any(|own| own.touches(edit))) {
            chosen.push(candidate);
        }
    }
    chosen
}

/// The places that edits made, by file.
pub(super) type Places = BTreeMap<PathBuf, Vec<Range<usize>>>;

/// Applies candidates to texts. Returns the places of each candidate in the new texts; `None` if a
/// text is not what the edits replace.
pub(super) fn applied(chosen: &[Candidate], texts: &mut BTreeMap<PathBuf, String>) -> Option<Vec<Places>> {
    let mut places = vec![Places::new(); chosen.len()];
    let mut by_file: BTreeMap<&PathBuf, Vec<(&FileEdit, usize)>> = BTreeMap::new();
    for (at, candidate) in chosen.iter().enumerate() {
        candidate.edits.iter().for_each(|edit| by_file.entry(&edit.file).or_default().push((edit, at)));
    }
    for (file, mut edits) in by_file {
        edits.sort_by_key(|(edit, _)| edit.start);
        let old = texts.get(file)?;
        let (mut new, mut from) = (String::with_capacity(old.len()), 0);
        for (edit, at) in edits {
            if old.get(edit.start..edit.end)? != edit.old {
                return None;
            }
            new.push_str(old.get(from..edit.start)?);
            let start = new.len();
            new.push_str(&edit.new);
            places[at].entry(file.clone()).or_default().push(start..new.len());
            from = edit.end;
        }
        new.push_str(old.get(from..)?);
        texts.insert(file.clone(), new);
    }
    Some(places)
}

/// The bytes of a place in a text.
pub(super) fn bytes(text: &str, place: &Place) -> Range<usize> {
    let mut starts = vec![0];
    let all = text.as_bytes();
    let ends = |at: &usize| all[*at] == b'\n' || (all[*at] == b'\r' && all.get(at + 1) != Some(&b'\n'));
    starts.extend((0..all.len()).filter(ends).map(|at| at + 1));
    let byte = |line: usize, column: usize| {
        let start = starts.get(line.saturating_sub(1)).copied().unwrap_or(text.len());
        let rest = &text[start..];
        start + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at)
    };
    byte(place.line, place.column)..byte(place.end_line, place.end_column)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: usize, end: usize, old: &str, new: &str) -> FileEdit {
        FileEdit { file: "f".into(), start, end, old: old.to_owned(), new: new.to_owned() }
    }

    fn candidate(applicability: Applicability, edits: &[FileEdit]) -> Candidate {
        Candidate { applicability, edits: edits.to_vec() }
    }

    #[test]
    fn edits_that_touch_wait() {
        let certain = candidate(Applicability::Certain, &[edit(2, 4, "cd", "x")]);
        let all = [
            candidate(Applicability::Likely, &[edit(0, 3, "abc", "y")]),
            certain.clone(),
            candidate(Applicability::Likely, &[edit(4, 4, "", "z")]),
            candidate(Applicability::Likely, &[edit(4, 5, "e", "z")]),
            candidate(Applicability::Likely, &[edit(5, 5, "", "v"), edit(6, 6, "", "w")]),
        ];
        let chosen = chosen(all.iter().cloned().collect());
        assert_eq!(chosen, [certain, all[3].clone()]);
        let mut texts = BTreeMap::from([("f".into(), "abcdef".to_owned())]);
        let places = applied(&chosen, &mut texts).expect("the texts fit");
        assert_eq!(texts[&PathBuf::from("f")], "abxzf");
        assert_eq!(places[1][&PathBuf::from("f")], vec![3..4]);
        assert_eq!(applied(&chosen, &mut texts), None);
    }

    #[test]
    fn places_as_bytes() {
        let place = |line, column, end_line, end_column| Place { file: "f".into(), line, column, end_line, end_column };
        let text = "é\r\nbc\rd";
        assert_eq!(bytes(text, &place(1, 1, 1, 2)), 0..2);
        assert_eq!(bytes(text, &place(2, 2, 3, 1)), 5..7);
        assert_eq!(bytes(text, &place(9, 9, 9, 9)), 8..8);
    }
}
