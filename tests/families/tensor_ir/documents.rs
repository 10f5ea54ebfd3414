//! The examples of docs/tensor-ir-diagnostics.md and of docs/tensor-ir.md do what they say.

use std::fs;

use super::{Program, examples, generated, root, torchgen};

/// The fenced blocks of a text that begin with these words, after the line that begins each.
fn blocks<'t>(text: &'t str, info: &str) -> Vec<&'t str> {
    let fence = format!("```{info}\n");
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(&fence) {
        let body = &rest[start + fence.len()..];
        let end = body.find("```").expect("a block that ends");
        found.push(&body[..end]);
        rest = &body[end..];
    }
    found
}

/// Checks one IR and gives back what is said of it.
fn checked(yaml: &str) -> (bool, String) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    fs::write(directory.path().join("ir.yaml"), yaml).expect("a file");
    let output = torchgen(&["tensor-ir", "-s", "ir.yaml", "-d", "out", "--dry-run"], directory.path());
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Every code has a section, and each example gets the code or nothing.
#[test]
fn diagnostics() {
    let text = fs::read_to_string(root().join("docs/tensor-ir-diagnostics.md")).expect("the page");
    let codes = fs::read_to_string(root().join("src/families/tensor_ir/codes.rs")).expect("the codes");
    let mut sections = text.split("\n## ").skip(1);
    for line in codes.lines().filter(|line| line.contains("\"TG3")) {
        let code = line.split('"').nth(1).expect("an id");
        let section = sections.next().unwrap_or_else(|| panic!("no section for {code}"));
        assert!(section.starts_with(code), "{code}: {section}");
        if code == "TG3019" {
            continue;
        }
        for yaml in blocks(section, "yaml wrong") {
            let (_, said) = checked(yaml);
            assert!(said.contains(&format!("[{code}]")), "{code}: {said}");
            assert!(said.contains("--> ir.yaml:") && said.contains('^'), "{code}: {said}");
        }
        let right = blocks(section, "yaml right");
        assert_eq!(right.len(), 1, "{code}");
        for yaml in right {
            let (passed, said) = checked(yaml);
            assert!(passed && !said.contains("TG"), "{code}: {said}");
        }
    }
    assert!(sections.next().is_none());
}

/// The caret is under the very words, inside strings too.
#[test]
fn carets() {
    let cases = [
        ("exprs:\n- {expr: \"add(expr l, exp r)\", dtype: l, print: \"{l}{r}\"}", "exp r", 3),
        ("exprs:\n- {expr: \"add(expr l)\", dtype: \"comon(l)\", print: \"{l}\"}", "comon", 5),
        ("exprs:\n- {expr: \"add(expr l)\", dtype: l, print: \"({l} + {left})\"}", "left}", 4),
        ("exprs:\n- {expr: \"add(expr l)\", dtype: l, print: \"{l:, }\"}", ":, }", 3),
        ("exprs:\n- {expr: \"add(expr l)\", dtype: l, print: \"{l\"}", "{l\"", 1),
        ("enums: {e: {values: [a, b]}}\nexprs:\n- {expr: \"add(expr l, e m=c)\", dtype: l, print: \"{l}\"}", "c)", 1),
        (
            "exprs:\n- {expr: \"add(expr l)\", dtype: l, print: \"{l}\", constraints: [{dtype_in: {l: [s33]}}]}",
            "s33",
            3,
        ),
        ("exprs:\n- {expr: \"add(expr l)\", dtype: l, print: \"{l}\", extends: nothing}", "nothing", 7),
        ("stmts:\n- {stmt: \"loop(expr v, stmt b)\", print: \"{v}{b}\", scope: {var: w, body: b}}", "w, body", 1),
        ("exprs:\n- {expr: \"add(expr l=None)\", dtype: l, print: \"{l}\"}", "None", 4),
    ];
    for (yaml, at, width) in cases {
        let text = format!("family: tensor-ir\nnamespace: ir\n{yaml}\n");
        let (passed, said) = checked(&text);
        assert!(!passed, "{yaml}");
        let place = text.find(at).expect("the words");
        let line = text[..place].matches('\n').count() + 1;
        let column = place - text[..place].rfind('\n').expect("a line");
        assert!(said.contains(&format!("ir.yaml:{line}:{column}\n")), "{yaml}: {said}");
        assert!(
            said.lines().any(|line| line.contains(&"^".repeat(width)) && !line.contains(&"^".repeat(width + 1))),
            "{yaml}: {said}"
        );
    }
}

/// Nothing that is cut off or mixed up ends the program in another way than by an error.
#[test]
fn broken_sources() {
    let text = fs::read_to_string(examples().join("exprs.yaml")).expect("an example");
    let text = text.replace("family: tensor-ir", "family: tensor-ir\nnamespace: ir");
    let marks: Vec<usize> = text.char_indices().map(|(at, _)| at).step_by(211).collect();
    for at in marks {
        for yaml in [
            text[..at].to_owned(),
            format!("{}\u{e9}{}", &text[..at], &text[at..]),
            format!("{}{{{}", &text[..at], &text[at..]),
        ] {
            let directory = tempfile::tempdir().expect("a temporary directory");
            fs::write(directory.path().join("ir.yaml"), yaml).expect("a file");
            let output = torchgen(&["tensor-ir", "-s", "ir.yaml", "-d", "out", "--dry-run"], directory.path());
            assert!(matches!(output.status.code(), Some(0..=2)), "{}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

/// The walk-through: its YAML goes into the example, its program is compiled, and prints what the page shows.
#[test]
fn walk_through() {
    let text = fs::read_to_string(root().join("docs/tensor-ir.md")).expect("the page");
    let yaml = blocks(&text, "yaml walk");
    let program = blocks(&text, "cpp walk");
    let shown = blocks(&text, "text walk");
    assert_eq!((yaml.len(), program.len(), shown.len()), (1, 1, 1));
    let sources = super::changed_examples("exprs.yaml", |text| format!("{text}\n{}", yaml[0]));
    let out = generated(sources.path(), &["--emit", "parser"]);
    let said = Program::new("tensor_ir_walk").generated(out.path()).text("walk.cpp", program[0]).run();
    assert_eq!(said, shown[0]);
}
