//! Texts before and after, and a property: only white space changes.

use proptest::prelude::*;

use super::laid_out;
use crate::lang::cpp::{TokenKind, tokens};

/// The text before and after, as it must be.
fn check(before: &str, after: &str) {
    assert_eq!(laid_out(before), after);
    assert_eq!(laid_out(after), after, "laid out twice");
}

#[test]
fn indents_by_brackets() {
    check(
        "namespace own {\nstruct A : B {\npublic:\n      void f(int x) override;\nint y;\n};\n}\n",
        "namespace own {\nstruct A : B {\npublic:\n  void f(int x) override;\n  int y;\n};\n}\n",
    );
    check(
        "void f(\nint a,\nint b) {\nreturn g(\na, b);\n}\n",
        "void f(\n    int a,\n    int b) {\n  return g(\n      a, b);\n}\n",
    );
    check("auto x = std::array<bool,2>{\na,\nb,\n};\n", "auto x = std::array<bool, 2>{\n    a,\n    b,\n};\n");
    check("auto x =\nf() ?\n1 : 2;\ny();\n", "auto x =\n    f() ?\n    1 : 2;\ny();\n");
    check("S::S(int a)\n: B(a),\nb(a) {}\nint x;\n", "S::S(int a)\n    : B(a),\n      b(a) {}\nint x;\n");
}

#[test]
fn gives_statements_their_own_lines() {
    check("if (a) b();\nc();\n", "if (a)\n  b();\nc();\n");
    check("for (auto x : y)\nif (x) f(x);\ng();\n", "for (auto x : y)\n  if (x)\n    f(x);\ng();\n");
    check("if (x) f(x);\nelse g();\nh();\n", "if (x)\n  f(x);\nelse\n  g();\nh();\n");
    check("int f() { return 1; }\n", "int f() {\n  return 1;\n}\n");
    check("int f()\n{\nreturn 1;\n}\n", "int f() {\n  return 1;\n}\n");
    check(
        "auto f = [&]() -> c10::intrusive_ptr<A> {\nreturn a;\n};\n",
        "auto f = [&]() -> c10::intrusive_ptr<A> {\n  return a;\n};\n",
    );
    check("g([&]() {\nreturn a;\n}());\nh();\n", "g([&]() {\n  return a;\n}());\nh();\n");
    check("S() {}\nvoid g() {}\n", "S() {}\nvoid g() {}\n");
}

#[test]
fn spaces_tokens() {
    check("const at::Tensor & f(at::Tensor &x, int y=-1);\n", "const at::Tensor& f(at::Tensor& x, int y = -1);\n");
    check("std::optional<at::Tensor> & x;\n", "std::optional<at::Tensor>& x;\n");
    check("f(ks & c10::after_autograd_keyset);\n", "f(ks & c10::after_autograd_keyset);\n");
    check("f( a,b );  // why\n", "f(a, b); // why\n");
    check("g({ a, b });\n", "g({a, b});\n");
    check("x[/*i*/0] = f(/*a=*/1);\n", "x[/*i*/ 0] = f(/*a=*/1);\n");
    check("A& operator=(const A&) = default;\n", "A& operator=(const A&) = default;\n");
    check("auto f = [=](int x) {\nreturn x;\n};\n", "auto f = [=](int x) {\n  return x;\n};\n");
    check("f(\"a,b & c\", 'x', 1e-06);\n", "f(\"a,b & c\", 'x', 1e-06);\n");
}

#[test]
fn keeps_directives_and_comments() {
    check(
        "#ifdef A\nstruct X {\nX();\n#else\nstruct Y X {\n#endif\nint a;\n};\nint b;\n",
        "#ifdef A\nstruct X {\n  X();\n#else\nstruct Y X {\n#endif\n  int a;\n};\nint b;\n",
    );
    check("#define A(x) \\\n    f(x); \\\n  g(x)\nint a;\n", "#define A(x) \\\n    f(x); \\\n  g(x)\nint a;\n");
    check("void f() {\n\n\n// Why, {\nx();\n\n}\n", "void f() {\n  // Why, {\n  x();\n}\n");
    check("C10_DIAGNOSTIC_POP()\n\nint a;\n", "C10_DIAGNOSTIC_POP()\n\nint a;\n");
    let raw = "auto x = R\"(\n a & b\n)\";\n";
    check(raw, raw);
}

/// The tokens as they are written.
fn words(text: &str) -> Vec<&str> {
    tokens(text)
        .into_iter()
        .filter(|token| token.kind != TokenKind::Directive)
        .map(|token| &text[token.range])
        .collect()
}

proptest! {
    /// Whatever the text is, its tokens stay.
    #[test]
    fn changes_only_white_space(text in r"([a-z]{1,2}|Tensor|[0-9]|[ \n]|[(){}\[\];,:<>=&*?.#]|if \(|for|struct |else|return|//|/\*|\*/|::|->){0,60}") {
        let after = laid_out(&text);
        let plain = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        prop_assert_eq!(plain(&text), plain(&after));
        if !text.contains("/*") && !text.contains("//") && !text.contains('#') {
            prop_assert_eq!(words(&text), words(&after));
        }
    }
}
