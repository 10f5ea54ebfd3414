//! The tokens of generated C++ and Python without comments and strings, as strict readers see them.
//!
//! For C++, trigraphs are replaced and a lone carriage return ends a line. Both make more texts
//! dangerous than compilers do.

/// The code of a file.
pub(super) struct Code {
    /// The tokens. A string is one token whatever it contains, and strings side by side are one.
    pub(super) tokens: Vec<String>,
    /// What no file of the language can have.
    pub(super) wrong: Option<String>,
}

/// The mark of strings.
const STRING: &str = "\"\"";

/// The code of a file; none for files of other languages.
pub(super) fn code_of(name: &str, text: &str) -> Option<Code> {
    let ending = name.rsplit('.').next().unwrap_or_default();
    match ending {
        "h" | "cpp" | "def" | "cu" | "inc" => Some(checked(text, cpp(text))),
        "py" | "pyi" => Some(checked(text, python(text))),
        "json" => {
            let wrong = serde_json::from_str::<serde_json::Value>(text).err().map(|error| error.to_string());
            Some(Code { tokens: Vec::new(), wrong })
        }
        "yaml" => {
            let wrong = serde_yaml::from_str::<serde_json::Value>(text).err().map(|error| error.to_string());
            Some(Code { tokens: Vec::new(), wrong })
        }
        _ => None,
    }
}

fn checked(text: &str, tokens: Vec<String>) -> Code {
    let hidden = |c: &char| {
        (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}')
    };
    let wrong = text.chars().find(hidden).map(|c| format!("has the character {}", c.escape_unicode()));
    Code { tokens, wrong }
}

/// Adds a token.
fn push(tokens: &mut Vec<String>, token: &str) {
    if token != STRING || tokens.last().is_none_or(|last| last != STRING) {
        tokens.push(token.to_owned());
    }
}

/// The length of the word or of the character at the beginning.
fn word(rest: &str) -> usize {
    let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
    if length == 0 { rest.chars().next().map_or(0, char::len_utf8) } else { length }
}

fn cpp(text: &str) -> Vec<String> {
    let text = joined(&text.replace("??/", "\\").replace('\r', "\n"));
    let mut tokens = Vec::new();
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        let length = if c.is_whitespace() {
            c.len_utf8()
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |end| end + 4)
        } else if let Some(raw) = rest.strip_prefix("R\"") {
            let (mark, after) = raw.split_once('(').unwrap_or((raw, ""));
            let end = format!("){mark}\"");
            push(&mut tokens, STRING);
            after.find(&end).map_or(rest.len(), |at| 2 + mark.len() + 1 + at + end.len())
        } else if c == '"' || (c == '\'' && !after_digit(&text, rest)) {
            push(&mut tokens, STRING);
            quoted(rest, c)
        } else {
            let length = word(rest);
            push(&mut tokens, &rest[..length]);
            length
        };
        rest = &rest[length..];
    }
    tokens
}

/// Whether a quote parts the digits of a number.
fn after_digit(text: &str, rest: &str) -> bool {
    text[..text.len() - rest.len()].ends_with(|c: char| c.is_ascii_digit())
        && rest[1..].starts_with(|c: char| c.is_ascii_digit())
}

/// The text without backslashes at the ends of lines, as compilers join lines.
fn joined(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.trim_end().strip_suffix('\\') {
            Some(before) if line.ends_with('\n') => out.push_str(before),
            _ => out.push_str(line),
        }
    }
    out
}

/// The length of a string up to its closing quote, or to the end of the line.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

fn python(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if c.is_whitespace() {
            c.len_utf8()
        } else if c == '#' {
            rest.find(['\n', '\r']).unwrap_or(rest.len())
        } else if let Some(mark) = ["\"\"\"", "'''"].into_iter().find(|mark| rest.starts_with(mark)) {
            push(&mut tokens, STRING);
            let mut at = 3;
            while !rest[at..].starts_with(mark) && at < rest.len() {
                at += if rest[at..].starts_with('\\') { 1 } else { 0 };
                at += rest[at..].chars().next().map_or(0, char::len_utf8);
            }
            (at + 3).min(rest.len())
        } else if c == '"' || c == '\'' {
            push(&mut tokens, STRING);
            quoted(rest, c)
        } else {
            let length = word(rest);
            push(&mut tokens, &rest[..length]);
            length
        };
        rest = &rest[length..];
    }
    tokens
}
