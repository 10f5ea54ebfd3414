//! Op builders: generates and compiles the shipped YAML, and compares the results with the
//! expectations of upstream's tests, with torch, and with the examples in the YAML.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use libtest_mimic::Trial;
use tempfile::TempDir;

use crate::support::cxx::{Build, Program};
use crate::support::torch::torch;

mod names;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = trials![
        contract,
        behaviours,
        reflecting,
        self_test,
        numerics_are_torchs,
        migraphx_target,
        modules_and_results,
        errors_have_codes_and_places,
        odd_bodies_compile,
        explain_and_schema,
        walkthrough,
        scaffold
    ];
    trials.extend(names::trials());
    trials
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Runs the program in the root of the checkout; returns whether it succeeded, and its output.
fn torchgen(arguments: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .current_dir(root())
        .env("NO_COLOR", "1")
        .args(arguments)
        .output()
        .expect("the program runs");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// The shipped builders, generated once.
fn generated() -> &'static Path {
    static DIRECTORY: OnceLock<TempDir> = OnceLock::new();
    let made = DIRECTORY.get_or_init(|| {
        let directory = tempfile::tempdir().expect("a directory");
        let arguments = ["op-builders", "--strict", "-s", "families/op-builders/example", "-d", text(directory.path())];
        let (ok, said) = torchgen(&arguments);
        assert!(ok, "{said}");
        directory
    });
    made.path()
}

/// The generated builders and the C++ of these tests in one program, since compiling dominates the
/// time.
fn program() -> Program {
    let tests = root().join("families/op-builders/tests");
    let program = Program::new("op_builders").generated(generated()).include(&tests).build(Build::Sanitized);
    ["main.cpp", "contract.cpp", "behaviours.cpp", "reflecting.cpp", "cases.cpp"]
        .into_iter()
        .fold(program, |program, source| program.source(tests.join(source)))
}

fn contract() {
    program().run_with(&["contract"], &[]);
}

fn behaviours() {
    program().run_with(&["behaviours"], &[]);
}

fn reflecting() {
    program().run_with(&["reflecting"], &[]);
}

