//! Checks nodes against the instructions that they are lowered to, and plans how each part of an
//! instruction is made.
//!
//! Invariant: a plan is complete: it names, for each operand and member of the instruction, the
//! part of the node that it comes from.

use std::collections::HashSet;

use crate::codes;
use crate::effects::{Operand, OperandKind};
use crate::model::{Family, Instruction, Lowering, Member, Name, Node};
use torchgen_base::diag::{Diagnostic, Diagnostics, did_you_mean, nearest};
use torchgen_kit::ir::Numeric;

/// A part of the instruction and the part of the node that it comes from.
#[derive(Debug, Clone)]
pub(crate) struct NodePart {
    pub(crate) own: String,
    pub node: String,
    /// The type that the value is converted to.
    pub(crate) convert: Option<String>,
}

/// How a node becomes an instruction, part by part.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    pub node: &'a Node,
    pub inputs: Vec<NodePart>,
    pub(crate) outputs: Vec<NodePart>,
    pub(crate) members: Vec<NodePart>,
}

/// Makes the plan, and reports what does not match.
pub(crate) fn plan<'a>(
    family: &'a Family,
    instruction: &Instruction,
    lowering: &Lowering,
    diagnostics: &mut Diagnostics,
) -> Option<Plan<'a>> {
    let wanted = &lowering.node;
    let Some(node) = family.node(&wanted.text) else {
        if family.rejected.contains(&wanted.text) {
            return None;
        }
        let error = Diagnostic::new(&codes::IR_UNKNOWN_NODE, format!("there is no node `{}`", wanted.text));
        let names = family.nodes.iter().map(|node| node.name.as_str());
        diagnostics.push(error.at(wanted.span).maybe_help(did_you_mean(&wanted.text, names)));
        return None;
    };
    let mut planner = Planner { node, lowering, used: HashSet::new(), diagnostics, good: true };
    let plan = planner.run(instruction);
    planner.leftovers();
    planner.good.then_some(plan)
}

pub(super) struct Planner<'a, 'd> {
    pub(super) node: &'a Node,
    pub(super) lowering: &'d Lowering,
    used: HashSet<String>,
    diagnostics: &'d mut Diagnostics,
    good: bool,
}

