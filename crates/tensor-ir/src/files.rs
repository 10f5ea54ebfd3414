//! The files, and the template and the view of each.
//!
//! Invariant: the list of files depends only on the flags and on whether the IR has statements.

use serde::Serialize;

use super::docs;
use super::model::Ir;
use super::view::{self, IrView};
use torchgen_base::render::View;
use torchgen_base::write::OutputFile;
use torchgen_kit::driver::JobError;
use torchgen_kit::driver::context::{FileContext, PlannedFile, json_text};
use torchgen_kit::ir::Changes;

/// What is made beside the library itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Wanted {
    /// The macros of easy_build.h.
    pub(crate) easy_build: bool,
    /// The parser of the printed form.
    pub(crate) parser: bool,
    /// A program that tests the library.
    pub(crate) self_test: bool,
    /// A page on the IR.
    pub(crate) docs: bool,
    /// The IR as data.
    pub(crate) model: bool,
    /// Visitors with every method written out.
    pub(crate) skeletons: bool,
}

/// What a template sees.
#[derive(Serialize)]
struct Page<'a> {
    ir: &'a IrView,
    with_parser: bool,
    with_easy_build: bool,
}

/// Makes all files of an IR that was checked.
///
/// # Errors
/// Templates that cannot be rendered.
pub(crate) fn files(
    ir: &Ir,
    wanted: Wanted,
    changes: Option<&Changes>,
    context: FileContext,
) -> Result<Vec<OutputFile>, JobError> {
    let page = Page { ir: &view::ir(ir), with_parser: wanted.parser, with_easy_build: wanted.easy_build };
    let (page, changes) = (View::new(&page), changes.map(View::new));
    let template = |path: &'static str, view| PlannedFile::new(path, format!("tensor_ir/{path}.j2"), view);
    let selected = FILES.iter().filter(|(_, condition)| condition.holds(wanted));
    let mut table: Vec<PlannedFile> = selected.map(|(path, _)| template(path, &page)).collect();
    if wanted.model {
        table.push(PlannedFile::data("ir_model.json", json_text(&docs::model(ir))));
    }
    table.extend(changes.iter().map(|view| template("ir_changes.md", view)));
    context.make(table)
}

/// When a file is made.
#[derive(Clone, Copy)]
enum When {
    Always,
    EasyBuild,
    Parser,
    SelfTest,
    Docs,
    Skeletons,
}

impl When {
    fn holds(self, wanted: Wanted) -> bool {
        match self {
            When::Always => true,
            When::EasyBuild => wanted.easy_build,
            When::Parser => wanted.parser,
            When::SelfTest => wanted.self_test,
            When::Docs => wanted.docs,
            When::Skeletons => wanted.skeletons,
        }
    }
}

/// The files with the IR as a view; the template of each is `tensor_ir/<file>.j2`.
const FILES: &[(&str, When)] = &[
    ("any_map.h", When::Always),
    ("node_ptr.h", When::Always),
    ("dtype.h", When::Always),
    ("dtype.cpp", When::Always),
    ("node_names.def", When::Always),
    ("nodes.h", When::Always),
    ("nodes.cpp", When::Always),
    ("function.h", When::Always),
    ("function.cpp", When::Always),
    ("module.h", When::Always),
    ("module.cpp", When::Always),
    ("builder.h", When::Always),
    ("builder.cpp", When::Always),
    ("easy_build.h", When::EasyBuild),
    ("easy_build.cpp", When::EasyBuild),
    ("easy_build_undef.h", When::EasyBuild),
    ("comparer.h", When::Always),
    ("comparer.cpp", When::Always),
    ("hash.h", When::Always),
    ("hash.cpp", When::Always),
    ("visitor.h", When::Always),
    ("visitor.cpp", When::Always),
    ("viewer.h", When::Always),
    ("viewer.cpp", When::Always),
    ("copier.h", When::Always),
    ("copier.cpp", When::Always),
    ("printer.h", When::Always),
    ("printer.cpp", When::Always),
    ("validator.h", When::Always),
    ("validator.cpp", When::Always),
    ("parser.h", When::Parser),
    ("parser.cpp", When::Parser),
    ("selftest.cpp", When::SelfTest),
    ("ir.md", When::Docs),
    ("visitor_skeletons.h", When::Skeletons),
];
