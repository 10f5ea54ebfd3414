//! `torchgen-rs generate` for an operator library: a `native_functions.yaml` outside PyTorch, in
//! any namespace.
//!
//! Invariant: each namespace of the YAML gets a directory tree of its own.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use torchgen_generators::inputs;
use torchgen_kit::driver::data::Tables;

use indexmap::IndexMap;
use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::library::formulas::LibraryFormulas;
use crate::library::kernels::{self, KernelSources};
use crate::library::settings::{self, Settings};
use crate::library::sources::LibraryPaths;
use crate::library::{self, Flavor, Inputs, MANAGER, Serves, UNSTABLE, clashes, cmake, python};
use torchgen_api::autograd::{self, DifferentiabilityInfos};
use torchgen_api::cpp;
use torchgen_base::diag::{Diagnostic, Diagnostics, Span, nearest, plural};
use torchgen_base::lang::is_word;
use torchgen_base::lang::python::is_keyword;
use torchgen_base::render::Renderer;
use torchgen_base::write::OutputFile;
use torchgen_generators::args::{Abi, GenerateArgs};
use torchgen_generators::inputs::stock::Stock;
use torchgen_generators::inputs::{Entries, Operators, standard_tags};
use torchgen_generators::{
    AuthorHeads, AutogradContext, Context, Flags, Model, Namespaces, OutputKind, clashes, gather,
};
use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::context::FileContext;
use torchgen_kit::driver::output::{self, GeneratedFiles, WriteOptions};
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::templates::OverlayJob;
use torchgen_kit::driver::timings::timed;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::group::{self, NativeFunctionsViewGroup};
use torchgen_model::model::selector::Selector;
use torchgen_model::model::{ATEN, BackendIndices, DispatchKey, NativeFunction, Target};
use torchgen_model::parse::entry::names::why_not_a_namespace;
use torchgen_model::parse::entry::{Entry, EntryOptions, SchemaOnly};
use torchgen_model::records::DerivativeRecord;

/// What all namespaces share.
struct Shared<'a> {
    tags: &'a BTreeSet<String>,
    selector: &'a Selector,
    flags: &'a Flags,
    renderer: &'a Renderer,
    derivatives: &'a DifferentiabilityInfos<'a>,
    records: &'a [DerivativeRecord],
    schema_only: &'a [SchemaOnly],
    /// Whether the author has functions for formulas.
    manual: bool,
    settings: &'a Settings,
    flavor: &'static Flavor,
    /// Whether the library defines operators in several namespaces.
    several: bool,
    /// The sources of the kernels, if they are given.
    kernels: Option<&'a KernelSources>,
}

/// The operators of one namespace.
struct Library<'a> {
    namespace: &'a str,
    operators: &'a Operators,
    view_groups: &'a [NativeFunctionsViewGroup<'a>],
}

/// The contents of a library's native_functions.yaml.
pub struct LibrarySource {
    /// The existing tags.
    pub(crate) tags: BTreeSet<String>,
    /// The operators of each namespace, in the order of the YAML.
    pub libraries: Vec<(String, Operators)>,
    /// Those that are registered by their schemas alone.
    pub schema_only: Vec<SchemaOnly>,
    /// The PyTorch whose operators the library's are compared with.
    stock: Stock,
}

/// Reads a library's operators. Errors in them are diagnostics. Those of PyTorch are compared with
/// the PyTorch at the path, or the one in the environment.
///
/// # Errors
/// A file cannot be read.
pub fn read(paths: &LibraryPaths, torch_path: Option<&Path>, session: &mut Session) -> Result<LibrarySource, JobError> {
    let tables = session.tables.clone();
    let target = Target::library(&tables);
    let mut stock = Stock::new(torch_path);
    let tags_path = paths.root.join("tags.yaml");
    let tags = match session.is_given(&tags_path)? {
        true => match inputs::read_tags(session, &tags_path) {
            // libtorch's tags are the best guess.
            Err(JobError::Input) => standard_tags(&tables),
            tags => tags?,
        },
        false => standard_tags(&tables),
    };
    let Entries { entries, schema_only, unread } = read_entries(paths, &tags, &mut stock, session)?;
    report_likely_misspelt(&entries, &mut session.diagnostics);
    let mut by_namespace: IndexMap<String, Vec<Entry>> = IndexMap::new();
    for entry in entries {
        by_namespace.entry(entry.function.namespace.clone()).or_default().push(entry);
    }
    for operator in &schema_only {
        by_namespace.entry(operator.namespace.clone()).or_default();
    }
    let make = |(namespace, entries): (String, Vec<Entry>)| {
        let mut operators = Operators::new(entries, &unread, target, &mut session.diagnostics);
        operators.indices.guard_devices();
        // The other wrappers of PyTorch's structured operators already exist.
        if Target::of_namespace(&namespace, &tables).defines_operators {
            add_generated_keys(&mut operators);
        }
        (namespace, operators)
    };
    let libraries: Vec<(String, Operators)> = by_namespace.into_iter().map(make).collect();
    clashes::report(&schema_only, &libraries, &mut session.diagnostics);
    Ok(LibrarySource { tags, libraries, schema_only, stock })
}

