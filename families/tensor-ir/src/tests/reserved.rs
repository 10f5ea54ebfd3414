//! The names that a tensor IR cannot use are those of its templates.
//!
//! `UPDATE_EXPECT=1 cargo test -p torchgen-tensor-ir reserved` writes `data/reserved.txt` again.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use regex::Regex;

use crate::TEMPLATES;

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

/// Names of the templates that nodes can have: the examples and the tests of the family, which are
/// compiled, have nodes and enumerations of these names.
const SAFE: &[&str] =
    &["add", "address_space", "cast", "define", "for_type", "linkage", "lists", "pair", "parallel_attr_t", "same"];

/// The names of element types, which `datatypes::` precedes in generated code.
const ELEMENTS: &[&str] = &["bf16", "f16", "generic", "int8_t", "s8", "u16", "u32", "u8", "uint8_t"];

/// How the names begin that C++ sources have where written files have others.
const STAND_IN: [&str; 2] = ["torchgen_", "TORCHGEN_"];

/// The names in the C++ of a template or a source.
fn names(text: &str) -> BTreeSet<String> {
    let without =
        |text: &str, pattern: &str| Regex::new(pattern).expect("a pattern").replace_all(text, " ").into_owned();
    let patterns = [
        // Comments and blocks of the template; names that it puts together.
        r"(?s)\{#.*?#\}",
        r"(?s)\{%.*?%\}",
        r"(?s)\w*\{\{.*?\}\}\w*",
        // Comments, characters, headers and strings of C++: whatever starts first.
        r#"//.*|'(\\.|[^'\\])'|#include.*|"(\\.|[^"\\])*""#,
    ];
    let text = patterns.iter().fold(text.to_owned(), |text, pattern| without(&text, pattern));
    let word = Regex::new(r"\b[A-Za-z]\w*").expect("a pattern");
    let found = word.find_iter(&text).map(|found| found.as_str().to_owned());
    let written = |name: &String| !name.contains("__") && !STAND_IN.iter().any(|start| name.starts_with(start));
    found.filter(|name| written(name) && ![SAFE, ELEMENTS].concat().contains(&name.as_str())).collect()
}

/// A template with the parts of C++ sources that it writes.
fn with_parts(text: &str) -> String {
    let part = Regex::new(r#"\{\{ plain_body\("([^"]+)"[^}]*\}\}"#).expect("a pattern");
    let body = |found: &regex::Captures| {
        let shared = || fs::read_to_string(Path::new(CRATE).join("../../templates").join(&found[1])).expect("a source");
        let text = TEMPLATES.file_named(&found[1]).map_or_else(shared, |file| file.text().to_owned());
        let (_, body) = text.split_once("\nnamespace torchgen_support").expect("a namespace");
        let (_, body) = body.split_once(" {\n").expect("what the namespace has");
        body.rsplit_once("\n} // namespace torchgen_").expect("its end").0.to_owned()
    };
    part.replace_all(text, body).into_owned()
}

#[test]
fn the_list_is_fresh() {
    let is_cpp = |name: &str| {
        ![".md.j2", "explain.j2"].iter().any(|end| name.ends_with(end))
            && !["/new/", "/parts/"].iter().any(|folder| name.contains(folder))
    };
    let files = TEMPLATES.list().iter().filter(|file| is_cpp(file.name));
    let found: BTreeSet<String> = files.flat_map(|file| names(&with_parts(file.text()))).collect();
    assert!(found.len() > 500);
    let text: String = found.iter().map(|name| format!("{name}\n")).collect();
    let path = Path::new(CRATE).join("data/reserved.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &text).expect("data/ can be written");
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == text, "data/reserved.txt is stale: UPDATE_EXPECT=1 cargo test -p torchgen-tensor-ir reserved");
}
