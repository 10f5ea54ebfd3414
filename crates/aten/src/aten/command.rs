//! `torchgen-rs generate` in the ATen layout: does the job of `python -m torchgen.gen`.
//!
//! Invariant: same flags, same files. Rule: torchgen/gen.py, `main`.

use std::collections::BTreeSet;
use std::path::PathBuf;
use torchgen_generators::inputs;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::aten::generators::{GENERATORS, Steps};
use crate::aten::{aoti_shim, native_aot};
use crate::autograd::Request;
use torchgen_base::diag::{Diagnostic, Diagnostics, Severity, did_you_mean};
use torchgen_base::render::Renderer;
use torchgen_base::write::{Manager, OutputFile};
use torchgen_generators::OutputKind;
use torchgen_generators::args::GenerateArgs;
use torchgen_generators::managers;
use torchgen_generators::native_functions;
use torchgen_generators::{Context, Errors, Flags, Model, Namespaces, Outcome, clashes, gather};
use torchgen_kit::driver::data::Tables;
use torchgen_kit::driver::memory::Kin;
use torchgen_kit::driver::output::{self, GeneratedFiles, WriteOptions};
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::templates::OverlayJob;
use torchgen_kit::driver::trace::timed;
use torchgen_kit::driver::{JobError, Session, Timings, discard};
use torchgen_model::codes;
use torchgen_model::group;
use torchgen_model::model::Target;
use torchgen_model::model::aten_keys::{OptionalBackend, aten_keys, keys_without};
use torchgen_model::model::rules::Rules;
use torchgen_model::model::{BackendIndex, DispatchKey};
use torchgen_model::release;

/// Runs the job, and autograd's with it if `--generate` asks for both, before anything is written.
pub fn generate(args: &GenerateArgs, session: &mut Session) -> Result<Summary, JobError> {
    let autograd = Request::beside_aten(args)?;
    let mut made = make(args, session)?;
    if let Some(request) = autograd {
        let more = crate::autograd::command::make(&request, session)?;
        made.installs.extend(more.installs);
        made.files.extend(more.files);
    }
    let options =
        WriteOptions { common: &args.common, dry_run: args.dry_run, lists: args.output_dependencies.as_deref() };
    output::write(&options, made, session)
}

/// Makes ATen's files.
pub fn make(args: &GenerateArgs, session: &mut Session) -> Result<GeneratedFiles, JobError> {
    release::settle(session, args.source_path(), args.release.torch)?;
    let tables = session.tables.clone();
    let target = Target::pytorch(&tables);
    let keys = Keys::new(args, session)?;
    let native = args.source_path().join("native");
    let tags = inputs::read_tags(session, &native.join("tags.yaml"))?;
    let path = native.join("native_functions.yaml");
    let (renderer, operators) =
        rayon::join(|| Renderer::compiled("torch"), || inputs::read_operators(session, &path, &tags, &keys.ignored));
    let (mut renderer, operators) = (renderer?, operators?);
    Rules::serve(&tables, &mut renderer);
    renderer.set_trace(session.trace.clone());
    let selector = inputs::selector(session, args, &operators.functions, target)?;
    session.fail_on_errors(args.common.strict)?;

    let mut found = Diagnostics::new();
    let (grouped, view_groups) = rayon::join(
        || group::group(&operators.functions, target, &mut session.diagnostics),
        || group::view_groups(&operators.functions, target, &mut found),
    );
    session.diagnostics.extend(found);
    let groups = group::groups(&grouped);
    let native_aot = native_aot::read_native_aot(session, args, &groups)?;
    session.fail_on_errors(args.common.strict)?;
    session.timings.lap("group");

    session.load_templates(&mut renderer, &args.source_path().join("templates"))?;
    let elsewhere = match Request::beside_aten(args)? {
        Some(request) if !args.common.template_dir.is_empty() => {
            session.template_names(&request.autograd_dir.join("templates"))
        }
        _ => BTreeSet::new(),
    };
    let job = OverlayJob { folder: "aten", other: "autograd", elsewhere };
    session.overlay_templates_of(&mut renderer, &args.common.template_dir, Some(&job))?;
    session.timings.lap("templates");

    let static_dispatch: Vec<&BackendIndex> =
        keys.static_dispatch.iter().map(|key| operators.indices.get(*key)).collect();
    let has_index = |key: &DispatchKey| operators.indices.iter().any(|index| index.dispatch_key == *key);
    let from_sources = if wants(args, OutputKind::Sources) { &keys.dispatch[..] } else { &[] };
    let looks_up_other_keys = !from_sources.iter().chain(&keys.static_dispatch).all(has_index);
    let flags = Flags { looks_up_other_keys, ..flags(args) };
    let installs = install_dirs(args);
    let tells_apart = looks_up_other_keys && native_functions::other_keys_matter(&grouped, &operators.indices);
    // Hooks need the contents of all files.
    let kin = match args.hooks {
        None => Kin::of(session, &args.common, &installs, &tells_apart.to_string()),
        Some(_) => None,
    };
    if !flags.update_aoti_c_shim && wants(args, OutputKind::Sources) {
        let headers = keys.aoti.iter().map(|key| flags.aoti_install_dir.join(aoti_shim::header_of(*key)));
        headers.for_each(|path| session.seen.watch(&path));
    }
    let namespaces = Namespaces::aten();
    let context = Context::new(
        target,
        &namespaces,
        Model {
            functions: &operators.functions,
            indices: &operators.indices,
            grouped: &grouped,
            groups: &groups,
            view_groups: &view_groups,
        },
        &renderer,
    )
    .flags(&flags)
    .tags(&tags)
    .selected(&selector)
    .keys(&keys.dispatch, &keys.functions)
    .static_dispatch(&static_dispatch)
    .shims(&keys.aoti)
    .native_aot(&native_aot);
    let all = Flags { skip_dispatcher_op_registration: false, force_schema_registration: false, ..flags.clone() };
    let whole = context.unselected(&keys.all, &all);
    let made = Making { context: &context, whole: &whole, kin: kin.as_ref(), args };
    let mut files = made.run_generators(&mut session.diagnostics, &mut session.timings);
    session.timings.lap("generate");
    session.fail_on_errors(args.common.strict)?;
    inputs::apply_hooks(session, args.hooks.as_deref(), &mut files, &renderer)?;
    drop((grouped, groups, view_groups, static_dispatch));
    discard(operators);
    session.timings.count_rendered(&renderer);
    Ok(GeneratedFiles { installs, files, renderer })
}

