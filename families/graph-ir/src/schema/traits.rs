//! Mix-ins of classes.
//!
//! Invariant: a record has each mix-in once, and each is declared.

use crate::codes;
use crate::model::{Family, Name, Trait};
use crate::records::TraitRecord;
use torchgen_base::diag::{Diagnostic, Diagnostics, did_you_mean};
use torchgen_kit::header::included;

/// Adds the mix-ins of a file.
pub(super) fn declare(records: Vec<TraitRecord>, family: &mut Family, diagnostics: &mut Diagnostics) {
    for record in records {
        if let Some(first) = family.traits.iter().find(|one| one.name.text == record.name.as_str()) {
            let message = format!("the trait `{}` is declared already", record.name);
            let error = Diagnostic::new(&codes::IR_DUPLICATE, message).at(record.name.span());
            diagnostics.push(error.also(first.name.span, "first here").help("delete one of them"));
            continue;
        }
        let header = record.include.and_then(|header| included(&header, diagnostics));
        family.includes.extend(header.filter(|header| !family.includes.contains(header)));
        let cpp = record.cpp.map_or_else(|| record.name.to_string(), |cpp| cpp.into_string());
        let doc = record.doc.map(|doc| doc.into_string()).unwrap_or_default();
        family.traits.push(Trait { name: Name::new(record.name.as_str(), record.name.span()), cpp, doc });
    }
}

/// Finds the mix-ins of each class, and reports what is not declared or named twice.
pub(super) fn resolve_all(family: &mut Family, diagnostics: &mut Diagnostics) {
    let mut mix_ins = |traits: &[Name], class: &str| -> Vec<String> {
        let known = &family.traits;
        check(traits, known, diagnostics);
        let found = |name: &Name| known.iter().find(|one| one.name.text == name.text);
        traits.iter().filter_map(found).map(|one| format!("{}<{class}>", one.cpp)).collect()
    };
    for node in &mut family.nodes {
        node.mix_ins = mix_ins(&node.traits, &node.class());
    }
    for instruction in &mut family.instructions {
        instruction.mix_ins = mix_ins(&instruction.traits, &instruction.class());
    }
}

fn check(traits: &[Name], known: &[Trait], diagnostics: &mut Diagnostics) {
    for (at, name) in traits.iter().enumerate() {
        if let Some(first) = traits[..at].iter().find(|other| other.text == name.text) {
            let error = Diagnostic::new(&codes::IR_DUPLICATE, format!("`{}` is listed twice", name.text));
            diagnostics.push(error.at(name.span).also(first.span, "first here").help("delete one of them"));
        } else if !known.iter().any(|one| one.name.text == name.text) {
            diagnostics.push(unknown(name, known));
        }
    }
}

fn unknown(name: &Name, known: &[Trait]) -> Diagnostic {
    let known = known.iter().map(|one| one.name.text.as_str());
    let help = did_you_mean(&name.text, known);
    let help = help.unwrap_or_else(|| format!("declare it: `traits: {{{}: {{doc: …}}}}`", name.text).into());
    Diagnostic::new(&codes::IR_UNKNOWN_PART, format!("there is no trait `{}`", name.text)).at(name.span).help(help)
}
