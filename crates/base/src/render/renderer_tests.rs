//! Tests of the renderer as generators use it: names, filters, errors, file comments, shards.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::json;

use super::error::RenderErrorKind;
use super::plain::is_fragment;
use super::renderer::SHARED;
use super::{Env, RenderError, Renderer, Sharded, Value};
use crate::diag::FileId;

fn with(templates: &[(&str, &str)]) -> Renderer {
    let mut renderer = Renderer::new("").unwrap();
    for (name, text) in templates {
        renderer.add_template(name, text).unwrap();
    }
    renderer
}

fn check(template: &str, view: &serde_json::Value, expected: Result<&str, &str>) {
    let renderer = with(&[
        ("t.j2", template),
        ("inner.j2", "<{{ x }}>\n{% if flag %}\nflag {{ missing }}\n{% endif %}"),
        ("macros.j2", "{% macro m(a) %}[{{ a }}]{% endmacro %}"),
    ]);
    let result = renderer.fragment("t.j2", view).map_err(|error| error.to_string());
    assert_eq!(result.as_deref(), expected.map_err(str::to_owned).as_ref().copied(), "{template}");
}

#[test]
fn fragments() {
    let view = json!({"x": "a<b", "items": ["p", "q"], "flag": true, "n": 3, "nested": {"a": 1}});
    for (template, expected) in [
        ("{{ x }}\n", Ok("a<b\n")),
        ("{% for i in items %}\n  {{ i }};\n{% endfor %}\nend\n\n", Ok("  p;\n  q;\nend\n\n")),
        ("f({{ items | join(', ') }})", Ok("f(p, q)")),
        ("  {% if flag %}\n  yes\n  {% endif %}\n", Ok("  yes\n")),
        ("{% set flag = false %}\n{% include 'inner.j2' %}|", Ok("<a<b>\n|")),
        ("{% from 'macros.j2' import m %}\n{{ m(n) }}", Ok("[3]")),
        ("\n{{ y }}", Err("t.j2:2: `y` is not defined")),
        ("\n\n{{ nested.b }}", Err("t.j2:3: `nested.b` is not defined")),
        ("{% if z %}{% endif %}", Err("t.j2:1: `z` is not defined")),
        ("{{ range }}", Err("t.j2:1: `range` is not defined")),
        ("{{ namespace }}", Err("t.j2:1: `namespace` is not defined")),
        ("{{ x | nope }}", Err("t.j2:1: unknown filter: filter nope is unknown")),
        (
            "a\n{% for i in [0] * 10000 %}{% for j in [0] * 10000 %}{% endfor %}{% endfor %}",
            Err("t.j2:2: this takes too many steps, or makes too much text; nested loops multiply"),
        ),
        ("{% include 'inner.j2' %}", Err("inner.j2:3: `missing` is not defined")),
    ] {
        check(template, &view, expected);
    }
}

#[test]
fn block_filter() {
    let view =
        json!({"items": ["a\n b\n\n", "", " ", "c \n"], "text": "p\n q \n", "empty": [], "n": 3, "mixed": ["a", 1]});
    for (template, expected) in [
        ("{\n{{ items | block(2) }}\n}", Ok("{\n  a\n   b\n\n\n  c\n}")),
        ("{{ items | block }}", Ok("a\n b\n\n\nc")),
        ("{{ text | block(indent=4) }}|", Ok("    p\n     q|")),
        ("{{ empty | block(4) }}|", Ok("|")),
        ("{{ n | block }}", Err("t.j2:1: block takes a text or a list of texts, not number")),
        ("{{ mixed | block }}", Err("t.j2:1: block takes a list of texts, not one of number")),
        ("{{ text | block(wide=1) }}", Err("t.j2:1: too many arguments: unknown keyword argument 'wide'")),
    ] {
        check(template, &view, expected);
    }
}

