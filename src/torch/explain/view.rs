//! What `explain` shows of an operator as text.
//!
//! Invariant: a view of the facts, which `--json` prints.

use serde::Serialize;

use crate::torch::facts::{Derivatives, Formula, Kernel, OperatorFacts, Origin, TorchThing};
use torchgen_kit::facts::{Output, Place};

/// An operator, for the template.
#[derive(Debug, Serialize)]
pub(in crate::torch) struct Explanation {
    name: String,
    schema: String,
    at: String,
    generated: bool,
    kind: &'static str,
    variants: Vec<&'static str>,
    tags: Vec<String>,
    doc: Option<String>,
    when: Option<String>,
    /// The batching rule.
    vmap: Option<String>,
    /// The lines of its dimensions.
    dims: Vec<String>,
    flops: Option<String>,
    /// Compiled models call it by a C function.
    aoti: bool,
    /// The operator of ONNX.
    onnx: Option<String>,
    /// `yes`, or the operator that it delegates to.
    structured: Option<String>,
    /// The other variants of the operator.
    group: Vec<Member>,
    kernels: Vec<KernelText>,
    derivatives: Vec<DerivativesText>,
    signatures: Vec<SignatureText>,
    outputs: Vec<Output>,
}

#[derive(Debug, Serialize)]
struct Member {
    name: String,
    kind: &'static str,
    at: String,
}

#[derive(Debug, Serialize)]
struct KernelText {
    key: String,
    function: String,
    /// Where it is named, or why it exists.
    from: String,
    when: Option<String>,
}

#[derive(Debug, Serialize)]
struct DerivativesText {
    key: &'static str,
    at: String,
    of: String,
    node: Option<String>,
    backward: Vec<FormulaText>,
    forward: Vec<FormulaText>,
    /// Whether they hold for complex tensors, if the entry says so.
    complex_gradients: Option<bool>,
}

/// A formula, and what it is for.
#[derive(Debug, Serialize)]
pub(super) struct FormulaText {
    pub(super) of: String,
    pub(super) formula: String,
}

#[derive(Debug, Serialize)]
struct SignatureText {
    api: String,
    text: String,
}

impl Explanation {
    /// The view of an operator among all things; `None` of a group.
    pub(in crate::torch) fn of_thing(thing: &TorchThing, all: &[TorchThing]) -> Option<Explanation> {
        let facts = thing.facts.of_operator()?;
        let structured = match &facts.structured_delegate {
            Some(delegate) => Some(delegate.clone()),
            None => facts.structured.then(|| "yes".to_owned()),
        };
        Some(Explanation {
            name: thing.name.clone(),
            schema: thing.schema.clone().unwrap_or_default(),
            at: at(thing.at.as_ref(), thing),
            generated: facts.generated,
            kind: kind(facts),
            variants: facts.variants.clone(),
            tags: facts.tags.clone(),
            doc: thing.doc.clone(),
            when: facts.when.clone(),
            vmap: facts.vmap.clone(),
            dims: facts.dims.clone(),
            flops: facts.flops.clone(),
            aoti: facts.aoti.is_some(),
            onnx: facts.onnx.clone(),
            structured,
            group: members(thing, all),
            kernels: facts.dispatch.iter().map(|own| kernel(own, thing)).collect(),
            derivatives: facts.derivatives.iter().map(|own| derivatives(own, thing)).collect(),
            signatures: signatures(thing),
            outputs: thing.outputs.clone(),
        })
    }
}

/// A place in the facts of a thing.
pub(in crate::torch) fn at(place: Option<&Place>, thing: &TorchThing) -> String {
    let Some(Place { file, line, .. }) = place else { return String::new() };
    let file = file.as_ref().or_else(|| thing.at.as_ref()?.file.as_ref());
    format!("{}:{line}", file.map_or("", String::as_str))
}

fn kind(facts: &OperatorFacts) -> &'static str {
    if facts.schema_kind == "out" { "out=" } else { facts.schema_kind }
}

/// Whether a thing is in the group of another one.
pub(super) fn is_of_group(one: &TorchThing, other: &TorchThing) -> bool {
    let group = other.related("group").next();
    group.is_some() && one.related("group").next() == group
}

fn members(thing: &TorchThing, all: &[TorchThing]) -> Vec<Member> {
    let own = all.iter().filter(|other| other.name != thing.name && is_of_group(other, thing));
    let mut found: Vec<Member> = Vec::new();
    for role in ["functional", "out", "inplace", "mutable"] {
        for other in own.clone() {
            let Some(facts) = other.facts.of_operator() else { continue };
            if facts.schema_kind == role {
                found.push(Member { name: other.name.clone(), kind: kind(facts), at: at(other.at.as_ref(), other) });
            }
        }
    }
    found
}

fn kernel(kernel: &Kernel, thing: &TorchThing) -> KernelText {
    let place = at(kernel.at.as_ref(), thing);
    let from = match kernel.origin {
        Origin::Dispatch => place,
        Origin::Default => "the default without `dispatch:`".to_owned(),
        Origin::UfuncInnerLoop => "made of `ufunc_inner_loop:`".to_owned(),
        Origin::Generated => "generated".to_owned(),
        Origin::Backend => "the backend's".to_owned(),
        Origin::Registered => format!("generated, {place}"),
    };
    let from = match &kernel.through {
        Some(through) => format!("{from}, through {through}"),
        None => from,
    };
    KernelText { key: kernel.key.clone(), function: kernel.function.clone(), from, when: kernel.when.clone() }
}

pub(super) fn formula_text(formula: &Formula) -> FormulaText {
    FormulaText { of: formula.of.join(", "), formula: formula.formula.clone() }
}

fn derivatives(derivatives: &Derivatives, thing: &TorchThing) -> DerivativesText {
    DerivativesText {
        key: derivatives.key,
        at: at(derivatives.at.as_ref(), thing),
        of: derivatives.of.clone(),
        node: derivatives.node.clone(),
        backward: derivatives.backward.iter().map(formula_text).collect(),
        forward: derivatives.forward.iter().map(formula_text).collect(),
        complex_gradients: derivatives.complex_gradients,
    }
}

/// The functions that users, and authors of plain kernels, call and write.
fn signatures(thing: &TorchThing) -> Vec<SignatureText> {
    let mut all: Vec<SignatureText> = Vec::new();
    for signature in
        thing.signatures.iter().filter(|signature| signature.convention != "structured" && !signature.absent)
    {
        let api = match (signature.convention.as_ref(), signature.form.as_ref()) {
            ("python", "method") => "Python, method".to_owned(),
            ("python", "module") => format!("Python, {}", signature.scope),
            ("python", _) => "Python".to_owned(),
            _ => signature.scope.clone(),
        };
        if !all.iter().any(|known| known.api == api && known.text == signature.text) {
            all.push(SignatureText { api, text: signature.text.clone() });
        }
    }
    all
}
