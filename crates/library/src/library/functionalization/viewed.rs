//! Which argument a result of a view shares its memory with.

use torchgen_base::diag::Diagnostic;
use torchgen_generators::autograd_common::viewed_output;
use torchgen_model::codes;
use torchgen_model::model::{Argument, NativeFunction, Return, Type};

/// The tensor that a result is a view of; `None` if it is not a view.
///
/// # Errors
/// It may be a view of several arguments, of something other than a tensor, or of nothing.
pub(crate) fn viewed<'a>(f: &'a NativeFunction, ret: &'a Return) -> Result<Option<&'a Argument>, Diagnostic> {
    if ret.annotation.is_none() {
        return Ok(None);
    }
    let found: Vec<&Argument> = f.func.viewed_arguments(ret).collect();
    let error = |message: String| Diagnostic::new(&codes::BAD_VIEW_ALIASING, message).at(f.spans.func);
    let name = &f.func.name;
    match found.as_slice() {
        [base] if base.ty == Type::TENSOR => Ok(Some(base)),
        [_] => viewed_output(f, ret).map(|_| None),
        [] => Err(error(format!("a result of view `{name}` has an alias set that no argument has"))),
        several => {
            let names: Vec<String> = several.iter().map(|a| format!("`{}`", a.schema_name())).collect();
            Err(error(format!("a result of view `{name}` may be a view of any of {}", names.join(" and ")))
                .help("give each argument its own alias set"))
        }
    }
}
