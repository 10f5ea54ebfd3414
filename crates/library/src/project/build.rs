//! Builds a project in a directory that is kept, and installs it as editable, or makes its wheel.
//!
//! The first build is pip's, which lists the distribution as editable. Later ones run only CMake:
//! they compile what changed, copy what was built over the installed files, and add new ones to
//! the list that pip removes. Invariant: if anything but sources changed, the build is pip's again.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

use super::process::{self, Finished, compiled};
use super::python::Python;
use super::{PYPROJECT, Project, error};
use torchgen_base::diag::Diagnostic;
use torchgen_kit::driver::Session;

/// Settings of scikit-build-core that decide what is installed where: with them, pip does it.
const INSTALLS_OTHERWISE: [&str; 4] = ["install-dir", "install.", "wheel.exclude", "wheel.cmake"];

/// The file in the directory of the build that says what was installed.
const STATE: &str = "torchgen-dev.json";

/// A build of a project.
pub(super) struct Build<'a> {
    pub(super) project: &'a Project,
    /// Whose torch it is for, and where it is installed.
    pub(super) python: &'a Python,
    /// Its directory.
    pub(super) dir: PathBuf,
}

/// What was installed.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct State {
    /// What it depends on, beside the sources.
    identity: Vec<String>,
    /// The files of CMake, from the directory of packages.
    files: BTreeSet<String>,
}

