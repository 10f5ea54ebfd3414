//! `torchgen-rs backend-stubs`: does the job of `python -m torchgen.gen_backend_stubs`.
//!
//! Invariant: same flags, same files. Rule: torchgen/gen_backend_stubs.py, `run`.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use super::input::{Input, Parts, own_kernels, with_context};
use super::{Decided, External, Style, autograd, header, impl_path, operators, registration};
use torchgen_aten::aten::aoti_shim::external as aoti_shim;
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::Renderer;
use torchgen_base::write::OutputFile;
use torchgen_base::yaml::Text;
use torchgen_generators::args::{BackendStubsArgs, everything_of};
use torchgen_generators::decider::Decider;
use torchgen_generators::hooks::Hooks;
use torchgen_generators::inputs::Operators;
use torchgen_generators::managers;
use torchgen_generators::{Context, Flags, Outcome, gather, info};
use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::family::GeneratorInfo;
use torchgen_kit::driver::output::{self, GeneratedFiles, WriteOptions};
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::templates::OverlayJob;
use torchgen_kit::driver::{JobError, Session, discard};
use torchgen_library::run::{self, Purpose};
use torchgen_model::codes;
use torchgen_model::group;
use torchgen_model::model::Target;
use torchgen_model::model::rules::Rules;
use torchgen_model::parse::schema;
use torchgen_model::records::BackendRecord;

/// The program that the files' comments name.
const GENERATOR: &str = "torchgen/gen_backend_stubs.py";

/// What `torchgen-rs list` prints.
#[rustfmt::skip]
pub const GENERATOR_INFO: GeneratorInfo = info!("backend-stubs", "backend", "registration of an external backend's kernels", &["<Key>NativeFunctions.h", "Register<Key>.cpp", "RegisterAutograd<Key>.cpp"]);

/// Runs the job.
///
/// # Errors
/// The inputs have errors, or a file cannot be read or written.
pub fn generate(
    args: &BackendStubsArgs,
    operators: operators::Make,
    session: &mut Session,
) -> Result<Summary, JobError> {
    let args = &args.backend;
    let (renderer, input) = rayon::join(|| Renderer::compiled("torch"), || Input::read_backend(args, session));
    let (mut renderer, Input { torch, record, functions, mut indices, tags }) = (renderer?, input?);
    let tables = session.tables.clone();
    Rules::serve(&tables, &mut renderer);
    let grouped = group::group(&functions, Target::pytorch(&tables), &mut session.diagnostics);
    super::check::check_backend(&record, &grouped, &indices, &tables, &mut session.diagnostics);
    session.fail_on_errors(args.common.strict)?;
    session.timings.lap("group");

    let external = External::new(&record, &functions, &grouped, &mut indices);
    let decider = Decider::of_session(session);
    if external.is_none() {
        let message = "no kernels are registered: the backend has none below autograd".to_owned();
        let help = "list the operators that the backend has kernels for under `supported`";
        let found = Diagnostic::new(&codes::NOTHING_FOR_BACKEND, message).at(record.backend.span());
        session.diagnostics.push(found.help(help));
    }
    if external.is_some() || record.derivatives.is_some() {
        session.load_templates(&mut renderer, &torch.templates())?;
        session.overlay_templates(&mut renderer, &args.common.template_dir)?;
        operators::serve(operators, &torch, &record, args, &mut renderer, session)?;
        session.timings.lap("templates");
    }
    let directory = args.output_dir.to_string_lossy();
    let flags = Flags::default();
    let mut parts = Parts {
        functions: &functions,
        indices: &indices,
        grouped: &grouped,
        tags: &tags,
        flags: &flags,
        renderer: &renderer,
        tables: &tables,
    };
    let (mut decided, mut changed) = (None, None);
    if let (Some(external), Some(decider)) = (&external, &decider) {
        let made = Decided::of_operators(
            decider,
            (external, &record.guards),
            &parts,
            &|_, _| Ok(Default::default()),
            session,
        )?;
        let mut own = indices.clone();
        made.rename(&mut own);
        let guarded = made.guarded(&functions, external, &mut own);
        (decided, changed) = (Some(made), Some((own, guarded)));
    }
    let regrouped;
    if let Some((own, guarded)) = &changed {
        parts.indices = own;
        if let Some(guarded) = guarded {
            regrouped = group::group(guarded, Target::pytorch(&tables), &mut session.diagnostics);
            (parts.functions, parts.grouped) = (guarded, &regrouped);
        }
    }
    let mut files = Vec::new();
    if let Some(external) = &external {
        let (record, functions, grouped, indices) = (&record, parts.functions, parts.grouped, parts.indices);
        let expected =
            impl_path::Expected { external, record, functions, grouped, indices, generated: &HashSet::new() };
        impl_path::check_kernel_sources(&args.impl_path, &expected, session)?;
        let generator = args.generated_by.as_deref().unwrap_or(GENERATOR);
        files = kernels(external, record, decided.as_ref(), &directory, generator, &parts, session);
    }
    let place = autograd::Place { yaml: &args.source_yaml, directory: &directory, include: torch.include.as_deref() };
    files.extend(autograd::files(&record, place, &parts, session)?);
    let templates = session.template_names(&torch.templates());
    files.extend(own_operators(&record, &args.source_yaml, &args.common, templates, session)?);
    let hooks = Hooks::from_record(&record);
    hooks.apply(&mut files, &renderer, &mut session.diagnostics).map_err(|error| error.diagnostic())?;
    session.timings.lap("generate");
    session.fail_on_errors(args.common.strict)?;
    drop(grouped);
    discard((functions, indices));
    session.timings.count_rendered(&renderer);
    let lists = args.output_dependencies.as_deref();
    let options = WriteOptions { common: &args.common, dry_run: args.is_dry_run(), lists };
    // One list has all files, those of the backend's own operators too.
    let files = files.into_iter().map(|file| OutputFile { manager: managers::CPU, ..file }).collect();
    let installs = vec![(managers::CPU, args.output_dir.clone())];
    output::write(&options, GeneratedFiles { installs, files, renderer }, session)
}

