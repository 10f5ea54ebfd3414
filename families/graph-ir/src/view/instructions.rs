//! The view of the files for instructions.

use serde::Serialize;

use super::{
    COMMENT, Defaults, File, MemberView, MethodView, OperandInfo, VerifyView, joined, mark, member_parameters, methods,
    spelling::Spelling, verify_view,
};
use crate::check::{NodePart, Plan};
use crate::effects::{Operand, OperandKind, Reuse};
use crate::model::{Family, Instruction};
use crate::schema::{escaped, quoted};
use crate::support::Support;
use crate::words::elaborated;
use torchgen_kit::comment::Comment;

/// Everything about instructions.
#[derive(Debug, Serialize)]
pub(crate) struct Instructions {
    #[serde(flatten)]
    file: File,
    /// The header of the base classes, in quotes or angle brackets.
    instr_header: String,
    /// The header of the builder.
    builder_header: String,
    /// Whether the builder is that of the support library.
    own_builder: bool,
    /// Whether an expression calls a function for shapes.
    calls_shapes: bool,
    includes: Vec<String>,
    verification_includes: Vec<String>,
    values: Vec<ValueName>,
    /// In the order of kinds: gradients follow their originals, and what only backends have comes
    /// last.
    instructions_def: Vec<Definition>,
    range: Option<Range>,
    /// In the order of classes: gradients come before their originals.
    instructions: Vec<InstructionView>,
    lowering: Vec<Case>,
}

#[derive(Debug, Serialize)]
struct ValueName {
    class: String,
    lower: String,
}

#[derive(Debug, Serialize)]
struct Definition {
    #[serde(rename = "macro")]
    word: &'static str,
    class: String,
    lower: String,
}

#[derive(Debug, Serialize)]
struct Range {
    first: String,
    last: String,
}

#[derive(Debug, Serialize)]
struct OperandView {
    name: String,
    /// The parameter for it.
    param: String,
    index: usize,
    kind: &'static str,
    setter: bool,
}

#[derive(Debug, Serialize)]
struct Pair {
    to: usize,
    /// The number of the operand; none if it is an element of the list.
    from: Option<usize>,
    list: Option<String>,
}

#[derive(Debug, Serialize)]
struct ScratchView {
    name: String,
    param: String,
    lower: String,
    /// The expression of the size.
    size: Option<String>,
    /// The parts that the expression mentions by name.
    names: Vec<String>,
    mark: &'static str,
    member: bool,
}

#[derive(Debug, Serialize)]
struct InstructionView {
    name: String,
    class: String,
    /// The class where members may hide it.
    typename: String,
    doc: Comment,
    doc_literal: String,
    operands: Vec<OperandView>,
    variable_operands: Vec<OperandView>,
    members: Vec<MemberView>,
    /// The expression of its type.
    #[serde(rename = "type")]
    ty: String,
    parameters: String,
    clone_arguments: String,
    builder_parameters: String,
    builder_parameters_plain: String,
    /// Begins with a comma unless it is empty.
    builder_arguments: String,
    inplace: Vec<Pair>,
    scratch: Vec<ScratchView>,
    side_effects: bool,
    canonical: bool,
    data_parallel: bool,
    memory: bool,
    verify: VerifyView,
    custom_checks: Vec<String>,
    methods: Vec<MethodView>,
    /// The names of its mix-ins, and these as base classes.
    traits: Vec<String>,
    mix_ins: Vec<String>,
    operands_info: Vec<OperandInfo>,
    related: String,
}

#[derive(Debug, Serialize)]
struct Case {
    node_class: String,
    node_typename: String,
    instr_class: String,
    num_inputs: usize,
    num_results: usize,
    num_members: usize,
    inputs: Vec<Link>,
    outputs: Vec<Link>,
    /// Begins with a comma unless it is empty.
    arguments: String,
}

#[derive(Debug, Serialize)]
struct Link {
    operand: String,
    /// The variable that holds it.
    variable: String,
    node: String,
}

