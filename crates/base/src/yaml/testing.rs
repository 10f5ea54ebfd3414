//! Cases for tests of readers of YAML: a name, a text, and what reading it shows.
//!
//! Part of builds of tests only, here and in the crates above. With `UPDATE_EXPECT=1` in the
//! environment the expected texts are written again.

#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;

use super::{Node, Options, parse};
use crate::diag::{Color, Diagnostics, Sources, human};

/// Parts of files that matter to parsers and to readers of records.
pub const PARTS: &[&str] = &[
    "a",
    "func: ",
    "- ",
    ": ",
    ":",
    "\n",
    "\n  ",
    "\n- ",
    " ",
    "\"",
    "'",
    "[",
    "]",
    "{",
    "}",
    ",",
    " #",
    "&a ",
    "*a",
    "!",
    "!!str ",
    "!!int",
    "!x,",
    "!<y>",
    "? ",
    "|",
    ">",
    "|-\n",
    ">2\n",
    "\\",
    "\\x41",
    "\\\n",
    "\t",
    "---\n",
    "...\n",
    "%YAML 1.1\n",
    "@",
    "1",
    "yes",
    "~",
    "<<: ",
    "=",
    "é",
    "\u{2028}",
    "\u{85}",
    "\r\n",
    "\r",
    "\u{feff}",
    "\u{7}",
    "''",
    "dispatch:",
    "tags: ",
    "name: ",
];

/// Reads `text` in the way of the file named, and passes the tree on. Returns what that shows, and
/// the diagnostics.
pub fn shown(name: &str, text: &str, show: impl FnOnce(Node, &mut Diagnostics) -> String) -> String {
    let kind = name.split_whitespace().next().unwrap_or("");
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let options = match kind {
        "selected.yaml" => Options::SAFE_LOAD,
        "library.yaml" => Options::LIBRARY,
        _ => Options::OPERATORS,
    };
    let file = sources.add(kind, text.to_owned());
    let root = parse(&sources, file, options, &mut diagnostics);
    let mut shown = root.map(|root| show(root, &mut diagnostics)).unwrap_or_default();
    for diagnostic in diagnostics.into_sorted() {
        shown.push_str(&human(&diagnostic, &sources, Color::Never));
    }
    shown
}

/// Checks the cases of a file, by its path in the crate: a name, a text, and what reading it shows.
/// Returns the file.
pub fn check_cases(path: &str, check: impl Fn(&str, &str) -> String) -> String {
    let cases = std::fs::read_to_string(path).unwrap();
    let mut updated = String::new();
    let mut wrong = Vec::new();
    for case in cases.split("=== ").skip(1) {
        let (name, rest) = case.split_once('\n').unwrap();
        let (text, expected) = rest.split_once("---- shows\n").unwrap();
        // Control characters are written as escapes, so that the file stays text. The line break
        // before the line of dashes is not part of an input that ends in `\c`.
        let input =
            text.replace("\\x07", "\u{7}").replace("\\u0085", "\u{85}").replace("\\t", "\t").replace("\\r", "\r");
        let input = input.strip_suffix("\\c\n").unwrap_or(&input);
        let found = check(name, input);
        // A blank line after lines, however many the text ends in.
        let ending = if found.ends_with('\n') { "\n\n" } else { "\n" };
        let _ = write!(updated, "=== {name}\n{text}---- shows\n{}{ending}", found.trim_end_matches('\n'));
        if found.trim_end() != expected.trim_end() {
            wrong.push(format!("{name}\n{text}---- shows\n{found}"));
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, updated).unwrap();
    } else {
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
    cases
}
