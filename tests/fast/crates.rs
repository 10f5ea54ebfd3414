//! The table of crates in ARCHITECTURE is true, the walls between families stay, and their crates
//! have the same plan.
//!
//! rustc and the manifests enforce what a crate can import; these tests keep the manifests honest.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use libtest_mimic::Trial;
use regex::Regex;

use crate::root;
use crate::rules::{check, files, read};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        the_map_is_true,
        families_import_what_is_shared,
        what_serves_all_families_names_none,
        families_have_one_plan
    ]
}

/// What a family may import: never another family.
const SHARED: &[&str] = &["base", "embedded", "kit", "model"];

/// What serves all families.
const FOR_ALL: &[&str] = &["src/cli", "crates/kit/src/driver", "crates/base/src/diag"];

/// Crates that know no family.
const BELOW: &[&str] = &["base", "data", "embedded", "kit", "slabs", "templates"];

/// The modules of a family, each a file or a folder; CONTRIBUTING says what is in them.
const PLAN: &[&str] = &[
    "command", "records", "model", "check", "files", "view", "docs", "explain", "facts", "compared", "codes", "tests",
];

/// Each crate of the workspace and its folder; the program is `torchgen-rs`.
pub(crate) fn folders() -> Vec<(String, PathBuf)> {
    let entries = ["crates", "families"].map(|name| fs::read_dir(root().join(name)).expect("a directory"));
    let crates = entries.into_iter().flatten().map(|entry| entry.expect("a readable directory").path());
    let crates = crates.filter(|path| path.is_dir());
    let folders = crates.chain(["data", "python", "templates"].map(|name| root().join(name)));
    let name = |folder: PathBuf| (folder.file_name().expect("a name").to_string_lossy().into_owned(), folder);
    let mut named: Vec<_> = folders.map(name).collect();
    named.sort();
    named.push(("torchgen-rs".to_owned(), root().to_path_buf()));
    named
}

/// The crates of the families other than PyTorch's: those whose `lib.rs` declares one. They are in
/// `families/`.
pub(crate) fn families() -> Vec<(String, PathBuf)> {
    let declares = |(_, folder): &(String, PathBuf)| {
        let lib = fs::read_to_string(folder.join("src/lib.rs")).expect("a crate");
        lib.lines().any(|line| line.trim_start().starts_with("pub const FAMILY: Family = "))
    };
    let families: Vec<_> = folders().into_iter().filter(declares).collect();
    assert!(families.iter().any(|(name, _)| name == "units"), "{families:?}");
    assert!(families.iter().all(|(name, folder)| *folder == root().join("families").join(name)), "{families:?}");
    families
}

/// The crates of the workspace that each crate's product code imports.
fn imports() -> BTreeMap<String, BTreeSet<String>> {
    let read = |folder: PathBuf| {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        let (_, section) = manifest.split_once("\n[dependencies]\n").unwrap_or(("", ""));
        let section = section.split("\n[").next().unwrap_or("");
        let own = section.lines().filter_map(|line| line.strip_prefix("torchgen-"));
        own.filter_map(|line| line.split(['.', ' ']).next())
            .map(|name| if name == "rs" { "torchgen-rs" } else { name }.to_owned())
            .collect()
    };
    folders().into_iter().map(|(name, folder)| (name, read(folder))).collect()
}

/// The rows of the table, as `| crate | subject | imports |`.
fn rows() -> BTreeMap<String, BTreeSet<String>> {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("a page");
    let (_, table) = page.split_once("| crate | subject | imports |\n| --- | --- | --- |\n").expect("the table");
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let words = cells[2].split(", ").map(|word| word.trim_matches('`').to_owned());
        (cells[0].to_owned(), words.filter(|word| !word.is_empty()).collect())
    };
    table.lines().take_while(|line| line.starts_with('|')).map(row).collect()
}

fn the_map_is_true() {
    let (rows, imports) = (rows(), imports());
    let names: BTreeSet<&String> = rows.keys().chain(imports.keys()).collect();
    let differs = |name: &&String| rows.get(*name) != imports.get(*name);
    let row = |name: &String| {
        let manifest = imports.get(name).map(|imports| imports.iter().map(|name| format!("`{name}`")).collect());
        let manifest = manifest.map(|imports: Vec<_>| imports.join(", "));
        let expected = manifest.map_or("no such crate".to_owned(), |imports| format!("| `{name}` | … | {imports} |"));
        format!("`{name}`: {expected}")
    };
    let wrong: Vec<String> = names.into_iter().filter(differs).map(row).collect();
    check("the table of crates in ARCHITECTURE.md has what the manifests import", &wrong);
}

fn families_import_what_is_shared() {
    let shared: BTreeSet<String> = SHARED.iter().map(|name| (*name).to_owned()).collect();
    let imports = imports();
    for (family, _) in families() {
        let other: Vec<_> = imports[&family].difference(&shared).collect();
        assert!(other.is_empty(), "{family} imports {other:?}");
    }
}

/// The registry alone knows the families; PyTorch's is the default only because it says so.
fn what_serves_all_families_names_none() {
    let crates = folders().into_iter().map(|(name, _)| name).filter(|name| !BELOW.contains(&name.as_str()));
    let crates: Vec<String> = crates.map(|name| name.replace('-', "_")).collect();
    let names =
        format!(r"\btorchgen_({})\b|\b(crate|super)::torch\b|\btorch::|aten/src|native_functions", crates.join("|"));
    let names = Regex::new(&names).expect("a pattern");
    let mut violations = Vec::new();
    for path in FOR_ALL.iter().flat_map(|dir| files(dir, ".rs")) {
        let text = read(&path);
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for (index, line) in code.lines().enumerate().filter(|(_, line)| names.is_match(line)) {
            violations.push(format!("{path}:{}: {}", index + 1, line.trim()));
        }
    }
    check("what serves all families names none", &violations);
}

/// A family has each module of the plan, or says in `lib.rs` why it does without.
fn families_have_one_plan() {
    let mut wrong = Vec::new();
    for (family, folder) in families() {
        let source = folder.join("src");
        let lib = fs::read_to_string(source.join("lib.rs")).expect("a crate");
        let head: String = lib.lines().map_while(|line| line.strip_prefix("//!")).collect();
        if !head.contains("Data flows `records -> model -> ") {
            wrong.push(format!("{family}/src/lib.rs does not name the data flow"));
        }
        for module in PLAN {
            let has = source.join(format!("{module}.rs")).is_file() || source.join(module).join("mod.rs").is_file();
            if has == head.contains(&format!("No `{module}`: ")) {
                wrong.push(match has {
                    true => format!("{family}/src/lib.rs says that there is no `{module}`"),
                    false => {
                        format!("{family} lacks `{module}`, and its lib.rs does not say why: \"No `{module}`: ...\"")
                    }
                });
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
