//! What holds for a library as a whole: `library.yaml`, and the flags that override it.
//!
//! Invariant: settings without effect are errors.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use torchgen_base::diag::{Allowed, Diagnostic, Diagnostics, did_you_mean};
use torchgen_base::yaml::{self, Text};
use torchgen_generators::args::{Abi, GenerateArgs};
use torchgen_generators::inputs::Operators;
use torchgen_generators::inputs::allow::lints;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::model::version::{self, Version};
use torchgen_model::model::{BackendIndices, DispatchKey, NativeFunction};
use torchgen_model::parse::entry::{self, EntryOptions};
use torchgen_model::records::{DefaultsRecord, SettingsRecord, read_settings};

/// The settings of a library.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What it needs of libtorch.
    pub abi: Abi,
    /// The oldest torch that it works with, on the stable ABI.
    pub torch_min: Version,
    /// The names of operators that it does not have on the stable ABI.
    leave_out: Vec<Text>,
    /// Operators of torch that its kernels call, on the stable ABI.
    pub torch_ops: Vec<Text>,
    /// library.yaml says how the library is on the stable ABI, whatever this run is for.
    both: bool,
}

/// Reads the settings of the library in a directory.
///
/// # Errors
/// The file cannot be read, or flags contradict it. Errors in the file are diagnostics.
pub(crate) fn read(root: &Path, args: &GenerateArgs, session: &mut Session) -> Result<Settings, JobError> {
    let settings = read_at(root, (args.abi, args.torch_min), session)?;
    if settings.abi == Abi::Stable && args.per_operator_headers {
        let message = "libraries on the stable ABI have no headers per operator";
        return Err(Diagnostic::new(&codes::USAGE, message).help("leave out `--per-operator-headers`").into());
    }
    Ok(settings)
}

/// The same with the flags one by one.
///
/// # Errors
/// As `read`.
pub fn read_at(
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
    let both = record.torch_min.is_some() || !record.leave_out.is_empty() || !record.torch_ops.is_empty();
    Ok(Settings { abi, torch_min: min, leave_out: record.leave_out, torch_ops: record.torch_ops, both })
}

/// The files that were read in this run.
#[derive(Default)]
struct SettingsState {
    records: HashMap<PathBuf, SettingsRecord>,
}

/// Reads the file, if there is one, once in a run, and leaves out the lints that it allows. Without
/// a usable file, operators are still read, so that all errors are reported at once.
///
/// # Errors
/// The file cannot be read.
fn record(source_path: &Path, session: &mut Session) -> Result<SettingsRecord, JobError> {
    let path = source_path.join("library.yaml");
    if let Some(known) = session.state::<SettingsState>().records.get(&path) {
        return Ok(known.clone());
    }
    if !session.is_given(&path)? {
        return Ok(SettingsRecord::default());
    }
    let record = match session.read_yaml(&path, yaml::Options::OPERATORS) {
        Ok(root) => read_settings(root, &mut session.diagnostics).unwrap_or_default(),
        Err(JobError::Input) => SettingsRecord::default(),
        Err(error) => return Err(error),
    };
    let codes = lints(&record.allow, &mut session.diagnostics);
    session.diagnostics.allow(Allowed { within: None, codes });
    session.state::<SettingsState>().records.insert(path, record.clone());
    Ok(record)
}

/// The files with operators that library.yaml names besides native_functions.yaml, in order.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn included(source_path: &Path, session: &mut Session) -> Result<Vec<Text>, JobError> {
    Ok(record(source_path, session)?.include)
}

/// The values of keys that operators do not have: those of `defaults:` in library.yaml. Errors in
/// them are diagnostics.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn defaults(
    source_path: &Path,
    options: EntryOptions,
    session: &mut Session,
) -> Result<DefaultsRecord, JobError> {
    let written = record(source_path, session)?.defaults;
    Ok(entry::checked_defaults(written, options, &mut session.diagnostics))
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
        Settings {
            abi: Abi::Unstable,
            torch_min: Version::OLDEST,
            leave_out: Vec::new(),
            torch_ops: Vec::new(),
            both: false,
        }
    }

    /// The operators that the library has on its ABI, as it has them there, if any differs.
    pub(crate) fn adapted(
        &self,
        functions: &[NativeFunction],
        indices: &BackendIndices,
    ) -> Option<Vec<NativeFunction>> {
        match self.abi {
            Abi::Unstable => {
                if !functions.iter().any(|f| second_fake(f, indices).is_some()) {
                    return None;
                }
                let without = |f: &NativeFunction| NativeFunction {
                    fake: f.fake.clone().filter(|_| second_fake(f, indices).is_none()),
                    ..f.clone()
                };
                Some(functions.iter().map(without).collect())
            }
            Abi::Stable => {
                let has_outlines = |f: &NativeFunction| f.structured && f.fake.is_some();
                if self.leave_out.is_empty() && !functions.iter().any(has_outlines) {
                    return None;
                }
                let is_kept = |f: &&NativeFunction| !self.leave_out.iter().any(|text| names(text.as_str(), f));
                let mut kept: Vec<NativeFunction> = functions.iter().filter(is_kept).cloned().collect();
                share_fakes(&mut kept);
                Some(kept)
            }
        }
    }

    /// Reports fakes that have no effect: on libtorch's C++ API, a meta function comes first.
    pub(crate) fn check_fakes(&self, libraries: &[(String, Operators)], diagnostics: &mut Diagnostics) {
        if self.abi == Abi::Stable || self.both {
            return;
        }
        for (_, operators) in libraries {
            for f in &operators.functions {
                let (Some(span), Some(reason)) = (f.spans.fake, second_fake(f, &operators.indices)) else { continue };
                let message = format!("`{}` cannot have a fake: {reason}", f.func.name);
                let help =
                    "delete `fake:`, or make the library for the stable ABI too: write `torch_min:` in library.yaml";
                diagnostics.push(Diagnostic::new(&codes::BAD_FAKE, message).at(span).help(help));
            }
        }
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

/// Gives the fake of a structured out variant to the functional one, whose outputs it is about.
fn share_fakes(functions: &mut [NativeFunction]) {
    let outs: Vec<usize> = (0..functions.len()).filter(|&at| functions[at].structured).collect();
    for at in outs {
        let Some(fake) = functions[at].fake.take() else { continue };
        if let Some(functional) = functions.iter().position(|f| f.is_functional_of(&functions[at])) {
            functions[functional].fake.get_or_insert(fake);
        }
    }
}

/// What makes an operator's outputs on libtorch's C++ API besides its fake.
fn second_fake(f: &NativeFunction, indices: &BackendIndices) -> Option<&'static str> {
    f.fake.as_ref()?;
    if f.part_of_structured_group() {
        return Some("the outputs follow from the meta function");
    }
    indices.has_kernel(DispatchKey::Meta, f).then_some("the outputs follow from the Meta kernel")
}

/// Whether a name, with or without namespace and overload, is that of an operator.
fn names(text: &str, f: &NativeFunction) -> bool {
    let text = text.strip_prefix(&f.namespace).and_then(|rest| rest.strip_prefix("::")).unwrap_or(text);
    text == f.func.name.name.to_string() || text == f.func.name.to_string()
}
