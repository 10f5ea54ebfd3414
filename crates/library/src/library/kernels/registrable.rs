//! How functions can be registered as operators, as far as their text shows it.
//!
//! Invariant: only a command that registers functions asks, since it costs another look at each
//! body. Reading the sources of kernels does not.

use super::body::{Checks, Function, Mutates, Named, Outcome, known, outcome, results, returned};
use super::sources::KernelSources;
use torchgen_base::diag::Sources;

/// What the text of a function shows.
#[derive(Default)]
pub struct Registrable {
    /// For each parameter, whether it mutates it.
    pub mutates: Vec<Mutates>,
    /// How many tensors the list has that it returns.
    pub results: Option<usize>,
    /// The parameters that it returns, or views of them; and the method that may have copied one
    /// before.
    pub returned: Vec<(usize, Option<&'static str>)>,
    /// The device that it checks its arguments to be on: `CPU` or `CUDA`.
    pub device: Option<&'static str>,
    /// The class of an autograd function that it applies.
    pub applied: Option<String>,
}

impl KernelSources {
    /// For each definition, what its text shows. `texts` has the sources.
    pub fn registrable(&self, texts: &Sources) -> Vec<Registrable> {
        let mut checks = Checks::default();
        self.files.iter().for_each(|file| checks.add(texts.text(*file)));
        let functions: Vec<Function> =
            self.definitions.iter().map(|one| Function::new(one.file, &one.definition)).collect();
        let declared: Vec<Function> =
            self.declarations.iter().map(|one| Function::new(one.file, &one.definition)).collect();
        let effects: Vec<_> = self.definitions.iter().map(|one| &one.effects).collect();
        let outcomes: Vec<Outcome> =
            self.definitions.iter().map(|one| outcome(texts.text(one.file), &one.definition)).collect();
        let named = Named::new(&functions, &self.devices);
        let mutates = known(&named, &Named::new(&declared, &self.devices), &effects);
        let results = results(&named, &outcomes);
        let returned = returned(&named, &outcomes, &effects);
        let device = |at: usize| {
            let one = &self.definitions[at];
            checks.device(texts.text(one.file).get(one.definition.body.clone()).unwrap_or_default())
        };
        let facts = mutates.into_iter().zip(results).zip(returned).zip(outcomes).enumerate();
        let all = facts.map(|(at, (((mutates, results), returned), outcome))| Registrable {
            mutates,
            results,
            returned,
            device: device(at),
            applied: outcome.applied,
        });
        all.collect()
    }
}
