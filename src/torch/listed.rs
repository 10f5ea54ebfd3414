//! `torchgen-rs list operators` on PyTorch's operators or on a library: each with its kernels and
//! its gradients.
//!
//! Invariant: operators are in the order of the files, and an error in one hides none of the
//! others.

use std::path::Path;

use serde::Serialize;

use super::explain::known_things;
use super::facts::input::{self, Input, Wanted};
use super::facts::{OperatorFacts, Origin, TorchThing};
use torchgen_kit::driver::{JobError, Session};

/// The operators, for the template.
#[derive(Debug, Serialize)]
struct Listing {
    operators: Vec<Listed>,
}

/// An operator.
#[derive(Debug, Serialize)]
struct Listed {
    schema: String,
    generated: bool,
    /// The keys of its kernels, each with the function.
    kernels: Vec<String>,
    /// Its only kernel is the one that an entry without `dispatch:` has.
    by_default: bool,
    /// The inputs with a formula.
    gradients: Vec<String>,
    at: String,
}

/// The text about the operators of a source, or of this directory.
///
/// # Errors
/// A file cannot be read. Errors in files are diagnostics.
pub(super) fn list(source: Option<&Path>, session: &mut Session) -> Result<String, JobError> {
    let wanted = Wanted {
        source: Some(source.unwrap_or(Path::new("."))),
        layout: None,
        autograd_dir: None,
        torch: None,
        backend: None,
        lazy: false,
        without_keys: &input::ALL_KEYS,
    };
    let layout = input::settle(&wanted, session)?;
    let tables = session.tables.clone();
    let input = Input::read_operators(&wanted, layout, &tables, session)?.without_signatures();
    let things = known_things(&input, |_| true, session)?;
    let listing = Listing { operators: things.iter().filter_map(listed).collect() };
    session.renderer("torch", &[])?.fragment("torch/explain/operators.j2", &listing).map_err(Into::into)
}

/// The row of an operator; none of a group.
fn listed(thing: &TorchThing) -> Option<Listed> {
    let facts = thing.facts.of_operator()?;
    let at = thing.at.as_ref().map(|at| format!("{}:{}", at.file.as_deref().unwrap_or_default(), at.line));
    Some(Listed {
        schema: format!("{}::{}", facts.namespace, thing.schema.as_deref().unwrap_or_default()),
        generated: facts.generated,
        kernels: facts.dispatch.iter().map(|kernel| format!("{}: {}", kernel.key, kernel.function)).collect(),
        by_default: facts.dispatch.iter().any(|kernel| kernel.origin == Origin::Default),
        gradients: gradients(facts),
        at: at.unwrap_or_default(),
    })
}

/// The inputs with a formula for gradients.
fn gradients(facts: &OperatorFacts) -> Vec<String> {
    let formulas = facts.derivatives.iter().flat_map(|derivatives| &derivatives.backward);
    let mut inputs: Vec<String> = formulas.flat_map(|formula| formula.of.iter().cloned()).collect();
    inputs.dedup();
    inputs
}
