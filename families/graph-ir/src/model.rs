//! The checked data: each node and instruction once, including gradients.
//!
//! Invariant: names are those of the records, in the order of the generated classes. Each part has
//! the place where it was written; the parts of a gradient have the places of the original's.

use torchgen_base::diag::Span;
use torchgen_kit::ir::{EnumRecord, Traits, ValueType};

pub(crate) use super::name::Name;

use super::effects::{Operand, Reuse};
use super::expression::Expression;
use super::records::MethodRecord;
use super::support::Support;
use super::words::{enumeration_path, is_word_of_shapes};

/// All that one run generates.
#[derive(Debug)]
pub(crate) struct Family {
    pub namespace: String,
    pub(crate) serial_prefix: String,
    pub(crate) includes: Vec<String>,
    pub(crate) verification: Vec<String>,
    /// Classes without records, which get kinds.
    pub(crate) declared_nodes: Vec<String>,
    pub(crate) declared_instructions: Vec<String>,
    pub(crate) declared_values: Vec<String>,
    /// The version of graphs that are written.
    pub(crate) version: u32,
    /// The mix-ins that classes can have.
    pub(crate) traits: Traits,
    pub(crate) enums: Vec<EnumRecord>,
    /// Base classes of the user's, instead of the support library.
    pub(crate) support: Option<Support>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) instructions: Vec<Instruction>,
    /// The names of records with errors, which others may name.
    pub(crate) rejected: Vec<String>,
}

impl Family {
    /// Whether the shape of some result is inferred.
    pub(crate) fn infers_shapes(&self) -> bool {
        self.nodes.iter().any(|node| node.results.iter().any(|result| result.shape().is_some()))
    }

    /// Whether an expression of an instruction calls a function for shapes.
    pub(crate) fn instructions_use_shapes(&self) -> bool {
        let calls = |expression: &Expression| expression.calls.iter().any(|call| is_word_of_shapes(call));
        let uses = |instruction: &Instruction| {
            let mut sizes = instruction.scratch.iter().filter_map(|scratch| scratch.size.as_ref());
            let Verify::Rules(rules) = &instruction.verify else { return sizes.any(calls) };
            sizes.any(calls) || rules.iter().any(|rule| matches!(rule, Rule::Check { holds, .. } if calls(holds)))
        };
        self.infers_shapes() && self.instructions.iter().any(uses)
    }

    /// What the classes of nodes, of their modes and of instructions are called, and where their
    /// records are.
    pub(crate) fn classes(&self) -> impl Iterator<Item = (String, Span)> + '_ {
        let nodes = self.nodes.iter().flat_map(|node| {
            let mode = (!node.modes.is_empty()).then(|| node.mode_type());
            [Some(node.class()), mode].into_iter().flatten().map(|class| (class, node.span))
        });
        nodes.chain(self.instructions.iter().map(|instruction| (instruction.class(), instruction.span)))
    }

    /// An enumeration in C++, with the namespaces around it.
    pub(crate) fn enumeration(&self, name: &str) -> String {
        format!("::{}::{}", self.namespace, enumeration_path(name))
    }

    /// The node of that name.
    pub(crate) fn node(&self, name: &str) -> Option<&Node> {
        self.nodes.iter().find(|node| node.name == name)
    }

    /// The instruction of that name.
    pub(crate) fn instruction(&self, name: &str) -> Option<&Instruction> {
        self.instructions.iter().find(|instruction| instruction.name == name)
    }
}

/// A member of a class.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub name: Name,
    /// The type as the schema writes it.
    pub(crate) spelling: String,
    pub ty: ValueType,
    /// The default: as the schema writes it, and as C++ does.
    pub default: Option<(String, String)>,
    pub(crate) setter: bool,
}

/// The verification of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verify {
    /// By these rules.
    Rules(Vec<Rule>),
    /// By a method that the user writes.
    ByHand(Returned),
}

/// What verification by hand returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Returned {
    /// Whether the object is valid.
    Bool,
    /// Nothing.
    Void,
}

impl Returned {
    /// As C++ writes it.
    pub(crate) fn cpp(self) -> &'static str {
        match self {
            Returned::Bool => "bool",
            Returned::Void => "void",
        }
    }
}

/// A rule of verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rule {
    /// All terms have the same of something.
    Same(Property, Vec<Term>),
    /// The element kind of an operand is one of these.
    OneOf(Name, Vec<String>),
    /// The type of an operand satisfies these predicates.
    TypeCheck(Name, Vec<String>),
    /// An expression holds.
    Check { holds: Expression, message: String },
    /// A result has the shape that `infer:` finds.
    Inferred(Name),
    /// A method of the user's.
    Method(String),
}

/// What a rule compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Property {
    Shape,
    Type,
    ElementType,
}

/// What a rule is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Term {
    Operand(Name),
    Element(String),
}

/// What is written by hand instead of generated.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ByHand {
    pub(crate) serialization: bool,
    pub(crate) debug: bool,
    pub(crate) visitor: bool,
    pub(crate) hash: bool,
}

/// A result of a node.
#[derive(Debug, Clone)]
pub(crate) struct NodeResult {
    pub name: Name,
    /// The input whose type it has; an argument of the constructor says its type otherwise.
    pub(crate) same_as: Option<String>,
    /// How a factory method finds its type.
    pub(crate) infer: Option<Infer>,
}

