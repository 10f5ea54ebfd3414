//! Reads `native_functions.yaml` into one record per operator, with every key as written.
//!
//! Invariant: a record has the types of its keys; combinations of keys are not checked here.
//! `operator_keys` declares the keys. Rule: torchgen/gen.py, `parse_native_yaml_struct`.

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use super::kind::of_executorch;
use super::operator_keys::NativeFunctionRecord;
pub use super::operator_keys::{ATEN_KEYS, LIBRARY_KEYS};
use crate::codes;
use torchgen_base::diag::{Diagnostic, Diagnostics, meant};
use torchgen_base::yaml::fields::{Fields, KeyTable, items};
use torchgen_base::yaml::{Node, NodeKind, Text};

/// How many entries a thread reads at least.
const CHUNK: usize = 128;

/// The operators of a file, in order. `keys` is [`ATEN_KEYS`] or [`LIBRARY_KEYS`]. Bad entries are
/// reported and left out; bad values are reported and their keys left out.
pub fn read_native_functions(
    root: Node,
    keys: &'static KeyTable,
    diagnostics: &mut Diagnostics,
) -> Vec<NativeFunctionRecord> {
    if let Some(error) = no_list(&root, keys).or_else(|| of_executorch(&root)) {
        diagnostics.push(error);
        return Vec::new();
    }
    let entries = items(root, "the list of operators", &codes::NOT_A_LIST, diagnostics).unwrap_or_default();
    // A few entries need no threads, which a caller may not have.
    if entries.len() <= CHUNK {
        return entries.into_iter().filter_map(|entry| read_entry(entry, keys, diagnostics)).collect();
    }
    // Each entry has a collector of its own; together they are in the order of the file.
    let read = |entry| {
        let mut found = Diagnostics::new();
        (read_entry(entry, keys, &mut found), found)
    };
    let read: Vec<_> = entries.into_par_iter().with_min_len(CHUNK / 2).with_max_len(CHUNK).map(read).collect();
    let keep = |(record, found)| {
        diagnostics.extend(found);
        record
    };
    read.into_iter().filter_map(keep).collect()
}

fn read_entry(entry: Node, keys: &'static KeyTable, diagnostics: &mut Diagnostics) -> Option<NativeFunctionRecord> {
    let mut fields = Fields::new(entry, keys, diagnostics)?;
    let missing = !fields.has("func");
    if missing && flat(&mut fields, keys) {
        return None;
    }
    let func = if let Some(schema) = missing.then(|| misnamed(&mut fields, keys)).flatten() {
        Some(schema)
    } else if missing {
        fields.missing("func", Some("write `func:` with the operator's schema: `func: add(Tensor a) -> Tensor`"));
        None
    } else {
        fields.take_text("func")
    };
    let schema = func.clone().unwrap_or_else(|| Text::made("", fields.first_key()));
    let record = NativeFunctionRecord::take(schema, &mut fields);
    fields.finish();
    func.map(|_| record)
}

/// The error for a file without entries, or with the keys of one at its top.
fn no_list(root: &Node, keys: &KeyTable) -> Option<Diagnostic> {
    if root.is_null() {
        let error = Diagnostic::new(&codes::NOT_A_LIST, "the file has no operators").at(root.span);
        return Some(error.help("write an entry for each: `- func: add(Tensor a) -> Tensor`"));
    }
    let NodeKind::Mapping(pairs) = &root.kind else { return None };
    let (key, value) = pairs.first()?;
    let name = key.as_text()?;
    let error = Diagnostic::new(&codes::NOT_A_LIST, "the list of operators must be a list, not a mapping").at(key.span);
    if keys.keys.iter().any(|spec| spec.name == name.as_str()) {
        return Some(
            error.help(format!("begin the entry with a dash, `- {name}:`, and indent its other keys by two spaces")),
        );
    }
    if matches!(value.kind, NodeKind::Sequence(_)) {
        return Some(error.help(format!("delete `{name}:`: the file is only the list")));
    }
    name.as_str().contains('(').then(|| error.help(format!("write `- func: {name}`, and the other keys below it")))
}

/// The schema under another key than `func:`, which is reported.
fn misnamed(fields: &mut Fields<'_>, keys: &KeyTable) -> Option<Text> {
    let (key, schema) = fields.rest().find_map(|(key, value)| {
        let name = key.as_text().filter(|name| keys.keys.iter().all(|spec| spec.name != name.as_str()))?;
        Some((name.clone(), value.as_text().filter(|text| text.as_str().contains("->"))?.clone()))
    })?;
    let error = Diagnostic::new(&codes::UNKNOWN_KEY, format!("{} has no key `{key}`", keys.what)).at(key.span());
    fields.diagnostics().push(error.help(meant(&key, "func").certainly()));
    fields.leave_out(&key);
    Some(schema)
}

/// Reports `- mul.out:` with the other keys at the level of the name or below it.
fn flat(fields: &mut Fields<'_>, keys: &KeyTable) -> bool {
    let Some((first, value)) = fields.rest().next() else { return false };
    let Some(name) = first.as_text().filter(|name| keys.keys.iter().all(|spec| spec.name != name.as_str())) else {
        return false;
    };
    if !(value.is_null() || matches!(value.kind, NodeKind::Mapping(_))) {
        return false;
    }
    let diagnostic = Diagnostic::new(
        &codes::FLAT_ENTRY,
        format!("`{name}` is written as a key, but an operator starts with `func:`"),
    )
    .at(first.span)
    .help(format!("write `- func: {name}`{}, and the other keys below it", schema_hint(name)));
    fields.diagnostics().push(diagnostic);
    true
}

fn schema_hint(name: &str) -> &'static str {
    if name.contains('(') { "" } else { " with the whole schema" }
}
