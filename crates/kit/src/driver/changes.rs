//! Tables of facts with changes: what an older version of the program whose facts they are had in
//! their place.
//!
//! A change has the form of the table. Where the table has a list, it is a mapping of `without` and
//! `with`, the items to leave out and to add. A key of a mapping gets a new value, or `null` to
//! leave it out. Changes apply one after the other.
//!
//! Invariant: a change that does not fit is a panic in a test of all changes, not a silent no-op.

use std::collections::HashMap;
use std::sync::Arc;

use serde_yaml::{Mapping, Value};

use super::Session;
use super::data::{RunTables, Tables, known};

/// A change of the table at a path below `data/`.
#[derive(Debug, Clone, PartialEq)]
pub struct TableChange {
    /// The path of the table.
    pub table: String,
    /// What changes.
    pub change: Value,
}

impl Session {
    /// Applies changes to the tables of this run, the first one first.
    ///
    /// # Panics
    /// A change does not fit its table, which a test of each change rules out.
    pub fn change_tables(&mut self, changes: &[TableChange]) {
        if !changes.is_empty() {
            self.tables = self.tables.changed(changes);
        }
    }
}

impl Tables {
    /// These tables with changes.
    ///
    /// # Panics
    /// A change does not fit its table, which a test of each change rules out.
    pub fn changed(&self, changes: &[TableChange]) -> RunTables {
        let mut tables: HashMap<&'static str, Value> = self.extended().cloned().unwrap_or_default();
        for TableChange { table, change } in changes {
            let (name, text) = known(table).unwrap_or_else(|| panic!("there is no table `{table}`"));
            let own = || serde_yaml::from_str(text).expect("a table of the program");
            apply(tables.entry(name).or_insert_with(own), change, table);
        }
        RunTables::from_tables(Arc::new(Tables::new(Some(tables))))
    }
}

fn apply(value: &mut Value, change: &Value, place: &str) {
    match (value, change) {
        (Value::Sequence(list), Value::Mapping(change)) => {
            for (key, items) in change {
                let items = items.as_sequence().unwrap_or_else(|| panic!("{place}: a list of items"));
                match key.as_str() {
                    Some("without") => items.iter().for_each(|item| {
                        let at = list.iter().position(|own| own == item);
                        list.remove(at.unwrap_or_else(|| panic!("{place} does not have {item:?}")));
                    }),
                    Some("with") => list.extend(items.iter().cloned()),
                    _ => panic!("{place}: a list changes by `with` and `without`"),
                }
            }
        }
        (Value::Mapping(map), Value::Mapping(change)) => {
            for (key, change) in change {
                let place = format!("{place}, {}", key.as_str().unwrap_or_default());
                replace(map, key, change, &place);
            }
        }
        (value, change) => *value = change.clone(),
    }
}

fn replace(map: &mut Mapping, key: &Value, change: &Value, place: &str) {
    match (map.get_mut(key), change) {
        (Some(_), Value::Null) => drop(map.shift_remove(key)),
        (Some(inner @ (Value::Sequence(_) | Value::Mapping(_))), Value::Mapping(_)) => apply(inner, change, place),
        (None, Value::Null) => panic!("{place}: there is no such key"),
        _ => drop(map.insert(key.clone(), change.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(table: &str, change: &str) -> Value {
        let mut value: Value = serde_yaml::from_str(table).unwrap();
        apply(&mut value, &serde_yaml::from_str(change).unwrap(), "the table");
        value
    }

    #[test]
    fn lists_keys_and_values_change() {
        let table = "{words: [a, b], map: {x: 1, y: {z: [1]}}, word: c}";
        let expected: Value = serde_yaml::from_str("{words: [a, c], map: {y: {z: [1, 2]}, w: {}}, word: d}").unwrap();
        let change = "{words: {without: [b], with: [c]}, map: {x: null, y: {z: {with: [2]}}, w: {}}, word: d}";
        assert_eq!(changed(table, change), expected);
    }

    #[test]
    #[should_panic(expected = "does not have")]
    fn an_item_that_is_not_there() {
        changed("[a]", "{without: [b]}");
    }
}
