//! Macros, conditions and includes.

use super::{check, check_block, read};

#[test]
fn macros_are_replaced() {
    check_block("#define F m.def(\"f() -> ()\")", "F;", &["ns def(f() -> ())"]);
    check_block(
        "#define OP(n, k) m.def(\"f\" #n \"() -> ()\", &f_##n<k>)",
        "OP(a, 1);\nOP( b , 2 );",
        &["ns def(fa() -> (); &f_a<1>)", "ns def(fb() -> (); &f_b<2>)"],
    );
    check_block("#define S(x) #x", "m.def(S(f(str a = \"b\")));", &["ns def(f(str a = \"b\"))"]);
    check_block("#define V(n, ...) m.impl(n, __VA_ARGS__)", "V(\"f\", a, b);", &["ns impl(f; a; b)"]);
    check_block("#define V(n, ...) m.impl(n, ##__VA_ARGS__)", "V(\"f\");", &["ns impl(f)"]);
    check_block(
        "#define V(n, ...) m.impl(n __VA_OPT__(,) __VA_ARGS__)",
        "V(\"f\"); V(\"g\", a);",
        &["ns impl(f)", "ns impl(g; a)"],
    );
    check_block("#define V(n, rest...) m.impl(n, rest)", "V(\"f\", a, b);", &["ns impl(f; a; b)"]);
    // A name without parentheses is no use of the macro.
    check_block("#define g(x) wrong", "m.impl(\"f\", g);", &["ns impl(f; g)"]);
    // The result is looked at again, with what follows it.
    check_block("#define A B\n#define B(x) m.def(x)", "A(\"f() -> ()\");", &["ns def(f() -> ())"]);
    // A macro does not replace itself.
    check_block(
        "#define f f\n#define g(x) g(x)",
        "m.impl(\"f\", f); m.impl(\"g\", g(1));",
        &["ns impl(f; f)", "ns impl(g; g(1))"],
    );
    check_block("#define A B\n#define B A", "m.impl(\"f\", A);", &["ns impl(f; A)"]);
    check_block("#define f wrong\n#undef f", "m.impl(\"f\", f);", &["ns impl(f; f)"]);
    check("#define LIB(n) TORCH_LIBRARY_IMPL(n, CPU, m)\nLIB(ns) { m.impl(\"f\", f); }", &["ns[CPU] impl(f; f)"]);
}

#[test]
fn each_build_is_read() {
    check_block(
        "#ifdef A\n#define K f\n#else\n#define K g\n#endif",
        "m.impl(\"f\", K);",
        &["ns impl(f; f) if defined(A)", "ns impl(f; g) if not defined(A)"],
    );
    check_block(
        "",
        "m.def(\"f(Tensor x\"\n#if A\n\", int n\"\n#endif\n\") -> ()\");",
        &["ns def(f(Tensor x, int n) -> ()) if A", "ns def(f(Tensor x) -> ()) if not A"],
    );
    check(
        "#ifdef A\nTORCH_LIBRARY(a, m) {\n#else\nTORCH_LIBRARY(b, m) {\n#endif\nm.def(\"f() -> ()\");\n}\n",
        &["a def(f() -> ()) if defined(A)", "b def(f() -> ()) if not defined(A)"],
    );
    // What the sources define decides.
    check_block(
        "#define A 2\n#if A > 1 && defined(A)\n#define F m.def(\"f() -> ()\")\n#endif",
        "F;",
        &["ns def(f() -> ())"],
    );
    check_block(
        "#ifndef N\n#define N 3\n#endif",
        "#if N >= 3\nm.def(\"f() -> ()\");\n#endif",
        &["ns def(f() -> ()) if not defined(N) or N >= 3"],
    );
}

