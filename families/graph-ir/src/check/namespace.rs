//! Checks the names that a family declares in its namespace: classes, enumerations, enumerators.
//!
//! Invariant: if there is no error, none of them is declared twice, and none is a name that the
//! generated code or the support library declares in the namespace too.

use std::collections::HashMap;

use crate::codes;
use crate::model::Family;
use crate::words::{is_apart, is_declared, reserved};
use torchgen_base::diag::{Diagnostic, Diagnostics, Span};
use torchgen_base::yaml::Text;

/// Classes of records that the support library mentions in the namespace.
const SUPPORT_CLASSES: [&str; 3] = ["AllocActivationInst", "FusionGroupInst", "SaveNode"];

/// What the classes of a family are called, and where their records are.
type Classes = HashMap<String, Span>;

/// Checks the names of classes and of enumerations.
pub(super) fn check_class_names(family: &Family, diagnostics: &mut Diagnostics) {
    let classes = classes(family, diagnostics);
    let first_of_namespace = family.namespace.split("::").next().unwrap_or_default();
    for record in &family.enums {
        let name = &record.name;
        let hides_namespace = name.as_str() == first_of_namespace || name.as_str() == "std";
        if hides_namespace {
            let message = format!("the enumeration `{name}` would hide the namespace `{name}`");
            let error = Diagnostic::new(&codes::IR_DUPLICATE, message).at(name.span());
            diagnostics.push(error.help("choose another name"));
        } else {
            declared(name, &classes, diagnostics);
        }
        for value in &record.values {
            report_reserved(value, diagnostics);
            if !record.scoped && value.as_str() == name.as_str() {
                let message = format!("`{value}` is the name of its enumeration too");
                let error = Diagnostic::new(&codes::IR_DUPLICATE, message).at(value.span());
                let help = "choose another name, or write `scoped: true` in the enumeration";
                diagnostics.push(error.also(name.span(), "the enumeration").help(help));
            }
        }
    }
}

/// The classes of nodes and instructions; those whose names are taken are reported.
fn classes(family: &Family, diagnostics: &mut Diagnostics) -> Classes {
    let mut classes = Classes::new();
    for (class, span) in family.classes() {
        if is_declared(&class) && !SUPPORT_CLASSES.contains(&class.as_str()) {
            let message = format!("the class would be called `{class}`, which is a name of the generated code");
            let error = Diagnostic::new(&codes::IR_RESERVED_WORD, message).at(span);
            diagnostics.push(error.help("choose another name"));
        }
        if Some(class.as_str()) == family.namespace.split("::").next() {
            let message = format!("the class `{class}` would hide the namespace `{class}`");
            diagnostics.push(Diagnostic::new(&codes::IR_DUPLICATE, message).at(span).help("choose another name"));
        }
        classes.insert(class, span);
    }
    classes
}

fn declared(name: &Text, classes: &Classes, diagnostics: &mut Diagnostics) {
    if let Some(class) = classes.get(name.as_str()) {
        let message = format!("the enumeration `{name}` has the name of a class");
        let error = Diagnostic::new(&codes::IR_DUPLICATE, message).at(name.span());
        diagnostics.push(error.also(*class, "the record of the class").help("choose another name"));
    } else if is_declared(name.as_str()) && !is_apart(name.as_str()) {
        let message = format!("the generated code declares `{name}` itself");
        let error = Diagnostic::new(&codes::IR_RESERVED_WORD, message).at(name.span());
        diagnostics.push(error.help("choose another name"));
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
