//! The forms of registrations that are read.

use super::literal::Literal;
use super::scan::calls;

#[test]
fn literals_lead_back_to_the_source() {
    let source = r#"("a\"b" R"x(c"d)x")"#;
    let mut literal = Literal::default();
    literal.add(source, 1..7);
    literal.add(source, 8..18);
    assert_eq!(literal.text, "a\"bc\"d");
    assert_eq!(literal.range(2..3), 5..6);
    assert_eq!(literal.range(3..4), 12..13);
    assert_eq!(literal.range(6..6).start, 17);
}

#[test]
fn blocks_and_chains() {
    let source = "
        namespace a::b { namespace {
        TORCH_LIBRARY_FRAGMENT(ns, lib) {
          lib.def(\"f(Tensor x) -> Tensor\").impl(\"f\", &f);
        #ifdef GPU
          if (true) { lib.def(\"g(\" \"int x) -> int\"); }
        #else
          lib.def(\"h() -> ()\");
        #endif
          other.def(\"i() -> ()\");
        } } }
        STABLE_TORCH_LIBRARY_IMPL(ns, CPU, m) { m.impl(\"g\", TORCH_BOX(&g)); }";
    let (found, blocks) = calls(source);
    assert_eq!(blocks, 2);
    let texts: Vec<_> = found.iter().filter_map(|call| Some(call.arguments[0].literal.clone()?.text)).collect();
    assert_eq!(texts, ["f(Tensor x) -> Tensor", "f", "g(int x) -> int", "h() -> ()", "g"]);
    assert_eq!(found[0].scope, ["a", "b", ""]);
    assert_eq!(
        (found[2].conditions.join(" "), found[3].conditions.join(" ")),
        ("defined(GPU)".into(), "!(defined(GPU))".into())
    );
    assert_eq!((found[4].key.as_deref(), found[4].is_def), (Some("CPU"), false));
}

#[test]
fn what_no_compiler_reads() {
    let source = "
        TORCH_LIBRARY(ns, m) {
          // m.def(\"a() -> ()\");
        #if 0 // later
          m.def(\"b() -> ()\");
        #else
          m.def(\"c() -> ()\");
        #endif
        #if defined(GPU) || \\
            defined(TPU) /* both */
          m.def(\"d() -> ()\");
        #endif
        }
        #if 0
        TORCH_LIBRARY(other, m) { m.def(\"e() -> ()\"); }
        #endif";
    let (found, blocks) = calls(source);
    assert_eq!(blocks, 1);
    let texts: Vec<_> = found.iter().filter_map(|call| Some(call.arguments[0].literal.clone()?.text)).collect();
    assert_eq!(texts, ["c() -> ()", "d() -> ()"]);
    let conditions: Vec<_> = found.iter().map(|call| call.conditions.join(" ")).collect();
    assert_eq!(conditions, ["", "defined(GPU) || defined(TPU)"]);
}

#[test]
fn register_operators() {
    let source = "
        torch::RegisterOperators none;
        static auto all = torch::RegisterOperators().op(\"ns::f() -> ()\", &f).op(\"ns::g\", &g);
        torch::RegisterOperators named(\"ns::h() -> ()\", &h);";
    let (found, blocks) = calls(source);
    assert_eq!(blocks, 2);
    let texts: Vec<_> = found.iter().filter_map(|call| Some(call.arguments[0].literal.clone()?.text)).collect();
    assert_eq!(texts, ["ns::f() -> ()", "ns::g", "ns::h() -> ()"]);
    assert!(found.iter().all(|call| call.is_def && call.key.is_none()));
    assert!(source[found[1].range.clone()].starts_with("op(\"ns::g\""));
}

#[test]
fn any_text_can_be_read() {
    let source =
        "TORCH_LIBRARY(ns, m) { m.def(TORCH_SELECTIVE_SCHEMA(\"f() -> ()\"), {at::Tag::a}); m.impl(R\"(f)\", f); }";
    for end in 0..=source.len() {
        calls(&source[..end]);
        calls(&source[end..]);
    }
    calls("TORCH_LIBRARY( TORCH_LIBRARY(a, m) } m.def( m.def.def(");
    calls("TORCH_LIBRARY(a, m) { m.def( } } m.impl");
    calls("RegisterOperators");
    calls("RegisterOperators x( RegisterOperators( .op( RegisterOperators().op.op(");
}

#[test]
fn schemas_are_inferred_as_torch_does() {
    use super::infer::{changed, schema};
    use torchgen_base::lang::cpp::signature;
    let inferred = |returns: &str, parameters: &[&str]| {
        let parameters: Vec<String> = parameters.iter().map(|text| (*text).to_owned()).collect();
        schema("f", &signature(returns, &parameters))
    };
    let rows: &[(&str, &[&str], &str)] = &[
        (
            "at::Tensor",
            &["const at::Tensor& x", "int64_t n = 1", "double scale"],
            "f(Tensor _0, int _1, float _2) -> Tensor",
        ),
        ("void", &["at::Tensor& out", "bool flag"], "f(Tensor _0, bool _1) -> ()"),
        ("std::tuple<at::Tensor, std::optional<at::Tensor>>", &[], "f() -> (Tensor, Tensor?)"),
        (
            "std::vector<at::Tensor>",
            &["at::TensorList xs", "c10::List<int64_t> ns"],
            "f(Tensor[] _0, int[] _1) -> Tensor[]",
        ),
        ("int64_t", &["const std::string& name", "std::string_view other"], "f(str _0, str _1) -> int"),
        (
            "torch::Tensor",
            &["c10::optional<double> x", "at::OptionalIntArrayRef d"],
            "f(float? _0, int[]? _1) -> Tensor",
        ),
        ("at::Scalar", &["std::array<bool, 3> mask", "c10::SymInt n"], "f(bool[3] _0, SymInt _1) -> Scalar"),
    ];
    for (returns, parameters, expected) in rows {
        assert_eq!(inferred(returns, parameters).as_deref(), Ok(*expected));
    }
    assert_eq!(inferred("at::Tensor", &["float x"]), Err("float".to_owned()));
    assert_eq!(inferred("at::Tensor", &["int n"]), Err("int".to_owned()));
    assert_eq!(inferred("MyType", &[]), Err("MyType".to_owned()));
    let parameters = ["at::Tensor& out", "const at::Tensor& x", "at::Tensor y"].map(str::to_owned);
    assert_eq!(changed(&signature("void", &parameters)), ["_0"]);
}
