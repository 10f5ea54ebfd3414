//! Instructions: their schemas and the keys of their records.
//!
//! Invariant: keys that only nodes can have are reported. Operands are in the order of the class.

use std::collections::HashMap;

use crate::diag::Diagnostic;
use crate::families::graph_ir::codes;
use crate::families::graph_ir::model::{Instruction, Lowering, Member, Name, Operand, OperandKind, Scratch};
use crate::families::graph_ir::verify;
use crate::kit::ir::Numeric;
use crate::kit::schema::Schema;
use crate::yaml::Text;

use super::{Kind, Reader};

impl Reader<'_> {
    pub(super) fn instruction(&mut self, schema: &Schema<Kind>) -> Instruction {
        let record = self.record;
        let first = |texts: &[Text]| texts.first().map(Text::span);
        self.refuse("an instruction", "overwrites", first(&record.overwrites));
        self.refuse("an instruction", "skip", first(&record.skip));
        self.refuse("an instruction", "modes", first(&record.modes));
        self.refuse("an instruction", "same_type_as", record.same_type_as.first().map(|(key, _)| key.span()));
        self.refuse("an instruction", "infer", record.infer.first().map(|infer| infer.result.span()));

        let sets = |name: &str| record.setters.iter().any(|setter| setter.as_str() == name);
        let (mut outs, mut ins) = (Vec::new(), Vec::new());
        let (mut variable_outs, mut variable_ins) = (Vec::new(), Vec::new());
        let mut out_sets: HashMap<String, (Name, usize)> = HashMap::new();
        let mut reads: Vec<(Name, String)> = Vec::new();
        for result in schema.results() {
            if !self.is_tensor(&result.ty) {
                continue;
            }
            let Some(name) = result.name.as_ref().map(|name| self.name(name)) else { continue };
            if let Some(alias) = &result.ty.alias {
                for set in &alias.before {
                    let place = Name::new(set.value.clone(), set.span(self.text));
                    if let Some((other, _)) = out_sets.insert(set.value.clone(), (place.clone(), outs.len())) {
                        let message = format!("the alias set `{}` belongs to two results", place.text);
                        let error = Diagnostic::new(&codes::IR_INPLACE, message).at(place.span);
                        self.error(error.also(other.span, "first here").help("give each result its own set"));
                    }
                }
            }
            let operand = Operand { setter: sets(&name.text), name, kind: OperandKind::Out };
            if result.ty.is_list() { variable_outs.push(operand) } else { outs.push(operand) }
        }
        for parameter in schema.positional() {
            if !self.is_in_place(parameter) {
                continue;
            }
            let name = self.name(&parameter.name);
            let kind = if parameter.ty.is_write() { OperandKind::InOut } else { OperandKind::In };
            if let (OperandKind::In, Some(alias)) = (kind, &parameter.ty.alias) {
                for set in &alias.before {
                    reads.push((Name::new(set.value.clone(), set.span(self.text)), name.text.clone()));
                }
            }
            let operand = Operand { setter: sets(&name.text), name, kind };
            if parameter.ty.is_list() { variable_ins.push(operand) } else { ins.push(operand) }
        }
        let span = schema.name.span(self.text);
        let scratch_operands = record.scratch.iter().map(|name| {
            let name = Name::new(name.as_str(), name.span());
            Operand { name, kind: OperandKind::Scratch, setter: false }
        });
        let operands: Vec<Operand> = outs.into_iter().chain(ins).chain(scratch_operands).collect();
        let operands = self.ordered(operands);
        let members = self.members(schema);
        let inplace = self.inplace(&operands, &out_sets, &reads);
        let scratch = self.scratch(&members);
        let names = |operands: &[Operand]| operands.iter().map(|operand| operand.name.text.clone()).collect::<Vec<_>>();
        let mut settable = names(&operands);
        settable.extend(members.iter().map(|member| member.name.text.clone()));
        let settable: Vec<&str> = settable.iter().map(String::as_str).collect();
        self.require("setters", &record.setters, &settable);
        if let Some(ty) = &record.ty {
            let typed = members.iter().filter(|member| member.spelling == "Type");
            let mut known = names(&operands);
            known.extend(typed.map(|member| member.name.text.clone()));
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            self.require_one("type", ty, &known);
        }
        let operand_names = names(&operands);
        let operand_names: Vec<&str> = operand_names.iter().map(String::as_str).collect();
        let verify = verify::read(&record.verify, &operand_names, None, self.diagnostics);
        let lowering = self.lowering();
        Instruction {
            name: schema.name.value.clone(),
            span,
            doc: self.doc(),
            operands,
            variable_operands: variable_outs.into_iter().chain(variable_ins).collect(),
            members,
            inplace,
            scratch,
            ty: record.ty.as_ref().map(|ty| ty.as_str().to_owned()),
            data_parallel: record.data_parallel,
            side_effects: record.side_effects,
            backend_specific: record.backend_specific,
            memory: record.memory,
            verify,
            methods: record.methods.clone(),
            lowering,
            gradient_of: None,
        }
    }

    /// The operands in the order that the record asks for.
    fn ordered(&mut self, operands: Vec<Operand>) -> Vec<Operand> {
        let Some((order, span)) = &self.record.operand_order else { return operands };
        let names: Vec<String> = operands.iter().map(|operand| operand.name.text.clone()).collect();
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        self.require("operand_order", order, &known);
        let place = |operand: &Operand| order.iter().position(|name| name.as_str() == operand.name.text);
        let missing: Vec<&str> = operands
            .iter()
            .filter(|operand| place(operand).is_none())
            .map(|operand| operand.name.text.as_str())
            .collect();
        if !missing.is_empty() {
            let message = format!("`operand_order` leaves out `{}`", missing.join("`, `"));
            self.error(Diagnostic::new(&codes::IR_UNKNOWN_PART, message).at(*span).help("list every operand once"));
            return operands;
        }
        let unchanged = known.len() == order.len() && known.iter().zip(order).all(|(a, b)| *a == b.as_str());
        if unchanged {
            let error = Diagnostic::new(&codes::IR_IDLE, "`operand_order` is the order that holds anyway").at(*span);
            self.error(error.help("delete the key"));
        }
        let mut operands = operands;
        operands.sort_by_key(|operand| place(operand));
        operands
    }

    /// Which operand may be written in the memory of which.
    fn inplace(
        &mut self,
        operands: &[Operand],
        out_sets: &HashMap<String, (Name, usize)>,
        reads: &[(Name, String)],
    ) -> Vec<(usize, usize)> {
        let index = |name: &str| operands.iter().position(|operand| operand.name.text == name);
        let outs: Vec<usize> = (0..operands.len()).filter(|at| operands[*at].kind == OperandKind::Out).collect();
        let mut pairs = Vec::new();
        for (set, name) in reads {
            match out_sets.get(&set.text) {
                Some((_, result)) => pairs.extend(outs.get(*result).copied().zip(index(name))),
                None => {
                    let message = format!("no result is in the alias set `{}`", set.text);
                    let error = Diagnostic::new(&codes::IR_INPLACE, message).at(set.span);
                    self.error(error.help("a result in the same set says which one reuses the memory"));
                }
            }
        }
        let is_read = |text: &str| reads.iter().any(|(set, _)| set.text == text);
        let mut unread: Vec<_> = out_sets.values().map(|(place, _)| place).filter(|p| !is_read(&p.text)).collect();
        unread.sort_by_key(|place| place.span.start);
        for place in unread {
            let message = format!("no parameter is in the alias set `{}`", place.text);
            let error = Diagnostic::new(&codes::IR_INPLACE, message).at(place.span);
            self.error(error.help("put the parameters whose memory may be reused into the set"));
        }
        pairs
    }

    fn scratch(&mut self, members: &[Member]) -> Vec<Scratch> {
        let record = self.record;
        let known: Vec<&str> = record.scratch.iter().map(Text::as_str).collect();
        let mut list = Vec::new();
        for (name, _) in &record.scratch_size {
            self.require_one("scratch_size", name, &known);
        }
        for name in &record.scratch {
            let size = record.scratch_size.iter().find(|(scratch, _)| scratch.as_str() == name.as_str());
            let member = members.iter().find(|member| member.name.text == format!("{name}Size"));
            if let Some(member) = member {
                if member.ty.numeric != Numeric::Integer {
                    let message = format!("the size of `{name}` is a `{}`, not an integer", member.spelling);
                    let error = Diagnostic::new(&codes::IR_SCRATCH, message).at(member.name.span);
                    self.error(error.also(name.span(), "the scratch operand").help("make it an `int` or `uint`"));
                } else if let Some((key, _)) = size {
                    let message = format!("the member `{}` says the size of `{name}` already", member.name.text);
                    let error = Diagnostic::new(&codes::IR_SCRATCH, message).at(key.span());
                    self.error(error.also(member.name.span, "the member").help("delete one of the two"));
                }
            }
            list.push(Scratch {
                name: name.as_str().to_owned(),
                size: size.map(|(_, size)| size.as_str().to_owned()),
                member: member.is_some(),
            });
        }
        list
    }

    fn lowering(&mut self) -> Option<Lowering> {
        let record = self.record;
        let name = |text: &Text| Name::new(text.as_str(), text.span());
        let Some(node) = &record.from_node else {
            for text in record.rename.iter().map(|(text, _)| text).chain(&record.drop).chain(&record.convert) {
                let error = Diagnostic::new(&codes::IR_IDLE, "this key belongs to `from_node:`").at(text.span());
                self.error(error.help("name the node that becomes this instruction"));
            }
            return None;
        };
        Some(Lowering {
            node: name(node),
            rename: record.rename.iter().map(|(own, node)| (name(own), name(node))).collect(),
            drop: record.drop.iter().map(name).collect(),
            convert: record.convert.iter().map(name).collect(),
        })
    }
}
