//! Recognizes the slips behind libyaml's syntax errors: a missing space, colon or quote, Python's
//! or C++'s way to write a schema.
//!
//! Invariant: only messages depend on it. It reads the lines around an error, and never decides
//! whether there is one.

use std::ops::Range;

use super::fields::DASHES;
use crate::diag::Help;

/// A likely cause of a syntax error.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Slip {
    /// Its place.
    pub(super) at: Range<usize>,
    pub(super) message: String,
    pub(super) help: Help,
}

/// A help shows a line up to this length.
const SHOWN: usize = 90;

/// The cause of an error at byte `at`, if it is a known one. `context` is libyaml's second place.
pub(super) fn slip(text: &str, at: usize, problem: &str, context: Option<(&str, usize)>) -> Option<Slip> {
    match (problem, context) {
        ("mapping values are not allowed in this context", _) => colon(text, at),
        ("did not find expected ',' or '}'", Some((_, open))) => never_closed(text, open..at, '}'),
        ("did not find expected ',' or ']'", Some((_, open))) => never_closed(text, open..at, ']'),
        ("did not find expected alphabetic or numeric character", Some((_, start))) => sign(text, start),
        ("did not find expected key", Some((_, first))) => list_without_key(text, at, first),
        ("could not find expected ':'", Some((_, start))) => bare_key(text, start),
        ("did not find expected '-' indicator", Some((_, first))) => indented_entry(text, at, first),
        ("found unexpected end of stream", Some((_, start))) => open_quote(text, start),
        _ => None,
    }
}

/// A line, and where its first key or value starts: after white space and `- `.
struct Line<'a> {
    start: usize,
    content: usize,
    text: &'a str,
}

