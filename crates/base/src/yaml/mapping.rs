//! Checks the keys of mappings: duplicates, keys that are not scalars, merge keys.
//!
//! Invariant: keys in the result are unique, unless an error was reported. Keys are equal if Python
//! finds them equal: `1`, `true` and `1.0` are one key, `1` and `'1'` are two.

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::resolve::{Resolved, resolve};
use super::tree::{Duplicates, MergeKeys, Node, NodeKind, Options};
use crate::diag::{Diagnostic, Diagnostics, Help, codes};

/// A key as Python compares it.
#[derive(Debug, PartialEq, Eq, Hash)]
enum KeyId<'a> {
    Null,
    Str(&'a str),
    Int(i128),
    Float(u64),
    Other(&'a str),
}

/// Up to this many keys are compared pairwise.
const FEW: usize = 12;

/// Checks the pairs of a mapping and resolves duplicates and merge keys.
pub(super) fn settle(pairs: Vec<(Node, Node)>, options: Options, diagnostics: &mut Diagnostics) -> Vec<(Node, Node)> {
    let mut own = Vec::with_capacity(pairs.len());
    let mut merged: Vec<(Node, Node)> = Vec::new();
    for (key, value) in pairs {
        if key.as_text().is_some_and(|text| text.as_str() == "<<") && resolve(&key) == Resolved::Merge {
            if options.merge_keys == MergeKeys::Reject {
                diagnostics.push(
                    Diagnostic::new(&codes::YAML_MERGE, "merge keys are not allowed in this file")
                        .at(key.span)
                        .help("repeat the keys, or quote `<<` if it is a name"),
                );
            }
            merge(value, &mut merged, diagnostics);
        } else if options.merge_keys == MergeKeys::Reject && resolve(&key) == Resolved::Value {
            diagnostics.push(
                Diagnostic::new(&codes::YAML_MERGE, "`=` is not allowed as a key in this file")
                    .at(key.span)
                    .help(Help::new("quote it").instead("'='").certainly()),
            );
        } else if key.as_text().is_none() {
            diagnostics.push(
                Diagnostic::new(&codes::YAML_KEY, "a list or mapping cannot be a key")
                    .at(key.span)
                    .maybe_help(as_one_key(&key)),
            );
        } else {
            own.push((key, value));
        }
    }
    if options.duplicates == Duplicates::Reject && report_duplicates(&own, diagnostics) == 0 && merged.is_empty() {
        return own;
    }
    merged.extend(own);
    last_wins(merged)
}

/// How to write a list of words as a key.
fn as_one_key(key: &Node) -> Option<Help> {
    let NodeKind::Sequence(items) = &key.kind else { return None };
    let words: Option<Vec<&str>> = items.iter().map(|item| item.as_text().map(|text| text.as_str())).collect();
    let words = words?.join(", ");
    Some(Help::new(format!("write the names without brackets: `{words}:`")).instead(words))
}

/// The pairs that `<<: value` adds. The first of several mappings has priority, so it comes last.
fn merge(value: Node, merged: &mut Vec<(Node, Node)>, diagnostics: &mut Diagnostics) {
    let refuse = |node: &Node| {
        Diagnostic::new(&codes::YAML_MERGE, "a merge key needs a mapping or a list of mappings").at(node.span)
    };
    match value.kind {
        NodeKind::Mapping(pairs) => merged.extend(pairs),
        NodeKind::Sequence(items) => {
            for item in items.into_iter().rev() {
                match item.kind {
                    NodeKind::Mapping(pairs) => merged.extend(pairs),
                    _ => diagnostics.push(refuse(&item)),
                }
            }
        }
        NodeKind::Scalar(_) => diagnostics.push(refuse(&value)),
    }
}

/// Reports repeated keys; returns how many there are.
fn report_duplicates(pairs: &[(Node, Node)], diagnostics: &mut Diagnostics) -> usize {
    let before = diagnostics.len();
    let report = |first: &Node, second: &Node, diagnostics: &mut Diagnostics| {
        let name = second.as_text().map_or("", |text| text.as_str());
        diagnostics.push(
            Diagnostic::new(&codes::DUPLICATE_KEY, format!("duplicate key `{name}`"))
                .at(second.span)
                .also(first.span, "first here"),
        );
    };
    let ids: Vec<KeyId<'_>> = pairs.iter().map(|(key, _)| id(key)).collect();
    if pairs.len() <= FEW {
        for (i, id) in ids.iter().enumerate() {
            if let Some(first) = ids[..i].iter().position(|earlier| earlier == id) {
                report(&pairs[first].0, &pairs[i].0, diagnostics);
            }
        }
        return diagnostics.len() - before;
    }
    let mut seen: FxHashMap<&KeyId<'_>, usize> = FxHashMap::with_capacity_and_hasher(pairs.len(), FxBuildHasher);
    for (i, id) in ids.iter().enumerate() {
        match seen.get(id) {
            Some(&first) => report(&pairs[first].0, &pairs[i].0, diagnostics),
            None => drop(seen.insert(id, i)),
        }
    }
    diagnostics.len() - before
}

/// Puts the later value in the place of the earlier key, as a Python dict does.
fn last_wins(pairs: Vec<(Node, Node)>) -> Vec<(Node, Node)> {
    let mut place = Vec::with_capacity(pairs.len());
    let mut count = 0;
    {
        let mut seen: FxHashMap<KeyId<'_>, usize> = FxHashMap::with_capacity_and_hasher(pairs.len(), FxBuildHasher);
        for (key, _) in &pairs {
            let at = *seen.entry(id(key)).or_insert(count);
            count = count.max(at + 1);
            place.push(at);
        }
    }
    let mut settled: Vec<(Node, Node)> = Vec::with_capacity(count);
    for ((key, value), at) in pairs.into_iter().zip(place) {
        match settled.get_mut(at) {
            Some(slot) => slot.1 = value,
            None => settled.push((key, value)),
        }
    }
    settled
}

fn id(key: &Node) -> KeyId<'_> {
    let text = key.as_text().map_or("", |text| text.as_str());
    match resolve(key) {
        Resolved::Null => KeyId::Null,
        // The loader that supports merge keys takes an unquoted `=` for a string.
        Resolved::Str | Resolved::Value => KeyId::Str(text),
        Resolved::Bool(value) => KeyId::Int(i128::from(value)),
        Resolved::Int(Some(value)) => KeyId::Int(value),
        Resolved::Float(value) if value.fract() == 0.0 && value.abs() < 1e30 => KeyId::Int(value as i128),
        Resolved::Float(value) => KeyId::Float(value.to_bits()),
        _ => KeyId::Other(text),
    }
}
