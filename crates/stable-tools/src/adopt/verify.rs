//! `adopt --verify`: whether the YAML still says what the sources and the loaded library register.
//!
//! Invariant: a difference is an error with both places.

use std::collections::BTreeMap;
use std::path::Path;

use indexmap::IndexMap;

use super::merged::{Meaning, Operator};
use torchgen_base::diag::{Diagnostic, Span, did_you_mean};
use torchgen_kit::driver::{JobError, Session};
use torchgen_library::run::{LibraryPaths, LibrarySource};
use torchgen_model::codes;

/// Compares the YAML in a directory with the operators, and returns how many are the same.
///
/// # Errors
/// The YAML cannot be read.
pub(super) fn verify(
    directory: &Path,
    operators: &IndexMap<&str, Operator<'_>>,
    session: &mut Session,
) -> Result<usize, JobError> {
    let tables = session.tables.clone();
    let paths = LibraryPaths::new(&[directory.to_owned()], session);
    let (source, _) = LibrarySource::with_yaml(paths, None, session)?;
    let functions = source.libraries.iter().flat_map(|(_, operators)| &operators.functions);
    let functions = functions.map(|f| (f.full_name(), (f.qualified_schema(), f.spans.func)));
    let alone = source.schema_only.iter();
    let alone =
        alone.map(|f| (format!("{}::{}", f.namespace, f.name), (format!("{}::{}", f.namespace, f.schema), f.span)));
    let entries: BTreeMap<String, (String, Span)> = functions.chain(alone).collect();
    let error = |message: String| Diagnostic::new(&codes::ADOPTED_DIFFERS, message);
    let mut same = 0;
    for (name, (schema, span)) in &entries {
        let Some(operator) = operators.get(name.as_str()) else {
            let message = format!("nothing registers `{name}` any more");
            let help = did_you_mean(name, operators.keys().copied());
            session.diagnostics.push(error(message).at(*span).maybe_help(help).help("delete the entry"));
            continue;
        };
        let own = Meaning::new(schema, &tables);
        let other = operator.schemas(&session.sources).into_iter();
        let mut other = other.filter(|(declared, _)| Meaning::new(declared.schema, &tables) != own);
        let Some((declared, place)) = other.next() else {
            same += 1;
            continue;
        };
        let owner = if declared.is_loaded { "of the loaded library" } else { "that the library registers" };
        let found = error(format!("the schema of `{name}` is not the one {owner}")).at(*span);
        session.diagnostics.push(match declared.span {
            Some(other) => found.also(other, "it is registered here").help(format!("write `{}`", declared.schema)),
            None => found.note(format!("`{}` is declared at {place}", declared.schema)),
        });
    }
    for (name, operator) in operators.iter().filter(|(name, _)| !entries.contains_key(**name)) {
        let Some((declared, place)) = operator.schemas(&session.sources).into_iter().next() else { continue };
        let found = error(format!("`{name}` is registered, and has no entry"));
        let found = match declared.span {
            Some(span) => found.at(span),
            None => found.note(format!("it is declared at {place}")),
        };
        let help = format!("write `- func: {}` in native_functions.yaml", declared.schema);
        session.diagnostics.push(found.help(help));
    }
    Ok(same)
}
