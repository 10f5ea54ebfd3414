//! Scripts that import torch, run in forks of a Python that has imported it: one for each
//! environment, which `torch/forks.py` serves until this program ends.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::Mutex;

use serde_json::json;
use tempfile::TempDir;

use super::pytorch::root;
use crate::trial;

/// A Python that has imported torch.
struct Forks {
    directory: TempDir,
    /// It ends when its standard input is closed, with this program.
    _python: Child,
}

/// Those that run, by their Python.
static RUNNING: Mutex<BTreeMap<PathBuf, Forks>> = Mutex::new(BTreeMap::new());

/// Whether these arguments of Python are a script that imports torch: a file, tests, or a text that
/// says so.
fn imports_torch(arguments: &[&str]) -> bool {
    match arguments {
        ["-B", rest @ ..] | ["-W", _, rest @ ..] => imports_torch(rest),
        ["-c", code, ..] => code.contains("import torch"),
        ["-m", module, ..] => *module == "unittest",
        [script, ..] => script.ends_with(".py"),
        [] => false,
    }
}

/// The output of a Python of an environment with torch, if its script imports torch.
pub(crate) fn output(python: &Path, command: &Command) -> Option<Output> {
    let arguments: Vec<&str> = command.get_args().map(OsStr::to_str).collect::<Option<_>>()?;
    if Path::new(command.get_program()) != python || !imports_torch(&arguments) {
        return None;
    }
    let mut environment: BTreeMap<String, String> = std::env::vars().collect();
    for (name, value) in command.get_envs() {
        let name = name.to_str()?.to_owned();
        match value {
            Some(value) => _ = environment.insert(name, value.to_str()?.to_owned()),
            None => _ = environment.remove(&name),
        }
    }
    let directory = command.get_current_dir().map_or_else(|| std::env::current_dir().expect("a directory"), Into::into);
    let streams = [(); 2].map(|()| tempfile::NamedTempFile::new().expect("a temporary file"));
    let mut connection = UnixStream::connect(socket(python)).expect("a Python that listens");
    let request = json!({
        "arguments": arguments,
        "environment": environment,
        "directory": directory,
        "streams": [(1, streams[0].path(), 1), (2, streams[1].path(), 1)],
    });
    connection.write_all(format!("{request}\n").as_bytes()).expect("a Python that listens");
    let mut answer = String::new();
    connection.read_to_string(&mut answer).expect("a Python that answers");
    let (status, seconds): (i32, f64) = serde_json::from_str(&answer).expect("an answer");
    trial::add_processor_seconds(seconds);
    let [stdout, stderr] = streams.map(|file| std::fs::read(file.path()).expect("the output"));
    Some(Output { status: ExitStatus::from_raw(status), stdout, stderr })
}

/// The socket of the Python with torch, which is started for the first script.
fn socket(python: &Path) -> PathBuf {
    let mut running = RUNNING.lock().expect("no thread panics while it holds the lock");
    if !running.contains_key(python) {
        let forks = trial::shared("a Python that has imported torch", || start(python));
        running.insert(python.to_owned(), forks);
    }
    running[python].directory.path().join("socket")
}

fn start(python: &Path) -> Forks {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut command = Command::new(python);
    command.arg(root().join("tests/support/torch/forks.py")).arg(directory.path().join("socket"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("Python runs");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    assert_eq!(line, "ready\n", "Python cannot import torch");
    Forks { directory, _python: child }
}
