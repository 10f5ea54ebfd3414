//! The fixes of a diagnostic: edits of files, each with the text that it replaces.
//!
//! Invariant: an edit lies in its file, on character boundaries, and changes it. The edits of a fix
//! do not overlap. If one of them cannot be placed, there is no fix.

use serde::{Deserialize, Serialize};

use super::help::{Change, Help, Remedy};
use super::{Applicability, Diagnostic, FileId, Sources, Span};

/// Edits that fix an error together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fix {
    /// The help that describes it.
    pub message: String,
    /// Whether it is right without a look at it.
    pub applicability: Applicability,
    /// The edits, ascending.
    pub edits: Vec<Edit>,
}

/// A place and its new text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edit {
    /// The place.
    pub span: Span,
    /// The text there.
    pub old: String,
    /// The text to write there.
    pub new: String,
}

impl Diagnostic {
    /// Its fixes, in the order of its helps.
    pub fn fixes(&self, sources: &Sources) -> Vec<Fix> {
        let place = self.primary.as_ref().map(|label| label.span);
        self.help.iter().filter_map(|help| fix(help, place, sources)).collect()
    }
}

fn fix(help: &Help, place: Option<Span>, sources: &Sources) -> Option<Fix> {
    let Remedy { applicability, changes } = help.fix.as_ref()?;
    let edits: Option<Vec<Edit>> = changes.iter().map(|change| edit(change, place, sources)).collect();
    let mut edits = edits?;
    edits.sort();
    edits.dedup();
    let overlap = |pair: &[Edit]| pair[0].span.file == pair[1].span.file && pair[1].span.start < pair[0].span.end;
    let is_nothing = edits.is_empty() || edits.iter().any(|edit| edit.old == edit.new);
    let fix = Fix { message: help.as_str().to_owned(), applicability: *applicability, edits };
    (!is_nothing && !fix.edits.windows(2).any(overlap)).then_some(fix)
}

fn edit(change: &Change, place: Option<Span>, sources: &Sources) -> Option<Edit> {
    let of = |span: Span, new: &str| {
        let old = sources.text(span.file).get(span.range())?.to_owned();
        Some(Edit { span, old, new: new.to_owned() })
    };
    match change {
        Change::At { span, by } => of(*span, by),
        Change::Whole { by } => of(place?, by),
        Change::With { before, by } => {
            let place = place?;
            let start = sources.text(place.file).get(..place.start as usize)?.strip_suffix(before.as_str())?.len();
            of(Span::new(place.file, start, place.end as usize), by)
        }
        Change::Word { word, by } => {
            let place = place?;
            let at = only(sources.snippet(place), word)? + place.start as usize;
            of(Span::new(place.file, at, at + word.len()), by)
        }
        Change::After { text, by } => {
            let place = place?;
            let rest = sources.text(place.file).get(place.start as usize..)?;
            let line = rest.lines().next().unwrap_or_default();
            let at = line.find(text.as_str())? + place.start as usize;
            of(Span::new(place.file, at, at + text.len()), by)
        }
        Change::Key { key, after, line } => added(*key, *after, line, sources),
        Change::Without { key, value } => of(lines_of(key, *value, sources)?, ""),
    }
}

/// The only place of a word in a text.
fn only(text: &str, word: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let is_word = |at: &usize| {
        let (before, after) = (text[..*at].chars().next_back(), text[at + word.len()..].chars().next());
        !(word.starts_with(is_part) && before.is_some_and(is_part)
            || word.ends_with(is_part) && after.is_some_and(is_part))
    };
    if word.is_empty() {
        return None;
    }
    let mut places = text.match_indices(word).map(|(at, _)| at).filter(is_word);
    places.next().filter(|_| places.next().is_none())
}

