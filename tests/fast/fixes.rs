//! `check --fix`: what it changes, that the result passes, and what it refuses.
//!
//! Each wrong example of a code's page, and each of `tests/mistakes`, is fixed too; `tests/fixes`
//! has more: their block `diff fix` has what `--fix` changes, then what `--unsafe-fixes` adds, and
//! the codes that are left.
//! `UPDATE_EXPECT=1 cargo test --test fast fixes:: mistakes::` writes the texts again.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use libtest_mimic::Trial;
use regex::Regex;
use serde_json::Value;
use tempfile::TempDir;

use crate::cases::{self, Case, program};
use crate::expected::difference;
use crate::random::Random;
use crate::{copy, root};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    let others = trials![
        bytes_beside_a_fix_stay,
        nothing_is_written_that_may_not_be,
        a_diff_writes_nothing,
        json_has_the_fixes,
        random_mistakes_are_fixed_or_left,
    ];
    cases::trials("fixes", check).into_iter().chain(others).collect()
}

/// The block of a case with what is fixed.
pub(crate) const BLOCK: &str = "diff fix";

/// A library in a new directory.
fn library(text: impl AsRef<[u8]>) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("native_functions.yaml"), text).expect("a file");
    directory
}

/// Runs `check` on the library of a directory.
fn check_library(directory: &TempDir, flags: &[&str]) -> (Option<i32>, String, String) {
    run(directory.path(), ["check", "-s", "."].map(str::to_owned).to_vec(), flags)
}

/// Runs the program in a directory. Returns the status and what it printed.
fn run(directory: &Path, words: Vec<String>, flags: &[&str]) -> (Option<i32>, String, String) {
    let output = program(directory).args(words).args(flags).output().expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    crate::reported::note(&said);
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned(), said)
}

/// The YAML files of a directory and below, with their texts.
fn texts(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let walk = walkdir::WalkDir::new(directory).sort_by_file_name().into_iter().flatten();
    let files =
        walk.filter(|entry| entry.file_type().is_file() && entry.path().extension().is_some_and(|e| e == "yaml"));
    let name = |path: &Path| path.strip_prefix(directory).expect("below").display().to_string();
    files.map(|entry| (name(entry.path()), fs::read(entry.path()).expect("a file"))).collect()
}

/// What a run with fixes changes, as a patch without heads of files that are alone.
fn patch(before: &[(String, Vec<u8>)], after: &[(String, Vec<u8>)]) -> String {
    let mut text = String::new();
    for ((name, old), (_, new)) in before.iter().zip(after).filter(|(old, new)| old != new) {
        let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
        let diff = similar::TextDiff::from_lines(&*old, &*new);
        text.push_str(&diff.unified_diff().context_radius(1).header(name, name).to_string());
    }
    text
}

/// What `check` with these arguments fixes in a directory: what is certain, what is likely beyond,
/// and the codes that remain. `None` if nothing is fixed.
///
/// What is left has no more fixes, and likely ones after the certain ones are those of one run.
pub(crate) fn fixed(directory: &Path, words: &[String]) -> Result<Option<(String, String, Vec<String>)>, String> {
    const ALL: &[&str] = &["--fix", "--unsafe-fixes"];
    let step = |flags: &[&str]| {
        let (status, _, said) = run(directory, words.to_vec(), flags);
        match status {
            Some(0 | 1) => Ok(Some((texts(directory), said))),
            // A file cannot be read.
            Some(2) => Ok(None),
            _ => Err(format!("{flags:?} ends with {status:?}:\n{said}")),
        }
    };
    // Most have no fixes, which one run shows.
    let original = texts(directory);
    let Some((all, said)) = step(ALL)?.filter(|(all, _)| *all != original) else { return Ok(None) };
    if said.contains("[TG") && step(ALL)?.is_none_or(|(again, _)| again != all) {
        return Err("a second run fixes more".to_owned());
    }
    for (name, text) in &original {
        fs::write(directory.join(name), text).map_err(|error| format!("{name}: {error}"))?;
    }
    let Some((certain, _)) = step(&["--fix"])? else { return Ok(None) };
    let of_both = certain != original && certain != all;
    if of_both && step(ALL)?.is_none_or(|(likely, _)| likely != all) {
        return Err("likely fixes after the certain ones end with another text than all at once".to_owned());
    }
    let codes = Regex::new(r"(?m)^(?:error|warning)\[(TG\d+)\]").expect("a pattern");
    let left = codes.captures_iter(&said).map(|found| found[1].to_owned()).collect();
    Ok(Some((patch(&original, &certain), patch(&certain, &all), left)))
}

