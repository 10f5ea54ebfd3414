//! The operators to register: whitelists and selective-build YAML.
//!
//! Invariant: a selected name without an operator is reported: in a library as an error, since it
//! can only be a mistake, and in ATen as a warning, since its lists also name operators of other
//! libraries. Rule: torchgen/gen.py, `get_custom_build_selector`.

use std::path::Path;

use crate::diag::{Diagnostic, did_you_mean};
use crate::driver::{JobError, Session};
use crate::families::torch::args::GenerateArgs;
use crate::families::torch::codes;
use crate::families::torch::model::NativeFunction;
use crate::families::torch::model::Target;
use crate::families::torch::model::selector::Selector;
use crate::families::torch::records::{self, FileKind};
use crate::yaml;

impl Session {
    /// The selection that the flags name.
    ///
    /// # Errors
    /// The YAML cannot be read. Errors in it, and names without an operator, are diagnostics.
    pub(crate) fn selector<'a>(
        &mut self,
        args: &GenerateArgs,
        functions: impl IntoIterator<Item = &'a NativeFunction>,
        target: Target,
    ) -> Result<Selector, JobError> {
        let selector = match (&args.op_registration_whitelist, &args.op_selection_yaml_path) {
            (Some(names), _) => Selector::from_whitelist(names.iter().map(|name| (name.as_str(), None))),
            (None, Some(path)) => self.selector_from_yaml(path)?,
            (None, None) => return Ok(Selector::nop()),
        };
        self.report_unmatched(&selector, functions, target);
        Ok(selector)
    }

    /// The selection of a selective-build YAML.
    ///
    /// # Errors
    /// The file cannot be read or understood.
    pub(crate) fn selector_from_yaml(&mut self, path: &Path) -> Result<Selector, JobError> {
        let root = self.read_kind(path, yaml::Options::SAFE_LOAD, FileKind::Selective)?;
        let record = records::read_selective(root, &mut self.diagnostics).ok_or(JobError::Input)?;
        Ok(Selector::from_record(record))
    }

    /// Reports selected names without an operator.
    pub(crate) fn report_unmatched<'a>(
        &mut self,
        selector: &Selector,
        functions: impl IntoIterator<Item = &'a NativeFunction>,
        target: Target,
    ) {
        let known: Vec<String> = functions.into_iter().map(NativeFunction::full_name).collect();
        for (name, span) in selector.unmatched(known.iter().map(String::as_str)) {
            let help = did_you_mean(name, known.iter().map(String::as_str));
            let diagnostic =
                Diagnostic::new(&codes::UNKNOWN_SELECTED_OPERATOR, format!("there is no operator `{name}`"));
            let diagnostic = match span {
                Some(span) => diagnostic.at(span),
                None => diagnostic,
            };
            self.diagnostics.push(diagnostic.maybe_help(help).severity(target.severity_of_no_effect()));
        }
    }
}
