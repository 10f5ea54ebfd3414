//! Comparable signatures. They ignore parameter names, defaults, white space and PyTorch's
//! namespaces, and resolve aliases of types.
//!
//! Invariant: declarations with equal signatures declare the same C++ function, unless a name has
//! another meaning in their context.

use rustc_hash::FxHashMap;

use super::conditions::tokens;
use super::token::TokenKind;
use crate::diag::plural;
use crate::lang::is_word;

/// A function's signature.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signature {
    /// Its return type; empty for a macro.
    pub returns: String,
    /// The types of its parameters.
    pub parameters: Vec<String>,
}

/// Aliases of types, and macros without parameters.
#[derive(Debug, Clone, Default)]
pub struct Aliases(FxHashMap<String, String>);

/// The depth of aliases of aliases, and the number of words that a type may have.
const MAX_DEPTH: usize = 8;
const MAX_WORDS: usize = 256;

impl Aliases {
    /// Of several meanings of a name, the last one counts.
    pub fn new(known: impl IntoIterator<Item = (String, String)>) -> Aliases {
        Aliases(known.into_iter().collect())
    }

    /// The words with the meanings of aliases in their place.
    fn expand<'a>(&'a self, words: Vec<&'a str>, depth: usize) -> Vec<&'a str> {
        if depth == MAX_DEPTH || self.0.is_empty() {
            return words;
        }
        let mut expanded: Vec<&str> = Vec::new();
        for (i, word) in words.iter().enumerate() {
            let meaning = self.0.get(*word).filter(|_| words.get(i + 1) != Some(&"::"));
            let Some(meaning) = meaning.filter(|_| expanded.len() < MAX_WORDS) else {
                expanded.push(word);
                continue;
            };
            // Its namespace, if it is qualified. One of PyTorch's is another name.
            while let [before @ .., space, "::"] = expanded.as_slice()
                && space.ends_with(is_word)
                && !NAMESPACES.contains(space)
            {
                expanded.truncate(before.len());
            }
            if expanded.last() == Some(&"::") {
                expanded.push(word);
                continue;
            }
            expanded.extend(self.expand(self::words(meaning), depth + 1));
        }
        expanded
    }
}

/// The signature from a return type and parameters, both as written.
pub fn signature(returns: &str, parameters: &[String]) -> Signature {
    signature_in(returns, parameters, &Aliases::default())
}

/// The same in a source with these aliases.
pub fn signature_in(returns: &str, parameters: &[String], aliases: &Aliases) -> Signature {
    let mut parameters: Vec<String> = parameters.iter().map(|parameter| parameter_type(parameter, aliases)).collect();
    if parameters == ["void"] {
        parameters.clear();
    }
    let words = aliases.expand(words(returns), 0);
    let mut kept: Vec<&str> = Vec::new();
    let mut rest = words.as_slice();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match *first {
            "static" | "inline" | "constexpr" | "extern" | "virtual" | "explicit" | "__host__" | "__device__" => {}
            "[" => rest = past(rest, "[", "]"),
            "__attribute__" | "__declspec" | "alignas" => {
                rest = rest.split_first().map_or(rest, |(_, in_it)| past(in_it, "(", ")"))
            }
            // A macro, with or without arguments; types do not look like this.
            word if is_macro(word) => {
                if let Some((&"(", in_it)) = rest.split_first() {
                    rest = past(in_it, "(", ")");
                }
            }
            word => kept.push(word),
        }
    }
    Signature { returns: normal(&kept), parameters }
}

/// All differences between two signatures, each with the parameter that differs.
pub fn differences(wanted: &Signature, found: &Signature) -> Vec<(Option<usize>, String)> {
    let mut all = Vec::new();
    if wanted.returns != found.returns {
        all.push((None, format!("it must return `{}`, not `{}`", wanted.returns, found.returns)));
    }
    let (takes, given) = (wanted.parameters.len(), found.parameters.len());
    if takes != given {
        all.push((None, format!("it must take {}, not {given}", plural(takes, "parameter"))));
    }
    for (i, (wanted, found)) in wanted.parameters.iter().zip(&found.parameters).enumerate() {
        if wanted != found {
            all.push((Some(i), format!("parameter {} must be `{wanted}`, not `{found}`", i + 1)));
        }
    }
    all
}

/// Whether the word looks like a macro: upper case, with an underscore or at least four letters.
fn is_macro(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        && word.starts_with(|c: char| c.is_ascii_uppercase())
        && (word.contains('_') || word.len() > 3)
}

/// The words after the bracket that closes an open one.
fn past<'a, 'b>(words: &'b [&'a str], open: &str, close: &str) -> &'b [&'a str] {
    let mut depth = 1;
    for (i, word) in words.iter().enumerate() {
        if *word == open {
            depth += 1;
        } else if *word == close {
            depth -= 1;
            if depth == 0 {
                return &words[i + 1..];
            }
        }
    }
    &[]
}

fn words(text: &str) -> Vec<&str> {
    tokens(text)
        .into_iter()
        .filter(|token| token.kind != TokenKind::Directive)
        .map(|token| &text[token.range])
        .collect()
}

/// Words that are types or parts of types, so that none of them is a parameter's name.
pub(super) const BUILTIN: [&str; 14] = [
    "const", "volatile", "unsigned", "signed", "int", "long", "short", "char", "bool", "float", "double", "void",
    "auto", "typename",
];

