//! What libraries and backends declare, for the list of changes.
//!
//! Invariant: all sources together are one state.

use std::path::{Path, PathBuf};

use torchgen_backend::backend::state as backend;
use torchgen_base::diag::Diagnostic;
use torchgen_generators::layout::{self, Layout, UNNAMED};
use torchgen_kit::changes::{Rules, Thing};
use torchgen_kit::driver::{JobError, Session};
use torchgen_library::run as library;
use torchgen_model::records::is_backend;
use torchgen_model::{changes, codes};

/// The operators of libraries, and the kernels of backends.
///
/// # Errors
/// A file cannot be read, or the sources are PyTorch's own.
pub(super) fn state_of(sources: &[PathBuf], session: &mut Session) -> Result<(Vec<Thing>, Rules), JobError> {
    let mut libraries = Vec::new();
    let mut things = Vec::new();
    for source in sources {
        let backends = backends(source, session);
        for path in &backends {
            things.push(backend::thing(path, session)?);
        }
        let is_library = session.seen.is_dir(source) && UNNAMED.is_seen_in(source, &mut session.seen);
        if backends.is_empty() || is_library {
            libraries.push(source.clone());
        }
    }
    if !libraries.is_empty() {
        match layout::find(&libraries, None, session)? {
            Layout::Library => things.extend(library::things(&libraries, session)?),
            Layout::Aten => {
                let message = "this command compares libraries and backends, not PyTorch's own sources";
                let error = Diagnostic::new(&codes::USAGE, message);
                return Err(error.help("`torchgen-rs diff` compares two versions of PyTorch").into());
            }
        }
    }
    Ok((things, changes::RULES))
}

/// The YAML of backends that a source is or has, sorted by name.
fn backends(source: &Path, session: &mut Session) -> Vec<PathBuf> {
    let is_dir = session.seen.is_dir(source);
    let entries = if is_dir { session.seen.entries(source).unwrap_or_default() } else { Vec::new() };
    let is_yaml = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml");
    let mut paths: Vec<PathBuf> = entries.into_iter().map(|(path, _)| path).filter(is_yaml).collect();
    if !is_dir {
        paths.push(source.to_owned());
    }
    let mut is_meant = |path: &PathBuf| {
        // Reading a pipe would take what the library is read from.
        let bytes =
            if session.seen.is_file(path) { session.seen.read_file(path).unwrap_or_default() } else { Vec::new() };
        is_backend(&String::from_utf8_lossy(&bytes))
    };
    paths.retain(|path| is_meant(path));
    paths
}
