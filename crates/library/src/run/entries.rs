//! What is wrong with single entries of a library whose other entries have errors, so that one
//! `check` reports both.
//!
//! Invariant: an entry with an error gets nothing else, since that may follow from the error. Those
//! for PyTorch's operators get nothing at all.

use super::source::LibrarySource;
use crate::library::settings::Settings;
use torchgen_base::diag::{Diagnostics, Severity, Span};
use torchgen_kit::driver::Session;
use torchgen_model::model::{ATEN, NativeFunction};

/// Adds the lints on the entries that have no errors.
pub(super) fn look(source: &LibrarySource, settings: &Settings, session: &mut Session) {
    let mut found = Diagnostics::new();
    for (_, operators) in source.libraries.iter().filter(|(namespace, _)| namespace != ATEN) {
        let functions: Vec<NativeFunction> =
            operators.functions.iter().filter(|f| !settings.leaves_out(f)).cloned().collect();
        settings.abi.lint_entries(&functions, &operators.indices, settings.torch_min, &mut found);
    }
    let errors = session.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let wrong: Vec<Span> = errors.filter_map(|error| Some(entry(error.primary.as_ref()?.span, session))).collect();
    let is_sound = |place: Span| {
        !wrong.iter().any(|entry| entry.file == place.file && (entry.start..entry.end).contains(&place.start))
    };
    let sound = found.into_iter().filter(|lint| lint.primary.as_ref().is_some_and(|label| is_sound(label.span)));
    session.diagnostics.extend(sound.collect::<Vec<_>>());
}

/// The entry of a list that has a place.
fn entry(place: Span, session: &Session) -> Span {
    let text = session.sources.text(place.file);
    let at = (place.start as usize).min(text.len());
    let start = text.get(..at).and_then(|before| before.rfind("\n- ")).map_or(0, |before| before + 1);
    let end = text.get(at..).and_then(|behind| behind.find("\n- ")).map_or(text.len(), |behind| at + behind);
    Span::new(place.file, start, end)
}
