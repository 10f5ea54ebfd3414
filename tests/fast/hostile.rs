//! Hostile input: each run ends soon, uses little memory, reports an error or writes correct
//! output, and writes only to its install directory.
//!
//! An input is a library's native_functions.yaml or another file beside it. Each expects exactly
//! the codes named beside it, or success; the full texts are in `tests/ui` and with the parsers.

mod run;

use libtest_mimic::Trial;

use run::{Case, checks};

/// An operator without errors.
const GOOD: &str = "- func: ns::mix(Tensor self) -> Tensor\n  dispatch:\n    CPU: mix_cpu\n";

/// One test for each input, and the others of this module.
pub(crate) fn trials() -> Vec<Trial> {
    [sizes(), texts(), names(), flags()].into_iter().flatten().collect()
}

fn yaml(text: impl Into<Vec<u8>>) -> Case {
    Case { native: text.into(), ..Case::default() }
}

fn beside(file: &str, text: impl Into<Vec<u8>>) -> Case {
    Case { native: GOOD.into(), beside: vec![(file.to_owned(), text.into())], ..Case::default() }
}

/// An operator whose entry has one more line.
fn key(line: &str) -> Case {
    yaml(format!("- func: ns::mix(Tensor self) -> Tensor\n  {line}\n"))
}

fn sizes() -> Vec<Trial> {
    let aliases: String = (1..30).map(|i| format!("x{i}: &x{i} [*x{0}, *x{0}, *x{0}, *x{0}]\n", i - 1)).collect();
    let merged: String = (1..30).map(|i| format!("x{i}: &x{i} {{<<: [*x{0}, *x{0}], y{i}: 1}}\n", i - 1)).collect();
    let operators = |n: usize| -> String {
        (0..n).map(|i| format!("- func: ns::f{i}(Tensor a) -> Tensor\n  dispatch: {{CPU: f}}\n")).collect()
    };
    checks(
        "sizes",
        [
            ("aliases", yaml(format!("x0: &x0 [a, a, a]\n{aliases}")), "TG0105"),
            ("merged aliases", yaml(format!("x0: &x0 {{a: 1}}\n{merged}")), "TG0105"),
            ("an alias to itself", yaml("- &a [*a]\n"), "TG0104 TG0302"),
            ("lists in lists", yaml("[".repeat(200_000)), "TG0105"),
            ("maps in maps", yaml("{a: ".repeat(200_000)), "TG0105"),
            ("entries in entries", yaml("- ".repeat(200_000)), "TG0105"),
            ("block maps", yaml((0..2000).map(|i| format!("{}a:\n", " ".repeat(i))).collect::<String>()), "TG0105"),
            ("keys of keys", yaml("? ".repeat(200_000)), "TG0105"),
            ("a long line", yaml(format!("- func: {}\n", "x".repeat(1_000_000))), "TG0201"),
            ("a long string", yaml(format!("{GOOD}  doc: \"{}\"\n", "y".repeat(1_000_000))), ""),
            ("a long block", key(&format!("doc: |\n{}", "    z\n".repeat(100_000))), ""),
            ("brackets of types", yaml(format!("- func: ns::f(int{} a) -> Tensor\n", "[]".repeat(200_000))), "TG0203"),
            (
                "types in types",
                yaml(format!("- func: ns::f({} a) -> Tensor\n", "Dict(str, ".repeat(100_000))),
                "TG0203",
            ),
            ("tuples", yaml(format!("- func: ns::f({} a) -> Tensor\n", "(".repeat(200_000))), "TG0203"),
            (
                "many arguments",
                yaml(format!(
                    "- func: ns::f({}Tensor z) -> Tensor\n  dispatch: {{CPU: f}}\n",
                    (0..1500).map(|i| format!("Tensor a{i}, ")).collect::<String>()
                )),
                "",
            ),
            ("many operators", yaml(operators(1000)), ""),
            ("many errors", yaml("- func: x\n".repeat(5_000)), "TG0201"),
            ("many lines that end in CR", yaml("- func: ns::f(Tensor a) -> Tensor\r".repeat(5_000)), "TG0401"),
            ("many broken entries", yaml("- [\n".repeat(20_000)), "TG0102"),
            (
                "parentheses of a formula",
                beside(
                    "derivatives.yaml",
                    format!("- name: ns::mix(Tensor self) -> Tensor\n  self: {}\n", "(".repeat(200_000)),
                ),
                "TG0624",
            ),
            (
                "a long formula",
                beside(
                    "derivatives.yaml",
                    format!(
                        "- name: ns::mix(Tensor self) -> Tensor\n  self: grad{}\n",
                        " + self.sym_sizes()".repeat(20_000)
                    ),
                ),
                "",
            ),
            (
                "a template that includes itself",
                beside(
                    "templates/torch/library/RegisterSchema.cpp.j2",
                    "{% include 'torch/library/RegisterSchema.cpp.j2' %}",
                ),
                "TG0801",
            ),
            (
                "loops in loops",
                beside(
                    "templates/torch/library/RegisterSchema.cpp.j2",
                    format!("{}{}", "{% for i in [0] * 10000 %}".repeat(4), "{% endfor %}".repeat(4)),
                ),
                "TG0801",
            ),
            (
                "expressions in expressions",
                beside("templates/torch/library/RegisterSchema.cpp.j2", format!("{{{{ {}1", "(".repeat(100_000))),
                "TG0801",
            ),
        ],
    )
}

