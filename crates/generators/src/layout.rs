//! The layout of a source path.
//!
//! Invariant: the answer depends only on which files exist, and on `--layout`.

use std::path::PathBuf;

use crate::args::{LayoutChoice, last_source_path};
use torchgen_base::diag::Diagnostic;
use torchgen_kit::driver::head::Unnamed;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;

/// How PyTorch's sources and those of libraries are recognized.
pub const UNNAMED: Unnamed = Unnamed {
    file: "native_functions.yaml",
    folders: &["", "native"],
    entry: "func:",
    beside: &["deprecated.yaml", "derivatives.yaml", "library.yaml", "tags.yaml"],
};

/// The layouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// PyTorch's layout.
    Aten,
    /// An operator library's.
    Library,
}

/// The layout of the last source path. If both match, it is ATen's.
///
/// # Errors
/// Neither matches, or a file cannot be read.
pub fn find(source_paths: &[PathBuf], layout: Option<LayoutChoice>, session: &mut Session) -> Result<Layout, JobError> {
    let source_path = last_source_path(source_paths);
    let aten = source_path.join("native").join("native_functions.yaml");
    let library = source_path.join("native_functions.yaml");
    match layout {
        Some(LayoutChoice::Aten) => Ok(Layout::Aten),
        Some(LayoutChoice::Library) => Ok(Layout::Library),
        // A file of operators is a library's.
        None if session.seen.is_file(source_path) => Ok(Layout::Library),
        None if session.is_given(&aten)? => Ok(Layout::Aten),
        None if session.is_given(&library)? => Ok(Layout::Library),
        None if !session.seen.exists(source_path) => {
            let message = format!("there is no file or directory `{}`", source_path.display());
            Err(Diagnostic::new(&codes::READ_FAILED, message).into())
        }
        None => {
            let message = format!("there is no native_functions.yaml in `{}`", source_path.display());
            let error = Diagnostic::new(&codes::READ_FAILED, message)
                .note(format!("ATen layout: {}", aten.display()))
                .note(format!("operator library: {}", library.display()));
            Err(match UNNAMED.meant(source_path) {
                Some((path, help)) => error.help(format!("there is `{}`: {help}", path.display())),
                None => error.help("name the directory with `-s`"),
            }
            .into())
        }
    }
}