/// The entries of all files of a library, with the values of `defaults:`. Those of PyTorch's
/// operators are compared with `stock`.
///
/// # Errors
/// A file cannot be read.
pub fn read_entries(
    paths: &LibraryPaths,
    tags: &BTreeSet<String>,
    stock: &mut Stock,
    session: &mut Session,
) -> Result<Entries, JobError> {
    let tables = session.tables.clone();
    let options = EntryOptions { target: Target::library(&tables), valid_tags: tags, ignore_keys: &BTreeSet::new() };
    let defaults = settings::defaults(&paths.root, options, session)?;
    let files = paths.operators(session)?;
    inputs::read_library_entries(session, &files, options, &defaults, stock)
}

/// The templates, with the user's replacements. `job` is the library's part of a run that does
/// more.
///
/// # Errors
/// A template cannot be read, or replaces none.
pub(crate) fn renderer(
    source_path: &Path,
    common: &CommonArgs,
    job: Option<&OverlayJob>,
    session: &mut Session,
) -> Result<Renderer, JobError> {
    let own_templates = source_path.join("templates");
    let own: Vec<_> = session.seen.is_dir(&own_templates).then_some(own_templates).into_iter().collect();
    let mut renderer = session.renderer("torch", &own)?;
    session.overlay_templates_of(&mut renderer, &common.template_dir, job)?;
    Ok(renderer)
}

/// Runs the job. `stable` makes the files of a library on the stable ABI.
pub fn generate(args: &GenerateArgs, stable: &'static Flavor, session: &mut Session) -> Result<Summary, JobError> {
    reject_aten_flags(args)?;
    let files = make(args, None, Some(stable), session)?;
    let options =
        WriteOptions { common: &args.common, dry_run: args.dry_run, lists: args.output_dependencies.as_deref() };
    output::write(&options, files, session)
}

