//! Names that schemas can spell and generated code has: on the stable ABI, arguments, results and
//! operators get every identifier of generated Python and C++, and of what macros expand to, and
//! values, gradients and tangents are compared.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;
use regex::Regex;
use serde_json::json;
use walkdir::WalkDir;

use super::stable_library::{built, generate};
use crate::support::torch::{STABLE_TARGET, expanded_identifiers, root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![no_schema_can_spell_a_generated_name]
}

/// Words that mean something else in formulas, keys of derivatives.yaml, and what C++ cannot have
/// as a value.
const NOT_IN_FORMULAS: &[&str] = &[
    "complex_gradients",
    "dispatch",
    "name",
    "output_differentiability",
    "python",
    "self",
    "and",
    "and_eq",
    "bitand",
    "bitor",
    "compl",
    "false",
    "grad",
    "grad_input_mask",
    "grads",
    "not",
    "not_eq",
    "nullptr",
    "or",
    "or_eq",
    "result",
    "true",
    "xor",
    "xor_eq",
];

/// Names that the operators below have themselves.
const OWN: &[&str] = &["input_x", "input_y", "first_result", "maybe", "maybe_both"];

/// The identifiers in the generated files of a library.
pub(super) fn identifiers(out: &Path, endings: &[&str]) -> BTreeSet<String> {
    let word = Regex::new(r"[A-Za-z_][A-Za-z0-9_]*").expect("a pattern");
    let mut found = BTreeSet::new();
    for entry in WalkDir::new(out) {
        let path = entry.expect("a readable entry").into_path();
        if path.extension().is_some_and(|ending| endings.iter().any(|wanted| ending == *wanted)) {
            let text = fs::read_to_string(&path).expect("a generated file");
            found.extend(word.find_iter(&text).map(|word| word.as_str().to_owned()));
        }
    }
    found
}

/// The names in groups of a size; no two of a group begin alike, as far as possible.
fn groups(names: &[String], size: usize) -> Vec<Vec<String>> {
    let count = names.len() / size;
    let group = |i: usize| (0..size).map(|j| names[i + j * count].clone()).collect();
    (0..count).map(group).collect()
}

/// The YAML of a library whose operators have these names.
struct Library {
    functions: String,
    derivatives: String,
}

impl Library {
    fn new() -> Library {
        let mut library = Library { functions: String::new(), derivatives: String::new() };
        for (overload, outputs, other) in [("", "[True, False]", ""), ("_both", "[True, True]", " + grads[1] * 3")] {
            let schema = format!("maybe{overload}(Tensor input_x, bool given) -> (Tensor a, Tensor? b)");
            library.function(&schema, "like(input_x), like(input_x)", "maybe");
            let first = if other.is_empty() { "grad" } else { "grads[0]" };
            let given = match other {
                "" => format!("{first} * 2"),
                other => format!("b.has_value() ? {first} * 2{other} : {first} * 2"),
            };
            let _ = write!(
                library.derivatives,
                "- name: spelled::{schema}\n  output_differentiability: {outputs}\n  input_x: \"{given}\"\n  a: input_x_t * 2\n"
            );
            if !other.is_empty() {
                library.derivatives.push_str("  b: input_x_t * 3\n");
            }
        }
        // Names of types before arguments of the types.
        let types = "types1(Tensor input_x, float Device, Device Layout, Layout MemoryFormat, \
                     MemoryFormat OptionalArrayRef, Tensor[]? ScalarType, ScalarType Tensor, *, Tensor last) -> Tensor";
        library.function(types, "like(input_x)", "types");
        for (name, gradient, tangent) in
            [("result", "grad", "auto_element_wise"), ("op", "grad_op", "input_x_t * op / input_x_p")]
        {
            let schema = format!("one_{name}(Tensor input_x) -> Tensor {name}");
            library.function(&schema, "like(input_x)", "twice");
            let _ = write!(
                library.derivatives,
                "- name: spelled::{schema}\n  input_x: {gradient} * {name} / input_x\n  {name}: {tangent}\n"
            );
        }
        library
    }

