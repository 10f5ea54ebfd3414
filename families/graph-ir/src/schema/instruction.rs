//! Instructions: their schemas and the keys of their records.
//!
//! Invariant: keys that only nodes can have are reported. Operands are in the order of the class.

use crate::codes;
use crate::effects::{Operand, OperandKind};
use crate::expression::Expression;
use crate::model::{Instruction, Lowering, Member, Name, Scratch};
use crate::verify::{self, Named};
use torchgen_base::diag::Diagnostic;
use torchgen_base::yaml::Text;
use torchgen_kit::ir::Numeric;
use torchgen_kit::schema::Schema;

use super::{Reader, SchemaTypeKind};

impl Reader<'_> {
    pub(super) fn instruction(&mut self, schema: &Schema<SchemaTypeKind>) -> Instruction {
        let record = self.record;
        let first = |texts: &[Text]| texts.first().map(Text::span);
        self.refuse("an instruction", "commutative", record.commutative.first().map(Text::span));
        self.refuse("an instruction", "fold", record.fold.as_ref().map(Text::span));
        self.refuse("an instruction", "overwrites", first(&record.overwrites));
        self.refuse("an instruction", "skip", first(&record.skip));
        self.refuse("an instruction", "modes", first(&record.modes));
        self.refuse("an instruction", "same_type_as", record.same_type_as.first().map(|(key, _)| key.span()));
        self.refuse("an instruction", "infer", record.infer.first().map(|infer| infer.result.span()));

        let effects = self.effects(schema);
        let span = schema.name.span(self.text);
        let scratch_operands = record.scratch.iter().map(|name| {
            let name = Name::new(name.as_str(), name.span());
            Operand { name, kind: OperandKind::Scratch, setter: false }
        });
        let operands: Vec<Operand> =
            effects.results.into_iter().chain(effects.parameters).chain(scratch_operands).collect();
        let operands = self.ordered(operands);
        let members = self.members(schema);
        let lists = || effects.result_lists.iter().chain(&effects.parameter_lists);
        let parts = operands.iter().chain(lists()).map(|operand| &operand.name);
        let parts: Vec<String> =
            parts.chain(members.iter().map(|member| &member.name)).map(|name| name.text.clone()).collect();
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let scratch = self.scratch(&members, &parts);
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
        let named = Named { operands: &operand_names, parts: &parts };
        let verify = verify::read_rules(&record.verify, &named, None, self.diagnostics);
        let lowering = self.lowering();
        Instruction {
            name: schema.name.value.clone(),
            span,
            doc: self.doc(),
            operands,
            variable_operands: effects.result_lists.into_iter().chain(effects.parameter_lists).collect(),
            members,
            reuses: effects.reuses,
            scratch,
            ty: record.ty.as_ref().map(|ty| ty.as_str().to_owned()),
            data_parallel: record.data_parallel,
            side_effects: record.side_effects,
            backend_specific: record.backend_specific,
            memory: record.memory,
            verify,
            methods: record.methods.clone(),
            traits: record.traits.iter().map(|name| Name::new(name.as_str(), name.span())).collect(),
            mix_ins: Vec::new(),
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

    fn scratch(&mut self, members: &[Member], parts: &[&str]) -> Vec<Scratch> {
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
                size: size.map(|(_, size)| Expression::read_expression(size, parts.iter().copied(), self.diagnostics)),
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
