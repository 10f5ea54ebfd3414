//! Tests of reading YAML. `errors.txt` holds inputs with errors and the full diagnostics for them;
//! with `UPDATE_EXPECT=1` in the environment the diagnostics are written again. Review them before
//! you commit.

mod scalars;
mod spans;

use std::fmt::Write as _;
use std::path::Path;

use super::*;
use crate::diag::{Color, Diagnostics, Sources, codes, human};

/// Reads `text` in the way of the file named, and passes the tree on. Returns what that shows, and
/// the diagnostics.
pub(crate) fn shown(name: &str, text: &str, show: impl FnOnce(Node, &mut Diagnostics) -> String) -> String {
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

/// Checks the cases of a file: a name, a text, and what reading it shows. Returns the file.
pub(crate) fn check_cases(path: &str, check: impl Fn(&str, &str) -> String) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let cases = std::fs::read_to_string(&path).unwrap();
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
        let _ = write!(updated, "=== {name}\n{text}---- shows\n{found}\n");
        if found.trim_end() != expected.trim_end() {
            wrong.push(format!("{name}\n{text}---- shows\n{found}"));
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, updated).unwrap();
    } else {
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
    cases
}

/// How many entries a tree has.
fn count(root: Node, _: &mut Diagnostics) -> String {
    let (what, count) = match root.kind {
        NodeKind::Scalar(_) => return "read: a scalar\n".to_owned(),
        NodeKind::Sequence(items) => ("a list", items.len()),
        NodeKind::Mapping(pairs) => ("a mapping", pairs.len()),
    };
    format!("read: {what} of {count}\n")
}

#[test]
fn errors() {
    let cases = check_cases("src/yaml/tests/errors.txt", |name, text| shown(name, text, count));
    for code in codes::ALL.iter().filter(|code| ("TG0101".."TG0109").contains(&code.id)) {
        assert!(cases.contains(code.id), "no case shows {}", code.id);
    }
}

#[test]
fn bytes_become_text() {
    let check = |bytes: &[u8], expected: &str| {
        let mut sources = Sources::new();
        let shown = match decode("f.yaml", bytes.to_vec()) {
            Ok(text) => {
                let mut diagnostics = Diagnostics::new();
                let file = sources.add("f.yaml", text);
                let root = parse(&sources, file, Options::OPERATORS, &mut diagnostics).unwrap();
                root.as_text().unwrap().as_str().to_owned()
            }
            Err(wrong) => {
                let mut diagnostics = Diagnostics::new();
                wrong.report("f.yaml", &mut sources, &mut diagnostics);
                diagnostics.into_sorted().iter().map(|diagnostic| human(diagnostic, &sources, Color::Never)).collect()
            }
        };
        assert_eq!(shown, expected, "{bytes:x?}");
    };
    check("é".as_bytes(), "é");
    check(b"\xef\xbb\xbfa", "a");
    check(b"\xff\xfea\0\xe9\0", "aé");
    check(b"\xfe\xff\0a\xd8\x3d\xde\x00", "a\u{1f600}");
    check(b"", "");
    check(
        b"a: b\nc: \xff",
        "error[TG0100]: `f.yaml` is not UTF-8: byte 0xff\n --> f.yaml:2:4\n  |\n2 | c: \u{fffd}\n  |    ^\n  |\n  = help: save the file as UTF-8\n",
    );
    let utf16 = "error[TG0100]: `f.yaml` starts with a UTF-16 byte order mark, but is not UTF-16\n --> f.yaml:1:1\n  |\n1 | \u{fffd}\n  | ^\n  |\n  = help: save the file as UTF-8\n";
    check(b"\xff\xfea", utf16);
    check(b"\xff\xfe\x00\xd8", utf16);
}

proptest::proptest! {
    /// Reading any file ends, and every place that it reports can be shown.
    #[test]
    fn anything_can_be_read(parts in proptest::collection::vec(proptest::sample::select(PARTS), 0..24)) {
        for kind in ["native_functions.yaml", "selected.yaml", "library.yaml"] {
            shown(kind, &parts.concat(), count);
        }
    }
}

/// Parts of files that matter to parsers and to readers of records.
pub(crate) const PARTS: &[&str] = &[
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
