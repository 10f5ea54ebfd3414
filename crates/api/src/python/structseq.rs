//! Operators with several named returns return a structseq in Python, a tuple with field names.
//!
//! Invariant: the names count only if all returns have one. Rule: torchgen/api/python.py,
//! `structseq_fieldnames`.

use crate::cpp;
use crate::error::{ApiError, Result};
use torchgen_model::codes::UNNAMED_FIELD;
use torchgen_model::model::{FunctionSchema, Return};

/// The names of a structseq's fields; empty if the returns are not a structseq.
///
/// # Errors
/// Some returns are named, others not.
pub fn field_names(returns: &[Return]) -> Result<Vec<&str>> {
    let names: Vec<&str> = returns.iter().filter_map(|r| r.name.as_deref()).collect();
    match names.len() {
        named if named == returns.len() && named > 1 => Ok(names),
        0 | 1 if returns.len() <= 1 => Ok(Vec::new()),
        0 => Ok(Vec::new()),
        _ => Err(ApiError::new(
            &UNNAMED_FIELD,
            "some returns have names and some do not, so the result in Python is neither a tuple nor a structseq",
        )),
    }
}

/// What distinguishes structseqs: overloads with the same C++ name and fields share one. `None` if
/// there is none.
pub fn structseq_key(func: &FunctionSchema) -> Result<Option<String>> {
    let fields = field_names(&func.returns)?;
    if fields.is_empty() {
        return Ok(None);
    }
    Ok(Some(format!("{}_{}", cpp::name(func), fields.join("_"))))
}