impl<'a> Planner<'a, '_> {
    pub(super) fn error(&mut self, diagnostic: Diagnostic) {
        self.good = false;
        self.diagnostics.push(diagnostic);
    }

    fn run(&mut self, instruction: &Instruction) -> Plan<'a> {
        let node = self.node;
        let mut plan = Plan { node, inputs: Vec::new(), outputs: Vec::new(), members: Vec::new() };
        if let Some(list) = instruction.variable_operands.first() {
            let message = format!("`{}` is a list of operands, which a node does not become by itself", list.name.text);
            let error = Diagnostic::new(&codes::IR_LOWERING, message).at(list.name.span);
            self.error(error.help("remove `from_node:` and lower the node with a rule of the generator"));
        }
        for (own, _) in &self.lowering.rename {
            let parts: Vec<&str> = instruction.parts().map(|part| part.text.as_str()).collect();
            if !parts.contains(&own.text.as_str()) {
                let message = format!("`rename` names `{}`, which the instruction lacks", own.text);
                let error = Diagnostic::new(&codes::IR_UNKNOWN_PART, message).at(own.span);
                self.error(error.maybe_help(did_you_mean(&own.text, parts)));
            }
        }
        for operand in instruction.operands.iter().filter(|operand| operand.kind != OperandKind::Scratch) {
            if let Some((part, is_input)) = self.operand(operand) {
                if is_input { plan.inputs.push(part) } else { plan.outputs.push(part) }
            }
        }
        let writes = node.all_inputs().any(|input| input.kind.writes());
        // A node without results is there for its effects, and its instruction has none either.
        if plan.outputs.is_empty()
            && !writes
            && !(node.results.is_empty() && node.variable_results.is_empty())
            && self.good
        {
            let message = format!("no operand of `{}` is a result of the node `{}`", instruction.name, node.name);
            let error = Diagnostic::new(&codes::IR_LOWERING, message).at(instruction.span);
            self.error(error.help("remove `from_node:` and lower the node with a rule of the generator"));
        }
        self.effects(instruction);
        let members: Vec<&str> = node.members.iter().map(|member| member.name.text.as_str()).collect();
        for member in &instruction.members {
            if let Some(mut part) = self.part(&member.name, &members, "member") {
                if let Some(from) = node.members.iter().find(|from| from.name.text == part.node) {
                    part.convert = self.conversion(from, member);
                }
                plan.members.push(part);
            }
        }
        plan
    }

    /// The part of the node that an operand comes from, and whether it is an input there. What the
    /// instruction writes is a result of the node, or an input that the node writes.
    fn operand(&mut self, operand: &Operand) -> Option<(NodePart, bool)> {
        let node = self.node;
        let name = self.lowering.node_name(&operand.name.text);
        let results: Vec<&str> = node.results.iter().map(|result| result.name.text.as_str()).collect();
        let inputs: Vec<&str> = node.inputs.iter().map(|input| input.name.text.as_str()).collect();
        let is_input = operand.kind.reads() || (inputs.contains(&name) && !results.contains(&name));
        let (known, what) = if is_input { (&inputs, "input") } else { (&results, "result") };
        self.part(&operand.name, known, what).map(|part| (part, is_input))
    }

    /// The part of the node that a part of the instruction comes from.
    fn part(&mut self, own: &Name, known: &[&str], what: &str) -> Option<NodePart> {
        let name = self.lowering.node_name(&own.text).to_owned();
        if known.contains(&name.as_str()) {
            self.used.insert(name.clone());
            return Some(NodePart { own: own.text.clone(), node: name, convert: None });
        }
        let message = format!("the node `{}` has no {what} `{name}`", self.node.name);
        let renamed = self.lowering.rename.iter().find(|(from, _)| from.text == own.text);
        let place = renamed.map_or(own.span, |(_, to)| to.span);
        // What was meant is not reported as lost too.
        self.used.extend(nearest(&name, known.iter().copied()).map(str::to_owned));
        let help = did_you_mean(&name, known.iter().copied())
            .unwrap_or_else(|| "say which part of the node it is: `rename: {Src: Data}`".into());
        self.error(
            Diagnostic::new(&codes::IR_LOWERING, message)
                .at(place)
                .also(self.lowering.node.span, "wanted here")
                .also(self.node.span, "the node")
                .help(help),
        );
        None
    }

    /// The type that a member is converted to; a conversion that nobody asked for is reported.
    fn conversion(&mut self, from: &Member, to: &Member) -> Option<String> {
        let asked = self.lowering.convert.iter().find(|name| name.text == to.name.text);
        if from.ty.storage == to.ty.storage {
            if let Some(asked) = asked {
                let message = format!("`{}` has the same type in the node", asked.text);
                let warning = Diagnostic::new(&codes::IR_IDLE, message).at(asked.span);
                self.diagnostics.push(warning.help("take it out of `convert`"));
            }
            return None;
        }
        let numbers = [from, to].iter().all(|member| member.ty.numeric != Numeric::Not);
        if numbers && asked.is_some() {
            return Some(to.ty.storage.clone());
        }
        let message = format!(
            "`{}` is `{}` in the node `{}` and `{}` here",
            to.name.text, from.spelling, self.node.name, to.spelling
        );
        let help = match numbers {
            true => format!("use one type, or convert the member: `convert: [{}]`", to.name.text),
            false => "use one type".to_owned(),
        };
        self.error(
            Diagnostic::new(&codes::IR_LOWERING_TYPE, message)
                .at(to.name.span)
                .also(from.name.span, "the member of the node")
                .help(help),
        );
        None
    }

    /// Reports parts of the node that nothing takes, and `drop`s that drop nothing.
    fn leftovers(&mut self) {
        let node = self.node;
        let parts: Vec<_> = node.parts().collect();
        for part in &parts {
            let dropped = self.lowering.drop.iter().any(|name| name.text == part.text);
            if dropped || self.used.contains(&part.text) {
                continue;
            }
            let message = format!("the instruction does not use `{}` of the node `{}`", part.text, node.name);
            let help = format!("map it with `rename:`, or declare that it is not needed: `drop: [{}]`", part.text);
            let place = self.lowering.node.span;
            let error = Diagnostic::new(&codes::IR_LOWERING, message).at(place).also(part.span, "declared here");
            self.error(error.help(help));
        }
        for name in &self.lowering.drop {
            let known = parts.iter().any(|part| part.text == name.text);
            if known && !self.used.contains(&name.text) {
                continue;
            }
            let (code, message) = match known {
                true => (&codes::IR_IDLE, format!("`{}` is used, so it is not dropped", name.text)),
                false => (&codes::IR_UNKNOWN_PART, format!("`drop` names `{}`, which the node lacks", name.text)),
            };
            let names = parts.iter().map(|part| part.text.as_str());
            let help = did_you_mean(&name.text, names).filter(|_| !known);
            self.diagnostics.push(Diagnostic::new(code, message).at(name.span).maybe_help(help));
        }
    }
}
