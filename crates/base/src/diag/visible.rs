//! Escapes characters that are invisible, or that change how others look.
//!
//! Invariant: text without such characters is unchanged. Lookalike characters are not escaped.

use std::borrow::Cow;

/// Whether the character is invisible, or looks like another blank. Tabs and line breaks are not
/// hidden.
fn is_hidden(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | ' '..='~' => false,
        // The soft hyphen and other format characters, bidirectional controls included.
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' => true,
        '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => true,
        // Blanks other than the space, and blank letters.
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => true,
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{2800}' => true,
        // Variation selectors and the like.
        '\u{34f}' | '\u{180b}'..='\u{180d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => true,
        c => c.is_control(),
    }
}

/// The text with hidden characters as `\u{200b}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(shown(text, &mut |_, _| {}))
}

/// The same, and a function that maps offsets in the text to offsets in the result.
pub(super) fn visible_with_places(text: &str) -> (Cow<'_, str>, impl Fn(usize) -> usize + use<>) {
    // After each escape, the growth of the text so far.
    let mut shifts: Vec<(usize, usize)> = Vec::new();
    let shown = match text.contains(is_hidden) {
        false => Cow::Borrowed(text),
        true => Cow::Owned(shown(text, &mut |behind, longer| shifts.push((behind, longer)))),
    };
    let place = move |at: usize| {
        let before = shifts.partition_point(|(behind, _)| *behind <= at);
        at + before.checked_sub(1).map_or(0, |last| shifts[last].1)
    };
    (shown, place)
}

fn shown(text: &str, escaped: &mut dyn FnMut(usize, usize)) -> String {
    let mut shown = String::with_capacity(text.len() + 16);
    for (at, c) in text.char_indices() {
        if is_hidden(c) {
            shown.extend(c.escape_unicode());
            let behind = at + c.len_utf8();
            escaped(behind, shown.len() - behind);
        } else {
            shown.push(c);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_show() {
        for (text, expected) in [
            ("a b\tc\nd\u{e9}\u{4e2d}\u{1f600}", "a b\tc\nd\u{e9}\u{4e2d}\u{1f600}"),
            ("a\u{200b}b", "a\\u{200b}b"),
            ("a\u{a0}b\u{202e}", "a\\u{a0}b\\u{202e}"),
            ("\u{1b}[31m\u{7}", "\\u{1b}[31m\\u{7}"),
        ] {
            assert_eq!(visible(text), expected);
        }
        let text = "x\u{200b}y\u{a0}z";
        let (shown, place) = visible_with_places(text);
        for c in ["x", "y", "z"] {
            assert_eq!(place(text.find(c).unwrap()), shown.find(c).unwrap());
        }
        assert_eq!(place(text.len()), shown.len());
    }
}
