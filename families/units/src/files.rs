//! The files, and the template of each.
//!
//! Invariant: the list of files depends on flags alone.

use super::model::Unit;
use super::view::Constants;
use torchgen_base::render::View;
use torchgen_base::write::OutputFile;
use torchgen_kit::driver::JobError;
use torchgen_kit::driver::context::{FileContext, PlannedFile};

/// Makes all files; the page only with `--emit docs`.
pub(crate) fn files(units: &[Unit], docs: bool, context: FileContext) -> Result<Vec<OutputFile>, JobError> {
    let view = View::new(&Constants::new(units));
    let mut table = vec![PlannedFile::new("units.h", "units/units.h.j2", &view)];
    if docs {
        table.push(PlannedFile::new("units.md", "units/units.md.j2", &view));
    }
    context.make(table)
}
