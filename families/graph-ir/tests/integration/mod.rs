//! Graph IR: Glow's lists generate, compile without warnings, and behave.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use libtest_mimic::Trial;
use walkdir::{DirEntry, WalkDir};

use crate::support::cxx::{Build, Program};

mod contract;
mod names;
mod rules;
mod scaffold;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    [
        trials![
            glows_lists_behave_under_sanitizers,
            runs_are_deterministic_and_touch_nothing_twice,
            one_edited_record_rewrites_only_the_files_that_have_it,
            two_families_live_in_one_program,
            only_and_support_choose_files,
            headers_that_include_each_other_are_taken_as_they_are,
            versions_are_compared,
            every_command_knows_the_family,
            the_walk_through_works,
            records_of_the_reference_compile
        ],
        contract::trials(),
        names::trials(),
        rules::trials(),
        scaffold::trials(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs the program in a directory.
fn run(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    command.current_dir(directory).args(arguments).output().expect("the program starts")
}

/// Generates from sources into `out` below a directory, which must work.
#[track_caller]
fn generate(directory: &Path, arguments: &[&str]) -> PathBuf {
    let output = run(directory, &[&["graph-ir", "-d", "out"], arguments].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    directory.join("out")
}

fn glow() -> String {
    root().join("families/graph-ir/example").display().to_string()
}

/// The files of a tree that are generated, by their paths in it.
fn tree(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let is_shown = |entry: &DirEntry| !entry.file_name().to_string_lossy().starts_with('.');
    let inside = WalkDir::new(directory).min_depth(1).into_iter().filter_entry(is_shown);
    let mut files: Vec<_> = inside
        .map(|entry| entry.expect("an entry").into_path())
        .filter(|path| path.is_file())
        .map(|path| {
            let below = path.strip_prefix(directory).expect("a path below");
            (below.to_string_lossy().into_owned(), fs::read(&path).expect("a file"))
        })
        .collect();
    files.sort();
    files
}

/// Everything in one program: the generated self-test, and the cases of `families/graph-ir/tests`.
fn glows_lists_behave_under_sanitizers() {
    let directory = tempfile::tempdir().expect("a directory");
    let out = generate(directory.path(), &["-s", &glow(), "--emit", "self-test,dot"]);
    let cases = root().join("families/graph-ir/tests");
    let mut program = Program::new("graph_ir").generated(&out).include(&cases);
    program = program.flag("-DSELF_TEST_WITHOUT_MAIN").flag("-DRULES_TEST_WITHOUT_MAIN");
    program = program.include(root().join("families/graph-ir/example"));
    for name in ["main", "nodes", "graph", "building", "shapes", "ir", "gradients"] {
        program = program.source(cases.join(format!("{name}.cpp")));
    }
    let said = program.build(Build::Sanitized).run();
    assert!(said.contains(" checks, 0 failed") && said.ends_with(" cases, 0 failed\n"), "{said}");
}

fn runs_are_deterministic_and_touch_nothing_twice() {
    let directory = tempfile::tempdir().expect("a directory");
    let emit = "self-test,docs,model,dot";
    let out = generate(directory.path(), &["-s", &glow(), "--emit", emit, "-j", "1"]);
    let first = tree(&out);
    assert!(["AutoGenNodes.h", "ir_selftest.cpp"].iter().all(|name| first.iter().any(|(own, _)| own == name)));
    let times = || -> Vec<_> {
        let names = first.iter().map(|(name, _)| out.join(name));
        names.map(|path| fs::metadata(path).expect("a file").modified().expect("a time")).collect()
    };
    let before = times();
    generate(directory.path(), &["-s", &glow(), "--emit", emit, "--force"]);
    assert_eq!(tree(&out), first, "another number of threads gives the same");
    assert_eq!(times(), before, "an unchanged file is not touched");
    let verify = ["graph-ir", "-d", "out", "-s", &glow(), "--emit", emit, "--verify"];
    assert_eq!(run(directory.path(), &verify).status.code(), Some(0));
    fs::write(out.join("AutoGenNodes.h"), "changed").expect("a file");
    assert_eq!(run(directory.path(), &verify).status.code(), Some(1));
}

const SMALL: &str = "family: graph-ir
namespace: small
ops:
- node: Relu(Tensor Input) -> Tensor Result
  infer: {Result: Input}
- node: Scale(Tensor Input, *, float Factor=2) -> Tensor Result
  infer: {Result: Input}
  gradient: true
- instr: Relu(Tensor(a) Src) -> Tensor(a) Dest
  from_node: Relu
";

fn one_edited_record_rewrites_only_the_files_that_have_it() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("ir.yaml"), SMALL).expect("a file");
    let out = generate(directory.path(), &["-s", "ir.yaml"]);
    let before = tree(&out);
    fs::write(directory.path().join("ir.yaml"), SMALL.replace("Factor=2", "Factor=3")).expect("a file");
    generate(directory.path(), &["-s", "ir.yaml"]);
    let after = tree(&out);
    let changed: Vec<&str> =
        before.iter().zip(&after).filter(|(a, b)| a != b).map(|((name, _), _)| name.as_str()).collect();
    assert_eq!(changed, ["AutoGenFactories.h", "AutoGenNodes.h", "AutoGenNodesImport.h"]);
}

/// Two families in one program, a family without instructions, members with defaults, and what the
/// prelude adds. Of the other family, graphs of a thousand and of a hundred thousand nodes take the
/// same number of steps a node, and no stack.
fn two_families_live_in_one_program() {
    let directory = tempfile::tempdir().expect("a directory");
    let sizes = root().join("families/graph-ir/tests/sizes");
    for (name, text) in [
        ("one", fs::read_to_string(sizes.join("ir.yaml")).expect("a family")),
        ("two", SMALL.replace("small", "other::deep").split("- instr").next().expect("a text").to_owned()),
    ] {
        fs::create_dir(directory.path().join(name)).expect("a directory");
        fs::write(directory.path().join(name).join("ir.yaml"), text).expect("a file");
        generate(&directory.path().join(name), &["-s", "ir.yaml", "--emit", "dot"]);
    }
    let main = r#"
#include "one/out/IRSupport.h"
#include "two/out/IRSupport.h"
#include "graphs.h"
#include "steps.h"
#include <cstdio>
int main() {
  if (!steps::grow_with_nodes<sizes::Graph>(sizes::operations())) {
    return 1;
  }
  sized::Module module;
  auto *F = module.createFunction("main");
  auto *in = module.createPlaceholder(sized::ElemKind::FloatTy, {2}, "in", true);
  auto *scale = F->createScale("scale", in);
  F->createSave("save", F->createAdd("sum", scale, in));
  other::deep::Module deep;
  auto *G = deep.createFunction("main");
  auto *there = deep.createPlaceholder(other::deep::ElemKind::FloatTy, {2}, "in", true);
  auto *twice = G->createScale("twice", there, 4.0f);
  G->createSave("save", twice);
  std::printf("%g %g %d %d\n", scale->getFactor(), twice->getFactor(), F->verify(), G->verify());
  auto *D = other::deep::differentiate(G);
  std::printf("%zu\n", D->getNodes().size());
}
"#;
    let said = Program::quick("two_families")
        .generated(&directory.path().join("one/out"))
        .generated(&directory.path().join("two/out"))
        .include(directory.path())
        .include(sizes)
        .include(root().join("tests/support/steps"))
        .flag("-fsanitize-coverage=trace-pc")
        .text("main.cpp", main)
        .run();
    // Scale, Save, the zeros that Save starts with, ScaleGrad.
    assert_eq!(said, "2 4 1 1\n4\n");
}

fn only_and_support_choose_files() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("ir.yaml"), SMALL).expect("a file");
    let out = generate(directory.path(), &["-s", "ir.yaml", "--support", "theirs/graph.h"]);
    let names: Vec<String> = tree(&out).into_iter().map(|(name, _)| name).collect();
    let others: Vec<&String> = names.iter().filter(|name| !name.starts_with("AutoGen")).collect();
    assert_eq!(others, ["IRKit.h"], "beside Glow's files");
    let header = fs::read_to_string(out.join("AutoGenNodes.h")).expect("a header");
    assert!(header.contains("#include \"theirs/graph.h\"") && !header.contains("IRGraph.h"));
    let list = fs::read_to_string(out.join("AutoGenNodes.def")).expect("a list");
    assert!(list.contains("DEF_NODE(ReluNode, Relu)") && !list.contains("Placeholder") && !list.contains("Save"));
    // The classes compile over base classes of somebody else.
    let theirs = generate(directory.path(), &["-s", "ir.yaml", "--support", "theirs.h"]);
    let mut program = Program::quick("their_support").include(&theirs).include(root().join("families/graph-ir/tests"));
    for name in ["AutoGenNodes.cpp", "AutoGenInstr.cpp", "AutoGenIRBuilder.cpp"] {
        program = program.source(theirs.join(name));
    }
    program.text("main.cpp", "#include \"AutoGenInstr.h\"\n#include \"AutoGenNodes.h\"\nint main() {}\n").built();
    let only = run(directory.path(), &["graph-ir", "-s", "ir.yaml", "-d", "x", "--only", "instructions"]);
    assert_eq!(only.status.code(), Some(2), "instructions need the classes of nodes");
    let nodes = tempfile::tempdir().expect("a directory");
    fs::write(nodes.path().join("ir.yaml"), SMALL).expect("a file");
    let out = generate(nodes.path(), &["-s", "ir.yaml", "--only", "nodes"]);
    assert!(out.join("AutoGenNodes.h").is_file() && !out.join("AutoGenInstr.h").exists());
    Program::quick("only_nodes").generated(&out).text("main.cpp", "int main() {}\n").built();
}

