//! What PyTorch's sources and those of libraries declare, for the list of changes.
//!
//! Invariant: all sources together are one state.

use std::path::PathBuf;

use torchgen_base::diag::Diagnostic;
use torchgen_generators::layout::{self, Layout};
use torchgen_kit::changes::{Rules, Thing};
use torchgen_kit::driver::{JobError, Session};
use torchgen_library::run as library;
use torchgen_model::{changes, codes};

/// The operators of a library.
///
/// # Errors
/// A file cannot be read, or the sources are PyTorch's own.
pub(super) fn of(sources: &[PathBuf], session: &mut Session) -> Result<(Vec<Thing>, Rules), JobError> {
    match layout::find(sources, None, session)? {
        Layout::Library => Ok((library::things(sources, session)?, changes::RULES)),
        Layout::Aten => {
            Err(Diagnostic::new(&codes::USAGE, "this command compares libraries, not PyTorch's own sources").into())
        }
    }
}
