//! Replays pages of docs/ from the documents themselves: each command is run, and its output is
//! compared.
//!
//! A fenced block after `<!-- file: PATH -->` is written to that file, one after
//! `<!-- append: PATH -->` is added to it. In a `console` block a line that begins with `$ ` is a
//! command of the shell and the lines below it are its output, both streams, where a line `...`
//! matches any number of lines and `…` in a word any letters. Anything else is prose. With
//! `<!-- fails -->` before a block, its last command must fail.
//!
//! Where clang++ is installed, it takes the place of `g++` in commands for libtorch's C++ API, with
//! a precompiled header. The page of the stable ABI shows that such commands work with g++.
//!
//! Each `ninja -C build` after the first is checked against the texts on the disk, by Ninja's own
//! log: exactly the files that read a changed text are compiled.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;

use crate::support::cxx::quick;
use crate::support::processor;
use crate::support::torch::{Torch, adopted, root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        the_walk_through_works_as_written,
        the_page_of_the_stable_abi_works_as_written,
        the_page_of_structured_kernels_works_as_written,
        the_page_of_autocast_works_as_written,
        the_page_of_a_device_works_as_written,
        the_page_of_the_model_works_as_written,
        the_page_of_adopting_works_as_written,
        the_page_of_own_generators_works_as_written,
        steps_are_read
    ]
}

/// A step of the document.
#[derive(Debug, Clone, PartialEq)]
enum Step {
    Write { path: String, text: String, append: bool },
    Run { commands: Vec<(String, String)>, fails: bool },
}

/// Reads the steps of a document.
fn steps(document: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut mark: Option<&str> = None;
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        if let Some(comment) = line.strip_prefix("<!-- ").and_then(|l| l.strip_suffix(" -->")) {
            mark = Some(comment);
            continue;
        }
        let Some(language) = line.strip_prefix("```") else {
            if !line.is_empty() {
                mark = None;
            }
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let text = block.iter().map(|line| format!("{line}\n")).collect::<String>();
        match mark.take().map(|mark| mark.split_once(": ").unwrap_or((mark, ""))) {
            Some(("file", path)) => steps.push(Step::Write { path: path.into(), text, append: false }),
            Some(("append", path)) => steps.push(Step::Write { path: path.into(), text, append: true }),
            other if language == "console" => {
                let mut commands: Vec<(String, String)> = Vec::new();
                for line in block {
                    match (line.strip_prefix("$ "), commands.last_mut()) {
                        (Some(command), _) => commands.push((command.into(), String::new())),
                        (None, Some((_, output))) => output.push_str(&format!("{line}\n")),
                        (None, None) => panic!("output without a command: {line}"),
                    }
                }
                steps.push(Step::Run { commands, fails: matches!(other, Some(("fails", _))) });
            }
            _ => {}
        }
    }
    steps
}

/// Whether the output matches the expected one, with the wildcards `...` and `…`.
fn matches(expected: &[&str], found: &[&str]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((&"...", rest)) => (0..=found.len()).any(|skipped| matches(rest, &found[skipped..])),
        Some((line, rest)) => {
            found.split_first().is_some_and(|(first, found)| same_line(line, first) && matches(rest, found))
        }
    }
}

fn same_line(expected: &str, found: &str) -> bool {
    let (expected, found): (Vec<&str>, Vec<&str>) =
        (expected.split_whitespace().collect(), found.split_whitespace().collect());
    expected.len() == found.len()
        && expected.iter().zip(&found).all(|(e, f)| match e.split_once('…') {
            Some((before, after)) => f.starts_with(before) && f.ends_with(after),
            None => e == f,
        })
}

/// The command with clang++ and the header that is compiled once for all tests, and a command that
/// compiles the page's own sources without it. None if it does not compile for libtorch's C++ API,
/// or if clang++ is not used: then it runs as written.
fn quickly(command: &str) -> Option<[String; 2]> {
    if quick() != "clang++" || !command.contains("; g++ ") || !command.contains("-ltorch ") {
        return None;
    }
    let header = torch().cxx("header").compiled_header();
    let shared = format!("clang++ -pthread -include {} ", header.display());
    let (sources, linked) = command.split_once(" -L").expect("a command that links");
    assert!(linked.contains(" -o "), "{command}");
    let own: Vec<&str> =
        sources.split(' ').filter(|word| !word.ends_with("/src/*.cpp") && *word != "-shared").collect();
    Some([command.replace("g++ ", &shared), own.join(" ").replace("g++ ", "clang++ -fsyntax-only ")])
}

