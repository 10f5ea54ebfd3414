//! What the class of a record declares for each of its parts.
//!
//! Invariant: the lists have what the templates AutoGenNodes.h and AutoGenInstr.h declare.

use crate::model::{Instruction, Name, Node};

/// A member of a class, the part that it belongs to, and the help if there are two.
pub(super) type Declared<'a> = Vec<(String, Name, &'a str)>;

const SIZE: &str = "a list of results has a getter of its size; choose another name";
const MODE: &str = "modes have a getter; choose another name";
const CLASS: &str = "the class has this name; choose another one";
const OTHER: &str = "choose another name";

/// Adds a member for each form, in which `*` is the part's name.
fn add(declared: &mut Declared, part: &Name, forms: &[&str], help: &'static str) {
    declared.extend(forms.iter().map(|form| (form.replace('*', &part.text), part.clone(), help)));
}

pub(super) fn node_members(node: &Node) -> Declared<'static> {
    let mut declared = Declared::new();
    for input in &node.inputs {
        add(&mut declared, &input.name, &["get*", "*_", "*Idx"], OTHER);
    }
    for list in &node.variable_inputs {
        add(&mut declared, &list.name, &["get*", "*_"], OTHER);
    }
    for result in &node.results {
        add(&mut declared, &result.name, &["get*", "*Idx"], OTHER);
    }
    for list in &node.variable_results {
        add(&mut declared, list, &["get*"], OTHER);
    }
    for member in &node.members {
        add(&mut declared, &member.name, &["get*", "*_"], OTHER);
    }
    for list in &node.variable_results {
        add(&mut declared, list, &["get*Size", "*Size_", "get*Nth"], SIZE);
    }
    declared.push((node.class(), Name::new(node.name.clone(), node.span), CLASS));
    if !node.modes.is_empty() {
        let name = Name::new(node.name.clone(), node.span);
        add(&mut declared, &name, &["getMode", "getModeStr", "mode_"], MODE);
    }
    declared
}

pub(super) fn instruction_members(instruction: &Instruction) -> Declared<'static> {
    let mut declared = Declared::new();
    for operand in &instruction.operands {
        add(&mut declared, &operand.name, &["get*", "*Idx"], OTHER);
    }
    for list in &instruction.variable_operands {
        add(&mut declared, &list.name, &["get*"], OTHER);
    }
    for member in &instruction.members {
        add(&mut declared, &member.name, &["get*", "*_"], OTHER);
    }
    for list in &instruction.variable_operands {
        add(&mut declared, &list.name, &["*Num_", "*Off_"], OTHER);
    }
    declared.push((instruction.class(), Name::new(instruction.name.clone(), instruction.span), CLASS));
    // A member may say the size of a scratch operand, which needs no method then.
    for scratch in instruction.scratch.iter().filter(|scratch| !scratch.member) {
        let operand = instruction.operands.iter().find(|operand| operand.name.text == scratch.name);
        if let Some(operand) = operand {
            add(
                &mut declared,
                &operand.name,
                &["get*Size"],
                "a scratch operand has a getter of its size; choose another name",
            );
        }
    }
    declared
}