/// Three headers that include what is generated for them, as Glow's do: nothing is edited, and
/// nothing is declared or defined twice.
fn headers_that_include_each_other_are_taken_as_they_are() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("ir.yaml"), SMALL).expect("a file");
    let tests = root().join("families/graph-ir/tests");
    let support = tests.join("theirs/support.yaml").display().to_string();
    let arguments = ["-s", "ir.yaml", "-s", &support];
    let out = generate(directory.path(), &arguments);
    let names: Vec<String> = tree(&out).into_iter().map(|(name, _)| name).collect();
    assert!(names.contains(&"IRKit.h".to_owned()) && !names.contains(&"IRGraph.h".to_owned()), "{names:?}");
    let mut program = Program::quick("their_headers").include(&out).include(&tests);
    for name in ["AutoGenNodes.cpp", "AutoGenInstr.cpp", "AutoGenIRBuilder.cpp"] {
        program = program.source(out.join(name));
    }
    let said = program.source(tests.join("theirs/main.cpp")).run();
    let expected = "%top = kind  {Ty: <2 dims>, Axes: [1, 2], More: [<2 dims>]}\n\
                    2 verified, 42 for pairs, 1 inputs\n\
                    kind 'other': the node is not valid\n";
    assert_eq!(said, expected);
    // The support library has the same records, with the rules that they write.
    let own = generate(directory.path(), &[&arguments[..], &["--support", "emit", "--force"]].concat());
    let text = fs::read_to_string(own.join("AutoGenInstr.cpp")).expect("a source");
    assert!(own.join("IRGraph.h").is_file() && text.contains("TopKInst::getPairsSize() const {"), "{text}");
    // Another header has the same names.
    let other = generate(directory.path(), &[&arguments[..], &["--support", "other.h", "--force"]].concat());
    let kit = fs::read_to_string(other.join("IRKit.h")).expect("a header");
    let header = fs::read_to_string(other.join("AutoGenInstr.h")).expect("a header");
    assert!(kit.contains("using elsewhere::isa;") && header.contains("#include \"other.h\""), "{header}");
}

