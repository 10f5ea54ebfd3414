//! The operators of each version of torch, without its files: `data/torch/versions`.
//!
//! `operators.txt` has the lines of all versions in one list. Those of one version, in order, are a
//! native_functions.yaml with all keys and without comments. `overloads.yaml` has the schemas that
//! torchgen adds to them, and `cpp_only.yaml` the overloads of C++ that no schema has.
//!
//! Invariant: the versions are [`Version::OLDEST`] to [`Version::NEWEST`], and each line that some
//! of them lack says which ones have it; a test reads all lines.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use serde::Deserialize;

use crate::model::native_function::Variants;
use crate::model::version::Version;
use torchgen_kit::driver::data::{constant, constant_text};

/// The table of operators, below `data/`.
const OPERATORS: &str = "torch/versions/operators.txt";

/// How the line of an entry begins.
const ENTRY: &str = "- func: ";

/// An overload in a range of versions. A schema that changed has one for each text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overload {
    /// The schema as torch declares it, without a namespace.
    pub schema: String,
    /// The first version that has it.
    pub since: Version,
    /// The last version that has it; `None` if the newest does.
    pub until: Option<Version>,
    /// Its functions in C++, in the last of these versions.
    pub variants: Variants,
    /// Its arguments without their default in C++.
    pub cpp_no_default_args: Vec<&'static str>,
}

/// The versions that have an operator, whatever its schema in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The first one that is known.
    pub since: Version,
    /// The last one; `None` if the newest has it.
    pub until: Option<Version>,
}

impl Span {
    fn add(&mut self, other: Span) {
        self.since = self.since.min(other.since);
        self.until = self.until.and_then(|until| Some(until.max(other.until?)));
    }
}

impl Overload {
    /// One with a function in C++, and with all defaults.
    fn function(schema: String, since: Version, until: Option<Version>) -> Overload {
        let variants = Variants { function: true, method: false };
        Overload { schema, since, until, variants, cpp_no_default_args: Vec::new() }
    }

    /// Reads a key of its entry that decides about its functions in C++.
    fn read_key(&mut self, key: &str, value: &'static str) {
        match key {
            // Thousands of entries have it.
            "variants" => {
                let has = |word: &str| value.contains(word);
                self.variants = Variants { function: has("function"), method: has("method") };
            }
            "cpp_no_default_args" => {
                let words = value.trim_matches(['[', ']']).split(',');
                self.cpp_no_default_args = words.map(|word| word.trim().trim_matches(['"', '\''])).collect();
            }
            _ => {}
        }
    }

    /// Its name: `cumsum`, or `cumsum.out`.
    pub fn full_name(&self) -> &str {
        self.schema.split('(').next().unwrap_or_default()
    }

    /// The name of its operator: `cumsum`.
    pub fn operator(&self) -> &str {
        self.full_name().split('.').next().unwrap_or_default()
    }
}

/// A line of the table, and the versions that have it.
struct Line<'t> {
    since: Version,
    until: Version,
    text: &'t str,
}

/// The lines that are not comments.
fn lines() -> impl Iterator<Item = Line<'static>> {
    constant_text(OPERATORS).lines().filter(|line| !line.starts_with('#')).map(line)
}

fn line(line: &str) -> Line<'_> {
    let bounded = || {
        let (range, text) = line.split_once('|').filter(|_| line.starts_with(|c: char| c.is_ascii_digit()))?;
        let (since, until) = range.split_once('-')?;
        Some(Line { since: since.parse().ok()?, until: until.parse().ok()?, text })
    };
    bounded().unwrap_or(Line { since: Version::OLDEST, until: Version::NEWEST, text: line })
}

/// The native_functions.yaml of a version: its operators with their keys, without comments.
pub fn native_functions(torch: Version) -> String {
    let mut text = String::with_capacity(constant_text(OPERATORS).len());
    for line in lines().filter(|line| (line.since..=line.until).contains(&torch)) {
        text.push_str(line.text);
        text.push('\n');
    }
    text
}

