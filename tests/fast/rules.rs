//! The rules of the code base that a program can check; ARCHITECTURE.md explains them.
//!
//! Each test lists all violations by file and line. Exceptions are in lists, each with its reason.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;
use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use regex::Regex;
use walkdir::WalkDir;

use crate::{crates, root};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        emitted_text_lives_in_templates,
        the_rule_sees_what_it_should,
        modules_say_what_they_are_for,
        files_are_short,
        jobs_look_through_one_window,
        dependencies_come_from_the_registry,
        no_paths_of_one_machine,
        paths_of_one_machine,
        tests_are_listed,
    ]
}

/// C++ expressions that are nothing but braces.
const BRACES: &[&str] = &["{}"];

/// Literals that may look like statements: where, the literal's value, why.
const EXEMPT_LITERALS: &[(&str, &str, &str)] = &[
    ("crates/library/src/library/python/outputs.rs", "//", "Python's division that rounds down"),
    (
        "crates/library/src/stable/check.rs",
        "write it as CompositeImplicitAutograd with torch's own views, or return a copy",
        "a message",
    ),
    ("families/op-builders/src/files.rs", "// torchgen_comment", "the line of a C++ source that is replaced"),
    ("families/op-builders/src/files.rs", "namespace torchgen_builders {", "the line of a C++ source that is replaced"),
    (
        "families/op-builders/src/files.rs",
        "} // namespace torchgen_builders",
        "the line of a C++ source that is replaced",
    ),
    ("crates/library/src/run/entries.rs", "\n- ", "finds an entry of a list"),
    ("families/op-builders/src/view.rs", "\n", "ends the user's code"),
    ("src/lsp/edits.rs", "\n", "ends the first line of a file"),
];

/// The sources that put no text into the files of a run: which, why. All others are checked.
const READING: &[(&str, &str)] = &[
    ("crates/kit/src/driver/args/common.rs", "documents flags"),
    ("crates/kit/src/site/text.rs", "takes texts of authors apart"),
    ("crates/aten/src/selection", "prints lists of names, and reads a debugging flag"),
    ("crates/aten/src/stubs/docs.rs", "reads docstrings"),
    ("crates/backend/src/backend/contract.rs", "reads C++"),
    ("crates/base/src/diag", "prints diagnostics, pages and differences"),
    ("crates/base/src/lang", "reads C++ and Python, and lays C++ out"),
    ("crates/base/src/render", "reads templates and sources, and joins lines"),
    ("crates/base/src/write", "reads paths, and heads the manifest"),
    ("crates/base/src/yaml", "reads YAML, and names the dialect of JSON Schemas"),
    ("crates/formula/src", "reads C++"),
    ("crates/kit/src/driver/explain.rs", "prints a list"),
    ("crates/kit/src/driver/memory", "reads a manifest"),
    ("crates/library/src/library/kernels/body", "reads C++"),
    ("crates/kit/src/driver/outcome.rs", "reads what clap says"),
    ("crates/kit/src/driver/output.rs", "prints lists of files"),
    ("crates/kit/src/driver/report.rs", "prints a summary"),
    ("crates/kit/src/driver/timings.rs", "prints times"),
    ("crates/kit/src/expr/syntax.rs", "reads Python's division that rounds down"),
    ("crates/kit/src/header.rs", "reads where a header is"),
    ("crates/library/src/kernels/command.rs", "prints a report"),
    ("crates/library/src/kernels/write.rs", "keeps the line ends of the author's file"),
    ("crates/library/src/project", "reads and prints what programs say"),
    ("crates/model/src/codes.rs", "documents diagnostics"),
    ("crates/model/src/group/variants.rs", "a message"),
    ("crates/model/src/parse", "reads schemas and C++"),
    ("crates/model/src/records", "documents keys"),
    ("crates/model/src/torch.rs", "a message"),
    ("crates/registrations/src", "reads C++"),
    ("crates/stable-tools/src/audit", "prints a report"),
    ("families/generator/src", "reads and compares users' templates, which have all that it emits"),
    ("families/tensor-ir/src/print_form.rs", "reads braces that are written twice"),
    ("families/wrappers/src/examples.rs", "reads C++"),
    ("families/wrappers/src/legacy", "reads torch_spyre's files"),
    ("families/wrappers/src/model", "reads the bodies of the user's functions"),
    ("src/cli", "prints a reference of keys"),
    ("src/fuzzing", "makes inputs"),
];