/// A line that is added below the one in which a value ends, indented as a key of its mapping.
fn added(key: Span, after: Span, line: &str, sources: &Sources) -> Option<Edit> {
    let text = sources.text(key.file);
    if key.file != after.file {
        return None;
    }
    let start = text.get(..key.start as usize)?.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let before = &text[start..key.start as usize];
    // In a mapping on one line, a line of its own would end it.
    if !before.chars().all(|c| c == ' ' || c == '-') {
        return None;
    }
    let rest = text.get(after.end as usize..)?;
    let end = after.end as usize + rest.find(['\n', '\r']).unwrap_or(rest.len());
    // Something else than a comment goes on after the value.
    let tail = text[after.end as usize..end].trim_start();
    if !(tail.is_empty() || tail.starts_with('#')) {
        return None;
    }
    let stop = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let indent = " ".repeat(before.len());
    let new = line.lines().map(|line| format!("{stop}{indent}{line}")).collect();
    Some(Edit { span: Span::new(key.file, end, end), old: String::new(), new })
}

/// The lines of a key and its value.
fn lines_of(key: &str, value: Span, sources: &Sources) -> Option<Span> {
    let text = sources.text(value.file);
    let before = text.get(..value.start as usize)?.trim_end().strip_suffix(':')?.trim_end().strip_suffix(key)?;
    let start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    // The first key of an entry has its dash, and those of a mapping in braces its commas.
    if !before[start..].bytes().all(|byte| byte == b' ') {
        return None;
    }
    // The place of a mapping may end where something else begins.
    let end = value.start as usize + text.get(value.range())?.trim_end().len();
    let rest = &text[end..];
    let line = rest.find('\n').unwrap_or(rest.len());
    rest[..line].trim().is_empty().then(|| Span::new(value.file, start, (end + line + 1).min(text.len())))
}

/// A fix as data that outlives its run: files are named by numbers that the caller knows.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct KeptFix {
    help: usize,
    applicability: Applicability,
    edits: Vec<(u32, u32, u32, String)>,
}

impl Diagnostic {
    /// Its fixes as data, each with the number of its help.
    pub fn keep_fixes(&self, sources: &Sources) -> Vec<KeptFix> {
        let place = self.primary.as_ref().map(|label| label.span);
        let kept = |(help, fix): (usize, Fix)| KeptFix {
            help,
            applicability: fix.applicability,
            edits: fix.edits.into_iter().map(|it| (it.span.file.0, it.span.start, it.span.end, it.new)).collect(),
        };
        let helps = self.help.iter().enumerate();
        helps.filter_map(|(at, help)| Some((at, fix(help, place, sources)?))).map(kept).collect()
    }

