//! Characters that cannot be seen, or that change how others look, as escapes.
//!
//! Invariant: text without such characters stays as it is. Deliberately absent: characters that only
//! look like others.

use std::borrow::Cow;

/// Whether a reader cannot see the character, or takes it for another blank. Tabs and line breaks
/// are what they look like.
fn is_hidden(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | ' '..='~' => false,
        // Soft hyphen and other characters of format, among them those that turn text around.
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' => true,
        '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => true,
        // Blanks other than the usual one, and letters that are blank.
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => true,
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{2800}' => true,
        // What chooses between forms of a character.
        '\u{34f}' | '\u{180b}'..='\u{180d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => true,
        c => c.is_control(),
    }
}

/// The text with hidden characters as `\u{200b}`.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(shown(text, &mut |_, _| {}))
}

/// The same, and a function from places in the text to places in what is shown.
pub(super) fn visible_with_places(text: &str) -> (Cow<'_, str>, impl Fn(usize) -> usize + use<>) {
    // Behind each escape, how much longer the text became so far.
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
