//! The embedded tables of facts, from `data/`, and the additions of `--data-dir`.
//!
//! Invariant: additions keep the form of a table: they append to lists of words, and add keys to
//! the mappings in `OPEN`. Tables belong to the process: the first run in it sets the additions.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use regex::Regex;
use serde::de::DeserializeOwned;
use serde_yaml::{Mapping, Value};

use super::{JobError, Session};
use crate::driver::templates::files_below;
use torchgen_base::diag::{Diagnostic, codes, did_you_mean};
use torchgen_base::yaml::{self, Node, NodeKind};

/// Mappings that accept new keys.
const OPEN: &[&str] = &["fallback", "through_dispatcher", "views", "untracked_views", "renamed"];

/// Lists of regular expressions.
const PATTERNS: &[&str] = &["without_binding"];

/// Tables that cannot be extended.
const CLOSED: &[&str] =
    &["graph_ir/prelude.yaml", "torch/stable_types.yaml", "torch/versions/overloads.yaml", "torch/versions/shim.yaml"];

static EXTENDED: OnceLock<HashMap<&'static str, Value>> = OnceLock::new();

/// The table at that path below `data/`, additions included.
///
/// # Panics
/// There is no such table, or it does not have the type, which a test of each table rules out.
pub fn table<T: DeserializeOwned>(name: &str) -> T {
    let added = EXTENDED.get().and_then(|tables| tables.get(name));
    if let Some(table) = added.and_then(|table| serde_yaml::from_value(table.clone()).ok()) {
        return table;
    }
    serde_yaml::from_str(embedded(name).expect("a table of the binary")).expect("a test reads the embedded table")
}

fn embedded(name: &str) -> Option<&'static str> {
    torchgen_data::text(name)
}

impl Session {
    /// Adds the tables below the directories to the embedded ones. Must be called before a table is
    /// read.
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
                let known = || torchgen_data::all().iter().map(|(name, _)| *name).filter(|name| !CLOSED.contains(name));
                let Some(table) = known().find(|known| *known == name) else {
                    let message =
                        format!("`{}` does not extend a table, because there is no table `{name}`", path.display());
                    let help = did_you_mean(&name, known()).unwrap_or_else(|| known().collect::<Vec<_>>().join(", "));
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
        if EXTENDED.set(tables).is_err() {
            let message = "another run in this process has set its tables already";
            return Err(Diagnostic::new(&codes::USAGE, message).into());
        }
        Ok(())
    }
}

/// Adds a node to a table, or to the part of one at `key`.
fn add(table: &mut Value, node: Node, key: &str, diagnostics: &mut torchgen_base::diag::Diagnostics) {
    let mut refuse = |span, message: String, help: Option<String>| {
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
                    Some(Err(error)) => {
                        refuse(word.span(), format!("`{word}` is not a regular expression"), Some(error.to_string()))
                    }
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