/// What is fixed of a case, as its block has it.
pub(crate) fn of_case(case: &Case) -> Result<String, String> {
    let [words] = &case.commands[..] else { return Err("a case with fixes has one command".to_owned()) };
    if words[0] != "check" {
        return Ok(String::new());
    }
    let directory = tempfile::tempdir().expect("a directory");
    case.write_files(directory.path());
    let Some((certain, likely, left)) = fixed(directory.path(), words)? else { return Ok(String::new()) };
    let likely = if likely.is_empty() { likely } else { format!("# --unsafe-fixes\n{likely}") };
    let left: Vec<String> = left.iter().map(|code| format!(" {code}")).collect();
    let left = if left.is_empty() { "# passes\n".to_owned() } else { format!("# left:{}\n", left.concat()) };
    Ok([certain, likely, left].concat())
}

fn check(case: &Path) -> Result<(), String> {
    let case = Case::read(case, &[BLOCK])?;
    let directory = tempfile::tempdir().expect("a directory");
    case.write_files(directory.path());
    match of_case(&case)? {
        fixed if fixed.is_empty() => Err("nothing is fixed".to_owned()),
        fixed => case.compare_blocks(&[("console", &case.console(directory.path())?), (BLOCK, &fixed)]),
    }
}

/// Encodings, line ends, block scalars, anchors and long lines are as before.
fn bytes_beside_a_fix_stay() {
    let long = "x".repeat(20_000);
    let text = format!(
        "# é𝛼 {long}\r\n- func: mine::a(Tenser x) -> Tensor\r\n  doc: |\r\n    two\r\n      lines\r\n  dispatch: &d\r\n    \
         CPUU: k  # 𝛼\r\n- func: mine::b(Tensor x) -> Tensor\r\n  dispatch: *d\r\n"
    );
    let right = text.replace("Tenser", "Tensor").replace("CPUU", "CPU");
    let utf16 = |text: &str| {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>()
    };
    let marked = |text: &str| format!("\u{feff}{text}").into_bytes();
    let plain = |text: &str| text.as_bytes().to_vec();
    for encode in [&plain as &dyn Fn(&str) -> Vec<u8>, &marked, &utf16] {
        let directory = library(encode(&text));
        let (status, _, said) = check_library(&directory, &["--fix"]);
        assert!(fs::read(directory.path().join("native_functions.yaml")).expect("a file") == encode(&right), "{said}");
        assert_eq!(status, Some(0), "{said}");
        assert!(said.contains("fixed 2 places in 1 file"), "{said}");
    }
}

const MISSPELT: &str = "- func: mine::a(Tenser x) -> Tensor\n  dispatch:\n    CPU: a\n";

/// Files that are read-only, or of somebody else.
fn nothing_is_written_that_may_not_be() {
    let directory = library(MISSPELT);
    let path = directory.path().join("native_functions.yaml");
    let mut permissions = fs::metadata(&path).expect("a file").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).expect("permissions");
    let (status, _, said) = check_library(&directory, &["--fix"]);
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("it is read-only"), "{said}");
    assert_eq!(fs::read_to_string(&path).expect("a file"), MISSPELT);

    let directory = tempfile::tempdir().expect("a directory");
    fs::create_dir(directory.path().join("lib")).expect("a directory");
    for (name, text) in [
        ("lib/library.yaml", "include: [../shared.yaml]\n"),
        ("lib/native_functions.yaml", &MISSPELT.replace("::a", "::b")),
        ("shared.yaml", MISSPELT),
    ] {
        fs::write(directory.path().join(name), text).expect("a file");
    }
    let (status, _, said) = run(directory.path(), ["check", "-s", "lib"].map(str::to_owned).to_vec(), &["--fix"]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("warning[TG0011]") && said.contains("is not in the sources"), "{said}");
    let text = |name: &str| fs::read_to_string(directory.path().join(name)).expect("a file");
    assert_eq!(text("shared.yaml"), MISSPELT);
    assert!(text("lib/native_functions.yaml").contains("Tensor x"));
}

