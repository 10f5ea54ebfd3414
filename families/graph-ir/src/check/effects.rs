//! Checks that an instruction has the effects of the node that is lowered to it.
//!
//! Invariant: what the node writes the instruction writes too, and the other way round, so that
//! the order of instructions that follows from the nodes is right. Each result of the node, and
//! each input that it writes, is written by one operand.

use crate::codes;
use crate::effects::Operand;
use crate::model::{Instruction, Name};
use torchgen_base::diag::{Diagnostic, Span};

use super::lowering::Planner;

impl Planner<'_, '_> {
    /// Compares the effects of the node with those of the operands that its parts become.
    pub(super) fn effects(&mut self, instruction: &Instruction) {
        let (node, lowering) = (self.node, self.lowering);
        let operands_of = |part: &str| -> Vec<&Operand> {
            let operands = instruction.operands.iter();
            operands.filter(|operand| lowering.node_name(&operand.name.text) == part).collect()
        };
        for result in &node.results {
            self.written_once(&result.name, "result", &operands_of(&result.name.text));
        }
        for input in &node.inputs {
            let operands = operands_of(&input.name.text);
            self.written_once(&input.name, "input", &operands);
            let writer = operands.iter().find(|operand| operand.kind.writes());
            let reads = operands.iter().any(|operand| operand.kind.reads());
            let (part, own_node) = (&input.name.text, &node.name);
            let (place, message, help) = match (writer, operands.first()) {
                (Some(writer), _) if !input.kind.writes() => (
                    writer.name.span,
                    format!("`{}` is written here, and the node `{own_node}` only reads `{part}`", writer.name.text),
                    format!("declare in the node that it is written: `Tensor(a!) {part}`, or `overwrites: [{part}]`"),
                ),
                (None, Some(reader)) if input.kind.writes() => (
                    reader.name.span,
                    format!("`{}` is only read here, and the node `{own_node}` writes `{part}`", reader.name.text),
                    format!("declare that the instruction writes it: `Tensor(a!) {}`", reader.name.text),
                ),
                (Some(writer), _) if input.kind.reads() && !reads => (
                    writer.name.span,
                    format!(
                        "`{}` is only written here, and the node `{own_node}` reads `{part}` too",
                        writer.name.text
                    ),
                    format!("make it a parameter that is read and written: `Tensor(a!) {}`", writer.name.text),
                ),
                (None, None) if input.kind.writes() => {
                    let Some(dropped) = lowering.drop.iter().find(|name| name.text == *part) else { continue };
                    let message = format!("`{part}` is written by the node `{own_node}`, so it cannot be dropped");
                    (dropped.span, message, format!("give the instruction an operand for it: `Tensor(a!) {part}`"))
                }
                _ => continue,
            };
            let error = Diagnostic::new(&codes::IR_LOWERING, message).at(place);
            self.error(error.also(input.name.span, "the input of the node").help(help));
        }
    }

    /// Reports a second operand that is written for one part of the node: one of the two values
    /// would be lost.
    fn written_once(&mut self, part: &Name, what: &str, operands: &[&Operand]) {
        let mut writers = operands.iter().filter(|operand| operand.kind.writes());
        let Some(first) = writers.next() else { return };
        for other in writers {
            let names = format!("`{}` and `{}`", first.name.text, other.name.text);
            let message =
                format!("{names} are both written for the {what} `{}` of the node `{}`", part.text, self.node.name);
            let error = Diagnostic::new(&codes::IR_LOWERING, message).at(self.place(&other.name));
            let error = error.also(self.place(&first.name), "the first one").also(part.span, "the part of the node");
            self.error(error.help("map each of them to a part of its own in `rename:`"));
        }
    }

    /// Where an operand is mapped to a part of the node.
    fn place(&self, own: &Name) -> Span {
        let renamed = self.lowering.rename.iter().find(|(from, _)| from.text == own.text);
        renamed.map_or(own.span, |(_, to)| to.span)
    }
}