#[test]
fn templates_are_known_by_name() {
    #[derive(Serialize)]
    struct Nothing {}
    let renderer = with(&[("Functions.cpp", "$x"), ("a/b.j2", "")]);
    let error = |name: &str, nearest: Option<&str>| RenderError {
        template: name.into(),
        line: None,
        span: None,
        kind: RenderErrorKind::NoTemplate { nearest: nearest.map(str::to_owned), looked_in: Vec::new() },
    };
    assert_eq!(renderer.fragment("a/c.j2", &Nothing {}), Err(error("a/c.j2", Some("a/b.j2"))));
    assert_eq!(
        renderer.render_file("Function.cpp", &Env::new(), None),
        Err(error("Function.cpp", Some("Functions.cpp")))
    );
    assert_eq!(renderer.render_file("Nothing like it", &Env::new(), None), Err(error("Nothing like it", None)));
    assert!(renderer.has_template("a/b.j2") && renderer.has_template("Functions.cpp") && !renderer.has_template("x"));
}

fn folder_of(name: &str) -> &str {
    name.split_once('/').expect("no template is outside a folder").0
}

#[test]
fn the_templates_of_every_folder_compile() {
    let templates = || torchgen_templates::all().map(|file| file.name).filter(|name| is_fragment(name));
    let folders: BTreeSet<&str> = templates().map(folder_of).collect();
    let shared: BTreeSet<&str> = folders.iter().copied().filter(|folder| SHARED.contains(folder)).collect();
    let mut compiled = 0;
    for own in folders.iter().filter(|own| !SHARED.contains(own)) {
        let renderer = Renderer::compiled(own).expect("embedded templates compile");
        let names: BTreeSet<&str> = renderer.fragments.templates().map(|(name, _)| folder_of(name)).collect();
        assert_eq!(names, BTreeSet::from([*own]).union(&shared).copied().collect(), "{own}");
        compiled += renderer.fragments.templates().filter(|(name, _)| folder_of(name) == *own).count();
        assert!(
            torchgen_templates::all().all(|known| renderer.has_template(known.name)),
            "overlays of other families pass"
        );
    }
    assert_eq!(compiled, templates().filter(|name| !SHARED.contains(&folder_of(name))).count());
}

#[test]
fn templates_compile_when_they_are_rendered() {
    let renderer = Renderer::new("write").expect("a syntax");
    assert_eq!(renderer.fragments.templates().count(), 0);
    let comment = json!({"generator": "g", "template": "t"});
    let name = "write/generated_comment.j2";
    let all = Renderer::compiled("write").expect("embedded templates compile");
    assert_eq!(renderer.fragment(name, &comment), all.fragment(name, &comment));
    assert_eq!(renderer.fragments.templates().map(|(name, _)| name).collect::<Vec<_>>(), [name]);
    assert!(renderer.fragment("torch/redispatch/function.j2", &comment).is_err(), "another family's");
}

#[test]
fn an_error_of_syntax_names_its_line() {
    let error = Renderer::new("").unwrap().add_template("t.j2", "a\n{% if %}").unwrap_err();
    assert_eq!((error.template.as_str(), error.line), ("t.j2", Some(2)));
}

#[test]
fn errors_in_templates_of_known_files_have_a_place() {
    let text = "a\r\n  ${x}\r\n";
    let mut renderer = with(&[]);
    renderer.add_template_of("F.h", text, FileId(7)).unwrap();
    let span = renderer.render_file("F.h", &Env::new(), None).unwrap_err().span;
    assert_eq!(span.map(|span| (span.file, &text[span.range()])), Some((FileId(7), "x")));
    let text = "a\n{% if %}";
    let span = renderer.add_template_of("t.j2", text, FileId(8)).unwrap_err().span;
    assert_eq!(span.map(|span| (span.file, &text[span.range()])), Some((FileId(8), "{% if %}")));
}

#[test]
fn files_say_what_made_them() {
    let renderer =
        with(&[("F.h", "// ${generated_comment}\n$x"), ("S.h.j2", "// {{ generated_comment }}\n{{ x | block }}\n")]);
    let env = Env::from_iter([("x", Value::from(vec!["a ", "b"]))]);
    let own = Env::from_iter([("x", Value::from("c")), ("generated_comment", "mine".into())]);
    for (template, env, generator, expected) in [
        ("F.h", &env, Some("torchgen/gen.py"), Ok("// @generated by torchgen/gen.py from F.h\na\nb")),
        ("F.h", &own, Some("torchgen/gen.py"), Ok("// mine\nc")),
        ("F.h", &env, None, Err("F.h:1: `generated_comment` is not defined")),
        ("S.h.j2", &env, Some("g"), Ok("// @generated by g from S.h.j2\na\nb\n")),
    ] {
        let text = renderer.render_file(template, env, generator).map(|contents| contents.to_string());
        assert_eq!(text.map_err(|error| error.to_string()), expected.map(str::to_owned).map_err(str::to_owned));
    }
}