/// What the generators of a run have.
struct Making<'r, 'a> {
    context: &'r Context<'a>,
    /// The context of those whose files do not depend on the selection.
    whole: &'r Context<'a>,
    /// The run that may have made their files.
    kin: Option<&'r Kin>,
    args: &'r GenerateArgs,
}

impl Making<'_, '_> {
    /// Runs the selected generators in parallel; their files and errors are in the order of the
    /// registry. A dry run keeps the names of files, and reports the same errors.
    fn run_generators(&self, diagnostics: &mut Diagnostics, timings: &mut Timings) -> Vec<OutputFile> {
        let selected: Vec<_> = GENERATORS.iter().filter(|g| wants(self.args, g.when)).collect();
        let made: Vec<_> = selected.par_iter().map(|generator| timed(|| self.run(&generator.run))).collect();
        let (mut outcomes, mut checked) = (Vec::new(), Vec::new());
        for (generator, made) in selected.iter().zip(made) {
            let (outcome, Ok(found) | Err(Errors(found))) = timings.note(generator.title(), made);
            outcomes.push(outcome);
            checked.extend(found);
        }
        let (files, errors) = gather(outcomes);
        diagnostics.extend(clashes(&files, self.context.functions));
        diagnostics.extend(errors);
        diagnostics.extend(checked);
        files
    }

    fn run(&self, steps: &Steps) -> (Outcome, Result<Vec<Diagnostic>, Errors>) {
        let context = if steps.whole { self.whole } else { self.context };
        let checked = steps.check.map_or(Ok(Vec::new()), |check| check(context));
        if let Some(kin) = self.kin.filter(|_| steps.whole)
            && let Some(kept) = (steps.names)(context).ok().and_then(|named| kin.keep(named))
        {
            return (Ok(kept), checked);
        }
        let made = (steps.make)(context);
        // Only a dry run without lists compares the text.
        if self.args.dry_run && self.args.output_dependencies.is_some() {
            return (made.and_then(|_| (steps.names)(context)), checked);
        }
        debug_assert!(steps.names_fit(context, &made), "a generator names other files than it makes");
        (made, checked)
    }
}

fn wants(args: &GenerateArgs, kind: OutputKind) -> bool {
    args.generate.as_ref().is_none_or(|kinds| kinds.contains(&kind))
}