fn self_test() {
    let directory = tempfile::tempdir().expect("a directory");
    let out = text(directory.path());
    let (ok, said) =
        torchgen(&["op-builders", "-s", "families/op-builders/example", "-d", out, "--emit", "docs,model,self-test"]);
    assert!(ok, "{said}");
    let program = Program::new("op_builders_self_test")
        .generated(directory.path())
        .source(root().join("families/op-builders/tests/benchmark.cpp"))
        .flag("-Dmain=self_test_main")
        .build(Build::Release);
    let said = program.run();
    let (checks, failures) = said.trim().split_once(" checks, ").expect("counts");
    assert!(checks.parse::<u32>().expect("a number") > 300 && failures == "0 failures", "{said}");

    // The time relative to code written by hand. Measurements are noisy, so the test allows more
    // than the benchmark, and the best of several counts: other programs may run beside it.
    let measured = || {
        let output = Command::new(program.built()).arg("benchmark").output().expect("the program runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let all: Vec<String> = (0..5).map(|_| measured()).collect();
    let best = |name: &str| {
        let ratios = all.iter().flat_map(|ratios| ratios.lines()).filter_map(|line| line.strip_prefix(name));
        ratios.filter_map(|ratio| ratio.trim().parse::<f64>().ok()).reduce(f64::min)
    };
    assert!(best("typed").is_some_and(|ratio| ratio < 1.5), "{all:?}");
    assert!(best("name").is_some_and(|ratio| ratio < 2.0), "{all:?}");

    let docs = fs::read_to_string(directory.path().join("docs/builder/gemm.md")).expect("documentation");
    for needed in [
        "# gemm",
        "| transB | option | <code>bool</code> | <code>False</code> |",
        "A and B should be rank 2",
        "| C | input | <code>Tensor?</code> | <code>None</code> |",
    ] {
        assert!(docs.contains(needed), "the documentation lacks {needed}");
    }
    let model = fs::read_to_string(directory.path().join("op_builders.jsonl")).expect("a model");
    let things: Vec<serde_json::Value> =
        model.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let names = |thing: &serde_json::Value| thing["facts"]["registered"].as_array().map_or(0, Vec::len);
    assert!(things.iter().any(|thing| thing["kind"] == "builder" && names(thing) > 1));
}

/// torch's results for random inputs, with einsum's 300 equations.
fn numerics_are_torchs() {
    let output = torch()
        .tool("python")
        .arg(root().join("families/op-builders/tests/cases.py"))
        .args(["7", "300"])
        .output()
        .expect("Python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let directory = tempfile::tempdir().expect("a directory");
    let cases = directory.path().join("cases.txt");
    fs::write(&cases, &output.stdout).expect("a file");
    let run = Command::new(program().built()).arg("cases").arg(&cases).output().expect("the program runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    let counts: Vec<(&str, u32)> = said
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, count)| (name, count.parse().expect("a number")))
        .collect();
    assert!(counts.len() >= 30 && counts.iter().all(|&(_, count)| count > 0), "every name has cases: {said}");
    assert!(counts.iter().any(|&(name, count)| name == "einsum" && count >= 340), "{said}");
}

/// With `--target migraphx`, the builders compile against declarations of MIGraphX's interface,
/// check their options, and name themselves in every error, as MIGraphX's do.
fn migraphx_target() {
    let directory = tempfile::tempdir().expect("a directory");
    let arguments =
        ["op-builders", "--target", "migraphx", "-s", "families/op-builders/example", "-d", text(directory.path())];
    let (ok, said) = torchgen(&arguments);
    assert!(ok, "{said}");
    assert!(!directory.path().join("op_builder_registry.cpp").exists(), "the registry is MIGraphX's");
    Program::quick("op_builders_migraphx")
        .generated(directory.path())
        .include(root().join("families/op-builders/tests/migraphx"))
        .source(root().join("families/op-builders/tests/migraphx/main.cpp"))
        .run();
}

/// Builders with modules, and with several results, for both targets.
fn modules_and_results() {
    let tests = root().join("families/op-builders/tests");
    for target in ["standalone", "migraphx"] {
        let directory = tempfile::tempdir().expect("a directory");
        let source = tests.join("modules/ops.yaml");
        let out = text(directory.path());
        let (ok, said) = torchgen(&["op-builders", "--strict", "--target", target, "-s", text(&source), "-d", out]);
        assert!(ok, "{target}: {said}");
        let name = format!("op_builders_modules_{target}");
        let program = Program::quick(&name).generated(directory.path()).source(tests.join("modules/main.cpp"));
        let program = if target == "migraphx" { program.include(tests.join("migraphx")) } else { program };
        program.run();
    }
}

/// Wrong YAML is refused with a code and a place.
fn errors_have_codes_and_places() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("ops.yaml");
    // The caret is expected at the last occurrence of the second word in the body.
    for (body, word, code) in [
        ("return mul(x, y)", "y", "TG0223"),
        ("return @gelu(x)", "gelu", "TG4003"),
        ("return relu!(x, axis=1)", "axis", "TG4005"),
        ("return mul(x, 2)", "2", "TG4005"),
        ("return @first(x)", "@first(x)", "TG4006"),
        ("if ndim(x) == 1: return x", "if", "TG4007"),
        ("return relo!(x)", "relo", "TG4004"),
        ("return relu!(x) + ", "\"", "TG0221"),
        ("return ndim(x)", "ndim", "TG0225"),
        ("return relu!(x), x", "return", "TG0226"),
        ("return x if x == x else relu!(x)", "x == x", "TG0225"),
        ("return x if x in [x] else relu!(x)", "x in [x]", "TG0225"),
        ("return mul(x, literal(300, type=uint8_type))", "300", "TG4013"),
        ("return mul(x, literal(-1.5, type=int32_type))", "-1.5", "TG4013"),
        ("return mul(x, literal([0, 2], type=bool_type, lens=[2]))", "2], type", "TG4013"),
        ("return relu!(rnadim(x))", "rnadim", "TG0224"),
        ("fail 'x is {x}'", "x}", "TG4005"),
        ("return if!(x)", "if", "TG4004"),
    ] {
        let body = body.replace('\'', "\\\"");
        let line = format!("  body: \"{body}\"");
        let column = line.rfind(word).expect("the word is there") + 1;
        let head = "family: op-builders\nops:\n- builder: first(Tensor x) -> Tensor\n";
        let rest = "- {op: relu(Tensor x) -> Tensor}\n- {op: 'mul(Tensor a, Tensor b) -> Tensor'}\n";
        fs::write(&path, format!("{head}{line}\n{rest}")).expect("a file");
        let (ok, said) = torchgen(&["check", "-s", text(&path)]);
        assert!(!ok && said.contains(code), "{body}: {said}");
        assert!(said.contains(&format!("ops.yaml:4:{column}\n")), "{body}: {column} of\n{said}");
    }
    // Line numbers continue inside a block scalar, and all errors of a body are shown.
    let block = "family: op-builders\nops:\n- builder: first(Tensor x) -> Tensor\n  body: |\n    y = q\n    z = x\n      w = z\n    return z\n";
    fs::write(&path, block).expect("a file");
    let (ok, said) = torchgen(&["check", "-s", text(&path)]);
    assert!(!ok && said.contains("TG0222") && said.contains("ops.yaml:7:"), "{said}");
    fs::write(&path, block.replace("      w = z\n", "")).expect("a file");
    let (ok, said) = torchgen(&["check", "-s", text(&path)]);
    assert!(!ok && said.contains("ops.yaml:5:9"), "{said}");
}

/// Bodies may assign to options and inputs, and C++ keywords are valid names.
fn odd_bodies_compile() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("ops.yaml");
    let yaml = r#"
family: op-builders
namespace: odd::builder
ops:
- op: mul(Tensor a, Tensor b) -> Tensor
- op: if(Tensor cond, Module then, Module otherwise) -> Tensor
- op: relu(Tensor x) -> Tensor
- builder: changes(Tensor x, Tensor? C=None, *, float alpha=1.0, int[] axes=[1], str? mode=None, bool class=False) -> Tensor
  keys: {class: klass}
  body: |
    if alpha == 0.0: alpha = 2.0
    for i in axes:
      axes = axes + [i]
    C = x if C is none else C
    made_1 = mul(x, literal(alpha, like=x))
    at = mul(made_1, C) if class or len(axes) == 2 else made_1
    names = mul(at, C)
    require mode is none or mode == "a", "mode is {mode} for {lens(at)}; \"quoted\" {{braces}}"
    return names if ndim(mul(x, x)) == 1 and elements(mul(x, x)) > 0 else at
- builder: several(Tensor[] xs, *, DType? type_of=None) -> (Tensor first, Tensor[] rest)
  impl: {inline: "return expr::inputs(xs);"}
- builder: branch(Tensor cond, Module then, Module[] others) -> Tensor
  body: |
    return if_(cond, then, others)
"#;
    // A list cannot be one of several results, and `if` is a reserved word.
    fs::write(&path, yaml).expect("a file");
    let (ok, said) = torchgen(&["check", "-s", text(&path)]);
    assert!(!ok && said.contains("TG4011"), "{said}");
    let yaml = yaml.replace("(Tensor first, Tensor[] rest)", "Tensor[]").replace("- op: if(", "- op: choose(");
    fs::write(&path, yaml.replace("if_(cond, then, others)", "choose!(cond, then, others[0])")).expect("a file");
    let out = directory.path().join("out");
    let (ok, said) = torchgen(&["op-builders", "-s", text(&path), "-d", text(&out), "--emit", "self-test,docs,model"]);
    assert!(ok, "{said}");
    Program::new("odd_builders").generated(&out).run();
}

