//! Finds operators whose files have the same path, such as the headers `a_ops.h` of `a` and
//! `a_ops.h` of `a_ops`.
//!
//! Invariant: a clash is reported at the operator whose file came second.

use rustc_hash::FxHashMap;

use torchgen_base::diag::{Diagnostic, Span};
use torchgen_base::write::{Manager, OutputFile};
use torchgen_model::codes;
use torchgen_model::model::NativeFunction;

/// The files that would replace another operator's.
pub fn clashes<'a>(
    files: &[OutputFile],
    functions: impl IntoIterator<Item = &'a NativeFunction> + Clone,
) -> Vec<Diagnostic> {
    let mut places: FxHashMap<(Manager, &str), &OutputFile> = FxHashMap::default();
    let mut found = Vec::new();
    for file in files.iter().filter(|file| !file.origin.is_empty()) {
        let Some(first) = places.insert((file.manager, file.path.as_str()), file) else { continue };
        let place = |origin: &str| -> Option<Span> {
            let named = |f: &&NativeFunction| f.root_name() == origin || f.func.name.to_string() == origin;
            functions.clone().into_iter().find(named).map(|f| f.spans.name)
        };
        let message = format!("`{}` and `{}` would both write the file `{}`", first.origin, file.origin, file.path);
        let mut diagnostic = Diagnostic::new(&codes::DUPLICATE_OUTPUT, message);
        if let Some(span) = place(&file.origin) {
            diagnostic = diagnostic.at(span);
        }
        if let Some(span) = place(&first.origin) {
            diagnostic = diagnostic.also(span, "the other operator");
        }
        found.push(diagnostic.help("rename one of them, or generate without `--per-operator-headers`"));
    }
    found
}
