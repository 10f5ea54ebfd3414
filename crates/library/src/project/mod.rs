//! `torchgen-rs dev` and `torchgen-rs test`: build the project that `torchgen-rs new` makes,
//! install it, and test it with several versions of torch.
//!
//! CMake, pip and pytest do the work; here is decided which of them run, in which environment and
//! with what. Invariant: a run changes the project only below `build/`, and only the environment
//! that it installs into. What is looked at may change at any time, so no run is remembered.

mod build;
mod dev;
mod environments;
mod process;
mod python;
mod results;
mod test;
mod watch;

use std::fs::File;
use std::path::{Path, PathBuf};

pub use dev::dev;
pub use test::test;
use torchgen_base::diag::Diagnostic;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::model::version::Version;

/// The file that describes the distribution.
const PYPROJECT: &str = "pyproject.toml";
/// The file that describes the build.
const CMAKE: &str = "CMakeLists.txt";
/// The backend that connects both.
const BACKEND: &str = "scikit_build_core";
/// What the build calls.
const FUNCTION: &str = "torchgen_add_library";

/// The project of a library.
struct Project {
    /// Its directory, absolute.
    dir: PathBuf,
    /// Its directory, as messages show it.
    shown: String,
    /// The name of the distribution.
    distribution: String,
}

/// An error of a project.
fn error(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&codes::PROJECT, message.into())
}

impl Project {
    /// The project at a path, or around the current directory.
    fn find(given: Option<&Path>) -> Result<Project, Diagnostic> {
        let Some(path) = given else { return Project::around_here() };
        if path.is_file() {
            let above = path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let message = format!("`{}` is a file, not the directory of a project", path.display());
            return Err(error(message).help(format!("name its directory: `{}`", above.display())));
        }
        if !path.is_dir() {
            return Err(error(format!("there is no directory `{}`", path.display())));
        }
        Project::at(path, path.display().to_string())
    }

    /// That of the nearest directory with the files of a project.
    fn around_here() -> Result<Project, Diagnostic> {
        let here = std::env::current_dir().map_err(|why| error(format!("there is no current directory: {why}")))?;
        let is_project = |dir: &&Path| [PYPROJECT, CMAKE].iter().all(|name| dir.join(name).is_file());
        // Not past the repository.
        let repository = here.ancestors().position(|dir| dir.join(".git").exists());
        let within = repository.map_or(usize::MAX, |at| at + 1);
        match here.ancestors().take(within).find(is_project) {
            Some(dir) => Project::at(dir, if dir == here { ".".to_owned() } else { dir.display().to_string() }),
            None => Project::at(&here, ".".to_owned()),
        }
    }

    fn at(dir: &Path, shown: String) -> Result<Project, Diagnostic> {
        let absolute = dir.canonicalize().map_err(|why| error(format!("`{shown}` cannot be used: {why}")))?;
        let has = |name: &str| absolute.join(name).is_file();
        let create = "`torchgen-rs new` creates a project with both files";
        if let Some(missing) = [PYPROJECT, CMAKE].into_iter().find(|name| !has(name)) {
            let found = error(format!("`{shown}` is not the project of a library: it has no {missing}"));
            return Err(match has("native_functions.yaml") {
                true => found.help(format!("{create}; take {missing} from such a project")),
                false => found.help(format!("name the directory of a project; {create}")),
            });
        }
        let text = |name: &str| {
            std::fs::read_to_string(absolute.join(name))
                .map_err(|why| error(format!("`{shown}/{name}` cannot be read: {why}")))
        };
        let pyproject = text(PYPROJECT)?;
        match value(&pyproject, "build-system", "build-backend") {
            Some(backend) if backend.starts_with(BACKEND) => {}
            backend => {
                let backend = backend.map_or("no build backend".to_owned(), |backend| format!("`{backend}`"));
                let message = format!("`{shown}/{PYPROJECT}` builds with {backend}, not with scikit-build-core");
                let help = "write `build-backend = \"scikit_build_core.build\"`, as `torchgen-rs new` does";
                return Err(error(message).help(help));
            }
        }
        if !text(CMAKE)?.contains(FUNCTION) {
            let message = format!("`{shown}/{CMAKE}` does not call `{FUNCTION}`, so it builds no library");
            return Err(error(message).help("docs/cmake.md shows the call, and `torchgen-rs new` writes it"));
        }
        let Some(distribution) = value(&pyproject, "project", "name") else {
            let message = format!("`{shown}/{PYPROJECT}` does not name the distribution");
            return Err(error(message).help("write `name = \"my-ops\"` below `[project]`"));
        };
        Ok(Project { dir: absolute, shown, distribution: distribution.to_owned() })
    }

