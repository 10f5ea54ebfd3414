//! Tests of syntax, types, flow and printing, with examples and random trees.

use proptest::prelude::*;

use super::print::{OPERATORS, fits_in_string};
use super::syntax::Comprehension;
use super::*;
use torchgen_base::diag::{TextError, codes};

mod printing;

/// A family with one type, `Tensor`, and calls that all have the same result.
struct Family {
    functions: Vec<Function>,
    properties: Vec<Function>,
    methods: Vec<Function>,
    divides_whole: bool,
}

fn family() -> Family {
    let mut functions = core_functions();
    functions.push(Function::new("ndim", &[("x", Type::with_name("Tensor"))], Type::Int, "The rank."));
    functions.push(Function::new("lens", &[("x", Type::with_name("Tensor"))], Type::Int.list(), "The lengths."));
    let x = || ("x", Type::with_name("Tensor"));
    let properties = vec![Function::new("sizes", &[x()], Type::Int.list(), "The sizes.")];
    let methods = vec![
        Function::new("size", &[x(), ("dim", Type::Int)], Type::Int, "A size."),
        Function::new("numel", &[x()], Type::Int, "The number of elements."),
    ];
    Family { functions, properties, methods, divides_whole: false }
}

impl Vocabulary for Family {
    fn constant(&self, name: &str) -> Option<Constant> {
        (name == "pi").then(|| Constant { ty: Type::Float, cpp: "kPi".to_owned() })
    }

    fn constants(&self) -> Vec<&str> {
        vec!["pi"]
    }

    fn functions(&self) -> &[Function] {
        &self.functions
    }

    fn call(
        &self,
        call: &Call,
        positional: &[Typed],
        keywords: &[(String, Typed)],
        _: Option<&Type>,
    ) -> Option<Result<CustomCall, TextError>> {
        if call.sigil == Sigil::Plain && call.callee.name != "mul" {
            return None;
        }
        Some(Ok(CustomCall {
            name: call.callee.name.clone(),
            sigil: call.sigil,
            by_variable: false,
            role: "op",
            positional: positional.to_vec(),
            keywords: keywords.to_vec(),
            result: Type::with_name("Tensor"),
        }))
    }

    fn properties(&self) -> &[Function] {
        &self.properties
    }

    fn methods(&self) -> &[Function] {
        &self.methods
    }

    fn divides_whole(&self) -> bool {
        self.divides_whole
    }

    fn callees(&self) -> Vec<&str> {
        vec!["mul"]
    }
}

fn variables() -> Vec<(String, Type)> {
    let tensor = || Type::with_name("Tensor");
    [("x", tensor()), ("c", tensor().optional()), ("n", Type::Int), ("a", Type::Float), ("axes", Type::Int.list())]
        .into_iter()
        .map(|(name, ty)| (name.to_owned(), ty))
        .collect()
}

fn checked(text: &str) -> Result<Typed, TextError> {
    let family = family();
    Checker::new(&family, variables()).expression(&parse(text)?)
}

/// The code of the error, and the text it points at.
fn error_of(text: &str) -> (&'static str, String) {
    let error = checked(text).expect_err(text);
    (error.code.name, text[error.range].to_owned())
}

#[test]
fn reserved_words_can_be_names() {
    assert_eq!(source(&parse_names("common(in, is, not)").unwrap()), "common(in, is, not)");
    let error = parse_names("common(in is)").unwrap_err();
    assert_eq!((error.message.as_str(), error.range), ("expected `,` or `)`, but found `is`", 10..12));
    assert!(parse("common(in)").is_err());
}

#[test]
fn what_a_call_marks_may_have_any_name() {
    for text in ["if!(a, b)", "@if(a)[0]", "a if not!(b) else -@for(a)", "@in(@is(a))"] {
        assert_eq!(source(&parse(text).unwrap()), text);
    }
    for text in ["if(a)", "not !(a)", "if! (a)", "a if!= b", "a in b"] {
        let called = parse(text).is_ok_and(|tree| matches!(tree.kind, ExprKind::Call(_)));
        assert!(!called, "{text}");
    }
}

