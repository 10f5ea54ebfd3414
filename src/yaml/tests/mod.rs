//! Tests of reading YAML. `errors.txt` holds inputs with errors and the full diagnostics for them;
//! with `UPDATE_EXPECT=1` in the environment the diagnostics are written again. Review them before
//! you commit.

mod scalars;
mod spans;

use std::fmt::Write as _;
use std::path::Path;

use super::*;
use crate::diag::{Color, Diagnostics, Sources, codes, human};

/// Reads `text` as the kind of file named, and returns the diagnostics as text.
fn check(name: &str, text: &str) -> String {
    let kind = name.split_whitespace().next().unwrap_or("");
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let options = match kind {
        "selected.yaml" => Options::SAFE_LOAD,
        "library.yaml" => Options::LIBRARY,
        _ => Options::OPERATORS,
    };
    let file = sources.add(kind, text.to_owned());
    let mut shown = String::new();
    if let Some(root) = parse(&sources, file, options, &mut diagnostics) {
        let count = match kind {
            "tags.yaml" => crate::families::torch::records::read_tags(root, &mut diagnostics).len(),
            "selected.yaml" => crate::families::torch::records::read_selective(root, &mut diagnostics)
                .map_or(0, |record| record.operators.len()),
            "library.yaml" => crate::families::torch::records::read_native_functions(
                root,
                &crate::families::torch::records::native::LIBRARY_KEYS,
                &mut diagnostics,
            )
            .len(),
            _ => crate::families::torch::records::read_native_functions(
                root,
                &crate::families::torch::records::native::ATEN_KEYS,
                &mut diagnostics,
            )
            .len(),
        };
        let _ = writeln!(shown, "read: {count}");
    }
    for diagnostic in diagnostics.into_sorted() {
        shown.push_str(&human(&diagnostic, &sources, Color::Never));
    }
    shown
}

#[test]
fn errors() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/yaml/tests/errors.txt");
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
        return;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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

#[test]
fn records_keep_what_was_written() {
    let text = "\
- func: add(Tensor a) -> Tensor
  variants: function, method
  dispatch:
    CPU, CUDA: add_kernel
    SparseCPU : x::y
  structured: yes
  tags: [core, pointwise]
  ufunc_inner_loop:
    Generic: add (AllAndComplex, BFloat16)
  precomputed:
  - dim -> int dim
  device_check:
- {func: f() -> (), tags: core, ufunc_inner_loop: f (Bool), dispatch: null, cpp_no_default_args: ['on']}
";
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let file = sources.add("f.yaml", text.to_owned());
    let root = parse(&sources, file, Options::OPERATORS, &mut diagnostics).unwrap();
    let records = crate::families::torch::records::read_native_functions(
        root,
        &crate::families::torch::records::native::ATEN_KEYS,
        &mut diagnostics,
    );
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert_eq!(
        serde_json::to_string(&records).unwrap(),
        r#"[{"func":"add(Tensor a) -> Tensor","variants":"function, method","dispatch":[{"key":"CPU, CUDA","keys":["CPU","CUDA"],"kernel":"add_kernel"},{"key":"SparseCPU","keys":["SparseCPU"],"kernel":"x::y"}],"structured":true,"precomputed":["dim -> int dim"],"ufunc_inner_loop":[["Generic","add (AllAndComplex, BFloat16)"]],"tags":["core","pointwise"]},{"func":"f() -> ()","ufunc_inner_loop":"f (Bool)","tags":["core"],"cpp_no_default_args":["on"]}]"#
    );
    let keys = &records[0].dispatch.as_ref().unwrap().value[0].keys;
    assert_eq!(keys.iter().map(|key| sources.line_col(key.span())).collect::<Vec<_>>(), [(4, 5), (4, 10)]);
    assert_eq!(sources.line_col(records[1].span), (13, 4));
}

proptest::proptest! {
    /// Reading any file ends, and every place that it reports can be shown.
    #[test]
    fn anything_can_be_read(parts in proptest::collection::vec(proptest::sample::select(PARTS), 0..24)) {
        for kind in ["native_functions.yaml", "tags.yaml", "selected.yaml", "library.yaml"] {
            check(kind, &parts.concat());
        }
    }
}

const PARTS: &[&str] = &[
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
