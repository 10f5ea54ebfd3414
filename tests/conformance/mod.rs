//! The conformance suite. For every configuration in `configurations.yaml`, the reference (Python,
//! from the pinned wheel) and the binary under test run on the same inputs in equal working
//! directories. The resulting trees must be identical, byte for byte.
//!
//! Invariant: nothing is skipped silently. A wheel that cannot be fetched, a reference that fails,
//! or a number of files other than the recorded one is a failed test. A test whose generator does
//! not exist yet is marked in the data and ignored.
//!
//! README.md beside this file explains how to run it, how to add a configuration and where the
//! caches are.

mod compare;
mod configuration;
mod reference;
mod stubs;
mod workspace;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use configuration::{Configuration, ErrorsCheck, HeadersCheck, Suite, TogetherCheck};
use libtest_mimic::{Failed, Trial};
use reference::Reference;

use crate::support::schema;

/// The one file of our trees that the reference does not write.
const MANIFEST: &str = ".torchgen-rs.manifest";

/// What every check needs: the data, the directories, the binary.
struct Context {
    suite: Suite,
    /// `tests/conformance` of this checkout, which configurations call `here`.
    here: PathBuf,
    /// Where the wheel and the reference's outputs are kept; may be shared between checkouts.
    cache: PathBuf,
    /// Where our own outputs go. The directory is this build's, because parallel runs must not
    /// write to the same place.
    ours: PathBuf,
    /// The unpacked wheel, or why it is missing. The first check that needs it fetches it, so that
    /// a filter by name can avoid the download.
    wheel: OnceLock<Result<PathBuf, String>>,
}

impl Context {
    fn wheel(&self) -> Result<&Path, String> {
        self.wheel
            .get_or_init(|| reference::fetch(&self.suite.wheel, &self.here, &self.cache))
            .as_deref()
            .map_err(Clone::clone)
    }

    fn reference(&self) -> Result<Reference<'_>, String> {
        Ok(Reference { wheel: self.wheel()?, suite: &self.suite, here: &self.here, cache: &self.cache })
    }
}

/// The comparisons, or why the suite's data cannot be read.
pub(crate) fn trials() -> Result<Vec<Trial>, String> {
    let context = Arc::new(load()?);
    let reference_only = std::env::var_os("TORCHGEN_CONFORMANCE_REFERENCE_ONLY").is_some();
    let mut trials = Vec::new();
    for (index, configuration) in context.suite.configurations.iter().enumerate() {
        let shared = Arc::clone(&context);
        trials.push(if reference_only {
            // Another name, so that it does not look like a comparison.
            Trial::test(format!("reference-only/{}", configuration.name), move || {
                record(&shared, &shared.suite.configurations[index]).map_err(Failed::from)
            })
        } else {
            Trial::test(configuration.name.clone(), move || {
                check(&shared, &shared.suite.configurations[index]).map_err(Failed::from)
            })
            .with_ignored_flag(context.suite.waits(&configuration.name))
        });
    }
    for (index, headers) in context.suite.headers.iter().enumerate().filter(|_| !reference_only) {
        let shared = Arc::clone(&context);
        let trial = Trial::test(headers.name.clone(), move || {
            check_headers(&shared, &shared.suite.headers[index]).map_err(Failed::from)
        });
        trials.push(trial.with_ignored_flag(context.suite.waits(&headers.name)));
    }
    for (index, errors) in context.suite.errors.iter().enumerate().filter(|_| !reference_only) {
        let shared = Arc::clone(&context);
        let trial = Trial::test(errors.name.clone(), move || {
            check_errors(&shared, &shared.suite.errors[index]).map_err(Failed::from)
        });
        trials.push(trial.with_ignored_flag(context.suite.waits(&errors.name)));
    }
    for (index, together) in context.suite.together.iter().enumerate().filter(|_| !reference_only) {
        let shared = Arc::clone(&context);
        let trial = Trial::test(together.name.clone(), move || {
            check_together(&shared, &shared.suite.together[index]).map_err(Failed::from)
        });
        trials.push(trial.with_ignored_flag(context.suite.waits(&together.name)));
    }
    if !reference_only {
        let shared = Arc::clone(&context);
        trials.push(Trial::test("check/real-inputs", move || check_real_inputs(&shared).map_err(Failed::from)));
        let shared = Arc::clone(&context);
        let stubs = move || stubs::check(shared.wheel()?, &shared.ours.join("stubs"));
        trials.push(Trial::test("stubs/wheel", move || stubs().map_err(Failed::from)));
        let shared = Arc::clone(&context);
        trials.push(Trial::test("schema/real-inputs", move || validate_real_inputs(&shared).map_err(Failed::from)));
    }
    Ok(trials)
}

