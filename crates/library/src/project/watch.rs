//! `dev --watch`: builds again when a file of the project changes.
//!
//! Each build is a run of the program of its own, so that none leaves anything to the next one.
//! The few files of a project are looked at several times a second, which works on every file
//! system. Invariant: the loop ends only with the process. Ctrl-C reaches the programs of a build
//! too, which leave nothing that the next one takes for complete.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use super::python::Python;
use super::{Project, error, process};
use torchgen_generators::args::DevArgs;
use torchgen_kit::driver::args::ColorChoice;
use torchgen_kit::driver::{JobError, Session};

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(200);
/// Directories that a build writes, or that are not of the project.
const IGNORED: [&str; 7] = ["build", "dist", "generated", "tests", "__pycache__", "node_modules", "venv"];
/// The ends of files that a build reads.
const ENDS: [&str; 18] = [
    "yaml", "yml", "cpp", "cc", "cxx", "c", "cu", "cuh", "hip", "h", "hpp", "hxx", "inc", "mm", "py", "pyi", "j2",
    "cmake",
];

/// A file, when it was changed, and its size.
type Looked = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// Builds, and waits for changes, until Ctrl-C.
pub(super) fn watch(
    project: &Project,
    python: &Python,
    args: &DevArgs,
    session: &mut Session,
) -> Result<Infallible, JobError> {
    let Some(program) = process::own_program() else {
        return Err(error("`--watch` is for the program torchgen-rs, not for its Python module").into());
    };
    let color = match args.common.color {
        ColorChoice::Auto => "auto",
        ColorChoice::Always => "always",
        ColorChoice::Never => "never",
    };
    loop {
        // Changes during the build count for the next one.
        let before = looked(&project.dir);
        let mut command = Command::new(&program);
        command.arg("dev").arg(&project.dir).arg("--python").arg(&python.executable).args(["--color", color]);
        let status = command.status().map_err(|why| error(format!("the program cannot be run: {why}")))?;
        let wait = if status.success() { "waiting for changes" } else { "waiting for a change that mends it" };
        session.host.say(&format!("torchgen-rs: {wait}; Ctrl-C ends\n"));
        while looked(&project.dir) == before {
            std::thread::sleep(PAUSE);
        }
        settle(&project.dir);
    }
}

/// Waits until an editor or a checkout has written all its files.
fn settle(dir: &Path) {
    let mut before = looked(dir);
    loop {
        std::thread::sleep(PAUSE);
        let now = looked(dir);
        if now == before {
            return;
        }
        before = now;
    }
}

/// The files that a build reads.
fn looked(dir: &Path) -> Looked {
    let is_kept = |entry: &walkdir::DirEntry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0 || !(name.starts_with('.') || IGNORED.contains(&name.as_ref()) && entry.file_type().is_dir())
    };
    let entries = walkdir::WalkDir::new(dir).into_iter().filter_entry(is_kept).flatten();
    let files = entries.filter(|entry| is_read(entry.path()));
    let state = |entry: walkdir::DirEntry| {
        let metadata = entry.metadata().ok().filter(|metadata| metadata.is_file())?;
        Some((entry.into_path(), (metadata.modified().ok(), metadata.len())))
    };
    files.filter_map(state).collect()
}

fn is_read(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
    name == super::PYPROJECT || name == super::CMAKE || ENDS.contains(&end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_watched() {
        let dir = tempfile::tempdir().expect("a directory");
        let write = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
            std::fs::write(path, text).expect("a file");
        };
        for name in ["native_functions.yaml", "kernels/a.cu", "python/fakes.py", "CMakeLists.txt", "README.md"] {
            write(name, "");
        }
        for name in ["build/a/x.cpp", ".git/x.py", "generated/x.h", "kernels/.x.cpp.swp"] {
            write(name, "");
        }
        let before = looked(dir.path());
        let names: Vec<_> = before.keys().map(|path| path.strip_prefix(dir.path()).expect("below")).collect();
        let expected = ["CMakeLists.txt", "kernels/a.cu", "native_functions.yaml", "python/fakes.py"];
        assert_eq!(names, expected.map(Path::new));
        write("README.md", "x");
        assert_eq!(looked(dir.path()), before);
        write("kernels/a.cu", "x");
        assert_ne!(looked(dir.path()), before);
    }
}
