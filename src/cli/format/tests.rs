//! The formatter on all YAML of the repository: its own, and that of the tests, broken files too.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::files::style;
use crate::fuzzing::assert_same;
use torchgen_base::diag::{Diagnostics, Sources};
use torchgen_base::yaml::format::{Unformatted, format};
use torchgen_base::yaml::{self, Options, decode};

/// All YAML files of the repository.
fn all() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let is_source = |entry: &walkdir::DirEntry| entry.depth() != 1 || entry.file_name() != "target";
    let walk = WalkDir::new(root).sort_by_file_name().into_iter().filter_entry(is_source);
    let paths = walk.map(|entry| entry.expect("a readable directory").into_path());
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml")).collect()
}

/// The YAML in the blocks of the cases of `tests/`, each with the name of its case.
fn blocks_of_cases() -> Vec<(String, Vec<u8>)> {
    let walk = WalkDir::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")).sort_by_file_name();
    let paths = walk.into_iter().map(|entry| entry.expect("a readable directory").into_path());
    let pages = paths.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let blocks = pages.flat_map(|path| {
        let page = std::fs::read_to_string(&path).expect("text");
        let blocks = page.split("\n```\n").filter_map(|block| block.rsplit_once("```yaml ")?.1.split_once('\n'));
        blocks.map(|(_, text)| (path.display().to_string(), format!("{text}\n").into())).collect::<Vec<_>>()
    });
    blocks.collect()
}

/// Formatting keeps the meaning, the comments and the order, and formatted files stay.
#[test]
fn all_yaml_of_the_repository() {
    let mut formatted = 0;
    let files = all().into_iter().map(|path| (path.display().to_string(), std::fs::read(&path).expect("a file")));
    for (name, bytes) in files.chain(blocks_of_cases()) {
        let Ok(text) = decode(&name, bytes) else { continue };
        match format(&text, style(&text), None) {
            Ok(new) => {
                formatted += 1;
                assert_same(&text, &new);
                assert_eq!(format(&new, style(&new), None).as_deref(), Ok(new.as_str()), "{name}, again");
            }
            Err(Unformatted::Syntax) => {
                let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
                let file = sources.add(name.as_str(), text);
                yaml::parse_documents(&sources, file, Options::SAFE_LOAD, &mut found);
                assert!(found.has_errors(), "{name} has no error");
            }
            Err(Unformatted::Meaning) => panic!("{name} would change its meaning"),
        }
    }
    assert!(formatted > 400, "only {formatted} files");
}

/// The bundled library and the examples have the style.
#[test]
fn examples_are_formatted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let is_example = |path: &&PathBuf| {
        let path = path.strip_prefix(root).expect("below the root");
        // `action.yml` is GitHub's.
        path.components().count() == 1 && !path.ends_with("action.yml")
            || path.starts_with("examples")
            || path.starts_with("families") && path.iter().nth(2).is_some_and(|folder| folder == "example")
    };
    let mut wrong = Vec::new();
    for path in all().iter().filter(is_example) {
        let text = std::fs::read_to_string(path).expect("a file");
        if format(&text, style(&text), None).as_deref() != Ok(text.as_str()) {
            wrong.push(path.display().to_string());
        }
    }
    assert!(wrong.is_empty(), "`torchgen-rs format .` formats\n{}", wrong.join("\n"));
}

/// The example of the page.
#[test]
fn the_example_of_the_page() {
    let page =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/formatting.md")).expect("a page");
    let block = |word: &str| {
        let fence = format!("```yaml {word}\n");
        let rest = page.split_once(fence.as_str()).map(|(_, rest)| rest).unwrap_or_default();
        rest.split("```").next().unwrap_or_default().to_owned()
    };
    let (before, after) = (block("before"), block("after"));
    assert!(before.contains("- func:") && before != after);
    assert_eq!(format(&before, style(&before), None), Ok(after));
}

/// Lines may be long, and brackets and comments many.
#[test]
fn long_texts_take_no_long_time() {
    for text in [
        format!("a: [{}[]]\n", "[],".repeat(10_000)),
        format!("a: [{}b]\n", "b,".repeat(10_000)),
        format!("a:\n{} b: c\n", " # c\n".repeat(10_000)),
    ] {
        let start = std::time::Instant::now();
        assert!(format(&text, style(&text), None).is_ok_and(|new| new != text));
        assert!(start.elapsed().as_secs() < 10, "{:?} for {}", start.elapsed(), &text[..20]);
    }
}
