//! What could be typed at a place.
//!
//! Invariant: every word that is offered means something there: a key that its mapping may have, a
//! value that its key names, a declaration of the project.

use gen_lsp_types::{CompletionItem, CompletionItemKind, Position};
use serde_json::Value;

use super::entries::{entries, entry_at, path_at};
use super::index::Index;
use super::schema;
use super::text::Text;

/// The words for a place of a file with this schema.
pub(super) fn items(text: &Text, at: Position, schema: Option<&Value>, index: &Index) -> Vec<CompletionItem> {
    let line = at.line as usize;
    let column = text.column(at);
    let path = path_at(text, line, column);
    let mut items = Vec::new();
    if let Some(root) = schema {
        let below = schema::at(root, &path.keys);
        if path.in_key {
            for (key, means) in schema::keys(&below) {
                if !path.beside.iter().any(|known| known == key) {
                    items.push(item(key, CompletionItemKind::Property, means, Some(format!("{key}: "))));
                }
            }
        } else {
            items.extend(schema::values(&below).iter().map(|value| item(value, CompletionItemKind::Value, "", None)));
        }
    }
    let entries = entries(text);
    let entry = entry_at(&entries, line);
    if path.in_key {
        // The keys of a formula are arguments.
        items.extend(entry.filter(|entry| entry.key == "name").into_iter().flat_map(|entry| parts(index, &entry.name)));
        return items;
    }
    let key = path.keys.iter().rev().find_map(Option::as_deref).unwrap_or_default();
    let before = text.line(line).get(..column).unwrap_or_default();
    let is_schema =
        matches!(key, "func" | "schema") || before.contains("(") && entry.is_some_and(|e| e.lines.start == line);
    match key {
        _ if is_schema => {
            items.extend(index.types().iter().map(|name| item(name, CompletionItemKind::Class, "", None)));
        }
        "structured_delegate" | "structured_inherits" | "name" | "autogen" | "view_inverse" => {
            items.extend(index.names().map(|(name, schema)| item(name, CompletionItemKind::Function, schema, None)));
        }
        // Formulas.
        _ if entry.is_some_and(|entry| entry.key == "name" && entry.lines.start < line) => {
            items.extend(entry.into_iter().flat_map(|entry| parts(index, &entry.name)));
            items.extend(["grad", "grads", "result"].map(|name| item(name, CompletionItemKind::Variable, "", None)));
            let functions = index.names().filter(|(name, _)| !name.contains('.'));
            items.extend(functions.map(|(name, schema)| item(name, CompletionItemKind::Function, schema, None)));
        }
        _ => {}
    }
    items
}

/// The parts of a declaration.
fn parts(index: &Index, name: &str) -> Vec<CompletionItem> {
    let Some(thing) = index.things_named(name).next() else { return Vec::new() };
    let named = thing.list("/parts");
    let named = named.filter_map(|part| Some((part["name"].as_str()?, part["type"].as_str().unwrap_or_default())));
    named.map(|(name, of)| item(name, CompletionItemKind::Variable, of, None)).collect()
}

fn item(label: &str, kind: CompletionItemKind, says: &str, insert: Option<String>) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        kind: Some(kind),
        documentation: (!says.is_empty()).then(|| says.into()),
        insert_text: insert,
        ..CompletionItem::default()
    }
}
