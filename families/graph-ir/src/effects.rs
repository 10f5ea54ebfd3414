//! What nodes and instructions do to their operands.
//!
//! This is the one model of effects: `isOverwrittenNthInput`, `isInplaceOp`, the marks `@in`,
//! `@out` and `@inout`, and the checks of lowering follow from it. Invariant: an effect belongs to
//! an operand by its name, so it does not depend on the order of operands; a list has one effect,
//! which all of its elements have.

use super::name::Name;

/// What a node or an instruction does with an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OperandKind {
    /// Reads it.
    In,
    /// Writes it, whatever it held.
    Out,
    /// Reads and writes it.
    InOut,
    /// Uses it as memory that nothing else sees.
    Scratch,
}

impl OperandKind {
    /// The kind in C++: the generated code writes scratch operands.
    pub(crate) fn cpp(self) -> &'static str {
        match self {
            OperandKind::In => "In",
            OperandKind::Out | OperandKind::Scratch => "Out",
            OperandKind::InOut => "InOut",
        }
    }

    /// Whether what the operand held matters.
    pub(crate) fn reads(self) -> bool {
        matches!(self, OperandKind::In | OperandKind::InOut)
    }

    /// Whether the operand holds something else afterwards.
    pub(crate) fn writes(self) -> bool {
        self != OperandKind::In
    }
}

/// An input of a node, or an operand of an instruction: a value or a list of values.
#[derive(Debug, Clone)]
pub(crate) struct Operand {
    pub name: Name,
    pub(crate) kind: OperandKind,
    pub(crate) setter: bool,
}

impl Operand {
    /// The same operand, only read.
    pub(crate) fn read_only(name: Name) -> Operand {
        Operand { name, kind: OperandKind::In, setter: false }
    }
}

/// A result of an instruction that may be written to the memory of an operand, or of any element
/// of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reuse {
    pub(crate) result: String,
    pub(crate) operand: String,
}
