//! `torchgen-rs dev` and `torchgen-rs test` with the project that `torchgen-rs new` makes: the
//! workflow of the project runs as it is written, an edit compiles only what it makes stale, and
//! `--watch` survives an error.
//!
//! The environments are those of the other tests. `dev` installs into a fresh one over them, and
//! `test` finds others where it would make them.

use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::Trial;

use crate::support::cxx::quick;
use crate::support::torch::{Torch, oldest, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![a_new_project_is_developed_and_tested]
}

/// Where a Python has its packages.
const SITE: &str = "import sysconfig; print(sysconfig.get_path('purelib'), end='')";

/// The tests that run with each torch version; `a_new_library_is_one_wheel` runs all of them.
const CHOSEN: &str = "refuses or test_mean";

/// A new environment with the packages of others, the first of which count.
fn over(others: &[&Torch], place: &Path) -> PathBuf {
    run(others[0].tool("python").args(["-m", "venv", "--without-pip"]).arg(place));
    let python = place.join("bin/python");
    let site = run(Command::new(&python).args(["-c", SITE]));
    let paths: String = others.iter().map(|other| run(other.tool("python").args(["-c", SITE])) + "\n").collect();
    std::fs::write(Path::new(&site).join("others.pth"), paths).expect("a new file");
    python
}

/// The program or a shell in a project, as a user would run it: quickly, and offline.
fn offline(program: impl AsRef<std::ffi::OsStr>, project: &Path) -> Command {
    let mut command = Command::new(program);
    let own = Path::new(env!("CARGO_BIN_EXE_torchgen-rs")).parent().expect("a directory");
    let first = [own.to_owned(), torch().program("python").parent().expect("a directory").to_owned()];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(first.into_iter().chain(std::env::split_paths(&path))).expect("paths");
    command.current_dir(project).env("PATH", path).env("XDG_CACHE_HOME", project.join("../cache"));
    ["VIRTUAL_ENV", "CONDA_PREFIX"].iter().for_each(|name| _ = command.env_remove(name));
    // The environments have no CUDA libraries, which torch requires.
    command.env("PIP_NO_INDEX", "1").env("PIP_NO_DEPS", "1");
    command.env("SKBUILD_CMAKE_BUILD_TYPE", "None").env("CXX", quick()).env("CMAKE_BUILD_PARALLEL_LEVEL", "2");
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("OMP_NUM_THREADS", "2").env("NO_COLOR", "1");
    command
}

/// What a run of `dev` in a project says.
fn dev(project: &Path) -> String {
    run(offline(env!("CARGO_BIN_EXE_torchgen-rs"), project).arg("dev"))
}

/// The sources that it says it compiled.
fn compiled(said: &str) -> Vec<&str> {
    said.lines().filter_map(|line| line.strip_prefix("  compiled ")).collect()
}

/// Replaces a text of a file, which must be there.
fn edit(file: &Path, old: &str, new: &str) {
    let text = std::fs::read_to_string(file).expect("a file");
    assert!(text.contains(old), "{} lacks {old}", file.display());
    std::fs::write(file, text.replace(old, new)).expect("a file");
}

fn a_new_project_is_developed_and_tested() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let project = work.path().join("curves");
    run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs")).arg("new").arg(&project));
    // Where the command would make it.
    let version =
        run(torch().tool("python").args(["-c", "import sys; print('{}.{}'.format(*sys.version_info), end='')"]));
    let cached = work.path().join(format!("cache/torchgen-rs/environments/torch-2.10-py{version}"));
    std::fs::create_dir_all(cached.parent().expect("a directory")).expect("a new directory");
    over(&[oldest(), torch()], &cached);
    std::fs::write(cached.join("torchgen-complete"), "").expect("a new file");

    the_workflow_runs(&project);
    edits_compile_what_they_make_stale(&project);
    watching_survives_an_error(&project);
}

/// Each step that is a command, as it is written.
fn the_workflow_runs(project: &Path) {
    let workflow = std::fs::read_to_string(project.join(".github/workflows/test.yml")).expect("the workflow");
    let workflow: serde_yaml::Value = serde_yaml::from_str(&workflow).expect("YAML");
    let steps = workflow["jobs"]["test"]["steps"].as_sequence().expect("steps");
    let mut said = Vec::new();
    for line in steps.iter().filter_map(|step| step["run"].as_str()) {
        if line.contains("-m pip install") {
            // What it would download is in the environments of the tests.
            let site = run(Command::new(project.join(".venv/bin/python")).args(["-c", SITE]));
            let packages = run(torch().tool("python").args(["-c", SITE]));
            std::fs::write(Path::new(&site).join("others.pth"), packages).expect("a new file");
        }
        let mut shell = offline("bash", project);
        // pytest takes the choice of tests from here.
        shell.env("PYTEST_ADDOPTS", format!("-k '{CHOSEN}'"));
        said.push(run(shell.args(["-e", "-o", "pipefail", "-c", &format!("{{ {line}\n}} 2>&1")])));
    }
    let [.., dev, test] = said.as_slice() else { panic!("{said:?}") };
    assert_eq!(compiled(dev).len(), 9, "{dev}");
    assert!(dev.contains("curves is installed in ") && dev.contains("for torch 2.15.0: compiled 9 files"), "{dev}");
    // The wheel has what `dev` compiled, and the oldest torch runs it.
    assert!(test.contains("curves-0.1.0-py3-none-") && test.contains(": nothing to compile ("), "{test}");
    let rows: Vec<Vec<&str>> = test.lines().map(|line| line.split_whitespace().collect()).collect();
    for version in ["2.10.0", "2.15.0"] {
        let row = rows.iter().find(|row| row.first() == Some(&version) && row.len() == 5);
        assert!(row.is_some_and(|row| row[1..4] == ["2", "0", "0"]), "{test}");
    }
    assert!(test.contains("curves passes its tests with all 2 versions of torch"), "{test}");
}