fn versions_are_compared() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("old.yaml"), SMALL).expect("a file");
    let new = SMALL
        .replace("float Factor=2)", "float Factor=2, bool Fast=False)")
        .replace(
            "Relu(Tensor Input) -> Tensor Result\n  infer",
            "Relu(Tensor Input, Tensor Slope) -> Tensor Result\n  infer",
        )
        .replace("  from_node: Relu\n", "");
    fs::write(directory.path().join("new.yaml"), new).expect("a file");
    let arguments = ["graph-ir", "-s", "new.yaml", "-d", "out", "--against", "old.yaml"];
    let output = run(directory.path(), &arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    let message = "warning[required-argument-added]: input `Slope` of `Relu` is new, and has no default";
    assert!(output.status.success() && errors.contains(message), "{errors}");
    assert!(errors.contains("new.yaml:4:35") && errors.contains("::: old.yaml:4:9"), "{errors}");
    let changes = fs::read_to_string(directory.path().join("out/ir_changes.md")).expect("a page");
    let row = "| `required-argument-added` | input `Slope` of `Relu` is new, and has no default | source, saved |";
    assert!(changes.contains(row), "{changes}");
    assert!(changes.contains("| `argument-added` | member `Fast` of `Scale` is new |  |"), "{changes}");
    let strict = run(directory.path(), &[&arguments[..], &["--strict", "--force"]].concat());
    assert_eq!(strict.status.code(), Some(1));
}

