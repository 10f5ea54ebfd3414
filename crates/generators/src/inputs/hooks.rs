//! Reads a file of hooks, and puts what it says into the files of a run.
//!
//! Invariant: without a file of hooks nothing changes.

use std::path::Path;

use crate::hooks::Hooks;
use torchgen_base::render::Renderer;
use torchgen_base::write::OutputFile;
use torchgen_base::yaml;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::records::read_hooks;

/// Changes files as `--hooks` says.
///
/// # Errors
/// The file of hooks cannot be read. What is wrong in it is a diagnostic.
pub fn apply_hooks(
    session: &mut Session,
    path: Option<&Path>,
    files: &mut [OutputFile],
    renderer: &Renderer,
) -> Result<(), JobError> {
    let Some(path) = path else { return Ok(()) };
    let root = session.read_yaml(path, yaml::Options::OPERATORS)?;
    let record = read_hooks(root, &mut session.diagnostics).ok_or(JobError::Input)?;
    let hooks = Hooks::of_file(&record);
    hooks.apply(files, renderer, &mut session.diagnostics).map_err(|error| error.diagnostic())?;
    session.check_errors()
}
