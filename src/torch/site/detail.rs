//! What only the page of an operator has.
//!
//! Invariant: places of formulas are left out, since that of their entry is there: they would be a
//! tenth of all data.

use serde::Serialize;

use super::texts::Texts;
use crate::torch::facts::{Derivatives, Formula, OperatorFacts, TorchThing};
use torchgen_kit::facts::Place;

/// The operators of a file.
#[derive(Debug, Serialize)]
pub(super) struct Chunk<'t> {
    /// The texts that they have by their numbers.
    texts: Texts<'t>,
    operators: Vec<Detail<'t>>,
}

#[derive(Debug, Serialize)]
struct Detail<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    doc: Option<&'t str>,
    /// Role, name, type, alias and default of each argument and result.
    parts: Vec<Vec<usize>>,
    /// The convention of each function, where it is, and its declaration, taken apart at commas.
    signatures: Vec<Vec<usize>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    derivatives: Vec<Derivative>,
    /// Why it has no formula, if formulas are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    without: Option<Without>,
    /// The key, the file and the line of each registration.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    registered: Vec<(usize, usize, usize)>,
    /// The file, and the lines, of each file with code about it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    outputs: Vec<(usize, &'t [usize])>,
}

/// The derivatives for a key.
#[derive(Debug, Serialize)]
struct Derivative {
    key: usize,
    of: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<usize>,
    /// The file and the line of the entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<(usize, usize)>,
    /// What each formula is for, and the formula.
    backward: Vec<(usize, usize)>,
    forward: Vec<(usize, usize)>,
    /// The name and the type of each saved value.
    saved: Vec<(usize, usize)>,
    /// The inputs without a gradient.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    constant: Vec<usize>,
    /// Whether each output is differentiable, if the entry says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    outputs: Option<Vec<bool>>,
}

/// Why an operator has no formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Without {
    /// Those of the operators that it calls are used.
    Composite,
    /// It writes to a given tensor.
    Out,
    /// No entry names it.
    NoEntry,
}

/// The data of some operators. `formulas` says whether formulas are known.
pub(super) fn chunk<'t>(operators: &[(&'t TorchThing, &'t OperatorFacts)], formulas: bool) -> Chunk<'t> {
    let mut texts = Texts::default();
    let operators = operators.iter().map(|(thing, facts)| detail(thing, facts, formulas, &mut texts)).collect();
    Chunk { texts, operators }
}

fn detail<'t>(thing: &'t TorchThing, facts: &'t OperatorFacts, formulas: bool, texts: &mut Texts<'t>) -> Detail<'t> {
    let mut parts = Vec::new();
    for part in &thing.parts {
        let text = |text: &'t Option<String>| text.as_deref().unwrap_or_default();
        parts.push(texts.numbers([&*part.role, text(&part.name), &part.ty, text(&part.alias), text(&part.default)]));
    }
    let mut signatures = Vec::new();
    for own in thing.signatures.iter().filter(|own| !own.absent && own.form != "redispatch") {
        let all = [&*own.convention, own.scope.as_str()].into_iter().chain(own.text.split(", "));
        signatures.push(texts.numbers(all));
    }
    let mut registered = Vec::new();
    for kernel in &facts.dispatch {
        if let Some(Place { file: Some(file), line, .. }) = kernel.registration() {
            registered.push((texts.number(&*kernel.key), texts.number(&**file), *line));
        }
    }
    Detail {
        doc: thing.doc.as_deref(),
        parts,
        signatures,
        derivatives: facts.derivatives.iter().map(|own| derivative(own, thing, texts)).collect(),
        without: formulas.then(|| without(facts)).flatten(),
        registered,
        outputs: thing.outputs.iter().map(|output| (texts.number(&*output.file), &*output.lines)).collect(),
    }
}

fn derivative<'t>(own: &'t Derivatives, thing: &'t TorchThing, texts: &mut Texts<'t>) -> Derivative {
    let saved = own.saved_inputs.iter().chain(&own.saved_outputs);
    Derivative {
        key: texts.number(own.key),
        of: texts.number(&*own.of),
        node: own.node.as_deref().map(|node| texts.number(node)),
        at: own.at.as_ref().map(|at| place(at, thing, texts)),
        saved: saved.map(|saved| (texts.number(&*saved.name), texts.number(&*saved.ty))).collect(),
        backward: formulas(&own.backward, texts),
        forward: formulas(&own.forward, texts),
        constant: texts.numbers(own.non_differentiable.iter().map(String::as_str)),
        outputs: own.output_differentiability.clone(),
    }
}

/// What each formula is for, and the formula.
pub(super) fn formulas<'t>(all: &'t [Formula], texts: &mut Texts<'t>) -> Vec<(usize, usize)> {
    all.iter().map(|own| (texts.number(own.of.join(", ")), texts.number(&*own.formula))).collect()
}

/// The file of a place among the facts of a thing, and the line.
pub(super) fn place<'t>(place: &'t Place, thing: &'t TorchThing, texts: &mut Texts<'t>) -> (usize, usize) {
    let file = place.file.as_ref().or_else(|| thing.at.as_ref()?.file.as_ref());
    (texts.number(file.map_or("", String::as_str)), place.line)
}

fn without(facts: &OperatorFacts) -> Option<Without> {
    match () {
        () if !facts.derivatives.is_empty() || facts.autograd_kernel => None,
        () if facts.composite.implicit_autograd => Some(Without::Composite),
        () if facts.schema_kind == "out" => Some(Without::Out),
        () => Some(Without::NoEntry),
    }
}