/// The directory of each manager's files. `core` and `ops` are joined with a slash on every
/// platform, because CMake reads them.
fn install_dirs(args: &GenerateArgs) -> Vec<(Manager, PathBuf)> {
    let below = |name: &str| -> PathBuf {
        let mut path = args.install_dir.clone().into_os_string();
        path.push("/");
        path.push(name);
        path.into()
    };
    let install = || args.install_dir.clone();
    let mut dirs = vec![
        (managers::CPU, install()),
        (managers::CPU_VEC, install()),
        (managers::CORE, below("core")),
        (managers::OPS, below("ops")),
        (managers::CUDA, install()),
        (managers::AOTI, args.aoti_install_dir.clone()),
        (managers::HEADER_ONLY, args.headeronly_install_dir.clone().unwrap_or_else(|| below("core"))),
    ];
    if args.xpu {
        dirs.push((managers::XPU, install()));
    }
    dirs
}

fn flags(args: &GenerateArgs) -> Flags {
    Flags {
        per_operator_headers: args.per_operator_headers,
        rocm: args.rocm,
        skip_dispatcher_op_registration: args.skip_dispatcher_op_registration,
        force_schema_registration: args.force_schema_registration,
        update_aoti_c_shim: args.update_aoti_c_shim,
        extend_aoti_c_shim: args.extend_aoti_c_shim,
        xpu: args.xpu,
        python_package: None,
        package_version: None,
        in_python_package: false,
        looks_up_other_keys: false,
        aoti_install_dir: args.aoti_install_dir.clone(),
    }
}

/// The sets of dispatch keys that the flags choose.
struct Keys {
    /// The YAML's kernels for these are ignored.
    ignored: BTreeSet<DispatchKey>,
    /// Registration is generated for these, in order.
    dispatch: Vec<DispatchKey>,
    /// The same without a selection of backends.
    all: Vec<DispatchKey>,
    /// These get `<Key>Functions.h`.
    functions: BTreeSet<DispatchKey>,
    /// AOTInductor shims; `None` is the one that calls the dispatcher.
    aoti: Vec<Option<DispatchKey>>,
    /// `--static-dispatch-backend`
    static_dispatch: Vec<DispatchKey>,
}

impl Keys {
    fn new(args: &GenerateArgs, session: &mut Session) -> Result<Keys, JobError> {
        // Updating the shims updates them for every backend that has one.
        let shims = args.update_aoti_c_shim;
        let flags = [
            (args.mps || shims, OptionalBackend::Mps),
            (args.xpu || shims, OptionalBackend::Xpu),
            (args.mtia, OptionalBackend::Mtia),
        ];
        let built: Vec<_> = flags.into_iter().filter_map(|(built, backend)| built.then_some(backend)).collect();
        let ignored = keys_without(&built, &session.tables);
        let aten = || aten_keys(&session.tables).filter(|row| !ignored.contains(&row.key));
        let mut functions: BTreeSet<_> = aten().filter(|row| row.functions).map(|row| row.key).collect();
        let all: Vec<_> = aten().map(|row| row.key).collect();
        let mut dispatch = all.clone();
        let more_shims = [DispatchKey::MPS, DispatchKey::XPU].into_iter().filter(|key| !ignored.contains(key));
        let shims = [Some(DispatchKey::CPU), Some(DispatchKey::CUDA), None];
        let aoti = shims.into_iter().chain(more_shims.map(Some)).collect();
        // An empty list counts as absent, as in the reference.
        if let Some(names) = args.backend_whitelist.as_ref().filter(|names| !names.is_empty()) {
            let (listed, unknown) = parse_keys("--backend-whitelist", names, &session.tables);
            // Build systems pass one list to several generators, so an unknown name is only a
            // warning.
            unknown.into_iter().for_each(|error| session.diagnostics.push(error.severity(Severity::Warning)));
            dispatch.retain(|key| key.is_generic() || listed.contains(key));
        }
        let names = args.static_dispatch_backend.as_deref().unwrap_or_default();
        let (static_dispatch, unknown) = parse_keys("--static-dispatch-backend", names, &session.tables);
        if !unknown.is_empty() {
            return Err(JobError::Failed(unknown));
        }
        functions.extend(&static_dispatch);
        Ok(Keys { ignored, dispatch, all, functions, aoti, static_dispatch })
    }
}

/// The dispatch keys that a flag names, and an error for each name that is not one.
fn parse_keys(flag: &str, names: &[String], tables: &Tables) -> (Vec<DispatchKey>, Vec<Diagnostic>) {
    let mut keys = Vec::new();
    let mut errors = Vec::new();
    for name in names {
        match DispatchKey::parse(name) {
            Some(key) => keys.push(key),
            None => errors.push(
                Diagnostic::new(&codes::USAGE, format!("{flag}: `{name}` is not a dispatch key"))
                    .maybe_help(did_you_mean(name, aten_keys(tables).map(|row| row.key.as_str()))),
            ),
        }
    }
    (keys, errors)
}
