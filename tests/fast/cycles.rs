//! Modules of a crate do not import each other in circles, except those listed here with the
//! reason.
//!
//! A module and the modules below it are one unit: they may name each other. An import of a name
//! that a module passes on from elsewhere counts as an import of the module that has it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path as FilePath;

use libtest_mimic::Trial;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use walkdir::WalkDir;

use crate::crates::folders;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![no_circles, circles_are_found]
}

/// The circles that stay, each with its reason.
const STAY: &[(&[&str], &str)] = &[
    (
        &["base::lang::python::literals::expression", "base::lang::python::literals::syntax"],
        "one recursive parser in two files: its type is beside the statements",
    ),
    (
        &["model::parse::c10::schema", "model::parse::c10::types"],
        "one recursive parser in two files: its type is beside the schema",
    ),
    (
        &["generator::entries", "generator::signature", "generator::things"],
        "the objects of templates: a thing leads to its functions and entries, and these to things",
    ),
];

/// A source file: its module, and the tokens of its product code.
struct Source {
    module: Vec<String>,
    tokens: TokenStream,
}

/// The source files of a crate, without those of tests, which may import anything.
fn sources(folder: &FilePath) -> Vec<Source> {
    let source = folder.join("src");
    let walk = WalkDir::new(&source).sort_by_file_name().into_iter();
    let files = walk.map(|entry| entry.expect("a readable directory").into_path());
    let mut sources = Vec::new();
    for file in files.filter(|file| file.extension().is_some_and(|ending| ending == "rs")) {
        let relative = file.strip_prefix(&source).expect("below the folder").with_extension("");
        let mut module: Vec<String> = relative.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        module.pop_if(|last| last == "mod");
        if module.iter().any(|word| ["tests", "testing", "renderer_tests"].contains(&word.as_str())) {
            continue;
        }
        let tokens = fs::read_to_string(&file).expect("a readable file").parse().expect("Rust");
        sources.push(Source { module, tokens });
    }
    sources
}

/// The tokens without items that are compiled for tests only.
pub(crate) fn without_tests(tokens: TokenStream) -> Vec<TokenTree> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let is_test = matches!(&tokens[at], TokenTree::Punct(punct) if punct.as_char() == '#')
            && matches!(tokens.get(at + 1), Some(TokenTree::Group(group))
                if ["cfg(test)", "cfg(any(test,feature=\"testing\"))"].contains(&&*group.stream().to_string().replace(' ', "")));
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

/// A path in code, from the crate's root.
type Path = Vec<String>;

/// The modules, and what each passes on: a name, and where it comes from.
#[derive(Default)]
struct Crate {
    modules: BTreeMap<Path, Vec<Path>>,
    passed_on: BTreeMap<Path, BTreeMap<String, Path>>,
}

impl Crate {
    fn new(sources: impl IntoIterator<Item = Source>) -> Crate {
        let sources: Vec<Source> = sources.into_iter().collect();
        let mut all = Crate::default();
        for source in &sources {
            all.modules.insert(source.module.clone(), Vec::new());
        }
        for source in sources {
            let (mut used, mut passed_on) = (Vec::new(), BTreeMap::new());
            all.read(source.tokens, &source.module, &mut used, &mut passed_on);
            all.modules.insert(source.module.clone(), used);
            all.passed_on.insert(source.module, passed_on);
        }
        all
    }

    /// Gathers the paths that tokens name.
    fn read(
        &self,
        tokens: TokenStream,
        module: &[String],
        used: &mut Vec<Path>,
        passed_on: &mut BTreeMap<String, Path>,
    ) {
        let tokens = without_tests(tokens);
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Ident(word) if *word == "use" => {
                    let end = tokens[at..].iter().position(|token| is(token, ';')).map_or(tokens.len(), |len| at + len);
                    let leaves = leaves(&tokens[at + 1..end], &[]);
                    let is_public = at > 0 && is_visibility(&tokens[at - 1]);
                    for (name, path) in leaves {
                        let Some(path) = self.absolute(&path, module) else { continue };
                        match is_public {
                            true => drop(passed_on.insert(name, path)),
                            false => used.push(path),
                        }
                    }
                    at = end;
                }
                TokenTree::Ident(_) if at == 0 || !is(&tokens[at - 1], ':') => {
                    let len = path_len(&tokens[at..]);
                    let words = tokens[at..at + len].iter().filter(|token| matches!(token, TokenTree::Ident(_)));
                    let path: Path = words.map(TokenTree::to_string).collect();
                    if path.len() > 1 {
                        used.extend(self.absolute(&path, module));
                    }
                    at += len;
                }
                TokenTree::Group(group) => {
                    self.read(group.stream(), module, used, passed_on);
                    at += 1;
                }
                _ => at += 1,
            }
        }
    }

    /// The path from the crate's root; `None` for one that does not start at a known module.
    fn absolute(&self, path: &[String], module: &[String]) -> Option<Path> {
        let supers = path.iter().take_while(|word| *word == "super").count();
        let (base, rest) = match path.first()?.as_str() {
            "crate" => (&[][..], &path[1..]),
            "self" => (module, &path[1..]),
            "super" => (&module[..module.len().checked_sub(supers)?], &path[supers..]),
            child if self.modules.contains_key(&[module, &[child.to_owned()]].concat()) => (module, path),
            _ => return None,
        };
        Some([base, rest].concat())
    }

    /// The module that a path leads to.
    fn resolve(&self, path: &[String], depth: usize) -> Option<Path> {
        let len = (1..=path.len()).rev().find(|len| self.modules.contains_key(&path[..*len]))?;
        let (module, rest) = path.split_at(len);
        let target = rest.first().and_then(|name| self.passed_on.get(module)?.get(name));
        match target {
            Some(target) if depth < 8 => self.resolve(&[target, &rest[1..]].concat(), depth + 1),
            _ => Some(module.to_vec()),
        }
    }

    /// The modules that each module imports, without those above and below it.
    fn imports(&self) -> BTreeMap<&Path, BTreeSet<Path>> {
        let others = |module: &Path, used: &Vec<Path>| {
            let targets = used.iter().filter_map(|path| self.resolve(path, 0));
            targets.filter(|target| !target.starts_with(module) && !module.starts_with(target)).collect()
        };
        self.modules.iter().map(|(module, used)| (module, others(module, used))).collect()
    }

    /// The sets of modules that reach each other.
    fn circles(&self) -> BTreeSet<Vec<String>> {
        let imports = self.imports();
        let reached: BTreeMap<&Path, _> = imports.keys().map(|from| (*from, reached(&imports, from))).collect();
        let circle = |module: &Path| {
            let mutual = reached[module].iter().filter(|other| reached[**other].contains(module));
            mutual.map(|other| other.join("::")).collect::<Vec<String>>()
        };
        reached.keys().map(|module| circle(module)).filter(|circle| circle.len() > 1).collect()
    }
}