/// Files that may be long: which, why.
const EXEMPT_LENGTHS: &[(&str, &str)] = &[];

/// Files that access the file system themselves: which, why.
const EXEMPT_LOOKS: &[(&str, &str)] = &[
    ("crates/kit/src/driver/head.rs", "chooses the command before a run begins"),
    ("crates/kit/src/driver/memory/", "each run asks the file system again"),
    ("crates/kit/src/driver/host.rs", "identifies the program, and knows whether to color"),
    ("crates/model/src/torch.rs", "links to a Python, beside what it reads through `Seen`"),
    ("crates/kit/src/driver/templates.rs", "detects cycles of links, beside what it reads through `Seen`"),
    ("families/generator/src/folder.rs", "follows links, beside what it reads through `Seen`"),
    ("crates/aten/src/aten/aoti_shim/mod.rs", "headers that the job watches"),
    ("crates/api/src/testing.rs", "tests"),
];

/// Where a run may access the file system, beside the crates of families.
const LOOKING: &[&str] = &[
    "crates/kit/src/driver",
    "crates/aten/src/aten",
    "crates/aten/src/autograd",
    "crates/backend/src/backend",
    "src/torch/facts",
    "crates/generators/src",
    "crates/library/src/kernels",
    "crates/library/src/library",
    "crates/library/src/run",
];

/// The longest a file of code or a template may be.
const MAX_LINES: usize = 500;

/// Macros whose literals hold placeholders.
const FORMATTING: &[&str] =
    &["format", "format_args", "write", "writeln", "print", "println", "eprint", "eprintln", "panic", "unreachable"];

/// All files below a directory that end so, by their paths from the root, in order.
pub(crate) fn files(dir: &str, end: &str) -> Vec<String> {
    let walk = WalkDir::new(root().join(dir)).sort_by_file_name().into_iter();
    let paths = walk.map(|entry| relative(entry.expect("a readable directory").path()));
    paths.filter(|path| path.ends_with(end)).collect()
}

/// The sources of each family's crate.
fn of_families() -> Vec<String> {
    crates::families().into_iter().map(|(name, _)| format!("families/{name}/src")).collect()
}

/// The sources of all crates.
fn sources() -> Vec<String> {
    folders_of_sources().iter().flat_map(|dir| files(dir, ".rs")).collect()
}

/// Where they are.
fn folders_of_sources() -> Vec<String> {
    let fixed = ["src", "crates", "data/src", "templates/src"].map(str::to_owned);
    fixed.into_iter().chain(of_families()).collect()
}

/// The files of test programs, and of the tests that families add to them.
fn test_programs() -> Vec<String> {
    let of_families = crates::families().into_iter().map(|(name, _)| format!("families/{name}/tests"));
    let folders = of_families.filter(|dir| root().join(dir).is_dir()).chain(["tests".to_owned()]);
    folders.flat_map(|dir| files(&dir, ".rs")).collect()
}

