//! Cases: each is one Markdown file with the input files, the command and the expected text.
//!
//! What is in no block of code is for readers. The first word of a block is its language, and the
//! next one is the name of an input file, or what else it has:
//!
//! | block | content |
//! | --- | --- |
//! | `yaml lib/library.yaml` | that file, whose lines end without spaces |
//! | `yaml lib/library.yaml escaped` | the same with escapes such as `\xff`; a `\` at the very end leaves out the last line end |
//! | `console` | lines `$ torchgen-rs …`, what each prints as errors, and `status 1` |
//! | `diff fix` | what `check --fix` changes |
//! | `diff edit` | how the files of a folder are changed |
//!
//! A folder beside, with the name of the case, has its binary files. `UPDATE_EXPECT=1` writes the
//! last lines of `console`, and `diff fix`.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use libtest_mimic::{Failed, Trial};
use regex::Regex;

use super::expected::compare_with_file;
use super::pytorch::{copy, root};

/// The languages of blocks with input files.
const LANGUAGES: &[&str] = &["cpp", "ini", "json", "python", "text", "yaml"];

/// A block of code in Markdown.
pub(crate) struct Block<'text> {
    /// What is after the opening fence.
    pub(crate) info: &'text str,
    pub(crate) text: &'text str,
    /// Where it is, with its fences.
    place: Range<usize>,
}

/// The blocks of code of a page.
pub(crate) fn blocks(page: &str) -> Result<Vec<Block<'_>>, String> {
    let mut found: Vec<Block> = Vec::new();
    let (mut at, mut open) = (0, None);
    for line in page.split_inclusive('\n') {
        let end = at + line.len();
        match (open, line.strip_prefix("```").map(str::trim)) {
            (None, Some("")) => return Err(format!("a block without a language: {}", &page[at..])),
            (None, Some(info)) => open = Some((info, at, end)),
            (Some((info, start, text)), Some("")) => {
                found.push(Block { info, text: &page[text..at], place: start..end });
                open = None;
            }
            (Some((info, ..)), Some(other)) => return Err(format!("`{other}` begins in the block `{info}`")),
            (_, None) => {}
        }
        at = end;
    }
    match open {
        Some((info, ..)) => Err(format!("the block `{info}` has no end")),
        None => Ok(found),
    }
}

/// The page with this text in a block, which is the last one if it is new, and is left out if it
/// is empty.
fn with_block(page: &str, info: &str, text: &str) -> Result<String, String> {
    let block = if text.is_empty() { String::new() } else { format!("```{info}\n{text}```\n") };
    let old = blocks(page)?.into_iter().find(|old| old.info == info).map(|old| old.place);
    let place = old.unwrap_or(page.len()..page.len());
    let (before, after) = (page[..place.start].trim_end(), &page[place.end..]);
    let new = if block.is_empty() { format!("{before}\n{after}") } else { format!("{before}\n\n{block}{after}") };
    blocks(&new).map(|_| new.trim_start().to_owned())
}

/// The bytes of a text with escapes such as `\xff`.
pub(crate) fn unescaped(text: &str) -> Vec<u8> {
    let mut parts = text.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_owned();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).expect("two digits"));
        bytes.extend(&part.as_bytes()[2..]);
    }
    if bytes.ends_with(b"\\\n") {
        bytes.truncate(bytes.len() - 2);
    }
    bytes
}

/// torchgen-rs in a directory, where it finds no PyTorch but that of the directory.
pub(crate) fn program(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    ["PATH", "VIRTUAL_ENV", "CONDA_PREFIX"].iter().for_each(|name| _ = command.env_remove(name));
    command.current_dir(directory).env("NO_COLOR", "1");
    command
}

/// A case, whose blocks have been checked.
pub(crate) struct Case {
    path: PathBuf,
    page: String,
    /// The input files: their names and their bytes.
    pub(crate) files: Vec<(String, Vec<u8>)>,
    /// The arguments of each run of the program.
    pub(crate) commands: Vec<Vec<String>>,
}

impl Case {
    /// That of a file, which may have blocks of these kinds beside its files and its commands.
    pub(crate) fn read(path: &Path, kinds: &[&str]) -> Result<Case, String> {
        let page = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let (mut files, mut commands, mut names) = (Vec::new(), Vec::new(), BTreeSet::new());
        for Block { info, text, .. } in blocks(&page)? {
            let words: Vec<&str> = info.split(' ').collect();
            let name = if words.len() == 1 || kinds.contains(&info) { info } else { words[1] };
            if !names.insert(name.to_owned()) {
                return Err(format!("`{name}` is twice in the case"));
            }
            match &words[..] {
                ["console"] => {
                    let lines = text.lines().filter_map(|line| line.strip_prefix("$ torchgen-rs"));
                    commands.extend(lines.map(|line| line.split_whitespace().map(str::to_owned).collect()));
                }
                _ if kinds.contains(&info) => {}
                [language, name, "escaped"] if LANGUAGES.contains(language) => {
                    files.push((name.to_string(), unescaped(text)));
                }
                [language, name] if LANGUAGES.contains(language) => {
                    if let Some(line) = text.lines().find(|line| line.ends_with([' ', '\t', '\r'])) {
                        return Err(format!("`{name}` has spaces at the end of a line; write them escaped: {line:?}"));
                    }
                    files.push((name.to_string(), text.into()));
                }
                _ => return Err(format!("a case has no block `{info}`")),
            }
        }
        match commands.is_empty() {
            true => Err("a case has a block `console` with `$ torchgen-rs …`".to_owned()),
            false => Ok(Case { path: path.to_owned(), page, files, commands }),
        }
    }

