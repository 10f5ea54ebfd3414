//! Libraries are generated and built together, and checked in both versions of torch.
//!
//! Invariant: paths of temporary directories are in no source, so that a build is found again in
//! `target/cxx` if nothing that is generated changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use super::model::Library;
use super::spent::Spent;
use super::{Abi, Plan, composite, kernel, yaml};
use crate::support::cxx::{Program, is_further_part, quick};
use crate::support::processor;
use crate::support::torch::{STABLE_TARGET, Torch, oldest, output, root, torch};

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

/// What follows a check's name if the ABIs differ in it.
const OF_BOTH: &str = " of both ABIs";

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
    /// Processor seconds of each step.
    #[serde(default)]
    spent: BTreeMap<String, f64>,
}

impl Found {
    /// The facts of each operator and check.
    fn facts_of_checks(&self) -> BTreeMap<(&str, &str), Vec<&str>> {
        let mut all: BTreeMap<_, Vec<&str>> = BTreeMap::new();
        for (operator, check, fact) in &self.facts {
            all.entry((operator.as_str(), check.as_str())).or_default().push(fact);
        }
        all
    }
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
    pub(super) spent: Spent,
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
            let stable = stable.facts_of_checks();
            for ((operator, check), facts) in cpp.facts_of_checks() {
                // A check that failed has no facts, nor has an operator that only one ABI can have.
                let others = stable.get(&(operator, check)).unwrap_or(&facts);
                let differ = facts.iter().zip(others).find(|(one, other)| one != other);
                let lengths = (facts.len() != others.len()).then_some((&"more facts", &"fewer"));
                let Some((one, other)) = differ.or(lengths) else { continue };
                failures.push(Failure {
                    run: *run,
                    operator: operator.to_owned(),
                    check: format!("{check}{OF_BOTH}"),
                    text: format!("the ABIs differ: {one} on the C++ API, {other} on the stable ABI"),
                });
            }
        }
        failures
    }
}

/// Whether the program accepts a library, or the first line of its first error.
pub(super) fn accepted(library: &Library) -> Result<(), String> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    [Abi::Cpp, Abi::Stable].into_iter().try_for_each(|abi| {
        let path = directory.path().join(format!("{abi:?}"));
        laid_out(&library.on(abi), abi, &path, &Plan::default())
            .map_err(|said| said.lines().find(|line| line.starts_with("error")).unwrap_or(&said).to_owned())
    })
}

/// Generates a library, with all that the harness needs.
fn laid_out(library: &Library, abi: Abi, directory: &Path, plan: &Plan) -> Result<(), String> {
    let write = |path: PathBuf, text: &str| {
        std::fs::create_dir_all(path.parent().expect("a file in a directory")).expect("a new directory");
        std::fs::write(path, text).expect("a new file");
    };
    let read = |name: &str| std::fs::read_to_string(root().join("tests/gradients").join(name)).expect("a source");
    let namespace = abi.namespace();
    let yaml = directory.join("yaml");
    write(yaml.join("library.yaml"), yaml::settings(abi));
    write(yaml.join("native_functions.yaml"), &yaml::functions(library, abi));
    let derivatives = yaml::derivatives(library, abi);
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
    if let Some(templates) = &plan.templates {
        command.arg("--template-dir").arg(templates);
    }
    let output = processor::output(&mut command).expect("the program runs");
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    write(directory.join("src/kernels.cpp"), &kernel::source(library, abi));
    write(directory.join("python").join(namespace).join("formulas.py"), &read("formulas.py"));
    write(directory.join("composites.py"), &composite::module(library));
    write(directory.join("library.json"), &composite::description(library, abi).to_string());
    Ok(())
}

/// The libraries on one ABI, built.
struct Built {
    abi: Abi,
    directory: tempfile::TempDir,
    object: PathBuf,
}

