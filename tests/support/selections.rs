//! Runs that select other operators each time, between edits of inputs and outputs.
//!
//! After each run, its files must be those of a run with the same flags into an empty directory,
//! from a copy of the source path that got the same edits.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::processor;
use super::pytorch::copy;
use super::random::Random;

const OPERATORS: [&str; 5] = ["aten::scale", "aten::shift", "aten::fill_with", "aten::flip_sign", "aten::count"];
const KEYS: [&str; 4] = ["CPU", "CUDA", "Meta", "QuantizedCPU"];
/// Flags that change other files than a selection does.
const OTHERS: [&str; 4] = ["", "--per-operator-headers", "--static-dispatch-backend CPU", "--rocm"];

/// A source path, and the directory that is written to.
struct Side {
    dir: tempfile::TempDir,
}

impl Side {
    fn new() -> Side {
        let dir = tempfile::tempdir().expect("a temporary directory");
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mini/source"), &dir.path().join("source"));
        Side { dir }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Runs, and returns the number of texts that were rendered, if it was not skipped.
    fn run(&self, flags: &str) -> Option<u64> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
        command.args("generate -s source -d out --aoti-install-dir out/aoti --timings".split(' '));
        command.args(flags.split_whitespace()).current_dir(self.dir.path());
        let done = processor::output(&mut command).expect("the program runs");
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{flags}: {said}");
        let line = said.lines().find(|line| line.ends_with("rendered, fragments and files"))?;
        line.split_whitespace().next()?.parse().ok()
    }

    /// Every output and its bytes.
    fn outputs(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let dir = self.path("out");
        let files = walkdir::WalkDir::new(&dir).into_iter().filter_map(Result::ok).map(walkdir::DirEntry::into_path);
        let files = files.filter(|path| path.is_file() && !path.ends_with(".torchgen-rs.manifest"));
        files
            .map(|path| (path.strip_prefix(&dir).expect("below").to_owned(), fs::read(&path).expect("a file")))
            .collect()
    }

    fn append(&self, name: &str, text: &str) {
        let path = self.path(name);
        let old = fs::read_to_string(&path).expect("a file");
        fs::write(path, old + text).expect("a file that can be written");
    }
}

/// Some of the words, as values of a flag.
fn some(random: &mut Random, flag: &str, words: &[&str]) -> String {
    let kept: Vec<&str> = words.iter().copied().filter(|_| random.once_in(2)).collect();
    if kept.is_empty() { String::new() } else { format!(" {flag} {}", kept.join(" ")) }
}

fn selection(random: &mut Random) -> String {
    let mut flags = String::new();
    if !random.once_in(4) {
        flags += &some(random, "--op-registration-whitelist", &OPERATORS);
    }
    if random.once_in(2) {
        flags += &some(random, "--backend-whitelist", &KEYS);
    }
    for flag in [" --skip-dispatcher-op-registration", " --force-schema-registration"] {
        if random.once_in(6) {
            flags += flag;
        }
    }
    flags
}

/// Changes inputs on both sides, or outputs on one.
fn edit(random: &mut Random, sides: [&Side; 2], step: usize) {
    let [kept, _] = sides;
    let outputs: Vec<PathBuf> = kept.outputs().into_keys().collect();
    let output = random.pick(&outputs).map(|name| kept.path("out").join(name));
    match random.below(12) {
        0 => sides.iter().for_each(|side| {
            let operator = format!("\n- func: made_{step}(Tensor self) -> Tensor\n  dispatch: {{CPU: made_{step}}}\n");
            side.append("source/native/native_functions.yaml", &operator);
        }),
        1 => sides.iter().for_each(|side| side.append("source/templates/Functions.h", &format!("// {step}\n"))),
        2 => sides.iter().for_each(|side| side.append("source/native/tags.yaml", "\n# nothing\n")),
        3 => drop(output.map(fs::remove_file)),
        4 => drop(output.map(|path| fs::write(path, "edited"))),
        // Another file of the same length.
        5 => drop(output.map(|path| {
            let text: Vec<u8> = fs::read(&path)?.iter().map(|byte| byte ^ 1).collect();
            fs::remove_file(&path)?;
            fs::write(path, text)
        })),
        6 => drop(fs::remove_file(kept.path("out/.torchgen-rs.manifest"))),
        _ => {}
    }
}

/// That many random runs. Some must have rendered less, or nothing was tested.
pub(crate) fn check(seed: u64, runs: usize) {
    let random = &mut Random(seed);
    let [mut kept, mut fresh] = [Side::new(), Side::new()];
    let (mut others, mut fewer) = ("", 0);
    for step in 0..runs {
        if step % 40 == 39 {
            // Or the sources would grow.
            [kept, fresh] = [Side::new(), Side::new()];
        }
        edit(random, [&kept, &fresh], step);
        if random.once_in(5) {
            others = random.pick(&OTHERS).expect("a flag");
        }
        let flags = format!("{others}{}", selection(random));
        let rendered = kept.run(&flags);
        if fresh.path("out").exists() {
            fs::remove_dir_all(fresh.path("out")).expect("the outputs");
        }
        let all = fresh.run(&flags).expect("a run into an empty directory");
        fewer += usize::from(rendered.is_some_and(|rendered| rendered * 5 < all * 4));
        let has = kept.outputs();
        for (path, text) in fresh.outputs() {
            assert!(has.get(&path) == Some(&text), "seed {seed}, run {step}, {flags}: {} differs", path.display());
        }
    }
    assert!(fewer * 5 > runs, "only {fewer} of {runs} runs kept files");
}
