//! The view of the self-test: an object of each class, with sample values.

use serde::Serialize;

use super::{COMMENT, File, joined};
use crate::families::graph_ir::model::{Family, Gradient, Instruction, Member, Node};

/// What the self-test makes.
#[derive(Debug, Serialize)]
pub(crate) struct SelfTest {
    #[serde(flatten)]
    file: File,
    has_instructions: bool,
    /// Classes with a generated gradient.
    differentiable: Vec<String>,
    nodes: Vec<Case>,
    instructions: Vec<Case>,
}

#[derive(Debug, Serialize)]
struct Case {
    class: String,
    /// The arguments of the constructor; `changed` is the number of the member that differs.
    arguments: String,
    /// The members that have a second sample, from 1 on.
    changeable: Vec<usize>,
    serialized: bool,
}

/// Makes the view.
pub(crate) fn self_test(family: &Family) -> SelfTest {
    let differentiable = family.nodes.iter().filter(|node| node.gradient == Gradient::Made);
    SelfTest {
        file: File { namespace: family.namespace.clone(), comment: COMMENT },
        has_instructions: !family.instructions.is_empty(),
        differentiable: differentiable.map(Node::class).collect(),
        nodes: family.nodes.iter().map(node_case).collect(),
        instructions: family.instructions.iter().map(instruction_case).collect(),
    }
}

fn node_case(node: &Node) -> Case {
    let mut list = vec!["\"x\"".to_owned()];
    let taken = node.results.iter().filter(|result| result.same_as.is_none());
    list.extend(taken.map(|_| "world.types[0]".to_owned()));
    list.extend(node.variable_results.iter().map(|_| "ArrayRef<TypeRef>(world.types, 2)".to_owned()));
    if let Some(mode) = node.modes.first() {
        list.push(format!("{}::Mode::{mode}", node.class()));
    }
    // Each input gets a placeholder of its own, so that a name that is taken for another shows.
    list.extend((0..node.inputs.len()).map(|index| format!("world.in({index})")));
    list.extend((0..node.variable_inputs.len()).map(|index| format!("world.list({})", 10 + 2 * index)));
    list.extend(samples(&node.members));
    Case {
        class: node.class(),
        arguments: joined(list),
        changeable: changeable(&node.members),
        serialized: !node.by_hand.serialization,
    }
}

fn instruction_case(instruction: &Instruction) -> Case {
    let mut list = vec!["\"x\"".to_owned()];
    list.extend((0..instruction.operands.len()).map(|index| format!("weight({index})")));
    list.extend((0..instruction.variable_operands.len()).map(|index| format!("weightList({})", 20 + 2 * index)));
    list.extend(samples(&instruction.members));
    Case {
        class: instruction.class(),
        arguments: joined(list),
        changeable: changeable(&instruction.members),
        serialized: false,
    }
}

fn samples(members: &[Member]) -> impl Iterator<Item = String> {
    let sample =
        |(at, member): (usize, &Member)| format!("Sample<{}>::make(changed == {})", member.ty.argument, at + 1);
    members.iter().enumerate().map(sample)
}

/// Pointers have one sample only.
fn changeable(members: &[Member]) -> Vec<usize> {
    let has_second = |(_, member): &(usize, &Member)| !member.ty.storage.contains('*');
    members.iter().enumerate().filter(has_second).map(|(at, _)| at + 1).collect()
}
