//! Texts of authors in comments and docstrings of generated code.
//!
//! Invariant: whatever the text is, it ends neither its comment nor its docstring, and continues
//! no line. Readers see every character: invisible ones are escaped.

use serde::Serialize;

use torchgen_base::diag::visible;

/// The widest line of a comment, without its marks.
const WIDTH: usize = 92;

/// The lines of a comment. Each begins with a blank, or is empty, so that a template writes the
/// mark before it: `///{{ doc | join("\n///") }}`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Comment(Vec<String>);

impl Comment {
    /// A text as a comment of `//`, `///` or `#`. Long lines are wrapped.
    pub fn new(text: &str) -> Comment {
        let mut lines: Vec<String> = Vec::new();
        for line in split(text) {
            let line = visible(line).into_owned();
            let indent = &line[..line.len() - line.trim_start().len()];
            let mut wrapped = indent.to_owned();
            for word in line.split_whitespace() {
                let is_first = wrapped.len() == indent.len();
                if !is_first && wrapped.chars().count() + 1 + word.chars().count() > WIDTH {
                    lines.push(std::mem::replace(&mut wrapped, indent.to_owned()));
                } else if !is_first {
                    wrapped.push(' ');
                }
                wrapped.push_str(word);
            }
            lines.push(wrapped);
        }
        let lines = lines.iter().map(|line| closed(line));
        let mut lines: Vec<String> = lines.skip_while(|line| line.is_empty()).map(marked).collect();
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines.dedup_by(|line, before| line.is_empty() && before.is_empty());
        Comment(lines)
    }

    /// An optional text. None is a comment without lines.
    pub fn from_optional_text(text: Option<&str>) -> Comment {
        text.map(Comment::new).unwrap_or_default()
    }

    /// All words in one line, for tables and terminals.
    pub fn line(&self) -> String {
        self.0.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

fn marked(line: &str) -> String {
    if line.is_empty() { String::new() } else { format!(" {line}") }
}

/// The lines of a text. Everything that a compiler or an editor may take for the end of a line ends
/// one.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let ends = |c| matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    // A carriage return before a newline ends the same line.
    text.split('\n').flat_map(move |line| line.strip_suffix('\r').unwrap_or(line).split(ends))
}

/// The line without what would join it with the next one: a backslash at its end, also as a
/// trigraph.
fn closed(line: &str) -> &str {
    let mut line = line.trim_end();
    loop {
        let shorter = match line.strip_suffix("??/") {
            Some(before) => before.len() + 2,
            None => line.trim_end_matches('\\').len(),
        };
        if shorter == line.len() {
            return line;
        }
        line = line[..shorter].trim_end();
    }
}

/// The lines of a text between the triple quotes of a docstring.
pub fn docstring<'a>(text: impl Iterator<Item = &'a str>) -> Vec<String> {
    let quote = "\\\"";
    let escaped = |line: &str| without_hidden(&line.trim_end().replace('\\', "\\\\"));
    let parted = |line: &str| line.replace("\"\"\"", &quote.repeat(3));
    let mut lines: Vec<String> = text.map(escaped).collect();
    let Some(last) = lines.pop() else { return lines };
    // Quotes at the end would be read as the closing ones.
    let body = last.trim_end_matches('"');
    let last = format!("{}{}", parted(body), quote.repeat(last.len() - body.len()));
    lines.iter().map(|line| parted(line)).chain([last]).collect()
}

/// Whether readers would not see the character, or Python would not read it: controls, zero-width
/// and bidirectional characters.
fn is_hidden(c: char) -> bool {
    (c.is_control() && c != '\t')
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// The text with escapes for such characters, as Python reads them.
fn without_hidden(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) { out.push_str(&format!("\\u{:04x}", u32::from(c))) } else { out.push(c) }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments() {
        let long = format!("{} end", "word ".repeat(18).trim_end());
        let cases: &[(&str, &[&str])] = &[
            ("Plain.", &[" Plain."]),
            ("", &[]),
            (" \n\t\n", &[]),
            ("One.\nTwo.", &[" One.", " Two."]),
            (
                "One.\r\nTwo.\rThree.\u{2028}Four.\u{85}Five.\u{c}Six.",
                &[" One.", " Two.", " Three.", " Four.", " Five.", " Six."],
            ),
            ("\nOne.\n\n\n  indented\n\n", &[" One.", "", "   indented"]),
            ("see C:\\docs\\", &[" see C:\\docs"]),
            ("a \\ \nb??/\nc??/\\??/ \n\\", &[" a", " b??", " c??/\\??"]),
            ("a\0b\u{202e}c", &[" a\\u{0}b\\u{202e}c"]),
            (&long, &[&format!(" {}", &long[..long.len() - 4]), " end"]),
        ];
        for (text, expected) in cases {
            assert_eq!(Comment::new(text).0, *expected, "{text:?}");
        }
        assert_eq!(Comment::new("One.\n\n Two.").line(), "One. Two.");
    }

    #[test]
    fn docstrings() {
        for (text, expected) in [
            ("Plain.", "Plain."),
            ("a \\ and \"b\"", "a \\\\ and \"b\\\""),
            ("\"\"\"a\"\"\"", "\\\"\\\"\\\"a\\\"\\\"\\\""),
            ("ends in \\", "ends in \\\\"),
            ("a\0b\u{202e}c\u{200b}", "a\\u0000b\\u202ec\\u200b"),
        ] {
            assert_eq!(docstring(text.lines()), [expected], "{text}");
        }
    }
}
