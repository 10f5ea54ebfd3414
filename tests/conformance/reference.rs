//! The reference: it is fetched once and run once for each (wheel, inputs, flags); its outputs are
//! kept.
//!
//! Invariant: a directory in the cache is complete; it appears by a rename. A cache can be deleted
//! at any time.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::configuration::{Configuration, Parts, Run, Suite, Tree, Wheel};
use super::in_line;
use super::workspace::{self, Prepared};

/// The script beside this file that replaces PyTorch's `tools/setup_helpers/generate_code.py`.
const AUTOGRAD_DRIVER: &str = "reference_autograd.py";
/// The parts of a wheel that the script unpacks last; directories of earlier versions of the
/// script lack it.
fn newest_part(parts: Parts) -> &'static str {
    match parts {
        Parts::All => "torch/_tensor_docs.py",
        Parts::Torchgen => "torch/include/torch/csrc/lazy",
    }
}
/// The script that calls the generators of external backends.
const BACKEND_DRIVER: &str = "reference_backend.py";
/// The script that replaces PyTorch's `tools/jit/gen_unboxing.py`.
const UNBOXING_DRIVER: &str = "reference_unboxing.py";
/// The script that runs static runtime's generator without the module that is not public.
const STATIC_RUNTIME_DRIVER: &str = "reference_static_runtime.py";
/// The seed of Python's hashes, on which the order of sets depends.
const HASH_SEED: &str = "0";
/// The number of digits of the hash of inputs that name a directory in the cache.
const KEY_DIGITS: usize = 12;

/// Where the reference, its inputs and its outputs are.
pub(crate) struct Reference<'a> {
    pub(crate) wheel: &'a Path,
    pub(crate) suite: &'a Suite,
    pub(crate) here: &'a Path,
    pub(crate) cache: &'a Path,
    /// Whether to run it even if its outputs are in the cache.
    pub(crate) again: bool,
}

/// Downloads and unpacks the wheel with `fetch.py`, unless that is done already.
///
/// Returns the unpacked directory.
pub(crate) fn fetch(wheel: &Wheel, here: &Path, cache: &Path) -> Result<PathBuf, String> {
    let unpacked = cache.join(format!("unpacked-{}", wheel.sha256.get(..12).unwrap_or(&wheel.sha256)));
    if !unpacked.join(newest_part(wheel.parts)).exists() {
        println!("fetching {} into {} ({} MB, once)", wheel.file, cache.display(), wheel.megabytes);
        let mut command = python();
        command
            .arg(here.join("fetch.py"))
            .arg(cache)
            .arg(wheel.parts.as_str())
            .args([&wheel.pin, &wheel.file, &wheel.sha256])
            .args(&wheel.requirements);
        workspace::run(&mut command)
            .map_err(|error| format!("cannot fetch the reference, without which nothing can be compared: {error}"))?;
    }
    Ok(unpacked)
}

