//! Checks the names that a family declares in its namespace: classes, enumerations, enumerators.
//!
//! Invariant: if there is no error, none of them is declared twice, and none is a word that the
//! generated code or the support library uses for something else.

use std::collections::HashMap;

use crate::codes;
use crate::model::Family;
use crate::words::{is_generated, reserved};
use torchgen_base::diag::{Diagnostic, Diagnostics, Span};
use torchgen_base::yaml::Text;

/// Classes that the support library uses by their names.
const SUPPORT_CLASSES: [&str; 12] = [
    "AddNode",
    "AllocActivationInst",
    "ConstantNode",
    "CopyInst",
    "DeallocActivationInst",
    "FusionGroupInst",
    "PlaceholderNode",
    "SGDNode",
    "SaveNode",
    "SplatNode",
    "StorageNode",
    "WeightVarInst",
];

/// What the classes of a family are called, and where their records are.
type Classes = HashMap<String, Span>;

/// Checks the names of classes and of enumerations.
pub(super) fn check_class_names(family: &Family, diagnostics: &mut Diagnostics) {
    let classes = classes(family, diagnostics);
    let first_of_namespace = family.namespace.split("::").next().unwrap_or_default();
    let mut enumerations: HashMap<&str, Span> = HashMap::new();
    for record in &family.enums {
        enumerations.insert(record.name.as_str(), record.name.span());
    }
    for record in &family.enums {
        let name = &record.name;
        let hides_namespace = name.as_str() == first_of_namespace || name.as_str() == "std";
        if hides_namespace {
            let message = format!("the enumeration `{name}` would hide the namespace `{name}`");
            let error = Diagnostic::new(&codes::IR_DUPLICATE, message).at(name.span());
            diagnostics.push(error.help("choose another name"));
        } else {
            declared("enumeration", name, "choose another name", &classes, diagnostics);
        }
        for value in &record.values {
            if record.scoped {
                report_reserved(value, diagnostics);
                continue;
            }
            let help = "choose another name, or write `scoped: true` in the enumeration";
            match enumerations.get(value.as_str()) {
                Some(first) => {
                    let message = format!("`{value}` is the name of an enumeration too");
                    let error = Diagnostic::new(&codes::IR_DUPLICATE, message).at(value.span());
                    diagnostics.push(error.also(*first, "the enumeration").help(help));
                }
                None => declared("enumerator", value, help, &classes, diagnostics),
            }
        }
    }
}

/// The classes of nodes and instructions; those whose names are taken are reported.
fn classes(family: &Family, diagnostics: &mut Diagnostics) -> Classes {
    let mut classes = Classes::new();
    let nodes = family.nodes.iter().flat_map(|node| {
        let mode = (!node.modes.is_empty()).then(|| node.mode_type());
        [Some(node.class()), mode].into_iter().flatten().map(|class| (class, node.span))
    });
    let instructions = family.instructions.iter().map(|instruction| (instruction.class(), instruction.span));
    for (class, span) in nodes.chain(instructions) {
        if is_generated(&class) && !SUPPORT_CLASSES.contains(&class.as_str()) {
            let message = format!("the class would be called `{class}`, which the generated code uses itself");
            let error = Diagnostic::new(&codes::IR_RESERVED_WORD, message).at(span);
            diagnostics.push(error.help("choose another name"));
        }
        classes.insert(class, span);
    }
    classes
}

fn declared(what: &str, name: &Text, help: &str, classes: &Classes, diagnostics: &mut Diagnostics) {
    if let Some(class) = classes.get(name.as_str()) {
        let message = format!("the {what} `{name}` has the name of a class");
        let error = Diagnostic::new(&codes::IR_DUPLICATE, message).at(name.span());
        diagnostics.push(error.also(*class, "the record of the class").help(help));
    } else if is_generated(name.as_str()) {
        let message = format!("the generated code uses `{name}` itself");
        diagnostics.push(Diagnostic::new(&codes::IR_RESERVED_WORD, message).at(name.span()).help(help));
    } else {
        report_reserved(name, diagnostics);
    }
}

/// Keywords were reported when the file was read.
fn report_reserved(name: &Text, diagnostics: &mut Diagnostics) {
    let known = torchgen_base::lang::cpp::is_keyword(name.as_str());
    if let Some(why) = reserved(name.as_str()).filter(|_| !known) {
        let error = Diagnostic::new(&codes::IR_RESERVED_WORD, format!("`{name}` {why}")).at(name.span());
        diagnostics.push(error.help("choose another name"));
    }
}