fn load() -> Result<Context, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let here = root.join("tests/conformance");
    let cache = match std::env::var_os("TORCHGEN_CONFORMANCE_DIR") {
        Some(directory) => std::path::absolute(directory).map_err(|error| error.to_string())?,
        // Beside the build's own output, which CARGO_TARGET_DIR may move: Cargo creates
        // <target>/tmp for integration tests.
        None => Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap_or(root).join("conformance"),
    };
    std::fs::create_dir_all(&cache).map_err(|error| format!("{}: {error}", cache.display()))?;
    let suite = configuration::load(&here.join("configurations.yaml"))?;
    let ours = Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformance");
    Ok(Context { suite, here, cache, ours, wheel: OnceLock::new() })
}

/// The one check behind all configurations: same inputs, both generators, equal trees.
fn check(context: &Context, configuration: &Configuration) -> Result<(), String> {
    let reference = context.reference()?;
    let expected = reference.outputs(configuration)?;
    let started = Instant::now();
    let ours = run_ours(context, &reference, &configuration.name, &configuration.tree, &configuration.runs)?;
    let seconds = started.elapsed().as_secs_f64();
    let mut comparison = compare::trees(&expected, &ours)?;
    comparison.ignore_extra(MANIFEST);
    comparison.report(&configuration.name, configuration.identical, seconds, (&expected, &ours))?;
    workspace::remove(&ours)
}

/// Runs only the reference and prints how many files it writes. The recorded numbers come from
/// here; it also fills a cache in advance.
fn record(context: &Context, configuration: &Configuration) -> Result<(), String> {
    let outputs = context.reference()?.outputs(configuration)?;
    let count = workspace::files(&outputs)?.len();
    println!("{}: the reference writes {count} files", configuration.name);
    if count != configuration.identical {
        return Err(format!("the recorded number is {}", configuration.identical));
    }
    Ok(())
}