/// The stubs and the C shim, with the directory and the program in comments. Errors are
/// diagnostics.
fn kernels(
    external: &External,
    record: &BackendRecord,
    decided: Option<&Decided>,
    directory: &str,
    generator: &str,
    parts: &Parts,
    session: &mut Session,
) -> Vec<OutputFile> {
    let style = Style {
        directory,
        in_tree: false,
        deferred: None,
        generator,
        hooks: Hooks::from_record(record),
        guards: &record.guards,
        kernels: &record.kernels,
        decided,
    };
    let (files, found) =
        with_context(parts, |ctx| gather([stubs(ctx, external, &style, ""), shims(ctx, external, record, directory)]));
    session.diagnostics.extend(found);
    files
}

/// The C shim, if the backend has one.
fn shims(ctx: &Context, external: &External, record: &BackendRecord, directory: &str) -> Outcome {
    let Some(shim) = &record.aoti_shim else { return Ok(Vec::new()) };
    let operators: Vec<&str> = shim.operators.iter().map(Text::as_str).collect();
    let device = shim.device.as_ref().map_or_else(|| external.key.lower(), Text::to_string);
    let shims = aoti_shim::External { key: external.key, device: &device, directory, operators: &operators };
    aoti_shim::run(ctx, &shims)
}

/// Looks for what is wrong with the files that the YAML of a backend names.
pub fn check_more(
    record: &BackendRecord,
    yaml: &Path,
    templates: &Path,
    operators: &Operators,
    common: &CommonArgs,
    session: &mut Session,
) -> Result<(), JobError> {
    let tables = session.tables.clone();
    for node in &record.non_native {
        if let Err(error) = schema::whole_schema(&node.func, &tables) {
            session.diagnostics.push(error.at_text(&node.func));
        }
    }
    let mut files = Vec::new();
    let hooks = Hooks::from_record(record);
    if record.derivatives.is_some() || !hooks.is_empty() {
        let mut functions = operators.functions.clone();
        own_kernels(record, &mut functions);
        let grouped = group::group(&functions, Target::pytorch(&tables), &mut session.diagnostics);
        let mut indices = operators.indices.clone();
        let mut renderer = Renderer::new("torch")?;
        Rules::serve(&session.tables, &mut renderer);
        // Only hooks need the stubs themselves.
        let mut external = None;
        if !hooks.is_empty() {
            external = External::new(record, &functions, &grouped, &mut indices);
            session.load_templates(&mut renderer, templates)?;
        }
        let parts = Parts {
            functions: &functions,
            indices: &indices,
            grouped: &grouped,
            tags: &BTreeSet::new(),
            flags: &Flags::default(),
            renderer: &renderer,
            tables: &tables,
        };
        if let Some(external) = &external {
            files = kernels(external, record, None, "", GENERATOR, &parts, session);
        }
        let place = autograd::Place { yaml, directory: "", include: None };
        files.extend(autograd::files(record, place, &parts, session)?);
    }
    files.extend(own_operators(record, yaml, common, BTreeSet::new(), session)?);
    let sound = !session.diagnostics.has_errors();
    // A lazy backend has files of its own.
    if sound && record.full_codegen.is_empty() && record.non_native.is_empty() {
        hooks.report_unused(&files, &mut session.diagnostics);
    } else {
        hooks.rules(&mut session.diagnostics);
    }
    Ok(())
}

/// The files of the backend's own operators, if it has any. PyTorch's templates are not the
/// library's.
fn own_operators(
    record: &BackendRecord,
    yaml: &Path,
    common: &CommonArgs,
    templates: BTreeSet<String>,
    session: &mut Session,
) -> Result<Vec<OutputFile>, JobError> {
    let Some(name) = &record.library else { return Ok(Vec::new()) };
    let args = everything_of(&[autograd::beside(yaml, name)], common.clone())?;
    let job = OverlayJob { folder: "library", other: "backend", elsewhere: templates };
    Ok(run::make(&args, Purpose::Backend(&job), session)?.files)
}

/// The header and the sources of a backend.
///
/// # Errors
/// A kernel has a shape that is not supported.
pub(crate) fn stubs(ctx: &Context, external: &External, style: &Style, backend_name: &str) -> Outcome {
    let mut files = vec![header::file(ctx, external, style.kernels, backend_name)?];
    for key in external.keys() {
        files.push(registration::file(ctx, external, key, style)?);
    }
    Ok(files)
}