/// Makes the files. Without `stable` the library cannot be on the stable ABI.
pub fn make(
    args: &GenerateArgs,
    job: Option<&OverlayJob>,
    stable: Option<&'static Flavor>,
    session: &mut Session,
) -> Result<GeneratedFiles, JobError> {
    let tables = session.tables.clone();
    let target = Target::library(&tables);
    let paths = LibraryPaths::new(&args.source_paths, session);
    let root = &paths.root;
    let settings = match stable {
        Some(_) => settings::read(root, args, session)?,
        None => Settings::unstable(),
    };
    let flavor = stable.filter(|_| settings.abi == Abi::Stable).unwrap_or(&UNSTABLE);
    let LibrarySource { tags, libraries, schema_only, mut stock } = read(&paths, args.torch_path.as_deref(), session)?;
    settings.check_names(&libraries, &mut session.diagnostics);
    settings.check_fakes(&libraries, &mut session.diagnostics);
    let selector =
        inputs::selector(session, args, libraries.iter().flat_map(|(_, operators)| &operators.functions), target)?;
    let derivatives_paths = match wanted(args, OutputKind::Autograd) {
        true => paths.derivatives(session)?,
        false => Vec::new(),
    };
    // Formulas in Python do not call what libtorch exports.
    let formula_target = Target { sees_exports_only: settings.abi == Abi::Unstable, ..target };
    if !derivatives_paths.is_empty() && session.diagnostics.has_errors() {
        let functions: Vec<_> = libraries.iter().flat_map(|(_, operators)| &operators.functions).collect();
        let manual = inputs::read_manual(session, root)?.unwrap_or_default();
        for path in &derivatives_paths {
            inputs::look_at_derivatives(session, path, &functions, formula_target, &manual);
        }
    }
    library::fakes::check(&libraries, &args.python_modules, root, session)?;
    session.check(args.common.strict)?;

    session.timings.lap("group");
    let renderer = renderer(root, &args.common, job, session)?;
    session.timings.lap("templates");
    let view_groups: Vec<Vec<NativeFunctionsViewGroup>> = libraries
        .iter()
        .map(|(_, operators)| group::view_groups(&operators.functions, target, &mut session.diagnostics))
        .collect();
    let (all, groups): (Vec<_>, Vec<_>) = (
        libraries.iter().flat_map(|(_, operators)| &operators.functions).collect(),
        view_groups.iter().flatten().collect(),
    );
    let manual = inputs::read_manual(session, root)?;
    let known = autograd::Operators {
        functions: &all,
        view_groups: &groups,
        target: formula_target,
        manual: manual.as_deref().unwrap_or_default(),
    };
    let mut records = Vec::new();
    for path in &derivatives_paths {
        records.extend(inputs::derivative_records(session, path)?);
    }
    let derivatives = match derivatives_paths.is_empty() {
        false => {
            let derivatives = autograd::load(&records, known, &mut session.diagnostics);
            // On the stable ABI, formulas are translated to Python.
            if settings.abi == Abi::Unstable {
                let manual = manual.as_deref().unwrap_or_default();
                let formulas = LibraryFormulas { records: &records, functions: &all, manual, stock: &mut stock };
                library::check_formulas(formulas, session)?;
            }
            derivatives
        }
        true => DifferentiabilityInfos::default(),
    };

    let flags = Flags {
        per_operator_headers: args.per_operator_headers,
        skip_dispatcher_op_registration: args.skip_dispatcher_op_registration,
        force_schema_registration: args.force_schema_registration,
        python_package: python_package(args, &libraries, &tables)?,
        ..Flags::default()
    };
    let kernels = match args.kernels.as_slice() {
        [] => None,
        paths => Some(kernels::read(paths, session)?),
    };
    let shared = Shared {
        tags: &tags,
        selector: &selector,
        flags: &flags,
        renderer: &renderer,
        derivatives: &derivatives,
        records: &records,
        schema_only: &schema_only,
        manual: manual.is_some(),
        settings: &settings,
        flavor,
        several: own_namespaces(&libraries).count() > 1,
        kernels: kernels.as_ref(),
    };
    let (mut files, mut parts) = (Vec::new(), Vec::new());
    for ((namespace, operators), view_groups) in libraries.iter().zip(&view_groups) {
        let own = namespace_files(&shared, &Library { namespace, operators, view_groups }, args, session)?;
        // A single namespace needs no folder of its own, and one package has them all.
        let tree = if libraries.len() == 1 { String::new() } else { format!("{}/", namespace.replace("::", "/")) };
        let is_shared = |file: &OutputFile| own.part.is_some() && file.path.starts_with("python/");
        files.extend(own.files.into_iter().map(|file| if is_shared(&file) { file } else { file.below(&tree) }));
        parts.extend(own.part);
    }
    if let Some(package) = &flags.python_package {
        files.extend(python::outer(&renderer, package, &parts, &(flavor.package)(&settings)).map_err(|errors| {
            session.diagnostics.extend(errors.0);
            JobError::Input
        })?);
    }
    let traced = session.trace.is_some();
    let mut files: Vec<OutputFile> = files.into_par_iter().map(|file| library::laid_out(file, traced)).collect();
    inputs::apply_hooks(session, args.hooks.as_deref(), &mut files, &renderer)?;
    let installs = vec![(MANAGER, args.install_dir.clone())];
    session.timings.count_rendered(&renderer);
    Ok(GeneratedFiles { installs, files, renderer })
}

/// The files of one namespace.
struct NamespaceFiles {
    files: Vec<OutputFile>,
    /// Its part of a Python package that several namespaces share.
    part: Option<python::Part>,
}

