//! Compiles edited formulas, and finds the formula of each error.
//!
//! Invariant: a formula has an error if the compiler has one in the code of its operator, or in a
//! template that this code uses.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::edit::renamed_words;
use super::{Case, is_whole, write};
use crate::support::cxx::errors_by_place;
use crate::support::torch::torch;

/// The first error of each operator whose formula does not compile.
pub(super) fn errors(accepted: &[Case], refused: &[&Case]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    // A formula that is not whole would move the errors of others.
    for case in accepted.iter().chain(refused.iter().copied()).filter(|case| !is_whole(&case.formula)) {
        found.insert(case.name.clone(), "brackets or comments are not closed, or it has a list of Python".to_owned());
    }
    loop {
        let accepted: Vec<&Case> = accepted.iter().filter(|case| !found.contains_key(&case.name)).collect();
        let refused: Vec<&Case> = refused.iter().copied().filter(|case| !found.contains_key(&case.name)).collect();
        match compiled(&accepted, &refused) {
            Ok(errors) => {
                for (name, error) in errors {
                    found.entry(name).or_insert(error);
                }
                return found;
            }
            // The compiler does not find the end of its function: once more without it.
            Err((name, error)) => assert!(found.insert(name, error).is_none(), "a new operator"),
        }
    }
}

/// The errors by operator, or the operator after which the compiler's errors mean nothing.
fn compiled(accepted: &[&Case], refused: &[&Case]) -> Result<Vec<(String, String)>, (String, String)> {
    let (directory, out) = (tempfile::tempdir().expect("a directory"), tempfile::tempdir().expect("a directory"));
    let (directory, out) = (directory.path(), out.path());
    let plain = accepted.iter().map(|case| case.original.entries(&case.name, &case.formula));
    let framed = refused.iter().map(|case| case.original.entries(&case.name, &case.original.frame(&case.formula)));
    let entries: Vec<_> = plain.chain(framed).collect();
    write(directory, &entries.iter().collect::<Vec<_>>());
    torch().generate(directory, out);
    // Helpers have the same names in all sources.
    let mut together: BTreeMap<String, String> = BTreeMap::new();
    let mut texts = BTreeMap::new();
    for path in sources(out) {
        let text = std::fs::read_to_string(&path).expect("a generated file");
        let text = unframed(&text, refused);
        std::fs::write(&path, &text).expect("a generated file");
        let file = format!("src/{}", path.file_name().expect("a file").to_string_lossy());
        let part: String = file.chars().filter(char::is_ascii_digit).collect();
        *together.entry(format!("unity_{part}.cpp")).or_default() += &format!("#include \"{file}\"\n");
        texts.insert(file, text);
    }
    let header = "include/edit/AutogradFunctions.h";
    texts.insert(header.to_owned(), std::fs::read_to_string(out.join(header)).unwrap_or_default());
    let program = together.iter().fold(torch().cxx("edits"), |program, (name, text)| program.text(name, text));
    let said = program.include(out).include(out.join("include")).include(directory).errors();
    let place = |line: &str| {
        let (file, text) = texts.iter().find(|(file, _)| line.contains(&format!("{file}:")))?;
        let number = line.split_once(&format!("{file}:"))?.1.split(':').next()?.parse::<usize>().ok()?;
        operator(text, number)
    };
    errors_by_place(&said, &place)
}

/// The generated sources with formulas.
fn sources(out: &Path) -> Vec<PathBuf> {
    let all = std::fs::read_dir(out.join("src")).expect("sources were generated");
    let is = |path: &PathBuf| {
        let name = path.file_name().expect("a file").to_string_lossy();
        name.starts_with("Library_")
    };
    let mut all: Vec<PathBuf> = all.map(|entry| entry.expect("a readable entry").path()).filter(is).collect();
    all.sort();
    all
}

/// A generated file with the refused formulas in place of their frames.
fn unframed(text: &str, refused: &[&Case]) -> String {
    let by_name: BTreeMap<&str, &&Case> = refused.iter().map(|case| (case.name.as_str(), case)).collect();
    let line = |line: &str| {
        let Some((code, comment)) = line.rsplit_once(" // formula for ") else { return line.to_owned() };
        let Some(case) = comment.rsplit_once("edit::").and_then(|(_, name)| by_name.get(name)) else {
            return line.to_owned();
        };
        let Some(start) = code.find("kept_") else { return line.to_owned() };
        let frame = code[start..].to_owned();
        let tokens = super::tokens::Tokens::new(&frame);
        let call = tokens.calls().into_iter().next().expect("a frame is a call");
        let values: Vec<String> = call.arguments.iter().map(|range| tokens.0[range.clone()].concat()).collect();
        let names = case.original.names(&case.formula);
        assert_eq!(names.len(), values.len(), "{line}");
        let rest = tokens.0[call.close + 1..].concat();
        format!("{}{}{rest} // formula for {comment}", &code[..start], renamed_words(&case.formula, &names, &values))
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

/// The operator whose code has a line.
fn operator(text: &str, number: usize) -> Option<String> {
    let lines: Vec<&str> = text.lines().take(number).collect();
    lines.iter().rev().find_map(|line| {
        let rest = line.strip_prefix("// ")?;
        let rest = rest.strip_prefix("The derivative of ").unwrap_or(rest).strip_prefix("edit::")?;
        Some(rest.split('(').next()?.to_owned())
    })
}