/// `--diff` prints a patch, and what is left after it.
fn a_diff_writes_nothing() {
    let directory = library(MISSPELT);
    let (status, patch, said) = check_library(&directory, &["--fix", "--diff"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(patch.contains("-- func: mine::a(Tenser x) -> Tensor\n+- func: mine::a(Tensor x) -> Tensor\n"), "{patch}");
    assert!(said.contains("would fix 1 place in 1 file"), "{said}");
    let path = directory.path().join("native_functions.yaml");
    assert_eq!(fs::read_to_string(path).expect("a file"), MISSPELT);
    for flags in [&["--diff"][..], &["--unsafe-fixes"]] {
        assert_eq!(check_library(&directory, flags).0, Some(2), "{flags:?} needs --fix");
    }
}

/// The edits for programs.
fn json_has_the_fixes() {
    let directory = library(MISSPELT.replace("Tenser", "𝛼Tenser"));
    let (_, _, said) = check_library(&library(MISSPELT), &["--message-format", "json"]);
    let line: Value = serde_json::from_str(said.lines().next().expect("a line")).expect("JSON");
    let edit = &line["fixes"][0]["edits"][0];
    assert_eq!(line["fixes"][0]["applicability"], "certain");
    assert_eq!((&edit["line"], &edit["column"], &edit["end_column"]), (&1.into(), &17.into(), &23.into()));
    assert_eq!((&edit["old"], &edit["new"]), (&"Tenser".into(), &"Tensor".into()));
    let (_, _, said) = check_library(&directory, &["--message-format", "json"]);
    assert!(!said.contains("\"fixes\""), "a name that is not near anything has no fix: {said}");
}

/// Mistakes at random places of files of each family: nothing panics, fixes end, a second run has
/// nothing to do, and no error is elsewhere that was not there before.
fn random_mistakes_are_fixed_or_left() {
    const MISTAKES: u64 = 8;
    let sources = [
        ("opkit/native_functions.yaml", "check -s opkit"),
        ("opkit/derivatives.yaml", "check -s opkit"),
        ("families/graph-ir/example/nodes.yaml", "check -s families/graph-ir/example"),
        ("families/tensor-ir/example/exprs.yaml", "check -s families/tensor-ir/example"),
        ("families/op-builders/example/linear.yaml", "check -s families/op-builders/example"),
    ];
    let directory = tempfile::tempdir().expect("a directory");
    copy(&root().join("families"), &directory.path().join("families"));
    fs::create_dir(directory.path().join("opkit")).expect("a directory");
    for name in ["native_functions.yaml", "library.yaml", "derivatives.yaml", "derivatives_manual.h"] {
        fs::copy(root().join(name), directory.path().join("opkit").join(name)).expect("a file");
    }
    let mut random = Random(14);
    let mut changed = 0;
    for at in 0..MISTAKES {
        let (file, command) = sources[at as usize % sources.len()];
        let path = directory.path().join(file);
        let original = fs::read_to_string(&path).expect("a file");
        let text = mistaken(&original, &mut random);
        fs::write(&path, &text).expect("a file");
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        let errors = |flags: &[&str]| {
            let (status, _, said) = run(directory.path(), [words.clone(), json_words()].concat(), flags);
            assert!(matches!(status, Some(0 | 1)), "{status:?} of\n{text}\n{said}");
            let lines = said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            lines.filter(|of| of["severity"] == "error").collect::<Vec<Value>>()
        };
        let shown = |of: &Value| (of["code"].to_string(), of["message"].to_string());
        let before: BTreeSet<_> = errors(&[]).iter().map(shown).collect();
        let after = errors(&["--fix", "--unsafe-fixes"]);
        let new = fs::read_to_string(&path).expect("a file");
        changed += u64::from(new != text);
        let untouched = |of: &Value| {
            let line = of["line"].as_u64().and_then(|line| new.lines().nth(line as usize - 1));
            line.is_some_and(|line| original.lines().any(|own| own == line))
        };
        for of in after.iter().filter(|of| untouched(of)) {
            assert!(before.contains(&shown(of)), "{of} is new after the fix of\n{}", difference(&text, &new));
        }
        errors(&["--fix", "--unsafe-fixes"]);
        assert_eq!(fs::read_to_string(&path).expect("a file"), new, "a second run fixes more of\n{text}");
        fs::write(&path, original).expect("a file");
    }
    assert!(changed >= MISTAKES / 4, "only {changed} mistakes are fixed");
}

fn json_words() -> Vec<String> {
    ["--message-format", "json"].map(str::to_owned).to_vec()
}

/// A text with a slip in one word, or a sign too many or too few.
fn mistaken(text: &str, random: &mut Random) -> String {
    let words: Vec<_> = Regex::new(r"[A-Za-z_]{4,}|[(),:!>\[\]]").expect("a pattern").find_iter(text).collect();
    let word = random.pick(&words).expect("a word");
    let mut letters: Vec<char> = word.as_str().chars().collect();
    let at = random.below(letters.len() as u64) as usize;
    match random.below(4) {
        0 => letters.insert(at, letters[at]),
        1 if at > 0 => letters.swap(at - 1, at),
        2 if letters.len() > 1 => drop(letters.remove(at)),
        _ => letters[at] = if letters[at].is_alphabetic() { 'x' } else { ' ' },
    }
    let new: String = letters.into_iter().collect();
    [&text[..word.start()], &new, &text[word.end()..]].concat()
}
