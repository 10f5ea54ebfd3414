//! Names that generated code could confuse with its own: `tests/names` is built and run, and an
//! operator of each shape is compiled whose arguments and results have all words of
//! `tests/names/words.txt`; on demand, all identifiers of generated C++, and of what its
//! macros expand to. Every header and every source of a library compiles alone.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;

use super::spelled::identifiers;
use super::stable_library;
use crate::support::cxx::quick;
use crate::support::torch::{check_alone, expanded_identifiers, root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = trials![
        names_do_not_collide,
        every_common_word_can_be_an_argument,
        every_header_compiles_alone,
        every_source_compiles_alone
    ];
    // Takes minutes: `cargo test --test integration -- --ignored every_name`.
    let all = trials![every_name_of_generated_code_can_be_an_argument];
    trials.extend(all.into_iter().map(|trial| trial.with_ignored_flag(true)));
    trials
}

fn generate(source: &Path, out: &Path) {
    run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs")).arg("-s").arg(source).arg("-d").arg(out));
}

fn names_do_not_collide() {
    let source = root().join("tests/names");
    let library = torch().library("names", "tests/names");
    let out = tempfile::tempdir().expect("a temporary directory");
    generate(&source, out.path());
    let package = out.path().join("python");
    let said = run(torch().tool("python").arg(source.join("behaviour.py")).arg(&package).arg(&library));
    for behaviour in ["formulas", "arguments", "lists", "package", "out"] {
        assert!(said.contains(&format!("{behaviour} ok")), "{behaviour} was not tried:\n{said}");
    }
    run(torch().tool("mypy").args(["--strict", "--no-error-summary"]).arg(package.join("names/_ops.pyi")));
}

/// Operators of several shapes, with up to 24 of the names as arguments each: enough for two
/// sources of autograd.
fn operators(names: &[String]) -> (String, String) {
    let (mut functions, mut derivatives) = (String::new(), String::new());
    for (n, chunk) in names.chunks(24).enumerate() {
        let arguments: Vec<String> = chunk.iter().map(|name| format!("str {name}")).collect();
        let a = arguments.join(", ");
        let (plain, view) =
            (format!("plain{n}(Tensor self, {a}) -> Tensor"), format!("view{n}(Tensor(a) self, {a}) -> Tensor(a)"));
        functions.push_str(&format!("- func: all::{plain}\n  autogen: plain{n}.out\n  dispatch:\n    CPU: plain{n}\n"));
        functions.push_str(&format!("- func: all::{view}\n  dispatch:\n    CPU: view{n}\n"));
        functions.push_str(&format!(
            "- func: all::mutate{n}(Tensor(a!) self, {a}) -> ()\n  autogen: mutate{n}_functional\n  dispatch:\n    CPU: mutate{n}\n"
        ));
        functions.push_str(&format!(
            "- func: all::shaped{n}(Tensor self, {a}) -> Tensor\n  structured_delegate: shaped{n}.out\n"
        ));
        functions.push_str(&format!(
            "- func: all::shaped{n}.out(Tensor self, {a}, *, Tensor(a!) out) -> Tensor(a!)\n  structured: True\n  dispatch:\n    CPU: shaped{n}_out\n"
        ));
        functions.push_str(&format!(
            "- func: all::make{n}(SymInt[] shape, {a}, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor\n  dispatch:\n    CompositeExplicitAutograd: make{n}\n"
        ));
        // A forward formula cannot name the tangent of `self` beside such an argument.
        let result = if chunk.iter().any(|name| name == "self_t") { "" } else { "  result: self_t * 2\n" };
        derivatives.push_str(&format!("- name: all::{plain}\n  self: grad * 2\n{result}"));
        let results: Vec<String> = chunk.iter().map(|name| format!("Tensor {name}")).collect();
        let results = format!("results{n}(Tensor self) -> (Tensor first_result, {})", results.join(", "));
        functions.push_str(&format!("- func: all::{results}\n  dispatch:\n    CPU: results{n}\n"));
        derivatives.push_str(&format!(
            "- name: all::{results}\n  output_differentiability: [True{}]\n  self: grad * ({})\n",
            ", False".repeat(chunk.len()),
            chunk.join(" + ")
        ));
        derivatives.push_str(&format!("- name: all::{view}\n  self: grad * 2\n"));
        // Nodes save what formulas use, and formulas have gradients by the names of the outputs.
        for (shape, ty) in [("numbers", "float"), ("tensors", "Tensor")] {
            let arguments: Vec<String> = chunk.iter().map(|name| format!("{ty} {name}")).collect();
            let saved = format!("{shape}{n}(Tensor self, {}) -> (Tensor, Tensor)", arguments.join(", "));
            functions.push_str(&format!("- func: all::{saved}\n  dispatch:\n    CPU: {shape}{n}\n"));
            let sum = chunk.join(" + ");
            derivatives.push_str(&format!("- name: all::{saved}\n  self: (grads[0] + grads[1]) * ({sum})\n"));
        }
        let is_other = |name: &&String| name.strip_prefix("grad_").is_none_or(|of| !chunk.iter().any(|one| one == of));
        let chunk: Vec<&String> = chunk.iter().filter(is_other).collect();
        let outputs: Vec<String> = chunk.iter().map(|name| format!("Tensor {name}")).collect();
        let outputs = format!("outputs{n}(Tensor self) -> (Tensor first_result, {})", outputs.join(", "));
        functions.push_str(&format!("- func: all::{outputs}\n  dispatch:\n    CPU: outputs{n}\n"));
        let sum: String = chunk.iter().map(|name| format!(" + grad_{name}")).collect();
        derivatives.push_str(&format!("- name: all::{outputs}\n  self: grad_first_result{sum}\n"));
    }
    (functions, derivatives)
}