/// How the result of a method shares the memory of its tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shares {
    /// It is a view of the tensor, or the tensor itself.
    Always,
    /// It is a copy where there is something to do, and otherwise as before.
    UnlessCopied,
    /// It is a list of views.
    InList,
}

/// The operators that copy if they have to, although their schema declares a view.
const COPYING: [&str; 12] = [
    "_autocast_to_full_precision",
    "_autocast_to_reduced_precision",
    "coalesce",
    "contiguous",
    "flatten",
    "pin_memory",
    "ravel",
    "reshape",
    "reshape_as",
    "resolve_conj",
    "resolve_neg",
    "to",
];

/// The methods of tensors that no schema declares and whose result shares their memory.
const BY_HAND: [(&str, Shares); 4] = [
    ("data", Shares::Always),
    ("expect_contiguous", Shares::UnlessCopied),
    ("tensor_data", Shares::Always),
    ("variable_data", Shares::Always),
];

/// How the result of a method of that name shares the memory of its tensor, by the alias sets of
/// all schemas; `None` if it does not.
pub fn shares_memory(method: &str) -> Option<(&'static str, Shares)> {
    static METHODS: LazyLock<HashMap<&'static str, Shares>> = LazyLock::new(|| {
        let of_schema = |line: Line<'static>| {
            let (name, rest) = line.text.strip_prefix(ENTRY)?.split_once('(')?;
            let (set, result) = ["Tensor(a)", "Tensor(a -> *)"]
                .iter()
                .find_map(|own| rest.strip_prefix(own))?
                .split_once("-> Tensor(a)")?;
            let name = name.split('.').next().filter(|_| set.starts_with(" self"))?;
            Some((
                name,
                match result {
                    "[]" => Shares::InList,
                    _ if COPYING.contains(&name) => Shares::UnlessCopied,
                    _ => Shares::Always,
                },
            ))
        };
        lines().filter_map(of_schema).chain(BY_HAND).collect()
    });
    METHODS.get_key_value(method).map(|(name, shares)| (*name, *shares))
}

/// Whether some version has an operator of that name, such as `cumsum`.
pub fn is_operator(name: &str) -> bool {
    static NAMES: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
        let name = |line: Line<'static>| line.text.strip_prefix(ENTRY)?.split(['(', '.']).next();
        lines().filter_map(name).collect()
    });
    NAMES.contains(name)
}

/// Whether every version has an operator of that name with the same schema. This does not read the
/// table, which is large.
pub fn every_version_has(operator: &str) -> bool {
    let table = constant_text(OPERATORS);
    let begins_line = |at: usize| at == 0 || table.as_bytes()[at - 1] == b'\n';
    [format!("{ENTRY}{operator}("), format!("{ENTRY}{operator}.")]
        .iter()
        .any(|entry| table.match_indices(entry.as_str()).any(|(at, _)| begins_line(at)))
}

/// All overloads, sorted by name, then by version. The table is large: it is read once, when it is
/// needed.
pub fn overloads() -> &'static [Overload] {
    static OVERLOADS: LazyLock<Vec<Overload>> = LazyLock::new(|| {
        let mut all = written();
        all.extend(generated());
        all.sort_by(|a, b| (a.full_name(), a.since).cmp(&(b.full_name(), b.since)));
        all
    });
    &OVERLOADS
}

/// The versions of every overload by its name, with `.` before the name of an overload.
pub fn spans() -> &'static HashMap<&'static str, Span> {
    static SPANS: LazyLock<HashMap<&'static str, Span>> = LazyLock::new(|| {
        let mut spans: HashMap<&str, Span> = HashMap::new();
        for overload in overloads() {
            let own = Span { since: overload.since, until: overload.until };
            let join = |span: &mut Span| span.add(own);
            spans.entry(overload.full_name()).and_modify(join).or_insert(own);
        }
        spans
    });
    &SPANS
}