/// The names of parameters that have those of other parameters: for each, its position and that of
/// the parameter whose name it has. Both are as they are written; types do not count.
pub fn swapped(wanted: &[String], found: &[String]) -> Vec<(usize, usize)> {
    let (wanted, found) = (wanted.iter().map(String::as_str), found.iter().map(String::as_str));
    let (wanted, found): (Vec<_>, Vec<_>) = (wanted.map(parameter_name).collect(), found.map(parameter_name).collect());
    swapped_names(&wanted, &found)
}

/// The same of the names of parameters, which some may lack.
pub fn swapped_names(wanted: &[Option<&str>], found: &[Option<&str>]) -> Vec<(usize, usize)> {
    let position = |name: &Option<&str>| wanted.iter().position(|other| name.is_some() && other == name);
    let moved: Vec<(usize, usize)> =
        found.iter().enumerate().filter_map(|(at, name)| Some((at, position(name)?))).filter(|(a, b)| a != b).collect();
    // A name that only moved, so that another one has its place, is a new name.
    let is_exchanged = |(_, to): &&(usize, usize)| moved.iter().any(|(at, _)| at == to);
    if wanted.len() == found.len() && moved.iter().all(|one| is_exchanged(&one)) { moved } else { Vec::new() }
}

/// The name of a parameter, if it has one.
pub fn parameter_name(parameter: &str) -> Option<&str> {
    split_parameter(parameter).1
}

/// The type of a parameter.
fn parameter_type(parameter: &str, aliases: &Aliases) -> String {
    normal(&aliases.expand(split_parameter(parameter).0, 0))
}

/// The words of a parameter's type, and its name.
fn split_parameter(parameter: &str) -> (Vec<&str>, Option<&str>) {
    let mut words = words(parameter);
    let mut depth = 0usize;
    for (i, word) in words.iter().enumerate() {
        match *word {
            "<" | "(" | "[" | "{" => depth += 1,
            ">" | ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "=" if depth == 0 => {
                words.truncate(i);
                break;
            }
            _ => {}
        }
    }
    // A leading `[[maybe_unused]]`.
    if words.starts_with(&["[", "["]) {
        let rest = past(&words[1..], "[", "]");
        words = rest.to_vec();
    }
    let is_name = |word: &str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let mut name = None;
    if let [before @ .., last] = words.as_slice()
        && is_name(last)
        && !BUILTIN.contains(last)
        && before.last() != Some(&"::")
        && before.iter().any(|word| is_name(word) && !matches!(*word, "const" | "volatile" | "typename"))
    {
        name = words.pop();
    }
    (words, name)
}

/// Namespaces that can be omitted from names.
const NAMESPACES: [&str; 6] = ["at", "c10", "std", "torch", "headeronly", "stable"];

/// Aliases of types.
const SAME: [(&str, &str); 13] = [
    ("IntHeaderOnlyArrayRef", "IntArrayRef"),
    ("HeaderOnlyArrayRef<", "ArrayRef<"),
    ("ArrayRef<int64_t>", "IntArrayRef"),
    ("IntList", "IntArrayRef"),
    ("ArrayRef<Tensor>", "TensorList"),
    ("ArrayRef<SymInt>", "SymIntArrayRef"),
    ("IListRef<Tensor>", "ITensorListRef"),
    ("IListRef<OptionalTensorRef>", "IOptTensorListRef"),
    ("OptionalArrayRef<int64_t>", "OptionalIntArrayRef"),
    ("OptionalArrayRef<SymInt>", "OptionalSymIntArrayRef"),
    ("DimnameList", "ArrayRef<Dimname>"),
    ("SmallVector<int64_t,5>", "DimVector"),
    ("basic_string_view<char>", "string_view"),
];

/// The type in normal form.
fn normal(words: &[&str]) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut i = 0;
    while i < words.len() {
        let word = words[i];
        let starts = i == 0 || BUILTIN.contains(&words[i - 1]);
        if word == "::" && (starts || !words[i - 1].ends_with(|c| is_word(c) || c == '>')) {
            i += 1;
            continue;
        }
        if NAMESPACES.contains(&word) && words.get(i + 1) == Some(&"::") {
            i += 2;
            continue;
        }
        if matches!(word, "typename" | "class" | "struct" | "enum" | "volatile") {
            i += 1;
            continue;
        }
        kept.push(word);
        i += 1;
    }
    const_first(&mut kept);
    let mut text = String::new();
    let mut before = "";
    for word in kept {
        if word.starts_with(is_word) && before.starts_with(is_word) {
            text.push(' ');
        }
        text.push_str(word);
        before = word;
    }
    for (one, other) in SAME {
        if text.contains(one) {
            text = text.replace(one, other);
        }
    }
    // A top-level `const` of a parameter passed by value does not matter.
    if !text.ends_with(['&', '*'])
        && let Some(rest) = text.strip_prefix("const ")
    {
        text = rest.to_owned();
    }
    text
}

/// `T const &` becomes `const T &`, at the outermost level.
fn const_first(words: &mut Vec<&str>) {
    let mut depth = 0usize;
    let mut found = None;
    for (i, word) in words.iter().enumerate() {
        match *word {
            "<" | "(" => depth += 1,
            ">" | ")" => depth = depth.saturating_sub(1),
            "const" if depth == 0 && i > 0 => found = Some(i),
            "*" if depth == 0 => return,
            _ => {}
        }
    }
    if let Some(at) = found {
        words.remove(at);
        if words.first() != Some(&"const") {
            words.insert(0, "const");
        }
    }
}
