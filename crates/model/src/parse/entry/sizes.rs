//! Lints on sizes that tracing would fix: meta functions that compute with plain numbers.
//!
//! Invariant: they are warnings, for libraries only. ATen's schemas are not ours to change.

use super::EntryOptions;
use crate::codes;
use crate::model::{Language, NativeFunction};
use crate::records::NativeFunctionRecord;
use torchgen_base::diag::{Diagnostic, Diagnostics};

/// Warns about them.
pub(super) fn warn_about_sizes(
    f: &NativeFunction,
    record: &NativeFunctionRecord,
    options: EntryOptions,
    diagnostics: &mut Diagnostics,
) {
    if options.target.language != Language::Torchgen && !options.target.is_stock(f) {
        iterator(f, record, diagnostics);
    }
}

/// TensorIterator computes with plain numbers; only the outputs of elementwise operators can be
/// computed without it.
fn iterator(f: &NativeFunction, record: &NativeFunctionRecord, diagnostics: &mut Diagnostics) {
    let Some(class) = record.structured_inherits.as_ref() else { return };
    let has_list = f.func.arguments.flat_non_out().any(|a| a.ty.is_tensor_like() && a.ty.is_list_like().is_some());
    if f.tags.contains("pointwise") && !has_list {
        return;
    }
    let message = format!("a meta function that calls `{}` does not support symbolic sizes", class.as_str());
    diagnostics.push(
        Diagnostic::new(&codes::META_NOT_SYMBOLIC, message)
            .at(class.span())
            .help("if outputs have the size that the inputs broadcast to, add the tag `pointwise`")
            .help("or delete `structured_inherits:`, and set the outputs with `set_output_raw_strided`"),
    );
}
