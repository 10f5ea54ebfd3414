//! The view of the self-test: an object of each class, with sample values.

use serde::Serialize;

use super::{COMMENT, File, joined};
use crate::model::{Family, Gradient, Instruction, Member, Node};
use crate::words::enumeration_path;

/// What the self-test makes.
#[derive(Debug, Serialize)]
pub(crate) struct SelfTest {
    #[serde(flatten)]
    file: File,
    has_instructions: bool,
    /// Whether an instruction has a list of operands.
    has_operand_lists: bool,
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
    let enums = family.enums.iter().map(|record| format!("{}::{}", family.namespace, enumeration_path(&record.name)));
    let types: Vec<String> = TYPES.into_iter().map(str::to_owned).chain(enums).collect();
    SelfTest {
        file: File { namespace: family.namespace.clone(), comment: COMMENT },
        has_instructions: !family.instructions.is_empty(),
        has_operand_lists: family.instructions.iter().any(|instruction| !instruction.variable_operands.is_empty()),
        differentiable: differentiable.map(Node::class).collect(),
        nodes: family.nodes.iter().map(|node| node_case(node, &types)).collect(),
        instructions: family.instructions.iter().map(|instruction| instruction_case(instruction, &types)).collect(),
    }
}

fn node_case(node: &Node, types: &[String]) -> Case {
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
        changeable: changeable(&node.members, types),
        // What a type of the user's is written as is not known here.
        serialized: !node.by_hand.serialization
            && node.members.iter().all(|member| is_known(&member.ty.storage, types)),
    }
}

fn instruction_case(instruction: &Instruction, types: &[String]) -> Case {
    let mut list = vec!["\"x\"".to_owned()];
    list.extend((0..instruction.operands.len()).map(|index| format!("weight({index})")));
    list.extend((0..instruction.variable_operands.len()).map(|index| format!("weightList({})", 20 + 2 * index)));
    list.extend(samples(&instruction.members));
    Case {
        class: instruction.class(),
        arguments: joined(list),
        changeable: changeable(&instruction.members, types),
        serialized: false,
    }
}

fn samples(members: &[Member]) -> impl Iterator<Item = String> {
    let sample =
        |(at, member): (usize, &Member)| format!("Sample<{}>::make(changed == {})", member.ty.argument, at + 1);
    members.iter().enumerate().map(sample)
}

/// The types that have two samples; a family adds its enumerations.
const TYPES: [&str; 10] =
    ["NodeValue", "TypeRef", "bool", "dim_t", "float", "int", "int64_t", "size_t", "std::string", "unsigned_t"];

/// Whether a type, or that of the elements of a list, is one of these.
fn is_known(storage: &str, types: &[String]) -> bool {
    match storage.strip_prefix("std::vector<").and_then(|rest| rest.strip_suffix('>')) {
        Some(element) => is_known(element, types),
        None => types.iter().any(|ty| ty == storage),
    }
}

/// Pointers and types of the user's have one sample only.
fn changeable(members: &[Member], types: &[String]) -> Vec<usize> {
    let has_second = |(_, member): &(usize, &Member)| is_known(&member.ty.storage, types);
    members.iter().enumerate().filter(has_second).map(|(at, _)| at + 1).collect()
}