/// Makes the files of one namespace.
fn namespace_files(
    shared: &Shared,
    library: &Library,
    args: &GenerateArgs,
    session: &mut Session,
) -> Result<NamespaceFiles, JobError> {
    let Library { namespace, operators, view_groups } = *library;
    let tables = session.tables.clone();
    let target = Target::of_namespace(namespace, &tables);
    let kept = shared.settings.adapted(&operators.functions, &operators.indices);
    let functions = kept.as_ref().unwrap_or(&operators.functions);
    let kept_views = kept.as_ref().map(|kept| group::view_groups(kept, target, &mut session.diagnostics));
    let view_groups = kept_views.as_deref().unwrap_or(view_groups);
    let grouped = group::group(functions, target, &mut session.diagnostics);
    let groups = group::groups(&grouped);
    let mut trained: Vec<&NativeFunction> =
        functions.iter().filter(|f| shared.selector.is_native_function_selected(f)).collect();
    trained.sort_by_cached_key(|f| cpp::name(&f.func));
    let matched = autograd::match_differentiability_info(trained, shared.derivatives, target, &mut session.diagnostics);
    session.check(args.common.strict)?;
    let namespaces = Namespaces::library(namespace);
    let dispatch_keys = dispatch_keys(&operators.indices, args);
    let functions_keys = dispatch_keys.iter().copied().collect();
    let flags = match &shared.flags.python_package {
        Some(name) if shared.several => Flags {
            python_package: Some(format!("{name}.{namespace}")),
            in_python_package: true,
            ..shared.flags.clone()
        },
        _ => shared.flags.clone(),
    };
    let schema_only: Vec<&SchemaOnly> = shared.schema_only.iter().filter(|f| f.namespace == namespace).collect();
    let context = Context::new(
        target,
        &namespaces,
        Model { functions, indices: &operators.indices, grouped: &grouped, groups: &groups, view_groups },
        shared.renderer,
    )
    .flags(&flags)
    .tags(shared.tags)
    .selected(shared.selector)
    .keys(&dispatch_keys, &functions_keys)
    .schema_only(&schema_only);
    let autograd = AutogradContext::new(
        target,
        &namespaces,
        functions,
        (&matched, shared.derivatives),
        FileContext::new(shared.renderer, MANAGER),
    );
    let compared = shared.kernels.map(|sources| kernels::adapted(&context, shared.settings, sources));
    let heads = match compared.unwrap_or_else(|| Ok(Default::default())) {
        Ok((heads, found)) => {
            session.diagnostics.extend(found);
            heads
        }
        // The generators report what has no C++ form.
        Err(_) => AuthorHeads::default(),
    };
    let context = context.heads(&heads);
    let inputs =
        Inputs { context, autograd, derivatives: shared.records, manual: shared.manual, settings: shared.settings };
    (shared.flavor.lints)(&inputs, &mut session.diagnostics);
    if shared.settings.abi == Abi::Stable {
        // What it cannot have has no spelling in C++.
        session.check(args.common.strict)?;
    }
    let wants = |(output, serves): (OutputKind, Serves)| wanted(args, output) && serves.serves(&inputs.context);
    let selected: Vec<_> = shared.flavor.generators.iter().filter(|generator| wants(generator.when)).collect();
    session.timings.lap("group");
    let timed_outcomes: Vec<_> = selected.par_iter().map(|generator| timed(|| (generator.run)(&inputs))).collect();
    let mut note = |name, outcome| session.timings.note(format!("{namespace}: {name}"), outcome);
    let outcomes: Vec<_> =
        selected.iter().zip(timed_outcomes).map(|(g, outcome)| note(g.info.about, outcome)).collect();
    session.timings.lap("generate");
    let (files, errors) = gather(outcomes);
    session.diagnostics.extend(clashes(&files, functions));
    session.diagnostics.extend(errors);
    session.check(args.common.strict)?;
    let part = match flags.in_python_package && wanted(args, OutputKind::Python) {
        true => python::part(&inputs.context),
        false => None,
    };
    let lists = cmake::lists(&inputs.context, &files)?;
    Ok(NamespaceFiles { files: files.into_iter().chain([lists]).collect(), part })
}