impl<'a> Build<'a> {
    pub(super) fn new(project: &'a Project, python: &'a Python) -> Build<'a> {
        Build { project, python, dir: project.build_dir(python) }
    }

    /// Builds and installs. Returns the files that were compiled.
    pub(super) fn develop(&self, session: &mut Session) -> Result<Vec<String>, Diagnostic> {
        let mut found = Vec::new();
        match self.installed() {
            Some(state) => self.build_again(state, &mut found, session)?,
            None => self.build_with_pip(&mut found, session)?,
        }
        Ok(found)
    }

    /// Builds a wheel into a directory. Returns it, and the files that were compiled.
    pub(super) fn wheel(&self, into: &Path, session: &mut Session) -> Result<(PathBuf, Vec<String>), Diagnostic> {
        let failed = |why: std::io::Error| error(format!("`{}` cannot be used: {why}", into.display()));
        let _ = std::fs::remove_dir_all(into);
        std::fs::create_dir_all(into).map_err(failed)?;
        let mut command = self.python.pip();
        command.args(["wheel", "--verbose", "--no-deps", "--no-build-isolation", "--wheel-dir"]).arg(into);
        command.args(self.settings()).arg(&self.project.dir);
        let mut found = Vec::new();
        self.run(&mut command, &mut found, session)?;
        let mut entries = std::fs::read_dir(into).map_err(failed)?.flatten().map(|entry| entry.path());
        let wheel = entries.find(|path| path.extension().is_some_and(|end| end == "whl"));
        Ok((wheel.ok_or_else(|| error("pip made no wheel"))?, found))
    }

    /// The settings of scikit-build-core that a build has here.
    fn settings(&self) -> Vec<String> {
        let own = process::own_program().map(|program| format!("cmake.define.TORCHGEN_RS={}", program.display()));
        let dir = format!("build-dir={}", self.dir.display());
        [Some(dir), own].into_iter().flatten().map(|setting| format!("--config-settings={setting}")).collect()
    }

    /// Runs a build, and shows which files it compiles.
    fn run(
        &self,
        command: &mut Command,
        found: &mut Vec<String>,
        session: &mut Session,
    ) -> Result<Finished, Diagnostic> {
        let finished = process::run(command.current_dir(&self.project.dir), |line| {
            if let Some(source) = compiled(line) {
                session.host.say(&format!("  compiled {source}\n"));
                found.push(source);
            }
        })?;
        match finished.succeeded {
            true => Ok(finished),
            false => Err(finished.failure(format!("{} cannot be built", self.project.distribution))),
        }
    }

    fn build_with_pip(&self, found: &mut Vec<String>, session: &mut Session) -> Result<(), Diagnostic> {
        let mut command = self.python.pip();
        command.args(["install", "--verbose", "--no-deps", "--no-build-isolation"]);
        command.args(self.settings()).arg("--config-settings=editable.mode=redirect");
        command.arg("--editable").arg(&self.project.dir);
        self.run(&mut command, found, session)?;
        let (Some(record), Ok(manifest)) = (self.record(), self.manifest()) else { return Ok(()) };
        let rows = rows(&record);
        // The paths are in pip's directory for the wheel.
        let below_packages = |path: &String| {
            let ends = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
            ends.into_iter().find(|end| rows.contains(*end)).map(str::to_owned)
        };
        let files: Option<BTreeSet<String>> = manifest.iter().map(below_packages).collect();
        match files {
            Some(files) => self.keep(&State { identity: self.identity(), files }),
            None => Ok(()),
        }
    }

    /// What was installed, if later builds need not be pip's.
    fn installed(&self) -> Option<State> {
        let text = std::fs::read(self.dir.join(STATE)).ok()?;
        let state: State = serde_json::from_slice(&text).ok()?;
        let rows = rows(&self.record()?);
        let is_complete = state.files.iter().all(|file| rows.contains(file.as_str()));
        let pyproject = std::fs::read_to_string(self.project.dir.join(PYPROJECT)).ok()?;
        let by_cmake = !INSTALLS_OTHERWISE.iter().any(|setting| pyproject.contains(setting));
        (by_cmake && is_complete && state.identity == self.identity()).then_some(state)
    }

    /// What a build depends on, beside what CMake looks at.
    fn identity(&self) -> Vec<String> {
        let own = process::own_program().unwrap_or_default();
        let pyproject = std::fs::read_to_string(self.project.dir.join(PYPROJECT)).unwrap_or_default();
        let paths = [&self.python.executable, &self.python.site, &own];
        let mut all: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        all.extend([self.python.torch_release().to_owned(), pyproject]);
        all
    }

    fn build_again(&self, state: State, found: &mut Vec<String>, session: &mut Session) -> Result<(), Diagnostic> {
        let cmake = self.cached("CMAKE_COMMAND").unwrap_or_else(|| "cmake".to_owned());
        self.run(Command::new(&cmake).arg("--build").arg(&self.dir), found, session)?;
        let site = &self.python.site;
        let mut install = Command::new(&cmake);
        // Without it, CMake leaves out files whose time differs by less than a second.
        install.env("CMAKE_INSTALL_ALWAYS", "1").arg("--install").arg(&self.dir).arg("--prefix").arg(site);
        self.run(&mut install, found, session)?;
        let failed = |why: std::io::Error| error(format!("what was installed cannot be listed: {why}"));
        let relative = |path: &String| Path::new(path).strip_prefix(site).ok().map(slashes);
        let files: BTreeSet<String> = self.manifest().map_err(failed)?.iter().filter_map(relative).collect();
        let (gone, new) = (state.files.difference(&files), files.difference(&state.files));
        for file in gone.clone() {
            let _ = std::fs::remove_file(site.join(file));
        }
        let record = self.record().unwrap_or_default();
        let gone: BTreeSet<&String> = gone.collect();
        let is_gone = |line: &&str| row(line).is_some_and(|file| gone.contains(&file.to_owned()));
        let mut text: String = record.lines().filter(|line| !is_gone(line)).map(|line| format!("{line}\n")).collect();
        // Without a hash, since the next build changes it.
        text.extend(new.map(|file| format!("{file},,\n")));
        if text != record {
            std::fs::write(self.record_path().unwrap_or_default(), text).map_err(failed)?;
        }
        self.keep(&State { files, ..state })
    }

    fn keep(&self, state: &State) -> Result<(), Diagnostic> {
        let text = serde_json::to_vec(state).map_err(|why| error(why.to_string()))?;
        let path = self.dir.join(STATE);
        std::fs::write(&path, text).map_err(|why| error(format!("`{}` cannot be written: {why}", path.display())))
    }

    /// The files that CMake installed last.
    fn manifest(&self) -> std::io::Result<Vec<String>> {
        let text = std::fs::read_to_string(self.dir.join("install_manifest.txt"))?;
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// A value of CMake's cache.
    fn cached(&self, name: &str) -> Option<String> {
        let text = std::fs::read_to_string(self.dir.join("CMakeCache.txt")).ok()?;
        let of = |line: &str| Some(line.strip_prefix(name)?.strip_prefix(':')?.split_once('=')?.1.to_owned());
        text.lines().find_map(of)
    }

    /// pip's list of the files of the distribution, if it is installed as editable.
    fn record_path(&self) -> Option<PathBuf> {
        let start = format!("{}-", self.project.distribution.replace(['-', '.'], "_").to_lowercase());
        let mut entries = std::fs::read_dir(&self.python.site).ok()?.flatten().map(|entry| entry.path());
        let dir = entries.find(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
            name.ends_with(".dist-info") && name.starts_with(&start)
        })?;
        let origin = std::fs::read_to_string(dir.join("direct_url.json")).ok()?;
        let origin: serde_json::Value = serde_json::from_str(&origin).ok()?;
        origin["dir_info"]["editable"].as_bool().filter(|editable| *editable)?;
        Some(dir.join("RECORD"))
    }

    fn record(&self) -> Option<String> {
        std::fs::read_to_string(self.record_path()?).ok()
    }
}

/// The file of a line of pip's list: names with commas are in quotes.
fn row(line: &str) -> Option<&str> {
    match line.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => line.split(',').next(),
    }
}

fn rows(record: &str) -> BTreeSet<String> {
    record.lines().filter_map(row).map(str::to_owned).collect()
}

/// A path with slashes, as pip's list has it.
fn slashes(path: &Path) -> String {
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}
