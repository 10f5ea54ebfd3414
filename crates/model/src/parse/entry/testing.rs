//! Operators for tests, from a YAML text in PyTorch's layout.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use super::{EntryOptions, entry};
use crate::model::NativeFunction;
use crate::model::Target;
use crate::records;
use crate::records::native;
use torchgen_base::diag::{Diagnostics, Sources};
use torchgen_base::yaml;
use torchgen_kit::driver::data::Tables;

/// The operators, the sources for their diagnostics, and the errors in the text.
pub fn functions(text: &str) -> (Vec<NativeFunction>, Sources, Diagnostics) {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let file = sources.add("native_functions.yaml", text.to_owned());
    let root = yaml::parse(&sources, file, yaml::Options::OPERATORS, &mut diagnostics).unwrap();
    let (valid_tags, ignore_keys) = (BTreeSet::new(), BTreeSet::new());
    let options = EntryOptions {
        target: Target::pytorch(Tables::embedded()),
        valid_tags: &valid_tags,
        ignore_keys: &ignore_keys,
    };
    let records = records::read_native_functions(root, &native::ATEN_KEYS, &mut diagnostics);
    let entries = records.iter().filter_map(|record| entry(record, options, &mut diagnostics));
    (entries.map(|entry| entry.function).collect(), sources, diagnostics)
}
