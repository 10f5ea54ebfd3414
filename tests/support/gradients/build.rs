//! Libraries are generated and built together, and checked in both versions of torch.
//!
//! Invariant: paths of temporary directories are in no source, so that a build is found again in
//! `target/cxx` if nothing that is generated changed.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use super::model::{Library, NAMESPACE};
use super::{Abi, composite, kernel, yaml};
use crate::support::cxx::{Program, quick};
use crate::support::torch::{Torch, oldest, root, torch};

/// An ABI, and whether it runs in the oldest torch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Run {
    pub(super) abi: Abi,
    pub(super) oldest: bool,
}

/// All runs: the first two have the same facts.
pub(super) const RUNS: [Run; 3] = [
    Run { abi: Abi::Cpp, oldest: false },
    Run { abi: Abi::Stable, oldest: false },
    Run { abi: Abi::Stable, oldest: true },
];

/// Sources whose unnamed namespaces have the same names.
const APART: [&str; 3] = ["ADInplaceOrView", "AutogradFunctions", "VariableType"];

/// A check that failed.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) run: Run,
    /// The name of a library if there is no operator.
    pub(super) operator: String,
    pub(super) check: String,
    pub(super) text: String,
}

impl Failure {
    /// Whether the library has the operator.
    pub(super) fn is_of(&self, library: &Library) -> bool {
        self.operator.split('_').next() == Some(&library.name)
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Failure { run, operator, check, text } = self;
        let torch = if run.oldest { "the oldest torch" } else { "the newest torch" };
        write!(f, "{operator}: {check} on {:?} in {torch}: {text}", run.abi)
    }
}

/// What the harness writes.
#[derive(Default, Deserialize)]
struct Found {
    failures: Vec<(String, String, String)>,
    facts: Vec<(String, String, String)>,
    count: u64,
    gradients: u64,
}

/// The runs of some libraries.
#[derive(Default)]
pub(super) struct Runs {
    found: Vec<(Run, Found)>,
    failures: Vec<Failure>,
    pub(super) libraries: usize,
    pub(super) operators: usize,
    pub(super) checks: u64,
    pub(super) gradients: u64,
}

impl Runs {
    /// All failures: of checks, of builds, and facts in which the ABIs differ.
    pub(super) fn failures(&self) -> Vec<Failure> {
        let mut failures = self.failures.clone();
        for (run, found) in &self.found {
            failures.extend(found.failures.iter().cloned().map(|(operator, check, text)| Failure {
                run: *run,
                operator,
                check,
                text,
            }));
        }
        if let [(_, cpp), (run, stable), ..] = &self.found[..] {
            let of = |found: &Found, failed: &Found| -> Vec<(String, String, String)> {
                let fails = |operator: &str, check: &str| {
                    failed.failures.iter().any(|(of, name, _)| of == operator && name == check)
                };
                found.facts.iter().filter(|(operator, check, _)| !fails(operator, check)).cloned().collect()
            };
            let (cpp, stable) = (of(cpp, stable), of(stable, cpp));
            for ((operator, check, one), (.., other)) in cpp.iter().zip(&stable).filter(|(one, other)| one != other) {
                let text = format!("the ABIs differ: {one} on the C++ API, {other} on the stable ABI");
                let (operator, check) = (operator.clone(), format!("{check} of both ABIs"));
                failures.push(Failure { run: *run, operator, check, text });
            }
        }
        failures
    }
}

/// Whether the program accepts a library, or the first line of why it does not.
pub(super) fn accepted(library: &Library) -> Result<(), String> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    [Abi::Cpp, Abi::Stable].into_iter().try_for_each(|abi| {
        let path = directory.path().join(format!("{abi:?}"));
        laid_out(library, abi, &path).map_err(|said| said.lines().next().unwrap_or_default().to_owned())
    })
}

