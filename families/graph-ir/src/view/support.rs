//! The view of the support library.

use std::collections::HashSet;

use serde::Serialize;

use super::{COMMENT, File};
use crate::model::{Family, Gradient};
use crate::prelude::Uses;
use crate::support::Declared;
use crate::words::{is_apart, is_declared};
use torchgen_kit::comment::Comment;
use torchgen_kit::ir::EnumRecord;

/// What the support library depends on.
#[derive(Debug, Serialize)]
pub(crate) struct Support {
    #[serde(flatten)]
    file: File,
    /// What headers of the user's declare, instead of IRKit.h.
    declared: Declared,
    has_instructions: bool,
    has_fusion_group: bool,
    has_save: bool,
    /// The version of graphs that are written.
    version: u32,
    has_shapes: bool,
    /// Headers of the user's, for types of members.
    includes: Vec<String>,
    /// Enumerations that factory methods take.
    mode_types: Vec<String>,
    has_sgd: bool,
    /// Whether pictures are wanted.
    dot: bool,
    differentiate: bool,
    /// The classes that have a method `getGrad`.
    differentiable: Vec<String>,
    sum: Sum,
    zero: Zero,
    enums: Vec<EnumView>,
    node_methods: Vec<Method>,
    instr_methods: Vec<Method>,
}

/// The node that sums gradients.
#[derive(Debug, Serialize)]
struct Sum {
    node: &'static str,
    from_ctor: bool,
}

/// The node for a gradient of zeros.
#[derive(Debug, Serialize)]
struct Zero {
    node: &'static str,
}

#[derive(Debug, Serialize)]
struct EnumView {
    name: String,
    doc: Comment,
    scoped: bool,
    values: Vec<String>,
    /// Its name or the first enumerator that cannot be a name of the namespace; empty if there is
    /// none.
    apart: String,
    /// What can be one: the name, and the enumerators.
    visible: Vec<String>,
}

impl EnumView {
    /// `names` are those that classes and enumerations have.
    fn new(record: &EnumRecord, names: &HashSet<String>) -> EnumView {
        let values: Vec<String> = record.values.iter().map(|value| value.as_str().to_owned()).collect();
        let name = record.name.as_str().to_owned();
        let is_visible = |value: &&String| !(is_declared(value) || names.contains(*value));
        let seen = values.iter().filter(|_| !record.scoped);
        let name_apart = is_apart(&name).then_some(&name);
        let first = name_apart.or_else(|| seen.clone().find(|value| !is_visible(value)));
        let own = if name_apart.is_none() { vec![name.clone()] } else { Vec::new() };
        EnumView {
            apart: first.cloned().unwrap_or_default(),
            visible: own.into_iter().chain(seen.filter(is_visible).cloned()).collect(),
            name,
            doc: Comment::from_optional_text(record.doc.as_ref().map(|doc| doc.as_str())),
            scoped: record.scoped,
            values,
        }
    }
}

/// A method of the base class that is found by kind.
#[derive(Debug, Clone, Serialize)]
struct Method {
    returns: &'static str,
    name: &'static str,
    parameters: &'static str,
    arguments: &'static str,
    /// ` const` or nothing.
    qualifier: &'static str,
    /// `const ` or nothing.
    cast: &'static str,
}

const fn method(
    returns: &'static str,
    name: &'static str,
    parameters: &'static str,
    arguments: &'static str,
    constant: bool,
) -> Method {
    let (qualifier, cast) = if constant { (" const", "const ") } else { ("", "") };
    Method { returns, name, parameters, arguments, qualifier, cast }
}

/// The methods of nodes that each class has of its own.
const NODE_METHODS: [Method; 15] = [
    method("unsigned", "getNumInputs", "", "", true),
    method("std::string", "getInputName", "unsigned index", "index", true),
    method("NodeValue", "getNthInput", "unsigned index", "index", true),
    method("void", "setNthInput", "unsigned index, NodeValue value", "index, value", false),
    method("std::string", "getOutputName", "unsigned index", "index", true),
    method("bool", "hasSideEffects", "", "", true),
    method("bool", "isCanonical", "", "", true),
    method("bool", "isDataParallel", "", "", true),
    method("bool", "isOverwrittenNthInput", "unsigned index", "index", true),
    method("std::string", "getDebugDesc", "", "", true),
    method("Node *", "clone", "", "", true),
    method("hash_code", "getHash", "", "", true),
    method("void", "visit", "Node *parent, NodeWalker *visitor", "parent, visitor", false),
    method("void", "visit", "const Node *parent, NodeWalker *visitor", "parent, visitor", true),
    method("void", "verify", "Diagnostics &diagnostics", "diagnostics", true),
];

/// The methods of instructions that each class has of its own.
const INSTR_METHODS: [Method; 10] = [
    method("Instruction *", "clone", "", "", true),
    method("bool", "isInplaceOp", "unsigned dstIdx, unsigned srcIdx", "dstIdx, srcIdx", true),
    method("bool", "isCanonical", "", "", true),
    method("bool", "isDataParallel", "", "", true),
    method("bool", "isMemory", "", "", true),
    method("unsigned", "getNumFixedOperands", "", "", true),
    method("StringRef", "getOperandName", "unsigned index", "index", true),
    method("hash_code", "getHash", "", "", true),
    method("void", "dump", "raw_ostream &os", "os", true),
    method("void", "verify", "Diagnostics &diagnostics", "diagnostics", true),
];

/// Makes the view.
pub(crate) fn support(family: &Family, uses: Uses, dot: bool) -> Support {
    let enumerations = family.enums.iter().map(|record| record.name.as_str().to_owned());
    let names: HashSet<String> = family.classes().map(|(class, _)| class).chain(enumerations).collect();
    let differentiable = family.nodes.iter().filter(|node| node.gradient != Gradient::None);
    Support {
        file: File { namespace: family.namespace.clone(), comment: COMMENT },
        declared: family.support.as_ref().map(|support| support.declared.clone()).unwrap_or_default(),
        has_instructions: !family.instructions.is_empty(),
        has_fusion_group: family.declared_instructions.iter().any(|name| name == "FusionGroup"),
        has_save: uses.save,
        version: family.version,
        has_shapes: family.infers_shapes(),
        includes: family.includes.clone(),
        mode_types: family.nodes.iter().filter(|node| !node.modes.is_empty()).map(|node| node.mode_type()).collect(),
        has_sgd: uses.sgd && uses.save,
        dot,
        differentiate: uses.gradients,
        differentiable: differentiable.map(|node| node.class()).collect(),
        sum: Sum { node: "Add", from_ctor: uses.sum_takes_type },
        zero: Zero { node: "Splat" },
        enums: family.enums.iter().map(|record| EnumView::new(record, &names)).collect(),
        node_methods: NODE_METHODS.to_vec(),
        instr_methods: INSTR_METHODS.to_vec(),
    }
}
