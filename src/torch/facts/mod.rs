//! PyTorch's operators, or those of a library, as facts.
//!
//! Data flows `input -> Known -> operator, groups`: [`input`] reads the sources, [`Known`] has what
//! is around an operator, and the other modules fill the parts of its facts. [`derived`] makes
//! things of the kernels and formulas in them. Invariant: everything comes from the generators'
//! model, and nothing is rendered; [`places`] adds what a traced run shows.

mod derivatives;
pub(super) mod derived;
mod dispatch;
mod groups;
pub(super) mod input;
mod operator;
mod places;
pub(super) mod shapes;
pub(super) mod signatures;
#[cfg(test)]
mod tests;
mod types;

use std::sync::Arc;

use indexmap::IndexMap;
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;
use rustc_hash::{FxHashMap, FxHashSet};

use derivatives::OfBackend;
use places::Registered;
pub(crate) use types::{Derivatives, Formula, Kernel, Line, OperatorFacts, Origin, TorchFacts};

use torchgen_api::autograd::NativeFunctionWithDifferentiabilityInfo;
use torchgen_aten::autograd::python_bindings::functions_with_binding;
use torchgen_base::diag::{Sources, Span};
use torchgen_base::render::trace::Trace;
use torchgen_generators::inputs::Operators;
use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::facts::{PIECE, Place, Thing};
use torchgen_library::library::settings::Settings;
use torchgen_model::group::{Grouped, NativeFunctionsViewGroup};
use torchgen_model::model::{BackendIndices, NativeFunction, OperatorName, SchemaKind, Target};

/// The facts about an operator or a group.
pub(crate) type TorchThing = Thing<TorchFacts>;

/// What is around an operator: the operators of its namespace, and what they are in.
pub(crate) struct Known<'a> {
    functions: &'a [NativeFunction],
    indices: &'a BackendIndices,
    grouped: &'a [Grouped<'a>],
    view_groups: &'a [NativeFunctionsViewGroup<'a>],
    target: Target<'a>,
    settings: Option<&'a Settings>,
    sources: &'a Sources,
    shapes: &'a shapes::Shapes,
    of_backend: &'a OfBackend,
    with_signatures: bool,
    by_name: FxHashMap<String, &'a NativeFunction>,
    group_of: FxHashMap<usize, &'a Grouped<'a>>,
    view_group_of: FxHashMap<usize, &'a NativeFunctionsViewGroup<'a>>,
    generated_from: FxHashMap<String, &'a NativeFunction>,
    /// The functional variant of a structured out variant.
    functional_of: FxHashMap<&'a OperatorName, &'a NativeFunction>,
    bound: FxHashSet<usize>,
    place_in_groups: FxHashMap<usize, usize>,
}

/// What [`Known`] is made from.
pub(crate) struct KnownInputs<'a> {
    pub(crate) operators: &'a Operators,
    pub(crate) grouped: &'a [Grouped<'a>],
    pub(crate) view_groups: &'a [NativeFunctionsViewGroup<'a>],
    pub(crate) target: Target<'a>,
    /// Those of the library, if it is one.
    pub(crate) settings: Option<&'a Settings>,
    pub(crate) sources: &'a Sources,
    pub(crate) shapes: &'a shapes::Shapes,
    /// The derivatives of a backend.
    of_backend: &'a OfBackend,
    /// Whether operators have their signatures.
    signatures: bool,
}

impl<'a> KnownInputs<'a> {
    /// Operators without groups, sources and signatures.
    pub(crate) fn alone(
        operators: &'a Operators,
        target: Target<'a>,
        sources: &'a Sources,
        shapes: &'a shapes::Shapes,
        of_backend: &'a OfBackend,
    ) -> KnownInputs<'a> {
        let (grouped, view_groups, settings, signatures) = (&[][..], &[][..], None, false);
        KnownInputs { operators, grouped, view_groups, target, settings, sources, shapes, of_backend, signatures }
    }

    /// The same, perhaps with signatures.
    pub(crate) fn signatures(self, signatures: bool) -> KnownInputs<'a> {
        KnownInputs { signatures, ..self }
    }
}

fn id(f: &NativeFunction) -> usize {
    std::ptr::from_ref(f) as usize
}

