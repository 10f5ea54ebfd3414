//! The files of selective builds, as plain Python data.
//!
//! Invariant: `_torchgen_rs.pyi` describes it. A file is read as every command reads it.

use std::path::PathBuf;

use pyo3::prelude::*;

use crate::model::yaml::{reading, reading_here};
use torchgen_base::diag::Diagnostics;
use torchgen_base::yaml::{self, Node, Options};
use torchgen_kit::driver::JobError;
use torchgen_model::records::{FileKind, SelectiveRecord, is_other_kind, read_selective};

/// What such a file has.
#[derive(IntoPyObject)]
pub(crate) struct Selection {
    include_all_operators: bool,
    include_all_non_op_selectives: bool,
    debug_info: Option<Vec<String>>,
    operators: Vec<Operator>,
    kernel_metadata: Vec<(String, Vec<String>)>,
    et_kernel_metadata: Vec<(String, Vec<String>)>,
    custom_classes: Vec<String>,
    build_features: Vec<String>,
}

/// Name, root, training, all overloads, origin.
type Operator = (String, bool, bool, bool, Option<Vec<String>>);

impl Selection {
    fn of(record: SelectiveRecord) -> Selection {
        let operators = record.operators.into_iter().map(|operator| {
            let name = operator.name.into_string();
            let (root, training) = (operator.is_root_operator, operator.is_used_for_training);
            (name, root, training, operator.include_all_overloads, operator.debug_info)
        });
        Selection {
            include_all_operators: record.include_all_operators,
            include_all_non_op_selectives: record.include_all_non_op_selectives,
            debug_info: record.debug_info,
            operators: operators.collect(),
            kernel_metadata: record.kernel_metadata.into_iter().collect(),
            et_kernel_metadata: record.et_kernel_metadata.into_iter().collect(),
            custom_classes: record.custom_classes,
            build_features: record.build_features,
        }
    }
}

fn selection(root: Node, diagnostics: &mut Diagnostics) -> Result<Selection, JobError> {
    if is_other_kind(&root, FileKind::Selective, diagnostics) {
        return Err(JobError::Input);
    }
    read_selective(root, diagnostics).map(Selection::of).ok_or(JobError::Input)
}

/// What a file has.
#[pyfunction]
pub(crate) fn parse_selection(py: Python<'_>, path: PathBuf) -> PyResult<Selection> {
    reading(py, move |session| {
        let root = session.read_yaml(&path, Options::SAFE_LOAD)?;
        selection(root, &mut session.diagnostics)
    })
}

/// What the text of a file has.
#[pyfunction]
pub(crate) fn parse_selection_text(py: Python<'_>, name: String, text: String) -> PyResult<Selection> {
    reading_here(py, move |session| {
        let file = session.sources.add(name, text);
        let root = yaml::parse(&session.sources, file, Options::SAFE_LOAD, &mut session.diagnostics);
        selection(root.ok_or(JobError::Input)?, &mut session.diagnostics)
    })
}
