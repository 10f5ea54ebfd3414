//! The English of messages, comments and documents: the words that CONTRIBUTING.md leaves, and
//! lines that fit into 100 columns.
//!
//! What a program cannot check, such as a sentence that must be read twice, is for reviewers.

use std::fs;

use libtest_mimic::Trial;
use regex::Regex;

use crate::root;
use crate::rules::{check, files, read};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![words_are_plain, words_are_found, lines_of_comments_fit, lines_of_markdown_fit, long_lines_are_found]
}

/// Words to leave, and what to write.
const WORDS: &[(&str, &str)] = &[
    (r"[Ff]aults?\b", "error"),
    (r"\b[Aa]new\b", "again"),
    (r"\b[Tt]wins?\b", "counterpart"),
    (r"\b[Tt]hrice\b", "three times"),
    (r"\b[Hh]eld against\b", "checked against"),
    (r"\b[Ww]hat is said\b", "the message"),
    (r"\b[Ww]hat there is\b", "existing"),
    (r"\b[Ll]ets go of\b", "drops"),
    (r"\b[Tt]old\b", "shown, reported, distinguished"),
    (r"\b[Tt]ells?\b", "shows, reports, distinguishes"),
    (r"\b[Hh]as not the\b", "lacks the"),
    (r"\b[Rr]emark(s|ed)?\b", "lint"),
    (r"\b[Mm]inds\b", "handles"),
    (r"\b[Ss]tands?\b", "is, is declared, goes"),
    (r"\botherwise than\b", "does not match"),
    // "Written" also means authored. PyTorch mutates arguments.
    (r"\b([Uu]n)?[Ww]ritten (arguments?|tensors?|or returned|and returned|but not returned)\b", "mutated"),
    (r"\b[Ww]rit(es|ing) (to )?(its |their |an |any |more than )?(arguments?|`self`|out arguments?)(\W|$)", "mutates"),
    (r"\bmarked as written\b", "mutable"),
    (r"\b[Hh]eads? of (a |the |its |their )?(kernel|declaration|function|operator)", "signature"),
    (r"\b([Kk]ernel|[Aa]uthor|[Oo]perator)(s|'s|s')? heads?\b", "signature"),
    (r"\b([Ee]very|[Aa]ny|[Ee]ach|[Ss]ome) torch( [^v]|[^ \w])", "torch version"),
    (r"\binclude by (its|their) place\b", "relative path"),
];

/// Where these words are meant: the path, a part of the line.
const MEANT: &[(&str, &str)] = &[("CONTRIBUTING.md", "| "), ("tests/fast/english.rs", "")];

/// The longest a line of a comment or of Markdown may be, in characters.
const COLUMNS: usize = 100;

fn documents() -> Vec<String> {
    let entries = fs::read_dir(root()).expect("a readable directory");
    let names = entries.map(|entry| entry.expect("a readable entry").file_name().to_string_lossy().into_owned());
    let mut top: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    top.sort();
    top.extend(files("docs", ".md"));
    top
}

fn rust() -> Vec<String> {
    ["src", "crates", "families", "tests", "bench", "examples"].iter().flat_map(|dir| files(dir, ".rs")).collect()
}

fn schemas() -> Vec<String> {
    [files("schemas", ".json"), files("families", "schema.json")].concat()
}

/// The words to leave in a line, each with what to write instead.
fn found(line: &str, words: &[(Regex, &'static str)]) -> Vec<String> {
    let plain = line.replace("efault", "").replace("stand-in", "");
    words.iter().filter_map(|(word, instead)| Some(format!("`{}`: {instead}", word.find(&plain)?.as_str()))).collect()
}

fn words() -> Vec<(Regex, &'static str)> {
    WORDS.iter().map(|(word, instead)| (Regex::new(word).expect("a regex"), *instead)).collect()
}

fn words_are_plain() {
    let words = words();
    let mut violations = Vec::new();
    for path in documents().into_iter().chain(rust()).chain(schemas()) {
        for (number, line) in read(&path).lines().enumerate() {
            if MEANT.iter().any(|(meant, part)| path == *meant && line.contains(part)) {
                continue;
            }
            violations.extend(found(line, &words).iter().map(|word| format!("{path}:{}: {word}", number + 1)));
        }
    }
    check("messages, comments and documents are in plain English", &violations);
}

fn words_are_found() {
    let words = words();
    assert_eq!(found("/// Runs the twin anew.", &words), ["`anew`: again", "`twin`: counterpart"]);
    assert_eq!(
        found("/// Written arguments have its kernel's head.", &words),
        ["`Written arguments`: mutated", "`kernel's head`: signature",]
    );
    assert_eq!(found("every torch from 2.10 on, and every torch version", &words), ["`every torch f`: torch version"]);
    assert_eq!(found("a file is written, as written here; it writes the arguments of a macro", &words), [""; 0]);
    assert_eq!(found("a default: `Default`, understand, standard, a stand-in", &words), [""; 0]);
}

/// Whether a line of a comment is too long. Tables and addresses cannot be broken.
fn is_long_comment(line: &str) -> bool {
    let text = line.trim_start();
    let Some(text) = text.strip_prefix("//") else { return false };
    let table = text.trim_start_matches(['/', '!', ' ']).starts_with('|');
    line.chars().count() > COLUMNS && !table && !text.contains("://")
}

/// Whether a line of Markdown outside of a block of code is too long.
fn is_long_prose(line: &str) -> bool {
    let table = line.trim_start().starts_with('|');
    line.chars().count() > COLUMNS && !table && !line.contains("](") && !line.contains("://")
}

fn lines_of_comments_fit() {
    let mut violations = Vec::new();
    for path in rust() {
        let text = read(&path);
        let long = text.lines().enumerate().filter(|(_, line)| is_long_comment(line));
        violations.extend(long.map(|(number, _)| format!("{path}:{}", number + 1)));
    }
    check("comments are at most 100 columns wide", &violations);
}

fn lines_of_markdown_fit() {
    let mut violations = Vec::new();
    for path in documents() {
        let mut code = false;
        for (number, line) in read(&path).lines().enumerate() {
            code ^= line.trim_start().starts_with("```");
            if !code && !line.starts_with("    ") && is_long_prose(line) {
                violations.push(format!("{path}:{}", number + 1));
            }
        }
    }
    check("lines of Markdown are at most 100 columns wide", &violations);
}

fn long_lines_are_found() {
    let long = "word ".repeat(21);
    assert!(is_long_comment(&format!("    // {long}")) && is_long_prose(&long));
    assert!(!is_long_comment(&format!("/// | {long}")) && !is_long_comment(&long) && !is_long_prose("short"));
}