impl<'a> Known<'a> {
    /// The operators of the namespace.
    pub(crate) fn functions(&self) -> &'a [NativeFunction] {
        self.functions
    }

    /// The facts of an operator that has no derivatives.
    pub(crate) fn of_schema(&self, func: &'a NativeFunction) -> TorchThing {
        let fw_derivatives = IndexMap::new();
        self.operator(&NativeFunctionWithDifferentiabilityInfo { func, info: None, fw_derivatives })
    }

    /// The operator of a name.
    pub(crate) fn function(&self, name: &str) -> Option<&'a NativeFunction> {
        self.by_name.get(name).copied()
    }

    /// Their kernels by dispatch key.
    pub(crate) fn indices(&self) -> &'a BackendIndices {
        self.indices
    }

    /// Indexes the operators.
    pub(crate) fn new(around: &KnownInputs<'a>) -> Known<'a> {
        let KnownInputs { operators, grouped, view_groups, target, settings, sources, shapes, of_backend, signatures } =
            *around;
        let functions = operators.functions.as_slice();
        let members = |grouped: &'a Grouped<'a>| grouped.functions().into_iter().map(move |f| (id(f), grouped));
        let views = |group: &'a NativeFunctionsViewGroup<'a>| group.functions().map(move |f| (id(f), group));
        let autogen = |f: &'a NativeFunction| f.autogen.iter().map(move |name| (name.to_string(), f));
        let functional = |f: &'a NativeFunction| {
            (f.func.kind() == SchemaKind::Functional).then_some((f.structured_delegate.as_ref()?, f))
        };
        let bound = || {
            if target.has_bindings && signatures {
                functions_with_binding(functions, target.tables)
            } else {
                Vec::new()
            }
        };
        let bound = || bound().into_iter().map(id).collect();
        let by_name = || functions.iter().map(|f| (f.func.name.to_string(), f)).collect();
        let (bound, by_name) = rayon::join(bound, by_name);
        Known {
            functions,
            indices: &operators.indices,
            grouped,
            view_groups,
            target,
            settings,
            sources,
            shapes,
            of_backend,
            with_signatures: signatures,
            by_name,
            group_of: grouped.iter().flat_map(members).collect(),
            view_group_of: view_groups.iter().flat_map(views).collect(),
            generated_from: functions.iter().flat_map(autogen).collect(),
            functional_of: functions.iter().rev().filter_map(functional).collect(),
            bound,
            place_in_groups: (grouped.iter().flat_map(Grouped::functions).map(id)).zip(0..).collect(),
        }
    }

    /// What becomes of the facts of operators, then of the groups that have one of them, in order:
    /// `finish` takes those of some, on the thread that made them.
    pub(crate) fn pieces<T: Send>(
        &self,
        matched: &[&NativeFunctionWithDifferentiabilityInfo<'_>],
        finish: &(impl Fn(Vec<TorchThing>) -> T + Sync),
    ) -> Vec<T> {
        let operators = |some: &[&NativeFunctionWithDifferentiabilityInfo<'_>]| {
            finish(some.iter().map(|found| self.operator(found)).collect())
        };
        let mut pieces: Vec<T> = matched.par_chunks(PIECE).map(operators).collect();
        let wanted: FxHashSet<usize> = matched.iter().map(|found| id(found.func)).collect();
        let is_wanted = |f: &NativeFunction| wanted.contains(&id(f));
        let group = |g: &Grouped<'_>| g.functions().into_iter().any(is_wanted).then(|| groups::group(g)).flatten();
        let view_group = |g: &NativeFunctionsViewGroup<'_>| g.functions().any(is_wanted).then(|| groups::view_group(g));
        pieces.push(finish(self.grouped.iter().filter_map(group).collect()));
        pieces.push(finish(self.view_groups.iter().filter_map(view_group).collect()));
        pieces
    }

    /// The place of a span among the facts of an operator.
    fn place(&self, f: &NativeFunction, span: Span) -> Option<Place> {
        Place::inside(span, f.spans.name, self.sources)
    }
}

/// Adds to operators what one traced run of the generators shows: the lines of the output, and the
/// kernels for keys that the YAML does not name.
///
/// # Errors
/// The files cannot be made.
pub(super) fn traced(
    things: &mut [TorchThing],
    wanted: impl Fn(&TorchThing) -> bool,
    input: input::Input<'_>,
    common: &CommonArgs,
    session: &mut Session,
) -> Result<(), JobError> {
    let mut things: Vec<&mut TorchThing> = things.iter_mut().filter(|thing| wanted(thing)).collect();
    let names: Vec<String> = things.iter().map(|thing| thing.name.clone()).collect();
    let trace = Arc::new(Trace::new(names.iter().cloned()));
    let plan = input.outputs(common, Some(&trace), session)?;
    session.trace = None;
    let Some(plan) = plan else { return Ok(()) };
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for (thing, found) in things.iter_mut().zip(places::find(&names, &trace, &plan)) {
        thing.outputs = found.places;
        let TorchFacts::Operator(facts) = &mut thing.facts else { continue };
        for Registered { key, function, file, line } in found.registered {
            let place = Some(Place { file: Some(file), line, column: 1, span: None });
            if let Some(kernel) = facts.dispatch.iter_mut().find(|kernel| kernel.key == key) {
                kernel.registered = place;
                continue;
            }
            facts.dispatch.push(Kernel {
                key,
                function,
                structured: false,
                symint: false,
                origin: Origin::Registered,
                at: place,
                registered: None,
                through: None,
                when: None,
            });
        }
    }
    Ok(())
}