#[test]
fn calls_are_separated_by_commas() {
    let read = |text: &str| parse_calls(text, |word| word == "in");
    let calls = read("like(in, size=[1]), like( x )").unwrap();
    assert_eq!(calls.iter().map(|call| call.range.clone()).collect::<Vec<_>>(), [0..18, 20..29]);
    assert_eq!(calls[0].call.keywords[0].0.name, "size");
    let calls = read("f(x) if y is not None and z else None, g(x)").unwrap();
    assert_eq!(calls[0].condition.as_ref().map(source).as_deref(), Some("y is not None and z"));
    assert!(calls[1].condition.is_none());
    for (text, message, range) in [
        ("f(x) + 1", "expected `,` or the end of the expression, but found `+`", 5..6),
        ("f(x) g(x)", "expected `,` or the end of the expression, but found `g`", 5..6),
        ("f(x),", "expected a call, but the text ends", 5..5),
        ("f(x) if y", "expected `else None` after the condition, but the text ends", 9..9),
        ("f(x) if y else g(x)", "expected `None` after `else`, but found `g`", 15..16),
        ("f(is)", "expected an expression, but `is` is a reserved word", 2..4),
        ("f", "expected `(`, but the text ends", 1..1),
    ] {
        let error = read(text).unwrap_err();
        assert_eq!((error.message.as_str(), error.range), (message, range), "{text}");
    }
}

#[test]
fn precedence_is_that_of_python() {
    for (text, same) in [
        ("1 + 2 * 3", "1 + (2 * 3)"),
        ("1 - 2 - 3", "(1 - 2) - 3"),
        ("not a == b and c", "(not (a == b)) and c"),
        ("a or b and c", "a or (b and c)"),
        ("-x[0] + 1", "(-(x[0])) + 1"),
        ("a if b else c if d else e", "a if b else (c if d else e)"),
        ("a is None or b == 0", "(a is None) or (b == 0)"),
        ("n % 2 == 0 and n not in axes", "((n % 2) == 0) and (n not in axes)"),
        ("7 // 2 * 2", "(7 // 2) * 2"),
        ("[*a + b, -c.d]", "[*(a + b), -(c.d)]"),
        ("-x.size(0)[1:]", "-((x.size(0))[1:])"),
        ("(1\n  + 2)", "1 + 2"),
    ] {
        let (first, second) = (parse(text).expect(text), parse(same).expect(same));
        assert_eq!(source(&first), source(&second), "{text}");
    }
}

#[test]
fn syntax_errors_point_at_the_token() {
    for (text, at) in [
        ("1 +", ""),
        ("1 < 2 < 3", "<"),
        ("f(a=1, a=2)", "a"),
        ("f(a=1, 2)", "2"),
        ("x = 1", "="),
        ("'a'", "'"),
        ("\"a", "\"a"),
        ("[1, 2", ""),
        ("99999999999999999999", "99999999999999999999"),
        ("\"{1 +}\"", ""),
        ("\"{\"", "{"),
        ("\"}\"", "}"),
        ("\"\\q\"", "\\q"),
        ("a is 3", "3"),
        ("a && b", "&&"),
        ("*a", "*"),
        ("f(*a)", "*"),
        ("[*a for b in c]", "for"),
        ("[**a]", "*"),
        ("a.", ""),
        ("a.1", ".1"),
    ] {
        let error = parse(text).expect_err(text);
        assert_eq!(error.code.id, codes::EXPRESSION_SYNTAX.id);
        assert_eq!(&text[error.range.clone()], at, "{text}: {}", error.message);
    }
    let second = "1 < 2 < 3";
    assert_eq!(parse(second).expect_err(second).range, 6..7);
}

#[test]
fn deep_nesting_is_refused() {
    for text in ["(".repeat(5000), "-".repeat(5000), "[".repeat(5000), "not ".repeat(5000), "f(".repeat(5000)] {
        assert!(parse(&text).is_err());
    }
    let blocks: String = (0..300).map(|depth| format!("{}if a:\n", " ".repeat(depth))).collect();
    assert!(parse_block(&blocks).is_err());
    let chain = format!("if a: return b\n{}", "elif a: return b\n".repeat(3000));
    assert!(parse_block(&chain).is_err());
}

