//! What C++ sources register with torch's dispatcher, what they bind to Python with pybind11, and
//! their autograd functions, in all builds at once.
//!
//! Data flows `preprocessor -> scan, classes -> calls`. Invariant: nothing is compiled, and headers
//! that the sources do not have are empty, so that torch's own macros stay as they are written.

mod blocks;
mod classes;
mod conditions;
mod files;
mod followed;
mod literal;
mod passed;
mod preprocessor;
mod scan;
mod statement;
#[cfg(test)]
mod tests;
mod words;

use std::path::PathBuf;

use rustc_hash::FxHashMap;
use torchgen_base::diag::{FileId, Span};
use torchgen_kit::driver::JobError;

pub use classes::{Class, Method};
pub use conditions::{Condition, Conditions};
pub use files::{Files, Texts};
pub use literal::Literal;
pub use preprocessor::Problem;
use preprocessor::{Names, Units, units};
pub use scan::{Action, Call};
pub use statement::Argument;
pub use words::words;

/// What sources register.
#[derive(Debug, Default)]
pub struct Registrations {
    /// The calls of `def`, `impl` and others on libraries, in the order of the sources. A call in a
    /// header that several sources include is one call.
    pub calls: Vec<Call>,
    /// The classes of autograd functions.
    pub classes: Vec<Class>,
    /// The conditions of the calls and classes.
    pub conditions: Conditions,
    /// How many blocks of `TORCH_LIBRARY` and its relatives there are.
    pub blocks: usize,
    /// What the preprocessor cannot follow.
    pub problems: Vec<Problem>,
    /// The sources that Jinja makes C++ of, which are not read.
    pub templates: Vec<FileId>,
}

/// Reads the registrations of sources, with what they include. `defines` are macros and what
/// replaces them, as compilers get them.
///
/// # Errors
/// A source cannot be read.
pub fn registrations(
    sources: &[PathBuf],
    defines: &[(String, String)],
    files: &mut dyn Files,
) -> Result<Registrations, JobError> {
    let mut found = Registrations::default();
    let mut names = Names::default();
    let Units { units, templates } = units(sources, defines, &mut names, &mut found, files)?;
    found.templates = templates;
    let classes = units.iter().map(|(_, pieces)| classes::classes(pieces, &names, &mut found.conditions)).collect();
    found.classes = classes::gathered(classes);
    let mut known: FxHashMap<(Span, String, String), usize> = FxHashMap::default();
    let mut scanned: Vec<_> =
        units.iter().map(|(unit, pieces)| scan::unit(*unit, pieces, &names, &mut found.conditions)).collect();
    let followed = followed::followed(&units, &mut scanned, &names, &mut found.conditions);
    found.blocks = scanned.iter().map(|own| own.blocks).sum();
    for calls in scanned.into_iter().map(|own| own.calls).chain([followed]) {
        for call in calls {
            let arguments: Vec<&str> = call.arguments.iter().map(|argument| argument.text.as_str()).collect();
            let key = (
                call.place,
                call.function.clone(),
                format!("{} {:?} {}", call.namespace.text, call.key, arguments.join(",")),
            );
            match known.get(&key) {
                Some(at) => {
                    let first = &mut found.calls[*at];
                    first.condition = found.conditions.or(first.condition, call.condition);
                }
                None => {
                    known.insert(key, found.calls.len());
                    found.calls.push(call);
                }
            }
        }
    }
    Ok(found)
}