#[test]
fn sharded_files_come_everything_first() {
    let renderer = with(&[("F.cpp", "$shard_id:\n  $defs\n")]);
    let item = |key: &str| (key.to_owned(), Env::from_iter([("defs", Value::from(vec![key]))]));
    let mut file = Sharded {
        file: "src/F.cpp".into(),
        template: "F.cpp".into(),
        shards: 2,
        keys: vec!["defs".into()],
        items: vec![item("abs"), item("zzé")],
        ..Sharded::default()
    };
    let files = renderer.render_sharded(&file, None).unwrap();
    let files: Vec<_> = files.iter().map(|f| (f.file.as_str(), f.contents.to_string(), f.listed)).collect();
    let expected = [
        ("src/FEverything.cpp", "Everything:\n  abs\n  zzé\n".to_owned(), false),
        ("src/F_0.cpp", "_0:\n  abs\n".to_owned(), true),
        ("src/F_1.cpp", "_1:\n  zzé\n".to_owned(), true),
    ];
    assert_eq!(files, expected);
    file.keys.clear();
    assert_eq!(renderer.render_sharded(&file, None).unwrap_err().to_string(), "F.cpp: `defs` is not a sharded name");
}

/// Pieces of fragments in any order. One that is imported without a name makes the engine's
/// compiler panic.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "{{ ", " }}", "{% ", " %}", "{#", "#}", "{%- ", "x", "'x'", "1", "true", "(", ")", "[", "]", "{", "}", ",", ".", "|", ":", " ", "\n", "~", "**",
    "import ", " as ", "from ", "include ", "with context", "for ", " in ", "endfor", "if ", "else", "endif", "set ", "endset", "macro m", "endmacro",
    "call ", "endcall", "filter ", "endfilter", "with ", "endwith", "block b", "endblock", "extends ", "super()", "raw", "endraw", "do ", "loop",
    "block(2)", "é", "not ", "is ", "recursive",
];

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    #[test]
    fn any_fragment_compiles_or_says_why(parts in proptest::collection::vec(proptest::sample::select(PIECES), 0..16)) {
        let mut renderer = Renderer::new("").expect("embedded templates compile");
        for text in [parts.concat(), format!("{{% {} %}}", parts.concat())] {
            if let Err(error) = renderer.add_template("a.j2", &text) {
                proptest::prop_assert!(error.line.is_none_or(|line| line <= text.split('\n').count()), "{error}");
            }
        }
    }
}

#[test]
fn templates_cannot_take_all_memory() {
    let hundred = "{{ 'x' * 100000000 }}";
    for template in [
        hundred.repeat(8),
        "{{ 'x' * 100000000000 }}".to_owned(),
        "{% set t = 'xy' * 10000000 %}{{ t | replace('x', t) }}".to_owned(),
        "{{ (('\\n' ~ 'x') * 1000000) | block(1000) }}".to_owned(),
    ] {
        let error = with(&[("t.j2", &template)]).fragment("t.j2", &json!({})).unwrap_err();
        assert_eq!(error.kind, RenderErrorKind::TooLong, "{template}");
        let diagnostic = error.diagnostic();
        assert!(diagnostic.notes.iter().any(|note| note.contains("8 million steps")), "{diagnostic:?}");
    }
    assert_eq!(with(&[("t.j2", "{{ 'x' * 1000000 }}")]).fragment("t.j2", &json!({})).unwrap().len(), 1_000_000);
}

#[test]
fn a_run_cannot_take_all_memory() {
    let counts = super::limits::Counts::default();
    assert!(counts.add(1 << 30) && counts.add(1 << 30) && !counts.add(1));
    assert_eq!((counts.all(), counts.room()), ((3, (1 << 31) + 1), 0));
}
