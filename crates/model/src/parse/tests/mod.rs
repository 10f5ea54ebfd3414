//! Schemas that must print back, errors with their carets, and properties.

mod properties;

use super::schema::namespaced;
use super::{precompute, ufunc_inner_loop};
use crate::model::Language;
use crate::model::SchemaKind;
use crate::model::native_function::UfuncKey;
use torchgen_base::diag::TextError;
use torchgen_kit::driver::data::Tables;

fn check_ok(language: Language, text: &str) {
    match namespaced(text, language, Tables::embedded()) {
        Err(error) => panic!("{}", shown(text, &error)),
        Ok((namespace, schema)) => {
            let printed = namespace.map_or(schema.to_string(), |namespace| format!("{namespace}::{schema}"));
            assert_eq!(printed, text);
        }
    }
}

/// The text, carets below the range of the error, then code and message, then help.
fn shown(text: &str, error: &TextError) -> String {
    let indent = " ".repeat(text[..error.range.start].chars().count());
    let carets = "^".repeat(text[error.range.clone()].chars().count().max(1));
    let help = error.help.as_ref().map_or(String::new(), |help| format!("\n{indent}help: {help}"));
    format!("{text}\n{indent}{carets} {}: {}{help}", error.code.id, error.message)
}

/// The diagnostics for the text in the first line.
fn said(language: Language, expected: &str) -> String {
    let text = expected.lines().next().unwrap_or_default().replace("\\n", "\n");
    let found = match namespaced(&text, language, Tables::embedded()) {
        Ok((_, schema)) => format!("{text}\naccepted as {schema}"),
        Err(error) => shown(&text, &error),
    };
    found.replacen(&text, &text.replace('\n', "\\n"), 1)
}

#[test]
fn schemas_of_other_torches() {
    let text = "rename(Tensor(a) self, Dimname[]? names) -> Tensor(a)";
    let (_, located) = super::schema::of_any_torch(text).expect(text);
    assert_eq!(located.schema.to_string(), text);
    for language in [Language::Torchgen, Language::C10] {
        assert!(namespaced(text, language, Tables::embedded()).is_err());
    }
}

/// Both languages accept these.
const COMMON: &[&str] = &[
    "relabel(Tensor(a! -> a|b) self) -> Tensor(a! -> a|b) x",
    "mix(Tensor self, Tensor other) -> Tensor",
    "ns::mix(Tensor self) -> Tensor",
    "seed() -> ()",
    "mix_(Tensor(a!) self, Scalar by=1) -> Tensor(a!)",
    "__iand__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)",
    "__and__(Tensor self, Tensor other) -> Tensor",
    "norm_functional(Tensor input, Tensor mean) -> (Tensor, Tensor)",
    "mix.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
    "parts.out(Tensor self, int n=2, *, Tensor(a!)[] out) -> ()",
    "two.out(Tensor self, *, Tensor(a!) q, Tensor(b!) r) -> (Tensor(a!) q, Tensor(b!) r)",
    "reduce.out(Tensor self, *, Tensor(a!) out, Tensor(b!) _scratch_x) -> Tensor(a!)",
    "_norm(Tensor input, Tensor(a!) mean, Tensor(b!)? deviation) -> (Tensor, Tensor)",
    "_scale_all_(Tensor(a!)[] self, float[] by) -> ()",
    "split(Tensor(a -> *) self, SymInt n, int dim=0) -> Tensor(a)[]",
    "window(Tensor(a) self) -> Tensor(a)",
    "either(Tensor(a|b) self) -> Tensor(a)",
    "relabel_(Tensor(a! -> a|b) self) -> Tensor(a! -> a|b) x",
    "choose(bool which, Tensor self, Tensor other) -> Tensor",
    "make(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, \
     MemoryFormat? memory_format=None) -> Tensor",
    "grid(Tensor theta, int n) -> Tensor grid",
    "kinds(Generator? g, ScalarType t, Layout l, Device d, DeviceIndex i, Scalar s, MemoryFormat m, QScheme q, Storage st, \
     Stream sm, SymInt n, SymBool b, str x) -> int",
    "shapes(int[] a, int[2] b, int[1]? c, int[]? d, Tensor?[] e, Scalar[3] f, int?[3] g) -> Tensor[]",
    "defaults(int a=1, float b=-1e-05, bool c=True, str d=\"a b\", str e='\\'\\\\\"', int[2] f=[0,1], int[] g=[], int? h=None) -> ()",
    "reductions(Tensor x, int reduction=Mean, ScalarType dtype=long, MemoryFormat m=contiguous_format) -> ()",
    "late(int x=1, int[] y) -> Tensor",
    "quoted(str a=\")\", str b=\") -> \") -> Tensor",
];