    /// The text of a block.
    pub(crate) fn block(&self, info: &str) -> Option<&str> {
        blocks(&self.page).expect("read before").into_iter().find(|block| block.info == info).map(|block| block.text)
    }

    /// The status with which its last command ends.
    pub(crate) fn status(&self) -> Option<i32> {
        self.block("console")?.lines().last()?.strip_prefix("status ")?.parse().ok()
    }

    /// Writes its input files below a directory.
    pub(crate) fn write_files(&self, directory: &Path) {
        let binary = self.path.with_extension("");
        if binary.is_dir() {
            copy(&binary, directory);
        }
        for (name, bytes) in &self.files {
            let path = directory.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
            fs::write(path, bytes).expect("a new file");
        }
    }

    /// What its commands print to standard error in a directory, with the statuses, as `console`
    /// has it. Runs with errors must not touch the folder `OUT`, which has a file before.
    pub(crate) fn console(&self, directory: &Path) -> Result<String, String> {
        static TIME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\(\d+\.\d+ s\)").expect("a pattern"));
        let (out, mark) = (directory.join("OUT"), directory.join("OUT/mark"));
        let mut console = String::new();
        for command in &self.commands {
            if command.iter().any(|word| word.contains("OUT")) && !out.exists() {
                fs::create_dir(&out).and_then(|()| fs::write(&mark, "old")).map_err(|error| error.to_string())?;
            }
            let output = program(directory).args(command).output().map_err(|error| error.to_string())?;
            let printed = String::from_utf8_lossy(&output.stderr);
            let printed = TIME.replace_all(&printed, "(TIME)");
            let end = if printed.is_empty() || printed.ends_with('\n') { "" } else { "(no line end)\n" };
            let status = output.status.code().ok_or_else(|| format!("{}\n{printed}", output.status))?;
            let words: Vec<&str> = std::iter::once("$ torchgen-rs").chain(command.iter().map(String::as_str)).collect();
            console.push_str(&format!("{}\n{printed}{end}status {status}\n", words.join(" ")));
            let is_touched = |out: &Path| {
                let files = fs::read_dir(out).map_or(0, Iterator::count);
                files != 1 || fs::read_to_string(&mark).ok().as_deref() != Some("old")
            };
            if status != 0 && out.exists() && is_touched(&out) {
                return Err(format!("a run with errors touched the folder OUT\n{console}"));
            }
        }
        Ok(console)
    }

    /// Compares blocks with these texts, or writes them.
    pub(crate) fn compare_blocks(&self, blocks: &[(&str, &str)]) -> Result<(), String> {
        let with = |page: String, (info, text): &(&str, &str)| with_block(&page, info, text);
        compare_with_file(&self.path, &blocks.iter().try_fold(self.page.clone(), with)?)
    }
}

/// The names and the paths of the cases below a folder of `tests/`, and the files that belong to
/// none.
fn found(folder: &str) -> (Vec<(String, PathBuf)>, Vec<String>) {
    let folder = root().join("tests").join(folder);
    // What is in the folder `files`, or in one with the name of a case, is read by cases.
    let is_own = |path: &Path| !path.ends_with("files") && !path.with_extension("md").is_file();
    let walk = walkdir::WalkDir::new(&folder).sort_by_file_name().into_iter();
    let entries = walk.filter_entry(|entry| entry.file_type().is_file() || is_own(entry.path()));
    let files = entries.map(|entry| entry.expect("a readable entry")).filter(|entry| entry.file_type().is_file());
    let (mut cases, mut others) = (Vec::new(), Vec::new());
    for path in files.map(walkdir::DirEntry::into_path) {
        let name = path.strip_prefix(&folder).expect("below").with_extension("").display().to_string();
        match path.extension().is_some_and(|ending| ending == "md") {
            true if path.ends_with("README.md") => {}
            true => cases.push((name, path)),
            false => others.push(path.display().to_string()),
        }
    }
    (cases, others)
}

/// The names and the paths of the cases below a folder of `tests/`.
pub(crate) fn cases(folder: &str) -> Vec<(String, PathBuf)> {
    found(folder).0
}

/// A test for each case below a folder of `tests/`, and one that finds files of no case.
pub(crate) fn trials(folder: &'static str, check: fn(&Path) -> Result<(), String>) -> Vec<Trial> {
    let (cases, others) = found(folder);
    assert!(!cases.is_empty(), "tests/{folder} has no cases");
    let test = |(name, path): (String, PathBuf)| {
        Trial::test(format!("{folder}::{name}"), move || check(&path).map_err(Failed::from))
    };
    let no_others = Trial::test(format!("{folder}::files_belong_to_cases"), move || match others.is_empty() {
        true => Ok(()),
        false => Err(format!("no case has these files: {others:?}").into()),
    });
    cases.into_iter().map(test).chain([no_others]).collect()
}
