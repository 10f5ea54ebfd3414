//! `torchgen-rs tensor-ir`: what it makes of its example is compiled, run and compared.
//!
//! `../cpp` holds the programs. `article.cpp` builds IR in three ways, the others are one program
//! whose suites follow the behaviour of oneDNN Graph Compiler's own unit tests.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use tempfile::TempDir;
use walkdir::{DirEntry, WalkDir};

use crate::support::cxx::{Build, Program, by_clang, clang};

mod documents;
mod names;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    [
        trials![
            three_ways_to_build,
            self_test,
            behaviour,
            behaviour_as_shipped,
            visitors_by_hand,
            every_type,
            refused,
            one_more_node,
            sizes,
            projects,
            output,
            explained,
            builders_have_names,
            names_of_the_original,
            nodes_of_the_original
        ],
        by_clang(trials![self_test_by_clang]),
        documents::trials(),
        names::trials(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn here(name: &str) -> PathBuf {
    root().join("families/tensor-ir/tests/cpp").join(name)
}

fn torchgen(arguments: &[&str], directory: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    command.args(arguments).current_dir(directory).env("NO_COLOR", "1");
    command.output().expect("the program runs")
}

/// Generates what `sources` describe.
#[track_caller]
fn generated(sources: &Path, flags: &[&str]) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (from, to) = (sources.to_string_lossy(), directory.path().to_string_lossy());
    let mut arguments = vec!["tensor-ir", "-s", &from, "-d", &to, "--force"];
    arguments.extend(flags);
    let output = torchgen(&arguments, root());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    directory
}

fn examples() -> PathBuf {
    root().join("families/tensor-ir/example")
}

/// A directory with the example's YAML, one file of which is changed.
fn changed_examples(file: &str, change: impl FnOnce(String) -> String) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for entry in fs::read_dir(examples()).expect("the examples") {
        let path = entry.expect("an example").path();
        let name = path.file_name().expect("a name").to_owned();
        fs::copy(&path, directory.path().join(name)).expect("a copy");
    }
    let path = directory.path().join(file);
    let text = fs::read_to_string(&path).expect("a file of the example");
    fs::write(&path, change(text)).expect("the changed file");
    directory
}

/// The same three programs as in the article on Tensor IR print what it shows.
fn three_ways_to_build() {
    let out = generated(&examples(), &[]);
    let said = Program::new("tensor_ir_article").generated(out.path()).source(here("article.cpp"));
    let said = said.build(Build::Sanitized).run();
    let block = "{\n  var a: s32\n  a = (1 + 2)\n}\n";
    let function = "func some_func(idx: s32, A: [f32 * 100 * 200]): f32 {\n  var b: f32\n  b = 0\n  for i in (0, 200, 1) {\n    \
                    b = (b + A[idx, i])\n  }\n  return b\n}\n";
    assert_eq!(said, format!("{block}{block}{function}"));
}

/// Each node: copies, changed fields, casts to each kind, reading what was printed.
fn self_test() {
    let out = generated(&examples(), &["--emit", "self-test,parser"]);
    let said = Program::new("tensor_ir_self_test").generated(out.path()).build(Build::Sanitized).run();
    assert!(said.ends_with(" 0 failed\n"), "{said}");
}

/// The second compiler's warnings count too.
fn self_test_by_clang() {
    let out = generated(&examples(), &["--emit", "self-test,parser,skeletons"]);
    let said = Program::new("tensor_ir_clang").generated(out.path()).compiler(clang()).run();
    assert!(said.ends_with(" 0 failed\n"), "{said}");
}

/// The suites with sanitizers.
fn behaviour() {
    suites(Build::Sanitized);
}

/// The suites as they are shipped: without `assert`, and with what the optimizer warns of.
fn behaviour_as_shipped() {
    suites(Build::Release);
}

