//! The processor time of what a test runs. What other tests use too, such as an environment, counts
//! for none.

use std::io::{self, Read};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::trial;

/// The output of a command that reads nothing. Its processor time, and that of all that it waited
/// for, is added to the test's.
pub(crate) fn output(command: &mut Command) -> io::Result<Output> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut errors = child.stderr.take().expect("a pipe");
    let errors = std::thread::spawn(move || {
        let mut text = Vec::new();
        errors.read_to_end(&mut text).map(|_| text)
    });
    let mut stdout = Vec::new();
    child.stdout.take().expect("a pipe").read_to_end(&mut stdout)?;
    let stderr = errors.join().expect("a thread that reads")?;
    // Times of its children are known when it has ended, and are lost when it was waited for.
    let seconds = loop {
        match seconds_of_ended(child.id()) {
            Some(seconds) => break seconds,
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    trial::add_processor_seconds(seconds);
    Ok(Output { status: child.wait()?, stdout, stderr })
}

/// How many times as long as on an idle machine a compiler takes for the standard's headers now.
/// One where this cannot be measured.
pub(crate) fn slowness() -> f64 {
    /// What g++ 12 takes on the machine that the limits were measured on: the least of ten runs.
    const USUAL: f64 = 0.55;
    const SOURCE: &str = "#include <iostream>\n#include <map>\n#include <regex>\n";
    let Ok(directory) = tempfile::tempdir() else { return 1.0 };
    let source = directory.path().join("usual.cpp");
    let mut command = Command::new("c++");
    command.args(["-std=c++17", "-fsyntax-only"]).arg(&source);
    let run = || output(&mut command).is_ok_and(|run| run.status.success());
    match std::fs::write(&source, SOURCE).map(|()| trial::counted(run)) {
        Ok((true, seconds)) => seconds / USUAL,
        _ => 1.0,
    }
}

/// The processor time of a process that has ended and that nobody waited for. Zero where the system
/// does not say it.
fn seconds_of_ended(process: u32) -> Option<f64> {
    /// Linux counts for programs in hundredths.
    const TICKS: f64 = 100.0;
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{process}/stat")) else { return Some(0.0) };
    // The name before may have any character.
    let (_, rest) = stat.rsplit_once(')')?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    // The times of the process and of its children, each for the program and for the system.
    let ticks: f64 = words.get(11..15)?.iter().filter_map(|word| word.parse::<f64>().ok()).sum();
    (words[0] == "Z").then_some(ticks / TICKS)
}
