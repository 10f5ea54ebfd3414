//! The settings of editors in `docs/editors.md`, and the extension in `src/lsp/vscode`: snippets
//! parse and start `torchgen-rs lsp`, and settings that they name exist.
//!
//! The extension is built and tested with Node.js, which these tests do without.

use std::process::Command;

use libtest_mimic::Trial;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use serde_json::Value;

use crate::rules::{check, read};
use crate::schema;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        snippets_parse,
        broken_snippets_are_found,
        snippets_start_the_server,
        settings_exist,
        the_extension_has_the_version,
        the_lock_file_names_no_registry,
        schemas_of_the_extension_exist
    ]
}

const PAGE: &str = "docs/editors.md";
const EXTENSION: &str = "src/lsp/vscode";

/// A block of code on the page.
#[derive(Debug)]
struct Snippet {
    /// What follows the fence: the language, and which editor it is for.
    info: String,
    text: String,
}

impl Snippet {
    fn language(&self) -> &str {
        self.info.split(' ').next().unwrap_or_default()
    }

    /// What is wrong with it.
    fn wrong(&self) -> Option<String> {
        match self.language() {
            "json" => serde_json::from_str::<Value>(&self.text).err().map(|error| error.to_string()),
            "yaml" => serde_yaml::from_str::<serde_yaml::Value>(&self.text).err().map(|error| error.to_string()),
            "toml" => self.text.lines().find(|line| !is_toml(line)).map(|line| format!("not TOML: {line}")),
            "lua" => unbalanced(&self.text, "--", "'\""),
            "elisp" => unbalanced(&self.text, ";", "\""),
            "sh" => None,
            other => Some(format!("no test reads the language `{other}`")),
        }
    }
}

fn snippets() -> Vec<Snippet> {
    let text = read(PAGE);
    let mut found = Vec::new();
    let mut open: Option<Snippet> = None;
    for event in Parser::new(&text) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                open = Some(Snippet { info: info.into_string(), text: String::new() });
            }
            Event::Text(text) => {
                if let Some(snippet) = &mut open {
                    snippet.text.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => found.extend(open.take()),
            _ => {}
        }
    }
    found
}

/// Whether a line is TOML, of the kinds that settings need: a header, or a key with a value that
/// JSON has too.
fn is_toml(line: &str) -> bool {
    let is_key = |key: &str| {
        !key.is_empty()
            && key.split('.').all(|part| {
                !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
            })
    };
    let header = line.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]"));
    let header = header.or_else(|| line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')));
    match (header, line.split_once(" = ")) {
        _ if line.is_empty() || line.starts_with('#') => true,
        (Some(name), _) => is_key(name),
        (None, Some((key, value))) => is_key(key) && serde_json::from_str::<Value>(value).is_ok(),
        (None, None) => false,
    }
}

/// The first bracket without a partner, or a quote without an end, outside of comments. Quotes that
/// do not end on their line, and escapes, are not expected in settings.
fn unbalanced(text: &str, comment: &str, quotes: &str) -> Option<String> {
    let mut open = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut quote = None;
        for (at, c) in line.char_indices() {
            match (quote, c) {
                (Some(end), _) if c == end => quote = None,
                (Some(_), _) => {}
                (None, _) if line[at..].starts_with(comment) => break,
                (None, _) if quotes.contains(c) => quote = Some(c),
                (None, '(' | '[' | '{') => open.push(c),
                (None, ')' | ']' | '}') => {
                    let partner = open.pop();
                    if !matches!((partner, c), (Some('('), ')') | (Some('['), ']') | (Some('{'), '}')) {
                        return Some(format!("line {}: `{c}` closes nothing", number + 1));
                    }
                }
                _ => {}
            }
        }
        if quote.is_some() {
            return Some(format!("line {}: a quote is not closed", number + 1));
        }
    }
    open.pop().map(|c| format!("`{c}` is not closed"))
}

fn snippets_parse() {
    let snippets = snippets();
    let languages: Vec<&str> = snippets.iter().map(Snippet::language).collect();
    for language in ["json", "toml", "lua", "elisp"] {
        assert!(languages.contains(&language), "{PAGE} has no snippet in {language}");
    }
    let wrong = snippets.iter().filter_map(|snippet| Some(format!("{}: {}", snippet.info, snippet.wrong()?)));
    check("the snippets of docs/editors.md parse", &wrong.collect::<Vec<_>>());
}