    fn function(&mut self, schema: &str, fake: &str, kernel: &str) {
        let fake = if fake.is_empty() { String::new() } else { format!("  fake: {fake}\n") };
        let _ = write!(self.functions, "- func: spelled::{schema}\n{fake}  dispatch:\n    CPU: {kernel}\n");
    }

    fn results(&mut self, number: usize, names: &[String]) {
        let results: Vec<String> = names.iter().map(|name| format!("Tensor {name}")).collect();
        let schema =
            format!("results{number}(Tensor input_x, Tensor input_y) -> (Tensor first_result, {})", results.join(", "));
        self.function(&schema, &["like(input_x)"; 6].join(", "), "results");
        let sum: Vec<String> = names.iter().enumerate().map(|(i, name)| format!("{} * {name}", i + 1)).collect();
        let _ = write!(
            self.derivatives,
            "- name: spelled::{schema}\n  output_differentiability: [True, False, False, False, False, False]\n  \
             input_x: grad * ({})\n  input_y: grad * (7 * {}.sym_size(0))\n",
            sum.join(" + "),
            names[0]
        );
    }

    fn numbers(&mut self, number: usize, names: &[String]) {
        let [a, b, c, d] = names else { panic!("four names") };
        let schema =
            format!("numbers{number}(Tensor input_x, float {a}, float {b}, *, float {c}=7., float {d}=8.) -> Tensor");
        self.function(&schema, "like(input_x)", "numbers");
        // Kernels of generated variants have locals.
        let _ = writeln!(self.functions, "  autogen: numbers{number}.out");
        let _ = write!(
            self.derivatives,
            "- name: spelled::{schema}\n  input_x: grad * ({a} + 10 * {b} + 100 * {c} + 1000 * {d})\n"
        );
    }

    fn tensors(&mut self, number: usize, names: &[String]) {
        let [a, b, c, d] = names else { panic!("four names") };
        let schema = format!("tensors{number}(Tensor {a}, Tensor {b}, Tensor {c}, Tensor {d}) -> Tensor");
        self.function(&schema, &format!("like({a})"), "tensors");
        let _ = write!(
            self.derivatives,
            "- name: spelled::{schema}\n  \"{a}\": grad * {b}\n  \"{b}\": 10 * grad * {c}\n  \
             \"{c}\": 100 * grad * {d}\n  \"{d}\": 1000 * grad * {a}\n  result: {a}_t + 10 * {b}_t + 100 * {c}_t + 1000 * {d}_t\n"
        );
    }

    fn operator(&mut self, name: &str) {
        self.function(&format!("{name}(Tensor self) -> Tensor"), "", "twice");
        self.function(&format!("{name}_(Tensor(a!) self) -> Tensor(a!)"), "", "twice_");
        let _ = write!(self.derivatives, "- name: spelled::{name}(Tensor self) -> Tensor\n  self: grad * 5\n");
    }

    fn write(&self, directory: &Path) {
        fs::create_dir_all(directory).expect("a new directory");
        fs::write(directory.join("native_functions.yaml"), &self.functions).expect("a new file");
        fs::write(directory.join("derivatives.yaml"), &self.derivatives).expect("a new file");
    }
}

/// The names without those that `check` refuses for an operator, an argument or a result.
fn accepted(names: &[String], library: &Library, work: &Path) -> Vec<String> {
    library.write(work);
    let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(["check", "--abi", "stable", "--max-errors", "0", "-s"])
        .arg(work)
        .output()
        .expect("the program runs");
    let said = String::from_utf8(output.stderr).expect("text");
    let refused = "an operator cannot be called `([^`]+)`|`([^`]+)` is a reserved word|found `([^`]+)`";
    let refused = Regex::new(refused).expect("a pattern");
    let names_in =
        |found: regex::Captures<'_>| found.iter().skip(1).flatten().next().map(|name| name.as_str().to_owned());
    let refused: BTreeSet<String> = refused.captures_iter(&said).filter_map(names_in).collect();
    names.iter().filter(|name| !refused.contains(*name)).cloned().collect()
}