/// Generates a library, with all that the harness needs.
fn laid_out(library: &Library, abi: Abi, directory: &Path) -> Result<(), String> {
    let write = |path: PathBuf, text: &str| {
        std::fs::create_dir_all(path.parent().expect("a file in a directory")).expect("a new directory");
        std::fs::write(path, text).expect("a new file");
    };
    let read = |name: &str| std::fs::read_to_string(root().join("tests/gradients").join(name)).expect("a source");
    let namespace = NAMESPACE;
    let yaml = directory.join("yaml");
    write(yaml.join("library.yaml"), yaml::settings(abi));
    write(yaml.join("native_functions.yaml"), &yaml::functions(library));
    let derivatives = yaml::derivatives(library);
    if !derivatives.is_empty() {
        write(yaml.join("derivatives.yaml"), &derivatives);
    }
    let formulas = read("formulas.h").replace("random_library", namespace);
    if abi == Abi::Cpp {
        write(yaml.join("derivatives_manual.h"), &formulas);
        // Generated sources find it beside them.
        write(directory.join("src/derivatives_manual.h"), &formulas);
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    command.arg("-s").arg(&yaml).arg("-d").arg(directory).arg("--torch-path").arg(torch().package());
    let output = command.output().expect("the program runs");
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    write(directory.join("src/kernels.cpp"), &kernel::source(library, abi));
    write(directory.join("python").join(namespace).join("formulas.py"), &read("formulas.py"));
    write(directory.join("composites.py"), &composite::module(library));
    write(directory.join("library.json"), &composite::description(library).to_string());
    Ok(())
}

/// Builds libraries and runs them: for one run and one check, or for all.
pub(super) fn runs(libraries: &[Library], compiled: usize, only: Option<(Run, &str)>) -> Runs {
    let mut runs = Runs {
        libraries: libraries.len(),
        operators: libraries.iter().map(|library| library.operators.len()).sum(),
        ..Runs::default()
    };
    for abi in [Abi::Cpp, Abi::Stable] {
        let wanted = RUNS.into_iter().filter(|run| run.abi == abi);
        let wanted: Vec<Run> = wanted.filter(|run| only.is_none_or(|(only, _)| only == *run)).collect();
        if wanted.is_empty() {
            continue;
        }
        let directory = tempfile::tempdir().expect("a temporary directory");
        let operators = libraries.iter().flat_map(|library| library.operators.clone()).collect();
        let all = Library { name: String::new(), operators };
        if let Err(said) = laid_out(&all, abi, directory.path()) {
            let failure = |library: &Library| Failure {
                run: wanted[0],
                operator: library.name.clone(),
                check: "refused".to_owned(),
                text: said.clone(),
            };
            runs.failures.extend(libraries.iter().map(failure));
            continue;
        }
        let object = program(abi, directory.path()).built();
        for run in wanted {
            let found = harness(run, directory.path(), libraries, &object, compiled, only.map(|(_, check)| check));
            runs.checks += found.count;
            runs.gradients += found.gradients;
            runs.found.push((run, found));
        }
    }
    runs
}

/// One shared object with all libraries.
fn program(abi: Abi, directory: &Path) -> Program {
    let mut program = match abi {
        Abi::Cpp => torch().cxx("gradients").shared(),
        Abi::Stable => Program::new("gradients")
            .standard("c++20")
            .warnings(&["-Wall", "-Werror"])
            .compiler(quick())
            .system(torch().headers())
            .flag("-DTORCH_TARGET_VERSION=0x020a000000000000")
            .link(format!("-L{}", torch().headers().join("../lib").display()))
            .link("-ltorch_cpu")
            .shared(),
    };
    for include in [directory, &directory.join("include"), &root().join("tests/gradients")] {
        program = program.include(include);
    }
    let entries = std::fs::read_dir(directory.join("src")).expect("generated sources");
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".cpp")).collect();
    names.sort();
    let is_apart = |name: &String| APART.iter().any(|apart| name.starts_with(apart));
    let (apart, together): (Vec<String>, Vec<String>) = names.into_iter().partition(is_apart);
    let together: String = together.iter().map(|name| format!("#include \"src/{name}\"\n")).collect();
    program = program.text("together.cpp", &together);
    apart.iter().fold(program, |program, name| program.source(directory.join("src").join(name)))
}

/// Runs the harness. If it ends without output, each library failed.
fn harness(
    run: Run,
    directory: &Path,
    libraries: &[Library],
    object: &Path,
    compiled: usize,
    only: Option<&str>,
) -> Found {
    let torch: &Torch = if run.oldest { oldest() } else { torch() };
    let out = directory.join("found.json");
    let mut command = torch.tool("python");
    command.env("PYTHONDONTWRITEBYTECODE", "1").args(["-W", "ignore"]);
    command.env(format!("{}_LIBRARY", NAMESPACE.to_uppercase()), object);
    command.arg(root().join("tests/gradients/harness.py")).arg(&out).arg(compiled.to_string());
    command.arg(only.unwrap_or("all")).arg(directory);
    let output = command.output().expect("Python runs");
    let text = std::fs::read_to_string(&out).unwrap_or_default();
    if let (true, Ok(found)) = (output.status.success(), serde_json::from_str::<Found>(&text)) {
        std::fs::remove_file(&out).expect("a file that was read");
        return found;
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let failure = |library: &Library| {
        (library.name.clone(), "crash".to_owned(), format!("Python ended with {}\n{said}", output.status))
    };
    Found { failures: libraries.iter().map(failure).collect(), ..Found::default() }
}
