//! Tests of sources and the definitions in them.

use proptest::prelude::*;

use super::{DefinitionForm, scan_source, signature};

/// Blocks between lines of dashes: a source, a line of dots, then one line per definition.
/// `UPDATE_EXPECT=1` writes the definitions again.
#[test]
fn sources() {
    let expected = include_str!("tests/sources.txt");
    let blocks: Vec<String> = expected.split("----\n").map(answered).collect();
    let found = blocks.join("----\n");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/lang/cpp/tests/sources.txt");
        std::fs::write(path, &found).expect("a new file");
    }
    let diff = similar::TextDiff::from_lines(expected, &found).unified_diff().to_string();
    assert!(diff.is_empty(), "{diff}");
}

fn answered(block: &str) -> String {
    let source = block.split("....\n").next().unwrap_or_default();
    let mut text = format!("{source}....\n");
    for definition in scan_source(source).definitions {
        let form = match definition.form {
            DefinitionForm::Function => "",
            DefinitionForm::Impl => "impl ",
            DefinitionForm::Meta => "meta ",
        };
        let private = if definition.is_private { "private " } else { "" };
        let signature = signature(&definition.returns, &definition.parameters);
        let parameters = signature.parameters.join(", ");
        text.push_str(&format!("{private}{form}{} {}({parameters})\n", signature.returns, definition.name));
    }
    text
}

#[test]
fn declarations() {
    let text = "namespace ns { int f(int x); extern int g(); int x; void h() { int k(int); } struct S { void m(); }; int T(int) = delete; }";
    let names: Vec<String> = scan_source(text).declared.into_iter().map(|declared| declared.name).collect();
    assert_eq!(names, ["ns::f", "ns::g"]);
}

#[test]
fn strings_that_continue_over_lines() {
    for end in ["\n", "\r\n"] {
        let text = format!("void f() {{ g(\"a\\{end}b\"); }}{end}int h(int x) {{ return x; }}{end}");
        let names: Vec<String> = scan_source(&text).definitions.into_iter().map(|found| found.name).collect();
        assert_eq!(names, ["f", "h"], "{text:?}");
    }
}

#[test]
fn places() {
    let text = "namespace ns { at::Tensor native::foo(int x) { return {}; } }";
    let found = scan_source(text).definitions;
    assert_eq!(found.len(), 1);
    assert_eq!(&text[found[0].range.clone()], "native::foo(int x)");
}

#[test]
fn types_that_are_the_same() {
    let same = |one: &str, other: &str| {
        let of = |text: &str| signature("", &[text.to_owned()]);
        assert_eq!(of(one), of(other), "{one} and {other}");
    };
    same("const at::Tensor & self", "const Tensor& x");
    same("at::Tensor const &self", "const ::at::Tensor &");
    same("const ::std::optional<at::Tensor> & t", "const c10::optional<Tensor>& t={}");
    same("at::IntArrayRef size", "c10::ArrayRef<int64_t> s");
    same("::std::optional<c10::string_view> s", "std::optional<std::string_view>");
    same("int64_t dim=-1", "const int64_t d");
    same("bool", "bool flag");
    same("::std::array<bool,2> mask", "std::array<bool, 2> output_mask");
    same("unsigned int x", "unsigned int");
    same("[[maybe_unused]] double x", "double");
    let differs = |one: &str, other: &str| {
        assert_ne!(signature("", &[one.to_owned()]), signature("", &[other.to_owned()]), "{one} and {other}");
    };
    differs("const at::Tensor & x", "at::Tensor & x");
    differs("double x", "float x");
    differs("c10::SymInt x", "int64_t x");
}

proptest! {
    #[test]
    fn anything_can_be_read(text in ".*") {
        scan_source(&text);
    }

    #[test]
    fn pieces_can_be_read(pieces in prop::collection::vec(prop::sample::select(vec![
        "namespace", "a", "::", "{", "}", "(", ")", "<", ">", "\n", "#if 0\n", "#else\n", "#endif\n", "\"", "'", "R\"(", "/*", "*/", "//", "\\\n",
        "template", "TORCH_IMPL_FUNC", ";", "=", "inline", ",", "const", "é", "operator", "->", "[", "]", "&", "#define X {\n",
    ]), 0..40)) {
        let text = pieces.join(" ");
        for definition in scan_source(&text).definitions {
            prop_assert!(text.get(definition.range.clone()).is_some());
        }
    }
}
