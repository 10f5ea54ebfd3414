//! The tables of facts of a run: those of the program, from `data/`, and the additions of
//! `--data-dir`.
//!
//! Invariant: additions keep the form of a table: they append to lists of words, and add keys to
//! the mappings in `OPEN`. Tables belong to a run, which passes them to all that reads them, and
//! what was read does not change. Runs without additions share the tables of the program.

use std::any::{Any, TypeId};
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use regex::Regex;
use serde::de::DeserializeOwned;
use serde_yaml::{Mapping, Value};

use super::{JobError, Session};
use crate::driver::templates::files_below;
use torchgen_base::diag::{Diagnostic, Help, codes, did_you_mean};
use torchgen_base::yaml::{self, Node, NodeKind};
use torchgen_data::CLOSED;

/// Mappings that accept new keys.
const OPEN: &[&str] =
    &["fallback", "through_dispatcher", "views", "untracked_views", "renamed", "single_output_replay"];

/// Those whose values are all there already.
const ENUMERATED: &[&str] = &["single_output_replay"];

/// Lists of regular expressions.
const PATTERNS: &[&str] = &["without_binding"];

/// How many lists there are of tables that were read: more than tables, so that most are short.
const LISTS: usize = 64;

/// The form of a table, which may be that of a part. Several forms can have one table.
pub trait Table: DeserializeOwned + Send + Sync + 'static {
    /// The path of the table below `data/`.
    const PATH: &'static str;
}

/// The tables that a run reads. Each form of a table is read once, when it is needed.
pub struct Tables {
    /// The tables with additions, by path; `None` if these are the tables of the program.
    extended: Option<HashMap<&'static str, Value>>,
    /// What was read, in lists by the table's path.
    read: [Link; LISTS],
}

/// The rest of a list, which is only ever appended to.
type Link = OnceLock<Box<Read>>;

/// A table that was read.
struct Read {
    form: TypeId,
    table: Box<dyn Any + Send + Sync>,
    next: Link,
}

/// The tables without additions.
static EMBEDDED: Tables = Tables::new(None);

impl Tables {
    pub(super) const fn new(extended: Option<HashMap<&'static str, Value>>) -> Tables {
        Tables { extended, read: [const { Link::new() }; LISTS] }
    }

    /// The tables that differ from those of the program.
    pub(super) fn extended(&self) -> Option<&HashMap<&'static str, Value>> {
        self.extended.as_ref()
    }

    /// The tables without additions.
    pub fn embedded() -> &'static Tables {
        &EMBEDDED
    }

    /// A table, additions included.
    ///
    /// # Panics
    /// There is no such table, or it does not have the form, which a test of each table rules out.
    pub fn get<T: Table>(&self) -> &T {
        let Some(extended) = &self.extended else { return self.keep(|| parse(T::PATH)) };
        match extended.get(T::PATH) {
            None => EMBEDDED.get(),
            Some(table) => self.keep(|| serde_yaml::from_value(table.clone()).unwrap_or_else(|_| parse(T::PATH))),
        }
    }

    /// The table of that form, which is read if it was not before.
    fn keep<T: Table>(&self, read: impl FnOnce() -> T) -> &T {
        let form = TypeId::of::<T>();
        let mut link = &self.read[const { list_of(T::PATH) }];
        let mut read = Some(read);
        loop {
            let found = link.get_or_init(|| {
                let read = read.take().expect("the last link is reached once");
                Box::new(Read { form, table: Box::new(read()), next: Link::new() })
            });
            if found.form == form {
                return found.table.downcast_ref().expect("the table has the type of its form");
            }
            link = &found.next;
        }
    }
}

/// The number of the list with the tables at a path.
const fn list_of(path: &str) -> usize {
    let (bytes, mut hash, mut at) = (path.as_bytes(), 0_usize, 0);
    while at < bytes.len() {
        hash = (hash * 31 + bytes[at] as usize) % LISTS;
        at += 1;
    }
    hash
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.extended.is_some() { "the tables of a run" } else { "the tables of the program" })
    }
}

/// The tables of one run, for its [`Session`].
#[derive(Clone, Default)]
pub struct RunTables(Option<Arc<Tables>>);

impl RunTables {
    pub(super) fn from_tables(tables: Arc<Tables>) -> RunTables {
        RunTables(Some(tables))
    }
}

impl Deref for RunTables {
    type Target = Tables;

    fn deref(&self) -> &Tables {
        self.0.as_deref().unwrap_or(&EMBEDDED)
    }
}

/// The table at that path below `data/`, which cannot be extended.
///
/// # Panics
/// There is no such table, or it does not have the type, which a test of each table rules out.
pub fn constant<T: DeserializeOwned>(name: &str) -> T {
    assert!(CLOSED.contains(&name), "`{name}` can be extended, so a run has it");
    parse(name)
}

