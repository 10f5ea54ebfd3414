//! Runs the tool over an input, with limits, and checks everything around it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use libtest_mimic::Trial;

/// The time limit of a run; a debug build on a busy machine is slow.
const TIME: Duration = Duration::from_secs(60);
/// The limit of address space, in KiB.
const MEMORY: u64 = 3 << 20;

/// Text that appears in an output if a path or a documentation of the input is not quoted.
const OUT_OF_PLACE: [&str; 3] = ["../../up", "\n#error up", "\n    \"\"\"\n    __import__"];

/// The input of a run.
#[derive(Default)]
pub(crate) struct Case {
    pub(crate) native: Vec<u8>,
    /// Files beside it, by path.
    pub(crate) beside: Vec<(String, Vec<u8>)>,
    pub(crate) flags: Vec<String>,
}

/// A test for each input. The run must report errors of exactly the codes beside it, or begin a
/// line with that text if it begins with `error`, or succeed if it is empty.
pub(crate) fn checks<const N: usize>(group: &str, cases: [(&'static str, Case, &'static str); N]) -> Vec<Trial> {
    let trial = |(name, case, says): (&str, Case, &'static str)| {
        let check = move || wrong(&case, says).map_or(Ok(()), |what| Err(what.into()));
        Trial::test(format!("hostile::{group}::{name}"), check)
    };
    cases.map(trial).into()
}

/// The errors of a run.
fn wrong(case: &Case, says: &str) -> Option<String> {
    let top = tempfile::tempdir().expect("a temporary directory");
    let below = top.path().join("a/b/c");
    let source = below.join("in");
    std::fs::create_dir_all(&source).expect("a directory");
    write(&source.join("native_functions.yaml"), &case.native);
    for (path, text) in &case.beside {
        write(&source.join(path), text);
    }
    let before = files(top.path(), &below.join("out"));
    let (status, said) = run(&below, &case.flags);
    let short: String = said.chars().take(1500).collect();
    if ["panicked", "overflowed its stack", "memory allocation"].iter().any(|sign| said.contains(sign)) {
        return Some(format!("panics\n{short}"));
    }
    if said.len() > 20_000_000 {
        return Some(format!("{} bytes are said", said.len()));
    }
    if before != files(top.path(), &below.join("out")) {
        return Some("more was written than the install directory".to_owned());
    }
    let codes: BTreeSet<&str> =
        said.lines().filter_map(|line| Some(line.strip_prefix("error[")?.split_once(']')?.0)).collect();
    let reported = match says.starts_with("error") {
        true => said.lines().any(|line| line.starts_with(says)),
        false => codes == says.split(' ').collect(),
    };
    match status {
        Some(0) if says.is_empty() => wrong_output(&below.join("out")),
        Some(0) => Some(format!("no error was found, not {says}")),
        Some(1 | 2) if below.join("out").exists() => Some("a run with errors wrote something".to_owned()),
        Some(1 | 2) if !says.is_empty() && reported => None,
        other => Some(format!("status {other:?} and {codes:?}, not {says:?}:\n{short}")),
    }
}

/// The errors in the output of a successful run: it must declare operators, and no text of the
/// input may become a path or a separate line.
fn wrong_output(out: &Path) -> Option<String> {
    if !out.join("include/ns/ops.h").is_file() {
        return Some("a good run declared nothing".to_owned());
    }
    let files = files(out, Path::new("")).into_keys().filter(|path| path.is_file());
    let text = |path: &PathBuf| String::from_utf8_lossy(&std::fs::read(path).expect("an output")).into_owned();
    let mut texts = files.filter(|path| !path.ends_with(".torchgen-rs.manifest")).map(|path| (text(&path), path));
    let (_, path) = texts.find(|(text, _)| OUT_OF_PLACE.iter().any(|sign| text.contains(sign)))?;
    Some(format!("text of the input gets out of its place in {}", path.display()))
}

fn write(path: &Path, text: &[u8]) {
    std::fs::create_dir_all(path.parent().expect("a directory above")).expect("a directory");
    std::fs::write(path, text).expect("a file is written");
}

/// The exit status and the output; none if a signal ended the run.
fn run(directory: &Path, flags: &[String]) -> (Option<i32>, String) {
    let tool = env!("CARGO_BIN_EXE_torchgen-rs");
    let mut command = if cfg!(target_os = "linux") {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -v {MEMORY}; exec \"$@\""), "sh", tool]);
        shell
    } else {
        Command::new(tool)
    };
    let output = directory.join("said");
    let file = File::create(&output).expect("a file is made");
    command.args(["-s", "in", "-d", "out"]).args(flags).current_dir(directory);
    command.stdout(file.try_clone().expect("a handle")).stderr(file);
    let mut child = command.spawn().expect("the tool starts");
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        if start.elapsed() > TIME {
            child.kill().expect("a child");
            child.wait().expect("a child");
            std::fs::remove_file(&output).expect("a file");
            return (None, format!("not done after {TIME:?}"));
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let said = std::fs::read(&output).expect("a readable file");
    crate::reported::note(&String::from_utf8_lossy(&said));
    std::fs::remove_file(&output).expect("a file");
    (status.code(), String::from_utf8_lossy(&said).into_owned())
}

/// All files below a directory except one, with their sizes.
fn files(directory: &Path, except: &Path) -> BTreeMap<PathBuf, u64> {
    walkdir::WalkDir::new(directory)
        .into_iter()
        .filter_entry(|entry| entry.path() != except)
        .map(|entry| entry.expect("a readable entry"))
        .map(|entry| (entry.path().to_owned(), entry.metadata().map_or(0, |m| if m.is_file() { m.len() } else { 0 })))
        .collect()
}
