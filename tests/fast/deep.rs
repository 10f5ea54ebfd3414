//! Long and deep inputs: every reader that is recursive, or makes a tree that others walk, has a
//! limit with a message, so no input exhausts the stack.
//!
//! Each case of the table is one text repeated, which makes an input longer or deeper. It says how
//! the run ends: with a code, or without an error.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;

/// How often the text is repeated: more than the stack of a thread in a debug build holds.
const TIMES: usize = 5000;

/// A reader, the forms of its input, and the codes of the errors of each; none if it passes.
type Reader = (&'static str, fn(&str) -> Input, Vec<(&'static str, String, &'static str)>);

/// The files and the command line.
type Input = (Vec<(&'static str, String)>, &'static [&'static str]);

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    let cases = readers().into_iter().flat_map(|(reader, input, forms)| {
        forms.into_iter().map(move |(form, text, code)| {
            let test = move || check(input(&text), code).map_err(Into::into);
            Trial::test(format!("deep::{reader}::{form}"), test)
        })
    });
    let linear = trials![
        long_files_are_read_as_short_ones,
        #[cfg(target_os = "linux")]
        schemas_take_linear_time
    ];
    cases.chain(linear).collect()
}

/// The text between others, each many times.
fn around(open: &str, inside: &str, close: &str) -> String {
    format!("{}{inside}{}", open.repeat(TIMES), close.repeat(TIMES))
}

/// A text, and another one many times.
fn chain(first: &str, link: &str) -> String {
    format!("{first}{}", link.repeat(TIMES))
}

const OPERATOR: &str = "- func: ns::mix(Tensor self, int n) -> Tensor\n  dispatch: {CPU: mix_cpu}\n";

fn formula(text: &str, flags: &'static [&'static str]) -> Input {
    let derivatives = format!("- name: ns::mix(Tensor self, int n) -> Tensor\n  self: '{text}'\n");
    (vec![("native_functions.yaml", OPERATOR.to_owned()), ("derivatives.yaml", derivatives)], flags)
}

fn key(key: &str, text: &str) -> Input {
    (vec![("native_functions.yaml", format!("{OPERATOR}  {key}: '{text}'\n"))], &["check", "-s", "."])
}

fn family(text: String, more: Option<(&'static str, String)>) -> Input {
    let files = std::iter::once(("a.yaml", text)).chain(more).collect();
    (files, &["check", "-s", "a.yaml"])
}

#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn readers() -> Vec<Reader> {
    let formulas = |deep: &'static str, long: &'static str| {
        vec![
            ("parentheses", around("(", "grad", ")"), deep),
            ("calls", around("at::exp(", "grad", ")"), deep),
            ("braces", around("at::f({", "grad", "})"), deep),
            ("operators", chain("grad", " + grad"), long),
            ("methods", chain("grad", ".exp()"), long),
            ("indices", chain("grad", "[0]"), long),
        ]
    };
    let expressions = |code: &'static str| {
        vec![
            ("parentheses", around("(", "x", ")"), code),
            ("signs", around("-", "x", ""), code),
            ("operators", chain("x", " + x"), code),
            ("comparisons", chain("x", " is None"), code),
            ("indices", chain("x", "[0]"), code),
            ("lists", around("[", "x", "]"), code),
            ("conditionals", around("x if True else ", "x", ""), code),
        ]
    };
    vec![
        ("formula", |text| formula(text, &["check", "-s", "."]), formulas("TG0624", "")),
        (
            "stable formula",
            |text| formula(text, &["check", "-s", ".", "--abi", "stable"]),
            formulas("TG0624", "TG6041").into_iter().chain([("signs", around("-", "grad", ""), "TG6041")]).collect(),
        ),
        (
            "when",
            |text| key("when", text),
            vec![
                ("and", chain("cuda", " and cuda"), "TG0348"),
                ("or", chain("cuda", " or rocm"), "TG0348"),
                ("not", around("not ", "cuda", ""), "TG0348"),
                ("parentheses", around("(", "cuda", ")"), "TG0348"),
            ],
        ),
        (
            "fake",
            |text| key("fake", &format!("like(self, size=[{text}])")),
            vec![
                ("sums", chain("n", " + n"), "TG0340"),
                ("products", chain("n", " * n"), "TG0340"),
                ("parentheses", around("(", "n", ")"), "TG0340"),
            ],
        ),
        (
            "from-cpp",
            |text| {
                let end = if text.starts_with('#') { "#endif\n" } else { "" };
                let (before, schema) = if end.is_empty() { ("", text) } else { (text, "\"f(Tensor x) -> Tensor\"") };
                let block = format!("TORCH_LIBRARY(ns, m) {{\nm.def({schema}, &f);\n}}\n");
                (vec![("a.cpp", format!("{before}{block}{}", end.repeat(TIMES)))], &["from-cpp", "a.cpp"])
            },
            vec![
                ("if", "#if A\n".repeat(TIMES), ""),
                ("elif", "#if A\n#elif B\n".repeat(TIMES), ""),
                ("condition", chain("#if A", " || A") + "\n", ""),
                ("macros", around("torch::schema(", "\"f(Tensor x) -> Tensor\"", ")"), ""),
                ("types", format!("\"f(int{} x) -> Tensor\"", "[]".repeat(TIMES)), ""),
            ],
        ),
        (
            "kernels",
            |text| {
                let files = vec![("native_functions.yaml", OPERATOR.to_owned()), ("k.cpp", text.to_owned())];
                (files, &["kernels", "-s", ".", "--sources", "k.cpp"])
            },
            vec![
                ("if", "#if A\n".repeat(TIMES), "TG0581"),
                ("namespaces", "namespace a {\n".repeat(TIMES), "TG0581"),
                ("templates", around("std::vector<", "int", ">") + " f();", "TG0581"),
            ],
        ),
        (
            "template",
            |text| {
                let path = "templates/torch/library/RegisterSchema.cpp.j2";
                let files = vec![("native_functions.yaml", OPERATOR.to_owned()), (path, text.to_owned())];
                (files, &["-s", ".", "-d", "out"])
            },
            vec![
                ("operators", chain("{{ 1", " + 1") + " }}", "TG0801"),
                ("attributes", chain("{{ a", ".b") + " }}", "TG0801"),
                ("filters", chain("{{ 1", "|abs") + " }}", "TG0801"),
                ("not", "{{ ".to_owned() + &around("not ", "1", "") + " }}", "TG0801"),
                ("elif", chain("{% if 1 %}", "{% elif 1 %}") + "{% endif %}", "TG0801"),
                ("if", around("{% if 1 %}", "", "{% endif %}"), "TG0801"),
                ("lists", "{{ ".to_owned() + &around("[", "1", "]") + " }}", "TG0801"),
            ],
        ),
        (
            "builder",
            |text| {
                family(format!("family: op-builders\nops:\n- builder: f(Tensor x) -> Tensor\n  body: '{text}'\n"), None)
            },
            vec![
                ("operators", chain("return x", " + x"), "TG0221"),
                ("calls", "return ".to_owned() + &around("add(x, ", "x", ")"), "TG0221"),
                ("indices", chain("return x", "[0]"), "TG0221"),
                ("elif", "if True: return x\n\n".to_owned() + &"      elif True: return x\n\n".repeat(TIMES), "TG0221"),
            ],
        ),
        (
            "wrapper",
            |text| {
                let functions = "functions:\n- fn: Relu(Tensor x) -> Tensor\n";
                let entry = format!("ops:\n- {{op: relu, call: Relu, shape: '[{text}]'}}\n");
                let aten = "- func: relu(Tensor x) -> Tensor\n  dispatch: {CPU: relu}\n".to_owned();
                let head = "family: wrappers\nname: acme\nnative_functions: aten.yaml\n";
                family(format!("{head}{functions}{entry}"), Some(("aten.yaml", aten)))
            },
            expressions("TG0221"),
        ),
        (
            "rule of a type",
            |text| {
                let entry = format!("- {{expr: \"neg(expr x)\", dtype: '{text}', print: '-'}}\n");
                family(format!("family: tensor-ir\nnamespace: ir\nexprs:\n{entry}"), None)
            },
            vec![("calls", around("scalar(", "x", ")"), "TG3007"), ("operators", chain("x", " + x"), "TG3007")],
        ),
        (
            "printed form",
            |text| {
                let entry = format!("- {{expr: \"neg(expr? x=None)\", dtype: s32, print: '{text}'}}\n");
                family(format!("family: tensor-ir\nnamespace: ir\nexprs:\n{entry}"), None)
            },
            vec![("conditions", around("{x?: ", "", "}"), "TG3008")],
        ),
        (
            "schema of a node",
            |text| family(format!("family: graph-ir\nops:\n- node: 'Relu({text} Input) -> Tensor Result'\n"), None),
            vec![("lists", chain("Tensor", "[]"), "TG0203")],
        ),
    ]
}

/// The run reports errors of that code alone, or none.
fn check((files, arguments): Input, code: &str) -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    for (name, text) in files {
        let path = directory.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).map_err(|error| error.to_string())?;
        std::fs::write(path, text).map_err(|error| error.to_string())?;
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    ["PATH", "VIRTUAL_ENV", "CONDA_PREFIX"].iter().for_each(|name| _ = command.env_remove(name));
    let output = command.args(arguments).current_dir(directory.path()).output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr);
    crate::reported::note(&said);
    let first = |line: &str| Some(line.strip_prefix("error[")?.split_once(']')?.0.to_owned());
    let codes: BTreeSet<String> = said.lines().filter_map(first).collect();
    let (status, expected) =
        if code.is_empty() { (0, BTreeSet::new()) } else { (1, BTreeSet::from([code.to_owned()])) };
    match (output.status.code() == Some(status), codes) {
        (true, codes) if codes == expected => Ok(()),
        (_, codes) => {
            let short: String = said.chars().take(600).collect();
            Err(format!("{}, {codes:?} instead of {code:?}: {short}", output.status))
        }
    }
}

