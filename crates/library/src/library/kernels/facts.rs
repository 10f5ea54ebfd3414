//! What kernels do, as `torchgen-rs kernels --json` prints it.

use serde::Serialize;

use super::body::{Does, Effect, name};
use super::matching::Comparison;
use super::sources::{KernelSources, LocatedDefinition};
use super::wanted::WantedKernel;
use torchgen_base::diag::{FileId, Sources, Span};

/// The kernels of a library that were found.
#[derive(Serialize)]
pub(crate) struct Facts {
    kernels: Vec<KernelFacts>,
}

/// A kernel: a function at a place.
#[derive(Serialize)]
struct KernelFacts {
    /// The operator's name with its namespace.
    operator: String,
    /// The function's name with its namespaces.
    kernel: String,
    /// The dispatch keys that it is for.
    keys: Vec<&'static str>,
    #[serde(flatten)]
    place: Place,
    /// The arguments that it mutates.
    writes: Vec<EffectFacts>,
    /// Those that it returns, or a view of them.
    returns: Vec<EffectFacts>,
    /// Those of which it reads a size or an element as a number.
    reads_as_number: Vec<EffectFacts>,
    /// Those that it makes contiguous.
    makes_contiguous: Vec<EffectFacts>,
    /// Those that it keeps beyond the call.
    keeps: Vec<EffectFacts>,
}

/// A place in a source; lines and columns begin with 1.
#[derive(Serialize)]
struct Place {
    file: String,
    line: usize,
    column: usize,
}

#[derive(Serialize)]
struct EffectFacts {
    /// The argument's name in the declaration.
    argument: String,
    /// What has the effect: a method, a function, an operator.
    by: String,
    #[serde(flatten)]
    place: Place,
    /// The method that may have made a copy before.
    #[serde(skip_serializing_if = "Option::is_none")]
    unless_copied_by: Option<&'static str>,
}

/// What the kernels that were found do.
pub(crate) fn facts(wanted: &[WantedKernel], sources: &KernelSources, outcome: &Comparison, texts: &Sources) -> Facts {
    let mut found = outcome.found.clone();
    found.sort_unstable();
    let kernels = found.iter().map(|(i, at)| of_kernel(&wanted[*i], &sources.definitions[*at], texts)).collect();
    Facts { kernels }
}

fn of_kernel(kernel: &WantedKernel, one: &LocatedDefinition, texts: &Sources) -> KernelFacts {
    let effect = |effect: &Effect| EffectFacts {
        argument: kernel.parameters.get(effect.parameter).map(|declared| name(declared).to_owned()).unwrap_or_default(),
        by: effect.by.clone(),
        place: place(one.file, effect.range.start, texts),
        unless_copied_by: effect.unless,
    };
    let of = |does: Does| one.effects.first_of_each_parameter(does).into_iter().map(effect).collect();
    KernelFacts {
        operator: kernel.operator.clone(),
        kernel: kernel.full_name(),
        keys: kernel.keys().map(|key| key.as_str()).collect(),
        place: place(one.file, one.definition.range.start, texts),
        writes: of(Does::Writes),
        returns: of(Does::Returns),
        reads_as_number: of(Does::ReadsAsNumber),
        makes_contiguous: of(Does::MakesContiguous),
        keeps: of(Does::Keeps),
    }
}

fn place(file: FileId, at: usize, texts: &Sources) -> Place {
    let (line, column) = texts.line_col(Span::new(file, at, at));
    Place { file: texts.path(file).to_owned(), line, column }
}
