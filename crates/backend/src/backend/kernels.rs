//! The kernels and the derivatives of a backend among those of PyTorch, for whoever only reads
//! them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::input::own_kernels;
use super::{External, autograd, check};
use torchgen_api::autograd::Matched;
use torchgen_base::yaml::{self, Text};
use torchgen_generators::inputs::{self, Operators};
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::group;
use torchgen_model::model::{DispatchKey, NativeFunction, Target};
use torchgen_model::records::{BackendRecord, FileKind, read_backend};

/// A backend whose kernels were added.
#[derive(Debug, Clone)]
pub struct Added {
    /// The dispatch key of its kernels below autograd.
    pub key: Option<DispatchKey>,
    /// The key of those at autograd.
    pub autograd_key: Option<DispatchKey>,
    /// The operators, with their overloads, whose lazy kernels are generated.
    pub full_codegen: HashSet<String>,
    yaml: PathBuf,
    /// The YAML.
    pub record: BackendRecord,
}

impl Added {
    /// What `finish` makes of the backend's derivatives, for its autograd key, if it has any.
    pub fn derivatives<T>(
        &self,
        functions: &[NativeFunction],
        session: &mut Session,
        finish: impl FnOnce(DispatchKey, &Matched<'_>, &mut Session) -> T,
    ) -> Result<Option<T>, JobError> {
        let place = autograd::Place { yaml: &self.yaml, directory: "", include: None };
        let tables = session.tables.clone();
        autograd::read_derivatives(&self.record, place, functions, &tables, session, |derivatives, session| {
            Ok(finish(derivatives.key, &derivatives.matched, session))
        })
    }
}

/// Adds the kernels that the YAML of a backend names to those of PyTorch.
pub fn add(path: &Path, operators: &mut Operators, session: &mut Session) -> Result<Added, JobError> {
    let root = inputs::read_kind(session, path, yaml::Options::OPERATORS, FileKind::Backend)?;
    let record = read_backend(root, &mut session.diagnostics);
    session.check_errors()?;
    let record = record.ok_or(JobError::Input)?;
    own_kernels(&record, &mut operators.functions);
    let tables = session.tables.clone();
    let Operators { functions, indices } = operators;
    let grouped = group::group(functions, Target::pytorch(&tables), &mut session.diagnostics);
    check::check_backend(&record, &grouped, indices, &tables, &mut session.diagnostics);
    session.check_errors()?;
    let external = External::new(&record, functions, &grouped, indices);
    let full_codegen = record.full_codegen.iter().map(Text::to_string).collect();
    let autograd_key = external.as_ref().and_then(|external| external.autograd_key);
    Ok(Added { key: external.map(|external| external.key), autograd_key, full_codegen, yaml: path.to_owned(), record })
}
