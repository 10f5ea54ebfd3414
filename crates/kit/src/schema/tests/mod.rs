//! Tests: schemas print back, errors have the expected carets, and properties hold.

mod properties;

use super::{DefaultForm, Presence, Rules, Schema, SchemaError, TypeRow, TypeTable, Value, parse};

/// The types of a family that uses every feature.
pub(super) fn types() -> TypeTable<&'static str> {
    let words = |words: &[&str]| DefaultForm::OneOf(words.iter().map(|word| (*word).to_owned()).collect());
    let mut types = TypeTable::new();
    types.add("Tensor", TypeRow::new("tensor").alias());
    types.add("Module", TypeRow::new("module").suffixes(&["[]"]));
    types.add("int", TypeRow::new("int").default(DefaultForm::INT64));
    types.add("uint", TypeRow::new("uint").default(DefaultForm::UINT32));
    types.add("const int", TypeRow::new("const").default(DefaultForm::INT64));
    types.add("float", TypeRow::new("float").default(DefaultForm::Float));
    types.add("bool", TypeRow::new("bool").default(DefaultForm::Bool));
    types.add("str", TypeRow::new("str").default(DefaultForm::Str));
    types.add("expr", TypeRow::new("expr").list_default(words(&["dense"])));
    types.add("stmt", TypeRow::new("stmt"));
    types.add("for_type", TypeRow::new("enum").default(words(&["NORMAL", "PARALLEL"])));
    let words = ["ElemKind::FloatTy", "A::B", "c.d"].map(str::to_owned).to_vec();
    types.add("kind", TypeRow::new("kind").default(DefaultForm::OneOf(words)));
    types.add("shape", TypeRow::new("shape"));
    types.hint("double", "`float` is C++'s double");
    types
}

fn accepted(text: &str) -> Schema<&'static str> {
    match parse(text, &types(), &Rules::ANY) {
        Ok(schema) => schema,
        Err(errors) => panic!("{}", shown(text, &errors)),
    }
}

/// The text, followed by the carets, code, message and help of each error.
fn shown(text: &str, errors: &[SchemaError]) -> String {
    let mut out = text.to_owned();
    for error in errors {
        let indent = " ".repeat(text[..error.range.start].chars().count());
        let carets = "^".repeat(text[error.range.clone()].chars().count().max(1));
        let help = error.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
        out += &format!("\n{indent}{carets} {}: {}{help}", error.kind.code().id, error.message);
    }
    out
}

fn outcome(text: &str, rules: &Rules) -> String {
    match parse(text, &types(), rules) {
        Ok(schema) => format!("{text}\naccepted as {schema}"),
        Err(errors) => shown(text, &errors),
    }
}

#[test]
fn schemas_print_back() {
    for text in [
        "Add(Tensor LHS, Tensor RHS) -> Tensor Result",
        "ElementAdd(Tensor(a) LHS, Tensor(a) RHS) -> Tensor(a) Dest",
        "Splat(Tensor(a!) X, *, float Value)",
        "AvgPool(Tensor Input, *, uint[] Kernels, uint[] Strides=[1, 1], uint[] Pads) -> Tensor Result",
        "TopK(Tensor Input, *, uint K) -> (Tensor Values, Tensor Indices)",
        "Split(Tensor[] xs) -> Tensor[] ys",
        "binary(expr l, expr r)",
        "for_loop(expr var, expr begin, stmt body, *, bool incremental=True, for_type kind=NORMAL, int num_threads=0)",
        "indexing(expr ptr, expr[] idx, *, int lanes=1, expr? mask=None)",
        "tensor(str name, expr[] dims, *, expr[] strides=dense)",
        "gemm(Tensor A, Tensor B, Tensor? C=None, *, float alpha=1.0, Module[] mods) -> Tensor",
        "einsum(Tensor[] inputs, *, str equation=\"ij,jk->ik\") -> Tensor",
        "MatMul(Tensor x, Tensor y, bool transpose_1, bool transpose_2) -> Tensor",
        "expand(Tensor x, const int dim, shape s) -> Tensor",
        "sum.dim_IntList(Tensor x, int[1]? dim=[0]) -> (Tensor, const int)",
        "view(Tensor(a -> *) x) -> Tensor(a|b)[]",
        "swap(Tensor(a! -> a|b) x, kind k=ElemKind::FloatTy)",
        "limits(float a=inf, float b=-inf, float c=-1.5e-05, int d=-9223372036854775808)",
        "quoted(str a=\"it's \\\"so\\\"\\n\", str b='', str[] c=[\"a, b\", ')'])",
        "nested(int[][] x=[[1], []], int?[] y=[None,2])",
        "none() -> ()",
        "over.2d()",
    ] {
        assert_eq!(accepted(text).to_string(), text);
    }
}

