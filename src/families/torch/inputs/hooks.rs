//! Reads a file of hooks, and puts what it says into the files of a run.
//!
//! Invariant: without a file of hooks nothing changes.

use std::path::Path;

use crate::driver::{JobError, Session};
use crate::families::torch::generators::hooks::Hooks;
use crate::families::torch::records::read_hooks;
use crate::render::Renderer;
use crate::write::OutputFile;
use crate::yaml;

impl Session {
    /// Changes files as `--hooks` says.
    ///
    /// # Errors
    /// The file of hooks cannot be read. What is wrong in it is a diagnostic.
    pub(crate) fn apply_hooks(
        &mut self,
        path: Option<&Path>,
        files: &mut [OutputFile],
        renderer: &Renderer,
    ) -> Result<(), JobError> {
        let Some(path) = path else { return Ok(()) };
        let root = self.read_yaml(path, yaml::Options::OPERATORS)?;
        let record = read_hooks(root, &mut self.diagnostics).ok_or(JobError::Input)?;
        let hooks = Hooks::of_file(&record);
        hooks.apply(files, renderer, &mut self.diagnostics).map_err(|error| error.diagnostic())?;
        self.check_errors()
    }
}