#[test]
fn types_are_found_and_errors_point_at_the_wrong_part() {
    for (text, ty) in [
        ("n // 2", "int"),
        ("n / 2", "float"),
        ("n + 1.5", "float"),
        ("lens(x)[-1]", "int"),
        ("lens(x)[1:]", "int[]"),
        ("lens(x)[:-1]", "int[]"),
        ("lens(x)[n:n + 2]", "int[]"),
        ("[*axes, 1]", "int[]"),
        ("[*[], *lens(x)[1:], 2.5]", "float[]"),
        ("x.sizes[:-1]", "int[]"),
        ("x.size(-1) // x.numel()", "int"),
        ("[1, 2.5]", "float[]"),
        ("[] + axes", "int[]"),
        ("[0] * n", "int[]"),
        ("[i * 2 for i in range(n) if i not in axes]", "int[]"),
        ("c if c is not None else x", "Tensor"),
        ("c is None or ndim(c) == 2", "bool"),
        ("\"n is {n}\"", "str"),
        ("\"a\" in \"abc\"", "bool"),
        ("mul(x, x)", "Tensor"),
        ("len([\"a\"])", "int"),
        ("replaced(axes, 0, 7)", "int[]"),
        ("pi", "float"),
        ("None if n == 1 else x", "Tensor?"),
        ("min(1, 2.0)", "float"),
    ] {
        let found = checked(text).unwrap_or_else(|error| panic!("{text}: {}", error.message));
        assert_eq!(found.ty.to_string(), ty, "{text}");
    }
    for (text, name, at) in [
        ("m + 1", "expression-name", "m"),
        ("ndim(n)", "expression-call", "n"),
        ("nidm(x)", "expression-call", "nidm"),
        ("ndim(x, x)", "expression-call", "ndim"),
        ("ndim(c)", "expression-call", "c"),
        ("n / 2 // 2", "expression-type", "n / 2"),
        ("x + 1", "expression-type", "x + 1"),
        ("n == x", "expression-type", "n == x"),
        ("n is None", "expression-type", "n"),
        ("c == None", "expression-type", "c == None"),
        ("1 if n else 2", "expression-type", "n"),
        ("1 if n == 1 else x", "expression-type", "x"),
        ("[1, x]", "expression-type", "x"),
        ("n[0]", "expression-type", "n"),
        ("axes[0.5]", "expression-type", "0.5"),
        ("ndim(x=x)", "expression-call", "x"),
        ("[1, *n]", "expression-type", "n"),
        ("[x, *axes]", "expression-type", "*axes"),
        ("axes[x:]", "expression-type", "x"),
        ("x.size", "expression-name", "size"),
        ("x.sizes()", "expression-name", "sizes"),
        ("n.sizes", "expression-name", "sizes"),
        ("c.sizes", "expression-name", "sizes"),
        ("x.size(x)", "expression-call", "x"),
        ("x.size()", "expression-call", "size"),
        ("x.size(dim=0)", "expression-call", "dim"),
    ] {
        assert_eq!(error_of(text), (name, at.to_owned()), "{text}");
    }
}

#[test]
fn members_say_what_to_write() {
    for (text, help) in [
        ("x.size", "it is a method: write `.size(…)`"),
        ("x.sizes()", "write `.sizes` without parentheses"),
        ("x.sises", "did you mean `sizes`?"),
        ("c.sizes", "it may be None: check `is not None` first"),
        ("x.size(x)", "expected `size(Tensor x, int dim) -> int`"),
    ] {
        assert_eq!(checked(text).expect_err(text).help.as_deref(), Some(help), "{text}");
    }
}

#[test]
fn quotients_of_integers() {
    let family = Family { divides_whole: true, ..family() };
    let ty = |text: &str| {
        let typed = Checker::new(&family, variables()).expression(&parse(text).unwrap());
        typed.map(|typed| typed.ty.to_string()).map_err(|error| text[error.range].to_owned())
    };
    assert_eq!((ty("n / 2"), ty("a / 2")), (Ok("int".to_owned()), Err("a".to_owned())));
}

/// Steps, whether the end is reached, and the errors.
type Body = (Vec<Step>, bool, Vec<String>, Vec<(String, String)>);