/// The text of the table at that path below `data/`, which is not YAML and cannot be extended.
///
/// # Panics
/// There is no such table, which a test of each table rules out.
pub fn constant_text(name: &str) -> &'static str {
    assert!(CLOSED.contains(&name), "`{name}` can be extended, so a run has it");
    embedded(name).expect("a table of the binary")
}

fn parse<T: DeserializeOwned>(name: &str) -> T {
    serde_yaml::from_str(embedded(name).expect("a table of the binary")).expect("a test reads the embedded table")
}

/// The table of the program with that name, and its text.
pub(super) fn known(name: &str) -> Option<(&'static str, &'static str)> {
    torchgen_data::table_named(name).map(|file| (file.name, file.text()))
}

fn embedded(name: &str) -> Option<&'static str> {
    torchgen_data::text(name)
}

impl Session {
    /// Adds the tables below the directories to those of the program, for this run.
    ///
    /// # Errors
    /// A file cannot be read. Additions that do not fit are diagnostics.
    pub(crate) fn extend_tables(&mut self, dirs: &[PathBuf]) -> Result<(), JobError> {
        if dirs.is_empty() {
            return Ok(());
        }
        let mut tables: HashMap<&'static str, Value> = HashMap::new();
        for dir in dirs {
            for (name, path) in files_below(dir, &mut self.seen)? {
                let known = || torchgen_data::all().map(|file| file.name).filter(|name| !CLOSED.contains(name));
                let Some(table) = known().find(|known| *known == name) else {
                    let message =
                        format!("`{}` does not extend a table, because there is no table `{name}`", path.display());
                    let help =
                        did_you_mean(&name, known()).unwrap_or_else(|| known().collect::<Vec<_>>().join(", ").into());
                    self.diagnostics.push(Diagnostic::new(&codes::DATA_TABLE, message).help(help));
                    continue;
                };
                let node = match self.read_yaml(&path, yaml::Options::OPERATORS) {
                    Ok(node) => node,
                    Err(JobError::Input) => continue,
                    Err(stop) => return Err(stop),
                };
                let own = embedded(table).and_then(|text| serde_yaml::from_str(text).ok()).unwrap_or(Value::Null);
                add(tables.entry(table).or_insert(own), node, "", &mut self.diagnostics);
            }
        }
        self.check_errors()?;
        self.tables = RunTables(Some(Arc::new(Tables::new(Some(tables)))));
        Ok(())
    }
}

/// Adds a node to a table, or to the part of one at `key`.
fn add(table: &mut Value, node: Node, key: &str, diagnostics: &mut torchgen_base::diag::Diagnostics) {
    let mut refuse = |span, message: String, help: Option<Help>| {
        diagnostics.push(Diagnostic::new(&codes::DATA_TABLE, message).at(span).maybe_help(help));
    };
    match (table, node.kind) {
        (Value::Sequence(list), NodeKind::Sequence(items)) if list.iter().all(Value::is_string) => {
            for item in items {
                let Some(word) = item.as_text().filter(|_| !item.is_null()) else {
                    refuse(item.span, "this is not a word".to_owned(), None);
                    continue;
                };
                match PATTERNS.contains(&key).then(|| Regex::new(word)) {
                    Some(Err(error)) => refuse(
                        word.span(),
                        format!("`{word}` is not a regular expression"),
                        Some(error.to_string().into()),
                    ),
                    _ => list.push(Value::String(word.to_string())),
                }
            }
        }
        (Value::Mapping(map), NodeKind::Mapping(pairs)) => {
            for (name, value) in pairs {
                let Some(text) = name.as_text().cloned() else { continue };
                match (map.get_mut(text.as_str()), OPEN.contains(&key)) {
                    (Some(inner @ (Value::Sequence(_) | Value::Mapping(_))), false) => {
                        add(inner, value, &text, diagnostics)
                    }
                    (Some(_), _) => {
                        let message = format!("the table already has `{text}`");
                        diagnostics.push(Diagnostic::new(&codes::DATA_TABLE, message).at(text.span()));
                    }
                    (None, true) => {
                        let wrong = ENUMERATED.contains(&key).then(|| not_among(map, &value)).flatten();
                        if let Some(error) = wrong {
                            diagnostics.push(error);
                            continue;
                        }
                        let like = map.iter().next().map(|(_, value)| value.clone());
                        if let Some(value) = alike(like.as_ref(), value, diagnostics) {
                            map.insert(Value::String(text.to_string()), value);
                        }
                    }
                    (None, false) => {
                        let message = format!("the table has no list `{text}`");
                        let help = did_you_mean(&text, map.keys().filter_map(Value::as_str));
                        let found = Diagnostic::new(&codes::DATA_TABLE, message).at(text.span());
                        diagnostics.push(found.maybe_help(help));
                    }
                }
            }
        }
        (Value::Sequence(list), NodeKind::Sequence(_)) if !list.is_empty() => {
            refuse(node.span, format!("`{key}` is not a list of words, so it cannot be extended"), None);
        }
        (Value::Sequence(_), _) => refuse(node.span, "this must be a list".to_owned(), None),
        (_, _) => refuse(node.span, "this must be a mapping, as in the table".to_owned(), None),
    }
}

