//! Checks what several nodes say together: names, operators, printed forms, kinds.
//!
//! Invariant: nothing is changed here. What one record says is checked where the model is built.

mod constraints;
mod forms;

use super::model::Ir;
use torchgen_base::diag::Diagnostics;

/// Checks everything.
pub(crate) fn check_ir(ir: &Ir, diagnostics: &mut Diagnostics) {
    forms::operators(ir, diagnostics);
    forms::alike(ir, diagnostics);
    forms::builders(ir, diagnostics);
    forms::classes(ir, diagnostics);
    forms::values_of_roles(ir, diagnostics);
    forms::own_builders(ir, diagnostics);
    forms::own_types(ir, diagnostics);
    constraints::words(ir, diagnostics);
}
