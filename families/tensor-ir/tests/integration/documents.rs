//! What is wrong in an IR is reported at its place, and the walk-through of docs/tensor-ir.md is
//! right.

use std::fs;

use libtest_mimic::Trial;

use super::{Program, examples, generated, root, torchgen};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![bad_inputs, carets, names_of_the_library, broken_sources, walk_through]
}

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

/// Checks one IR and returns whether it passed, and its messages.
fn checked(yaml: &str) -> (bool, String) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    fs::write(directory.path().join("ir.yaml"), yaml).expect("a file");
    let output =
        torchgen(&["tensor-ir", "-s", "ir.yaml", "-d", "out", "--dry-run", "--max-errors", "0"], directory.path());
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// What is wrong in an IR, and its messages: one each, with a place.
fn bad_inputs() {
    let nodes =
        "- {expr: \"var(dtype type, str name)\", dtype: type, identity: true, print: \"{name}\", declare: \"{name}\"}";
    let cases: &[(&str, &str)] = &[
        (
            "exprs:\n- {expr: \"match(expr a)\", dtype: a, print: \"{a}.\"}",
            "`match` is a function of the generated library",
        ),
        (
            "exprs:\n- {expr: \"ff(expr dtype)\", dtype: s32, print: \"{dtype}.\"}",
            "the field `dtype` would hide `dtype_`",
        ),
        (
            "structs:\n- {struct: \"ff_(int ff)\", print: \"{ff}\"}",
            "the field `ff` would be called `ff_`, as its class is",
        ),
        (
            "structs:\n- {struct: ss(expr a), print: \"{a}\"}\nexprs:\n- {expr: ff(ss one), dtype: s32, print: \"f{one}\"}",
            "`one` cannot be of the type `ss`",
        ),
        ("exprs:\n- {expr: \"ff(scalar[] a)\", dtype: s32, print: \"{a}\"}", "`ff` is not a literal"),
        ("enums: {ee: {values: {a: x}}}", "must be a whole number"),
        ("types: {t: {cpp: int, equal: same}}", "a type has no key `equal`"),
        ("naming: {field_suffix: \"-\"}", "`-` cannot end the name of a field"),
        ("naming: {macro_prefix: \"1\"}", "`1` cannot begin the name of a macro"),
        ("layouts: {a: {b: c}}", "`a layout` must be a list"),
        ("intrinsics: [{name: max, args: two}]", "`args` must be a whole number"),
        ("intrinsics: [{intrinsic: \"func(expr a)\", dtype: a}]", "the library has a builder for `func` already"),
        ("intrinsics: [{name: NUM_INTRINSICS, args: 1}]", "is the number of intrinsics"),
        ("exprs:\n- {stmt: ss(expr a), print: \"{a}\"}", "cannot have the key `stmt`"),
        ("exprs:\n- {expr: 5}", "`expr` must be a string"),
        ("exprs:\n- {expr: ff(int a), dtype: s32, print: \"f({a!x})\"}", "neither a style nor a comparison"),
        (
            "exprs:\n- {expr: \"ff(expr a, expr b, expr c)\", dtype: a, operator: \"+\", print: \"{a}{b}{c}\"}",
            "takes two operands, and `ff` needs others",
        ),
        (
            "exprs:\n- {expr: ff(expr a), dtype: a, print: \"f{a}\", builder: g}\n- {expr: g(expr a), dtype: a, print: \"g{a}\"}",
            "two builders would be called `make_g`",
        ),
        (
            "exprs:\n- {expr: ff(expr a), dtype: a, print: \"f{a}\"}\n- {expr: ff_c(expr a), dtype: a, print: \"g{a}\"}",
            "`ff_c` is a name that `ff` gets too",
        ),
        (
            "enums: {linkage: {values: [here], print: {here: h}}}\nstmts:\n- {stmt: \"define(expr var, linkage linkage, expr? init)\", \
             print: \"{linkage}{var}{init}\"}",
            "`linkage` lacks the value `public_global`",
        ),
        (
            "exprs:\n- {expr: \"ff(expr a, int b=1, *, expr c)\", dtype: a, print: \"f{a}{b}{c}\"}",
            "`c` has no default, but comes after one that has",
        ),
        ("exprs:\n- {expr: \"NULL(expr a)\", dtype: a, print: \"{a}.\"}", "`NULL` is a macro of C++"),
        ("exprs:\n- {expr: \"ff(expr errno)\", dtype: s32, print: \"{errno}.\"}", "`errno` is a macro of C++"),
        ("enums: {color: {values: [red, EOF]}}", "`EOF` is a macro of C++"),
        ("enums: {INT32_MAX: {values: [red, green]}}", "`INT32_MAX` is a macro of C++"),
        ("enums: {ee: {values: {up: 1, down: 1}}}", "`up` and `down` have the same number, 1"),
        ("enums: {ee: {values: {up: 2147483648}}}", "the number of `up` does not fit into an `int`"),
        (
            "exprs:\n- {expr: \"ff(expr a, bool b)\", dtype: a, print: \"{a}{b?:b}\", constraints: [{scalar: [a], when: {b: maybe}}]}",
            "`b` is never `maybe`",
        ),
        (
            "enums: {ee: {values: [up]}}\nexprs:\n- {expr: \"ff(expr a, ee b)\", dtype: a, print: \"{a}{b}\", constraints: [{scalar: [a], \
             when: {b: dawn}}]}",
            "`ee` has no value `dawn`",
        ),
        (
            "exprs:\n- {expr: ff(expr a), dtype: a, print: \"f{a}\", builder: make_g}",
            "the builder would be called `make_make_g`",
        ),
        (
            "exprs:\n- {expr: \"ff(stmt a, expr b)\", dtype: b, print: \"f{a}{b}\", commutative: true}",
            "its children are not two expressions",
        ),
        (
            "exprs:\n- {expr: \"ff(stmt a, expr b)\", dtype: b, print: \"f{a}{b}\", operator: \"+\"}",
            "takes two operands, and `ff` needs others",
        ),
        ("intrinsic_attributes: {\"a b; int INJECTED\": x}", "is not an identifier of C++"),
        ("intrinsic_attributes: {return: x}", "`return` is a keyword of C++"),
        ("types: {t: {cpp: int, include: \"a.h\\n#error\"}}", "cannot be the name of a header"),
    ];
    for (yaml, wanted) in cases {
        let (passed, said) = checked(&format!("family: tensor-ir\nnamespace: ir\n{yaml}\n"));
        assert!(!passed && said.contains(wanted), "{yaml}: {said}");
        let errors = said.lines().filter(|line| line.starts_with("error[")).count();
        let one = errors == 1 || yaml.contains("linkage");
        assert!(one && said.contains("--> ir.yaml:") && said.contains('^'), "{yaml}: {said}");
    }
    // However deep, there is an answer.
    for (open, close) in [("scalar(", ")"), ("common(a, ", ")")] {
        let rule = format!("{}a{}", open.repeat(4000), close.repeat(4000));
        let text = format!("exprs:\n{nodes}\n- {{expr: \"ff(expr a)\", dtype: \"{rule}\", print: \"f{{a}}\"}}\n");
        let (passed, said) = checked(&format!("family: tensor-ir\nnamespace: ir\n{text}"));
        assert!(!passed && said.contains("[TG3007]"), "{said}");
    }
    let form = format!("{}{}", "{a>0:".repeat(4000), "}".repeat(4000));
    let text = format!("exprs:\n- {{expr: \"ff(int a)\", dtype: s32, print: \"{form}\"}}\n");
    let (passed, said) = checked(&format!("family: tensor-ir\nnamespace: ir\n{text}"));
    assert!(!passed && said.contains("this nests deeper"), "{said}");
}

