//! The conformance suite. For every configuration in `configurations.yaml`, the binary under test
//! writes exactly the files that the reference (Python, from the pinned wheel) writes for the same
//! inputs. What the reference writes is in `records/`, as hashes; the reference runs for one
//! configuration of each kind, and where a record is missing, was made for other inputs or differs.
//!
//! Invariant: nothing is skipped silently. A wheel that cannot be fetched, a reference that fails,
//! or a record that is not what the reference writes is a failed test. A test whose generator does
//! not exist yet is marked in the data and ignored.
//!
//! README.md beside this file explains how to run it, how to add a configuration and where the
//! caches are.

pub(crate) mod checks;
pub(crate) mod compare;
pub(crate) mod configuration;
mod format;
mod formula_words;
mod formulas;
mod guards;
mod in_line;
mod recorded;
mod records;
mod reference;
mod stubs;
pub(crate) mod workspace;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use configuration::Suite;
use libtest_mimic::{Failed, Trial};
use records::Records;
use reference::Reference;

use crate::support::memory;
use crate::trial::timed;

/// The one file of our trees that the reference does not write.
pub(crate) const MANIFEST: &str = ".torchgen-rs.manifest";

/// What a run of the suite does.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Mode {
    /// Compares with the records, and with the reference where a configuration is live.
    Records,
    /// `--live`: compares with the reference, which runs again.
    Live,
    /// `--record`: records what the reference writes, and compares nothing.
    Record,
}

impl Mode {
    /// The mode that these arguments of a test program choose, and the other arguments.
    pub(crate) fn of(arguments: impl Iterator<Item = String>) -> (Mode, Vec<String>) {
        let mut mode = Mode::Records;
        let mut others = Vec::new();
        for argument in arguments {
            match argument.as_str() {
                "--live" => mode = Mode::Live,
                "--record" => mode = Mode::Record,
                _ => others.push(argument),
            }
        }
        (mode, others)
    }
}

/// What every check needs: the data, the directories, the binary.
pub(crate) struct Context {
    mode: Mode,
    pub(crate) suite: Suite,
    records: Records,
    /// `tests/conformance` of this checkout, which configurations call `here`.
    here: PathBuf,
    /// Where the wheel and the reference's outputs are kept; may be shared between checkouts.
    cache: PathBuf,
    /// Where our own outputs go. The directory is this build's, because parallel runs must not
    /// write to the same place.
    pub(crate) ours: PathBuf,
    /// What the names of tests begin with: `2.12.1/` for an older version.
    pub(crate) prefix: String,
    /// The unpacked wheel, or why it is missing. The first check that needs it fetches it, so that
    /// a filter by name can avoid the download.
    wheel: OnceLock<Result<PathBuf, String>>,
}

impl Context {
    pub(crate) fn wheel(&self) -> Result<&Path, String> {
        self.wheel
            .get_or_init(|| reference::fetch(&self.suite.wheel, &self.here, &self.cache))
            .as_deref()
            .map_err(Clone::clone)
    }

    pub(crate) fn reference(&self) -> Result<Reference<'_>, String> {
        Ok(Reference {
            wheel: self.wheel()?,
            suite: &self.suite,
            here: &self.here,
            cache: &self.cache,
            again: self.mode == Mode::Live,
        })
    }

    /// The names of all configurations.
    fn names(&self) -> BTreeSet<&str> {
        self.suite.configurations.iter().map(|configuration| configuration.name.as_str()).collect()
    }
}

