//! The names that a tensor IR cannot use are those that its templates declare in its namespace.
//!
//! `UPDATE_EXPECT=1 cargo test -p torchgen-tensor-ir declared` writes `data/declared.txt` again.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use regex::Regex;

use crate::TEMPLATES;

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

/// What is written for the namespace of the IR, and for other texts that templates put together.
const NAMESPACE: &str = "torchgen_namespace";
const MADE: &str = "torchgen_made";

/// A template as C++, without comments and strings, with the parts of C++ sources that it writes.
fn cpp(text: &str) -> String {
    let replaced = |text: &str, pattern: &str, by: &str| {
        Regex::new(pattern).expect("a pattern").replace_all(text, by).into_owned()
    };
    let patterns = [
        (r"(?s)\{#.*?#\}|\{%.*?%\}", ""),
        (r"\{\{ ir\.namespace \}\}", NAMESPACE),
        (r"(?s)\w*\{\{.*?\}\}\w*", MADE),
        (r#"//.*|'(\\.|[^'\\])'|#.*(\\\n.*)*|"(\\.|[^"\\])*""#, " "),
        (r"\[\[\w+\]\]", ""),
    ];
    patterns.iter().fold(with_parts(text), |text, (pattern, by)| replaced(&text, pattern, by))
}

/// A template with the parts of C++ sources that it writes; a source with the namespace of IRs.
fn with_parts(text: &str) -> String {
    let part = Regex::new(r#"\{\{ plain_body\("([^"]+)"[^}]*\}\}"#).expect("a pattern");
    let body = |found: &regex::Captures| {
        let shared = || fs::read_to_string(Path::new(CRATE).join("../../templates").join(&found[1])).expect("a source");
        let text = TEMPLATES.file_named(&found[1]).map_or_else(shared, |file| file.text().to_owned());
        let (_, body) = text.split_once("\nnamespace torchgen_support").expect("a namespace");
        let (_, body) = body.split_once(" {\n").expect("what the namespace has");
        body.rsplit_once("\n} // namespace torchgen_").expect("its end").0.to_owned()
    };
    let text = part.replace_all(text, body);
    // A part with its namespace.
    let whole = Regex::new(r#"\{\{ plain_part\("([^"]+)"[^}]*\}\}"#).expect("a pattern");
    let source = |found: &regex::Captures| {
        fs::read_to_string(Path::new(CRATE).join("../../templates").join(&found[1])).expect("a source")
    };
    whole.replace_all(&text, source).replace("torchgen_support", NAMESPACE)
}

/// What a declaration in the namespace declares, by what comes before its body or its end.
fn declared(head: &[String], names: &mut BTreeMap<String, &'static str>) {
    let mut head = head;
    // `template <…>`
    while head.first().is_some_and(|word| word == "template") {
        let mut depth = 0;
        let end = head.iter().position(|token| {
            depth += i32::from(token == "<") - i32::from(token == ">");
            token == ">" && depth == 0
        });
        head = &head[end.expect("the end of parameters") + 1..];
    }
    // `decltype(auto)`
    if head.first().is_some_and(|word| word == "decltype") {
        head = &head[4..];
    }
    let word = |at: usize| head.get(at).map_or("", String::as_str);
    let open = head.iter().position(|token| token == "(");
    let (name, what) = match word(0) {
        "class" | "struct" | "union" => (word(1), "type"),
        "enum" if word(1) == "class" => (word(2), "type"),
        "enum" => (word(1), "type"),
        "using" if word(1) == "namespace" => return,
        "using" => (word(1), "type"),
        "" => return,
        _ if head.iter().any(|token| token == "operator") => return,
        _ => match open {
            // `type class::function(`
            Some(at) if at == 0 || (at > 1 && word(at - 2) == "::") => return,
            Some(at) => (word(at - 1), "function"),
            None => (head.iter().take_while(|token| *token != "=").last().map_or("", String::as_str), "constant"),
        },
    };
    if !name.contains(MADE) && !name.is_empty() {
        names.insert(name.to_owned(), what);
    }
}

/// What a brace belongs to.
#[derive(PartialEq)]
enum Scope {
    Namespace(String),
    /// Enumerators that are names of the namespace.
    Enumerators,
    /// A value within a declaration, which goes on after it.
    Value,
    Other,
}

/// Adds what a text declares in the namespace of the IR.
fn add(text: &str, names: &mut BTreeMap<String, &'static str>) {
    let token = Regex::new(r"[A-Za-z_]\w*|::|\S").expect("a pattern");
    let (mut scopes, mut head, mut open): (Vec<Scope>, Vec<String>, i32) = (Vec::new(), Vec::new(), 0);
    for token in token.find_iter(text).map(|found| found.as_str()) {
        let here = matches!(&scopes[..], [Scope::Namespace(name)] if name == NAMESPACE);
        match token {
            "{" if open > 0 => scopes.push(Scope::Value),
            "{" if head.first().is_some_and(|word| word == "namespace") => {
                let name = head[1..].concat();
                if here && head.len() == 2 {
                    names.insert(name.clone(), "namespace");
                }
                scopes.push(Scope::Namespace(name));
                head.clear();
            }
            "{" => {
                let is_open_enum =
                    head.first().is_some_and(|word| word == "enum") && head.get(1).is_some_and(|word| word != "class");
                if here {
                    declared(&head, names);
                }
                scopes.push(if here && is_open_enum { Scope::Enumerators } else { Scope::Other });
                head.clear();
            }
            "}" => {
                let ended = scopes.pop().expect("an open brace");
                head.retain(|_| ended == Scope::Value);
            }
            ";" if open == 0 => {
                if here {
                    declared(&head, names);
                }
                head.clear();
            }
            _ if scopes.last() == Some(&Scope::Enumerators) => {
                let name = Some(token).filter(|token| token.starts_with(|c: char| c.is_alphabetic()));
                names.extend(name.map(|name| (name.to_owned(), "constant")));
            }
            _ if matches!(scopes.last(), None | Some(Scope::Namespace(_))) => {
                open += i32::from(token == "(") - i32::from(token == ")");
                if !["inline", "constexpr", "static", "extern", "thread_local"].contains(&token) {
                    head.push(token.to_owned());
                }
            }
            _ => {}
        }
    }
    assert!(scopes.is_empty(), "a brace is not closed:\n{text}");
}

#[test]
fn the_list_is_fresh() {
    let is_cpp = |name: &str| {
        ![".md.j2", "explain.j2"].iter().any(|end| name.ends_with(end))
            && !["/new/", "/parts/", "/parser/", "constraints", "children"].iter().any(|part| name.contains(part))
    };
    let mut found = BTreeMap::new();
    for file in TEMPLATES.list().iter().filter(|file| is_cpp(file.name)) {
        add(&cpp(file.text()), &mut found);
    }
    for (name, what) in [("builder", "namespace"), ("expr", "type"), ("match", "function"), ("CATE_INT", "constant")] {
        assert_eq!(found.get(name), Some(&what), "{name}");
    }
    let text: String = found.iter().map(|(name, what)| format!("{name} {what}\n")).collect();
    let path = Path::new(CRATE).join("data/declared.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &text).expect("data/ can be written");
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == text, "data/declared.txt is stale: UPDATE_EXPECT=1 cargo test -p torchgen-tensor-ir declared");
}