/// Makes the view.
pub(crate) fn instructions(
    family: &Family,
    plans: &[(&Instruction, Plan)],
    declared: &[String],
    values: &[String],
) -> Instructions {
    let mut order: Vec<&Instruction> = Vec::new();
    for instruction in family.instructions.iter().filter(|instruction| instruction.gradient_of.is_none()) {
        order.push(instruction);
        let gradient = |other: &&Instruction| other.gradient_of.as_ref() == Some(&instruction.name);
        order.extend(family.instructions.iter().filter(gradient));
    }
    let definition = |instruction: &&Instruction| Definition {
        word: if instruction.backend_specific { "DEF_BACKEND_SPECIFIC_INSTR" } else { "DEF_INSTR" },
        class: instruction.class(),
        lower: instruction.name.to_lowercase(),
    };
    let (specific, common): (Vec<&Instruction>, Vec<&Instruction>) =
        order.into_iter().partition(|instruction| instruction.backend_specific);
    let mut definitions: Vec<Definition> = common.iter().map(definition).collect();
    definitions.extend(declared.iter().map(|name| Definition {
        word: "DEF_INSTR",
        class: format!("{name}Inst"),
        lower: name.to_lowercase(),
    }));
    definitions.extend(specific.iter().map(definition));
    let range = definitions.first().zip(definitions.last());
    let header = |theirs: fn(&Support) -> &String, own: &str| {
        family.support.as_ref().map_or(own, |it| theirs(it).as_str()).to_owned()
    };
    Instructions {
        file: File { namespace: family.namespace.clone(), comment: COMMENT },
        instr_header: header(|support| &support.instructions, "\"IRInstr.h\""),
        builder_header: header(|support| &support.builder, "\"IRSupport.h\""),
        own_builder: family.support.is_none(),
        calls_shapes: family.instructions_use_shapes(),
        includes: family.includes.clone(),
        verification_includes: Vec::new(),
        values: values.iter().map(|name| ValueName { class: name.clone(), lower: name.to_lowercase() }).collect(),
        range: range.map(|(first, last)| Range { first: first.class.clone(), last: last.class.clone() }),
        instructions_def: definitions,
        instructions: family.instructions.iter().map(instruction_view).collect(),
        lowering: plans.iter().map(|(instruction, plan)| case(instruction, plan)).collect(),
    }
}

fn operand_view(index: usize, operand: &Operand, spelling: &Spelling) -> OperandView {
    let name = operand.name.text.clone();
    let param = spelling.of_part(&name);
    OperandView { name, param, index, kind: operand.kind.cpp(), setter: operand.setter }
}

fn instruction_view(instruction: &Instruction) -> InstructionView {
    let (verify, custom_checks) = verify_view(&instruction.verify, "->");
    let spelling = Spelling::of_instruction(instruction);
    let views = |list: &[Operand]| {
        let numbered = list.iter().enumerate();
        numbered.map(|(index, operand)| operand_view(index, operand, &spelling)).collect::<Vec<_>>()
    };
    let exposed = || instruction.operands.iter().filter(|operand| operand.kind != OperandKind::Scratch);
    let operand = |operand: &Operand| format!("Value *{}", spelling.of_part(&operand.name.text));
    let list = |list: &Operand| format!("ArrayRef<Value *> {}", spelling.of_part(&list.name.text));
    let lists = || instruction.variable_operands.iter().map(list);
    let first = || std::iter::once("StringRef name".to_owned());
    let members = |defaults| member_parameters(&instruction.members, |member| spelling.of_part(member), defaults);
    let builder = |defaults| joined(first().chain(exposed().map(operand)).chain(lists()).chain(members(defaults)));
    let names = instruction.operands.iter().chain(&instruction.variable_operands).map(|part| &part.name.text);
    let names = names.chain(instruction.members.iter().map(|member| &member.name.text));
    let getters = instruction.operands.iter().chain(&instruction.variable_operands);
    let getters = getters.map(|operand| format!("get{}()", operand.name.text));
    let fields = instruction.members.iter().map(|member| format!("{}_", member.name.text));
    let infos = instruction.operands.iter().map(|operand| (operand, false));
    let infos = infos.chain(instruction.variable_operands.iter().map(|list| (list, true)));
    InstructionView {
        name: instruction.name.clone(),
        class: instruction.class(),
        typename: elaborated("class", &instruction.class()),
        doc: Comment::new(&instruction.doc),
        doc_literal: escaped(&instruction.doc),
        operands: views(&instruction.operands),
        variable_operands: views(&instruction.variable_operands),
        members: instruction.members.iter().map(|member| MemberView::new(member, &spelling)).collect(),
        ty: type_expression(instruction, &spelling),
        parameters: joined(
            first().chain(instruction.operands.iter().map(operand)).chain(lists()).chain(members(Defaults::Shown)),
        ),
        clone_arguments: joined(std::iter::once("getName()".to_owned()).chain(getters).chain(fields)),
        builder_parameters: builder(Defaults::Shown),
        builder_parameters_plain: builder(Defaults::Hidden),
        builder_arguments: names.map(|name| format!(", {}", spelling.of_part(name))).collect(),
        inplace: instruction.reuses.iter().filter_map(|reuse| pair(instruction, reuse)).collect(),
        scratch: instruction
            .scratch
            .iter()
            .map(|scratch| ScratchView {
                name: scratch.name.clone(),
                param: spelling.of_part(&scratch.name),
                lower: scratch.name.to_lowercase(),
                mark: scratch.size.as_ref().map_or("", |size| mark(&size.text)),
                size: scratch.size.as_ref().map(|size| size.text.clone()),
                names: scratch.size.as_ref().map(|size| size.names.clone()).unwrap_or_default(),
                member: scratch.member,
            })
            .collect(),
        side_effects: instruction.side_effects,
        canonical: !instruction.backend_specific,
        data_parallel: instruction.data_parallel,
        memory: instruction.memory,
        verify,
        custom_checks,
        traits: instruction.traits.iter().map(|name| name.text.clone()).collect(),
        mix_ins: instruction.mix_ins.clone(),
        methods: methods(&instruction.methods, &instruction.class(), &instruction.name),
        operands_info: infos
            .map(|(operand, variable)| OperandInfo {
                name: operand.name.text.clone(),
                kind: operand.kind.cpp(),
                variable,
                scratch: operand.kind == OperandKind::Scratch,
            })
            .collect(),
        related: match (&instruction.gradient_of, &instruction.lowering) {
            (Some(original), _) => quoted(original),
            (None, Some(lowering)) => quoted(&lowering.node.text),
            (None, None) => "nullptr".to_owned(),
        },
    }
}