/// A schema with eight times as many results takes about eight times as long to read. Times are
/// those of this thread on a processor, since the machine does other work too.
#[cfg(target_os = "linux")]
fn schemas_take_linear_time() {
    let on_processor = || -> u64 {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("the times of the thread");
        text.split(' ').next().and_then(|time| time.parse().ok()).expect("nanoseconds")
    };
    let time = |count: usize, repeated: usize| {
        let results: Vec<String> = (0..count).map(|i| format!("Tensor r{i}")).collect();
        let text = format!("ns::f(Tensor a) -> ({})", results.join(", "));
        let once = || {
            let start = on_processor();
            for _ in 0..repeated {
                assert!(torchgen_rs::parse_schema(&text).is_ok());
            }
            on_processor() - start
        };
        (0..3).map(|_| once()).min().expect("three times")
    };
    // The kernel counts in ticks of some milliseconds.
    let (few, many) = (time(2000, 80), time(16_000, 10));
    assert!(many < few * 3, "{few} ns for 80 schemas with 2000 results, {many} ns for 10 with 16000");
}

/// Operators in PyTorch's layout, which others follow: with errors about some, with one about the
/// variants of one, and without.
const FIRST: [&str; 3] = [
    "- func: two(Tensor self) -> Tensor\n\
     - func: two(Tensor self) -> Tensor\n\
     - func: lonely.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n  dispatch: {CPU: lonely_out}\n",
    "- func: lonely.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n  dispatch: {CPU: lonely_out}\n",
    "- func: one(Tensor self) -> Tensor\n  dispatch: {CPU: one}\n  autogen: one.out\n",
];

/// The operators of a long file are read, and checked together, on all threads.
fn long_files_are_read_as_short_ones() {
    let said = |first: &str, others: usize| {
        let work = tempfile::tempdir().expect("a temporary directory");
        let native = work.path().join("native");
        std::fs::create_dir(&native).expect("a new directory");
        let others = (0..others).map(|n| format!("- func: other{n}(Tensor self) -> Tensor\n"));
        let text = std::iter::once(first.to_owned()).chain(others).collect::<String>();
        std::fs::write(native.join("native_functions.yaml"), text).expect("a new file");
        std::fs::write(native.join("tags.yaml"), "- tag: core\n  desc: A tag.\n").expect("a new file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
        let output = command.args(["check", "-s", "."]).current_dir(work.path()).output().expect("the program runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        text.lines().filter(|line| !line.contains("no errors (")).map(str::to_owned).collect::<Vec<_>>()
    };
    let mut errors = Vec::new();
    for first in FIRST {
        let (short, long) = (said(first, 0), said(first, 2000));
        assert_eq!(long, short, "{first}");
        errors.push(short.iter().filter(|line| line.starts_with("error")).count());
    }
    assert!(errors[0] > 0 && errors[1] > 0 && errors[2] == 0, "{errors:?}");
}
