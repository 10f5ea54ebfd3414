//! Values, one per line of Python, and the errors of text that is not Python.

use super::*;

/// A value as Python would print it, `?` for an unknown one.
fn show(value: &Value) -> String {
    let all = |items: &[Located]| items.iter().map(|item| show(&item.value)).collect::<Vec<_>>().join(", ");
    match value {
        Value::Str(text) => format!("{text:?}"),
        Value::Number(text) => text.to_string(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::None => "None".to_owned(),
        Value::List(items) => format!("[{}]", all(items)),
        Value::Tuple(items) => format!("({})", all(items)),
        Value::Set(items) => format!("set({})", all(items)),
        Value::Dict(keys) => format!("dict({})", all(keys)),
        Value::Function(function) => format!("function of {:?}", function.positional()),
        Value::Class(_) => "class".to_owned(),
        Value::Object(object) => {
            let mut attributes: Vec<_> =
                object.attributes.iter().map(|(name, value)| format!("{name}={}", show(&value.value))).collect();
            attributes.sort();
            format!("object({}{})", attributes.join(", "), if object.open { ", ..." } else { "" })
        }
        Value::Unknown => "?".to_owned(),
    }
}

/// The text gives `x` that value.
#[track_caller]
fn check(text: &str, expected: &str) {
    let scope = module(text).unwrap();
    let x = scope.names().get("x").map_or("nothing".to_owned(), |x| show(&x.value));
    assert_eq!(x, expected, "{text}");
}

/// A call of `x` returns that.
#[track_caller]
fn check_call(text: &str, expected: &str) {
    let scope = module(text).unwrap();
    let Some(Located { value: Value::Function(x), .. }) = scope.names().get("x") else { panic!("no function: {text}") };
    assert_eq!(scope.returned(&x).map_or("nothing".to_owned(), |value| show(&value.value)), expected, "{text}");
}

#[test]
fn literals() {
    check("x = 'a'", "\"a\"");
    check("x: str = \"a\" 'b' # c", "\"ab\"");
    check("x = ('a'\n  \"b\")", "\"ab\"");
    check("x = '''a\n'b''' \\\n  \"\"\"c\"\"\"", "\"a\\n'bc\"");
    check(r"x = 'a\n\x41\u0042\103\'\q'", r#""a\nABC'\\q""#);
    check(r"x = r'\n'", r#""\\n""#);
    check(r"x = '\N{DASH}'", "?");
    check("x = b'a'", "?");
    check("x = f'a'", "\"a\"");
    check("x = f'a{b}'", "?");
    check("x = f\"{a['b']:{c}'>3}{{\" ; y = '}'", "?");
    check("x = f'{f'{1}'}'", "?");
    check("x = (1, -2.5, 0x1f, 1e-3, 1_0j)", "(1, -2.5, 0x1f, 1e-3, 1_0j)");
    check("x = True, None,", "(True, None)");
    check("x = ()", "()");
    check("x = (1)", "1");
    check("x = (1,)", "(1)");
    check("x = [1, [2], {'a': 1, **b}, {1, 2}, {}]", "[1, [2], dict(\"a\"), set(1, 2), dict()]");
    check("x = 1 + 2", "?");
    check("x = [a for a in b]", "?");
    check("x = lambda a, b: 1, 2", "(?, 2)");
    check("x = 1 if y else 2", "?");
    check("x = ['a' if y else 'b', 'c']", "[?, \"c\"]");
    check("x = y[0], (yield), a.b", "(?, ?, ?)");
}

#[test]
fn names() {
    check("y = 'a'\nx = y\ny = 'b'", "\"a\"");
    check("x = y = 'a'", "\"a\"");
    check("x, y = 1, 2", "?");
    check("x = 'a'\nx += 'b'", "?");
    check("x: str", "nothing");
    check("from a import b as x", "?");
    check("import x.y", "?");
    check("import y as x, z", "?");
    check("from a import (y,\n  x)", "?");
    check("x = 'a'\nif y: x = 'b'", "?");
    check("x = 'a'\ntry:\n  pass\nexcept E:\n    y = 1; x = 2\n", "?");
    check("x = 'a'\nmatch y:\n  case 1:\n    x = 'b'\n", "?");
    check("x = 'a'\nfor x in y: pass", "?");
    check("x = 'a'\ndef f():\n  x = 'b'\n", "\"a\"");
    check("x = 'a'\nclass C:\n\tx = 'b'\n", "\"a\"");
    check("x = []\nx.append(1)", "?");
    check("x = 'a'\nprint(x)", "\"a\"");
    check("x = {}\nx['a'] = 1", "?");
    check("a = ('b', 'c')\nx = ('a', *a)", "(\"a\", \"b\", \"c\")");
    check("a = ('b', 'c')\nx = [f for f in a]", "[\"b\", \"c\"]");
    check("del x", "?");
    assert!(module("from a import *").unwrap().names().get("x").is_some());
}

#[test]
fn functions() {
    check("def x(): pass", "function of Some(0)");
    check("def x(a, b: int = (1, 2), /, c=lambda d, e: 1, *, f): pass", "function of Some(3)");
    check("async def x[T](\n  a,\n  *args, **kwargs) -> dict[str, int]:\n  pass", "function of Some(1)");
    check("@d\ndef x(a): pass", "function of None");
    check_call("def x():\n  'doc'\n  return [1]", "[1]");
    check_call("y = 'a'\ndef x(): return y", "\"a\"");
    check_call("def x(y): return y", "?");
    check_call("def x():\n  y = []\n  y.append(1)\n  return y", "?");
    check_call("def x():\n  if y:\n    return 1", "?");
    check_call("def x(): pass", "nothing");
    check_call("def x():\n  def y(): return 1", "nothing");
}

#[test]
fn objects() {
    let class =
        "class C:\n  A = 'a'\n  def __init__(self, b, c=1):\n    self.b = b\n    self.c = c\n    self.d = b + c\n";
    let object = "object(A=\"a\", __init__=function of Some(2), b=\"B\", c=?, d=?)";
    check(&format!("{class}x = C('B')"), object);
    check(&format!("{class}x = C(b='B')"), object);
    check("@dataclass\nclass C:\n  a: str\n  b: int = 1\nx = C('A')", "object(a=\"A\", b=1)");
    check("class B:\n  A = 'b'\n  B = 'b'\nclass C(B):\n  A = 'c'\nx = C()", "object(A=\"c\", B=\"b\")");
    check("from b import B\nclass C(B):\n  def f(self, s): pass\nx = C()", "object(f=function of Some(1), ...)");
    // A class that creates objects of itself stops at some depth; Python stops with a
    // RecursionError.
    let itself = (0..32).fold("?".to_owned(), |inner, _| format!("object(__init__=function of Some(0), a={inner})"));
    check("class C:\n  def __init__(self):\n    self.a = C()\nx = C()", &itself);
    check("x = SimpleNamespace(a='A', f=lambda s: s)", "object(a=\"A\", f=?)");
    check("x = C(1)", "?");
}

#[test]
fn errors() {
    for (text, expected) in [
        ("x = 'a\ny'", (4..5, "unterminated string")),
        ("x = '''a", (4..7, "unterminated string")),
        ("x = f'{a", (4..6, "unterminated string")),
        ("x = [1, 2", (4..5, "`[` is not closed")),
        ("x = (1]", (6..7, "`]` cannot close `(`")),
        ("x = 1)", (5..6, "unmatched `)`")),
        ("x = $", (4..5, "`$` is not valid in Python")),
        ("if x:\n    y\n  z", (14..14, "the indentation does not match any outer block")),
        ("x\n  y", (4..4, "unexpected indent")),
        ("def f():\nx = 1", (9..10, "expected an indented block")),
        ("def f()\n  x = 1", (7..7, "expected a colon")),
        ("def 1(): pass", (0..3, "expected the name of the function")),
    ] {
        let error = module(text).unwrap_err();
        assert_eq!((error.range, error.message.as_str()), expected, "{text}");
    }
}

#[test]
fn limits() {
    for (text, error) in [
        ("(".repeat(10_000), true),
        (format!("x = {}", "f'{".repeat(10_000)), true),
        (format!("x = f'{}", "{:".repeat(10_000)), true),
        ((0..10_000).map(|i| format!("{}if x:\n", " ".repeat(i))).collect(), true),
        (format!("x = {}1", "-".repeat(20_000)), false),
        (format!("x = {}1", "*".repeat(20_001)), false),
        (format!("x = 1\n{}", "x = [x]\n".repeat(20_000)), false),
        (format!("x = [1, 2]\n{}", "x = [*x, *x]\n".repeat(100)), false),
        (format!("x = range\n{}x = [a for a in x]", "x = [*x, 1]\n".repeat(100)), false),
        (format!("class C: pass\n{}", "class C(C): x = C\n".repeat(2_000)), false),
        ("class C:\n def __init__(self): self.a = [C(), C()]\nx = C()".to_owned(), false),
    ] {
        assert_eq!(module(&text).is_err(), error, "{}", &text[..40]);
    }
}
