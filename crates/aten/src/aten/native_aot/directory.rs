//! Reads the native-AOT declarations of a directory.
//!
//! Invariant: directories are visited in the order of their names.
//! [`declaration`](super::declaration) reads each. Rule: torchgen/native_aot_decl.py,
//! `discover_declarations`.

use std::path::{Path, PathBuf};

use super::declaration::declarations;
use torchgen_base::diag::Diagnostic;
use torchgen_base::write::manifest::Seen;
use torchgen_generators::args::GenerateArgs;
use torchgen_generators::native_aot::Manifests;
use torchgen_kit::driver::files::read_failed;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::group::NativeFunctionsGroup;

/// The directory of declarations relative to a source path, which is `aten/src/ATen` in a checkout.
const FROM_SOURCE_PATH: &str = "../../../torch/_native/ops";

/// The declarations that the flags name, checked against the structured groups. The directory
/// may be missing.
///
/// # Errors
/// A file or directory cannot be read; errors in a declaration are diagnostics.
pub(in crate::aten) fn read_native_aot(
    session: &mut Session,
    args: &GenerateArgs,
    groups: &[NativeFunctionsGroup<'_>],
) -> Result<Manifests, JobError> {
    let default = || args.source_path().join(FROM_SOURCE_PATH);
    let dir = args.native_aot_ops_dir.clone().unwrap_or_else(default);
    let mut found = Vec::new();
    if !dir.as_os_str().is_empty() && session.seen.is_dir(&dir) {
        for path in modules(&dir, &mut session.seen)? {
            let bytes = session.read_bytes(&path)?;
            let name = path.to_string_lossy();
            let Ok(text) = String::from_utf8(bytes) else {
                let message = format!("`{name}` is not valid UTF-8");
                session.diagnostics.push(Diagnostic::new(&codes::PYTHON_SYNTAX, message));
                continue;
            };
            let file = session.sources.add(name, text);
            found.extend(declarations(file, session.sources.text(file), &mut session.diagnostics));
        }
    }
    let manifests = Manifests::new(found, &mut session.diagnostics);
    manifests.check_groups(groups, &mut session.diagnostics);
    Ok(manifests)
}

/// The `aot.py` of every directory below this one that has one, sorted.
fn modules(dir: &Path, seen: &mut Seen) -> Result<Vec<PathBuf>, Diagnostic> {
    let entries = seen.entries(dir).map_err(|error| read_failed(dir, &error))?;
    let modules = entries.into_iter().filter(|(_, is_dir)| *is_dir).map(|(path, _)| path.join("aot.py"));
    Ok(modules.filter(|path| seen.exists(path)).collect())
}