/// `torchgen-rs check` reports nothing for PyTorch's own files.
fn check_real_inputs(context: &Context) -> Result<(), String> {
    let packaged = context.wheel()?.join("torchgen/packaged");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(["check", "--strict", "--message-format", "json", "-s", "ATen", "--autograd-dir", "autograd"])
        .current_dir(&packaged)
        .output()
        .map_err(|error| format!("{}: {error}", packaged.display()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() && said.is_empty() { Ok(()) } else { Err(format!("{}\n{said}", output.status)) }
}

/// PyTorch's own files match the JSON Schemas.
fn validate_real_inputs(context: &Context) -> Result<(), String> {
    let packaged = context.wheel()?.join("torchgen/packaged");
    let files = [
        ("native-functions", "ATen/native/native_functions.yaml"),
        ("tags", "ATen/native/tags.yaml"),
        ("derivatives", "autograd/derivatives.yaml"),
        ("deprecated", "autograd/deprecated.yaml"),
    ];
    let errors = files.map(|(kind, file)| schema::errors(&schema::validator(kind), &packaged.join(file))).concat();
    if errors.is_empty() { Ok(()) } else { Err(errors.join("\n")) }
}

/// Compares the headers that the production build shipped with ours, without running the reference.
fn check_headers(context: &Context, headers: &HeadersCheck) -> Result<(), String> {
    let reference = context.reference()?;
    let started = Instant::now();
    let ours = run_ours(context, &reference, &headers.name, &headers.tree, &headers.runs)?;
    let seconds = started.elapsed().as_secs_f64();
    let comparison = compare::headers(headers, reference.wheel, &ours)?;
    comparison.report(&headers.name, headers.identical, seconds, (reference.wheel, &ours))?;
    workspace::remove(&ours)
}

/// Compares one of our runs with several runs of the reference.
fn check_together(context: &Context, together: &TogetherCheck) -> Result<(), String> {
    let reference = context.reference()?;
    let started = Instant::now();
    let runs = std::slice::from_ref(&together.run);
    let ours = run_ours(context, &reference, &together.name, &together.tree, runs)?;
    let seconds = started.elapsed().as_secs_f64();
    let compare = |name: &str, ours: &Path| {
        let configuration = context.suite.configurations.iter().find(|c| c.name == name);
        let configuration = configuration.ok_or_else(|| format!("no configuration is called {name}"))?;
        let expected = reference.outputs(configuration)?;
        let mut comparison = compare::trees(&expected, ours)?;
        comparison.ignore_extra(MANIFEST);
        let title = format!("{} as {name}", together.name);
        comparison.report(&title, configuration.identical, seconds, (&expected, ours))?;
        workspace::remove(ours)
    };
    // Directories below are moved away, so that the rest is a separate tree.
    for (below, name) in &together.below {
        let aside = ours.with_extension(workspace::flat(below));
        workspace::fresh(&aside)?;
        std::fs::rename(ours.join(below), aside.join("tree")).map_err(|error| error.to_string())?;
        compare(name, &aside.join("tree"))?;
    }
    compare(&together.here, &ours)
}

/// PyTorch's inputs with errors: every error is reported at its place, the status is 1, and the
/// output directory does not change.
fn check_errors(context: &Context, errors: &ErrorsCheck) -> Result<(), String> {
    let directory = context.ours.join(workspace::flat(&errors.name));
    let _prepared = context.reference()?.prepare(&errors.tree, &directory)?;
    let path = directory.join(&errors.file);
    let mut text = String::from_utf8(workspace::read(&path)?).map_err(|error| error.to_string())?;
    for (old, new) in &errors.edits {
        if !text.contains(old.as_str()) {
            return Err(format!("{} has no {old:?}", path.display()));
        }
        text = text.replacen(old.as_str(), new, 1);
    }
    workspace::write(&path, text.as_bytes())?;
    workspace::write(&directory.join("out/mark"), b"old")?;

    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    command.arg(&errors.run.entry).args(&errors.run.flags).current_dir(&directory);
    let output = command.output().map_err(|error| error.to_string())?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let said: Vec<&str> = stderr
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("error") || line.starts_with("-->") || line.starts_with("torchgen-rs:"))
        .collect();
    if output.status.code() != Some(1) || said != errors.says {
        return Err(format!("status {:?}, and it says\n{}\nin full:\n{stderr}", output.status.code(), said.join("\n")));
    }
    match workspace::files(&directory.join("out"))?.as_slice() {
        [only] if only.ends_with("mark") => workspace::remove(&directory),
        files => Err(format!("the output directory was touched: {files:?}")),
    }
}

fn run_ours(
    context: &Context,
    reference: &Reference<'_>,
    name: &str,
    tree: &str,
    runs: &[configuration::Run],
) -> Result<PathBuf, String> {
    let directory = context.ours.join(workspace::flat(name));
    let prepared = reference.prepare(tree, &directory)?;
    for run in runs {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
        command.arg(&run.entry).args(&run.flags).current_dir(&directory);
        workspace::run(&mut command)?;
    }
    prepared.keep_outputs()?;
    Ok(directory)
}
