//! Whether calls in C++ that were right still are: the functions that are made from a thing, and
//! how callers call them.
//!
//! Invariant: a call passes, by position, values of the types that the old function declares, and
//! leaves out only what had a default. It is still right if one function of that name takes each
//! value for the same part, without losing any of it.

use std::collections::HashMap;

use super::Thing;
use super::functions::{Function, Parameter};
use super::parts::paired;

/// The functions of a state by their names, each with the name of its thing.
pub(super) type ByName<'t> = HashMap<&'t str, Vec<(&'t str, &'t Function)>>;

/// The functions of all things.
pub(super) fn by_name(things: &[Thing]) -> ByName<'_> {
    let mut all = ByName::new();
    for thing in things {
        for function in &thing.functions {
            all.entry(&function.name).or_default().push((&thing.name, function));
        }
    }
    all
}

/// Whether a function of another thing takes the same values.
fn is_ambiguous(function: &Function, count: usize, thing: &Thing, all: &ByName<'_>) -> bool {
    let values = &function.parameters[..count];
    let others = all.get(function.name.as_str()).into_iter().flatten().filter(|(name, _)| *name != thing.name);
    others.into_iter().any(|(_, other)| other.has_types(values))
}

/// Whether every call that was right is right still; `None` if no functions are known.
pub(super) fn stay(before: &Thing, after: &Thing, old: &ByName<'_>, new: &ByName<'_>) -> Option<bool> {
    if before.functions.is_empty() || after.functions.is_empty() || before.name != after.name {
        return None;
    }
    let pairs = paired(&before.parts, &after.parts);
    let new_name = |name: &str| match pairs.iter().find(|(old, _)| old.name == name) {
        Some((_, new)) => Some(new.name.clone()),
        // What a generated variant takes besides is no part.
        None => (!before.parts.iter().any(|part| part.name == name)).then(|| name.to_owned()),
    };
    let is_right = |function: &Function, count: usize| {
        let takes = |fresh: &&Function| {
            let values = fresh.parameters.iter().zip(&function.parameters[..count]);
            fresh.takes_count(count)
                && values.into_iter().all(|(fresh, value)| is_same(fresh, value, &new_name, function))
        };
        let of_name = after.functions.iter().filter(|fresh| fresh.name == function.name);
        of_name.filter(takes).count() > 0 && !is_ambiguous(function, count, after, new)
    };
    Some(before.functions.iter().all(|function| {
        let mut counts = function.required()..=function.parameters.len();
        counts.all(|count| is_right(function, count) || is_ambiguous(function, count, before, old))
    }))
}

/// Whether a value of the old parameter means the same for the new one.
fn is_same(
    fresh: &Parameter,
    value: &Parameter,
    new_name: &dyn Fn(&str) -> Option<String>,
    function: &Function,
) -> bool {
    value.parts.iter().map(|name| new_name(name)).eq(fresh.parts.iter().map(|name| Some(name.clone())))
        && (fresh.ty == value.ty || (function.takes)(&fresh.ty, &value.ty))
}
