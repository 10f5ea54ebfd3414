//! Sources as texts, and the calls that they make.

mod hostile;
mod macros;
mod scan;

use std::path::PathBuf;

use crate::{Registrations, Texts, registrations, words};

/// What files register, the first of which are the sources: a line for each call, with its
/// condition; then a line for each problem, with its place.
fn read(files: &[(&str, &str)]) -> Vec<String> {
    let mut texts = Texts::default();
    let paths: Vec<PathBuf> = files.iter().map(|(path, text)| texts.add(path, text)).collect();
    let found = registrations(&paths, &[], &mut texts).expect("texts");
    let mut lines = shown(&found);
    for problem in &found.problems {
        let (line, column) = texts.sources.line_col(problem.place);
        lines.push(format!("{}:{line}:{column}: {}", texts.sources.path(problem.place.file), problem.message));
    }
    lines
}

/// The calls of sources.
fn shown(found: &Registrations) -> Vec<String> {
    let call = |call: &crate::Call| {
        let arguments: Vec<String> = call
            .arguments
            .iter()
            .map(|argument| argument.literal.as_ref().map_or(&argument.text, |literal| &literal.text).clone())
            .collect();
        let key = call.key.as_ref().map(|key| format!("[{key}]")).unwrap_or_default();
        let condition = words(&found.conditions, call.condition).map(|text| format!(" if {text}")).unwrap_or_default();
        format!("{}{key} {}({}){condition}", call.namespace.text, call.function, arguments.join("; "))
    };
    found.calls.iter().map(call).collect()
}

/// Checks what one source registers.
#[track_caller]
fn check(source: &str, expected: &[&str]) {
    assert_eq!(read(&[("a.cpp", source)]), expected, "{source}");
}

/// Checks what the body of a block registers, with lines before the block.
#[track_caller]
fn check_block(before: &str, body: &str, expected: &[&str]) {
    check(&format!("{before}\nTORCH_LIBRARY(ns, m) {{\n{body}\n}}\n"), expected);
}