/// A result that may be written to the memory of an operand, by the numbers of both.
fn pair(instruction: &Instruction, reuse: &Reuse) -> Option<Pair> {
    let index = |name: &str| instruction.operands.iter().position(|operand| operand.name.text == name);
    let to = index(&reuse.result)?;
    Some(match index(&reuse.operand) {
        Some(from) => Pair { to, from: Some(from), list: None },
        None => Pair { to, from: None, list: Some(reuse.operand.clone()) },
    })
}

fn type_expression(instruction: &Instruction, spelling: &Spelling) -> String {
    match &instruction.ty {
        None => "nullptr".to_owned(),
        Some(name) if instruction.members.iter().any(|member| member.name.text == *name) => spelling.of_part(name),
        Some(name) => format!("{}->getType()", spelling.of_part(name)),
    }
}

fn case(instruction: &Instruction, plan: &Plan) -> Case {
    let spelling = Spelling::of_instruction(instruction);
    let variable = |own: &str, is_input: bool| match is_input {
        true => spelling.of_part(own),
        false => format!("{own}__"),
    };
    let link = |part: &NodePart, is_input: bool| Link {
        operand: part.own.clone(),
        variable: variable(&part.own, is_input),
        node: part.node.clone(),
    };
    let mut arguments = String::new();
    for operand in instruction.operands.iter().filter(|operand| operand.kind != OperandKind::Scratch) {
        // An operand that is an input of the node has its value; the others get new memory.
        let is_input = plan.inputs.iter().any(|part| part.own == operand.name.text);
        arguments.push_str(&format!(", {}", variable(&operand.name.text, is_input)));
    }
    for member in &plan.members {
        let value = format!("CN__->get{}()", member.node);
        match &member.convert {
            Some(ty) => arguments.push_str(&format!(", static_cast<{ty}>({value})")),
            None => arguments.push_str(&format!(", {value}")),
        }
    }
    Case {
        node_class: plan.node.class(),
        node_typename: elaborated("class", &plan.node.class()),
        instr_class: instruction.class(),
        num_inputs: plan.node.inputs.len(),
        num_results: plan.node.results.len(),
        num_members: plan.node.members.len(),
        inputs: plan.inputs.iter().map(|part| link(part, true)).collect(),
        outputs: plan.outputs.iter().map(|part| link(part, false)).collect(),
        arguments,
    }
}
