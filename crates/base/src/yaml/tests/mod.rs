//! Tests of reading YAML. `errors.txt` holds inputs with errors and the full diagnostics for them;
//! with `UPDATE_EXPECT=1` in the environment the diagnostics are written again. Review them before
//! you commit.

mod scalars;
mod spans;

use super::testing::*;
use super::*;
use crate::diag::{Color, Diagnostics, Sources, codes, human};

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
