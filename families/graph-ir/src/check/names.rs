//! Checks the names of records and of their parts: they differ, C++ can write them, and the class
//! of a record declares nothing twice.

use std::collections::HashMap;

use crate::codes;
use crate::model::{Family, Gradient, Instruction, Name, Node};
use crate::view::unqualified;
use crate::words::reserved;
use torchgen_base::diag::{Diagnostic, Diagnostics, Span};

use super::members::{instruction_members, node_members};

/// What getters of every node are called behind `get`.
const NODE_GETTERS: [&str; 22] = [
    "ClassInfo",
    "DebugDesc",
    "ElementType",
    "Hash",
    "InputName",
    "Kind",
    "KindName",
    "MemberText",
    "Name",
    "NthInput",
    "NthResult",
    "NumInputs",
    "NumResults",
    "NumUsers",
    "OutputName",
    "Parent",
    "ParentFusionGroup",
    "Predicate",
    "TotMemSize",
    "Type",
    "TypeUnsafe",
    "Users",
];
/// What getters of every instruction are called behind `get`.
const INSTRUCTION_GETTERS: [&str; 15] = [
    "ClassInfo",
    "ElementType",
    "Hash",
    "Kind",
    "KindName",
    "MemberText",
    "Name",
    "NumFixedOperands",
    "NumOperands",
    "Operand",
    "OperandName",
    "Parent",
    "Predicate",
    "Type",
    "Users",
];

/// Checks the names of all records and their parts.
pub(super) fn check_names(family: &Family, diagnostics: &mut Diagnostics) {
    let mut nodes: HashMap<String, Span> = HashMap::new();
    for node in &family.nodes {
        record("node", &node.name, node.span, &mut nodes, &family.declared_nodes, diagnostics);
        let gradient = (node.gradient != Gradient::None).then_some("Grad");
        let own: Vec<&str> = NODE_GETTERS.into_iter().chain(gradient).collect();
        parts(node.parts(), &own, diagnostics);
        twice(&node_members(node), diagnostics);
        shapes(node, diagnostics);
    }
    let mut instructions: HashMap<String, Span> = HashMap::new();
    let mut printed: HashMap<String, &Instruction> = HashMap::new();
    for instruction in &family.instructions {
        let declared = &family.declared_instructions;
        record("instruction", &instruction.name, instruction.span, &mut instructions, declared, diagnostics);
        let other = printed.insert(instruction.name.to_lowercase(), instruction);
        if let Some(other) = other.filter(|other| other.name != instruction.name) {
            let message =
                format!("`{}` and `{}` have the same printed form, in lower case", other.name, instruction.name);
            let error = Diagnostic::new(&codes::IR_DUPLICATE, message).at(instruction.span);
            diagnostics.push(error.also(other.span, "first here").help("rename one of them"));
        }
        parts(instruction.parts(), &INSTRUCTION_GETTERS, diagnostics);
        twice(&instruction_members(instruction), diagnostics);
    }
}

fn record(
    what: &str,
    name: &str,
    span: Span,
    seen: &mut HashMap<String, Span>,
    declared: &[String],
    diagnostics: &mut Diagnostics,
) {
    if let Some(first) = seen.insert(name.to_owned(), span) {
        let message = format!("there is another {what} `{name}`");
        let error = Diagnostic::new(&codes::IR_DUPLICATE, message).at(span);
        diagnostics.push(error.also(first, "first here").help("rename one of them"));
    } else if declared.iter().any(|declared| declared == name) {
        let message = format!("the {what} `{name}` is under `declare:`, which is for classes without records");
        diagnostics.push(Diagnostic::new(&codes::IR_DUPLICATE, message).at(span).help("remove it there"));
    }
    // Lists of classes have the name, those of instructions in lower case.
    let lower = name.to_lowercase();
    let written = [name, &lower].into_iter().take(if what == "node" { 1 } else { 2 });
    if let Some((word, why)) = written.filter_map(|word| Some((word, reserved(word)?))).next() {
        let error = Diagnostic::new(&codes::IR_RESERVED_WORD, format!("`{word}` {why}")).at(span);
        diagnostics.push(error.help(if word == name { instead(word) } else { "choose another name".to_owned() }));
    }
}

fn instead(name: &str) -> String {
    let mut chars = name.chars();
    let capitalised: String = chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect();
    match reserved(&capitalised) {
        None => format!("write `{capitalised}`, or append an underscore"),
        Some(_) => "choose another name".to_owned(),
    }
}

fn parts<'a>(names: impl Iterator<Item = &'a Name>, own: &[&str], diagnostics: &mut Diagnostics) {
    let mut seen: HashMap<&str, Span> = HashMap::new();
    for name in names {
        if let Some(first) = seen.insert(&name.text, name.span) {
            let message = format!("`{}` is there already", name.text);
            let error = Diagnostic::new(&codes::IR_DUPLICATE_PART, message).at(name.span);
            diagnostics.push(error.also(first, "first here").help("each part has a name and a getter of its own"));
            continue;
        }
        let text = name.text.as_str();
        let error = |message: String| Diagnostic::new(&codes::IR_RESERVED_WORD, message).at(name.span);
        if let Some(why) = reserved(text) {
            diagnostics.push(error(format!("`{text}` {why}")).help(instead(text)));
        } else if own.contains(&text) {
            let get = if text == "TypeUnsafe" { "set" } else { "get" };
            let message = format!("every class has a `{get}{text}` of its own");
            diagnostics.push(error(message).help("choose another name"));
        }
    }
}

/// Reports a part that becomes a member of the class which another part becomes too.
fn twice(members: &[(String, Name, &str)], diagnostics: &mut Diagnostics) {
    let mut seen: HashMap<&str, &Name> = HashMap::new();
    let mut reported: Vec<(&str, &str)> = Vec::new();
    for (member, part, help) in members {
        let Some(first) = seen.insert(member, part) else { continue };
        // Two parts of one name are reported as such, and two others once.
        if first.text == part.text || reported.contains(&(&first.text, &part.text)) {
            continue;
        }
        reported.push((&first.text, &part.text));
        let what = if member.starts_with("get") { "have the getter" } else { "become" };
        let message = format!("two parts {what} `{member}`");
        let error = Diagnostic::new(&codes::IR_DUPLICATE_PART, message).at(first.span);
        diagnostics.push(error.also(part.span, "the other one").help(*help));
    }
}

/// Reports parts that `shape:` sees as parameters, and that hide the types of the others.
fn shapes(node: &Node, diagnostics: &mut Diagnostics) {
    if !node.results.iter().any(|result| result.shape().is_some()) {
        return;
    }
    let types = node.members.iter().flat_map(|member| unqualified(&member.ty.argument));
    let types: Vec<String> = types.chain(["NodeValue".to_owned()]).collect();
    let inputs = node.all_inputs().map(|input| &input.name);
    for name in inputs.chain(node.members.iter().map(|member| &member.name)) {
        if types.contains(&name.text) {
            let message = format!("`{}` is the type of a parameter of `shape:` too", name.text);
            let error = Diagnostic::new(&codes::IR_RESERVED_WORD, message).at(name.span);
            diagnostics.push(error.help("choose another name"));
        }
    }
}
