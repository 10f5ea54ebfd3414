//! `library.yaml`, and the settings that follow from it and from flags.
//!
//! Invariant: the file is read once in a run, and the lints that it allows are left out from then
//! on. Without a usable file, operators are still read, so that all errors are reported at once.

use std::path::Path;

use super::abi;
use crate::library::settings::{Loader, Settings};
use torchgen_base::diag::{Allowed, Diagnostic, Diagnostics, Span};
use torchgen_base::yaml::{self, Text};
use torchgen_generators::args::Abi;
use torchgen_generators::inputs::allow::lints;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::model::rules;
use torchgen_model::model::version::Version;
use torchgen_model::parse::entry::{self, EntryOptions};
use torchgen_model::records::{DefaultsRecord, SettingsRecord, read_settings};

/// What a library.yaml says; nothing if there is none.
#[derive(Default)]
pub struct LibraryYaml(SettingsRecord);

impl LibraryYaml {
    /// Reads that of a library's own directory. Errors in it are diagnostics.
    pub fn read_library_yaml(root: &Path, session: &mut Session) -> Result<LibraryYaml, JobError> {
        let path = root.join("library.yaml");
        if !session.is_given(&path)? {
            return Ok(LibraryYaml::default());
        }
        let record = match session.read_yaml(&path, yaml::Options::OPERATORS) {
            Ok(root) => read_settings(root, &mut session.diagnostics).unwrap_or_default(),
            Err(JobError::Input) => SettingsRecord::default(),
            Err(error) => return Err(error),
        };
        let codes = lints(&record.allow, &mut session.diagnostics);
        session.diagnostics.allow([Allowed { within: None, codes }]);
        Ok(LibraryYaml(record))
    }

    /// The files with operators that it names besides native_functions.yaml, in order.
    pub(super) fn include(&self) -> &[Text] {
        &self.0.include
    }

    /// Where it names the ABI.
    pub(super) fn abi_place(&self) -> Option<Span> {
        self.0.abi.as_ref().map(Text::span)
    }

    /// Where it names the oldest torch.
    pub(super) fn torch_min_place(&self) -> Option<Span> {
        self.0.torch_min.as_ref().map(Text::span)
    }

    /// The values of keys that operators do not have. Errors in them are diagnostics.
    pub fn defaults(&self, options: EntryOptions, diagnostics: &mut Diagnostics) -> DefaultsRecord {
        let mut defaults = self.0.defaults.clone();
        if defaults.registration.is_none() {
            defaults.registration.clone_from(&self.0.registration);
        }
        entry::checked_defaults(defaults, options, diagnostics)
    }

    /// The operators that it calls over the stable ABI.
    pub(super) fn torch_ops(&self) -> &[Text] {
        &self.0.torch_ops
    }

    /// The settings of a library, with the flags one by one. Errors in the file are diagnostics.
    ///
    /// # Errors
    /// Flags contradict it.
    pub fn settings(
        &self,
        abi: Option<Abi>,
        torch_min: Option<Version>,
        session: &mut Session,
    ) -> Result<Settings, JobError> {
        let SettingsRecord { leave_out, torch_ops, .. } = &self.0;
        // A library that registers itself gets no C++, and the Python of the stable ABI.
        let registers_itself = self.0.registration.as_ref().is_some_and(|text| text.as_str() == "own");
        let abi = abi::abi_named(abi.unwrap_or(match self.0.abi.as_ref().map(Text::as_str) {
            Some("stable") => Abi::Stable,
            None if registers_itself => Abi::Stable,
            _ => Abi::Unstable,
        }));
        let loader = self.0.loader.as_ref().and_then(|text| match Loader::new(text) {
            Ok(loader) => Some(loader),
            Err(error) => {
                session.diagnostics.push(error);
                None
            }
        });
        if torch_min.is_some() && !abi.is_stable() {
            let error = Diagnostic::new(&codes::USAGE, "`--torch-min` is for libraries on the stable ABI");
            return Err(error.help("add `--abi stable`, or `abi: stable` to library.yaml").into());
        }
        let torch_min = torch_min.or_else(|| self.torch_min(&mut session.diagnostics)).unwrap_or(Version::OLDEST);
        let both = self.0.torch_min.is_some() || !leave_out.is_empty() || !torch_ops.is_empty();
        Ok(Settings { abi, torch_min, leave_out: leave_out.clone(), torch_ops: torch_ops.clone(), loader, both })
    }

    fn torch_min(&self, diagnostics: &mut Diagnostics) -> Option<Version> {
        let text = self.0.torch_min.as_ref()?;
        match rules::torch_min(text.as_str()) {
            Ok(version) => Some(version),
            Err(reason) => {
                let message = format!("`{text}` cannot be the oldest torch: {reason}");
                let version = text.as_str().trim_matches(|c: char| !c.is_ascii_digit());
                let meant = match rules::torch_min(version) {
                    Ok(_) => format!("write `'{version}'`"),
                    Err(_) => "write `'2.10'` or a newer version; with `abi: unstable`, libraries work with older ones"
                        .to_owned(),
                };
                diagnostics.push(Diagnostic::new(&codes::ILLEGAL_VALUE, message).at(text.span()).help(meant));
                None
            }
        }
    }
}

/// The settings of a library that is part of a backend. PyTorch's own build has libtorch's C++ API,
/// whatever library.yaml says.
pub(super) fn in_pytorch() -> Settings {
    Settings {
        abi: abi::abi_named(Abi::Unstable),
        torch_min: Version::OLDEST,
        leave_out: Vec::new(),
        torch_ops: Vec::new(),
        loader: None,
        both: false,
    }
}