/// The error about a value that no key of the mapping has.
fn not_among(map: &serde_yaml::Mapping, value: &Node) -> Option<Diagnostic> {
    let words: BTreeSet<&str> = map.values().filter_map(Value::as_str).collect();
    if value.as_text().is_some_and(|word| words.contains(word.as_str())) {
        return None;
    }
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    Some(Diagnostic::new(&codes::DATA_TABLE, format!("this must be one of {}", words.join(", "))).at(value.span))
}

/// The value of a new key, if it has the form of the others: a word, or a mapping with the first
/// release.
fn alike(like: Option<&Value>, node: Node, diagnostics: &mut torchgen_base::diag::Diagnostics) -> Option<Value> {
    let span = node.span;
    let refuse = |message: &str| Diagnostic::new(&codes::DATA_TABLE, message).at(span);
    if matches!(like, Some(Value::String(_))) {
        if let Some(word) = node.as_text().filter(|_| !node.is_null()) {
            return Some(Value::String(word.to_string()));
        }
        diagnostics.push(refuse("this is not a word"));
        return None;
    }
    let pairs = match node.kind {
        NodeKind::Mapping(pairs) => pairs,
        _ if node.is_null() => Vec::new(),
        _ => {
            diagnostics.push(refuse("this must be a mapping").help("write `{}`, or `{since: TORCH_VERSION_2_12_0}`"));
            return None;
        }
    };
    let mut map = Mapping::new();
    for (key, value) in pairs {
        match (key.as_text().map(|key| key.as_str()), value.as_text()) {
            (Some("since"), Some(word)) => drop(map.insert("since".into(), word.to_string().into())),
            _ => diagnostics
                .push(Diagnostic::new(&codes::DATA_TABLE, "only `since` with a word is allowed here").at(key.span)),
        }
    }
    Some(Value::Mapping(map))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Operators {
        operators: Vec<String>,
    }

    #[derive(Deserialize)]
    struct Macros {
        macros: Vec<String>,
    }

    #[derive(Deserialize)]
    struct Tags(Vec<String>);

    impl Table for Operators {
        const PATH: &'static str = "torch/reserved_names.yaml";
    }

    impl Table for Macros {
        const PATH: &'static str = "torch/reserved_names.yaml";
    }

    impl Table for Tags {
        const PATH: &'static str = "torch/standard_tags.yaml";
    }

    /// The tables of a run that adds a name to two lists of one table.
    fn with(name: &str) -> RunTables {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("torch")).unwrap();
        let text = format!("operators: [{name}]\nmacros: [{name}]\n");
        std::fs::write(dir.path().join("torch/reserved_names.yaml"), text).unwrap();
        let mut session = Session::default();
        session.extend_tables(&[dir.path().to_owned()]).unwrap();
        session.tables
    }

    #[test]
    fn runs_do_not_see_each_other() {
        let (first, second, none) = (with("extent"), with("width"), RunTables::default());
        let has = |tables: &Tables, name: &str| {
            let [operators, macros] = [&tables.get::<Operators>().operators, &tables.get::<Macros>().macros];
            [operators, macros].map(|list| list.iter().any(|known| known == name))
        };
        for (tables, own) in [(&first, ["extent"].as_slice()), (&none, &[]), (&second, &["width"])] {
            for name in ["extent", "width"] {
                assert_eq!(has(tables, name), [own.contains(&name); 2], "{name}");
            }
        }
    }

    #[test]
    fn a_table_is_read_once() {
        let (extended, other) = (with("extent"), with("width"));
        assert!(std::ptr::eq(extended.get::<Macros>(), extended.clone().get::<Macros>()));
        // What nothing is added to is the program's.
        assert!(std::ptr::eq(extended.get::<Tags>(), other.get::<Tags>()));
        assert!(std::ptr::eq(extended.get::<Tags>(), Tables::embedded().get::<Tags>()));
        assert!(extended.get::<Tags>().0.iter().any(|tag| tag == "core"));
    }
}