#[test]
fn white_space_between_tokens_is_free() {
    let schema = accepted("  f ( Tensor x ,\n    const\tint  n = 1,*,bool b=True ) ->( Tensor a,Tensor b )\n");
    assert_eq!(schema.to_string(), "f(Tensor x, const int n=1, *, bool b=True) -> (Tensor a, Tensor b)");
}

#[test]
fn every_token_has_its_place() {
    let text = "f.o(Tensor(a!)[2]? x=None, *, const int k=[1]) -> Tensor y";
    let text = &text.replace("=[1]", "=1");
    let schema = accepted(text);
    let at = |range: &std::ops::Range<usize>| &text[range.clone()];
    assert_eq!(at(&schema.name.range), "f");
    assert_eq!(schema.overload.as_ref().map(|overload| at(&overload.range)), Some("o"));
    assert_eq!(at(&schema.parentheses.range), "(Tensor(a!)[2]? x=None, *, const int k=1)");
    let x = &schema.parameters[0];
    assert_eq!(at(&x.range), "Tensor(a!)[2]? x=None");
    assert_eq!(at(&x.ty.range), "Tensor(a!)[2]?");
    assert_eq!(at(&x.ty.name.range), "Tensor");
    let alias = x.ty.alias.as_ref().expect("the text has one");
    assert_eq!(at(&alias.range), "(a!)");
    assert_eq!(at(&alias.before[0].range), "a");
    assert_eq!(x.ty.suffixes.iter().map(|suffix| at(&suffix.range)).collect::<Vec<_>>(), ["[2]", "?"]);
    assert_eq!(at(&x.default.as_ref().expect("the text has one").range), "None");
    let k = &schema.parameters[1];
    assert!(k.keyword_only && !x.keyword_only && x.ty.is_write() && x.ty.is_optional() && x.ty.is_list());
    assert_eq!((at(&k.ty.range), at(&k.ty.name.range), at(&k.name.range)), ("const int", "const int", "k"));
    let y = &schema.results()[0];
    assert_eq!((at(&y.range), at(&y.ty.range)), ("Tensor y", "Tensor"));
    assert_eq!(y.name.as_ref().map(|name| at(&name.range)), Some("y"));
}

#[test]
fn defaults_are_read() {
    let schema =
        accepted("f(str s=\"a\\n\\\"\", uint[] n=[1, 2], bool b=False, float x=2, for_type t=PARALLEL, stmt? o=None)");
    let values: Vec<&Value> = schema
        .parameters
        .iter()
        .filter_map(|parameter| parameter.default.as_ref().map(|default| &default.value.value))
        .collect();
    assert_eq!(*values[0], Value::Str("a\n\"".to_owned()));
    assert!(
        matches!(values[1], Value::List(list) if list.iter().map(|n| &n.value).eq([&Value::Int(1), &Value::Int(2)]))
    );
    assert_eq!(*values[2], Value::Bool(false));
    assert_eq!(*values[3], Value::Int(2));
    assert_eq!(*values[4], Value::Word("PARALLEL".to_owned()));
    assert_eq!(*values[5], Value::None);
    assert_eq!(schema.parameters[1].default.as_ref().map(|default| default.text.as_str()), Some("[1, 2]"));
}