/// Builds libraries and runs them: for one run and one check, or for all. A check in which the ABIs
/// differ needs both.
pub(super) fn runs(libraries: &[Library], plan: &Plan, only: Option<(Run, &str)>) -> Runs {
    let mut runs = Runs {
        libraries: libraries.len(),
        operators: libraries.iter().map(|library| library.operators.len()).sum(),
        ..Runs::default()
    };
    let of_both = only.and_then(|(_, check)| check.strip_suffix(OF_BOTH));
    let check = of_both.or(only.map(|(_, check)| check));
    let wanted = |run: &Run| only.is_none_or(|(only, _)| only == *run || of_both.is_some() && !run.oldest);
    let wanted: Vec<Run> = RUNS.into_iter().filter(wanted).collect();
    let mut built = Vec::new();
    for abi in [Abi::Cpp, Abi::Stable] {
        let Some(run) = wanted.iter().find(|run| run.abi == abi) else { continue };
        let directory = tempfile::tempdir().expect("a temporary directory");
        let out = runs.spent.on("generated", || laid_out(&together(libraries).on(abi), abi, directory.path(), plan));
        if let Err(said) = out {
            let failure = |library: &Library| Failure {
                run: *run,
                operator: library.name.clone(),
                check: "refused".to_owned(),
                text: said.clone(),
            };
            runs.failures.extend(libraries.iter().map(failure));
            continue;
        }
        let step = format!("compiled for {abi:?}");
        let object = runs.spent.on(&step, || program(abi, directory.path()).built());
        built.push(Built { abi, directory, object });
    }
    for oldest in [false, true] {
        let here = |built: &&Built| wanted.contains(&Run { abi: built.abi, oldest });
        let here: Vec<&Built> = built.iter().filter(here).collect();
        if here.is_empty() {
            continue;
        }
        let all = harness(oldest, &here, libraries, plan, check);
        for (built, found) in here.iter().zip(all) {
            runs.checks += found.count;
            runs.gradients += found.gradients;
            runs.spent.add_all(&found.spent);
            runs.found.push((Run { abi: built.abi, oldest }, found));
        }
    }
    runs
}

/// All operators as one library.
fn together(libraries: &[Library]) -> Library {
    let operators = libraries.iter().flat_map(|library| library.operators.clone()).collect();
    Library { name: String::new(), operators }
}

/// The libraries that the program refuses, each with the first line of why. Halves are tried until
/// they are accepted, since few are refused.
pub(super) fn refused(libraries: &[Library]) -> Vec<(String, String)> {
    match accepted(&together(libraries)) {
        Ok(()) => Vec::new(),
        Err(said) if libraries.len() == 1 => vec![(libraries[0].name.clone(), said)],
        Err(_) => {
            let (some, others) = libraries.split_at(libraries.len() / 2);
            [refused(some), refused(others)].concat()
        }
    }
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
            .flag(STABLE_TARGET)
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
    // On the stable ABI there are several, which go together; parts of a library on the C++ API
    // have helpers of the same names.
    let (apart, together): (Vec<String>, Vec<String>) = names.into_iter().partition(|name| is_further_part(name));
    let include = |name: &String| format!("#include \"src/{name}\"\n");
    for name in &apart {
        program = program.text(&format!("apart_{name}"), &include(name));
    }
    program.text("together.cpp", &together.iter().map(include).collect::<String>())
}

/// Runs the harness. If it ends without output, each library failed.
fn harness(oldest: bool, built: &[&Built], libraries: &[Library], plan: &Plan, only: Option<&str>) -> Vec<Found> {
    let torch: &Torch = if oldest { self::oldest() } else { torch() };
    let out = built[0].directory.path().join("found.json");
    let mut command = torch.tool("python");
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("TORCHGEN_PLANTED", &plan.planted).args(["-W", "ignore"]);
    command.arg(root().join("tests/gradients/harness.py")).arg(&out).arg(plan.compiled.to_string());
    command.arg(only.unwrap_or("all"));
    for one in built {
        command.env(format!("{}_LIBRARY", one.abi.namespace().to_uppercase()), &one.object);
        command.arg(one.directory.path());
    }
    let output = output(&mut command).expect("Python runs");
    let text = std::fs::read_to_string(&out).unwrap_or_default();
    if let (true, Ok(found)) = (output.status.success(), serde_json::from_str::<Vec<Found>>(&text)) {
        std::fs::remove_file(&out).expect("a file that was read");
        return found;
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let failure = |library: &Library| {
        (library.name.clone(), "crash".to_owned(), format!("Python ended with {}\n{said}", output.status))
    };
    let crashed = || Found { failures: libraries.iter().map(failure).collect(), ..Found::default() };
    built.iter().map(|_| crashed()).collect()
}
