//! The files of an IR, and the template of each.
//!
//! Invariant: the list of files depends only on the flags and on whether the IR has statements.

use serde::Serialize;

use super::view::IrView;
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::View;
use torchgen_base::write::OutputFile;
use torchgen_kit::driver::context::{FileContext, ViewFile};

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

/// All files.
///
/// # Errors
/// A template of the user's that does not fit.
pub(crate) fn files(ir: &IrView, wanted: Wanted, context: FileContext) -> Result<Vec<OutputFile>, Vec<Diagnostic>> {
    let view = View::new(&Page { ir, with_parser: wanted.parser, with_easy_build: wanted.easy_build });
    let selected = FILES.iter().filter(|(_, condition)| condition.holds(wanted));
    let file =
        |&(path, _): &(&'static str, When)| ViewFile { path, template: format!("tensor_ir/{path}.j2"), view: &view };
    context.view_files(&selected.map(file).collect::<Vec<_>>())
}

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
