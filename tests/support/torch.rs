//! The virtual environments with torch, NumPy, CMake and Ninja that tests build and run C++ in.
//!
//! Each is made once, in `target/torch-env`, by `torch/make.py`, and reused; `TORCHGEN_TORCH_ENV`
//! names an existing one. A test whose environment cannot be made fails: nothing is skipped.
//!
//! There are four environments with torch: [`torch`], with the one that the conformance suite
//! compares with, and beside it [`older`] and [`oldest`], with the oldest that libraries support,
//! without and with the stable ABI, [`adopted`], with published libraries, and
//! [`with_onnx`], with what exports models. For another
//! version, add a constructor. [`cuda_toolkit`] has a CUDA compiler.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, OnceLock};

use regex::Regex;
use serde::Deserialize;

use super::cxx::{Program, quick};
pub(crate) use super::pytorch::root;
use super::{forks, processor};
use crate::trial::shared;

#[derive(Deserialize)]
struct Suite {
    wheel: Wheel,
}

#[derive(Deserialize)]
struct Wheel {
    pin: String,
    file: String,
    sha256: String,
}

impl Wheel {
    /// The conformance suite's.
    fn of_the_suite() -> Wheel {
        let data = std::fs::read_to_string(root().join("tests/conformance/configurations.yaml"))
            .expect("the conformance suite's data");
        let Suite { wheel } = serde_yaml::from_str(&data).expect("the conformance suite's data");
        wheel
    }

    fn version(&self) -> &str {
        self.pin.rsplit('=').next().expect("a pinned version")
    }
}

/// Prints the version of torch and where it is, without importing it, which takes seconds.
const PROBE: &str = "
import importlib.metadata, importlib.util
print(importlib.metadata.version('torch'))
print(importlib.util.find_spec('torch').submodule_search_locations[0])
";

/// The flag for sources on the stable ABI that run from the oldest torch on.
pub(crate) const STABLE_TARGET: &str = "-DTORCH_TARGET_VERSION=0x020a000000000000";

/// The headers of torch that most sources include, compiled once before them.
const HEADER: &str = "#include <ATen/ATen.h>\n#include <torch/library.h>\n";

/// The oldest torch that libraries on the stable ABI support.
const OLDEST: &str = "2.10.0";

/// The oldest torch that libraries of kernels build with.
const OLDER: &str = "2.13.0";

/// The CUDA compiler of [`cuda_toolkit`].
const NVCC: &str = "nvidia-cuda-nvcc==13.2.86";

/// The clang-format whose style generated libraries have.
const CLANG_FORMAT: &str = "clang-format==23.1.5";

/// A complete virtual environment.
pub(crate) struct Torch {
    root: PathBuf,
    package: PathBuf,
}

/// The environment with the torch of the conformance suite, made on first use.
pub(crate) fn torch() -> &'static Torch {
    static TORCH: OnceLock<Torch> = OnceLock::new();
    TORCH.get_or_init(Torch::new)
}

/// The environment with the oldest torch of the stable ABI, made on first use.
pub(crate) fn oldest() -> &'static Torch {
    static TORCH: OnceLock<Torch> = OnceLock::new();
    TORCH.get_or_init(|| {
        let directory = beside_home(OLDEST);
        make(&directory, &["requirements-oldest.txt", &format!("torch=={OLDEST}")]);
        Torch::at(directory, OLDEST)
    })
}

/// The environment with the oldest torch that libraries of kernels build with, made on first use.
/// Its other packages are those of [`torch`].
pub(crate) fn older() -> &'static Torch {
    static TORCH: OnceLock<Torch> = OnceLock::new();
    TORCH.get_or_init(|| {
        let directory = beside_home(OLDER);
        let newest = torch().root.to_str().expect("a path that is text");
        make(&directory, &["requirements-older.txt", &format!("torch=={OLDER}"), "--beside", newest]);
        Torch::at(directory, OLDER)
    })
}

/// The environment with published libraries that tests adopt, and the torch of [`torch`], made on
/// first use.
pub(crate) fn adopted() -> &'static Torch {
    static TORCH: OnceLock<Torch> = OnceLock::new();
    TORCH.get_or_init(|| {
        let directory = beside_home("adopted");
        let newest = torch().root.to_str().expect("a path that is text");
        make(&directory, &["requirements-adopted.txt", "", "--beside", newest]);
        Torch::at(directory, Wheel::of_the_suite().version())
    })
}

/// The environment with the packages that export models to ONNX and check them, and the torch of
/// [`torch`], made on first use.
pub(crate) fn with_onnx() -> &'static Torch {
    static TORCH: OnceLock<Torch> = OnceLock::new();
    TORCH.get_or_init(|| {
        let directory = beside_home("onnx");
        let newest = torch().root.to_str().expect("a path that is text");
        make(&directory, &["requirements-onnx.txt", "", "--beside", newest]);
        Torch::at(directory, Wheel::of_the_suite().version())
    })
}

/// Makes the environments of a run of all tests: what it makes is there when a test needs it. A
/// test that needs what could not be made tries again, and fails.
pub(crate) fn make_environments() {
    torch();
    oldest();
    adopted();
    with_onnx();
    clang_format();
}