/// The modules that a module imports, and those that they import.
fn reached<'i>(imports: &'i BTreeMap<&Path, BTreeSet<Path>>, from: &'i Path) -> BTreeSet<&'i Path> {
    let (mut seen, mut pending) = (BTreeSet::new(), vec![from]);
    while let Some(module) = pending.pop() {
        pending.extend(imports.get(module).into_iter().flatten().filter(|target| seen.insert(*target)));
    }
    seen
}

/// How many tokens belong to the path at the beginning.
fn path_len(tokens: &[TokenTree]) -> usize {
    let mut len = 1;
    while let [first, second, TokenTree::Ident(_), ..] = &tokens[len..] {
        if !(is(first, ':') && is(second, ':')) {
            break;
        }
        len += 3;
    }
    len
}

/// The names that a `use` brings, and their paths.
fn leaves(tokens: &[TokenTree], prefix: &[String]) -> Vec<(String, Path)> {
    let mut path = prefix.to_vec();
    let mut name = None;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                return inner.split(|token| is(token, ',')).flat_map(|item| leaves(item, &path)).collect();
            }
            TokenTree::Ident(word) if *word == "as" => {
                name = tokens.get(at + 1).map(TokenTree::to_string);
                break;
            }
            TokenTree::Ident(word) if *word == "self" && !path.is_empty() => {}
            TokenTree::Ident(word) => path.push(word.to_string()),
            _ => {}
        }
        at += 1;
    }
    let Some(last) = path.last() else { return Vec::new() };
    vec![(name.unwrap_or_else(|| last.clone()), path)]
}

/// Whether the token is the end of `pub` or `pub(crate)`.
fn is_visibility(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(word) => *word == "pub",
        TokenTree::Group(group) => group.delimiter() == Delimiter::Parenthesis,
        _ => false,
    }
}

fn is(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

fn no_circles() {
    let mut found: BTreeSet<Vec<String>> = BTreeSet::new();
    for (name, folder) in folders() {
        let circles = Crate::new(sources(&folder)).circles();
        found.extend(
            circles.into_iter().map(|circle| circle.iter().map(|module| format!("{name}::{module}")).collect()),
        );
    }
    let stay = STAY.iter().map(|(modules, _)| modules.iter().map(|module| (*module).to_owned()).collect());
    let stay: BTreeSet<Vec<String>> = stay.collect();
    let show = |circles: Vec<&Vec<String>>| circles.iter().map(|circle| circle.join(", ")).collect::<Vec<_>>();
    let (new, gone) = (show(found.difference(&stay).collect()), show(stay.difference(&found).collect()));
    assert!(new.is_empty(), "modules that import each other in circles:\n{}", new.join("\n"));
    assert!(gone.is_empty(), "circles in the list of tests/fast/cycles.rs that are gone:\n{}", gone.join("\n"));
}

/// Circles through names that are passed on are found; a folder and its files are one unit.
fn circles_are_found() {
    let circles = |files: &[(&str, &str)]| {
        let source = |(module, text): &(&str, &str)| Source {
            module: module.split("::").map(str::to_owned).collect(),
            tokens: text.parse().expect("Rust"),
        };
        Crate::new(files.iter().map(source)).circles().into_iter().map(|circle| circle.join(" ")).collect::<Vec<_>>()
    };
    let a = ("a", "pub(crate) mod x; mod y; pub(crate) use x::X as Z;");
    assert_eq!(circles(&[a, ("a::x", "use super::y::Y;"), ("a::y", "use super::Z;")]), ["a::x a::y"]);
    assert_eq!(circles(&[a, ("a::x", "use crate::{b::B, c};"), ("b", "fn f() { crate::a::Z::new() }")]), ["a::x b"]);
    assert_eq!(circles(&[a, ("a::x", "use super::Shared;"), ("a::y", "use super::x::X;")]), [""; 0]);
    assert_eq!(circles(&[a, ("a::x", "#[cfg(test)] use super::y::Y;"), ("a::y", "use super::Z;")]), [""; 0]);
}
