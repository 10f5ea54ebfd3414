//! The entries of a YAML text by its lines: operators, nodes, formulas.
//!
//! Invariant: works on any text, also on one that is not YAML while somebody types. The name of an
//! entry follows from its first line alone.

use std::ops::Range;

use super::text::Text;

/// An entry of a list, or a key of the outermost mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// The key of its first line, such as `func`.
    pub(super) key: String,
    /// What it is called: the value of its first line, up to a parenthesis.
    pub(super) name: String,
    /// The bytes of the name in its first line.
    pub(super) place: Range<usize>,
    /// Its lines; blank ones and comments at the end are not among them.
    pub(super) lines: Range<usize>,
}

/// The entries of a text, in order.
pub(super) fn entries(text: &Text) -> Vec<Entry> {
    let mut found: Vec<Entry> = Vec::new();
    // The indentation of the list that has the entries.
    let mut list: Option<usize> = None;
    for at in 0..text.len() {
        let line = text.line(at);
        let content = line.trim_start();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let indent = line.len() - content.len();
        let dashed = content.strip_prefix("- ");
        let begins = match (dashed, list) {
            (Some(_), Some(known)) => indent <= known,
            (Some(_), None) => true,
            (None, _) => indent == 0,
        };
        if !begins {
            if let Some(last) = found.last_mut() {
                last.lines.end = at + 1;
            }
            continue;
        }
        list = dashed.map(|_| indent).or(if indent == 0 && dashed.is_none() { None } else { list });
        let start = line.len() - dashed.unwrap_or(content).trim_start().len();
        let Some((key, value)) = key_and_value(&line[start..]) else {
            if let Some(last) = found.last_mut() {
                last.lines.end = at + 1;
            }
            continue;
        };
        let place = match dashed {
            Some(_) => bytes_of_value(&line[start..], value, start),
            None => start..start + key.len(),
        };
        found.push(Entry { key: key.to_owned(), name: line[place.clone()].to_owned(), place, lines: at..at + 1 });
    }
    found
}

/// The entry that has a line.
pub(super) fn entry_at(entries: &[Entry], line: usize) -> Option<&Entry> {
    entries.iter().rev().find(|entry| entry.lines.start <= line)
}

/// The bytes of a value up to a parenthesis or a blank; `from` is where the text begins.
fn bytes_of_value(text: &str, value: usize, from: usize) -> Range<usize> {
    let rest = &text[value..];
    let inner = rest.trim_start_matches(['"', '\'', ' ', '{']);
    let start = value + rest.len() - inner.len();
    // `{node: Add}` ends a name as a key does, `n::add` does not.
    let ends = |(at, c): &(usize, char)| match c {
        ':' => inner[at + 1..].is_empty() || inner[at + 1..].starts_with(' '),
        _ => matches!(c, '(' | ' ' | '"' | '\'' | ',' | '}'),
    };
    let length = inner.char_indices().find(ends).map_or(inner.len(), |(at, _)| at);
    from + start..from + start + length
}

/// The key of a line that begins with it, and where the value begins.
pub(super) fn key_and_value(line: &str) -> Option<(&str, usize)> {
    let line_end = line.len();
    let colon = line.match_indices(':').find(|(at, _)| line[at + 1..].is_empty() || line[at + 1..].starts_with(' '))?.0;
    let key = line[..colon].trim_matches(['"', '\'', ' ', '{']);
    let is_key = !key.is_empty() && !key.contains(['(', '#', '"']);
    let value = (colon + 1..line_end).find(|&at| !line[at..].starts_with(' ')).unwrap_or(line_end);
    is_key.then_some((key, value))
}

/// Where a place is among keys.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Path {
    /// The keys from the outermost; `None` for an item of a list.
    pub(super) keys: Vec<Option<String>>,
    /// Whether the place is in a key, or where one would be.
    pub(super) in_key: bool,
    /// The keys beside it.
    pub(super) beside: Vec<String>,
}

/// The keys around a place; the column is a byte.
pub(super) fn path_at(text: &Text, line: usize, column: usize) -> Path {
    let mut stack: Vec<(usize, Option<&str>)> = Vec::new();
    for at in 0..line {
        let (indent, dashes, content) = parts(text.line(at));
        if content.is_empty() && dashes.is_empty() || content.starts_with('#') {
            continue;
        }
        descend(&mut stack, indent, &dashes);
        if let Some((key, _)) = key_and_value(content) {
            stack.push((indent, Some(key)));
        }
    }
    let own = text.line(line);
    let before = own.get(..column.min(own.len())).unwrap_or(own);
    let (indent, dashes, content) = parts(own);
    // On a blank line, the keys are those of where the cursor is.
    let indent = if content.is_empty() && dashes.is_empty() { before.len() } else { indent };
    descend(&mut stack, indent, &dashes);
    let own_key = key_and_value(content);
    let in_key = match own_key {
        Some(_) => before.len() <= indent + content.find(':').unwrap_or(content.len()),
        None => before.get(indent..).is_none_or(|typed| !typed.contains([' ', '(', '"'])),
    };
    let mut keys: Vec<Option<String>> = stack.iter().map(|(_, key)| key.map(str::to_owned)).collect();
    if let (false, Some((key, _))) = (in_key, own_key) {
        keys.push(Some(key.to_owned()));
    }
    Path { keys, in_key, beside: beside(text, line, indent) }
}