fn suites(build: Build) {
    let out = generated(&examples(), &["--emit", "parser,skeletons"]);
    let suites = [
        "main",
        "building",
        "comparing",
        "visiting",
        "reflecting",
        "validating",
        "printing",
        "random",
        "names",
        "classes",
    ];
    let program = Program::new("tensor_ir_behaviour").generated(out.path()).include(here(""));
    let program = suites.iter().fold(program, |program, name| program.source(here(&format!("{name}.cpp"))));
    assert_eq!(program.build(build).run(), "0 failed\n");
}

/// Generated visitors do what visitors written by hand do, and take no longer: `bench/visitors.py`
/// prints the ratios.
fn visitors_by_hand() {
    let out = generated(&examples(), &[]);
    let by_hand = root().join("families/tensor-ir/tests/bench");
    let program = Program::new("tensor_ir_visitors").generated(out.path()).include(&by_hand);
    let program = program.source(by_hand.join("by_hand.cpp")).source(by_hand.join("visitors.cpp"));
    let output = Command::new(program.build(Build::Release).built()).arg("full").output().expect("the program runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}");
    let figures: Vec<(&str, f64)> = said
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, figure)| (name, figure.parse().expect("a number")))
        .collect();
    let names: Vec<&str> = figures.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["nodes", "view", "visit_same", "visit_changed", "in_place"], "{said}");
    assert!(figures[0].1 >= 1e6, "{said}");
    // Tests run side by side, so that this allows more than the benchmark does.
    assert!(figures[1..].iter().all(|(_, ratio)| *ratio < 1.5), "{said}");
}

/// Every type of field; types of the program's own are compared, hashed, printed and read as the
/// YAML says.
fn every_type() {
    let types = root().join("families/tensor-ir/tests/types");
    let out = generated(&types.join("every.yaml"), &["--emit", "self-test,parser,skeletons,docs,model"]);
    let program = Program::new("tensor_ir_every_type").generated(out.path()).include(&types);
    let said = program.build(Build::Sanitized).run();
    assert!(said.ends_with(" 0 failed\n"), "{said}");
    let out = generated(&types.join("every.yaml"), &["--emit", "parser"]);
    let program = Program::new("tensor_ir_types").generated(out.path()).include(&types).include(here(""));
    assert_eq!(program.source(types.join("types.cpp")).build(Build::Sanitized).run(), "0 failed\n");
}

/// What types forbid does not compile.
fn refused() {
    let out = generated(&examples(), &[]);
    let wrong = [
        ("stmts s = value;", "tir::stmt value;", "conversion"),
        ("tir::add a = value;", "tir::expr value;", "conversion"),
        ("tir::expr e = value;", "tir::expr_c value;", "conversion"),
        ("value.isa<tir::binary>();", "tir::expr value;", "type_code_"),
        ("tir::expr e = value;", "tir::stmt value;", "conversion"),
        ("tir::assign a = value.static_as<tir::add>();", "tir::stmt value;", "can never point"),
        ("tir::match(value, [](const tir::add_node &) { return 1; });", "tir::expr_c value;", "no match"),
    ];
    for (statement, value, reason) in wrong {
        let text =
            format!("#include \"visitor.h\"\nusing tir::stmts;\nvoid f() {{\n    {value}\n    {statement}\n}}\n");
        let said = Program::new("tensor_ir_refused").include(out.path()).text("wrong.cpp", &text).refused();
        assert!(said.contains(reason), "{statement}: {said}");
    }
}

/// Four lines of YAML add a node: it is made, printed, read, compared and visited, and no other
/// file changes.
fn one_more_node() {
    let lines = "\n- expr: pow(expr l, expr r)\n  extends: binary\n  print: \"({l} ** {r})\"\n";
    assert!(lines.trim().lines().count() <= 6);
    let sources = changed_examples("exprs.yaml", |text| text + lines);
    let out = generated(sources.path(), &["--emit", "self-test,parser"]);
    let said = Program::quick("tensor_ir_pow_self_test").generated(out.path()).run();
    assert!(said.ends_with(" 0 failed\n"), "{said}");
    let out = generated(sources.path(), &["--emit", "parser"]);
    let said = Program::quick("tensor_ir_pow").generated(out.path()).source(here("pow.cpp")).run();
    assert_eq!(said, "(x ** (2 ** 3))\nread again: same\nvisited 2, folded to (x ** 8)\n");
}