/// The root of a CUDA toolkit that can compile and link for [`torch`], made on first use. It is
/// that of the compiler's Python package; no GPU is needed to compile.
pub(crate) fn cuda_toolkit() -> &'static Path {
    static TOOLKIT: OnceLock<PathBuf> = OnceLock::new();
    TOOLKIT.get_or_init(|| {
        let directory = beside_home("cuda");
        make(&directory, &["requirements-cuda.txt", NVCC]);
        let nvcc = |entry: walkdir::DirEntry| entry.path().ends_with("bin/nvcc").then(|| entry.into_path());
        let nvcc = walkdir::WalkDir::new(&directory).into_iter().filter_map(Result::ok).find_map(nvcc);
        let root = nvcc.as_deref().and_then(|nvcc| nvcc.ancestors().nth(2)).expect("nvcc is installed").to_owned();
        // A toolkit has the link that linkers and CMake look for.
        let link = root.join("lib/libcudart.so");
        if !link.exists() {
            std::os::unix::fs::symlink("libcudart.so.13", link).expect("a new link");
        }
        root
    })
}

/// The clang-format that formats generated libraries, in an environment of its own beside the
/// others. Another version may format differently.
pub(crate) fn clang_format() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let directory = beside_home("clang-format");
        make(&directory, &["requirements-style.txt", CLANG_FORMAT]);
        directory.join("bin/clang-format")
    })
}

impl Torch {
    fn new() -> Torch {
        let wheel = Wheel::of_the_suite();
        let directory = match std::env::var_os("TORCHGEN_TORCH_ENV") {
            Some(directory) => PathBuf::from(directory),
            None => made(&wheel),
        };
        Torch::at(directory, wheel.version())
    }

    /// The environment in that directory, with that version of torch.
    fn at(directory: PathBuf, wanted: &str) -> Torch {
        let said = run(Command::new(directory.join("bin/python")).args(["-c", PROBE]));
        let (version, package) = said.trim_end().split_once('\n').expect("two lines");
        let found = version.split('+').next() == Some(wanted);
        assert!(found, "{} has torch {version}, not {wanted}", directory.display());
        let python = directory.join("bin/python");
        PYTHONS.lock().expect("no thread panics while it holds the lock").push(python);
        Torch { root: directory, package: PathBuf::from(package) }
    }

    /// A program of the environment, with the environment's programs first in `PATH`.
    pub(crate) fn tool(&self, name: &str) -> Command {
        let bin = self.root.join("bin");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(std::iter::once(bin.clone()).chain(std::env::split_paths(&path)))
            .expect("a path without separators in it");
        let mut command = Command::new(bin.join(name));
        command.env("PATH", path).env("MYPY_CACHE_DIR", target().join("mypy"));
        command
    }

    /// The path of a program of the environment.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.root.join("bin").join(name)
    }

    /// The directory of torch's headers.
    pub(crate) fn headers(&self) -> PathBuf {
        self.package.join("include")
    }

    /// The package, for `--torch-path`.
    pub(crate) fn package(&self) -> &Path {
        &self.package
    }

    /// A C++20 program that may include torch's headers and is linked with its libraries, without
    /// sources yet. Call `.shared()` for a library that Python loads.
    pub(crate) fn cxx(&self, name: &str) -> Program {
        self.cxx_of_machine(name).compiler(quick()).precompiled(HEADER)
    }

    /// The same for the machine's compiler, without a precompiled header.
    pub(crate) fn cxx_of_machine(&self, name: &str) -> Program {
        let libraries = self.package.join("lib");
        Program::new(name)
            .standard("c++20")
            .warnings(&["-Wall", "-Werror"])
            .system(self.headers())
            .system(self.headers().join("torch/csrc/api/include"))
            .link(format!("-L{}", libraries.display()))
            .link(format!("-Wl,-rpath,{}", libraries.display()))
            .link("-ltorch_cpu")
            .link("-lc10")
            .link("-ltorch")
    }

    /// Generates the library of a source path for this torch.
    #[track_caller]
    pub(crate) fn generate(&self, source: &Path, out: &Path) {
        self.generate_with(source, out, &[]);
    }

    /// The same with further flags.
    #[track_caller]
    pub(crate) fn generate_with(&self, source: &Path, out: &Path, flags: &[&str]) {
        run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
            .arg("-s")
            .arg(source)
            .arg("-d")
            .arg(out)
            .arg("--torch-path")
            .arg(&self.package)
            .args(flags)
            .current_dir(root()));
    }

    /// Generates the library of a source path of this checkout, and builds it with every symbol
    /// resolved: `kernels.cpp` of the source path and all generated sources are compiled as one,
    /// except those named in `apart`, whose unnamed namespaces have the same names.
    #[track_caller]
    pub(crate) fn library(&self, name: &str, source: &str) -> PathBuf {
        self.library_with(name, source, &[])
    }

    /// The same, generated with further flags.
    #[track_caller]
    pub(crate) fn library_with(&self, name: &str, source: &str, flags: &[&str]) -> PathBuf {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let (out, source) = (directory.path(), root().join(source));
        self.generate_with(&source, out, flags);
        let names = std::fs::read_dir(out.join("src")).expect("sources were generated");
        let names = names.map(|entry| entry.expect("a readable entry").file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.collect();
        names.sort();
        let generated: String = names.iter().map(|name| format!("#include \"src/{name}\"\n")).collect();
        // Kernels first, which may need more of torch than generated sources include.
        let unity = format!("#include \"kernels.cpp\"\n{generated}");
        let program = self.cxx(name).shared().text("unity.cpp", &unity);
        // The source path has kernels.cpp and the header that formulas include.
        program.include(out).include(out.join("include")).include(&source).built()
    }

    /// Builds the CPU backend for `PrivateUse1` that tests load: `tests/support/privateuse1`.
    ///
    /// Python's `import simulator` from [`simulator_path`] loads what the variable `SIMULATOR`
    /// names.
    pub(crate) fn simulator(&self) -> PathBuf {
        let program = self.cxx("simulator").shared().source(simulator_path().join("simulator.cpp"));
        shared("simulator", || program.built())
    }
}