/// The caret is under the very words, inside strings too.
fn carets() {
    let cases = [
        ("exprs:\n- {expr: \"add(expr l, exp r)\", dtype: l, print: \"{l}{r}\"}", "exp r", 3),
        ("exprs:\n- {expr: \"add(expr l)\", dtype: \"comon(l)\", print: \"{l}\"}", "comon", 5),
        ("exprs:\n- {expr: \"add(expr l)\", dtype: l, print: \"({l} + {left})\"}", "left}", 4),
        ("exprs:\n- {expr: \"add(expr l)\", dtype: l, print: \"{l:, }\"}", ":, }", 3),
        ("exprs:\n- {expr: \"add(expr l)\", dtype: l, print: \"{l\"}", "{l\"", 1),
        ("enums: {ee: {values: [a, b]}}\nexprs:\n- {expr: \"add(expr l, ee m=c)\", dtype: l, print: \"{l}\"}", "c)", 1),
        (
            "exprs:\n- {expr: \"add(expr l)\", dtype: l, print: \"{l}\", constraints: [{dtype_in: {l: [s33]}}]}",
            "s33",
            3,
        ),
        ("exprs:\n- {expr: \"add(expr l)\", dtype: l, print: \"{l}\", extends: nothing}", "nothing", 7),
        ("stmts:\n- {stmt: \"repeat(expr v, stmt b)\", print: \"{v}{b}\", scope: {var: w, body: b}}", "w, body", 1),
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

/// What the generated library declares itself is not the name of a node.
fn names_of_the_library() {
    let yaml = "exprs:\n- {expr: \"odd(expr v)\", dtype: v, print: \"odd({v})\"}\n";
    let directory = tempfile::tempdir().expect("a temporary directory");
    fs::write(directory.path().join("ir.yaml"), format!("family: tensor-ir\nnamespace: ir\n{yaml}")).expect("a file");
    let out = generated(&directory.path().join("ir.yaml"), &["--emit", "parser"]);
    let mut names = Vec::new();
    for entry in fs::read_dir(out.path()).expect("what was generated") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|extension| extension != "h") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a header");
        let mut within = "ir";
        for line in text.lines() {
            // What is in a namespace of its own clashes with nothing.
            if let Some(name) = line.strip_prefix("namespace ").and_then(|rest| rest.strip_suffix(" {")) {
                within = name;
            } else if line.starts_with("} // namespace") {
                within = "ir";
            }
            if within != "ir" {
                continue;
            }
            let words: Vec<&str> = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
            let name = match words.as_slice() {
                ["class" | "struct" | "union" | "using", name, ..] | ["enum", "class", name, ..] => name,
                // A function at the beginning of a line: the word before its parenthesis.
                _ if line.starts_with(|c: char| c.is_ascii_lowercase()) && line.contains('(') => {
                    let head = line.split('(').next().unwrap_or_default();
                    head.rsplit([' ', '*', '&', ':']).next().unwrap_or_default()
                }
                _ => continue,
            };
            let own = name.is_empty()
                || name.starts_with("odd")
                || ["namespace", "decltype"].contains(&name)
                || line.contains("operator");
            if !own && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                names.push(name.to_owned());
            }
        }
    }
    names.sort();
    names.dedup();
    assert!(names.len() > 80, "{names:?}");
    let node = |name: &String| format!("- {{expr: \"{name}(expr v)\", dtype: v, print: \"{name}({{v}})\"}}\n");
    let nodes: String = names.iter().map(node).collect();
    let (passed, said) = checked(&format!("family: tensor-ir\nnamespace: ir\nexprs:\n{nodes}"));
    assert!(!passed);
    let taken = |name: &&String| {
        ["type", "function", "constant"]
            .iter()
            .any(|what| said.contains(&format!("`{name}` is a {what} of the generated library")))
    };
    let free: Vec<&String> = names.iter().filter(|name| !taken(name)).collect();
    assert!(free.is_empty(), "{free:?}");
}