/// The name of the Python package, if it is given.
///
/// # Errors
/// It is not an identifier, or two modules would have one name.
fn python_package(
    args: &GenerateArgs,
    libraries: &[(String, Operators)],
    tables: &Tables,
) -> Result<Option<String>, JobError> {
    let Some(name) = &args.python_package else { return Ok(None) };
    let usage = |message: String| JobError::from(Diagnostic::new(&codes::USAGE, message));
    if !name.chars().all(is_word)
        || name.is_empty()
        || name.starts_with(|c: char| c.is_ascii_digit())
        || is_keyword(name)
    {
        return Err(usage(format!("`{name}` is not a valid name for a Python package")));
    }
    if let Some(reason) = why_not_a_namespace(name, tables) {
        return Err(usage(format!("a Python package cannot be called `{name}`: that is {reason}")));
    }
    for namespace in own_namespaces(libraries).filter(|_| own_namespaces(libraries).count() > 1) {
        let taken = |file: &&PathBuf| file.file_stem().is_some_and(|stem| stem == namespace);
        if let Some(file) = args.python_modules.iter().find(taken) {
            let file = file.display();
            return Err(usage(format!("the operators of `{namespace}` are in `{name}.{namespace}`: rename `{file}`")));
        }
    }
    Ok(Some(name.clone()))
}

/// The namespaces in which the library defines operators.
fn own_namespaces(libraries: &[(String, Operators)]) -> impl Iterator<Item = &str> {
    libraries.iter().map(|(namespace, _)| namespace.as_str()).filter(|namespace| *namespace != ATEN)
}

/// Warns about a namespace with few operators whose name is nearly that of one with many.
fn report_likely_misspelt(entries: &[Entry], diagnostics: &mut Diagnostics) {
    let mut namespaces: IndexMap<&str, (usize, Span)> = IndexMap::new();
    for entry in entries {
        let f = &entry.function;
        namespaces.entry(&f.namespace).or_insert((0, f.spans.name)).0 += 1;
    }
    for (name, (count, span)) in &namespaces {
        let larger = namespaces.iter().filter(|(_, (other, _))| *other > 2 * count).map(|(other, _)| *other);
        let Some(near) = nearest(name, larger) else { continue };
        let operators = plural(*count, "operator");
        let message = format!("namespace `{name}` has {operators}, and its name is nearly that of `{near}`");
        diagnostics.push(
            Diagnostic::new(&codes::LIKELY_MISSPELT_NAMESPACE, message)
                .at(*span)
                .help(format!("did you mean `{near}`?")),
        );
    }
}

/// Whether to make that kind of output; without a selection, all are made.
fn wanted(args: &GenerateArgs, kind: OutputKind) -> bool {
    args.generate.as_ref().is_none_or(|kinds| kinds.contains(&kind))
}

/// Structured kernels have wrappers for these keys, even if no operator has a kernel of its own for
/// them.
fn add_generated_keys(operators: &mut Operators) {
    if operators.functions.iter().any(|f| f.structured) {
        operators.indices.ensure(DispatchKey::Meta);
        operators.indices.ensure(DispatchKey::CompositeExplicitAutogradNonFunctional);
    }
}

/// The keys to register kernels for.
fn dispatch_keys(indices: &BackendIndices, args: &GenerateArgs) -> Vec<DispatchKey> {
    let mut keys: Vec<DispatchKey> = indices.iter().map(|index| index.dispatch_key).collect();
    if let Some(listed) = args.backend_whitelist.as_ref().filter(|names| !names.is_empty()) {
        keys.retain(|key| key.is_generic() || listed.iter().any(|name| name == key.as_str()));
    }
    keys
}

/// Flags that only ATen's own build uses.
fn reject_aten_flags(args: &GenerateArgs) -> Result<(), JobError> {
    let wants = |kind| args.generate.as_ref().is_some_and(|kinds| kinds.contains(&kind));
    let given = [
        ("--mps", args.mps),
        ("--xpu", args.xpu),
        ("--rocm", args.rocm),
        ("--mtia", args.mtia),
        ("--update-aoti-c-shim", args.update_aoti_c_shim),
        ("--extend-aoti-c-shim", args.extend_aoti_c_shim),
        ("--generate declarations_yaml", wants(OutputKind::DeclarationsYaml)),
        ("--static-dispatch-backend", args.static_dispatch_backend.as_ref().is_some_and(|keys| !keys.is_empty())),
    ];
    let errors: Vec<Diagnostic> = given
        .iter()
        .filter(|(_, given)| *given)
        .map(|(flag, _)| {
            Diagnostic::new(&codes::USAGE, format!("{flag} is for ATen's own files"))
                .note(format!("`{}` is an operator library", args.source_path().display()))
        })
        .collect();
    if errors.is_empty() { Ok(()) } else { Err(JobError::Failed(errors)) }
}
