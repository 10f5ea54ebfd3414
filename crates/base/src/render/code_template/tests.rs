//! Tests of the CodeTemplate rules. The expected texts come from the reference.

use proptest::prelude::*;

use super::super::error::RenderErrorKind;
use super::super::{Env, Fragment, RenderError, Renderer, Value};

enum V {
    Text(&'static str),
    List(&'static [&'static str]),
}
use V::{List, Text};

/// Name, template, environment, expected text.
type Case = (&'static str, &'static str, &'static [(&'static str, V)], &'static str);

fn render(template: &str, env: &Env) -> Result<String, RenderError> {
    let mut renderer = Renderer::new("")?;
    renderer.add_template("t.cpp", template)?;
    Ok(renderer.render_file("t.cpp", env, None)?.to_string())
}

fn check(name: &str, template: &str, env: &[(&str, V)], expected: &str) {
    let value = |value: &V| match value {
        Text(text) => Value::from(*text),
        List(list) => list.iter().copied().collect(),
    };
    let env: Env = env.iter().map(|(key, v)| (*key, value(v))).collect();
    assert_eq!(render(template, &env).as_deref(), Ok(expected), "{name}");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn constructs() {
    let cases: &[Case] = &[
        (
            "plain text",
            "no places, 5$ and $1 and ${} and ${ x } and $",
            &[],
            "no places, 5$ and $1 and ${} and ${ x } and $",
        ),
        ("scalar inline verbatim", "a $x b", &[("x", Text("1  \n\n"))], "a 1  \n\n b"),
        ("braced scalar inline", "f(${x})g", &[("x", Text("y z"))], "f(y z)g"),
        ("scalar at line start", "$x\nend\n", &[("x", Text("one \n two\t\n\n"))], "one\n two\nend\n"),
        ("scalar at line start with text after", "  $x;\n", &[("x", Text("one \n  two "))], "  one\n    two;\n"),
        ("two places on one line", "  $x$y\n", &[("x", List(&["a", "b"])), ("y", List(&["c", "d"]))], "  a\n  bc, d\n"),
        (
            "list alone on its line",
            "{\n    ${x}\n}\n",
            &[("x", List(&["a;", "b {\n  c;\n}\n", "", "d"]))],
            "{\n    a;\n    b {\n      c;\n    }\n    d\n}\n",
        ),
        ("empty list leaves an empty line", "{\n    ${x}\n}\n", &[("x", List(&[]))], "{\n\n}\n"),
        ("empty list at indentation zero", "{\n$x\n}\n", &[("x", List(&[]))], "{\n\n}\n"),
        ("list of empties", "{\n  $x\n}\n", &[("x", List(&["", ""]))], "{\n\n}\n"),
        ("list of blanks", "{\n  $x\n}\n", &[("x", List(&["a", " ", "\n", "b", "\t\n \n"]))], "{\n  a\n\n\n  b\n}\n"),
        ("empties vanish, blank lines stay", "$x\n", &[("x", List(&["a", "", "b", "\n", "c"]))], "a\nb\n\nc\n"),
        ("newlines at the ends", "$x|\n", &[("x", List(&["a\n", "b\n\n", "c\n\n\n"]))], "a\nb\n\nc|\n"),
        ("leading newlines stay", "  $x\n", &[("x", List(&["\n\na"]))], "\n\n  a\n"),
        ("first element blank", "  $x\n", &[("x", List(&[" ", "a"]))], "\n  a\n"),
        ("inline list", "f($x)", &[("x", List(&["int a", "int b"]))], "f(int a, int b)"),
        ("inline empty list", "f(${x})", &[("x", List(&[]))], "f()"),
        ("inline list keeps lines", "f($x)", &[("x", List(&["a\n ", "", "b "]))], "f(a\n , , b )"),
        ("comma before", "f(int a${,x})", &[("x", List(&["b", "c"]))], "f(int a, b, c)"),
        ("comma before an empty list", "f(int a${,x})", &[("x", List(&[]))], "f(int a)"),
        ("comma after", "f(${x,}int a)", &[("x", List(&["b"]))], "f(b, int a)"),
        ("comma after an empty list", "f(${x,}int a)", &[("x", List(&[]))], "f(int a)"),
        ("commas on both sides", "f(a${,x,}b)", &[("x", List(&["1", "2"]))], "f(a, 1, 2, b)"),
        ("commas with a scalar", "f(a${,x,}b)", &[("x", Text("1"))], "f(a1b)"),
        ("commas at line start", "  ${,x,}\n", &[("x", List(&["1", "2"]))], "  1\n  2\n"),
        ("tabs as indentation", "\t$x\n", &[("x", List(&["a", "b\nc"]))], "\ta\n\tb\n\tc\n"),
        ("second line start", "a\n $x\n  $x", &[("x", List(&["p", "q"]))], "a\n p\n q\n  p\n  q"),
        (
            "names",
            "a $x_1${y2}$_z-$x1",
            &[("x_1", Text("A")), ("y2", Text("B")), ("_z", Text("C")), ("x1", Text("D"))],
            "a ABC-D",
        ),
        ("longest name", "a $xy ${xy}z", &[("xy", Text("A")), ("x", Text("B")), ("xyz", Text("C"))], "a A Az"),
        (
            "names that are words of the engine",
            "a ${true} $none ${ct} $range",
            &[("true", Text("A")), ("none", List(&["B"])), ("ct", Text("C")), ("range", Text("D"))],
            "a A B C D",
        ),
        (
            "engine syntax is literal",
            "{{ x }} {% if %} {# #} $x {{- -}}",
            &[("x", Text("{{ y }}"))],
            "{{ x }} {% if %} {# #} {{ y }} {{- -}}",
        ),
        ("values are not templates", "$x a $y", &[("x", Text("$y")), ("y", Text("${x}"))], "$y a ${x}"),
        ("dollars in a row", "a $$x $${x}", &[("x", Text("1"))], "a $1 $1"),
        (
            "separators of lines",
            "  $x\n",
            &[("x", List(&["a\rb\r\nc\u{b}d\u{c}e\u{1c}f\u{1d}g\u{1e}h\u{85}i\u{2028}j\u{2029}k", "l\u{1f}m"]))],
            "  a\n  b\n  c\n  d\n  e\n  f\n  g\n  h\n  i\n  j\n  k\n  l\u{1f}m\n",
        ),
        (
            "blanks of all kinds at line ends",
            "$x\n",
            &[("x", List(&["a\u{a0}\nb\u{3000}\u{1f}\nc\u{200b}\nd\u{1f}"]))],
            "a\nb\nc\u{200b}\nd\n",
        ),
        ("blank line of unusual blanks", "  $x\n", &[("x", List(&["a\n\u{a0}\u{2003}\nb"]))], "  a\n\n  b\n"),
        (
            "private use in text",
            "\u{e000} a \u{e001}\u{e005} $x \u{e002}",
            &[("x", Text("\u{e000}"))],
            "\u{e000} a \u{e001}\u{e005} \u{e000} \u{e002}",
        ),
        (
            "private use in values",
            "$x a $x",
            &[("x", Text("\u{e000}ct\u{e001}"))],
            "\u{e000}ct\u{e001} a \u{e000}ct\u{e001}",
        ),
        (
            "letters of all kinds in names",
            "a $\u{e9}${\u{f1}1}",
            &[("\u{e9}", Text("A")), ("\u{f1}1", Text("B"))],
            "a AB",
        ),
        (
            "unusual blanks as indentation",
            "a\n\u{a0}$x\n\u{3000}\t$x\n\u{1f}$x\n",
            &[("x", List(&["p", "q"]))],
            "a\n\u{a0}p\n\u{a0}q\n\u{3000}\tp\n\u{3000}\tq\n\u{1f}p\n\u{1f}q\n",
        ),
        (
            "separators as indentation",
            "\u{b}$x|\n \u{c} $x\n\u{1c}$x\n\u{85}$x\n",
            &[("x", List(&["p", "", "q\n\nr ", "s"]))],
            "\np\n\nq\n\n\nr\n\ns|\n\n p\n\n q\n\n\n r\n\n s\n\np\n\nq\n\n\nr\n\ns\n\np\n\nq\n\n\nr\n\ns\n",
        ),
        ("place after a separator that is not a newline", "a\u{b} $x\n", &[("x", List(&["p", "q"]))], "a\u{b} p, q\n"),
        ("indentation kept once", "    $x\n", &[("x", List(&["  a", "    b"]))], "      a\n        b\n"),
        ("no newline at the end", "$x", &[("x", List(&["a", "b\n"]))], "a\nb"),
    ];
    for (name, template, env, expected) in cases {
        check(name, template, env, expected);
    }
}

#[test]
fn line_ends_of_templates_become_newlines() {
    check("windows", "{\r\n  $x\r\n}\r$y", &[("x", List(&["a", "b"])), ("y", Text("c"))], "{\n  a\n  b\n}\nc");
}

#[test]
fn missing_names_are_reported_with_their_line() {
    for (template, line, name) in
        [("$x", 1, "x"), ("a\n  ${,x}\n", 2, "x"), ("\r\n\r\n$known ${true}", 3, "true"), ("\n$ct", 2, "ct")]
    {
        let env = Env::from_iter([("known", "")]);
        let error = render(template, &env).unwrap_err();
        let expected = RenderError {
            template: "t.cpp".into(),
            line: Some(line),
            span: None,
            kind: RenderErrorKind::Undefined(name.into()),
        };
        assert_eq!(error, expected);
        assert_eq!(error.to_string(), format!("t.cpp:{line}: `{name}` is not defined"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_template_renders_or_says_why(template in ".*|(\\PC|[\n\t \r\u{b}${},%#\u{e000}-\u{e006}xyé1]|\\$x){0,40}", value in any::<String>()) {
        let env = Env::from_iter([("x", Value::from(vec![value.as_str(), "b"])), ("y", Value::from(value.as_str()))]);
        match render(&template, &env) {
            Ok(_) => {}
            Err(error) => prop_assert!(matches!(error.kind, RenderErrorKind::Undefined(_)), "{error}"),
        }
    }

    #[test]
    fn templates_without_places_are_kept(template in "([^$\r]|\\$ ){0,60}") {
        let text = render(&template, &Env::new()).unwrap();
        prop_assert_eq!(text, template);
    }
}

/// A text of a list is what a template made, or a list of lines.
#[test]
fn fragments_inside_a_line() {
    let list = |texts: Vec<Fragment>| Env::from_iter([("x", Value::from(texts))]);
    let of_template = |text: &str| Fragment::of_template(text.to_owned());
    for (env, expected) in [
        (list(vec![of_template("a;\n"), of_template("b\n\n")]), "  a;\n  b\n|a;, b\n, |, a;, b\n"),
        (list(Fragment::lines_of("a\n\n  b\n")), "  a\n    b\n|a, ,   b, |, a, ,   b"),
        (list(Fragment::lines_of("\na\n   \n")), "  a\n|, a,    , |, , a,    "),
        (list(vec![Fragment::lines("\n"), "c".into()]), "  c\n|, , c, |, , , c"),
        (list(Fragment::lines_of("")), "\n||"),
        (Env::from_iter([("x", Value::from(of_template("a\n")))]), "  a\n|a|a"),
    ] {
        assert_eq!(render("  $x\n|${x,}|${,x}", &env).as_deref(), Ok(expected));
    }
}

#[test]
fn places_cannot_take_all_memory() {
    let (mut renderer, env) = (Renderer::new("").unwrap(), Env::from_iter([("x", vec!["y\n".repeat(1000); 1000])]));
    for (template, fits) in
        [("${x}\n".repeat(10), true), ("a ${x}\n".repeat(3000), false), (format!("{}$x", " ".repeat(1_000_000)), false)]
    {
        renderer.add_template("t.cpp", &template).unwrap();
        let error = renderer.render_file("t.cpp", &env, None).err();
        assert_eq!(error.map(|error| error.kind), (!fits).then_some(RenderErrorKind::TooMuch));
    }
}
