//! Whether `check` accepts an entry.
//!
//! Invariant: the rules are those of a library's entries, and are nowhere else.

use std::collections::BTreeSet;

use torchgen_base::diag::{Diagnostics, Severity, Sources};
use torchgen_base::yaml::{self, Options};
use torchgen_generators::inputs::standard_tags;
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::{NativeFunction, Target};
use torchgen_model::parse::entry::{EntryOptions, entry, schema_only};
use torchgen_model::records::{self, native};

/// The operator of an entry as YAML; `None` if it is registered by its schema alone.
///
/// # Errors
/// The first error that `check` has for it.
pub(crate) fn accepted(text: &str, tables: &Tables) -> Result<Option<NativeFunction>, String> {
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    let file = sources.add("native_functions.yaml", text.to_owned());
    let mut operator = None;
    if let Some(root) = yaml::parse(&sources, file, Options::LIBRARY, &mut found) {
        let records = records::read_native_functions(root, &native::LIBRARY_KEYS, &mut found);
        let (valid_tags, ignore_keys) = (standard_tags(tables), BTreeSet::new());
        let target = Target::library(tables);
        let options = EntryOptions { target, valid_tags: &valid_tags, ignore_keys: &ignore_keys };
        for record in &records {
            if schema_only(record, options, &mut found).is_none() {
                operator = entry(record, options, &mut found).map(|entry| entry.function);
            }
        }
    }
    match found.into_iter().find(|one| one.severity == Severity::Error) {
        Some(error) => Err(error.message),
        None => Ok(operator),
    }
}