    /// The first word of a key of library.yaml. The build reads the file by the same rule.
    fn setting(&self, key: &str) -> Option<String> {
        let text = std::fs::read_to_string(self.dir.join("library.yaml")).ok()?;
        let value = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
        let word = value.split([' ', '\t', '#', '"', '\'']).find(|word| !word.is_empty());
        word.map(str::to_owned)
    }

    /// Whether it is on the stable ABI.
    fn is_stable(&self) -> bool {
        self.setting("abi").as_deref() == Some("stable")
    }

    /// The oldest torch that it supports on the stable ABI.
    fn torch_min(&self) -> Version {
        self.setting("torch_min").and_then(|text| text.parse().ok()).unwrap_or(Version::OLDEST)
    }

    /// Reports errors in its YAML as `check` does, before any other program runs.
    fn check(&self, torch: Option<&Path>, session: &mut Session) -> Result<(), JobError> {
        if !["native_functions.yaml", "library.yaml"].iter().any(|name| self.dir.join(name).is_file()) {
            return Ok(());
        }
        let dir = PathBuf::from(&self.shown);
        let mut args = torchgen_generators::args::everything_of(&[&dir], Default::default())?;
        args.reads_effects_only = true;
        args.torch_path = torch.map(Path::to_owned);
        let kernels = dir.join("kernels");
        args.kernels.extend(kernels.is_dir().then_some(kernels));
        let modules = std::fs::read_dir(dir.join("python")).into_iter().flatten().flatten();
        args.python_modules = modules.map(|entry| entry.path()).collect();
        args.python_modules.retain(|path| path.extension().is_some_and(|end| end == "py"));
        args.python_modules.sort();
        crate::run::make(&args, crate::run::Purpose::Library, session)?;
        session.check_errors()
    }

    /// The directory of a build with a Python and its torch, which builds for one after the other
    /// share.
    fn build_dir(&self, python: &python::Python) -> PathBuf {
        self.dir.join("build").join(python.directory_for(python.torch_release()))
    }
}

/// A text value of a TOML file, if it is on one line.
fn value<'t>(toml: &'t str, table: &str, key: &str) -> Option<&'t str> {
    let mut within = false;
    toml.lines().find_map(|line| {
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            within = header.split(']').next() == Some(table);
        }
        let (name, value) = line.split_once('=').filter(|_| within)?;
        let value = value.trim();
        let quote = value.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
        (name.trim() == key).then(|| value[1..].split(quote).next()).flatten()
    })
}

/// A lock on a directory, which ends when it is dropped. It waits for another run that has it.
struct Lock(#[expect(dead_code, reason = "the file is locked while it is open")] File);

impl Lock {
    fn of(dir: &Path, session: &mut Session) -> Result<Lock, Diagnostic> {
        let path = dir.with_extension("lock");
        let failed = |why: std::io::Error| error(format!("`{}` cannot be locked: {why}", path.display()));
        std::fs::create_dir_all(path.parent().unwrap_or(dir)).map_err(failed)?;
        let file = File::create(&path).map_err(failed)?;
        if file.try_lock().is_err() {
            session.host.say(&format!("torchgen-rs: waiting for another run, which uses {}\n", dir.display()));
            file.lock().map_err(failed)?;
        }
        Ok(Lock(file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_toml() {
        let toml = "[build-system]\nrequires = [\"a\"]\nbuild-backend = 'b.c' # d\n\n[project]\n  name=\"my-ops\"\n\
                    [[tool.x]]\nname = \"y\"\n";
        assert_eq!(value(toml, "build-system", "build-backend"), Some("b.c"));
        assert_eq!(value(toml, "project", "name"), Some("my-ops"));
        assert_eq!(value(toml, "project", "version"), None);
        assert_eq!(value("name = \"a\"\n", "project", "name"), None);
    }
}
