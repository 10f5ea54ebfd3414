//! The text of docstrings.
//!
//! Invariant: Python reads the text as it is written, and readers see every character.

/// The lines of a text between triple quotes.
pub(super) fn lines<'a>(text: impl Iterator<Item = &'a str>) -> Vec<String> {
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

/// The text with escapes for such characters.
fn without_hidden(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) { out.push_str(&format!("\\u{:04x}", u32::from(c))) } else { out.push(c) }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn docstrings() {
        for (text, expected) in [
            ("Plain.", "Plain."),
            ("a \\ and \"b\"", "a \\\\ and \"b\\\""),
            ("\"\"\"a\"\"\"", "\\\"\\\"\\\"a\\\"\\\"\\\""),
            ("ends in \\", "ends in \\\\"),
            ("a\0b\u{202e}c\u{200b}", "a\\u0000b\\u202ec\\u200b"),
        ] {
            assert_eq!(super::lines(text.lines()), [expected], "{text}");
        }
    }
}
