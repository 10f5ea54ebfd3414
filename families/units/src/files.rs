//! The files, and the template of each.
//!
//! Invariant: the list of files is the same for all sources.

use super::model::Unit;
use super::view::Constants;
use torchgen_base::render::View;
use torchgen_base::write::OutputFile;
use torchgen_kit::driver::JobError;
use torchgen_kit::driver::context::{FileContext, PlannedFile};

/// Makes all files but for pages.
pub(crate) fn files(units: &[Unit], context: FileContext) -> Result<Vec<OutputFile>, JobError> {
    let view = View::new(&Constants::new(units));
    context.make(vec![PlannedFile::new("units.h", "units/units.h.j2", &view)])
}
