//! Lays YAML out in one style, and changes nothing else.
//!
//! `tokens` splits a text into its tokens, `lines` finds the new form of each line, and `spacing`
//! that of schemas and lists of names. Comments, the order of keys, and the lines themselves stay.
//!
//! Invariant: both texts have the same parser events, apart from the spacing of schemas and of
//! lists of names; [`format`] compares them, and returns no text that fails. Formatting a formatted
//! text changes nothing.

mod brackets;
mod lines;
mod same;
mod spacing;
#[cfg(test)]
mod tests;
mod tokens;

use std::ops::RangeInclusive;

use self::lines::{Laid, lay_out};

/// What the style depends on beside YAML.
#[derive(Debug, Clone, Copy, Default)]
pub struct Style<'a> {
    /// The keys whose values are schemas, if they look like one.
    pub schema_keys: &'a [&'a str],
    /// The keys whose values are names separated by commas.
    pub list_keys: &'a [&'a str],
}

/// Why a text cannot be formatted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unformatted {
    /// It has a syntax error.
    Syntax,
    /// The new text would not mean the same.
    Meaning,
}

/// The text in the one style. `range` restricts it to the top-level entries that have one of these
/// lines, which count from 1.
///
/// # Errors
/// The text has a syntax error, or no new text means the same.
pub fn format(text: &str, style: Style<'_>, range: Option<RangeInclusive<usize>>) -> Result<String, Unformatted> {
    let (bom, text) = match text.strip_prefix('\u{feff}') {
        Some(rest) => ("\u{feff}", rest),
        None => ("", text),
    };
    let tokens = tokens::tokens(text).ok_or(Unformatted::Syntax)?;
    let laid = lay_out(text, &tokens, style);
    let new = assembled(text, &laid, range);
    match same::mean_the_same(text, &new, style) {
        true => Ok(format!("{bom}{new}")),
        false => Err(Unformatted::Meaning),
    }
}

/// The new lines in the range, and the old ones elsewhere. All lines end as the first one does.
fn assembled(text: &str, laid: &Laid, range: Option<RangeInclusive<usize>>) -> String {
    let break_at = text.find(['\n', '\r']);
    let newline = if break_at.is_some_and(|at| text[at..].starts_with("\r\n")) { "\r\n" } else { "\n" };
    let whole = range.is_none();
    let (first, last) = match range {
        None => (0, usize::MAX),
        Some(range) => laid.entries(range),
    };
    let mut new = String::with_capacity(text.len() + 16);
    for (at, line) in laid.lines.iter().enumerate() {
        let old = &text[line.start..line.next];
        if at < first || at > last {
            new.push_str(old);
            continue;
        }
        let Some(content) = &line.new else { continue };
        new.push_str(content);
        match &text[line.end..line.next] {
            "" if laid.open_end => {}
            "" | "\n" | "\r" | "\r\n" => new.push_str(newline),
            // A line separator of Unicode.
            other => new.push_str(other),
        }
    }
    if whole && !laid.open_end && new.trim_matches(['\n', '\r', ' ', '\t']).is_empty() {
        new.clear();
    }
    new
}