impl Reference<'_> {
    /// The directory with the reference's outputs for this configuration: from the cache, unless it
    /// runs `again`, or from a run.
    pub(crate) fn outputs(&self, configuration: &Configuration) -> Result<PathBuf, String> {
        let directory = self.cache.join("reference");
        let name = workspace::flat(&configuration.name);
        let inputs = self.inputs(configuration)?;
        let kept = directory.join(format!("{name}-{}", inputs.get(..KEY_DIGITS).unwrap_or(&inputs)));
        if !self.again && kept.is_dir() {
            return Ok(kept);
        }
        // Several versions run at the same time.
        let scratch = directory.join(format!("{name}-{}.{}", self.suite.wheel.version(), std::process::id()));
        let prepared = self.prepare(&configuration.tree, &configuration.runs, &scratch)?;
        let made = self.run(&configuration.runs, prepared).and_then(|()| {
            if self.again && kept.is_dir() {
                workspace::remove(&kept)?;
            }
            match std::fs::rename(&scratch, &kept) {
                // Another process may have been faster.
                Err(error) if !kept.is_dir() => Err(format!("{}: {error}", kept.display())),
                _ => Ok(kept),
            }
        });
        if scratch.exists() {
            // A leftover is not an error of the test.
            let _ = std::fs::remove_dir_all(&scratch);
        }
        made
    }

    /// Runs the reference in a directory, and leaves only its outputs there.
    pub(crate) fn run(&self, runs: &[Run], prepared: Prepared) -> Result<(), String> {
        for run in runs {
            workspace::run(&mut self.command(run, prepared.directory()))?;
        }
        prepared.keep_outputs()
    }

    /// Lays out a tree of the suite in an empty directory, for these runs.
    pub(crate) fn prepare(&self, tree: &str, runs: &[Run], directory: &Path) -> Result<Prepared, String> {
        workspace::fresh(directory)?;
        for tree in self.lineage(tree)? {
            for (to, from) in &tree.copy {
                workspace::copy(&self.source(from, directory)?, &directory.join(to))?;
            }
            for (to, from) in self.named(tree, runs)? {
                workspace::copy(&self.source(&from, directory)?, &directory.join(to))?;
            }
            for (to, from) in &tree.append {
                let to = directory.join(to);
                let text = [workspace::read(&to)?, workspace::read(&self.source(from, directory)?)?].concat();
                workspace::write(&to, &text)?;
            }
            for (to, from) in &tree.prepend {
                let to = directory.join(to);
                let text = [workspace::read(&self.source(from, directory)?)?, workspace::read(&to)?].concat();
                workspace::write(&to, &text)?;
            }
            for templates in &tree.in_line {
                in_line::move_holes(&directory.join(templates))?;
            }
        }
        Prepared::new(directory)
    }

    /// A tree and the trees that it builds on, in the order of layout.
    fn lineage(&self, name: &str) -> Result<Vec<&Tree>, String> {
        let mut lineage = Vec::new();
        let mut next = Some(name);
        while let Some(name) = next {
            let tree = self.suite.trees.get(name).ok_or_else(|| format!("there is no tree `{name}`"))?;
            if lineage.len() == self.suite.trees.len() {
                return Err(format!("the tree `{name}` builds on itself"));
            }
            lineage.push(tree);
            next = tree.base.as_deref();
        }
        lineage.reverse();
        Ok(lineage)
    }

    fn source(&self, from: &str, directory: &Path) -> Result<PathBuf, String> {
        match from.split_once('/') {
            Some(("wheel", path)) => Ok(self.wheel.join(path)),
            Some(("here", path)) => Ok(self.here.join(path)),
            Some(("tree", path)) => Ok(directory.join(path)),
            _ => Err(format!("`{from}` starts with none of wheel/, here/ and tree/")),
        }
    }

    fn command(&self, run: &Run, directory: &Path) -> Command {
        let mut command = python();
        match run.entry.as_str() {
            "generate" => command.args(["-m", "torchgen.gen"]),
            entry => command.arg(self.here.join(driver(entry))).arg(entry),
        };
        command.args(&run.flags).current_dir(directory);
        let path = std::env::join_paths([directory, &self.wheel.join("site")]).unwrap_or_default();
        command.env("PYTHONPATH", path);
        command
    }

    /// The files of the tree's `named` directories that these runs name: path -> source.
    fn named(&self, tree: &Tree, runs: &[Run]) -> Result<Vec<(String, String)>, String> {
        let mut named = Vec::new();
        for (to, from) in &tree.named {
            let from = from.strip_prefix("here/").ok_or_else(|| format!("`{from}` does not start with here/"))?;
            for file in workspace::files(&self.here.join(from))? {
                let path = format!("{to}/{}", file.display());
                if runs.iter().any(|run| run.flags.contains(&path)) {
                    named.push((path, format!("here/{from}/{}", file.display())));
                }
            }
        }
        Ok(named)
    }

    /// A hash, in hexadecimal digits, of all that the outputs depend on: the wheel, the tree with
    /// the files of this folder, the runs, the driver, the hash seed.
    pub(crate) fn inputs(&self, configuration: &Configuration) -> Result<String, String> {
        let lineage = self.lineage(&configuration.tree)?;
        // The names of `named` directories do not matter, only the files that are laid out.
        let mut named = Vec::new();
        let mut own = Vec::new();
        for tree in &lineage {
            let sources = tree.copy.values().chain(tree.append.values()).chain(tree.prepend.values());
            own.extend(sources.filter_map(|from| from.strip_prefix("here/")).map(str::to_owned));
            named.extend(self.named(tree, &configuration.runs)?);
        }
        own.extend(named.iter().filter_map(|(_, from)| from.strip_prefix("here/")).map(str::to_owned));
        for run in configuration.runs.iter().filter(|run| run.entry != "generate") {
            own.push(driver(&run.entry).to_owned());
        }
        let wheel = &self.suite.wheel;
        let data = serde_json::to_vec(&(wheel, HASH_SEED, &lineage, &named, &configuration.runs));
        let mut hashes = workspace::digest(&data.map_err(|error| error.to_string())?).to_le_bytes().to_vec();
        for name in own {
            let path = self.here.join(&name);
            for file in workspace::files(&path)? {
                // A file is its own only entry, with an empty relative path.
                let path = if file.as_os_str().is_empty() { path.clone() } else { path.join(&file) };
                hashes.extend(workspace::digest(format!("{name} {}", file.display()).as_bytes()).to_le_bytes());
                hashes.extend(workspace::digest(&workspace::read(&path)?).to_le_bytes());
            }
        }
        Ok(format!("{:032x}", workspace::digest(&hashes)))
    }
}

/// The script that runs the counterpart of a subcommand other than `generate`.
fn driver(entry: &str) -> &'static str {
    match entry {
        "backend-stubs" | "lazy-tensor" => BACKEND_DRIVER,
        "gen-unboxing" => UNBOXING_DRIVER,
        "gen-static-runtime-ops" => STATIC_RUNTIME_DRIVER,
        _ => AUTOGRAD_DRIVER,
    }
}

/// Python without the parts of the caller's environment that could change the output or leave
/// files.
pub(super) fn python() -> Command {
    let mut command = Command::new(std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into()));
    command
        .env("PYTHONHASHSEED", HASH_SEED)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PYTHONUTF8", "1")
        .env_remove("PYTHONPATH");
    command
}