#[test]
fn conditions() {
    let rows = [
        ("if A && !B", "A and not B"),
        ("if defined A || defined(B)", "defined(A) or defined(B)"),
        ("if !(A || B)", "not A and not B"),
        ("if A < 3", "A < 3"),
        ("if 3 <= A", "A >= 3"),
        ("if !(A == 0x10)", "A != 16"),
        ("if A ? B : C", "A and B or not A and C"),
        ("if __has_include(<x.h>)", "__has_include(<x.h>)"),
        ("if defined(__has_include) && __has_include(\"x.h\")", "__has_include(\"x.h\")"),
        ("if __cplusplus >= 201703L && A", "A"),
        ("if A + 1 > 2", "A + 1 > 2"),
        ("if A(1, 2) && B", "A(1, 2) and B"),
        ("if defined(A) && A >= 2 && 1 << 2 == 4 && 7 / 2 == 3 && -1 < 0 && ~0 == -1", "defined(A) and A >= 2"),
        ("ifdef A // c", "defined(A)"),
        ("if A && \\\n B", "A and B"),
        ("if A || 1", ""),
    ];
    for (line, expected) in rows {
        let found = read(&[("a.cpp", &format!("#{line}\nTORCH_LIBRARY(n, m) {{ m.def(\"f() -> ()\"); }}\n#endif\n"))]);
        let wanted = if expected.is_empty() { String::new() } else { format!(" if {expected}") };
        assert_eq!(found, [format!("n def(f() -> ()){wanted}")], "{line}");
    }
    check_block(
        "",
        "#if A\nm.def(\"a() -> ()\");\n#elif B\nm.def(\"b() -> ()\");\n#else\nm.def(\"c() -> ()\");\n#endif",
        &["ns def(a() -> ()) if A", "ns def(b() -> ()) if not A and B", "ns def(c() -> ()) if not A and not B"],
    );
    check_block("", "#if 0\nm.def(\"a() -> ()\");\n#endif", &[]);
}

#[test]
fn includes_of_the_tree() {
    let block = "TORCH_LIBRARY(n, m) {\n#include \"ops.inc\"\n}\n";
    let macros = "#pragma once\n#define OP(x) m.def(x)\n";
    let found = read(&[
        ("src/a.cpp", &format!("#include <lib/macros.h>\n#include <torch/library.h>\n{block}")),
        ("include/lib/macros.h", macros),
        ("src/ops.inc", "OP(\"f() -> ()\");\n"),
    ]);
    assert_eq!(found, ["n def(f() -> ())"]);
    // A block in a header is there once, in the builds of all that include it.
    let found = read(&[
        ("a.cpp", "#ifdef A\n#include \"b.h\"\n#endif\nRegisterOperators x;"),
        ("c.cpp", "#ifdef C\n#include \"b.h\"\n#include \"b.h\"\n#endif\nRegisterOperators x;"),
        ("b.h", "#ifndef B_H\n#define B_H\nTORCH_LIBRARY(n, m) { m.def(\"f() -> ()\"); }\n#endif\n"),
    ]);
    assert_eq!(found, ["n def(f() -> ()) if defined(A) or defined(C)"]);
    // The nearest of several, and one that a macro names.
    let found = read(&[
        ("one/a.cpp", "#define H <x/k.h>\n#include H\nTORCH_LIBRARY(n, m) { m.def(K); }\n"),
        ("one/x/k.h", "#define K \"f() -> ()\"\n"),
        ("two/x/k.h", "#define K \"g() -> ()\"\n"),
    ]);
    assert_eq!(found, ["n def(f() -> ())"]);
}

#[test]
fn problems() {
    check("#if A\nRegisterOperators x;\n", &["a.cpp:1:1: this `#if` has no `#endif`"]);
    check("RegisterOperators x;\n#endif\n", &["a.cpp:2:1: this `#endif` has no `#if`"]);
    check("RegisterOperators x;\n#else\n", &["a.cpp:2:1: this branch has no `#if`"]);
    check("RegisterOperators x;\n#if A\n#else\n#elif B\n#endif\n", &["a.cpp:4:1: this branch follows an `#else`"]);
    check("RegisterOperators x;\n#if\n#endif\n", &["a.cpp:2:1: this line has no condition"]);
    check("RegisterOperators x;\n#define\n", &["a.cpp:2:1: `#define` has no name of a macro"]);
    check("RegisterOperators x;\n#define F(x\n", &["a.cpp:2:1: the parameters of this macro have no `)`"]);
    check("RegisterOperators x;\n#define F(1) a\n", &["a.cpp:2:1: a parameter of this macro is not a name"]);
    check("RegisterOperators x;\n#define F(..., x) a\n", &["a.cpp:2:1: `...` is not the last parameter of this macro"]);
    check("RegisterOperators x;\n#define F(x) #y\n", &["a.cpp:2:14: `#` is not followed by a parameter of the macro"]);
    check(
        "#define F(x) x\nF(\nTORCH_LIBRARY(n, m) { m.def(\"f() -> ()\"); }\n",
        &["n def(f() -> ())", "a.cpp:2:1: the arguments of `F` have no `)`"],
    );
    check_block(
        "#define F(x, y) m.def(x)",
        "F(\"f() -> ()\");",
        &["ns def(f() -> ())", "a.cpp:3:1: the macro `F` takes 2 arguments, and has 1"],
    );
    check("#include \"a.cpp\"\nRegisterOperators x;\n", &["a.cpp:1:1: includes are nested too deeply"]);
}