fn body(text: &str, results: &[Type]) -> Body {
    let family = family();
    let statements = parse_block(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let mut checker = Checker::new(&family, variables());
    let checked = check_body(&mut checker, &statements, results);
    let unused = checked.unused.into_iter().map(|variable| variable.name).collect();
    let errors =
        checked.errors.into_iter().map(|error| (error.code.name.to_owned(), text[error.range].to_owned())).collect();
    (checked.steps, checked.returns, unused, errors)
}

#[test]
fn flow_follows_conditions_and_branches() {
    let tensor = [Type::with_name("Tensor")];
    let (_, returns, unused, errors) = body("if c is none: return x\nreturn mul(c, x)\n", &tensor);
    assert!(returns && unused.is_empty() && errors.is_empty(), "{errors:?}");

    let text = "if n == 1:\n  y = mul(x, x)\nelif n == 2:\n  y = x\nelse:\n  fail \"n is {n}\"\nreturn y\n";
    let (steps, returns, _, errors) = body(text, &tensor);
    assert!(returns && errors.is_empty(), "{errors:?}");
    let Step::If { hoisted, otherwise, .. } = &steps[0] else { panic!("{steps:?}") };
    assert_eq!(hoisted[0].0, "y");
    let Step::If { hoisted, then, .. } = &otherwise[0] else { panic!("{otherwise:?}") };
    assert!(hoisted.is_empty());
    assert!(matches!(&then[0], Step::Let { fresh: false, .. }));

    let (_, returns, ..) = body("if n == 1:\n  return x\n", &tensor);
    assert!(!returns);
    let (_, _, unused, _) = body("k = n\nreturn x\n", &tensor);
    assert_eq!(unused, ["k"]);
    let (_, _, _, errors) = body("total = 0\nfor i in axes:\n  total = total + i\nreturn x\n", &tensor);
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn flow_reports_all_errors() {
    let tensor = [Type::with_name("Tensor")];
    let text = "if n == 1:\n  y = x\nz = q\nw = mul(z, r)\nreturn y\n";
    let (_, _, _, errors) = body(text, &tensor);
    let found: Vec<&str> = errors.iter().map(|(_, at)| at.as_str()).collect();
    assert_eq!(found, ["q", "r", "y"]);
    for (text, name) in [
        ("return x\nreturn x\n", "expression-flow"),
        ("return x, x\n", "expression-flow"),
        ("return n\n", "expression-type"),
        ("n = x\nreturn x\n", "expression-type"),
        ("pi = 3\nreturn x\n", "expression-name"),
        ("y = mul(c, c)\nreturn ndim(c)\n", "expression-call"),
        ("for i in n:\n  k = i\nreturn x\n", "expression-type"),
    ] {
        let (_, _, _, errors) = body(text, &tensor);
        assert_eq!(errors.first().map(|(code, _)| code.as_str()), Some(name), "{text}");
    }
}

#[test]
fn blocks_report_indentation() {
    for (text, name) in [
        ("  a = 1\n", "expression-indentation"),
        ("if a:\nb = 1\n", "expression-indentation"),
        ("a = 1\n   b = 2\n", "expression-indentation"),
        ("if a:\n    b = 1\n  c = 1\n", "expression-indentation"),
        ("if a:\n\tb = 1\n", "expression-syntax"),
        ("else: return a\n", "expression-syntax"),
        ("a = 1 b = 2\n", "expression-syntax"),
        ("require a\n", "expression-syntax"),
        ("x +\n", "expression-syntax"),
    ] {
        let errors = parse_block(text).expect_err(text);
        assert_eq!(errors[0].code.name, name, "{text}: {errors:?}");
    }
    let errors = parse_block("a = \nb = 1\nc = )\n").expect_err("two errors");
    assert_eq!(errors.len(), 2);
}

fn names() -> impl Strategy<Value = String> {
    proptest::sample::select(vec!["a", "b", "lens", "x1", "_y"]).prop_map(str::to_owned)
}

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, range: 0..0 }
}

