//! The operators to register: whitelists and selective-build YAML.
//!
//! Invariant: a selected name without an operator is reported: in a library as an error, since it
//! can only be a mistake, and in ATen as a warning, since its lists also name operators of other
//! libraries. Rule: torchgen/gen.py, `get_custom_build_selector`.

use std::path::Path;

use super::read_kind;
use crate::args::GenerateArgs;
use torchgen_base::diag::{Diagnostic, did_you_mean};
use torchgen_base::yaml;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::model::NativeFunction;
use torchgen_model::model::Target;
use torchgen_model::model::selector::Selector;
use torchgen_model::records::{self, FileKind};

/// The selection that the flags name.
///
/// # Errors
/// The YAML cannot be read. Errors in it, and names without an operator, are diagnostics.
pub fn selector<'a>(
    session: &mut Session,
    args: &GenerateArgs,
    functions: impl IntoIterator<Item = &'a NativeFunction>,
    target: Target,
) -> Result<Selector, JobError> {
    let selector = match (&args.op_registration_whitelist, &args.op_selection_yaml_path) {
        (Some(names), _) => Selector::from_whitelist(names.iter().map(|name| (name.as_str(), None))),
        (None, Some(path)) => selector_from_yaml(session, path)?,
        (None, None) => return Ok(Selector::nop()),
    };
    report_unmatched(session, &selector, functions, target);
    Ok(selector)
}

/// The selection of a selective-build YAML.
///
/// # Errors
/// The file cannot be read or understood.
pub fn selector_from_yaml(session: &mut Session, path: &Path) -> Result<Selector, JobError> {
    let root = read_kind(session, path, yaml::Options::SAFE_LOAD, FileKind::Selective)?;
    let record = records::read_selective(root, &mut session.diagnostics).ok_or(JobError::Input)?;
    Ok(Selector::from_record(record))
}

/// Reports selected names without an operator.
pub fn report_unmatched<'a>(
    session: &mut Session,
    selector: &Selector,
    functions: impl IntoIterator<Item = &'a NativeFunction>,
    target: Target,
) {
    let known: Vec<String> = functions.into_iter().map(NativeFunction::full_name).collect();
    for (name, span) in selector.unmatched(known.iter().map(String::as_str)) {
        let help = did_you_mean(name, known.iter().map(String::as_str));
        let diagnostic = Diagnostic::new(&codes::UNKNOWN_SELECTED_OPERATOR, format!("there is no operator `{name}`"));
        let diagnostic = match span {
            Some(span) => diagnostic.at(span),
            None => diagnostic,
        };
        session.diagnostics.push(diagnostic.maybe_help(help).severity(target.severity_of_no_effect()));
    }
}