/// Nothing that is cut off or mixed up ends the program in another way than by an error.
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
            let output = torchgen(
                &["tensor-ir", "-s", "ir.yaml", "-d", "out", "--dry-run", "--max-errors", "0"],
                directory.path(),
            );
            assert!(matches!(output.status.code(), Some(0..=2)), "{}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

/// The walk-through: its YAML goes into the project that it makes, its program is compiled, and
/// prints what the page shows.
fn walk_through() {
    let text = fs::read_to_string(root().join("docs/tensor-ir.md")).expect("the page");
    let [console, yaml, program, shown] = ["console", "yaml", "cpp", "text"].map(|language| {
        let found = blocks(&text, &format!("{language} walk"));
        assert_eq!(found.len(), 1, "{language}");
        found[0]
    });
    let directory = tempfile::tempdir().expect("a directory");
    let (command, expected) = console.split_once('\n').expect("a command and its output");
    let words: Vec<&str> = command.split_whitespace().skip(2).collect();
    let output = torchgen(&words, directory.path());
    assert_eq!(String::from_utf8_lossy(&output.stderr), expected);
    let file = directory.path().join("ir/ir.yaml");
    let project = fs::read_to_string(&file).expect("the IR");
    fs::write(&file, format!("{project}\n{yaml}")).expect("a file");
    let out = generated(&file, &["--emit", "parser"]);
    assert_eq!(Program::quick("tensor_ir_walk").generated(out.path()).text("program.cpp", program).run(), shown);
}