fn broken_snippets_are_found() {
    let broken = [
        ("json", "{ \"a\": 1, }"),
        ("yaml", "a: [1"),
        ("toml", "[a"),
        ("toml", "a = x"),
        ("toml", "a b = 1"),
        ("lua", "f({ 'a' )"),
        ("lua", "f('a"),
        ("elisp", "(a (b)"),
        ("elisp", "(a))"),
        ("basic", "10 END"),
    ];
    for (info, text) in broken {
        let snippet = Snippet { info: info.to_owned(), text: text.to_owned() };
        assert!(snippet.wrong().is_some(), "{info}: {text}");
    }
    let whole = Snippet { info: "lua".to_owned(), text: "-- f(\nf({ '(' })\n".to_owned() };
    assert_eq!(whole.wrong(), None);
}

/// Each editor's settings have the command, which the program has.
fn snippets_start_the_server() {
    let snippets = snippets();
    for (info, command) in [
        ("lua", "cmd = { 'torchgen-rs', 'lsp' }"),
        ("toml", "command = \"torchgen-rs\"\nargs = [\"lsp\"]"),
        ("elisp", "(\"torchgen-rs\" \"lsp\")"),
        ("json zed", "\"arguments\": [\"lsp\"]"),
    ] {
        let found = snippets.iter().any(|snippet| snippet.info == info && snippet.text.contains(command));
        assert!(found, "{info}: no snippet has {command}");
    }
    assert!(read(&format!("{EXTENSION}/src/server.ts")).contains("ARGUMENTS: readonly string[] = [\"lsp\"]"));
    let help = Command::new(env!("CARGO_BIN_EXE_torchgen-rs")).args(["lsp", "-h"]).output();
    assert!(help.expect("the program runs").status.success(), "`torchgen-rs lsp` is not a command");
}

/// A file of the extension.
fn json(name: &str) -> Value {
    let path = format!("{EXTENSION}/{name}");
    serde_json::from_str(&read(&path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The settings `torchgen-rs.*` on the page are those of the extension.
fn settings_exist() {
    let manifest = json("package.json");
    let settings = manifest["contributes"]["configuration"]["properties"].as_object().expect("settings");
    let named: Vec<String> = snippets()
        .iter()
        .filter(|snippet| snippet.info == "json vscode")
        .filter_map(|snippet| serde_json::from_str::<Value>(&snippet.text).ok()?.as_object().cloned())
        .flat_map(|object| object.into_iter().map(|(key, _)| key))
        .filter(|key| key.starts_with("torchgen-rs."))
        .collect();
    assert!(!named.is_empty());
    let missing: Vec<String> = named.into_iter().filter(|key| !settings.contains_key(key)).collect();
    check("the settings of the page exist", &missing);
    let identity =
        format!("{}.{}", manifest["publisher"].as_str().expect("a text"), manifest["name"].as_str().expect("a text"));
    assert!(read(PAGE).contains(&format!("\"editor.defaultFormatter\": \"{identity}\"")));
}

/// The program, the extension, and the file that the page installs have one version.
fn the_extension_has_the_version() {
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(json("package.json")["version"], version);
    assert_eq!(json("package-lock.json")["version"], version);
    assert!(read(PAGE).contains(&format!("torchgen-rs-{version}.vsix")));
}

/// `.npmrc` makes npm leave the addresses of packages out.
fn the_lock_file_names_no_registry() {
    let lock = json("package-lock.json");
    let packages = lock["packages"].as_object().expect("packages");
    let named = packages.iter().filter(|(_, package)| !package["resolved"].is_null());
    check("package-lock.json names no address of a registry", &named.map(|(name, _)| name.clone()).collect::<Vec<_>>());
}

/// The extension takes the schemas of these kinds into its package.
fn schemas_of_the_extension_exist() {
    let kinds = read(&format!("{EXTENSION}/src/kinds.ts"));
    let (_, list) = kinds.split_once("KINDS = [").expect("the list");
    let (list, _) = list.split_once(']').expect("the end of the list");
    let names: Vec<&str> =
        list.split(',').map(|name| name.trim().trim_matches('"')).filter(|name| !name.is_empty()).collect();
    let missing = names.iter().filter(|name| !schema::path(name).exists());
    assert!(names.len() > 10);
    check("each kind of the extension has a schema", &missing.map(|name| (*name).to_owned()).collect::<Vec<_>>());
}