fn texts() -> Vec<Trial> {
    let utf16 =
        |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> { format!("\u{feff}{GOOD}").encode_utf16().flat_map(bytes).collect() };
    let good = GOOD.as_bytes();
    checks(
        "texts",
        [
            ("UTF-16, little end first", yaml(utf16(u16::to_le_bytes)), ""),
            ("UTF-16, big end first", yaml(utf16(u16::to_be_bytes)), ""),
            ("half a character of UTF-16", yaml(b"\xff\xfe\x00".to_vec()), "TG0100"),
            ("half a surrogate", yaml(b"\xff\xfe\x00\xd8a\x00".to_vec()), "TG0100"),
            (
                "UTF-32",
                yaml(format!("\u{feff}{GOOD}").chars().flat_map(|c| (c as u32).to_le_bytes()).collect::<Vec<u8>>()),
                "TG0103",
            ),
            ("latin-1", yaml([good, b"  doc: caf\xe9\n"].concat()), "TG0100"),
            ("a byte order mark", yaml([b"\xef\xbb\xbf", good].concat()), ""),
            ("a byte order mark inside", yaml([good, b"\xef\xbb\xbf", good].concat()), "TG0102"),
            ("NUL", yaml([good, b"  doc: a\0b\n"].concat()), "TG0103"),
            ("NUL as an escape", key(r#"doc: "a\0b""#), ""),
            ("NUL in a schema", yaml("- func: \"ns::mix\\0(Tensor self) -> Tensor\"\n"), "TG0201"),
            ("CRLF", yaml(GOOD.replace('\n', "\r\n")), ""),
            ("CR", yaml(GOOD.replace('\n', "\r")), ""),
            ("tabs for indentation", yaml(GOOD.replace("  ", "\t")), "TG0102"),
            ("tabs between", yaml(GOOD.replace(": ", ":\t")), ""),
            ("a tab in a schema", yaml("- func: \"ns::mix(Tensor\\tself) -> Tensor\"\n  dispatch: {CPU: k}\n"), ""),
            ("a key twice", yaml(format!("{GOOD}  dispatch:\n    CUDA: k\n")), "TG0101"),
            ("a dispatch key twice", yaml(format!("{GOOD}    CPU: other\n")), "TG0101"),
            ("an operator twice", yaml(GOOD.repeat(2)), "TG0401"),
            ("nothing", yaml(""), "TG0301"),
            ("null", yaml("~\n"), "TG0301"),
            ("a number", yaml("1\n"), "TG0301"),
            ("two documents", yaml(format!("{GOOD}---\n{GOOD}")), "TG0102"),
            ("a tag that runs code", yaml("!!python/object/apply:os.system ['true']\n"), "TG0108 TG0302"),
            ("random bytes", yaml((0..=255).rev().collect::<Vec<u8>>()), "TG0100"),
            (
                "a template that is no text",
                beside("templates/torch/library/RegisterSchema.cpp.j2", b"\xff\xfe".to_vec()),
                "TG0801",
            ),
            ("derivatives that are no text", beside("derivatives.yaml", b"\xff\xff".to_vec()), "TG0100"),
            ("functions for formulas that are no text", beside("derivatives_manual.h", b"\xff\0\xff".to_vec()), ""),
        ],
    )
}

/// Names that would lead to other paths, or end the text around them.
fn names() -> Vec<Trial> {
    let operator = |name: &str| yaml(format!("- func: \"{name}(Tensor self) -> Tensor\"\n  dispatch: {{CPU: k}}\n"));
    let kernel =
        |name: &str| yaml(format!("- func: ns::mix(Tensor self) -> Tensor\n  dispatch: {{CPU: \"{name}\"}}\n"));
    let structured = |line: &str| {
        let own = "- func: ns::s.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n  structured: True\n  dispatch: {CPU: k}\n";
        yaml(format!("{own}  {line}\n- func: ns::s(Tensor self) -> Tensor\n  structured_delegate: s.out\n"))
    };
    checks(
        "names",
        [
            ("namespace", operator("../../up::mix"), "TG0201"),
            ("absolute namespace", operator("/etc/up::mix"), "TG0201"),
            ("operator", operator("ns::../../up"), "TG0201"),
            ("overload", operator("ns::mix.../../up"), "TG0201"),
            ("dots", operator("ns::.."), "TG0201"),
            ("empty namespace", operator("::mix"), "TG0201"),
            ("kernel", kernel("../../up"), "TG0308"),
            ("namespace of a kernel", kernel("../../up::k"), "TG0308"),
            ("code for a kernel", kernel("k(); } int x = f"), "TG0308"),
            ("line break in a kernel", kernel("k\\n#include </etc/passwd>"), "TG0308"),
            ("kernel in Python", kernel("../../up:k"), "TG0353"),
            ("code for a kernel in Python", kernel(".k:f); import os"), "TG0353"),
            ("cpp_namespace", key("cpp_namespace: ../../up"), "TG0303"),
            // Operator libraries do not use it.
            ("python_module", key("python_module: ../../up"), ""),
            ("category_override", key("category_override: ../../up"), ""),
            ("tag", key("tags: ../../up"), "TG0309"),
            ("autogen", key("autogen: ../../up"), "TG0201"),
            (
                "view_inverse",
                yaml("- func: ns::part(Tensor(a) self) -> Tensor(a)\n  dispatch: {CPU: k}\n  view_inverse: ../../up\n"),
                "TG0308",
            ),
            ("fake", key("dispatch: {CPU: k}\n  fake: ../../up"), "TG0340"),
            ("structured_inherits", structured("structured_inherits: ../../up"), "TG0308"),
            ("precomputed", structured("precomputed:\n  - ../../up\n"), "TG0201"),
            ("structured_delegate", key("structured_delegate: ../../up"), "TG0201"),
            (
                "doc that ends its comment and its string",
                key(r##"doc: "*/ } \n\\\n#error up\n\"\"\"\n__import__(1)""##),
                "",
            ),
            ("class", yaml("- func: ns::take(__torch__.torch.classes.../../up box, Tensor x) -> Tensor\n"), "TG0203"),
            (
                "schema alone",
                yaml("- func: ../../up::any(Any x) -> Any\n  manual_kernel_registration: True\n"),
                "TG0201",
            ),
            (
                "derivative",
                beside("derivatives.yaml", "- name: ../../up(Tensor self) -> Tensor\n  self: grad\n"),
                "TG0201",
            ),
            (
                "included template",
                beside("templates/torch/library/RegisterSchema.cpp.j2", "{% include '../../../../../../etc/passwd' %}"),
                "TG0801",
            ),
        ],
    )
}

/// Names on the command line.
fn flags() -> Vec<Trial> {
    let flags = |line: &str| Case {
        native: GOOD.into(),
        flags: line.split(' ').map(str::to_owned).collect(),
        ..Case::default()
    };
    checks(
        "flags",
        [
            (
                "package",
                flags("--generate python --python-package ../../up"),
                "error[TG0001]: `../../up` is not a valid name for a Python package",
            ),
            (
                "absolute package",
                flags("--generate python --python-package /etc/up"),
                "error[TG0001]: `/etc/up` is not a valid name for a Python package",
            ),
            (
                "template directory",
                flags("--template-dir ../../../nowhere"),
                "error[TG0002]: cannot read `../../../nowhere`",
            ),
            ("threads", flags("-j 100000"), "error: invalid value '100000' for '--threads <N>': the maximum is 1024"),
            ("backend", flags("--static-dispatch-backend ../../up"), "error[TG0001]: --static-dispatch-backend is for"),
        ],
    )
}
