//! Checks names: classes, and the parts of a class, have different names, and none is reserved by
//! C++ or by the generated code.

use std::collections::HashMap;

use crate::diag::{Diagnostic, Diagnostics, Span};
use crate::families::graph_ir::codes;
use crate::families::graph_ir::model::{Family, Instruction, Name};
use crate::lang::cpp::is_keyword;

/// What getters of every node are called behind `get`.
const NODE_GETTERS: [&str; 19] = [
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
    "Predicate",
    "Type",
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
/// What generated methods call their own parameters.
const OWN_PARAMETERS: [&str; 4] = ["idx", "mode", "name", "visitor"];

/// Checks the names of all records and their parts.
pub(crate) fn check(family: &Family, diagnostics: &mut Diagnostics) {
    let mut nodes: HashMap<String, Span> = HashMap::new();
    for node in &family.nodes {
        record("node", &node.name, node.span, &mut nodes, &family.declared_nodes, diagnostics);
        let sizes = node.variable_results.iter().map(|name| format!("{}Size", name.text));
        let mode = node.modes.first().map(|_| "Mode".to_owned());
        parts(node.parts(), sizes.chain(mode), &NODE_GETTERS, diagnostics);
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
        // A member may say the size of a scratch operand; that is the one getter that may come
        // twice.
        parts(instruction.parts(), std::iter::empty(), &INSTRUCTION_GETTERS, diagnostics);
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
    reserved(name, span, diagnostics);
}

fn reserved(name: &str, span: Span, diagnostics: &mut Diagnostics) {
    if is_keyword(name) {
        let message = format!("`{name}` is a keyword of C++");
        let error = Diagnostic::new(&codes::IR_RESERVED_WORD, message).at(span);
        diagnostics.push(error.help(format!("write `{}`, or append an underscore", capitalised(name))));
    }
}

fn capitalised(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect()
}

fn parts<'a>(
    names: impl Iterator<Item = &'a Name>,
    getters: impl Iterator<Item = String>,
    own: &[&str],
    diagnostics: &mut Diagnostics,
) {
    let mut seen: HashMap<String, Span> = HashMap::new();
    for name in names {
        if let Some(first) = seen.insert(name.text.clone(), name.span) {
            let message = format!("`{}` is there already", name.text);
            let error = Diagnostic::new(&codes::IR_DUPLICATE_PART, message).at(name.span);
            diagnostics.push(error.also(first, "first here").help("each part has a name and a getter of its own"));
            continue;
        }
        reserved(&name.text, name.span, diagnostics);
        let message = match name.text.as_str() {
            text if own.contains(&text) => Some(format!("every class has a `get{text}` of its own")),
            text if OWN_PARAMETERS.contains(&text) => Some(format!("generated methods use `{text}` themselves")),
            _ => None,
        };
        if let Some(message) = message {
            let error = Diagnostic::new(&codes::IR_RESERVED_WORD, message).at(name.span);
            diagnostics.push(error.help("choose another name"));
        }
    }
    for getter in getters {
        if let Some(span) = seen.get(&getter) {
            let message = format!("two parts have the getter `get{getter}`");
            let error = Diagnostic::new(&codes::IR_DUPLICATE_PART, message).at(*span);
            let help = match getter.as_str() {
                "Mode" => "modes have a getter; choose another name",
                _ => "a list of results has a getter of its size; choose another name",
            };
            diagnostics.push(error.help(help));
        }
    }
}