/// What is done with a tree takes as many steps a node in large trees as in small ones, and little
/// stack at any depth.
fn sizes() {
    let sizes = root().join("families/tensor-ir/tests/sizes");
    let out = generated(&sizes, &["--emit", "parser"]);
    let main = "#include \"trees.h\"\n#include \"steps.h\"\n\
                int main() { return steps::grow_with_nodes<sizes::Trees>(sizes::operations()) ? 0 : 1; }\n";
    let program = Program::quick("tensor_ir_sizes").generated(out.path()).include(sizes);
    let program = program.include(root().join("tests/support/steps")).flag("-fsanitize-coverage=trace-pc");
    assert_eq!(program.text("main.cpp", main).run(), "");
}

/// A new project is an IR of its own; two IRs live in one program.
fn projects() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for name in ["calc", "logic"] {
        let output = torchgen(&["new", "--family", "tensor-ir", name], directory.path());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let calc = generated(&directory.path().join("calc"), &["--emit", "parser,self-test,docs,model,skeletons"]);
    let said = Program::new("tensor_ir_calc").generated(calc.path()).build(Build::Sanitized).run();
    assert!(said.ends_with(" 0 failed\n"), "{said}");
    let logic = directory.path().join("logic");
    fs::copy(here("logic.yaml"), logic.join("ir.yaml")).expect("the other IR");
    let (calc, logic) = (generated(&directory.path().join("calc"), &["--emit", "parser"]), generated(&logic, &[]));
    let both = tempfile::tempdir().expect("a temporary directory");
    for (name, from) in [("calc", &calc), ("logic", &logic)] {
        let to = both.path().join(name);
        fs::create_dir(&to).expect("a new directory");
        for entry in fs::read_dir(from.path()).expect("what was generated") {
            let path = entry.expect("a file").path();
            if path.extension().is_some() {
                fs::copy(&path, to.join(path.file_name().expect("a name"))).expect("a copy");
            }
        }
    }
    let said = Program::quick("tensor_ir_two").generated(both.path()).source(here("two.cpp")).run();
    assert_eq!(said, "((x + 2) * x)\n(a -> !(b)) is (c -> !(d)): 1\n");
}

/// The same output each time, in no time, and `--verify` sees a change.
fn output() {
    let described = ["--emit", "docs,model"];
    let one = generated(&examples(), &described);
    let other = generated(&examples(), &[&described[..], &["--threads", "1"]].concat());
    // The manifest knows times.
    let is_shown = |entry: &DirEntry| !entry.file_name().to_string_lossy().starts_with('.');
    for entry in WalkDir::new(one.path()).min_depth(1).into_iter().filter_entry(is_shown) {
        let path = entry.expect("a file").into_path();
        if path.is_file() {
            let below = path.strip_prefix(one.path()).expect("a path below");
            let same = fs::read(&path).expect("a text") == fs::read(other.path().join(below)).expect("a text");
            assert!(same, "{} is not the same each time", below.display());
        }
    }
    let fastest = (0..5).map(|_| {
        let started = Instant::now();
        generated(&examples(), &[]);
        started.elapsed()
    });
    let fastest = fastest.min().expect("five runs");
    // Five times what a release build takes on an idle machine, and a debug build five times that.
    let limit = Duration::from_millis(if cfg!(debug_assertions) { 1500 } else { 300 });
    assert!(fastest < limit, "{fastest:?}");
    let without = generated(&examples(), &["--no-easy-build"]);
    assert!(!without.path().join("easy_build.h").exists() && !without.path().join("parser.h").exists());
    let path = one.path().to_string_lossy();
    fs::write(one.path().join("nodes.h"), "changed").expect("a changed output");
    let output = torchgen(&["tensor-ir", "-s", "families/tensor-ir/example", "-d", &path, "--verify"], root());
    assert_eq!(output.status.code(), Some(1));
}

