//! The files, and the template and the view of each.
//!
//! Invariant: the list of files depends on flags, on whether a body is given, and on whether a
//! wrapper calls the graph API.

use super::docs::Report;
use super::model::Model;
use super::plan::Row;
use super::{site, view};
use torchgen_base::render::View;
use torchgen_base::write::OutputFile;
use torchgen_kit::driver::JobError;
use torchgen_kit::driver::context::{FileContext, PlannedFile};
use torchgen_kit::driver::pages;

/// What is generated.
#[derive(Debug, Clone, Copy)]
pub(super) struct Options {
    /// Functions for the author to fill in.
    pub(super) stubs: bool,
    /// The backend's graph API on the CPU, and a test.
    pub(super) mock: bool,
}

/// Makes all files of a backend.
pub(super) fn files(
    model: &Model,
    rows: &[Row],
    report: &Report,
    options: Options,
    context: FileContext,
) -> Result<Vec<OutputFile>, JobError> {
    let file = view::file(model, options.mock, rows);
    let (has_calls, banner, name) = (file.has_calls, file.banner.clone(), &model.names.name);
    let file = View::new(&file);
    let expressions = [("torchgen_comment", banner), ("torchgen_support", format!("{}::expr", model.names.namespace))];

    let own = |ending: &str, template: &str| PlannedFile::new(format!("{name}_{ending}"), template, &file);
    let mut table = vec![own("torch_ops.cpp", "wrappers/torch_ops.cpp.j2")];
    if model.body.is_none() {
        table.push(own("torch_ops.h", "wrappers/torch_ops.h.j2"));
    }
    if has_calls {
        table.push(own("shape.h", "wrappers/shape.h.j2"));
        table.push(own("runtime.h", "wrappers/runtime.h.j2"));
    }
    let declarations = "wrappers/generated_declarations.yaml.j2";
    table.push(PlannedFile::new("GeneratedDeclarations.yaml", declarations, &file));
    if options.stubs {
        table.push(own("custom_stubs.cpp", "wrappers/custom_stubs.cpp.j2"));
    }
    if options.mock {
        table.push(PlannedFile::new("mock_backend.h", "wrappers/mock_backend.h.j2", &file));
        table.push(PlannedFile::new("wrappers_test.cpp", "wrappers/wrappers_test.cpp.j2", &file));
    }
    if has_calls {
        table.push(PlannedFile::plain(format!("{name}_expr.h"), "kit/cpp/expr.h", &expressions));
    }
    let mut files = context.make(table)?;
    files.extend(of_report(report, context)?);
    Ok(files)
}

/// The files of a report.
pub(super) fn of_report(report: &Report, context: FileContext) -> Result<[OutputFile; 2], JobError> {
    let page = pages::report(&site::site(report), "skip_report.md", context)?;
    Ok([page, OutputFile::new(context.manager, "skip_report.json", report.json())])
}