/// The comparisons, or why the suite's data cannot be read.
pub(crate) fn trials(mode: Mode) -> Result<Vec<Trial>, String> {
    let context = Arc::new(load(mode)?);
    let suite = &context.suite;
    // Runs of the reference take longest and start first.
    let (live, others): (Vec<_>, Vec<_>) =
        (0..suite.configurations.len()).partition(|index| suite.configurations[*index].live);
    let mut trials = Vec::new();
    for index in live.into_iter().chain(others) {
        let name = &suite.configurations[index].name;
        trials.push(trial(&context, name, move |context| match context.mode {
            Mode::Record => checks::record(context, &context.suite.configurations[index]),
            Mode::Records | Mode::Live => checks::configuration(context, &context.suite.configurations[index]),
        }));
    }
    if mode == Mode::Record {
        trials.push(trial(&context, formulas::TRANSLATED, formulas::renew));
        trials.push(trial(&context, formula_words::WORDS, formula_words::renew));
        trials.extend(older(mode)?);
        return Ok(trials);
    }
    trials.push(trial(&context, "formulas/read", formulas::are_read));
    trials.push(trial(&context, formulas::TRANSLATED, formulas::translated));
    trials.push(trial(&context, formula_words::WORDS, formula_words::differ));
    for (index, headers) in suite.headers.iter().enumerate() {
        trials.push(trial(&context, &headers.name, move |context| {
            checks::headers(context, &context.suite.headers[index])
        }));
    }
    for (index, errors) in suite.errors.iter().enumerate() {
        trials
            .push(trial(&context, &errors.name, move |context| checks::errors(context, &context.suite.errors[index])));
    }
    for (index, together) in suite.together.iter().enumerate() {
        trials.push(trial(&context, &together.name, move |context| {
            checks::together(context, &context.suite.together[index])
        }));
    }
    trials.push(trial(&context, "check/real-inputs", checks::real_inputs));
    trials.push(trial(&context, "check/format", format::check));
    trials.push(trial(&context, "stubs/wheel", |context| stubs::check(context.wheel()?, &context.ours.join("stubs"))));
    trials.push(trial(&context, "schema/real-inputs", checks::schemas));
    trials.push(trial(&context, "records/known", |context| guards::known(&context.records, &context.names())));
    trials.extend(guards::trials());
    trials.extend(older(mode)?);
    Ok(trials)
}

/// The comparisons of older versions.
fn older(mode: Mode) -> Result<Vec<Trial>, String> {
    let mut trials = Vec::new();
    for context in load_older(mode)? {
        let context = Arc::new(context);
        for index in 0..context.suite.configurations.len() {
            let name = format!("{}{}", context.prefix, context.suite.configurations[index].name);
            trials.push(trial(&context, &name, move |context| match context.mode {
                Mode::Record => checks::record(context, &context.suite.configurations[index]),
                Mode::Records | Mode::Live => checks::configuration(context, &context.suite.configurations[index]),
            }));
        }
        if mode != Mode::Record {
            let name = format!("{}check/real-inputs", context.prefix);
            trials.push(trial(&context, &name, checks::real_inputs));
            trials.push(trial(&context, &format!("{}check/format", context.prefix), format::check));
            let name = format!("{}records/known", context.prefix);
            trials.push(trial(&context, &name, |context| guards::known(&context.records, &context.names())));
        }
    }
    if mode != Mode::Record {
        let context = Arc::new(load(mode)?);
        trials.push(trial(&context, "versions/tables", checks::tables));
        trials.push(trial(&context, "versions/signs", checks::signs));
    }
    Ok(trials)
}

/// The name of a test of this suite, by that of its configuration.
pub(crate) fn title(name: &str) -> String {
    format!("conformance::{name}")
}

/// One test, ignored if it waits for a generator.
fn trial(
    context: &Arc<Context>,
    name: &str,
    test: impl FnOnce(&Context) -> Result<(), String> + Send + 'static,
) -> Trial {
    let shared = Arc::clone(context);
    let title = title(name);
    Trial::test(title.clone(), move || timed(&title, || test(&shared)).map_err(Failed::from))
        .with_ignored_flag(context.suite.waits(name))
}

/// Reads the suite's data and its records.
pub(crate) fn load(mode: Mode) -> Result<Context, String> {
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
    let records = Records::load(here.join("records").join(suite.wheel.version()))?;
    // One directory for each build directory.
    let target = workspace::digest(env!("CARGO_TARGET_TMPDIR").as_bytes());
    let ours = match memory::directory() {
        Some(memory) => memory.join(format!("torchgen-rs-conformance-{target:032x}")),
        None => Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformance"),
    };
    Ok(Context { mode, suite, records, here, cache, ours, prefix: String::new(), wheel: OnceLock::new() })
}

/// The suites of older versions, the oldest first.
pub(crate) fn load_older(mode: Mode) -> Result<Vec<Context>, String> {
    let newest = load(mode)?;
    let older = newest.suite.older.iter().map(|wheel| {
        let suite = newest.suite.of(wheel);
        let version = suite.wheel.version().to_owned();
        Ok(Context {
            mode,
            records: Records::load(newest.here.join("records").join(&version))?,
            here: newest.here.clone(),
            cache: newest.cache.clone(),
            ours: newest.ours.join(&version),
            prefix: format!("{version}/"),
            wheel: OnceLock::new(),
            suite,
        })
    });
    older.collect()
}