/// The overloads of native_functions.yaml. The same schema may be at two places of the table, each
/// with versions of its own.
fn written() -> Vec<Overload> {
    let mut all: Vec<Overload> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    let (mut own, mut last) = (0, Version::OLDEST);
    for line in lines() {
        let Some(schema) = line.text.strip_prefix(ENTRY) else {
            let key = line.text.trim().split_once(": ").filter(|_| line.until >= last);
            if let (Some(entry), Some((key, value))) = (all.get_mut(own), key) {
                entry.read_key(key, value);
            }
            continue;
        };
        last = line.until;
        let until = Some(line.until).filter(|until| *until != Version::NEWEST);
        match known.get(schema) {
            Some(&at) => {
                let mut span = Span { since: all[at].since, until: all[at].until };
                span.add(Span { since: line.since, until });
                (all[at].since, all[at].until) = (span.since, span.until);
                own = at;
            }
            None => {
                own = all.len();
                known.insert(schema, own);
                all.push(Overload::function(schema.to_owned(), line.since, until));
            }
        }
    }
    all
}

/// The overloads that torchgen adds.
fn generated() -> Vec<Overload> {
    #[derive(Deserialize)]
    struct Table {
        generated: Vec<Entry>,
    }

    #[derive(Deserialize)]
    struct Entry {
        schema: String,
        since: Option<Version>,
        until: Option<Version>,
    }

    let table: Table = constant("torch/versions/overloads.yaml");
    let of = |Entry { schema, since, until }| Overload::function(schema, since.unwrap_or(Version::OLDEST), until);
    table.generated.into_iter().map(of).collect()
}

/// An overload that C++ has by hand: it takes a number in place of a list, and calls the overload
/// that takes the list.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CppOnly {
    /// The name of the operator.
    pub name: String,
    /// Whether it is a function or a method.
    pub variant: String,
    /// The parameter besides the tensor, with its type.
    pub parameter: String,
    /// The first version that has it; `None` if the oldest does.
    pub since: Option<Version>,
    /// The last version that has it; `None` if the newest does.
    pub until: Option<Version>,
}

/// The overloads of C++ that no schema has.
pub fn cpp_only() -> &'static [CppOnly] {
    #[derive(Deserialize)]
    struct Table {
        cpp_only: Vec<CppOnly>,
    }

    static WRITTEN: LazyLock<Vec<CppOnly>> = LazyLock::new(|| {
        let table: Table = constant("torch/versions/cpp_only.yaml");
        table.cpp_only
    });
    &WRITTEN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_says_which_versions_have_it() {
        let text = constant_text(OPERATORS);
        let head = format!("{}.\n", ["2.10", "2.11", "2.12", "2.13", "2.14", "2.15"].join(" "));
        assert!(text.lines().next().is_some_and(|line| format!("{line}\n").ends_with(&head)), "{head}");
        let versions = [Version::OLDEST, Version::NEWEST].map(|version| version.to_string());
        assert!(versions.iter().all(|version| head.contains(version.as_str())), "{head}");
        for (number, own) in text.lines().enumerate() {
            let Line { since, until, text } = line(own);
            let starts = ["- func: ", "  ", "#"].iter().any(|start| text.starts_with(start));
            assert!(starts && since <= until, "{}: {own}", number + 1);
            let bounded = own.starts_with(|c: char| c.is_ascii_digit());
            assert_eq!(bounded, (since, until) != (Version::OLDEST, Version::NEWEST), "{}: {own}", number + 1);
        }
    }

    #[test]
    fn versions_of_an_operator() {
        let span = |name: &str| spans()[name];
        let always = Span { since: Version::OLDEST, until: None };
        assert_eq!([span("add.Tensor"), span("add_.Tensor"), span("zeros.names_out")], {
            let gone = Span { since: Version::OLDEST, until: Some(Version::new(2, 12)) };
            [always, always, gone]
        });
        let written = native_functions(Version::OLDEST);
        assert!(
            written
                .contains("\n- func: rename_(Tensor(a!) self, Dimname[]? names) -> Tensor(a!)\n  tags: inplace_view\n")
        );
        assert!(!native_functions(Version::NEWEST).contains("Dimname"));
    }
}
