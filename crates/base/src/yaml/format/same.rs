//! Compares what two texts mean.
//!
//! Invariant: texts that mean the same have the same parser events with the same types, tags and
//! anchors. Values may differ only as `spacing` makes them differ.

use super::super::libyaml::{EventKind, Events, Properties};
use super::super::resolve::{Resolved, plain};
use super::Style;
use super::spacing::{self, squeezed};

/// Whether a formatted text means what the text meant before.
pub(super) fn mean_the_same(before: &str, after: &str, style: Style<'_>) -> bool {
    if before == after {
        return true;
    }
    let (Some(mut before), Some(mut after)) = (Events::new(before), Events::new(after)) else { return false };
    loop {
        let (Ok(old), Ok(new)) = (before.next(), after.next()) else { return false };
        match (old.kind, new.kind) {
            (EventKind::StreamEnd, EventKind::StreamEnd) => return true,
            (old, new) if !same(&old, &new, style) => return false,
            _ => {}
        }
    }
}

fn same(old: &EventKind, new: &EventKind, style: Style<'_>) -> bool {
    let properties = |a: &Properties, b: &Properties| a.anchor == b.anchor && a.tag == b.tag;
    match (old, new) {
        (EventKind::Alias(a), EventKind::Alias(b)) => a == b,
        (
            EventKind::Scalar { value: a, plain: a_plain, properties: a_properties, .. },
            EventKind::Scalar { value: b, plain: b_plain, properties: b_properties, .. },
        ) => {
            properties(a_properties, b_properties)
                && type_of(a, *a_plain) == type_of(b, *b_plain)
                && (a == b || spacing::may_become(a, b, style) && squeezed(a) == squeezed(b))
        }
        (
            EventKind::SequenceStart { flow: a, properties: a_properties },
            EventKind::SequenceStart { flow: b, properties: b_properties },
        )
        | (
            EventKind::MappingStart { flow: a, properties: a_properties },
            EventKind::MappingStart { flow: b, properties: b_properties },
        ) => a == b && properties(a_properties, b_properties),
        _ => std::mem::discriminant(old) == std::mem::discriminant(new),
    }
}

fn type_of(value: &str, is_plain: bool) -> std::mem::Discriminant<Resolved> {
    std::mem::discriminant(&if is_plain { plain(value) } else { Resolved::Str })
}
