//! Which room may import which: the table in ARCHITECTURE.md, checked against every path of the
//! product code.
//!
//! A room is a folder or a module below `src/`, or below `src/families/torch/`. It may import
//! itself and the rooms of the same list that come before it, and there are no exceptions. Families
//! import the shared rooms only, never each other.

use std::collections::BTreeSet;
use std::fs;

use libtest_mimic::Trial;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use walkdir::WalkDir;

use crate::root;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![rooms_import_downwards, every_room_is_in_the_table, paths_are_found]
}

/// The shared rooms, from the bottom up.
const SHARED: &[&str] = &["diag", "yaml", "lang", "render", "write", "kit", "driver"];

/// What comes above the families.
const TOP: &[&str] = &["cli", "fuzzing", "lib", "main"];

/// The rooms of PyTorch's family, from the bottom up.
const TORCH: &[&str] = &[
    "codes",
    "model",
    "records",
    "parse",
    "group",
    "api",
    "managers",
    "generators",
    "args",
    "layout",
    "inputs",
    "autograd",
    "aten",
    "selection",
    "library",
    "declarations",
    "kernels",
    "backend",
    "lazy",
    "unboxing",
    "stable",
    "stubs",
    "static_runtime",
    "check",
    "explain",
    "commands",
    "yaml_kinds",
    "generator_list",
    "",
];

/// A source file: its path from the root, its module, and the tokens of its product code.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) module: Vec<String>,
    pub(crate) tokens: TokenStream,
}

/// All source files but those of tests.
pub(crate) fn sources() -> Vec<Source> {
    let walk = WalkDir::new(root().join("src")).sort_by_file_name().into_iter();
    let files = walk.map(|entry| entry.expect("a readable directory").into_path());
    let mut sources = Vec::new();
    for file in files.filter(|file| file.extension().is_some_and(|ending| ending == "rs")) {
        let relative = file.strip_prefix(root()).expect("below the root");
        let words: Vec<String> = relative.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let mut module: Vec<String> = words[1..].iter().map(|word| word.trim_end_matches(".rs").to_owned()).collect();
        if module.last().is_some_and(|last| last == "mod") {
            module.pop();
        }
        // Tests may import anything.
        if module.iter().any(|word| ["tests", "testing", "renderer_tests"].contains(&word.as_str())) {
            continue;
        }
        let tokens = fs::read_to_string(&file).expect("a readable file").parse().expect("Rust");
        sources.push(Source { path: words.join("/"), module, tokens });
    }
    sources
}

/// All paths below the crate that tokens name, with the line of each. `module` is where the tokens
/// are.
fn paths(tokens: TokenStream, module: &[String]) -> Vec<(usize, Vec<String>)> {
    let tokens: Vec<TokenTree> = without_tests(tokens);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let qualified = at >= 2 && is_colon(&tokens[at - 1]);
        match &tokens[at] {
            TokenTree::Ident(word) if !qualified && *word == "crate" => {
                at = follow(&tokens, at + 1, &[], &mut found);
            }
            TokenTree::Ident(word) if !qualified && *word == "super" => {
                // `mod tests` inside a file is left out, so `super` is the parent of the file.
                let mut base = module.to_vec();
                base.pop();
                at = follow(&tokens, at + 1, &base, &mut found);
            }
            TokenTree::Group(group) => {
                found.extend(paths(group.stream(), module));
                at += 1;
            }
            _ => at += 1,
        }
    }
    found
}

/// Follows a path after `crate` or `super`, and returns where it ends.
fn follow(tokens: &[TokenTree], mut at: usize, base: &[String], found: &mut Vec<(usize, Vec<String>)>) -> usize {
    let mut path = base.to_vec();
    let mut line = 0;
    while tokens.get(at).is_some_and(is_colon) && tokens.get(at + 1).is_some_and(is_colon) {
        match tokens.get(at + 2) {
            Some(TokenTree::Ident(word)) if *word == "super" => {
                path.pop();
                at += 3;
            }
            Some(TokenTree::Ident(word)) => {
                line = word.span().start().line;
                path.push(word.to_string());
                at += 3;
            }
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                for item in group.stream().into_iter().collect::<Vec<_>>().split(is_comma) {
                    let Some(TokenTree::Ident(first)) = item.first() else { continue };
                    let mut path = path.clone();
                    if *first != "self" {
                        path.push(first.to_string());
                    }
                    let before = found.len();
                    follow(item, 1, &path, found);
                    if found.len() == before {
                        found.push((first.span().start().line, path));
                    }
                }
                return at + 3;
            }
            _ => break,
        }
    }
    if path.len() > base.len() || line > 0 {
        found.push((line, path));
    }
    at
}

fn is_colon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':')
}

fn is_comma(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',')
}