/// The type of an input, maybe with another element kind or shape.
#[derive(Debug, Clone)]
pub(crate) struct Infer {
    /// An input, or a list of inputs, whose first one counts.
    pub(crate) like: String,
    pub element: Option<String>,
    /// The expression of the dimensions.
    pub(crate) shape: Option<Expression>,
}

/// How the gradient of a node comes about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gradient {
    None,
    /// A class is generated.
    Made,
    /// The user writes `getGrad`.
    ByHand,
}

/// A class of nodes.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub name: String,
    pub span: Span,
    pub(crate) doc: String,
    pub inputs: Vec<Operand>,
    pub(crate) variable_inputs: Vec<Operand>,
    pub(crate) results: Vec<NodeResult>,
    pub(crate) variable_results: Vec<Name>,
    pub(crate) members: Vec<Member>,
    pub(crate) modes: Vec<String>,
    /// Two inputs whose order does not matter, by their numbers.
    pub(crate) commutative: Option<(usize, usize)>,
    /// The function of the user's that computes it if all inputs are constants.
    pub(crate) fold: Option<Name>,
    pub(crate) data_parallel: bool,
    pub(crate) side_effects: bool,
    pub(crate) extra_results: bool,
    pub(crate) fused_activation: bool,
    pub(crate) backend_specific: bool,
    pub(crate) by_hand: ByHand,
    pub verify: Verify,
    pub(crate) methods: Vec<MethodRecord>,
    pub(crate) traits: Vec<Name>,
    /// These in C++, as base classes.
    pub(crate) mix_ins: Vec<String>,
    pub(crate) gradient: Gradient,
    /// The node whose gradient it is.
    pub(crate) gradient_of: Option<String>,
}

impl NodeResult {
    /// The expression of its dimensions, if `infer:` has one.
    pub(crate) fn shape(&self) -> Option<&Expression> {
        self.infer.as_ref()?.shape.as_ref()
    }
}

impl Node {
    /// The name of the class.
    pub(crate) fn class(&self) -> String {
        format!("{}Node", self.name)
    }

    /// The enumeration of its modes, which the class calls `Mode`.
    pub(crate) fn mode_type(&self) -> String {
        format!("{}NodeMode", self.name)
    }

    /// Every input, lists last.
    pub(crate) fn all_inputs(&self) -> impl Iterator<Item = &Operand> {
        self.inputs.iter().chain(&self.variable_inputs)
    }

    /// Every input and result that rules may name.
    pub(crate) fn operands(&self) -> impl Iterator<Item = &Name> {
        self.inputs.iter().map(|input| &input.name).chain(self.results.iter().map(|result| &result.name))
    }

    /// Every part of the schema.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Name> {
        let members = self.members.iter().map(|member| &member.name);
        let lists = self.variable_inputs.iter().map(|list| &list.name).chain(&self.variable_results);
        self.operands().chain(lists).chain(members)
    }
}

/// A scratch operand and its size.
#[derive(Debug, Clone)]
pub(crate) struct Scratch {
    pub name: String,
    /// The expression of the size; a member or a method of the user's says it otherwise.
    pub size: Option<Expression>,
    /// Whether a member says the size.
    pub(crate) member: bool,
}

/// A class of instructions.
#[derive(Debug, Clone)]
pub(crate) struct Instruction {
    pub name: String,
    pub span: Span,
    pub(crate) doc: String,
    pub(crate) operands: Vec<Operand>,
    /// Lists of operands.
    pub(crate) variable_operands: Vec<Operand>,
    pub(crate) members: Vec<Member>,
    pub(crate) reuses: Vec<Reuse>,
    pub(crate) scratch: Vec<Scratch>,
    /// The operand or member whose type it has.
    pub ty: Option<String>,
    pub(crate) data_parallel: bool,
    pub(crate) side_effects: bool,
    pub(crate) backend_specific: bool,
    pub(crate) memory: bool,
    pub verify: Verify,
    pub(crate) methods: Vec<MethodRecord>,
    pub(crate) traits: Vec<Name>,
    /// These in C++, as base classes.
    pub(crate) mix_ins: Vec<String>,
    pub(crate) lowering: Option<Lowering>,
    /// The instruction whose gradient it is.
    pub(crate) gradient_of: Option<String>,
}

impl Instruction {
    /// The name of the class.
    pub(crate) fn class(&self) -> String {
        format!("{}Inst", self.name)
    }

    /// Every part of the schema.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Name> {
        let members = self.members.iter().map(|member| &member.name);
        self.operands.iter().chain(&self.variable_operands).map(|operand| &operand.name).chain(members)
    }
}

/// How a node becomes an instruction.
#[derive(Debug, Clone)]
pub(crate) struct Lowering {
    /// The node.
    pub node: Name,
    /// Parts of the instruction and their names in the node.
    pub(crate) rename: Vec<(Name, Name)>,
    pub(crate) drop: Vec<Name>,
    pub(crate) convert: Vec<Name>,
}

impl Lowering {
    /// The name that a part of the instruction has in the node.
    pub(crate) fn node_name<'a>(&'a self, part: &'a str) -> &'a str {
        match self.rename.iter().find(|(own, _)| own.text == part) {
            Some((_, node)) => &node.text,
            None => match part {
                "Src" => "Input",
                "Dest" => "Result",
                other => other,
            },
        }
    }
}
