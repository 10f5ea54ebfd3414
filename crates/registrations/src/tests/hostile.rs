//! Texts that try to exhaust time, memory or the stack, and texts that are cut or mixed.

use super::read;

/// A repeated text.
const TIMES: usize = 3000;

#[test]
fn deep_and_long_texts_end() {
    let block = "TORCH_LIBRARY(n, m) { m.def(F); }\n";
    let doubled: String = (0..60).map(|n| format!("#define A{n} A{} A{}\n", n + 1, n + 1)).collect();
    let texts = [
        "#if A\n".repeat(TIMES),
        (0..TIMES).map(|n| format!("#if A{n} || B\n")).collect(),
        (0..TIMES).map(|n| format!("#ifdef A{n}\n#define F{n} F{}\n#endif\n", n + 1)).collect::<String>() + "F0\n",
        "#elif A\n".repeat(TIMES),
        format!("#if {}1\n", "A || ".repeat(TIMES)),
        format!("#if {}1\n", "(".repeat(TIMES)),
        format!("#if {}1\n", "!".repeat(TIMES)),
        format!("#if {}1\n", "A ? B : ".repeat(TIMES)),
        format!("#define F(x) x\n{}", "F(".repeat(TIMES)),
        format!("#define F(x) x x\n{}1{}\n", "F(".repeat(TIMES), ")".repeat(TIMES)),
        format!("#define F(x, ...) __VA_OPT__({})\nF(1, 2)\n", "__VA_OPT__(".repeat(TIMES)),
        format!("{doubled}A0\n"),
        format!("#define F F{}\nF\n", " F".repeat(TIMES)),
        format!("#define F(x) F(x)(x)\n{}\n", "F(1)".repeat(TIMES)),
        "#include \"a.cpp\"\n#include \"a.cpp\"\n".to_owned(),
        "TORCH_LIBRARY(a, m) {".repeat(TIMES),
        format!("TORCH_LIBRARY(a, m) {{ {}", "m.def(".repeat(TIMES)),
        format!("TORCH_LIBRARY(a, m) {{ {}", "m.f<".repeat(TIMES)),
        "RegisterOperators(".repeat(TIMES),
        (0..TIMES).map(|n| format!("#ifdef A{}\n{{\n#else\n}}\n#endif\n", n % 50)).collect(),
    ];
    for text in texts {
        read(&[("a.cpp", &(text + block))]);
    }
}

#[test]
fn any_text_can_be_read() {
    let source = "#define OP(n, ...) m.def(#n \"() -> ()\" __VA_OPT__(,) ##__VA_ARGS__)\n#if defined(A) && A >= 2\n\
                  TORCH_LIBRARY(ns, m) { OP(f, &f<1>); m.def(TORCH_SELECTIVE_SCHEMA(\"g() -> ()\"), {at::Tag::a});\n\
                  #else\n#include \"a.cpp\"\n#elif __has_include(<x>)\n m.impl(R\"(f)\", [] { return 1; }); \\\n}\n#endif\n";
    for end in (0..=source.len()).filter(|end| source.is_char_boundary(*end)) {
        read(&[("a.cpp", &source[..end]), ("b.cpp", &source[end..])]);
    }
    // Words in any order.
    let words = [
        "#",
        "define ",
        "A",
        "(",
        ")",
        ",",
        "...",
        "\n",
        "#if ",
        "#else\n",
        "#endif\n",
        "##",
        "TORCH_LIBRARY",
        "{",
        "}",
        "m",
        ".",
        "def",
        "\"f() -> ()\"",
        ";",
        "__VA_ARGS__",
        "defined",
        "#include \"a.cpp\"\n",
        "\\\n",
        "\r\n",
        "\u{feff}",
        "/*",
        "*/",
        "'",
        "\"",
        "R\"(",
        "é",
        "<",
        ">",
        "&&",
        "RegisterOperators",
        "namespace ",
        "[",
        "]",
        " ",
    ];
    let mut state = 1u64;
    for _ in 0..500 {
        let mut text = String::new();
        for _ in 0..24 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = usize::try_from(state >> 33).unwrap_or(0) % words.len();
            text.push_str(words[at]);
        }
        read(&[("a.cpp", &format!("{text}\nTORCH_LIBRARY(n, m) {{ {text} }}"))]);
    }
}