#[test]
fn errors_of_syntax() {
    let expected = "
 TG0201: expected a name, found the end";
    // An empty text has no line to show, so only its message is compared.
    assert!(outcome("", &Rules::ANY).ends_with(expected.trim_start()), "{}", outcome("", &Rules::ANY));
    for expected in [
        "f\n ^ TG0201: expected `.` or `(`, found the end",
        "f.\n  ^ TG0201: expected an overload name, found the end",
        "f(\n  ^ TG0201: expected a type or `*`, found the end",
        "f(int)\n     ^ TG0201: expected a parameter name, found `)` (a parameter is a type and a name, as in `int x`)",
        "f(int x\n       ^ TG0201: expected `=`, `,` or `)`, found the end",
        "f(int x y)\n        ^ TG0201: unexpected `y`: `int` is a type, and one name follows it",
        "f(int x=)\n        ^ TG0201: expected a default, found `)`",
        "f(int x,)\n       ^ TG0201: nothing follows the comma (remove it)",
        "f(int x, , int y)\n       ^ TG0201: nothing follows the comma (remove it)",
        "f(int x) Tensor\n         ^^^^^^ TG0201: expected `->` or the end, found `Tensor`",
        "f() -> \n       ^ TG0201: expected a type or `(`, found the end",
        "f() -> Tensor)\n             ^ TG0201: expected the end, found `)`",
        "f() -> (Tensor)\n       ^^^^^^^^ TG0201: a single result in parentheses (write it without parentheses, as in `-> Tensor`)",
        "f() -> Tensor, Tensor\n             ^ TG0201: a second result without parentheses (write several results in parentheses, as in `(Tensor, Tensor)`)",
        "f(Tensor xs...)\n           ^^^ TG0201: expected `=`, `,` or `)`, found `...` (a varying number of parameters is a list, as in `Tensor[] xs`)",
        "f(*)\n  ^ TG0201: no parameter follows the `*` (remove it)",
        "f(*, int x, *, int y)\n            ^ TG0201: a second `*` (remove it)",
        "f(int[0] x)\n      ^ TG0203: a list size must be a positive number without leading zeros",
        "f(int[2 x)\n        ^ TG0201: expected `]`, found `x`",
        "f(int [] x)\n      ^ TG0201: expected a parameter name, found `[` (a suffix directly follows its type, as in `int[] x`)",
        "f(Tensor[](a) x)\n          ^^^ TG0204: misplaced alias set (an alias set directly follows the name of its type, as in `Tensor(a)[]`)",
        "f(Tensor! x)\n        ^ TG0204: `!` without an alias set (an alias set marks what is mutated, as in `Tensor(a!)`)",
        "f(Tensor(a x)\n           ^ TG0201: expected `!`, `)` or `->`, found `x`",
        "f(Tensor(1) x)\n         ^ TG0201: expected an alias set, found `1`",
    ] {
        let text = expected.lines().next().unwrap_or_default();
        assert_eq!(outcome(text, &Rules::ANY), expected);
    }
}

