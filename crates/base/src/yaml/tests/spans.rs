//! Tests of places: a part of a scalar's value, and its bytes in the file.

use super::super::*;
use crate::diag::{Diagnostics, Sources};

/// Finds `needle` in the value of the scalar `text`, and compares the bytes at its place in the
/// file.
fn check(text: &str, needle: &str, expected: &str) {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let file = sources.add("f.yaml", text.to_owned());
    let root = parse(&sources, file, Options::OPERATORS, &mut diagnostics).unwrap();
    assert!(diagnostics.is_empty(), "{text:?}: {diagnostics:?}");
    let NodeKind::Mapping(pairs) = root.kind else { panic!("{text:?} is a mapping") };
    let value = pairs[0].1.as_text().unwrap();
    let at = value.find(needle).unwrap_or_else(|| panic!("{needle:?} in {:?}", value.as_str()));
    let span = value.sub_span(at..at + needle.len());
    assert_eq!(sources.snippet(span), expected, "{text:?}: {needle:?}");
    let slice = value.slice(at..at + needle.len());
    assert_eq!((slice.as_str(), slice.span()), (needle, span), "{text:?}: slice {needle:?}");
    if !needle.is_empty() {
        let last = needle.char_indices().last().unwrap().0;
        assert_eq!(slice.sub_span(last..needle.len()), value.sub_span(at + last..at + needle.len()), "{text:?}");
    }
}

#[test]
fn parts_of_scalars() {
    for (text, needle, expected) in [
        ("a: foo(Tensor x)", "Tensor", "Tensor"),
        ("a: é foo", "foo", "foo"),
        ("a: foo\r\n", "oo", "oo"),
        ("a: 'foo bar'", "bar", "bar"),
        ("a: 'it''s bar'", "'", "''"),
        ("a: 'it''s bar'", "s bar", "s bar"),
        ("a: 'it''s bar'", "it's", "it''s"),
        ("a: \"x\\\"y\\u00e9z\"", "\"", "\\\""),
        ("a: \"x\\\"y\\u00e9z\"", "é", "\\u00e9"),
        ("a: \"x\\\"y\\u00e9z\"", "z", "z"),
        ("a: \"one\\\n   two\"", "two", "two"),
        ("a: \"one\\\n   two\"", "onet", "one\\\n   t"),
        ("a: \"one \\\n\n   two\"", "one", "one"),
        ("a: \"one\n\n   two\"", "\n", "\n\n   "),
        ("a: \"one  \n   two\\tx\"", "x", "x"),
        ("a: one\n   two", "two", "two"),
        ("a: one\n   two", " ", "\n   "),
        ("a: one\n\n   two\n   three", "three", "three"),
        ("a: one\n\n   two\n   three", "\ntwo", "\n\n   two"),
        ("a: |\n  one\n    two\n", "  two", "  two"),
        ("a: |\n  one\n    two\n", "one\n  t", "one\n    t"),
        ("a: |2\n   one\n", "one", "one"),
        ("a: >-\n  one\n  two\n\n  three\n", "three", "three"),
        ("a: >-\n  one\n  two\n\n  three\n", "one two", "one\n  two"),
        ("a: >\n  foo(Tensor x,\n  Tensor y)\n", "y)", "y)"),
        ("a: &x !!str foo bar", "bar", "bar"),
        ("a: !!str # why\n  foo bar", "bar", "bar"),
        ("a: !<tag:yaml.org,2002:str> 'foo bar'", "bar", "bar"),
    ] {
        check(text, needle, expected);
    }
}

#[test]
fn splitting() {
    let mut sources = Sources::new();
    let file = sources.add("f.yaml", "'a''b,  c ,d'".to_owned());
    let root = parse(&sources, file, Options::OPERATORS, &mut Diagnostics::new()).unwrap();
    let text = root.as_text().unwrap();
    let parts: Vec<_> = text.split(",").iter().map(Text::trim).collect();
    let shown: Vec<_> = parts.iter().map(|part| (part.as_str(), sources.snippet(part.span()))).collect();
    assert_eq!(shown, [("a'b", "a''b"), ("c", "c"), ("d", "d")]);
}

#[test]
fn nodes() {
    let text = "a: [x, {y: z}]\nb:\n- 1\n- c: d  \n\ne:\n";
    let mut sources = Sources::new();
    let file = sources.add("f.yaml", text.to_owned());
    let root = parse(&sources, file, Options::OPERATORS, &mut Diagnostics::new()).unwrap();
    assert_eq!(sources.snippet(root.span), "a: [x, {y: z}]\nb:\n- 1\n- c: d  \n\ne:");
    let NodeKind::Mapping(pairs) = root.kind else { panic!("a mapping") };
    let shown: Vec<_> = pairs.iter().map(|(_, value)| sources.snippet(value.span)).collect();
    assert_eq!(shown, ["[x, {y: z}]", "- 1\n- c: d", ""]);
}

/// Parts of scalars in all styles.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "a", "é", "\u{1f600}", " ", "  ", "\n", "\n\n", "\n  ", "\r\n  ", "\t", "''", "'", "\"", "\\\"", "\\n", "\\x41", "\\u00e9", "\\\n  ", "\\ ",
    "#", " #", ": ", ":", ",", "[", "]", "{", "}", "&a ", "!x ", "!!str ", "*", "%", "\u{85}", "\u{2028}", "\u{feff}", "- ", "-", "|", ">",
];

proptest::proptest! {
    /// Each character of a value maps to a place inside its scalar, in order, and so does each
    /// slice.
    #[test]
    fn characters_lie_inside_their_scalar(
        style in proptest::sample::select(vec!["a: ", "a: '", "a: \"", "a: |\n  ", "a: >-\n  ", "a: |2+\n   ", "- &x ", "[", "? "]),
        parts in proptest::collection::vec(proptest::sample::select(PIECES), 0..16),
        end in proptest::sample::select(vec!["", "'", "\"", "\n", "]"]),
    ) {
        let mut sources = Sources::new();
        let text = format!("{style}{}{end}", parts.concat());
        let file = sources.add("f.yaml", text.clone());
        let root = parse(&sources, file, Options::SAFE_LOAD, &mut Diagnostics::new());
        let mut pending: Vec<Node> = root.into_iter().collect();
        while let Some(node) = pending.pop() {
            proptest::prop_assert!(text.get(node.span.range()).is_some(), "{:?}", node.span);
            match node.kind {
                NodeKind::Sequence(items) => pending.extend(items),
                NodeKind::Mapping(pairs) => pairs.into_iter().for_each(|(key, value)| pending.extend([key, value])),
                NodeKind::Scalar(value) => {
                    let mut before = value.span().start;
                    for (at, c) in value.as_str().char_indices() {
                        let range = at..at + c.len_utf8();
                        let span = value.sub_span(range.clone());
                        proptest::prop_assert!(before <= span.start && span.end <= value.span().end, "{c:?} at {span:?}");
                        proptest::prop_assert!(text.get(span.range()).is_some(), "{c:?} at {span:?}");
                        proptest::prop_assert_eq!(value.slice(range).span(), span);
                        before = span.start;
                    }
                }
            }
        }
    }
}