/// Leaves what a line with this indentation and these dashes is not part of, and enters its items.
fn descend(stack: &mut Vec<(usize, Option<&str>)>, indent: usize, dashes: &[usize]) {
    for &dash in dashes {
        // A list may have the indentation of its key.
        while stack.last().is_some_and(|(at, key)| *at > dash || (*at == dash && key.is_none())) {
            stack.pop();
        }
        stack.push((dash, None));
    }
    while stack.last().is_some_and(|(at, _)| *at >= indent) {
        stack.pop();
    }
}

/// The other keys of the mapping that has a line, whose keys have this indentation.
fn beside(text: &Text, line: usize, level: usize) -> Vec<String> {
    let mut found = Vec::new();
    let mut see = |at: usize| {
        let (indent, dashes, content) = parts(text.line(at));
        if content.is_empty() || content.starts_with('#') {
            return true;
        }
        if indent == level {
            found.extend(key_and_value(content).map(|(key, _)| key.to_owned()));
        }
        dashes.first().copied().unwrap_or(indent) >= level
    };
    // The first line of an item has its dash.
    let begins = |at: usize| {
        let (indent, dashes, content) = parts(text.line(at));
        !dashes.is_empty() && indent == level && !content.is_empty()
    };
    if !begins(line) {
        (0..line).rev().find(|&at| !see(at) || begins(at));
    }
    let next = |at: &usize| !begins(*at);
    (line + 1..text.len()).take_while(next).find(|&at| !see(at));
    found
}

/// The indentation of a line's content after its dashes, their columns, and the content.
fn parts(line: &str) -> (usize, Vec<usize>, &str) {
    let mut dashes = Vec::new();
    let mut rest = line.trim_start();
    while let Some(inner) = rest.strip_prefix("- ").or_else(|| (rest == "-").then_some("")) {
        dashes.push(line.len() - rest.len());
        rest = inner.trim_start();
    }
    (line.len() - rest.len(), dashes, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::text::Encoding;

    const OPERATORS: &str = "# a comment\n- func: add.Tensor(Tensor self) -> Tensor\n  dispatch:\n    CPU: add_cpu\n    \n  tags: core\n\n- func: relu(Tensor self) -> Tensor\n";
    const NODES: &str = "family: graph-ir\nops:\n- node: \"Add(Tensor a)\"\n  doc: x\n- node: Sub\nnamespace: glow\n";

    fn text(text: &str) -> Text {
        Text::new(text.to_owned(), Encoding::Utf8)
    }

    #[test]
    fn names_and_lines() {
        let summary = |of: &str| {
            entries(&text(of))
                .iter()
                .map(|e| format!("{} {} {:?} {:?}", e.key, e.name, e.place, e.lines))
                .collect::<Vec<_>>()
        };
        assert_eq!(summary(OPERATORS), ["func add.Tensor 8..18 1..6", "func relu 8..12 7..8"]);
        let expected = [
            "family family 0..6 0..1",
            "ops ops 0..3 1..2",
            "node Add 9..12 2..4",
            "node Sub 8..11 4..5",
            "namespace namespace 0..9 5..6",
        ];
        assert_eq!(summary(NODES), expected);
        assert_eq!(summary("\t- : -\n- \n-\nfunc"), Vec::<String>::new());
    }

    #[test]
    fn keys_around_a_place() {
        let path = |of: &str, line, column| {
            let Path { keys, in_key, beside } = path_at(&text(of), line, column);
            let keys: Vec<String> = keys.into_iter().map(|key| key.unwrap_or_else(|| "-".to_owned())).collect();
            format!("{} {in_key} {}", keys.join("/"), beside.join(","))
        };
        assert_eq!(path(OPERATORS, 1, 4), "- true dispatch,tags");
        assert_eq!(path(OPERATORS, 1, 10), "-/func false dispatch,tags");
        assert_eq!(path(OPERATORS, 3, 6), "-/dispatch true ");
        assert_eq!(path(OPERATORS, 3, 11), "-/dispatch/CPU false ");
        assert_eq!(path(OPERATORS, 4, 4), "-/dispatch true CPU");
        assert_eq!(path(OPERATORS, 4, 2), "- true dispatch,func,tags");
        assert_eq!(path(OPERATORS, 6, 0), " true ");
        assert_eq!(path(NODES, 3, 4), "ops/- true node");
        assert_eq!(path(NODES, 5, 0), " true ops,family");
        assert_eq!(path("- func: f() -> ()\n  di", 1, 4), "- true func");
        assert_eq!(path("", 0, 9), " true ");
    }
}
