//! Records that the support library uses, for files that do not declare them.
//!
//! Invariant: a record of the user with the same name replaces one of these. It is checked to have
//! the form that the library calls.

use crate::codes;
use torchgen_base::diag::{Diagnostic, Diagnostics, Sources};
use torchgen_base::yaml;

use super::model::{Family, Gradient, Instruction, Node};
use super::records::{self, FileRecord, OpRecord};

/// The records of the prelude that these files lack and need.
pub(crate) fn missing(files: &[FileRecord], sources: &mut Sources, diagnostics: &mut Diagnostics) -> FileRecord {
    let text = include_str!("../data/prelude.yaml");
    let file = sources.add("(built in) data/graph_ir/prelude.yaml", text.to_owned());
    let Some(root) = yaml::parse(sources, file, yaml::Options::LIBRARY, diagnostics) else {
        return FileRecord::default();
    };
    let ops = || files.iter().flat_map(|file| &file.ops);
    let has = |record: &OpRecord| ops().any(|op| op.is_node == record.is_node && name(op) == name(record));
    let instructions = ops().any(|op| !op.is_node);
    let gradients = ops().any(|op| op.is_node && op.gradient.is_some());
    let mut prelude = records::read_records(root, diagnostics);
    prelude.ops.retain(|record| {
        let wanted = match (record.is_node, name(record)) {
            (true, "Save") => true,
            (true, _) => gradients,
            (false, _) => instructions,
        };
        wanted && !has(record)
    });
    prelude
}

/// The name in a schema, as far as it can be seen without reading it.
fn name(record: &OpRecord) -> &str {
    record.schema.as_str().split(['(', ' ', '.']).next().unwrap_or_default()
}

/// What the support library may use.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Uses {
    /// A node with the inputs Input and Output.
    pub(crate) save: bool,
    /// A node that updates a weight.
    pub(crate) sgd: bool,
    /// Gradients are generated.
    pub(crate) gradients: bool,
    /// `Add` takes the type of its result.
    pub(crate) sum_takes_type: bool,
}

/// A node by its name, its form, its inputs, its members and the number of its results.
type Expected = (&'static str, &'static str, &'static [&'static str], &'static [&'static str], usize);

/// Checks the records that the support library calls by name.
pub(crate) fn check_support_records(family: &Family, diagnostics: &mut Diagnostics) -> Uses {
    let gradients = family.nodes.iter().any(|node| node.gradient != Gradient::None);
    let mut wrong = |span, name: &str, form: &str| {
        let message = format!("the support library calls `{name}`, which must be `{form}`");
        let error = Diagnostic::new(&codes::IR_SUPPORT_RECORD, message).at(span);
        diagnostics.push(error.help("give the record another name, or that form"));
    };
    let nodes: [Expected; 3] = [
        ("Save", "Save(Tensor Input, Tensor Output) -> ()", &["Input", "Output"], &[], 0),
        ("Add", "Add(Tensor LHS, Tensor RHS) -> Tensor Result", &["LHS", "RHS"], &[], 1),
        ("Splat", "Splat(*, float Value) -> Tensor Result", &[], &["Value"], 1),
    ];
    for (name, form, inputs, members, results) in nodes {
        let Some(node) = family.node(name).filter(|_| name == "Save" || gradients) else { continue };
        let same_type = name == "Splat" && node.results.iter().any(|result| result.same_as.is_some());
        if !has_form(node, inputs, members) || node.results.len() != results || same_type {
            wrong(node.span, name, form);
        }
    }
    let instructions: [(&str, &str, &[&str], &[&str]); 3] = [
        ("AllocActivation", "AllocActivation(*, Type Ty) -> ()", &[], &["Ty"]),
        ("DeallocActivation", "DeallocActivation() -> Tensor Src", &["Src"], &[]),
        ("Copy", "Copy(Tensor Src) -> Tensor Dest", &["Dest", "Src"], &[]),
    ];
    for (name, form, operands, members) in instructions {
        let Some(instruction) = family.instruction(name) else { continue };
        if !instruction_has_form(instruction, operands, members) {
            wrong(instruction.span, name, form);
        }
    }
    let numbers = ["L1Decay", "L2Decay", "LearningRate", "Momentum", "BatchSize"];
    Uses {
        save: family.node("Save").is_some(),
        sgd: family.node("SGD").is_some_and(|node| has_form(node, &["Gradient", "Weight"], &numbers)),
        gradients,
        sum_takes_type: family
            .node("Add")
            .is_some_and(|node| node.results.iter().any(|result| result.same_as.is_none())),
    }
}

fn has_form(node: &Node, inputs: &[&str], members: &[&str]) -> bool {
    let own: Vec<&str> = node.inputs.iter().map(|input| input.name.text.as_str()).collect();
    let own_members: Vec<&str> = node.members.iter().map(|member| member.name.text.as_str()).collect();
    own == inputs
        && own_members == members
        && node.variable_inputs.is_empty()
        && node.variable_results.is_empty()
        && node.modes.is_empty()
}

fn instruction_has_form(instruction: &Instruction, operands: &[&str], members: &[&str]) -> bool {
    let own: Vec<&str> = instruction.operands.iter().map(|operand| operand.name.text.as_str()).collect();
    let own_members: Vec<&str> = instruction.members.iter().map(|member| member.name.text.as_str()).collect();
    let settable = instruction.members.iter().all(|member| member.setter);
    own == operands && own_members == members && instruction.variable_operands.is_empty() && settable
}