fn relative(path: &Path) -> String {
    let path = path.strip_prefix(root()).expect("below the root");
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

pub(crate) fn read(path: &str) -> String {
    let bytes = fs::read(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    String::from_utf8_lossy(&bytes).into_owned()
}

#[track_caller]
pub(crate) fn check(rule: &str, violations: &[String]) {
    assert!(violations.is_empty(), "{rule}; {} violations:\n{}", violations.len(), violations.join("\n"));
}

fn emitted_text_lives_in_templates() {
    let mut violations = Vec::new();
    let mut needed = BTreeSet::new();
    for dir in folders_of_sources() {
        let mut found: Vec<(String, Literals)> = Vec::new();
        for path in files(&dir, ".rs") {
            let tokens: TokenStream = read(&path).parse().unwrap_or_else(|error| panic!("{path}: {error}"));
            let mut literals = Literals::default();
            literals.gather(tokens, false);
            found.push((path, literals));
        }
        let tests: Vec<String> = found
            .iter()
            .flat_map(|(path, literals)| {
                literals.test_modules.iter().map(|name| format!("{}/{name}", module_dir(path)))
            })
            .collect();
        let is_test = |path: &str| {
            tests
                .iter()
                .any(|test| path.strip_prefix(test.as_str()).is_some_and(|rest| rest == ".rs" || rest.starts_with('/')))
        };
        for (path, literals) in found.iter().filter(|(path, _)| !is_test(path)) {
            let reads = READING.iter().find(|(dir, _)| path.starts_with(dir));
            for Text { value, place, format } in &literals.texts {
                if let Some((dir, _)) = reads {
                    needed.extend(emitted(value, *format).map(|_| *dir));
                    continue;
                }
                let exempt = EXEMPT_LITERALS.iter().any(|(file, text, _)| file == path && text == value);
                if let Some(what) = emitted(value, *format).filter(|_| !exempt) {
                    violations.push(format!("{path}:{place}: {what} in {value:?}"));
                }
            }
        }
    }
    check("text that is emitted belongs in templates/", &violations);
    let unneeded = READING.iter().filter(|(dir, _)| !needed.contains(dir)).map(|(dir, _)| (*dir).to_owned());
    check("an exception is needed", &unneeded.collect::<Vec<_>>());
}

/// The directory of a module's submodules.
fn module_dir(path: &str) -> &str {
    path.strip_suffix("/mod.rs")
        .or_else(|| path.strip_suffix("/lib.rs"))
        .or_else(|| path.strip_suffix(".rs"))
        .unwrap_or(path)
}

/// Whether a literal is a message: it quotes code, or its semicolon joins two plain sentences.
fn is_prose(value: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || " ,;.:'-_{}?!".contains(c);
    value.contains('`') || (value.contains("; ") && value.split(' ').count() > 5 && value.chars().all(plain))
}

/// The reason why a literal is more than a type, a name or an expression.
fn emitted(value: &str, format: bool) -> Option<&'static str> {
    let value = if format { without_placeholders(value) } else { value.to_owned() };
    let signs = [
        (";", "a statement"),
        ("\n", "a line break"),
        ("//", "a comment"),
        ("#include", "an include"),
        ("return ", "a statement"),
        ("{", "a brace"),
        ("}", "a brace"),
    ];
    if BRACES.contains(&value.as_str()) || is_prose(&value) {
        return None;
    }
    signs.into_iter().find(|(sign, _)| value.contains(sign)).map(|(_, what)| what)
}

/// The text of a format string with a letter for each placeholder, escaped braces as they are
/// printed.
fn without_placeholders(text: &str) -> String {
    let placeholder = Regex::new(r"\{\{|\}\}|\{[^{}]*\}").expect("a regex");
    let shown = |found: &regex::Captures| match &found[0] {
        "{{" => "{".to_owned(),
        "}}" => "}".to_owned(),
        _ => "x".to_owned(),
    };
    placeholder.replace_all(text, shown).into_owned()
}

/// The strings of a file outside its tests and attributes. Single characters are ignored: nearly
/// all of them are for scanning.
#[derive(Default)]
struct Literals {
    texts: Vec<Text>,
    /// Modules in files of their own that are for tests only.
    test_modules: Vec<String>,
}

struct Text {
    value: String,
    /// Line and column.
    place: String,
    /// It is a format string.
    format: bool,
}

impl Literals {
    fn gather(&mut self, tokens: TokenStream, format: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        let mut for_tests = false;
        while let Some(token) = tokens.get(at) {
            if let Some((attribute, next)) = attribute(&tokens, at) {
                for_tests |= is_test_only(attribute);
                at = next;
                continue;
            }
            if std::mem::take(&mut for_tests) {
                at = self.skip_item(&tokens, at);
                continue;
            }
            at += 1;
            match token {
                TokenTree::Group(group) => {
                    let macro_name = match tokens.get(..at - 1) {
                        Some([.., TokenTree::Ident(name), TokenTree::Punct(bang)]) if bang.as_char() == '!' => {
                            name.to_string()
                        }
                        _ => String::new(),
                    };
                    let formats = FORMATTING.contains(&macro_name.as_str()) || macro_name.contains("assert");
                    self.gather(group.stream(), formats);
                }
                TokenTree::Literal(literal) => self.add(literal, format),
                TokenTree::Ident(_) | TokenTree::Punct(_) => {}
            }
        }
    }

    fn add(&mut self, literal: &Literal, format: bool) {
        let value = match syn::Lit::new(literal.clone()) {
            syn::Lit::Str(text) => text.value(),
            syn::Lit::ByteStr(text) => String::from_utf8_lossy(&text.value()).into_owned(),
            syn::Lit::CStr(text) => text.value().to_string_lossy().into_owned(),
            _ => return,
        };
        let start = literal.span().start();
        self.texts.push(Text { value, place: format!("{}:{}", start.line, start.column + 1), format });
    }

    /// Where the item that starts here ends. A module in a file of its own is remembered.
    fn skip_item(&mut self, tokens: &[TokenTree], start: usize) -> usize {
        let is_end = |token: &TokenTree| match token {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            TokenTree::Ident(_) | TokenTree::Literal(_) => false,
        };
        let rest = tokens.get(start..).unwrap_or_default();
        let len = rest.iter().position(is_end).map_or(rest.len(), |end| end + 1);
        if let [.., TokenTree::Ident(word), TokenTree::Ident(name), TokenTree::Punct(_)] = &rest[..len]
            && word == "mod"
        {
            self.test_modules.push(name.to_string());
        }
        start + len
    }
}

/// The attribute that starts here and the place after it. Doc comments are attributes too.
fn attribute(tokens: &[TokenTree], at: usize) -> Option<(&Group, usize)> {
    let is = |token: Option<&TokenTree>, c| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == c);
    if !is(tokens.get(at), '#') {
        return None;
    }
    let at = if is(tokens.get(at + 1), '!') { at + 2 } else { at + 1 };
    match tokens.get(at) {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => Some((group, at + 1)),
        _ => None,
    }
}