/// Runs a command of the shell, as a user would: the tool and the environment's programs are in
/// `PATH`.
fn shell(torch: &Torch, command: &str, dir: &Path) -> (bool, String) {
    let tool = Path::new(env!("CARGO_BIN_EXE_torchgen-rs")).parent().expect("a directory").to_owned();
    let bin = torch.program("python").parent().expect("a directory").to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([tool, bin].into_iter().chain(std::env::split_paths(&path))).expect("paths");
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(dir)
        .env("PATH", path)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        // The page does not need an optimizer, which takes most of the compiler's time.
        .env("CMAKE_BUILD_TYPE", "None")
        .env("SKBUILD_CMAKE_BUILD_TYPE", "None")
        .env("CXX", quick())
        .env("OMP_NUM_THREADS", "2")
        // It warns that triton is missing, which the environment lacks with all that is for CUDA.
        .env("TORCH_LOGS", "-torch.utils.flop_counter");
    let output = processor::output(&mut shell).expect("a shell");
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A build directory after the last run of Ninja.
#[derive(Default)]
struct Built {
    /// Every text of the library, by its absolute path.
    texts: BTreeMap<PathBuf, Vec<u8>>,
    /// The last line of each object file in Ninja's log.
    log: BTreeMap<String, String>,
}

impl Built {
    fn look(library: &Path) -> Built {
        let build = library.join("build");
        let texts = [library.join("kernels"), build.join("generated")]
            .iter()
            .flat_map(walkdir::WalkDir::new)
            .map(|entry| entry.expect("a readable entry").into_path())
            .filter(|path| path.extension().is_some_and(|end| end == "cpp" || end == "h"))
            .map(|path| (path.canonicalize().expect("a file"), std::fs::read(&path).expect("a readable file")))
            .collect();
        let log = std::fs::read_to_string(build.join(".ninja_log")).expect("Ninja's log");
        let output = |line: &str| Some((line.split('\t').nth(3)?.to_owned(), line.to_owned()));
        Built { texts, log: log.lines().filter_map(output).filter(|(path, _)| path.ends_with(".o")).collect() }
    }

    /// The texts that each object file depends on, from Ninja.
    fn inputs(library: &Path) -> BTreeMap<String, BTreeSet<PathBuf>> {
        let build = library.join("build");
        let said = run(torch().tool("ninja").arg("-C").arg(&build).args(["-t", "deps"]));
        let mut inputs: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
        let mut object = String::new();
        for line in said.lines() {
            if let Some(path) = line.strip_prefix("    ") {
                let path = build.join(path).canonicalize().unwrap_or_else(|_| build.join(path));
                inputs.entry(object.clone()).or_default().insert(path);
            } else if let Some((name, _)) = line.split_once(": #deps") {
                object = name.to_owned();
            }
        }
        inputs
    }

    /// Checks that the files compiled since `before` are those that the changed texts require.
    fn check(&self, before: &Built, library: &Path, command: &str) {
        let changed = |path: &PathBuf| self.texts.get(path) != before.texts.get(path);
        let changed: BTreeSet<&PathBuf> = self.texts.keys().filter(|path| changed(path)).collect();
        let reads = |(object, inputs): (String, BTreeSet<PathBuf>)| {
            let touched = inputs.iter().any(|path| changed.contains(path));
            (touched && object.ends_with(".o")).then_some(object)
        };
        let expected: BTreeSet<String> = Built::inputs(library).into_iter().filter_map(reads).collect();
        let is_new = |(object, line): &(&String, &String)| before.log.get(*object) != Some(*line);
        let compiled: BTreeSet<String> = self.log.iter().filter(is_new).map(|(object, _)| object.clone()).collect();
        assert_eq!(compiled, expected, "`{command}` compiled other files than those whose text changed: {changed:#?}");
        assert!(compiled.len() < self.log.len(), "`{command}` compiled everything");
    }
}

/// Replays a document, and returns whether it builds a library with Ninja.
fn check(document: &str) -> bool {
    check_all(torch(), &[document.to_owned()])
}

/// Replays documents, each of which continues the one before, in an environment.
fn check_all(torch: &Torch, documents: &[String]) -> bool {
    let read = |document: &String| std::fs::read_to_string(root().join(document)).expect("the document");
    let text: Vec<String> = documents.iter().map(read).collect();
    let document = documents.join(", ");
    let steps = steps(&text.join("\n"));
    assert!(steps.len() > 5, "{document} has {} steps only", steps.len());
    let work = tempfile::tempdir().expect("a temporary directory");
    let mut dir: PathBuf = work.path().to_owned();
    let mut built: Option<Built> = None;
    for step in steps {
        match step {
            Step::Write { path, text, append } => {
                let path = dir.join(path);
                let before =
                    if append { std::fs::read_to_string(&path).expect("what is added to") } else { String::new() };
                std::fs::create_dir_all(path.parent().expect("a directory")).expect("a new directory");
                std::fs::write(&path, before + &text).expect("a writable file");
            }
            Step::Run { commands, fails } => {
                let last = commands.len() - 1;
                for (i, (command, expected)) in commands.into_iter().enumerate() {
                    if let Some(to) = command.strip_prefix("cd ") {
                        dir.push(to);
                        continue;
                    }
                    let (success, found) = match quickly(&command) {
                        None => shell(torch, &command, &dir),
                        Some([command, own]) => {
                            let (compiles, found) = shell(torch, &own, &dir);
                            assert!(compiles, "`{own}` in {document}:\n{found}");
                            shell(torch, &command, &dir)
                        }
                    };
                    assert!(success != (fails && i == last), "`{command}` in {document}:\n{found}");
                    if command.starts_with("ninja -C build") {
                        let now = Built::look(&dir);
                        if let Some(before) = &built {
                            now.check(before, &dir, &command);
                        }
                        built = Some(now);
                    }
                    let (expected, lines): (Vec<&str>, Vec<&str>) =
                        (expected.lines().collect(), found.lines().collect());
                    assert!(
                        matches(&expected, &lines),
                        "`{command}` in {document} prints other than it says:\n{found}"
                    );
                }
            }
        }
    }
    built.is_some()
}

fn the_walk_through_works_as_written() {
    assert!(check("docs/walkthrough.md"), "it builds nothing");
}

fn the_page_of_the_stable_abi_works_as_written() {
    check_all(torch(), &["library", "calls", "check", "port"].map(|part| format!("docs/stable-abi-{part}.md")));
}

fn the_page_of_structured_kernels_works_as_written() {
    check("docs/structured-kernels.md");
}

fn the_page_of_autocast_works_as_written() {
    check("docs/autocast.md");
}

fn the_page_of_a_device_works_as_written() {
    check("docs/device-tutorial.md");
}

fn the_page_of_the_model_works_as_written() {
    check("docs/model.md");
}

fn the_page_of_adopting_works_as_written() {
    check_all(adopted(), &["docs/adopt.md".to_owned()]);
}

fn the_page_of_own_generators_works_as_written() {
    check("docs/own-generators.md");
}

fn steps_are_read() {
    let document = "<!-- file: a -->\n\n```yaml\nx\n```\nSo:\n\n```console\n$ ls\na\n$ true\n```\n<!-- fails -->\n```console\n$ false\n```\n";
    let expected = vec![
        Step::Write { path: "a".into(), text: "x\n".into(), append: false },
        Step::Run { commands: vec![("ls".into(), "a\n".into()), ("true".into(), String::new())], fails: false },
        Step::Run { commands: vec![("false".into(), String::new())], fails: true },
    ];
    assert_eq!(steps(document), expected);
    assert!(matches(&["a", "...", "z …s"], &["a", "b", "c", "z 12s"]));
    assert!(!matches(&["a"], &["b"]));
}
