//! Entries of YAML as lines, so that an edit changes what it wants and nothing else.
//!
//! Invariant: the text of an entry that nobody edited is the text that was read.

/// One entry of a list.
#[derive(Clone)]
pub(super) struct Entry {
    /// The line with the dash.
    pub(super) head: String,
    /// The other keys, each with the lines below it.
    pub(super) items: Vec<Vec<String>>,
}

impl Entry {
    /// The entries of a file whose first line begins like this; what is before the first one is
    /// dropped.
    pub(super) fn all(text: &str, start: &str) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        for line in text.lines() {
            if line.starts_with(start) {
                entries.push(Entry { head: line.to_owned(), items: Vec::new() });
            } else if let Some(entry) = entries.last_mut() {
                let is_key = line.starts_with("  ") && line[2..].starts_with(|first: char| first.is_ascii_alphabetic());
                match entry.items.last_mut() {
                    Some(item) if !is_key => item.push(line.to_owned()),
                    _ => entry.items.push(vec![line.to_owned()]),
                }
            }
        }
        entries
    }

    pub(super) fn text(&self) -> String {
        let lines = std::iter::once(&self.head).chain(self.items.iter().flatten());
        lines.map(|line| format!("{line}\n")).collect()
    }

    /// The index of the item with this key.
    pub(super) fn position(&self, key: &str) -> Option<usize> {
        self.items.iter().position(|item| name_of(item) == key)
    }

    /// Sets a key to the rest of its line, at its place or at the end.
    pub(super) fn set(&mut self, key: &str, value: &str) {
        let item = vec![format!("  {key}: {value}")];
        match self.position(key) {
            Some(at) => self.items[at] = item,
            None => self.items.push(item),
        }
    }

    /// The rest of the line of a key.
    pub(super) fn value(&self, key: &str) -> Option<&str> {
        let at = self.position(key)?;
        self.items[at][0].split_once(':').map(|(_, value)| value.trim())
    }
}

/// The key of an item.
pub(super) fn name_of(item: &[String]) -> &str {
    item[0].split(':').next().unwrap_or_default().trim()
}

/// A schema in three parts.
#[derive(Clone)]
pub(super) struct Schema {
    pub(super) name: String,
    pub(super) arguments: Vec<String>,
    /// After the arrow.
    pub(super) returns: String,
}

impl Schema {
    /// The schema in a line such as `- func: …`, with what is before it.
    pub(super) fn of(line: &str) -> Option<(&str, Schema)> {
        let start = line.find(": ")? + 2;
        let (before, text) = line.split_at(start);
        let (name, rest) = text.split_once('(')?;
        let (arguments, returns) = rest.rsplit_once(") -> ").unwrap_or((rest.strip_suffix(')')?, ""));
        let schema = Schema { name: name.to_owned(), arguments: split(arguments), returns: returns.to_owned() };
        Some((before, schema))
    }

    pub(super) fn text(&self) -> String {
        let arrow = if self.returns.is_empty() { "" } else { " -> " };
        format!("{}({}){arrow}{}", self.name, self.arguments.join(", "), self.returns)
    }
}

/// The parts between commas that are in no bracket and no string.
pub(super) fn split(text: &str) -> Vec<String> {
    let (mut parts, mut depth, mut quoted) = (vec![String::new()], 0, false);
    for character in text.chars() {
        match character {
            '"' | '\'' => quoted = !quoted,
            '(' | '[' if !quoted => depth += 1,
            ')' | ']' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().expect("a part").push(character);
    }
    parts.iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// Type, name and default of an argument.
pub(super) fn parts(argument: &str) -> Option<(&str, &str, Option<&str>)> {
    let (declared, default) = match argument.split_once('=') {
        Some((declared, default)) => (declared, Some(default)),
        None => (argument, None),
    };
    let (kind, name) = declared.rsplit_once(' ')?;
    Some((kind, name, default))
}