/// The directory that `PYTHONPATH` needs for `import simulator`.
pub(crate) fn simulator_path() -> PathBuf {
    root().join("tests/support/privateuse1")
}

/// The environment in this build's target directory.
fn made(wheel: &Wheel) -> PathBuf {
    let directory = home();
    let cache = match std::env::var_os("TORCHGEN_CONFORMANCE_DIR") {
        Some(cache) => PathBuf::from(cache),
        None => target().join("conformance"),
    };
    let cache = cache.to_str().expect("a path that is text");
    make(&directory, &["requirements.txt", &wheel.pin, cache, &wheel.file, &wheel.sha256]);
    directory
}

/// Makes an environment, unless it is complete.
fn make(directory: &Path, arguments: &[&str]) {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let mut command = Command::new(python);
    command.arg(root().join("tests/support/torch/make.py")).arg(directory).args(arguments);
    shared(arguments[0], || run(&mut command));
}

/// The directory of another environment.
fn beside_home(name: &str) -> PathBuf {
    let mut directory = home().into_os_string();
    directory.push(format!("-{name}"));
    PathBuf::from(directory)
}

/// The directory of the environment that other environments are beside.
fn home() -> PathBuf {
    std::env::var_os("TORCHGEN_TORCH_ENV").map_or_else(|| target().join("torch-env"), PathBuf::from)
}

/// This build's target directory.
fn target() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target directory")
}

/// The Pythons with torch that tests use.
static PYTHONS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The output of a command. What imports torch is run by a Python that has done so.
pub(crate) fn output(command: &mut Command) -> io::Result<Output> {
    let program = Path::new(command.get_program());
    let pythons = PYTHONS.lock().expect("no thread panics while it holds the lock");
    let python = pythons.iter().find(|python| *python == program).cloned();
    drop(pythons);
    match python.and_then(|python| forks::output(&python, command)) {
        Some(output) => Ok(output),
        None => processor::output(command),
    }
}

/// Runs a command to its end and returns its output on both streams.
#[track_caller]
pub(crate) fn run(command: &mut Command) -> String {
    let output = output(command).unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {}\n{text}", output.status);
    text
}

/// Checks that a C++ file compiles alone, without a header before it, and writes nothing.
/// [`Program::compiles`] takes less time for sources of generated code.
#[track_caller]
pub(crate) fn check_alone(compiler: &OsStr, file: &Path, include: &Path) {
    let mut command = Command::new(compiler);
    command.args(["-std=c++20", "-fsyntax-only", "-Wall", "-Werror", "-isystem"]).arg(torch().headers());
    command.arg("-isystem").arg(torch().headers().join("torch/csrc/api/include"));
    run(command.arg("-I").arg(include).arg(file));
}

/// All identifiers of generated sources and headers below `out`, after macros are expanded: those
/// of torch use names too.
pub(crate) fn expanded_identifiers(out: &Path, flags: &[&str]) -> BTreeSet<String> {
    let word = Regex::new(r"[A-Za-z_]\w*").expect("a pattern");
    let marker = Regex::new(r#"^# \d+ "([^"]*)""#).expect("a pattern");
    let string = Regex::new(r#""(?:[^"\\]|\\.)*""#).expect("a pattern");
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(out.join("src")).expect("generated sources") {
        let path = entry.expect("a readable entry").path();
        let mut command = Command::new(quick());
        command.args(["-std=c++20", "-E", "-I"]).arg(out.join("include")).args(flags).arg("-isystem");
        command.arg(torch().headers()).arg("-isystem").arg(torch().headers().join("torch/csrc/api/include"));
        let mut is_generated = false;
        for line in run(command.arg(path)).lines() {
            match marker.captures(line) {
                Some(file) => is_generated = Path::new(&file[1]).starts_with(out),
                None if is_generated => {
                    let code = string.replace_all(line, "");
                    found.extend(word.find_iter(&code).map(|found| found.as_str().to_owned()));
                }
                None => {}
            }
        }
    }
    found
}