/// Only the reference accepts these.
const ATEN: &[&str] = &[
    "word(int x=banana) -> Tensor",
    "over.2d(Tensor self) -> Tensor",
    "kinds(DimVector v, GraphModule gm) -> int",
    "over.default(Tensor self) -> Tensor",
    "sized(int[3][] x, int?? y) -> int[2][]",
    "shapes(int[] a, int[2] b, int[1]? c, int[]? d, Tensor?[] e, Scalar[][3] f) -> bool[4]",
    "held(__torch__.torch.classes.shop.Basket basket, __torch__.torch.classes.shop.Basket? other=None) -> int",
    "sized(int[][2]? a, int?[3] b) -> Tensor",
    "late(int x=1, int y) -> Tensor",
];

/// Only c10 accepts these, or the reference by accident.
const LIBRARY: &[&str] = &[
    "a::b::mix(Tensor self) -> Tensor",
    "rms(Tensor! result, Tensor input, float epsilon) -> ()",
    "attend(Tensor query, Tensor!? cache, int!? step, Tensor![] many) -> Tensor",
    "penalize_(Tensor! logits, Tensor mask) -> ()",
    "attend(Tensor lengths, Tensor lengths) -> Tensor",
    "lookup(Dict(str, Tensor) table, Dict(int, Tensor[])? more=None) -> Dict(str, int)",
    "wave(complex phase, complex[] more=[]) -> complex",
    "text(str a=\"x, y\", str b='a=b, c') -> Tensor",
    "text(str a=\"a::b\") -> Tensor",
    "reduce(Tensor x, int[]? dims=None, int[2] size=[1, 2], int[2] fill=3) -> Tensor",
    "split(Tensor(a -> *) self) -> Tensor(a -> *)[]",
    "keep(Tensor(first!) x, Tensor(* -> second|third) y) -> Tensor",
    "write_out(Tensor x) -> Tensor",
];

#[test]
fn schemas_print_back() {
    for text in COMMON {
        check_ok(Language::Torchgen, text);
        check_ok(Language::C10, text);
    }
    for text in ATEN {
        check_ok(Language::Torchgen, text);
        assert!(namespaced(text, Language::C10, Tables::embedded()).is_err(), "{text}");
    }
    for text in LIBRARY {
        check_ok(Language::C10, text);
        assert!(namespaced(text, Language::Torchgen, Tables::embedded()).is_err(), "{text}");
    }
}

#[test]
fn white_space_of_libraries_is_put_in_order() {
    for (text, expected) in [
        ("  mix ( Tensor!x,int  y = 3 )->Tensor ", "mix(Tensor! x, int y=3) -> Tensor"),
        (
            "fwd(Tensor(out!)? out = None,  # why\n  Tensor ? [ ] q ) -> ( Tensor )",
            "fwd(Tensor(out!)? out=None, Tensor?[] q) -> Tensor",
        ),
        ("f(Tensor(a|b! -> c|*) x,*,Dict( str ,int )d)->()", "f(Tensor(a|b! -> c|*) x, *, Dict(str, int) d) -> ()"),
    ] {
        let schema = namespaced(text, Language::C10, Tables::embedded()).map(|(_, schema)| schema.to_string());
        assert_eq!(schema.as_deref(), Ok(expected));
    }
}

/// Blocks between blank lines: text, carets, help. A heading names the language of the blocks after
/// it. `UPDATE_EXPECT=1` rewrites them.
#[test]
fn errors_point_at_their_token() {
    let mut language = Language::Torchgen;
    let expected = include_str!("errors.txt");
    let found: Vec<String> = expected
        .split("\n\n")
        .map(|block| match block.trim_end() {
            "# ATen" => "# ATen".to_owned(),
            "# Library" => {
                language = Language::C10;
                "# Library".to_owned()
            }
            block => said(language, block),
        })
        .collect();
    let found = found.join("\n\n") + "\n";
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/parse/tests/errors.txt"), &found).expect("a new file");
    }
    let diff = similar::TextDiff::from_lines(expected, &found).unified_diff().to_string();
    assert!(diff.is_empty(), "{diff}");
}

#[test]
fn kinds() {
    for (text, kind, aliases) in [
        ("mix(Tensor self) -> (Tensor, int)", SchemaKind::Functional, vec![None, None]),
        ("mix_(Tensor(a!) self) -> Tensor(a!)", SchemaKind::Inplace, vec![Some("self")]),
        ("mix.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", SchemaKind::Out, vec![Some("out")]),
        (
            "mix.out(Tensor self, *, Tensor(a!) out, Tensor(b!) _scratch_x) -> Tensor(a!)",
            SchemaKind::Scratch,
            vec![Some("out")],
        ),
        ("mix(Tensor self, Tensor(a!) x) -> Tensor", SchemaKind::Mutable, vec![None]),
        ("mix(Tensor(a) self, Tensor(a) x) -> Tensor(a)", SchemaKind::Functional, vec![Some("self")]),
    ] {
        let schema = namespaced(text, Language::Torchgen, Tables::embedded()).expect(text).1;
        assert_eq!((schema.kind(), schema.aliased_return_names()), (kind, aliases), "{text}");
    }
}