fn trees() -> impl Strategy<Value = Expr> {
    let ident = || names().prop_map(|name| Ident { name, range: 0..0 });
    let leaf = prop_oneof![
        Just(expr(ExprKind::None)),
        any::<bool>().prop_map(|value| expr(ExprKind::Bool(value))),
        (0..i64::MAX).prop_map(|value| expr(ExprKind::Int(value))),
        (0u32..999, 0u32..999).prop_map(|(a, b)| expr(ExprKind::Float(format!("{a}.{b}e-3")))),
        names().prop_map(|name| expr(ExprKind::Name(name))),
        "[ -~\n\té]{1,8}".prop_map(|text| expr(ExprKind::Str(vec![Piece::Text(text)]))),
    ];
    leaf.prop_recursive(4, 40, 4, move |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        prop_oneof![
            proptest::collection::vec((any::<bool>(), inner.clone()), 0..3).prop_map(|items| {
                let item = |(starred, item)| if starred { expr(ExprKind::Starred(Box::new(item))) } else { item };
                expr(ExprKind::List(items.into_iter().map(item).collect()))
            }),
            (boxed(), ident(), proptest::option::of(proptest::collection::vec(inner.clone(), 0..3)))
                .prop_map(|(of, name, arguments)| expr(ExprKind::Member { of, name, arguments })),
            (proptest::sample::select(OPERATORS.to_vec()), boxed(), boxed())
                .prop_map(|(operator, a, b)| expr(ExprKind::Binary(operator, a, b))),
            (any::<bool>(), boxed())
                .prop_map(|(not, a)| { expr(ExprKind::Unary(if not { Unary::Not } else { Unary::Negate }, a)) }),
            (boxed(), any::<bool>()).prop_map(|(value, negated)| expr(ExprKind::IsNone { value, negated })),
            (boxed(), boxed(), boxed()).prop_map(|(then, condition, otherwise)| {
                expr(ExprKind::Conditional { then, condition, otherwise })
            }),
            (boxed(), boxed()).prop_map(|(a, b)| expr(ExprKind::Index(a, b))),
            (boxed(), proptest::option::of(boxed()), proptest::option::of(boxed()))
                .prop_map(|(list, from, to)| expr(ExprKind::Slice(list, from, to))),
            inner
                .clone()
                .prop_filter("in braces", fits_in_string)
                .prop_map(|value| { expr(ExprKind::Str(vec![Piece::Text("v".to_owned()), Piece::Value(value)])) }),
            (inner.clone(), ident(), inner.clone(), proptest::option::of(inner.clone())).prop_map(
                |(element, variable, list, condition)| {
                    let parts = Comprehension { element, variable, list, condition };
                    expr(ExprKind::Comprehension(Box::new(parts)))
                }
            ),
            (
                ident(),
                proptest::sample::select(vec![Sigil::Plain, Sigil::Exact, Sigil::At]),
                proptest::collection::vec(inner.clone(), 0..3),
                proptest::option::of((ident(), inner)),
            )
                .prop_map(|(callee, sigil, positional, keyword)| {
                    let keywords = keyword.into_iter().collect();
                    expr(ExprKind::Call(Call { callee, sigil, positional, keywords }))
                }),
        ]
    })
}

proptest! {
    /// A printed tree parses to the same tree.
    #[test]
    fn printing_round_trips(tree in trees()) {
        let text = source(&tree);
        let read = parse(&text).map_err(|error| TestCaseError::fail(format!("{text}: {error:?}")))?;
        prop_assert_eq!(source(&read), text);
        prop_assert_eq!(format!("{:?}", without_ranges(&read)), format!("{:?}", without_ranges(&tree)));
    }

    /// Nothing panics, and errors lie on character boundaries.
    #[test]
    fn any_text_is_answered(text in "[a-e0-9 \\n\\t()\\[\\]{}\"'#=!@+*/%<>:,.é-]{0,60}|(if|for|return|require|else|not|in|is|None|[a-c]| |\\n|  |:|,|\\(|\\)|=)*") {
        for error in parse(&text).err().into_iter().chain(parse_block(&text).err().unwrap_or_default()) {
            prop_assert!(text.get(error.range.clone()).is_some(), "{:?} in {:?}", error, text);
        }
        if let Ok(statements) = parse_block(&text) {
            let family = family();
            check_body(&mut Checker::new(&family, variables()), &statements, &[Type::Int]);
        }
    }
}

/// The debug form of a tree, without ranges.
fn without_ranges(tree: &Expr) -> String {
    let text = format!("{tree:?}");
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("range: ") {
        out.push_str(&rest[..at]);
        rest = &rest[at + "range: ".len()..];
        rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    }
    out + rest
}
