//! Programs that a command runs: their output line by line, and the part of it that shows errors.
//!
//! Invariant: both streams are one, in the order in which the program wrote them.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::error;
use torchgen_base::diag::{Diagnostic, plural};

/// How many lines of a failure are shown that names no file.
const LAST: usize = 40;

/// What a program printed.
pub(super) struct Finished {
    /// Whether it succeeded.
    pub(super) succeeded: bool,
    /// Its lines.
    pub(super) lines: Vec<String>,
}

/// Runs a program to its end. `each` gets every line when it is printed.
pub(super) fn run(command: &mut Command, mut each: impl FnMut(&str)) -> Result<Finished, Diagnostic> {
    let name = Path::new(command.get_program()).display().to_string();
    let failed = |why: std::io::Error| error(format!("`{name}` cannot be run: {why}"));
    let (reader, writer) = std::io::pipe().map_err(failed)?;
    command.stdin(Stdio::null()).stdout(writer.try_clone().map_err(failed)?).stderr(writer);
    let mut child = command.spawn().map_err(failed)?;
    // The program has the other end alone, so that the lines end with it.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut lines = Vec::new();
    let mut reader = BufReader::new(reader);
    let mut bytes = Vec::new();
    while reader.read_until(b'\n', &mut bytes).map_err(failed)? > 0 {
        let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        each(&line);
        lines.push(line);
        bytes.clear();
    }
    let succeeded = child.wait().map_err(failed)?.success();
    Ok(Finished { succeeded, lines })
}

impl Finished {
    /// The error for a program that failed, with what it says about the reason.
    pub(super) fn failure(&self, message: impl Into<String>) -> Diagnostic {
        error(message).note(self.reason())
    }

    /// What it says about a failure: without the command lines of compilers, and without what was
    /// done before.
    fn reason(&self) -> String {
        // pip indents what it runs.
        let is_pips =
            self.lines.iter().any(|line| ["  FAILED: ", "  *** "].iter().any(|start| line.starts_with(start)));
        let indent = if is_pips { "  " } else { "" };
        let lines = self.lines.iter().map(|line| line.strip_prefix(indent).unwrap_or(line));
        let mut found: Vec<&str> = Vec::new();
        let (mut shows, mut is_command) = (false, false);
        for line in lines.clone() {
            if std::mem::take(&mut is_command) {
                continue;
            }
            if line.starts_with("FAILED: ") {
                // The line after it is the command.
                (shows, is_command) = (true, true);
                continue;
            }
            if line.starts_with("ninja: ") || line.starts_with("make") || step(line).is_some() {
                shows = false;
            }
            if line.starts_with("CMake Error") {
                shows = true;
            }
            if line.starts_with("*** ") || line.starts_with("-- Configuring incomplete") {
                shows = false;
            }
            if shows {
                found.push(line);
            }
        }
        if found.iter().all(|line| line.is_empty()) {
            let all: Vec<&str> = lines.collect();
            let left_out = all.len().saturating_sub(LAST);
            found = all[left_out..].to_vec();
        }
        while found.last().is_some_and(|line| line.is_empty()) {
            found.pop();
        }
        found.join("\n")
    }
}

/// The description of a step, in a line of Ninja or Make: `[1/9] Building …`.
fn step(line: &str) -> Option<&str> {
    let (count, step) = line.trim_start().strip_prefix('[')?.split_once("] ")?;
    count.trim().starts_with(|c: char| c.is_ascii_digit()).then_some(step)
}

/// The source that a line says is compiled.
pub(super) fn compiled(line: &str) -> Option<String> {
    let (_, object) = step(line)?.strip_prefix("Building ")?.split_once(" object ")?;
    let (_, source) = object.split_once(".dir/")?;
    let end = source.rfind('.')?;
    Some(source[..end].to_owned())
}

/// How many files were compiled, in words.
pub(super) fn counted(compiled: &[String]) -> String {
    match compiled.len() {
        0 => "nothing to compile".to_owned(),
        count => format!("compiled {}", plural(count, "file")),
    }
}

/// The program itself; `None` in another one, such as a Python that has it as a module.
pub(super) fn own_program() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    (own.file_stem() == Some(OsStr::new("torchgen-rs"))).then_some(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(text: &str) -> Finished {
        Finished { succeeded: false, lines: text.lines().map(str::to_owned).collect() }
    }

    #[test]
    fn steps_of_builds() {
        let ninja = "  [1/9] Building CXX object CMakeFiles/my_ops.dir/kernels/a.cpp.o";
        assert_eq!(compiled(ninja), Some("kernels/a.cpp".to_owned()));
        let make = "[ 50%] Building CUDA object CMakeFiles/my_ops.dir/kernels/a.cu.o";
        assert_eq!(compiled(make), Some("kernels/a.cu".to_owned()));
        assert_eq!(compiled("[9/9] Linking CXX shared library my_ops.so"), None);
        assert_eq!(compiled("[note] Building CXX object a.dir/b.cpp.o"), None);
        assert_eq!(counted(&["a".to_owned()]), "compiled 1 file");
    }

    #[test]
    fn failures_show_what_the_compiler_says() {
        let said = "[1/3] Generating x\n[2/3] Building CXX object a.dir/b.cpp.o\nFAILED: [code=1] a.dir/b.cpp.o\n\
                    g++ -c b.cpp\nb.cpp:1:1: error: no\n[3/3] Building CXX object a.dir/c.cpp.o\nninja: build stopped\n";
        assert_eq!(finished(said).reason(), "b.cpp:1:1: error: no");
        let said =
            "  -- a\n  CMake Error at b:1 (c):\n    d\n\n  -- Configuring incomplete, errors occurred!\n  *** e\n";
        assert_eq!(finished(said).reason(), "CMake Error at b:1 (c):\n  d");
        assert_eq!(finished("one\ntwo\n").reason(), "one\ntwo");
    }
}
