//! The inputs of a backend's generators: PyTorch's operators and the backend's YAML.
//!
//! Invariant: errors of all files are reported together.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use torchgen_generators::inputs;

use super::guards;
use torchgen_base::diag::{Diagnostic, Severity};
use torchgen_base::render::Renderer;
use torchgen_base::yaml::{self, Text};
use torchgen_generators::args::BackendArgs;
use torchgen_generators::inputs::Operators;
use torchgen_generators::{Context, Flags, Model, Namespaces};
use torchgen_kit::driver::data::Tables;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::group::{self, Grouped};
use torchgen_model::model::version::Version;
use torchgen_model::model::{BackendIndices, NativeFunction, Target};
use torchgen_model::records::{BackendRecord, FileKind, read_backend};
use torchgen_model::release;
use torchgen_model::torch::{self, Torch};

/// The inputs of a run.
pub(crate) struct Input {
    /// The location of PyTorch's files.
    pub(crate) torch: Torch,
    /// The backend's YAML.
    pub(crate) record: BackendRecord,
    /// PyTorch's operators.
    pub functions: Vec<NativeFunction>,
    /// Its kernels.
    pub indices: BackendIndices,
    /// The tags that tags.yaml declares.
    pub(crate) tags: BTreeSet<String>,
}

impl Input {
    /// Reads all of it.
    ///
    /// # Errors
    /// A file cannot be read or has errors, or PyTorch is not found.
    pub(crate) fn read_backend(args: &BackendArgs, session: &mut Session) -> Result<Input, JobError> {
        if let Some(word) = args.dry_run.as_deref().filter(|word| ["false", "no", "0"].contains(&&*word.to_lowercase()))
        {
            let message =
                format!("`--dry-run {word}` is a dry run: as in the reference, any value but an empty one is");
            let said = Diagnostic::new(&codes::USAGE, message).severity(Severity::Warning);
            session.diagnostics.push(said.help("omit the flag to write files"));
        }
        let torch = torch::find(args.torch_path.as_deref(), session)?;
        Input::from_record(torch, args.release.torch, &args.source_yaml, args.common.strict, session)
    }

    /// Reads the YAML of a backend and the operators of PyTorch.
    pub(crate) fn from_record(
        torch: Torch,
        version: Option<Version>,
        path: &Path,
        strict: bool,
        session: &mut Session,
    ) -> Result<Input, JobError> {
        release::settle(session, &torch.aten, version)?;
        let root = inputs::read_kind(session, path, yaml::Options::OPERATORS, FileKind::Backend);
        let record = match root {
            Ok(root) => read_backend(root, &mut session.diagnostics),
            Err(JobError::Input) => None,
            Err(stop) => return Err(stop),
        };
        let tags = inputs::read_tags(session, &torch.tags())?;
        let Operators { mut functions, indices } =
            inputs::read_operators(session, &torch.native_functions(), &tags, &BTreeSet::new())?;
        session.fail_on_errors(strict)?;
        let mut record = record.ok_or(JobError::Input)?;
        record.device_guard = guards(&record, &mut functions);
        own_kernels(&record, &mut functions);
        Ok(Input { torch, record, functions, indices, tags })
    }
}

/// What the generators work on.
pub(crate) struct Parts<'a> {
    /// PyTorch's operators.
    pub functions: &'a [NativeFunction],
    /// The kernels, including the backend's.
    pub indices: &'a BackendIndices,
    /// The operators in groups.
    pub grouped: &'a [Grouped<'a>],
    /// The tags that tags.yaml declares.
    pub(crate) tags: &'a BTreeSet<String>,
    /// Flags.
    pub flags: &'a Flags,
    /// The templates.
    pub(crate) renderer: &'a Renderer,
    /// The tables of the run.
    pub tables: &'a Tables,
}

/// Runs something on ATen's operators, with all of them selected.
pub(crate) fn with_context<T>(parts: &Parts, work: impl FnOnce(&Context) -> T) -> T {
    let (namespaces, groups) = (Namespaces::aten(), group::groups(parts.grouped));
    let model = Model {
        functions: parts.functions,
        indices: parts.indices,
        grouped: parts.grouped,
        groups: &groups,
        view_groups: &[],
    };
    let target = Target::pytorch(parts.tables);
    work(&Context::new(target, &namespaces, model, parts.renderer).flags(parts.flags).tags(parts.tags))
}

/// A kernel of the backend counts as the operator's own kernel, as an entry of `dispatch:` would.
pub(crate) fn own_kernels(record: &BackendRecord, functions: &mut [NativeFunction]) {
    let listed: HashSet<&str> = record.supported.iter().chain(&record.full_codegen).map(Text::as_str).collect();
    for f in functions.iter_mut().filter(|f| listed.contains(f.func.name.to_string().as_str())) {
        f.is_abstract = true;
    }
}