fn every_common_word_can_be_an_argument() {
    let words = std::fs::read_to_string(root().join("tests/names/words.txt")).expect("the words");
    let names = words.lines().filter(|line| !line.starts_with('#')).map(str::to_owned);
    // These have a meaning in formulas, and the last one in TorchScript.
    let mut names: Vec<String> =
        names.filter(|name| !matches!(name.as_str(), "grad" | "grads" | "grad_input_mask" | "assert")).collect();
    names.extend(
        [
            "xor",
            "not_eq",
            "static_cast",
            "char8_t",
            "default",
            "this",
            "union",
            "__FILE__",
            "self_",
            "self_t",
            "before_self",
            "self_arg",
            "output_0",
            "output_arg",
            "output_arg2",
            "output_arg_t",
            "output_return",
            "grad_output_return",
            "result0",
            "grad_fn_before",
            "any_has_forward_grad_output",
        ]
        .map(str::to_owned),
    );
    names.sort();
    names.dedup();
    assert!(names.len() > 200, "{}", names.len());
    compiles(&names);
}

/// Words that have a meaning in formulas, and those that neither TorchScript nor this test can have
/// as names.
const NOT_NAMES: &str = "and and_eq assert bitand bitor compl false first_result grad grad_input_mask grads not \
    not_eq nullptr or or_eq result self true xor xor_eq \
    False None True as async await break class continue def del elif else except finally for from global if import \
    in is lambda nonlocal pass raise return try while with yield";

fn every_name_of_generated_code_can_be_an_argument() {
    let out = tempfile::tempdir().expect("a temporary directory");
    generate(&root().join("tests/names"), out.path());
    let mut names = BTreeSet::new();
    for (source, out) in [("tests/names", out.path()), (".", &root().join("generated"))] {
        names.extend(identifiers(out, &["cpp", "h"]));
        // The header for formulas is in the source path.
        names.extend(expanded_identifiers(out, &[&format!("-I{}", root().join(source).display())]));
    }
    let of_gradients: Vec<String> =
        names.iter().filter_map(|name| name.strip_prefix("grad_")).map(str::to_owned).collect();
    names.extend(of_gradients.into_iter().filter(|name| !name.is_empty()));
    NOT_NAMES.split_whitespace().for_each(|name| _ = names.remove(name));
    compiles(&names.into_iter().collect::<Vec<_>>());
}

/// Generates and compiles operators of each shape whose arguments and results have the names.
fn compiles(names: &[String]) {
    let work = tempfile::tempdir().expect("a temporary directory");
    let (functions, derivatives) = operators(names);
    std::fs::write(work.path().join("native_functions.yaml"), &functions).expect("a new file");
    std::fs::write(work.path().join("derivatives.yaml"), &derivatives).expect("a new file");
    let out = work.path().join("out");
    generate(work.path(), &out);
    let names = std::fs::read_dir(out.join("src")).expect("sources").map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| name.into_string().expect("text"));
    let mut names: Vec<String> = names.collect();
    names.sort();
    assert!(names.contains(&"Library_1.cpp".to_owned()), "{names:?}");
    let program = torch().cxx("all_names").include(&out).include(out.join("include"));
    names.iter().fold(program, |program, name| program.source(out.join("src").join(name))).compiles();
    on_the_stable_abi(work.path(), (&functions, &derivatives));
}

/// The same on the stable ABI, which has no views and no shapes that it does not know.
fn on_the_stable_abi(work: &Path, (functions, derivatives): (&str, &str)) {
    let kept = |text: &str, start: &str| -> String {
        let entries = text.split(start).skip(1);
        let is_kept = |entry: &&str| !entry.starts_with("all::view") && !entry.starts_with("all::shaped");
        entries.filter(is_kept).flat_map(|entry| [start, entry]).collect()
    };
    let is_line = |line: &&str| !line.starts_with("  autogen:");
    let functions: String = functions.lines().filter(is_line).flat_map(|line| [line, "\n"]).collect();
    std::fs::write(work.join("native_functions.yaml"), kept(&functions, "- func: ")).expect("a file");
    std::fs::write(work.join("derivatives.yaml"), kept(derivatives, "- name: ")).expect("a file");
    let out = work.join("stable");
    stable_library::generate(work, &out);
    stable_library::program("all_names_stable", &out, &[]).compiles();
    run(torch().tool("python").args(["-m", "compileall", "-q"]).arg(out.join("python")));
}

fn every_header_compiles_alone() {
    let include = root().join("generated/include");
    let work = tempfile::tempdir().expect("a temporary directory");
    let names: Vec<_> = std::fs::read_dir(include.join("opkit"))
        .expect("headers")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert!(names.len() >= 8, "{names:?}");
    for name in names {
        let file = work.path().join("first.cpp");
        std::fs::write(&file, format!("#include <opkit/{}>\n", name.to_string_lossy())).expect("a new file");
        check_alone(quick(), &file, &include);
    }
}

/// The header that tests precompile would hide missing includes.
fn every_source_compiles_alone() {
    for name in ["structured", "silent"] {
        let out = tempfile::tempdir().expect("a temporary directory");
        torch().generate_with(&root().join("tests").join(name), out.path(), &["--per-operator-headers"]);
        let program = torch().cxx_of_machine(&format!("alone_{name}")).compiler(quick());
        program.generated(&out.path().join("src")).include(out.path().join("include")).compiles();
    }
}