/// `#[cfg(test)]` or `#[test]`.
fn is_test_only(attribute: &Group) -> bool {
    matches!(
        attribute.stream().to_string().replace(' ', "").as_str(),
        "cfg(test)" | "cfg(any(test,feature=\"testing\"))" | "test"
    )
}

fn the_rule_sees_what_it_should() {
    let seen = |code: &str| {
        let mut literals = Literals::default();
        literals.gather(code.parse().expect("Rust"), false);
        literals.texts.iter().filter_map(|text| emitted(&text.value, text.format)).collect::<Vec<_>>()
    };
    assert_eq!(
        seen(r#"fn f() { g("x;"); format!("{x} {{ {}", "return x") }"#),
        ["a statement", "a brace", "a statement"]
    );
    assert_eq!(seen(r#"fn f() { g("{}"); write!(out, "{:?}/{name}/{x:?}"); assert_eq!(a, b, "{a}") }"#), [""; 0]);
    assert_eq!(seen("/// a;\n#[doc = \"b;\"] const A: &str = \"{a}\";"), ["a brace"]);
    assert_eq!(seen("const A: &str = \"a \\\n  b\"; const B: &[u8] = b\"#include\";"), ["an include"]);
    assert_eq!(seen("#[cfg(test)] mod tests { const A: &str = \";\"; } #[test] fn f() { g(\";\") }"), [""; 0]);
    assert_eq!(seen("#[cfg(test)] use x::y; const A: &str = \"a // b\";"), ["a comment"]);
}

fn modules_say_what_they_are_for() {
    let lacks = |path: &String| !read(path).starts_with("//! ");
    let paths = sources().into_iter().chain(test_programs());
    check("a module opens with `//!`", &paths.filter(lacks).collect::<Vec<_>>());
}

fn files_are_short() {
    let mut violations = Vec::new();
    for path in [
        sources(),
        test_programs(),
        ["templates", "families"].map(|dir| [".j2", ".h", ".cpp"].map(|end| files(dir, end)).concat()).concat(),
    ]
    .concat()
    {
        let lines = read(&path).lines().count();
        if lines > MAX_LINES && !EXEMPT_LENGTHS.iter().any(|(exempt, _)| *exempt == path) {
            violations.push(format!("{path}: {lines} lines"));
        }
    }
    check("a file holds one subject", &violations);
}

/// Below `tests/`, programs have no harness of the compiler's: it leaves out a `#[test]`.
fn tests_are_listed() {
    let unlisted = |path: &String| {
        let text = read(path);
        let lines = text.lines().enumerate().filter(|(_, line)| line.trim() == "#[test]");
        lines.map(|(index, _)| format!("{path}:{}: list the test in `trials()`", index + 1)).collect::<Vec<_>>()
    };
    check("tests below tests/ are listed", &test_programs().iter().flat_map(unlisted).collect::<Vec<_>>());
}

/// Whether a run can be skipped depends on what it saw, so all access to the file system goes
/// through `write::manifest::Seen`.
fn jobs_look_through_one_window() {
    let look =
        Regex::new(r"\.(is_file|is_dir|exists|try_exists|read_dir|metadata|canonicalize)\(|\bfs::|\bFile::|\benv::")
            .expect("a pattern");
    let mut violations = Vec::new();
    let looking = LOOKING.iter().map(|dir| (*dir).to_owned()).chain(of_families());
    for path in looking.flat_map(|dir| files(&dir, ".rs")) {
        let text = read(&path);
        if path.ends_with("/tests.rs") || path.contains("/tests/") {
            continue;
        }
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for (index, line) in code.lines().enumerate() {
            let seen = line.contains("seen.") || line.trim_start().starts_with("//");
            let exempt = EXEMPT_LOOKS.iter().any(|(file, _)| path.starts_with(file));
            if look.is_match(line) && !seen && !exempt {
                violations.push(format!("{path}:{}: {}", index + 1, line.trim()));
            }
        }
    }
    check("jobs and generators see the file system through `Seen`", &violations);
}

fn dependencies_come_from_the_registry() {
    let manifest = read("Cargo.toml");
    let local = Regex::new(r"\b(path|git)\s*=").expect("a regex");
    let mut section = "";
    let mut violations = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line;
        }
        let own = [".\"", "crates/", "families/", "data\"", "templates\""];
        let own = own.iter().any(|dir| line.contains(&format!("path = \"{dir}")));
        if section.contains("patch") || section.contains("dependencies") && local.is_match(line) && !own {
            violations.push(format!("Cargo.toml: {line}"));
        }
    }
    check("dependencies come from the registry", &violations);
}

fn no_paths_of_one_machine() {
    let path = machine_path();
    let mut violations = Vec::new();
    for file in tracked_files() {
        let text = read(&file);
        for (number, line) in text.lines().enumerate().filter(|(_, line)| path.is_match(line)) {
            violations.push(format!("{file}:{}: {}", number + 1, line.trim()));
        }
    }
    check("no file names a path of one machine", &violations);
}

/// All files under version control; in an unpacked archive, which has no history, all files except
/// those of builds.
fn tracked_files() -> Vec<String> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output();
    if let Some(output) = listed.ok().filter(|output| output.status.success()) {
        let names = String::from_utf8_lossy(&output.stdout).into_owned();
        // A file may be deleted and not yet committed.
        return names.split_terminator('\0').map(str::to_owned).filter(|path| root().join(path).is_file()).collect();
    }
    let is_ours = |path: &PathBuf| path.is_file() && !path.starts_with(root().join("target"));
    let walk = WalkDir::new(root()).sort_by_file_name().into_iter();
    walk.map(|entry| entry.expect("a readable directory").into_path())
        .filter(is_ours)
        .map(|path| relative(&path))
        .collect()
}

/// A path below a directory that is different on every machine.
fn machine_path() -> Regex {
    let directories = ["tmp", "work", "root", "home"].join("|");
    Regex::new(&format!(r"(?:^|[^\w./>}}*-])/(?:{directories})\b")).expect("a regex")
}

fn paths_of_one_machine() {
    for (text, expected) in [
        (format!("see {}work/x", '/'), true),
        (format!("\"{}tmp\"", '/'), true),
        (format!("-s={}home/me", '/'), true),
        ("target/tmp/x and a/work".to_owned(), false),
        (format!("{}workspace", '/'), false),
        ("${DIR}/root and <x>/home".to_owned(), false),
    ] {
        assert_eq!(machine_path().is_match(&text), expected, "{text}");
    }
}
