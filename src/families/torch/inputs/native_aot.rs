//! Reads the native-AOT declarations of a directory.
//!
//! Invariant: directories are visited in the order of their names.
//! [`native_aot`](crate::families::torch::generators::native_aot) reads a declaration. Rule:
//! torchgen/native_aot_decl.py, `discover_declarations`.

use std::path::{Path, PathBuf};

use crate::diag::Diagnostic;
use crate::driver::files::read_failed;
use crate::driver::{JobError, Session};
use crate::families::torch::args::GenerateArgs;
use crate::families::torch::codes;
use crate::families::torch::generators::native_aot::{Manifests, declarations};
use crate::families::torch::group::NativeFunctionsGroup;
use crate::write::manifest::Seen;

/// The directory of declarations relative to a source path, which is `aten/src/ATen` in a checkout.
const FROM_SOURCE_PATH: &str = "../../../torch/_native/ops";

impl Session {
    /// The declarations that the flags name, checked against the structured groups. The directory
    /// may be missing.
    ///
    /// # Errors
    /// A file or directory cannot be read; errors in a declaration are diagnostics.
    pub(crate) fn read_native_aot(
        &mut self,
        args: &GenerateArgs,
        groups: &[NativeFunctionsGroup<'_>],
    ) -> Result<Manifests, JobError> {
        let default = || args.source_path().join(FROM_SOURCE_PATH);
        let dir = args.native_aot_ops_dir.clone().unwrap_or_else(default);
        let mut found = Vec::new();
        if !dir.as_os_str().is_empty() && self.seen.is_dir(&dir) {
            for path in modules(&dir, &mut self.seen)? {
                let bytes = self.read_bytes(&path)?;
                let name = path.to_string_lossy();
                let Ok(text) = String::from_utf8(bytes) else {
                    let message = format!("`{name}` is not valid UTF-8");
                    self.diagnostics.push(Diagnostic::new(&codes::PYTHON_SYNTAX, message));
                    continue;
                };
                let file = self.sources.add(name, text);
                found.extend(declarations(file, self.sources.text(file), &mut self.diagnostics));
            }
        }
        let manifests = Manifests::new(found, &mut self.diagnostics);
        manifests.check(groups, &mut self.diagnostics);
        Ok(manifests)
    }
}

/// The `aot.py` of every directory below this one that has one, sorted.
fn modules(dir: &Path, seen: &mut Seen) -> Result<Vec<PathBuf>, Diagnostic> {
    let entries = seen.entries(dir).map_err(|error| read_failed(dir, &error))?;
    let modules = entries.into_iter().filter(|(_, is_dir)| *is_dir).map(|(path, _)| path.join("aot.py"));
    Ok(modules.filter(|path| seen.exists(path)).collect())
}