impl<'a> Line<'a> {
    /// The line of byte `at`.
    fn around(text: &'a str, at: usize) -> Option<Line<'a>> {
        let start = text.get(..at)?.rfind('\n').map_or(0, |newline| newline + 1);
        let line = text[start..].lines().next().unwrap_or_default();
        let mut rest = line.trim_start();
        while let Some(after) = rest.strip_prefix("- ") {
            rest = after.trim_start();
        }
        Some(Line { start, content: line.len() - rest.len(), text: line.trim_end() })
    }

    /// The next line above it that is neither empty nor a comment.
    fn above(&self, text: &'a str) -> Option<Line<'a>> {
        let mut line = Line::around(text, self.start.checked_sub(1)?)?;
        while line.words().is_empty() || line.words().starts_with('#') {
            line = Line::around(text, line.start.checked_sub(1)?)?;
        }
        Some(line)
    }

    /// The line from its first key or value.
    fn words(&self) -> &'a str {
        self.text.get(self.content..).unwrap_or_default()
    }

    /// Where `words` starts in the text.
    fn first(&self) -> usize {
        self.start + self.content
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// The length of the word at the start.
fn word_len(text: &str) -> usize {
    text.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count()
}

/// A colon where no key can be: the line above is not a key yet, or the colon is inside a value.
fn colon(text: &str, at: usize) -> Option<Slip> {
    let line = Line::around(text, at)?;
    let before = text.get(line.first()..at)?;
    if is_word(before.trim_end()) {
        let above = line.above(text)?;
        return comment(&above)
            .or_else(|| dash(&above))
            .or_else(|| continued(text, &above))
            .or_else(|| not_a_key(&above, line.content));
    }
    let inside = at - line.first();
    in_schema(&line, inside).or_else(|| mapping_on_the_line(&line, inside)).or_else(|| not_quoted(&line, inside))
}

/// Another dash than that of lists.
fn dash(line: &Line<'_>) -> Option<Slip> {
    let sign = line.words().chars().next().filter(|c| *c != ' ' && DASHES.contains(c))?;
    Some(Slip {
        at: line.first()..line.first() + sign.len_utf8(),
        message: format!("`{sign}` is not the dash of a list"),
        help: Help::write("-").certainly(),
    })
}

/// A line that belongs to the schema above it, but begins at the column of keys.
fn continued(text: &str, line: &Line<'_>) -> Option<Slip> {
    let above = line.above(text)?;
    let (key, value) = above.words().split_once(": ")?;
    let is_open = value.matches('(').count() > value.matches(')').count();
    (is_word(key) && is_open && line.content <= above.content).then(|| Slip {
        at: line.first()..line.first() + line.words().len(),
        message: format!("this line is a part of `{key}`, but not indented below it"),
        help: "indent it by two more spaces".into(),
    })
}

/// A text with `: `; `at` is its place in the line's words.
fn not_quoted(line: &Line<'_>, at: usize) -> Option<Slip> {
    let words = line.words();
    let (key, rest) = words.split_once(": ")?;
    let value = rest.split(" #").next().unwrap_or_default().trim();
    if at < key.len() + 2 || !is_word(key) || value.starts_with(['"', '\'', '[', '{', '|', '>', '&', '*', '!']) {
        return None;
    }
    let start = line.first() + words.len() - rest.trim_start().len();
    let quote = if value.contains('\'') { '"' } else { '\'' };
    let whole = format!("write `{key}: {quote}{value}{quote}`");
    let fits = whole.len() <= SHOWN && !value.contains(['"', '\\']);
    Some(Slip {
        at: start..start + value.len(),
        message: "a text with `: ` needs quotes".to_owned(),
        help: match fits {
            true => Help::new(whole).instead(format!("{quote}{value}{quote}")).certainly(),
            false => "put quotes around it".into(),
        },
    })
}

/// A quotation mark that nothing closes.
fn open_quote(text: &str, start: usize) -> Option<Slip> {
    let rest = text.get(start..)?;
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let line = rest.lines().next()?.trim_end();
    let whole = format!("write `{line}{quote}`");
    Some(Slip {
        at: start..start + 1,
        message: format!("`{quote}` is never closed"),
        help: if whole.len() <= SHOWN { whole } else { format!("write `{quote}` at the end of the text") }.into(),
    })
}

/// `// …`, as in C++.
fn comment(line: &Line<'_>) -> Option<Slip> {
    let rest = line.words().strip_prefix("//")?;
    Some(Slip {
        at: line.first()..line.first() + 2,
        message: "`//` does not begin a comment".to_owned(),
        help: Help::new(format!("write `#{rest}`")).instead("#").certainly(),
    })
}

/// `dispatch: CPU: f`; `at` is the place of the second colon in the line's words.
fn mapping_on_the_line(line: &Line<'_>, at: usize) -> Option<Slip> {
    let words = line.words();
    let (key, rest) = words.split_once(": ")?;
    let (inner, value) = rest.split_once(": ")?;
    if at != key.len() + 2 + inner.len() || !is_word(key) || !is_word(inner) || !is_word(value) {
        return None;
    }
    let start = line.first() + key.len() + 2;
    Some(Slip {
        at: start..start + rest.len(),
        message: "`: ` is in this value too".to_owned(),
        help: Help::new(format!("write `{key}: {{{rest}}}` for a mapping, or quotes around a text"))
            .instead(format!("{{{rest}}}")),
    })
}

/// A line that should be a key: `dispatch`, or `tags pointwise`.
fn bare_key(text: &str, start: usize) -> Option<Slip> {
    let line = Line::around(text, start)?;
    if let Some(slip) = continued(text, &line) {
        return Some(slip);
    }
    let words = line.words();
    let (word, rest) = words.split_at(word_len(words));
    // `key = value`, as in other languages.
    let (sign, value) = match rest.trim_start().strip_prefix('=') {
        Some(value) => (rest.len() - value.len(), value.trim_start()),
        None => (0, rest.trim_start()),
    };
    if line.first() != start || word.is_empty() || value.len() == rest.len() && !rest.is_empty() {
        return None;
    }
    let whole = if value.is_empty() { format!("write `{word}:`") } else { format!("write `{word}: {value}`") };
    Some(Slip {
        at: start..start + word.len() + sign,
        message: format!("`:` is missing after `{word}`"),
        help: with_colon(whole, word),
    })
}

/// A help for a key without a colon.
fn with_colon(whole: String, word: &str) -> Help {
    let text = if whole.len() <= SHOWN { whole } else { format!("write `{word}: …`") };
    Help::new(text).instead(format!("{word}:"))
}

/// An entry whose dash is not below the one before.
fn indented_entry(text: &str, at: usize, first: usize) -> Option<Slip> {
    let is_entry = text.get(at..)?.starts_with("- ");
    (is_entry && column(text, at)? != column(text, first)?).then(|| Slip {
        at: at..at + 1,
        message: "this dash is not below the one of the entry before".to_owned(),
        help: "indent the entry like the others of the list".into(),
    })
}

/// The number of bytes before it on its line.
fn column(text: &str, at: usize) -> Option<usize> {
    Some(at - text.get(..at)?.rfind('\n').map_or(0, |newline| newline + 1))
}

/// The line above a key at column `column`: `CPU:f`, or `func f`.
fn not_a_key(line: &Line<'_>, column: usize) -> Option<Slip> {
    let words = line.words();
    let (word, rest) = words.split_at(word_len(words));
    if line.content != column || word.is_empty() {
        return None;
    }
    let first = line.first();
    if let Some(value) = rest.strip_prefix(':').filter(|value| !value.starts_with([':', ' ']) && !value.is_empty()) {
        return Some(Slip {
            at: first..first + words.len(),
            message: "a space is missing after `:`".to_owned(),
            help: Help::write(format!("{word}: {value}")).certainly(),
        });
    }
    let value = rest.strip_prefix(' ')?.trim_start();
    if value.is_empty() || value.contains(": ") {
        return None;
    }
    let whole = format!("write `{word}: {value}`");
    Some(Slip {
        at: first..first + word.len(),
        message: format!("`:` is missing after `{word}`"),
        help: with_colon(whole, word),
    })
}

/// A colon inside a schema, as Python has them; `at` is its place in the line's words.
fn in_schema(line: &Line<'_>, at: usize) -> Option<Slip> {
    let words = line.words();
    let value_at = words.find(": ")? + 2;
    let schema = words.get(value_at..)?;
    let open = value_at + schema.find('(').filter(|open| *open > 0 && !schema[..*open].contains([' ', '"', '\'']))?;
    // A text may quote a function.
    if at < open || words.starts_with("doc:") || words.starts_with("desc:") {
        return None;
    }
    // It is in a string of a formula, or of `a ? b : c`.
    if words[open..at].matches(['"', '\'']).count() % 2 == 1 || words[value_at..at].contains(" ? ") {
        return None;
    }
    let before = words[..at].trim_end();
    let first = line.first();
    if before.ends_with(')') {
        let returns = words[at + 1..].trim();
        let whole = format!("write `{} -> {returns}`", &before[value_at..]);
        return Some(Slip {
            at: first + at..first + at + 1,
            message: "a schema has `->` before its returns, not `:`".to_owned(),
            help: Help::new(if whole.len() <= SHOWN { whole } else { format!("write `-> {returns}`") })
                .instead(if words[..at].ends_with(' ') { "->" } else { " ->" })
                .certainly(),
        });
    }
    let name = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1);
    let until = words[at..].find([',', ')', '=']).map_or(words.len(), |end| at + end);
    let arguments = words.get(open + 1..words.rfind(')').filter(|close| *close > open).unwrap_or(words.len()))?;
    Some(Slip {
        at: first + name..first + words[..until].trim_end().len(),
        message: "an argument of a schema is written `Type name`, not `name: Type`".to_owned(),
        help: {
            let meant = arguments_of_python(arguments);
            Help::new(format!("write `{meant}`")).after(arguments, meant)
        },
    })
}

/// The arguments of a function of Python as those of a schema.
fn arguments_of_python(arguments: &str) -> String {
    let mut depth = 0;
    let parts = arguments.split(|c| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        c == ',' && depth == 0
    });
    let converted = parts.map(|part| {
        let (declared, default) = match part.split_once('=') {
            Some((declared, default)) => (declared, format!("={}", default.trim())),
            None => (part, String::new()),
        };
        match declared.split_once(':') {
            Some((name, ty)) => format!("{} {}{default}", type_of_python(ty.trim()), name.trim()),
            None => part.trim().to_owned(),
        }
    });
    converted.collect::<Vec<String>>().join(", ")
}

fn type_of_python(ty: &str) -> String {
    let inside = |name: &str| ty.strip_prefix(name)?.strip_prefix('[')?.strip_suffix(']');
    if let Some(inside) = inside("Optional").or(ty.strip_suffix("| None")) {
        return format!("{}?", type_of_python(inside.trim()));
    }
    if let Some(inside) = inside("List").or(inside("list")).or(inside("Sequence")) {
        return format!("{}[]", type_of_python(inside.trim()));
    }
    ty.strip_prefix("torch.").unwrap_or(ty).to_owned()
}

/// A bracket that is still open where another line begins.
fn never_closed(text: &str, places: Range<usize>, close: char) -> Option<Slip> {
    let opened = text.get(places.clone())?;
    let line = opened.lines().next()?;
    if line.len() == opened.len() {
        return None;
    }
    let line = line.split(" #").next().unwrap_or_default().trim_end().trim_end_matches(',');
    let open = &text[places.start..places.start + 1];
    Some(Slip {
        at: places.start..places.start + 1,
        message: format!("`{open}` is never closed"),
        help: match opened.lines().count() {
            2 => format!("write `{line}{close}`").into(),
            _ => format!("write `{close}` after the last value").into(),
        },
    })
}

/// `*` or `&` as a value, which YAML reads as an alias or an anchor.
fn sign(text: &str, start: usize) -> Option<Slip> {
    let rest = text.get(start..)?;
    let value = &rest[..rest.find([' ', ',', '}', ']', '\n', '\r']).unwrap_or(rest.len())];
    let meaning = match value.chars().next()? {
        '*' => "alias",
        '&' => "anchor",
        _ => return None,
    };
    Some(Slip {
        at: start..start + value.len(),
        message: format!("`{value}` needs quotes: without them it begins an {meaning} of YAML"),
        help: Help::write(format!("\"{value}\"")).certainly(),
    })
}

/// A list at the column of keys.
fn list_without_key(text: &str, at: usize, first: usize) -> Option<Slip> {
    let is_entry = text.get(at..)?.starts_with("- ");
    (is_entry && column(text, at)? == column(text, first)?).then(|| Slip {
        at: at..at + 1,
        message: "this list has no key".to_owned(),
        help: "write its key on the line above, such as `ops:`".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments() {
        for (python, schema) in [
            ("x: Tensor, n: int", "Tensor x, int n"),
            ("x: torch.Tensor, dims: List[int] = [], n: int=1", "Tensor x, int[] dims=[], int n=1"),
            ("x: Optional[Tensor], n: int | None = None", "Tensor? x, int? n=None"),
            ("Tensor x, n: int", "Tensor x, int n"),
        ] {
            assert_eq!(arguments_of_python(python), schema);
        }
    }

    /// What is no known slip keeps libyaml's message.
    #[test]
    fn others() {
        let problem = "mapping values are not allowed in this context";
        for text in ["doc: a\n   b: c", "a b\n   c: d", "a::b\nc: d", ""] {
            let at = text.rfind(':').unwrap_or_default();
            assert_eq!(slip(text, at, problem, None), None, "{text}");
        }
        assert_eq!(slip("a: {b: c d: e}", 9, "did not find expected ',' or '}'", Some(("", 3))), None);
        assert_eq!(slip("a: b\n - c", 6, "did not find expected key", Some(("", 0))), None);
    }
}