/// The counts are those of `bench/loop.py`.
fn edits_compile_what_they_make_stale(project: &Path) {
    let file = |name: &str| project.join(name);
    let python = file(".venv/bin/python");
    let ask =
        |text: &str| run(Command::new(&python).args(["-W", "ignore", "-c", text]).current_dir("/")).trim().to_owned();
    assert_eq!(compiled(&dev(project)), [""; 0]);

    edit(&file("kernels/mean_distance.cpp"), "#include", "// Edited.\n#include");
    assert_eq!(compiled(&dev(project)), ["kernels/mean_distance.cpp"]);
    edit(&file("native_functions.yaml"), "decay=0.9", "decay=0.8");
    assert_eq!(compiled(&dev(project)).len(), 1);
    edit(&file("derivatives.yaml"), "self: grad", "self: 1 * grad");
    assert_eq!(compiled(&dev(project)), [""; 0]);
    edit(&file("python/fakes.py"), "    return torch", "    # Edited.\n    return torch");
    assert_eq!(compiled(&dev(project)), [""; 0]);
    let copied = ask("import curves.fakes; print(open(curves.fakes.__file__).read().count('Edited'))");
    assert_eq!(copied, "1");
    edit(&file("native_functions.yaml"), "doc: ", "doc: Edited. ");
    assert_eq!(compiled(&dev(project)), [""; 0]);

    let operator =
        "- func: curves::one_more(Tensor self) -> Tensor\n  dispatch: {CPU: one_more_cpu}\n  fake: like(self)\n";
    let text = std::fs::read_to_string(file("native_functions.yaml")).expect("a file");
    std::fs::write(file("native_functions.yaml"), text + "\n" + operator).expect("a file");
    run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs")).args(["kernels", "--write"]).current_dir(project));
    let said = dev(project);
    assert_eq!(compiled(&said).len(), 3, "{said}");
    let found = "import importlib.metadata as m, curves; print(hasattr(curves, 'one_more'), m.version('curves'), \
                 any(str(f).endswith('one_more_native.h') for f in m.files('curves')))";
    assert_eq!(ask(found), "True 0.1.0 True");

    // What the compiler says is shown without its command line.
    edit(&file("kernels/mean_distance.cpp"), "// Edited.", "int wrong = \"text\";");
    let output = offline(env!("CARGO_BIN_EXE_torchgen-rs"), project).arg("dev").output().expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("error[TG0981]: curves cannot be built") && said.contains("mean_distance.cpp:"), "{said}");
    assert!(!said.contains("-fPIC") && !said.contains("ninja: "), "{said}");
    edit(&file("kernels/mean_distance.cpp"), "int wrong = \"text\";", "// Edited.");
}

fn watching_survives_an_error(project: &Path) {
    let yaml = project.join("native_functions.yaml");
    let mut command = offline(env!("CARGO_BIN_EXE_torchgen-rs"), project);
    let mut child = command.args(["dev", "--watch"]).stderr(Stdio::piped()).spawn().expect("the program runs");
    let (sender, lines) = std::sync::mpsc::channel();
    let errors = BufReader::new(child.stderr.take().expect("a pipe"));
    std::thread::spawn(move || errors.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    let until = |end: &str| {
        let (mut said, started) = (String::new(), Instant::now());
        while !said.contains(end) {
            assert!(started.elapsed() < Duration::from_secs(120), "no `{end}`:\n{said}");
            let line = lines.recv_timeout(Duration::from_secs(120)).unwrap_or_else(|_| panic!("no `{end}`:\n{said}"));
            said.extend([line.as_str(), "\n"]);
        }
        said
    };
    let said = until("waiting for changes");
    assert!(said.contains("curves is installed in"), "{said}");
    edit(&yaml, "Tensor", "Tenser");
    let said = until("waiting for a change that mends it");
    assert!(said.contains("error[TG0203]: unknown type `Tenser`"), "{said}");
    edit(&yaml, "Tenser", "Tensor");
    let said = until("waiting for changes");
    assert!(said.contains("curves is installed in"), "{said}");
    run(Command::new("kill").args(["-INT", &child.id().to_string()]));
    assert_eq!(child.wait().expect("it ends").signal(), Some(2));
    assert_eq!(compiled(&dev(project)), [""; 0]);
}