fn explain_and_schema() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
            .current_dir(root())
            .args(arguments)
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let said = run(&["explain", "gemm", "-s", "families/op-builders/example"]);
    for needed in ["gemm(Tensor A", "alpha: float = 1.0", "add_gemm", "require ndim(A) == 2"] {
        assert!(said.contains(needed), "{said}");
    }
    let printed = run(&["json-schema", "op-builders"]);
    let committed = fs::read_to_string(root().join("families/op-builders/schema.json")).unwrap_or_default();
    assert!(committed == printed, "write families/op-builders/schema.json with `torchgen-rs json-schema op-builders`");
    let schema: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for entry in fs::read_dir(root().join("families/op-builders/example")).expect("the directory") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|ending| ending == "yaml") {
            let yaml: serde_json::Value =
                serde_yaml::from_str(&fs::read_to_string(&path).expect("text")).expect("YAML");
            assert!(validator.is_valid(&yaml), "{}", path.display());
        }
    }
    assert!(!validator.is_valid(&serde_json::json!({ "family": "op-builders", "ops": [{ "buildr": "f()" }] })));
}

/// The walk-through of docs/op-builders.md: its files are written and its commands run, twice where
/// the page says so, and its program prints what the page shows.
fn walkthrough() {
    let page = fs::read_to_string(root().join("docs/op-builders.md")).expect("the page");
    let directory = tempfile::tempdir().expect("a directory");
    let mut commands = Vec::new();
    let mut rounds = 0;
    let (mut main, mut printed) = (String::new(), String::new());
    let mut blocks = page.split("\n```").skip(1).step_by(2);
    let run = |commands: &[String]| {
        for line in commands {
            let line = line.replace("torchgen-rs", env!("CARGO_BIN_EXE_torchgen-rs"));
            let output =
                Command::new("sh").current_dir(directory.path()).args(["-c", &line]).output().expect("a shell");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{line}: {said}{}", String::from_utf8_lossy(&output.stdout));
        }
    };
    blocks.by_ref().for_each(|block| {
        let (info, text) = block.split_once('\n').expect("a block");
        if let Some(name) = info.strip_prefix("yaml file=") {
            fs::write(directory.path().join(name), format!("{text}\n")).expect("a file");
        } else if info == "cpp file=main.cpp" {
            main = text.to_owned();
        } else if info == "text output" {
            printed = format!("{text}\n");
        } else if info == "sh run" {
            commands = text.lines().map(str::to_owned).collect();
            run(&commands);
            rounds += 1;
        } else if let Some(name) = info.strip_prefix("yaml append=") {
            let path = directory.path().join(name);
            let before = fs::read_to_string(&path).expect("the file");
            fs::write(&path, format!("{before}{text}\n")).expect("a file");
            // The self-test of the shipped builders compiles them; here only generation matters.
            run(&commands[..1]);
            rounds += 1;
        }
    });
    assert_eq!(rounds, 2);
    let out = directory.path().join("out");
    for entry in fs::read_dir(&out).expect("what was generated") {
        let path = entry.expect("a file").path();
        if path.to_string_lossy().contains("self_test") {
            fs::remove_file(path).expect("the self-test has a `main` of its own");
        }
    }
    assert_eq!(Program::quick("op_builders_page").generated(&out).text("main.cpp", &main).run(), printed);
}

/// The project that `new` creates compiles, runs, and prints what it should. Its modules take the
/// same number of steps an instruction, whether they have a thousand or a hundred thousand.
fn scaffold() {
    let directory = tempfile::tempdir().expect("a directory");
    let project = directory.path().join("swishes");
    let (ok, said) = torchgen(&["new", "--family", "op-builders", text(&project)]);
    assert!(ok, "{said}");
    let out = project.join("generated");
    let (ok, said) = torchgen(&["op-builders", "-s", text(&project.join("ops.yaml")), "-d", text(&out)]);
    assert!(ok, "{said}");
    let sizes = root().join("families/op-builders/tests/sizes");
    let program =
        Program::quick("swishes").generated(&out).source(project.join("main.cpp")).source(sizes.join("steps.cpp"));
    let program = program.include(sizes).include(root().join("tests/support/steps"));
    let said = program.flag("-fsanitize-coverage=trace-pc").run();
    assert!(said.contains("sigmoid(") && said.contains("{-0.119203, 0, 0.880797}"), "{said}");
}
