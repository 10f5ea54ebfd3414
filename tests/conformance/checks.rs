//! The checks of the suite: one function for each kind of test.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_yaml::Value;

use super::configuration::{Configuration, ErrorsCheck, HeadersCheck, Run, TogetherCheck};
use super::recorded::{self, Expected};
use super::records::{self, Record};
use super::workspace::Prepared;
use super::{Context, MANIFEST, Mode, compare, workspace};
use crate::support::schema;

/// The one check behind all configurations: our files are those of the reference.
pub(super) fn configuration(context: &Context, configuration: &Configuration) -> Result<(), String> {
    let started = Instant::now();
    let ours = ours(context, &configuration.name, &configuration.tree, &configuration.runs)?;
    let seconds = started.elapsed().as_secs_f64();
    let title = format!("{}{}", context.prefix, configuration.name);
    against(context, &title, configuration, configuration.live, (&ours, seconds))
}

/// Compares our tree with what the reference writes for a configuration, and removes it if equal.
fn against(
    context: &Context,
    title: &str,
    configuration: &Configuration,
    live: bool,
    (ours, seconds): (&Path, f64),
) -> Result<(), String> {
    let reference = context.reference()?;
    let expected = Expected {
        name: &format!("{}{}", context.prefix, configuration.name),
        inputs: reference.inputs(configuration)?,
        record: context.records.get(&configuration.name),
        live: live || context.mode == Mode::Live,
    };
    recorded::compare(title, &expected, (ours, seconds), || reference.outputs(configuration))?;
    workspace::remove(ours)
}

/// Runs only the reference, and records what it writes.
pub(super) fn record(context: &Context, configuration: &Configuration) -> Result<(), String> {
    let reference = context.reference()?;
    let outputs = reference.outputs(configuration)?;
    let record = Record { inputs: reference.inputs(configuration)?, files: records::files(&outputs, MANIFEST)? };
    println!("{}{}: recorded {} files", context.prefix, configuration.name, record.files.len());
    context.records.put(&configuration.name, record, &context.names())
}

/// `torchgen-rs check` reports nothing for PyTorch's own files.
pub(super) fn real_inputs(context: &Context) -> Result<(), String> {
    let packaged = context.wheel()?.join("torchgen/packaged");
    let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(["check", "--strict", "--message-format", "json", "-s", "ATen", "--autograd-dir", "autograd"])
        .current_dir(&packaged)
        .output()
        .map_err(|error| format!("{}: {error}", packaged.display()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() && said.is_empty() { Ok(()) } else { Err(format!("{}\n{said}", output.status)) }
}

/// The tables of older versions are what changed between the wheels.
pub(super) fn tables(context: &Context) -> Result<(), String> {
    let older = super::load_older(context.mode)?;
    let newest = context.wheel()?;
    let wheels = older.iter().map(Context::wheel).chain([Ok(newest)]).collect::<Result<Vec<_>, _>>()?;
    let versions: Vec<&str> = older.iter().map(|older| older.suite.wheel.version()).collect();
    let script = context.here.join("../../data/torch/versions/release.py");
    for (pair, version) in wheels.windows(2).zip(versions) {
        let mut command = super::reference::python();
        command.arg(&script).args(pair).args(["--check", "--version", version]).env("PYTHONPATH", newest.join("site"));
        workspace::run(&mut command)?;
    }
    Ok(())
}

/// The signs of a version are in its wheel, and in that of no later version.
pub(super) fn signs(context: &Context) -> Result<(), String> {
    let older = super::load_older(context.mode)?;
    let rules = workspace::text(&context.here.join("../../data/torch/versions/rules.yaml"))?;
    let rules: Value = serde_yaml::from_str(&rules).map_err(|error| error.to_string())?;
    let mut wrong = Vec::new();
    for sign in rules["signs"].as_sequence().ok_or("there are no signs")? {
        let word = |key: &str| sign[key].as_str().ok_or_else(|| format!("{sign:?} has no {key}"));
        let (torch, file, has) = (word("torch")?, word("file")?, word("has")?);
        let shows = |of: &Context| {
            let text = workspace::text(&of.wheel()?.join("torchgen/packaged/ATen").join(file))?;
            Ok::<bool, String>(text.contains(has))
        };
        let from = older.iter().skip_while(|older| !older.prefix.starts_with(&format!("{torch}.")));
        let found = from.chain([context]).map(shows).collect::<Result<Vec<_>, _>>()?;
        if found.len() < 2 || found.iter().enumerate().any(|(at, found)| *found != (at == 0)) {
            wrong.push(format!("{torch}, {file}: {has}"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("these are no signs:\n{}", wrong.join("\n"))) }
}

/// PyTorch's own files match the JSON Schemas.
pub(super) fn schemas(context: &Context) -> Result<(), String> {
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
pub(super) fn headers(context: &Context, headers: &HeadersCheck) -> Result<(), String> {
    let started = Instant::now();
    let ours = ours(context, &headers.name, &headers.tree, &headers.runs)?;
    let seconds = started.elapsed().as_secs_f64();
    let wheel = context.wheel()?;
    let comparison = compare::headers(headers, wheel, &ours)?;
    comparison.report(&headers.name, Some(headers.identical), seconds, (wheel, &ours))?;
    workspace::remove(&ours)
}

/// Compares one of our runs with several runs of the reference.
pub(super) fn together(context: &Context, together: &TogetherCheck) -> Result<(), String> {
    let started = Instant::now();
    let ours = ours(context, &together.name, &together.tree, std::slice::from_ref(&together.run))?;
    let seconds = started.elapsed().as_secs_f64();
    let compare = |name: &str, ours: &Path| {
        let configuration = context.suite.configurations.iter().find(|c| c.name == name);
        let configuration = configuration.ok_or_else(|| format!("no configuration is called {name}"))?;
        against(context, &format!("{} as {name}", together.name), configuration, false, (ours, seconds))
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
pub(super) fn errors(context: &Context, errors: &ErrorsCheck) -> Result<(), String> {
    let directory = context.ours.join(workspace::flat(&errors.name));
    let _prepared = context.reference()?.prepare(&errors.tree, std::slice::from_ref(&errors.run), &directory)?;
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

    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
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

/// Runs our binary on a tree, and returns the directory, which has only its outputs.
fn ours(context: &Context, name: &str, tree: &str, runs: &[Run]) -> Result<PathBuf, String> {
    let directory = context.ours.join(workspace::flat(name));
    run(runs, context.reference()?.prepare(tree, runs, &directory)?)?;
    Ok(directory)
}

/// Runs our binary in a directory, and leaves only its outputs there.
pub(crate) fn run(runs: &[Run], prepared: Prepared) -> Result<(), String> {
    for run in runs {
        let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
        command.arg(&run.entry).args(&run.flags).current_dir(prepared.directory());
        workspace::run(&mut command)?;
    }
    prepared.keep_outputs()
}
