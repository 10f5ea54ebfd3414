//! The files of one namespace of a library.
//!
//! Invariant: a namespace has a model of its own, which nothing changes after it is made.

use std::collections::BTreeSet;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::checked::CheckedLibrary;
use super::derivatives::Formulas;
use super::flags::{dispatch_keys, wanted};
use super::package;
use crate::library::kernels::{self, KernelSources};
use crate::library::{Inputs, LibraryGenerator, MANAGER, Part, Serves, cmake, parts, python};
use torchgen_api::autograd::{self, DifferentiabilityInfos, Matched};
use torchgen_api::cpp;
use torchgen_base::diag::Diagnostics;
use torchgen_base::render::Renderer;
use torchgen_base::write::OutputFile;
use torchgen_generators::args::GenerateArgs;
use torchgen_generators::inputs::Operators;
use torchgen_generators::{
    AuthorSignatures, AutogradContext, Context, Flags, Model, Namespaces, OutputKind, clashes, gather,
};
use torchgen_kit::driver::context::FileContext;
use torchgen_kit::driver::data::Tables;
use torchgen_kit::driver::trace::timed;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::group::{self, Grouped, NativeFunctionsGroup, NativeFunctionsViewGroup};
use torchgen_model::model::{BackendIndices, DispatchKey, NativeFunction, Target};
use torchgen_model::parse::entry::SchemaOnly;

/// What all namespaces share.
pub(super) struct Shared<'a> {
    pub(super) library: &'a CheckedLibrary,
    pub(super) formulas: &'a Formulas,
    pub(super) derivatives: &'a DifferentiabilityInfos<'a>,
    pub(super) flags: &'a Flags,
    pub(super) renderer: &'a Renderer,
    /// The sources of the kernels, if they are given.
    pub(super) kernels: Option<&'a KernelSources>,
    pub(super) args: &'a GenerateArgs,
    pub(super) tables: &'a Tables,
}

/// The files of one namespace.
pub(super) struct NamespaceFiles {
    pub(super) files: Vec<OutputFile>,
    /// Its part of a Python package that several namespaces share.
    pub(super) part: Option<python::Part>,
}

/// A namespace as it is declared.
#[derive(Clone, Copy)]
pub(super) struct Namespace<'a> {
    pub(super) name: &'a str,
    pub(super) operators: &'a Operators,
    pub(super) view_groups: &'a [NativeFunctionsViewGroup<'a>],
    /// The same operators with the names that bodies have.
    pub(super) in_bodies: &'a [NativeFunction],
}

/// The operators of one namespace, as its generators see them.
struct NamespaceModel<'a> {
    target: Target<'a>,
    namespaces: Namespaces,
    functions: &'a [NativeFunction],
    indices: &'a BackendIndices,
    grouped: Vec<Grouped<'a>>,
    groups: Vec<NativeFunctionsGroup<'a>>,
    view_groups: Vec<NativeFunctionsViewGroup<'a>>,
    keys: Vec<DispatchKey>,
    functions_keys: BTreeSet<DispatchKey>,
    schema_only: Vec<&'a SchemaOnly>,
    flags: Flags,
}

impl<'a> NamespaceModel<'a> {
    /// Groups the operators, as the library has them.
    fn new(
        shared: &Shared<'a>,
        namespace: Namespace<'a>,
        adapted: Option<&'a [NativeFunction]>,
        diagnostics: &mut Diagnostics,
    ) -> NamespaceModel<'a> {
        let Shared { library, args, tables, .. } = *shared;
        let Namespace { name, operators: Operators { functions, indices }, view_groups, .. } = namespace;
        let target = Target::of_namespace(name, tables);
        let (functions, view_groups) = match adapted {
            Some(adapted) => (adapted, group::view_groups(adapted, target, diagnostics)),
            None => (functions.as_slice(), view_groups.to_vec()),
        };
        let grouped = group::group(functions, target, diagnostics);
        let keys = dispatch_keys(indices, args);
        NamespaceModel {
            target,
            namespaces: Namespaces::library(name),
            functions,
            indices,
            groups: group::groups(&grouped),
            grouped,
            view_groups,
            functions_keys: keys.iter().copied().collect(),
            keys,
            schema_only: library.source.schema_only.iter().filter(|f| f.namespace == name).collect(),
            flags: package::flags_of(shared.flags, name, &library.source.libraries),
        }
    }

    /// What generators get, without the signatures of the author's kernels.
    fn context<'m>(&'m self, shared: &'m Shared<'m>) -> Context<'m> {
        let model = Model {
            functions: self.functions,
            indices: self.indices,
            grouped: &self.grouped,
            groups: &self.groups,
            view_groups: &self.view_groups,
        };
        Context::new(self.target, &self.namespaces, model, shared.renderer)
            .flags(&self.flags)
            .tags(&shared.library.source.tags)
            .selected(&shared.library.selector)
            .keys(&self.keys, &self.functions_keys)
            .schema_only(&self.schema_only)
    }
}

impl<'a> NamespaceModel<'a> {
    /// The selected operators and their derivatives.
    fn matched(&self, shared: &Shared<'a>, diagnostics: &mut Diagnostics) -> Matched<'a> {
        let selector = &shared.library.selector;
        let mut trained: Vec<_> = self.functions.iter().filter(|f| selector.is_native_function_selected(f)).collect();
        trained.sort_by_cached_key(|f| cpp::name(&f.func));
        autograd::match_differentiability_info(trained, shared.derivatives, self.target, diagnostics)
    }

    /// What generators of derivatives get.
    fn autograd<'m>(&'m self, shared: &'m Shared<'m>, matched: &'m Matched<'m>) -> AutogradContext<'m, 'm> {
        let files = FileContext::new(shared.renderer, MANAGER);
        AutogradContext::new(self.target, &self.namespaces, self.functions, matched, shared.derivatives, files)
    }
}