/// The names that operators with an inplace variant can have.
fn for_operators(names: &[String], work: &Path) -> Vec<String> {
    let single = |name: &&String| !name.ends_with('_') && !names.contains(&format!("{name}_"));
    let names: Vec<String> = names.iter().filter(single).cloned().collect();
    let mut library = Library::new();
    names.iter().for_each(|name| library.operator(name));
    accepted(&names, &library, work)
}

/// The names that arguments can have.
fn for_arguments(names: &[String], work: &Path) -> Vec<String> {
    let mut library = Library::new();
    for (i, name) in names.iter().enumerate() {
        library.function(&format!("try{i}(Tensor {name}) -> Tensor"), "", "twice");
    }
    accepted(names, &library, work)
}

fn no_schema_can_spell_a_generated_name() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let seed = work.path().join("seed");
    generate(&root().join("tests/stable/trained"), &seed);
    let not_own = |name: &String| !OWN.contains(&name.as_str());
    let mut all = identifiers(&seed, &["py", "h", "cpp"]);
    all.extend(expanded_identifiers(&seed, &[STABLE_TARGET]));
    let all: Vec<String> = all.into_iter().filter(not_own).collect();
    let python: Vec<String> = identifiers(&seed, &["py"]).into_iter().filter(not_own).collect();
    for name in
        ["_needs", "_results", "_ctx", "_op_moments_autograd_", "needs", "StableIValue", "StableTorchLibraryInit"]
    {
        assert!(all.iter().any(|known| known == name), "{name}");
    }
    // Names as they are, and what is left of generated ones without their underscores.
    let mut all: BTreeSet<String> = all.into_iter().collect();
    all.extend(python.iter().map(|name| name.trim_matches('_').to_owned()).filter(|name| !name.is_empty()));
    // Names of results without one, and of their gradients.
    all.extend(["result0", "grad_result", "grad_result0", "result_t"].map(str::to_owned));
    let plain: Vec<String> = all.iter().filter(|name| !NOT_IN_FORMULAS.contains(&name.as_str())).cloned().collect();

    let plain = for_arguments(&plain, &work.path().join("arguments"));
    let operators = for_operators(&python, &work.path().join("operators"));
    assert!(plain.len() > 800 && operators.len() > 300, "{} and {}", plain.len(), operators.len());
    let (results, four) = (groups(&plain, 5), groups(&plain, 4));
    let mut library = Library::new();
    results.iter().enumerate().for_each(|(i, names)| library.results(i, names));
    four.iter().enumerate().for_each(|(i, names)| library.numbers(i, names));
    four.iter().enumerate().for_each(|(i, names)| library.tensors(i, names));
    operators.iter().for_each(|name| library.operator(name));
    let (source, out) = (work.path().join("source"), work.path().join("out"));
    library.write(&source);
    generate(&source, &out);

    let place = root().join("tests/stable/names");
    let library: PathBuf = built("spelled", &out, &[place.join("kernels.cpp")]);
    let tried = work.path().join("names.json");
    let text = json!({"results": results, "numbers": four, "tensors": four, "operators": operators}).to_string();
    fs::write(&tried, text).expect("a new file");
    // The generated Python does not depend on the version of torch.
    let mut command = torch().tool("python");
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONPATH", out.join("python"));
    command.env("SPELLED_LIBRARY", &library).args(["-W", "ignore"]).arg(place.join("values.py")).arg(&tried);
    let said = run(&mut command);
    assert!(said.contains("names ok in torch 2.15.0"), "{said}");
}
