//! Checks references between records, and names that would clash in the generated code.
//!
//! Invariant: nothing is changed here. If there is no error, every referenced class exists.

mod lowering;
mod names;

pub(crate) use lowering::{NodePart, Plan, plan};

use crate::diag::Diagnostics;

use super::model::Family;

/// Checks everything.
pub(crate) fn check(family: &Family, diagnostics: &mut Diagnostics) {
    names::check(family, diagnostics);
    for instruction in &family.instructions {
        if let Some(lowering) = &instruction.lowering {
            plan(family, instruction, lowering, diagnostics);
        }
    }
}
