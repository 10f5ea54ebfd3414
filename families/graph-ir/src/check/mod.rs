//! Checks references between records, and names that would clash in the generated code.
//!
//! Invariant: nothing is changed here. If there is no error, every referenced class exists.

mod effects;
mod lowering;
mod members;
mod names;
mod namespace;

pub(crate) use lowering::{NodePart, Plan, plan};

use std::collections::HashMap;

use torchgen_base::diag::{Diagnostic, Diagnostics};

use super::codes;
use super::model::{Family, Instruction};
use super::prelude::{self, Uses};

/// Checks everything, and finds what the support library may use.
pub(crate) fn check_family(family: &Family, diagnostics: &mut Diagnostics) -> Uses {
    names::check_names(family, diagnostics);
    namespace::check_class_names(family, diagnostics);
    let mut lowered: HashMap<&str, &Instruction> = HashMap::new();
    for instruction in &family.instructions {
        let Some(lowering) = &instruction.lowering else { continue };
        let node = &lowering.node;
        if let Some(first) = lowered.insert(&node.text, instruction) {
            let message = format!("the node `{}` becomes the instruction `{}` already", node.text, first.name);
            let error =
                Diagnostic::new(&codes::IR_LOWERING, message).at(node.span).also(first.span, "this instruction");
            diagnostics.push(error.help("remove one `from_node:`, or lower the node with a rule of the generator"));
            continue;
        }
        plan(family, instruction, lowering, diagnostics);
    }
    prelude::check_support_records(family, diagnostics)
}
