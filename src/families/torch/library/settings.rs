//! What holds for a library as a whole: `library.yaml`, and the flags that override it.
//!
//! Invariant: settings without effect are errors.

use std::path::Path;

use crate::diag::{Allowed, Diagnostic, Diagnostics, codes, did_you_mean};
use crate::driver::{JobError, Session};
use crate::families::torch::args::{Abi, GenerateArgs};
use crate::families::torch::inputs::Operators;
use crate::families::torch::inputs::allow::lints;
use crate::families::torch::model::NativeFunction;
use crate::families::torch::model::version::{self, Version};
use crate::families::torch::records::{SettingsRecord, read_settings};
use crate::yaml::{self, Text};

/// The settings of a library.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// What it needs of libtorch.
    pub(crate) abi: Abi,
    /// The oldest torch that it works with, on the stable ABI.
    pub(crate) torch_min: Version,
    /// The names of operators that it does not have on the stable ABI.
    leave_out: Vec<Text>,
    /// Operators of torch that its kernels call, on the stable ABI.
    pub(crate) torch_ops: Vec<Text>,
}

/// Reads the settings of the library in a directory.
///
/// # Errors
/// The file cannot be read, or flags contradict it. Errors in the file are diagnostics.
pub(crate) fn read(root: &Path, args: &GenerateArgs, session: &mut Session) -> Result<Settings, JobError> {
    read_at(root, (args.abi, args.torch_min), session)
}

/// The same with the flags one by one.
///
/// # Errors
/// As [`read`].
pub(crate) fn read_at(
    source_path: &Path,
    (abi, torch_min): (Option<Abi>, Option<Version>),
    session: &mut Session,
) -> Result<Settings, JobError> {
    let record = record(source_path, session)?;
    let abi = abi.unwrap_or(match record.abi.as_ref().map(Text::as_str) {
        Some("stable") => Abi::Stable,
        _ => Abi::Unstable,
    });
    if abi == Abi::Unstable && torch_min.is_some() {
        let error = Diagnostic::new(&codes::USAGE, "`--torch-min` is for libraries on the stable ABI");
        return Err(error.help("add `--abi stable`, or `abi: stable` to library.yaml").into());
    }
    let min = torch_min.or_else(|| minimum(record.torch_min.as_ref(), session)).unwrap_or(Version::OLDEST);
    Ok(Settings { abi, torch_min: min, leave_out: record.leave_out, torch_ops: record.torch_ops })
}

/// Reads the file, if there is one, and leaves out the lints that it allows.
///
/// # Errors
/// The file cannot be read.
fn record(source_path: &Path, session: &mut Session) -> Result<SettingsRecord, JobError> {
    let path = source_path.join("library.yaml");
    if !session.is_given(&path)? {
        return Ok(SettingsRecord::default());
    }
    let root = session.read_yaml(&path, yaml::Options::OPERATORS)?;
    let record = read_settings(root, &mut session.diagnostics).unwrap_or_default();
    let codes = lints(&record.allow, &mut session.diagnostics);
    session.diagnostics.allow(Allowed { within: None, codes });
    Ok(record)
}

/// The files with operators that library.yaml names besides native_functions.yaml, in order. Errors
/// in library.yaml are [`read`]'s to report.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn included(source_path: &Path, session: &mut Session) -> Result<Vec<Text>, JobError> {
    let path = source_path.join("library.yaml");
    if !session.is_given(&path)? {
        return Ok(Vec::new());
    }
    let before = std::mem::take(&mut session.diagnostics);
    let root = session.read_yaml(&path, yaml::Options::OPERATORS);
    session.diagnostics = before;
    match root {
        Ok(root) => Ok(read_settings(root, &mut Diagnostics::new()).map(|record| record.include).unwrap_or_default()),
        Err(JobError::Input) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn minimum(text: Option<&Text>, session: &mut Session) -> Option<Version> {
    let text = text?;
    match version::torch_min(text.as_str()) {
        Ok(version) => Some(version),
        Err(reason) => {
            let message = format!("`{text}` cannot be the oldest torch: {reason}");
            session.diagnostics.push(Diagnostic::new(&codes::ILLEGAL_VALUE, message).at(text.span()));
            None
        }
    }
}

impl Settings {
    /// Those of a library on libtorch's C++ API.
    pub(crate) fn unstable() -> Settings {
        Settings { abi: Abi::Unstable, torch_min: Version::OLDEST, leave_out: Vec::new(), torch_ops: Vec::new() }
    }

    /// The operators that the library has on its ABI, if it leaves some out.
    pub(crate) fn kept(&self, functions: &[NativeFunction]) -> Option<Vec<NativeFunction>> {
        if self.abi == Abi::Unstable || self.leave_out.is_empty() {
            return None;
        }
        let is_kept = |f: &&NativeFunction| !self.leave_out.iter().any(|text| names(text.as_str(), f));
        Some(functions.iter().filter(is_kept).cloned().collect())
    }

    /// Reports names to leave out that are of no operator.
    pub(crate) fn check_names(&self, libraries: &[(String, Operators)], diagnostics: &mut Diagnostics) {
        let functions = || libraries.iter().flat_map(|(_, operators)| &operators.functions);
        let unknown = |text: &&Text| !functions().any(|f| names(text.as_str(), f));
        for text in self.leave_out.iter().filter(unknown) {
            let known: Vec<String> = functions().map(|f| f.func.name.name.to_string()).collect();
            let message = format!("there is no operator `{text}` to leave out");
            let help = did_you_mean(text.as_str(), known.iter().map(String::as_str));
            diagnostics.push(Diagnostic::new(&codes::NO_SUCH_OPERATOR, message).at(text.span()).maybe_help(help));
        }
    }
}

/// Whether a name, with or without namespace and overload, is that of an operator.
fn names(text: &str, f: &NativeFunction) -> bool {
    let text = text.strip_prefix(&f.namespace).and_then(|rest| rest.strip_prefix("::")).unwrap_or(text);
    text == f.func.name.name.to_string() || text == f.func.name.to_string()
}
