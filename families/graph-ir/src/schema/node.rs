//! Nodes: their schemas and the keys of their records.
//!
//! Invariant: keys that only instructions can have are reported.

use crate::codes;
use crate::expression::Expression;
use crate::model::{ByHand, Gradient, Infer, Name, Node, NodeResult, Verify};
use crate::records::GradientRecord;
use crate::verify::{self, Named};
use torchgen_base::diag::Diagnostic;
use torchgen_base::lang::is_identifier;
use torchgen_base::yaml::Text;
use torchgen_kit::schema::Schema;

use super::{Reader, SchemaTypeKind};

impl Reader<'_> {
    pub(super) fn node(&mut self, schema: &Schema<SchemaTypeKind>) -> Node {
        self.refuse_keys_of_instructions();
        let record = self.record;
        let effects = self.effects(schema);
        let (inputs, variable_inputs) = (effects.parameters, effects.parameter_lists);
        let results = effects.results.into_iter();
        let mut results: Vec<NodeResult> =
            results.map(|result| NodeResult { name: result.name, same_as: None, infer: None }).collect();
        let variable_results: Vec<Name> = effects.result_lists.into_iter().map(|list| list.name).collect();
        let members = self.members(schema);
        let member_names: Vec<&str> = members.iter().map(|member| member.name.text.as_str()).collect();
        self.require("setters", &record.setters, &member_names);
        let input_names: Vec<&str> = inputs.iter().map(|input| input.name.text.as_str()).collect();
        let list_names: Vec<&str> = variable_inputs.iter().map(|list| list.name.text.as_str()).collect();
        self.same_types(&input_names, &mut results);
        self.inferred_types(&input_names, &list_names, &member_names, &mut results);
        let commutative = self.commutative(&input_names);
        let fold = self.fold();
        let gradient = self.node_gradient(schema, results.len() + variable_results.len());
        let skips = |word: &str| record.skip.iter().any(|skip| skip.as_str() == word);
        let mut node = Node {
            name: schema.name.value.clone(),
            span: schema.name.span(self.text),
            doc: self.doc(),
            inputs,
            variable_inputs,
            results,
            variable_results,
            members,
            modes: record.modes.iter().map(|mode| mode.as_str().to_owned()).collect(),
            commutative,
            fold,
            data_parallel: record.data_parallel,
            side_effects: record.side_effects,
            extra_results: record.extra_results,
            fused_activation: record.fused_activation,
            backend_specific: record.backend_specific,
            by_hand: ByHand {
                serialization: skips("serialization"),
                debug: skips("debug"),
                visitor: skips("visitor"),
                hash: skips("hash"),
            },
            verify: Verify::Rules(Vec::new()),
            methods: record.methods.clone(),
            traits: record.traits.iter().map(|name| Name::new(name.as_str(), name.span())).collect(),
            mix_ins: Vec::new(),
            gradient,
            gradient_of: None,
        };
        let operands: Vec<&str> = node.operands().map(|name| name.text.as_str()).collect();
        let parts: Vec<&str> = node.parts().map(|name| name.text.as_str()).collect();
        let named = Named { operands: &operands, parts: &parts };
        let inferred = node.results.iter().filter(|result| result.shape().is_some());
        let inferred: Vec<&str> = inferred.map(|result| result.name.text.as_str()).collect();
        node.verify = verify::read_rules(&record.verify, &named, Some(&inferred), self.diagnostics);
        node
    }

    fn refuse_keys_of_instructions(&mut self) {
        let record = self.record;
        let first = |texts: &[Text]| texts.first().map(Text::span);
        let pair = |pairs: &[(Text, Text)]| pairs.first().map(|(key, _)| key.span());
        self.refuse("a node", "operand_order", record.operand_order.as_ref().map(|(_, span)| *span));
        self.refuse("a node", "scratch", first(&record.scratch));
        self.refuse("a node", "scratch_size", pair(&record.scratch_size));
        self.refuse("a node", "from_node", record.from_node.as_ref().map(Text::span));
        self.refuse("a node", "rename", pair(&record.rename));
        self.refuse("a node", "drop", first(&record.drop));
        self.refuse("a node", "convert", first(&record.convert));
        self.refuse("a node", "type", record.ty.as_ref().map(Text::span));
    }

    /// The two inputs of `commutative:`, by their numbers.
    fn commutative(&mut self, inputs: &[&str]) -> Option<(usize, usize)> {
        let record = self.record;
        let place = record.commutative.first()?.span();
        self.require("commutative", &record.commutative, inputs);
        let at = |name: &Text| inputs.iter().position(|input| *input == name.as_str());
        match record.commutative.as_slice() {
            [left, right] if left.as_str() != right.as_str() => Some((at(left)?, at(right)?)),
            _ => {
                let error = Diagnostic::new(&codes::IR_UNKNOWN_PART, "`commutative` names two inputs").at(place);
                self.error(error.help("write `commutative: [LHS, RHS]`"));
                None
            }
        }
    }

    /// The function of `fold:`.
    fn fold(&mut self) -> Option<Name> {
        let function = self.record.fold.as_ref()?;
        if is_identifier(function) {
            return Some(Name::new(function.as_str(), function.span()));
        }
        let error = Diagnostic::new(&codes::IR_RULE, format!("`{function}` is not the name of a function"));
        self.error(error.at(function.span()).help("write a function of your C++: `fold: foldAdd`"));
        None
    }

    /// Applies `same_type_as:`.
    fn same_types(&mut self, inputs: &[&str], results: &mut [NodeResult]) {
        for (result, input) in &self.record.same_type_as {
            if self.require_one("same_type_as", result, &names(results))
                && self.require_one("same_type_as", input, inputs)
                && let Some(found) = results.iter_mut().find(|found| found.name.text == result.as_str())
            {
                found.same_as = Some(input.as_str().to_owned());
            }
        }
    }

    /// Applies `infer:`.
    fn inferred_types(&mut self, inputs: &[&str], lists: &[&str], members: &[&str], results: &mut [NodeResult]) {
        let all_inputs = [inputs, lists].concat();
        for infer in &self.record.infer {
            if !self.require_one("infer", &infer.result, &names(results))
                || !self.require_one("infer", &infer.like, &all_inputs)
            {
                continue;
            }
            if infer.shape.is_none() && !inputs.contains(&infer.like.as_str()) {
                let message = format!("`{}` is a list, which has no type of its own", infer.like);
                let error = Diagnostic::new(&codes::IR_UNKNOWN_PART, message).at(infer.like.span());
                self.error(error.help("set the shape of the result with the key `shape`"));
                continue;
            }
            let Some(found) = results.iter_mut().find(|found| found.name.text == infer.result.as_str()) else {
                continue;
            };
            if let Some(same_as) = &found.same_as {
                let message = format!("`{}` has the type of `{same_as}` anyway", infer.result);
                let warning = Diagnostic::new(&codes::IR_IDLE, message).at(infer.result.span());
                self.error(warning.help("take it out of `infer` or of `same_type_as`"));
            }
            let element = infer.element.as_ref().map(|element| {
                let name = element.as_str();
                let name = name.strip_prefix(verify::ELEMENT).unwrap_or(name);
                verify::check_element(element, name, self.diagnostics);
                name.to_owned()
            });
            let parts = all_inputs.iter().chain(members).copied();
            let shape = infer.shape.as_ref().map(|shape| Expression::read_expression(shape, parts, self.diagnostics));
            found.infer = Some(Infer { like: infer.like.as_str().to_owned(), element, shape });
        }
    }

    fn node_gradient(&mut self, schema: &Schema<SchemaTypeKind>, results: usize) -> Gradient {
        let (span, kind) = match &self.record.gradient {
            None => return Gradient::None,
            Some(GradientRecord::Made(span)) => (*span, Gradient::Made),
            Some(GradientRecord::ByHand(span)) => (*span, Gradient::ByHand),
            Some(GradientRecord::Of { span, .. }) => {
                let error = Diagnostic::new(&codes::IR_GRADIENT, "the gradient of a node has all of its inputs");
                self.error(error.at(*span).help("write `gradient: true`"));
                return Gradient::None;
            }
        };
        let has_list_of_inputs = schema
            .parameters
            .iter()
            .any(|parameter| parameter.ty.kind == SchemaTypeKind::Tensor && parameter.ty.is_list());
        let why = if results == 0 {
            "it has no results"
        } else if kind == Gradient::ByHand {
            return kind;
        } else if has_list_of_inputs {
            "it has a list of inputs"
        } else if schema.results().iter().any(|result| result.ty.is_list()) {
            "it has a list of results"
        } else {
            return kind;
        };
        let message = format!("`{}` has no generated gradient: {why}", &*schema.name);
        let error = Diagnostic::new(&codes::IR_GRADIENT, message).at(span);
        let help = if results == 0 { "delete the key" } else { "write `gradient: custom` and a method `getGrad`" };
        self.error(error.also(schema.name.span(self.text), "this node").help(help));
        Gradient::None
    }
}

fn names(results: &[NodeResult]) -> Vec<&str> {
    results.iter().map(|result| result.name.text.as_str()).collect()
}
