//! Derives the gradient class of a class.
//!
//! Invariant: a gradient class comes before its original, as the generated headers need it.

use crate::codes;
use torchgen_base::diag::{Diagnostic, Diagnostics, did_you_mean};
use torchgen_base::yaml::Text;

use super::effects::{Operand, OperandKind};
use super::model::{Gradient, Instruction, Name, Node, NodeResult, Property, Rule, Term, Verify};
use super::records::{GradientRecord, OpRecord};

/// A node, after the class of its gradient if it has one.
pub(crate) fn with_gradient_node(node: Node) -> Vec<Node> {
    match node.gradient {
        Gradient::Made => vec![node_gradient(&node), node],
        Gradient::None | Gradient::ByHand => vec![node],
    }
}

/// The inputs of the node, then each result with its gradient; one result for each input.
fn node_gradient(node: &Node) -> Node {
    let mut inputs: Vec<Operand> = node.inputs.iter().map(|input| Operand::read_only(input.name.clone())).collect();
    let mut rules = Vec::new();
    for result in &node.results {
        let span = result.name.span;
        let original = Name::new(format!("OriginalOutputFor{}", result.name.text), span);
        let gradient = Name::new(format!("GradOfOriginalOutputNamed{}", result.name.text), span);
        let terms = vec![Term::Operand(original.clone()), Term::Operand(gradient.clone())];
        rules.push(Rule::Same(Property::Type, terms));
        inputs.extend([original, gradient].map(Operand::read_only));
    }
    let result = |input: &Operand| NodeResult {
        name: Name::new(format!("GradOfInputNamed{}", input.name.text), input.name.span),
        same_as: Some(input.name.text.clone()),
        infer: None,
    };
    Node {
        name: format!("{}Grad", node.name),
        span: node.span,
        doc: format!("The gradient of {}.", node.name),
        results: node.inputs.iter().map(result).collect(),
        inputs,
        variable_inputs: Vec::new(),
        variable_results: Vec::new(),
        members: node.members.clone(),
        modes: node.modes.clone(),
        commutative: None,
        fold: None,
        data_parallel: node.data_parallel,
        side_effects: false,
        extra_results: false,
        fused_activation: node.fused_activation,
        backend_specific: node.backend_specific,
        by_hand: node.by_hand,
        verify: Verify::Rules(rules),
        methods: node.methods.iter().filter(|method| method.gradient == Some(true)).cloned().collect(),
        traits: Vec::new(),
        mix_ins: Vec::new(),
        gradient: Gradient::None,
        gradient_of: Some(node.name.clone()),
    }
}

/// An instruction, after the class of its gradient if the record asks for one.
pub(crate) fn with_gradient_instruction(
    instruction: Instruction,
    record: &OpRecord,
    diagnostics: &mut Diagnostics,
) -> Vec<Instruction> {
    match &record.gradient {
        None => vec![instruction],
        Some(GradientRecord::Of { original, grad, .. }) => {
            let known: Vec<&str> = instruction.operands.iter().map(|operand| operand.name.text.as_str()).collect();
            let mut good = true;
            for name in original.iter().chain(grad).filter(|name| !known.contains(&name.as_str())) {
                let message = format!("`gradient` names `{name}`, which the schema lacks");
                let error = Diagnostic::new(&codes::IR_UNKNOWN_PART, message).at(name.span());
                diagnostics.push(error.maybe_help(did_you_mean(name.as_str(), known.iter().copied())));
                good = false;
            }
            if !good {
                return vec![instruction];
            }
            vec![instruction_gradient(&instruction, original, grad, diagnostics), instruction]
        }
        Some(GradientRecord::Made(span) | GradientRecord::ByHand(span)) => {
            let message = "the gradient of an instruction says which operands it has";
            let error = Diagnostic::new(&codes::IR_GRADIENT, message).at(*span);
            diagnostics.push(error.help("write `gradient: {original: [Src], grad: [Dest, Src]}`"));
            vec![instruction]
        }
    }
}