#[test]
fn variants_share_their_signature() {
    let signature =
        |text: &str| namespaced(text, Language::Torchgen, Tables::embedded()).expect(text).1.signature().to_string();
    for (text, expected) in [
        ("mix.x(Tensor self, *, int n=1) -> Tensor q", "mix(Tensor self, *, int n=1) -> Tensor"),
        ("mix_.x(Tensor(a!) self, *, int n=1) -> Tensor(a!)", "mix(Tensor self, *, int n=1) -> Tensor"),
        ("mix.out(Tensor self, *, int n=1, Tensor(a!) out) -> Tensor(a!)", "mix(Tensor self, *, int n=1) -> Tensor"),
        ("mix(Tensor self, Tensor(a!) x) -> Tensor", "mix(Tensor self, Tensor x) -> (Tensor, Tensor)"),
        ("bernoulli.p(Tensor self, float p) -> Tensor", "bernoulli(Tensor self, float p=0.5) -> Tensor"),
        (
            "make(int n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, int k=2) -> Tensor",
            "make(int n, *, int k=2) -> Tensor",
        ),
    ] {
        assert_eq!(signature(text), expected);
    }
}

#[test]
fn operator_names() {
    for text in ["mix", "mix_", "mix.out", "__and__", "__ixor__", "mix_functional", "__a_b__"] {
        assert_eq!(super::operator_name(text).map(|name| name.to_string()).as_deref(), Ok(text));
    }
    for (text, expected) in [
        ("mix out", "mix out\n   ^ TG0202: expected `.` and an overload name or the end, found ` `"),
        ("mix.a.b", "mix.a.b\n     ^ TG0202: expected the end, found `.`"),
        ("", "\n^ TG0201: expected an operator name, found the end"),
    ] {
        assert_eq!(super::operator_name(text).map_err(|error| shown(text, &error)), Err(expected.to_owned()));
    }
}

#[test]
fn precomputed_lines() {
    let ok =
        precompute(&["dim -> int dim, bool wrapped", "size -> int h", "int batch,  int planes"]).expect("well formed");
    let names = |list: &[crate::model::Argument]| list.iter().map(|one| one.name.clone()).collect::<Vec<_>>().join(" ");
    assert_eq!(names(&ok.replace["dim"]), "dim wrapped");
    assert_eq!((names(&ok.replace["size"]), names(&ok.add)), ("h".to_owned(), "batch planes".to_owned()));
    for (lines, at, expected) in [
        (
            &["int n", "dim -> int dim"][..],
            0,
            "int n\n^^^^^ TG0209: only the last line can lack ` -> `\nhelp: a line is `kernel_argument -> type name, type name`",
        ),
        (
            &["int dim -> int n"],
            0,
            "int dim -> int n\n^^^^^^^ TG0209: not the name of an argument\nhelp: name the replaced argument without its type, as in `dim -> int dim`",
        ),
        (
            &["dim -> int n, itn m"],
            0,
            "dim -> int n, itn m\n              ^^^ TG0203: unknown type `itn`\n              help: did you mean `int`?",
        ),
        (
            &["dim -> int N"],
            0,
            "dim -> int N\n           ^ TG0209: `N` is all uppercase, which is reserved for template parameters\n           help: write it with a lowercase letter",
        ),
        (
            &["dim -> int n,int m"],
            0,
            "dim -> int n,int m\n       ^^^^^^^^^^^ TG0209: unexpected white space\n       help: write `int n, int m`",
        ),
        (&["dim -> int n", "dim -> int m"], 1, "dim -> int m\n^^^ TG0209: `dim` is replaced twice"),
    ] {
        let found = precompute(lines).map_err(|(line, error)| (line, shown(lines[line], &error)));
        assert_eq!(found, Err((at, expected.to_owned())));
    }
    assert!(precompute::<&str>(&[]).is_err());
}

#[test]
fn ufunc_loops() {
    let ok = ufunc_inner_loop("add (Floating, Half, Float)", UfuncKey::Generic).expect("well formed");
    assert_eq!(
        (ok.name.as_str(), ok.supported_dtypes.into_iter().collect::<Vec<_>>().join(" ")),
        ("add", "Float Double Half".to_owned())
    );
    for expected in [
        "add\n^^^ TG0210: no scalar types\nhelp: the form is `name (ScalarType, ScalarType)`",
        "add Half\n    ^^^^ TG0210: the scalar types are not in parentheses\n    help: the form is `name (ScalarType, ScalarType)`",
        "add (Half, Bfloat16)\n           ^^^^^^^^ TG0210: unknown scalar type `Bfloat16`\n           help: did you mean `BFloat16`?",
    ] {
        let text = expected.lines().next().unwrap_or_default();
        assert_eq!(
            ufunc_inner_loop(text, UfuncKey::Generic).map_err(|error| shown(text, &error)),
            Err(expected.to_owned())
        );
    }
}