fn every_command_knows_the_family() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("ir.yaml"), SMALL).expect("a file");
    let said = |arguments: &[&str]| {
        let output = run(directory.path(), arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(said(&["explain", "Scale", "-s", "ir.yaml"]).contains("member float Factor = 2"));
    said(&["check", "-s", "ir.yaml"]);
    said(&["-s", "ir.yaml", "-d", "plain"]);
    assert!(directory.path().join("plain/AutoGenNodes.h").is_file());
    let schema = fs::read_to_string(root().join("families/graph-ir/schema.json")).expect("a schema");
    assert_eq!(said(&["json-schema", "graph-ir"]), schema, "run `torchgen-rs json-schema graph-ir` again");
}

/// The walk-through of docs/graph-ir.md: its files, its commands, what it prints.
fn the_walk_through_works() {
    let directory = walk("graph-ir.md");
    let picture = fs::read_to_string(directory.path().join("graph.dot")).expect("a picture");
    assert!(picture.contains("Factor: 0.5"), "{picture}");
}

/// Does what a page of docs/ says, in a directory: its first file, command, program and output.
fn walk(page: &str) -> tempfile::TempDir {
    let text = fs::read_to_string(root().join("docs").join(page)).expect("a page");
    let block = |fence: &str| {
        let after = text.split(&format!("```{fence}\n")).nth(1).unwrap_or_else(|| panic!("no {fence}"));
        after.split("```").next().expect("a text").to_owned()
    };
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("ir.yaml"), block("yaml ir.yaml")).expect("a file");
    let main = directory.path().join("main.cpp");
    fs::write(&main, block("cpp main.cpp")).expect("a file");
    let command = block("console");
    let words: Vec<&str> = command.split_whitespace().skip(1).collect();
    let output = run(directory.path(), &words);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let program = Program::quick(&page.replace(['-', '.'], "_")).generated(&directory.path().join("out")).source(main);
    let printed = Command::new(program.built()).current_dir(directory.path()).output().expect("it starts");
    assert_eq!(String::from_utf8_lossy(&printed.stdout), block("text output"));
    directory
}

/// The records that docs/graph-ir-reference.md shows, in one family.
fn records_of_the_reference_compile() {
    let page = fs::read_to_string(root().join("docs/graph-ir-reference.md")).expect("a page");
    let blocks = page.split("```yaml\n").skip(1).map(|block| block.split("```").next().expect("a text"));
    let records: Vec<&str> = blocks.filter(|block| block.starts_with("- ")).collect();
    assert!(records.len() >= 3, "{records:?}");
    let directory = tempfile::tempdir().expect("a directory");
    let text = format!("family: graph-ir\nnamespace: shown\nops:\n{}", records.concat());
    fs::write(directory.path().join("ir.yaml"), text).expect("a file");
    let out = generate(directory.path(), &["-s", "ir.yaml"]);
    Program::quick("graph_ir_reference").generated(&out).compiles();
}