fn instruction_gradient(
    instruction: &Instruction,
    original: &[Text],
    grad: &[Text],
    diagnostics: &mut Diagnostics,
) -> Instruction {
    let listed = |names: &[Text], name: &str| names.iter().any(|listed| listed.as_str() == name);
    let mut operands = Vec::new();
    for operand in instruction.operands.iter().filter(|operand| listed(original, &operand.name.text)) {
        operands.push(Operand::read_only(operand.name.clone()));
    }
    for operand in instruction.operands.iter().filter(|operand| listed(grad, &operand.name.text)) {
        let kind = match operand.kind {
            OperandKind::In => OperandKind::Out,
            OperandKind::Out => OperandKind::In,
            kind @ (OperandKind::InOut | OperandKind::Scratch) => kind,
        };
        let name = Name::new(format!("{}Grad", operand.name.text), operand.name.span);
        operands.push(Operand { name, kind, setter: false });
    }
    // A rule about an operand is about its gradient and itself, as far as the gradient class has
    // them.
    let moved = |name: &Name| {
        let mut names = Vec::new();
        if listed(grad, &name.text) {
            names.push(Name::new(format!("{}Grad", name.text), name.span));
        }
        if listed(original, &name.text) {
            names.push(name.clone());
        }
        names
    };
    let has_operand = |text: &str| operands.iter().any(|operand| operand.name.text == text);
    let verify = match &instruction.verify {
        Verify::ByHand(returns) => Verify::ByHand(*returns),
        Verify::Rules(rules) => {
            let moved: Vec<Rule> = rules.iter().flat_map(|rule| moved_rule(rule, &moved, diagnostics)).collect();
            Verify::Rules(moved)
        }
    };
    let kept = |name: &String| has_operand(name) || instruction.members.iter().any(|member| member.name.text == *name);
    Instruction {
        name: format!("{}Grad", instruction.name),
        span: instruction.span,
        doc: format!("The gradient of {}.", instruction.name),
        members: instruction.members.clone(),
        variable_operands: Vec::new(),
        reuses: Vec::new(),
        scratch: Vec::new(),
        ty: instruction.ty.clone().filter(kept),
        data_parallel: false,
        side_effects: instruction.side_effects,
        backend_specific: instruction.backend_specific,
        memory: false,
        verify,
        methods: instruction.methods.iter().filter(|method| method.gradient != Some(false)).cloned().collect(),
        traits: Vec::new(),
        mix_ins: Vec::new(),
        lowering: None,
        gradient_of: Some(instruction.name.clone()),
        operands,
    }
}

/// What a rule says of the gradient class. A rule that says nothing there is reported.
fn moved_rule(rule: &Rule, moved: &impl Fn(&Name) -> Vec<Name>, diagnostics: &mut Diagnostics) -> Vec<Rule> {
    match rule {
        Rule::Same(property, terms) => {
            let mut kept = Vec::new();
            for term in terms {
                match term {
                    Term::Operand(name) => kept.extend(moved(name).into_iter().map(Term::Operand)),
                    Term::Element(element) => kept.push(Term::Element(element.clone())),
                }
            }
            let operands = kept.iter().filter(|term| matches!(term, Term::Operand(_))).count();
            if operands > 0 && kept.len() > 1 {
                return vec![Rule::Same(*property, kept)];
            }
            if let Some(Term::Operand(name)) = terms.first() {
                let message = "the gradient has too few operands of this rule, which is left out there";
                let warning = Diagnostic::new(&codes::IR_GRADIENT_RULE, message).at(name.span);
                diagnostics.push(warning.help("list more operands in `gradient:`, or split the rule"));
            }
            Vec::new()
        }
        Rule::OneOf(name, elements) => {
            moved(name).into_iter().map(|name| Rule::OneOf(name, elements.clone())).collect()
        }
        Rule::TypeCheck(name, predicates) => {
            moved(name).into_iter().map(|name| Rule::TypeCheck(name, predicates.clone())).collect()
        }
        // What the user wrote speaks of operands that the gradient may lack.
        Rule::Check { .. } | Rule::Inferred(_) | Rule::Method(_) => Vec::new(),
    }
}