    /// Puts fixes back that were kept. `file` finds the file of a number; a fix of an unknown one
    /// is left out.
    pub fn recall_fixes(&mut self, kept: &[KeptFix], file: impl Fn(u32) -> Option<FileId>) {
        for KeptFix { help, applicability, edits } in kept {
            let change = |(number, start, end, new): &(u32, u32, u32, String)| {
                let span = Span::new(file(*number)?, *start as usize, *end as usize);
                Some(Change::At { span, by: new.clone() })
            };
            let changes: Option<Vec<Change>> = edits.iter().map(change).collect();
            if let (Some(help), Some(changes)) = (self.help.get_mut(*help), changes) {
                help.fix = Some(Remedy { applicability: *applicability, changes });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::codes;
    use super::*;

    /// The text after the only fix of a help for the bytes of `place`; `None` without one.
    fn fixed(text: &str, place: &str, help: Help) -> Option<String> {
        let mut sources = Sources::new();
        let file = sources.add("f.yaml", text.to_owned());
        let at = text.find(place).expect("the place is in the text");
        let found = Diagnostic::new(&codes::USAGE, "x").at(Span::new(file, at, at + place.len())).help(help);
        let fixes = found.fixes(&sources);
        let mut new = text.to_owned();
        for edit in fixes.first()?.edits.iter().rev() {
            assert_eq!(&new[edit.span.range()], edit.old);
            new.replace_range(edit.span.range(), &edit.new);
        }
        Some(new)
    }

    #[track_caller]
    fn check(text: &str, place: &str, help: Help, expected: Option<&str>) {
        assert_eq!(fixed(text, place, help).as_deref(), expected);
    }

    #[test]
    fn words_of_a_place() {
        let help = || Help::new("did you mean `CPU`?").word("CPUU", "CPU");
        check("é: CPUU # CPUU", "CPUU", help(), Some("é: CPU # CPUU"));
        check("a: 'CPUU'", "'CPUU'", help(), Some("a: 'CPU'"));
        check("a: CPUU, CPUU", "CPUU, CPUU", help(), None);
        check("a: XCPUU, CPUU_", "XCPUU, CPUU_", help(), None);
        check("a: b", "b", Help::new("x").word("", "c"), None);
        check("a: b", "b", Help::new("x").word("b", "b"), None);
        check("a: b", "b", Help::new("x"), None);
    }

    #[test]
    fn whole_places_and_others() {
        check("a: b c", "b", Help::write("d"), Some("a: d c"));
        check("a: b = c = d", "b", Help::new("x").after("=", ":"), Some("a: b : c = d"));
        check("a: b\n=", "b", Help::new("x").after("=", ":"), None);
        check("a: b[]!", "!", Help::new("x").with_before("[]", "(a!)[]"), Some("a: b(a!)[]"));
        check("a: b?!", "!", Help::new("x").with_before("[]", "(a!)[]"), None);
        let other = |start, end| Help::write("d").at(Span::new(FileId(0), start, end), "e");
        check("a: b", "b", other(0, 1), Some("e: d"));
        check("a: b", "b", other(2, 4), None);
        check("a: b", "b", other(9, 12), None);
    }

    #[test]
    fn added_keys() {
        let help = |key: (usize, usize), after: (usize, usize)| {
            let span = |(start, end)| Span::new(FileId(0), start, end);
            Help::new("x").key(span(key), span(after), "b:\n  c: d")
        };
        check("- a: 1\n- x", "a", help((2, 3), (5, 6)), Some("- a: 1\n  b:\n    c: d\n- x"));
        check("- a: 1 # é\r\n- x", "a", help((2, 3), (5, 6)), Some("- a: 1 # é\r\n  b:\r\n    c: d\r\n- x"));
        check("- a: 1", "a", help((2, 3), (5, 6)), Some("- a: 1\n  b:\n    c: d"));
        check("- {a: 1}", "a", help((3, 4), (6, 7)), None);
        check("- a: [1, 2]", "a", help((2, 3), (6, 7)), None);
    }

    #[test]
    fn deleted_keys() {
        let help = |start, end| Help::new("x").without("b", Span::new(FileId(0), start, end));
        check("- a: 1\n  b: 2 \n  c: 3\n", "a", help(12, 13), Some("- a: 1\n  c: 3\n"));
        check("- a: 1\r\n  b:\r\n    d: 2\r\n- c: 3\r\n", "a", help(18, 24), Some("- a: 1\r\n- c: 3\r\n"));
        check("- a: 1\n  b: 2", "a", help(12, 13), Some("- a: 1\n"));
        check("- b: 1\n  c: 2", "c", help(5, 6), None);
        check("- {a: 1, b: 2}", "a", help(12, 13), None);
        check("- a: 1\n  b: 2 # c", "a", help(12, 13), None);
        check("- a: 1\n  c: 2", "a", help(12, 13), None);
    }

    #[test]
    fn kept_fixes() {
        let mut sources = Sources::new();
        let file = sources.add("f.yaml", "a: b".to_owned());
        let found = || Diagnostic::new(&codes::USAGE, "x").at(Span::new(file, 3, 4)).help("say");
        let found = (found().help(Help::write("c").certainly()), found().help("write `c`"));
        let kept = found.0.keep_fixes(&sources);
        let mut other = found.1;
        other.recall_fixes(&kept, |number| (number == file.0).then_some(file));
        assert_eq!(other.fixes(&sources), found.0.fixes(&sources));
        assert_eq!(other.fixes(&sources)[0].applicability, Applicability::Certain);
    }
}