/// The tokens without items that are compiled for tests only.
pub(crate) fn without_tests(tokens: TokenStream) -> Vec<TokenTree> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let is_test = matches!(&tokens[at], TokenTree::Punct(punct) if punct.as_char() == '#')
            && matches!(tokens.get(at + 1), Some(TokenTree::Group(group))
                if group.stream().to_string().replace(' ', "") == "cfg(test)");
        if !is_test {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        at += 2;
        // The item ends with its block, its semicolon, or the comma of an element.
        while let Some(token) = tokens.get(at) {
            at += 1;
            let ends = match token {
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                TokenTree::Punct(punct) => matches!(punct.as_char(), ';' | ','),
                _ => false,
            };
            if ends {
                break;
            }
        }
    }
    kept
}

/// The place of a module's room in the order: shared rooms, families, top; and, for PyTorch's
/// rooms, the place among them.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Room {
    Shared(usize),
    Family(String, usize),
    Registry,
    Top,
}

fn room(module: &[String]) -> Option<Room> {
    let first = module.first().map_or("lib", String::as_str);
    if let Some(place) = SHARED.iter().position(|room| *room == first) {
        return Some(Room::Shared(place));
    }
    if TOP.contains(&first) {
        return Some(Room::Top);
    }
    if first != "families" {
        return None;
    }
    let Some(family) = module.get(1).filter(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '_')) else {
        return Some(Room::Registry);
    };
    if !root().join("src/families").join(family).is_dir() {
        return Some(Room::Registry);
    }
    let within = module.get(2).map_or("", String::as_str);
    let place = match family.as_str() {
        // A constant of the family's own module is the family's.
        "torch" => TORCH
            .iter()
            .position(|room| *room == within)
            .or_else(|| within.chars().all(|c| c.is_ascii_uppercase() || c == '_').then_some(TORCH.len() - 1))?,
        _ => 0,
    };
    Some(Room::Family(family.clone(), place))
}

/// Whether one room may import another.
fn may_import(from: &Room, to: &Room) -> bool {
    match (from, to) {
        (Room::Shared(from), Room::Shared(to)) => to <= from,
        (Room::Shared(_), _) => false,
        (Room::Family(..), Room::Shared(_)) => true,
        (Room::Family(family, from), Room::Family(other, to)) => family == other && to <= from,
        (Room::Family(..), _) => false,
        (Room::Registry, Room::Top) => false,
        (Room::Registry | Room::Top, _) => true,
    }
}

fn rooms_import_downwards() {
    let mut violations = Vec::new();
    for Source { path, module, tokens } in sources() {
        let Some(from) = room(&module) else { continue };
        for (line, target) in paths(tokens, &module) {
            // A name that is not a room is an item of the crate's root.
            let Some(to) = room(&target) else { continue };
            if !may_import(&from, &to) {
                violations.push(format!("{path}:{line}: {} imports {}", module.join("::"), target.join("::")));
            }
        }
    }
    assert!(
        violations.is_empty(),
        "rooms import upwards; the table is in tests/fast/layering.rs, {} violations:\n{}",
        violations.len(),
        violations.join("\n")
    );
}

fn every_room_is_in_the_table() {
    let lacking: BTreeSet<String> =
        sources().into_iter().filter(|source| room(&source.module).is_none()).map(|source| source.path).collect();
    assert!(lacking.is_empty(), "rooms that the table lacks: {lacking:?}");
}

/// The search sees groups, `super`, and paths in code; it leaves out tests and comments.
fn paths_are_found() {
    let found = |text: &str, module: &str| -> Vec<String> {
        let module: Vec<String> = module.split("::").map(str::to_owned).collect();
        paths(text.parse().expect("Rust"), &module).into_iter().map(|(_, path)| path.join("::")).collect()
    };
    for (text, expected) in [
        ("use crate::a::b;", &["a::b"][..]),
        ("use crate::a::{b, c::{d, e}};", &["a::b", "a::c::d", "a::c::e"]),
        ("fn f() { crate::a::g(super::h()) }", &["a::g", "m::h"]),
        ("use super::super::x;", &["x"]),
        ("// crate::a\n#[cfg(test)] mod tests { use crate::a; }\n#[cfg(test)] use crate::b;", &[]),
        ("const A: &[u8] = &[#[cfg(test)] crate::b::C, crate::d::E];", &["d::E"]),
        ("use crate::a::{self, b};", &["a", "a::b"]),
    ] {
        assert_eq!(found(text, "m::n"), expected, "{text}");
    }
    let shared = |name: &str| room(&[name.to_owned()]).expect("a room");
    assert!(!may_import(&shared("diag"), &shared("yaml")) && may_import(&shared("yaml"), &shared("diag")));
    let family = |name: &str| Room::Family(name.to_owned(), 0);
    assert!(!may_import(&family("a"), &family("b")) && !may_import(&shared("driver"), &family("a")));
}
