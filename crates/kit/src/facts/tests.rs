//! Facts as text.

use serde_json::Value;

use super::*;
use torchgen_base::diag::Sources;

#[test]
fn lines_have_no_empty_keys() {
    let part = Part { default: Some("1".to_owned()), ..Part::new("input", "x", "int") };
    let thing = Thing {
        parts: vec![part],
        relations: vec![Relation::new("calls", "g")],
        ..Thing::new("builder", "f", Own::from_iter([("body".to_owned(), Value::Bool(true))]))
    };
    let facts = Facts { namespace: Some("n".to_owned()), things: vec![thing.clone()] };
    let text = facts.lines("units").text();
    let [header, line] = text.lines().collect::<Vec<_>>()[..] else { panic!("two lines: {text}") };
    let program = env!("CARGO_PKG_VERSION");
    let expected = r#"{"format":1,"program":"PROGRAM","family":"units","namespace":"n","things":1}"#;
    assert_eq!(header, expected.replace("PROGRAM", program));
    assert_eq!(
        line,
        r#"{"kind":"builder","name":"f","parts":[{"role":"input","name":"x","type":"int","default":"1"}],"relations":[{"kind":"calls","to":"g"}],"facts":{"body":true}}"#
    );
    assert_eq!(serde_json::from_str::<Thing>(line).expect("a thing"), thing);
    assert_eq!(thing.related("calls").collect::<Vec<_>>(), ["g"]);
}

#[test]
fn texts_of_the_program_have_no_place() {
    let mut sources = Sources::new();
    let given = sources.add("a.yaml", "a: b\nc: d\n".to_owned());
    let own = sources.add(format!("{BUILT_IN}b.yaml"), "a: b\n".to_owned());
    let at = |file, start| Place::from_span(Span { file, start, end: start + 1 }, &sources);
    assert_eq!(
        at(given, 8),
        Some(Place {
            file: Some("a.yaml".to_owned()),
            line: 2,
            column: 4,
            span: Some(Span { file: given, start: 8, end: 9 })
        })
    );
    assert_eq!(at(own, 0), None);
    let thing = Span { file: given, start: 0, end: 1 };
    let inside = |file| Place::inside(Span { file, start: 5, end: 6 }, thing, &sources);
    assert_eq!(
        [inside(given), inside(own)],
        [Some(Place { file: None, line: 2, column: 1, span: Some(Span { file: given, start: 5, end: 6 }) }), None]
    );
}

#[test]
fn names_with_and_without_namespace_and_overload() {
    let cases = [("aten::add.Tensor", ["aten::add.Tensor", "add.Tensor", "aten::add", "add"]), ("f", ["f"; 4])];
    for (name, words) in cases {
        assert!(words.iter().all(|word| is_named(name, word)), "{name}");
        assert!(!is_named(name, "ad") && !is_named(name, "Tensor") && !is_named(name, "aten::"), "{name}");
    }
}