/// The operators of each part of a library, if it has several. On the stable ABI it has not.
fn split(functions: &[NativeFunction], is_stable: bool) -> Vec<Vec<NativeFunction>> {
    let count = parts::count(functions);
    if is_stable || count == 1 {
        return Vec::new();
    }
    let of_part = |number| functions.iter().filter(move |f| parts::part_of(f.root_name(), count) == number).cloned();
    (0..count).map(|number| of_part(number).collect()).collect()
}

/// A part of a namespace.
struct SplitModel<'a> {
    model: NamespaceModel<'a>,
    matched: Matched<'a>,
}

impl<'a> SplitModel<'a> {
    /// What is wrong with its operators was reported.
    fn new(shared: &Shared<'a>, namespace: Namespace<'a>, number: u32, own: &'a [NativeFunction]) -> SplitModel<'a> {
        let mut model = NamespaceModel::new(shared, namespace, Some(own), &mut Diagnostics::new());
        // The first one has what is registered by schemas alone.
        model.schema_only.retain(|_| number == 0);
        let matched = model.matched(shared, &mut Diagnostics::new());
        SplitModel { model, matched }
    }
}

/// Makes the files of one namespace.
///
/// # Errors
/// The library cannot have something, or a generator finds an error.
pub(super) fn files(shared: &Shared, namespace: Namespace, session: &mut Session) -> Result<NamespaceFiles, JobError> {
    let settings = &shared.library.settings;
    let Operators { functions, indices } = namespace.operators;
    let adapted = settings.adapted(functions, indices);
    let model = NamespaceModel::new(shared, namespace, adapted.as_deref(), &mut session.diagnostics);
    let in_bodies = settings.adapted(namespace.in_bodies, indices);
    let in_bodies = in_bodies.as_deref().unwrap_or(namespace.in_bodies);
    // What is wrong with groups was reported.
    let bodies = NamespaceModel::new(shared, namespace, Some(in_bodies), &mut Diagnostics::new());
    let matched = bodies.matched(shared, &mut session.diagnostics);
    session.fail_on_errors(shared.args.common.strict)?;
    let split = split(in_bodies, settings.is_stable());
    let split: Vec<_> =
        (0..).zip(&split).map(|(number, own)| SplitModel::new(shared, namespace, number, own)).collect();
    let context = model.context(shared);
    let effects_only = shared.args.reads_effects_only;
    let compared = shared.kernels.map(|sources| kernels::adapted(&context, settings, sources, effects_only));
    let signatures = match compared.unwrap_or_else(|| Ok(Default::default())) {
        Ok((signatures, found)) => {
            session.diagnostics.extend(found);
            signatures
        }
        // The generators report what has no C++ form.
        Err(_) => AuthorSignatures::default(),
    };
    let own_names: BTreeSet<&str> = in_bodies.iter().map(NativeFunction::root_name).collect();
    let whole = [(&bodies, &matched)];
    let models: Vec<_> = split.iter().map(|part| (&part.model, &part.matched)).collect();
    let models = if models.is_empty() { &whole[..] } else { &models };
    let count = u32::try_from(models.len()).unwrap_or(u32::MAX);
    let parts = (0..count).zip(models).map(|(number, (model, matched))| Part {
        number,
        count,
        own_names: &own_names,
        context: model.context(shared).signatures(&signatures),
        autograd: model.autograd(shared, matched),
    });
    let inputs = Inputs {
        bodies: bodies.context(shared).signatures(&signatures),
        autograd: bodies.autograd(shared, &matched),
        wants_sources: wanted(shared.args, OutputKind::Sources),
        wants_autograd: wanted(shared.args, OutputKind::Autograd),
        parts: parts.collect(),
        context: context.signatures(&signatures),
        derivatives: &shared.formulas.records,
        manual: shared.formulas.manual.is_some(),
        settings,
    };
    settings.abi.check_namespace(&inputs, shared.args.common.strict, session)?;
    generate(shared.args, namespace.name, &inputs, session)
}

/// Runs the generators.
fn generate(
    args: &GenerateArgs,
    namespace: &str,
    inputs: &Inputs,
    session: &mut Session,
) -> Result<NamespaceFiles, JobError> {
    let context = &inputs.context;
    let wants = |generator: &&LibraryGenerator| {
        let (output, serves) = generator.when;
        serves == Serves::Any || wanted(args, output) && serves.serves(context)
    };
    let selected: Vec<_> = inputs.settings.abi.generators().iter().filter(wants).collect();
    session.timings.lap("group");
    let timed_outcomes: Vec<_> = selected.par_iter().map(|generator| timed(|| (generator.run)(inputs))).collect();
    let mut note = |name, outcome| session.timings.note(format!("{namespace}: {name}"), outcome);
    let outcomes: Vec<_> =
        selected.iter().zip(timed_outcomes).map(|(g, outcome)| note(g.info.about, outcome)).collect();
    session.timings.lap("generate");
    let (files, errors) = gather(outcomes);
    session.diagnostics.extend(clashes(&files, context.functions));
    session.diagnostics.extend(errors);
    session.fail_on_errors(args.common.strict)?;
    let part = match context.flags.in_python_package && wanted(args, OutputKind::Python) {
        true => python::part(context),
        false => None,
    };
    // Without C++, there is nothing to build.
    let lists = match inputs.registers_itself() {
        true => None,
        false => Some(cmake::lists(context, &files)?),
    };
    Ok(NamespaceFiles { files: files.into_iter().chain(lists).collect(), part })
}