#[test]
fn errors_of_meaning_are_gathered() {
    for expected in [
        "f(Tensr x, double y) -> imt\n  ^^^^^ TG0203: unknown type `Tensr` (did you mean `Tensor`?)\
         \n           ^^^^^^ TG0203: unknown type `double` (`float` is C++'s double)\
         \n                        ^^^ TG0203: unknown type `imt` (did you mean `int`?)",
        "f(int x, bool x) -> (Tensor y, Tensor y)\n              ^ TG0206: a second parameter named `x`\
         \n                                      ^ TG0206: a second result named `y`",
        "f(int(a) x)\n     ^^^ TG0204: `int` cannot have an alias set (only `Tensor` can have one)",
        "f(Module? x)\n        ^ TG0203: there are no values of type `Module?` (use `Module` or `Module[]`)",
        "f(int x=1.5, uint y=-1)\n        ^^^ TG0205: `1.5` is not a `int`: expected an integer from -9223372036854775808 to 9223372036854775807\
         \n                    ^^ TG0205: `-1` is not a `uint`: expected an integer from 0 to 4294967295",
        "f(bool x=true)\n         ^^^^ TG0205: `true` is not a `bool`: expected `True` or `False` (did you mean `True`?)",
        "f(for_type x=NORMEL)\n             ^^^^^^ TG0205: `NORMEL` is not a `for_type`: expected `NORMAL` or `PARALLEL` (did you mean `NORMAL`?)",
        "f(int x=None)\n        ^^^^ TG0205: `None` is not a `int`: expected an integer from -9223372036854775808 to 9223372036854775807 (write `int?` for a value that may be `None`)",
        "f(int[] x=1)\n          ^ TG0205: `1` is not a `int[]`: expected a list in brackets",
        "f(int[2] x=[1])\n           ^^^ TG0205: 1 elements for a list of 2",
        "f(int[] x=[1, a])\n              ^ TG0205: `a` is not a `int`: expected an integer from -9223372036854775808 to 9223372036854775807",
        "f(expr[] x=dence)\n           ^^^^^ TG0205: `dence` is not a `expr[]`: expected `dense` or a list in brackets (did you mean `dense`?)",
        "f(stmt x=1)\n         ^ TG0205: `stmt` cannot have a default (remove it, or write `stmt?` and `None`)",
        "f(str x=\"a)\n        ^^^ TG0205: unterminated string (close it with the same quote)",
        "f(str x='\\é')\n         ^^ TG0205: unknown escape `\\é` (the escapes are `\\\\`, `\\\"`, `\\'`, `\\n`, `\\t` and `\\r`)",
        "f(int x=0x10)\n        ^^^^ TG0205: a number must have decimal digits",
        "f(int x=9999999999999999999999999999999999999999)\n        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TG0205: the number is too large",
        "f(float x=1e999)\n          ^^^^^ TG0205: the number is too large",
        "f(float x=1.2.3)\n          ^^^^^ TG0205: not a number",
    ] {
        let text = expected.lines().next().unwrap_or_default();
        assert_eq!(outcome(text, &Rules::ANY), expected);
    }
}

#[test]
fn rules_say_which_parts_there_are() {
    let none = Rules {
        overload: Presence::Forbidden,
        keyword_only: Presence::Forbidden,
        returns: Presence::Forbidden,
        return_names: Presence::Forbidden,
    };
    assert_eq!(
        outcome("f.o(*, int x) -> int ", &none),
        "f.o(*, int x) -> int \n ^^ TG0201: an overload name is not allowed here (write `f` or another name)\
         \n    ^ TG0201: keyword-only parameters are not allowed here (remove the `*`)\
         \n              ^^^^^^ TG0201: results are not allowed here (remove the arrow and everything after it)"
    );
    let all = Rules {
        overload: Presence::Required,
        keyword_only: Presence::Optional,
        returns: Presence::Required,
        return_names: Presence::Required,
    };
    assert_eq!(
        outcome("f()", &all),
        "f()\n^ TG0201: the overload name is missing (write `f.` and the name)\
         \n   ^ TG0201: expected `->`, found the end (a schema is `name(parameters) -> results`)"
    );
    assert_eq!(
        outcome("f.o() -> (int[] x, const int)", &all),
        "f.o() -> (int[] x, const int)\
         \n                            ^ TG0201: expected a name after `const int` (write `const int name`)"
    );
}

#[test]
fn deep_and_long_texts_are_refused_not_followed() {
    let deep = |open: &str| format!("f(int x={})", open.repeat(100_000));
    let errors = parse(&deep("["), &types(), &Rules::ANY).expect_err("too deep");
    assert_eq!(errors[0].message, "lists are nested more than 64 levels deep");
    let suffixes = format!("f(int{} x)", "[]?".repeat(100_000));
    let errors = parse(&suffixes, &types(), &Rules::ANY).expect_err("too deep");
    assert_eq!(errors[0].message, "types are nested more than 64 levels deep");
    let long = format!("f({})", (0..20_000).map(|n| format!("int x{n}")).collect::<Vec<_>>().join(", "));
    assert_eq!(accepted(&long).parameters.len(), 20_000);
    let words = format!("f({} x)", "a ".repeat(20_000));
    assert!(parse(&words, &types(), &Rules::ANY).is_err());
}
