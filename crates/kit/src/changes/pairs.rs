//! What is gone, and the new declaration that is likely the same under another name.
//!
//! Invariant: a declaration is in at most one pair, and both are of one kind. A guess is only made
//! if the declarations agree in all but names.

use super::{Part, Thing};
use torchgen_base::diag::nearest;

/// The likely pairs.
pub(super) fn renamed<'t>(gone: &[&'t Thing], fresh: &[&'t Thing]) -> Vec<(&'t Thing, &'t Thing)> {
    let mut pairs: Vec<(&Thing, &Thing)> = Vec::new();
    for before in gone.iter().filter(|thing| !thing.generated) {
        let is_free =
            |after: &&&Thing| !after.generated && !pairs.iter().any(|(_, other)| std::ptr::eq(*other, **after));
        let alike: Vec<&&Thing> = fresh.iter().filter(is_free).filter(|after| are_alike(before, after)).collect();
        let near = nearest(&before.name, alike.iter().map(|after| after.name.as_str()));
        let found = match alike.as_slice() {
            // A thing without parts is like many others.
            [one] if !before.parts.is_empty() => Some(*one),
            _ => alike.iter().find(|after| Some(after.name.as_str()) == near).copied(),
        };
        pairs.extend(found.map(|after| (*before, *after)));
    }
    pairs
}

/// Whether two declarations agree in all but names.
fn are_alike(before: &Thing, after: &Thing) -> bool {
    let same = |a: &Part, b: &Part| a.group == b.group && a.ty == b.ty && a.alias == b.alias;
    let agree = |a: &[Part], b: &[Part]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b));
    let named = before.parts.iter().filter(|part| after.parts.iter().any(|other| other.name == part.name)).count();
    before.kind == after.kind
        && agree(&before.parts, &after.parts)
        && agree(&before.results, &after.results)
        && named * 2 >= before.parts.len()
}
