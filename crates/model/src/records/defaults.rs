//! `defaults:` of library.yaml: values for keys that entries do not have.
//!
//! Invariant: a key that an entry has is never changed.

use serde::Serialize;

use super::native::NativeFunctionRecord;
use super::vocabulary;
use crate::codes;
use torchgen_base::diag::Diagnostics;
use torchgen_base::yaml::fields::{Fields, KeySpec, KeyTable, Others, Shape, Spanned};
use torchgen_base::yaml::{Node, Text};

/// The defaults as written. Field names are those of the YAML keys.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct DefaultsRecord {
    pub(crate) variants: Option<Text>,
    pub(crate) tags: Option<Spanned<Vec<Text>>>,
    pub device_guard: Option<Spanned<bool>>,
    pub device_check: Option<Text>,
    pub(crate) differentiable: Option<Spanned<bool>>,
}

/// The keys, which mean what they mean in an entry.
pub(super) static KEYS: KeyTable = KeyTable {
    what: "`defaults:`",
    keys: &[
        KeySpec::new("variants", Shape::Words(&["function", "method"]), "The `variants:` of entries without the key."),
        KeySpec::new("tags", Shape::TextOrTexts(vocabulary::tags), "The `tags:` of entries without the key."),
        KeySpec::new("device_guard", Shape::Bool, "The `device_guard:` of entries without the key."),
        KeySpec::new(
            "device_check",
            Shape::Word(&["NoCheck", "ExactSame"]),
            "The `device_check:` of entries without the key.",
        ),
        KeySpec::new("differentiable", Shape::Bool, "The `differentiable:` of entries without the key."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// Reads the mapping. Errors are reported.
pub(super) fn read(node: Node, diagnostics: &mut Diagnostics) -> DefaultsRecord {
    let Some(mut fields) = Fields::new(node, &KEYS, diagnostics) else { return DefaultsRecord::default() };
    let record = DefaultsRecord {
        variants: fields.take_text("variants"),
        tags: fields.take_text_or_texts("tags"),
        device_guard: fields.take_bool("device_guard"),
        device_check: fields.take_text("device_check"),
        differentiable: fields.take_bool("differentiable"),
    };
    fields.finish();
    record
}

impl DefaultsRecord {
    /// Gives an entry the keys that it lacks.
    pub fn fill(&self, entry: &mut NativeFunctionRecord) {
        fill(&mut entry.variants, &self.variants);
        fill(&mut entry.tags, &self.tags);
        fill(&mut entry.device_guard, &self.device_guard);
        fill(&mut entry.device_check, &self.device_check);
        fill(&mut entry.differentiable, &self.differentiable);
    }
}

fn fill<T: Clone>(own: &mut Option<T>, default: &Option<T>) {
    if own.is_none() {
        own.clone_from(default);
    }
}