/// What `explain` says, and what it says of nodes that do not exist.
fn explained() {
    let explain =
        |what: &str| torchgen(&["explain", "--family", "tensor-ir", what, "-s", "families/tensor-ir/example"], root());
    let said = String::from_utf8_lossy(&explain("for_loop").stdout).into_owned();
    for part in
        ["make_for_loop_unattached, push_for_loop", "var, iter_begin, iter_end, step, body", "sc_stmt_type::for_loop"]
    {
        assert!(said.contains(part), "{said}");
    }
    assert!(String::from_utf8_lossy(&explain("max").stdout).contains("make_max"));
    let output = explain("for_lop");
    assert!(!output.status.success());
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("for_loop"),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Every builder has named parameters and says what it makes, so that editors show both.
fn builders_have_names() {
    let out = generated(&examples(), &[]);
    let text = fs::read_to_string(out.path().join("builder.h")).expect("the builders");
    let lines: Vec<&str> = text.lines().collect();
    let mut builders = 0;
    for (at, line) in lines.iter().enumerate() {
        let Some((_, rest)) = line.split_once(" make_") else { continue };
        let Some((name, parameters)) = rest.trim_end_matches(';').split_once('(') else { continue };
        if line.starts_with([' ', '#', '/']) {
            continue;
        }
        builders += 1;
        let bare = |parameter: &str| {
            let declared = parameter.split('=').next().unwrap_or_default().trim();
            declared.ends_with(['&', '>']) || !declared.contains(' ')
        };
        let list = parameters.rsplit_once(')').map_or(parameters, |(list, _)| list);
        let unnamed = !list.is_empty() && !list.contains('{') && list.split(", ").any(bare);
        assert!(!unnamed, "make_{name}: {line}");
        let documented = lines[..at].iter().rev().find(|line| line.is_empty() || line.starts_with("///"));
        assert!(documented.is_some_and(|line| line.starts_with("///")), "make_{name} is not documented");
    }
    assert!(builders > 70, "{builders}");
}

/// The programs of `cpp` use each public name of the original at least once.
fn names_of_the_original() {
    let read = |name: &str| fs::read_to_string(here(name)).expect("a program");
    let programs = read("names.cpp") + &read("classes.cpp");
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words: HashSet<&str> = programs.split(|c| !is_word(c)).collect();
    let used = |name: &str| match name.chars().all(is_word) {
        true => words.contains(name),
        false => programs.contains(&format!(" {name} ")) || programs.contains(&format!("{name}expr")),
    };
    let list = fs::read_to_string(here("../names.txt")).expect("the list");
    let names: Vec<&str> = (list.lines().filter(|line| !line.starts_with('#')))
        .filter_map(|line| line.split_once(':'))
        .flat_map(|(_, names)| names.split_whitespace())
        .collect();
    assert!(names.len() > 330, "{}", names.len());
    let missing: Vec<&&str> = names.iter().filter(|name| !used(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The records are those of the original: as many nodes, fields as its headers have them.
fn nodes_of_the_original() {
    let out = generated(&examples(), &["--emit", "model"]);
    let text = fs::read_to_string(out.path().join("ir_model.jsonl")).expect("the model");
    let records: Vec<serde_json::Value> =
        text.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let count = |kind: &str| records.iter().filter(|record| record["kind"] == kind).count();
    assert_eq!([count("expr"), count("base"), count("stmt"), count("intrinsic")], [26, 3, 7, 38]);
}
