//! `torchgen-rs lazy-tensor`: does the job of torchgen's `run_gen_lazy_tensor`, whose parameters
//! are flags here.
//!
//! Invariant: same parameters, same files. Rule: torchgen/gen_lazy_tensor.py.

use std::path::{Path, PathBuf};

use super::files::{LazyBackend, OtherNode};
use super::{Names, Options};
use crate::backend::command::stubs;
use crate::backend::input::{Input, Parts, with_context};
use crate::backend::{Decided, External, Style, check, impl_path, operators};
use torchgen_base::diag::{Diagnostic, Severity};
use torchgen_base::render::Renderer;
use torchgen_base::write::{Manager, OutputFile};
use torchgen_generators::args::{GenerateCodeArgs, LazyTensorArgs};
use torchgen_generators::decider::Decider;
use torchgen_generators::hooks::Hooks;
use torchgen_generators::managers;
use torchgen_generators::{Context, Errors, Flags, gather, info};
use torchgen_kit::driver::family::GeneratorInfo;
use torchgen_kit::driver::output::{self, GeneratedFiles, WriteOptions};
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::templates::OverlayJob;
use torchgen_kit::driver::{JobError, Session, discard};
use torchgen_model::codes;
use torchgen_model::group::{self, Grouped};
use torchgen_model::model::rules::Rules;
use torchgen_model::model::{NativeFunction, Target};
use torchgen_model::parse::{operator_name, schema};
use torchgen_model::records::BackendRecord;
use torchgen_model::torch::Torch;

/// The program that the files' comments name.
pub(super) const GENERATOR: &str = "torchgen/gen_lazy_tensor.py";

/// The inputs and settings of a run.
pub struct Request<'a> {
    /// The names and the parts to generate.
    pub(crate) options: &'a Options,
    /// The sources of hand-written kernels to check.
    pub impl_path: &'a [PathBuf],
    /// Per-operator headers are included.
    pub per_operator_headers: bool,
    /// The header of shape functions is checked.
    pub(crate) checks_shapes: bool,
    /// Warnings are errors.
    pub(crate) strict: bool,
}

/// What `torchgen-rs list` prints.
#[rustfmt::skip]
pub const GENERATOR_INFO: GeneratorInfo = info!("lazy-tensor", "lazy", "a lazy backend: nodes, kernels, registration", &["LazyIr.h", "LazyNonNativeIr.h", "<Key>NativeFunctions.h", "<Key>NativeFunctions.cpp"]);

/// Runs the job.
///
/// # Errors
/// The inputs have errors, or a file cannot be read or written.
pub fn generate(args: &LazyTensorArgs, operators: operators::Make, session: &mut Session) -> Result<Summary, JobError> {
    let common = &args.backend.common;
    let input = Input::read_backend(&args.backend, session)?;
    let mut renderer = session.renderer_with("torch", &input.torch.templates(), &common.template_dir)?;
    Rules::serve(&session.tables, &mut renderer);
    operators::serve(operators, &input.torch, &input.record, &args.backend, &mut renderer, session)?;
    session.timings.lap("templates");
    let request = Request {
        options: &Options::from(args),
        impl_path: &args.backend.impl_path,
        per_operator_headers: args.per_operator_headers,
        checks_shapes: !args.skip_shape_inference_check,
        strict: common.strict,
    };
    let files = make(&request, input, &renderer, session)?;
    session.timings.count_rendered(&renderer);
    let lists = args.backend.output_dependencies.as_deref();
    let options = WriteOptions { common, dry_run: args.backend.is_dry_run(), lists };
    output::write(
        &options,
        GeneratedFiles { installs: vec![(managers::CPU, args.backend.output_dir.clone())], files, renderer },
        session,
    )
}

/// The destination of the files that `generate-code` makes beside autograd's.
const LAZY: Manager = Manager::new("lazy", None);

/// PyTorch's own lazy backend, made by `generate-code --gen-lazy-ts-backend` beside autograd's
/// files.
///
/// Rule: tools/setup_helpers/generate_code.py, `main`.
pub fn beside_autograd(
    args: &GenerateCodeArgs,
    made: &mut GeneratedFiles,
    session: &mut Session,
) -> Result<(), JobError> {
    let aten = args.native_functions_path.parent().and_then(Path::parent).unwrap_or(Path::new("")).to_owned();
    let dir = args.install_dir.clone().unwrap_or_else(|| args.gen_dir.join("torch/csrc")).join("lazy/generated");
    let torch = Torch { autograd: args.autograd_dir.clone(), include: None, aten };
    let mut renderer = session.renderer_with("torch", &torch.templates(), &[])?;
    Rules::serve(&session.tables, &mut renderer);
    let overlays = &args.common.template_dir;
    if !overlays.is_empty() {
        let elsewhere = session.template_names(&args.autograd_dir.join("templates"));
        let job = OverlayJob { folder: "aten", other: "autograd", elsewhere };
        session.overlay_templates_of(&mut renderer, overlays, Some(&job))?;
    }
    let input = Input::from_record(
        torch.clone(),
        None,
        &torch.aten.join("native/ts_native_functions.yaml"),
        args.common.strict,
        session,
    )?;
    let node = "torch/csrc/lazy/ts_backend/ts_node.h".to_owned();
    let options = Options {
        names: Names { node_base: "TsNode".to_owned(), node_base_hdr: Some(node), ..Names::default() },
        ts_lowerings: true,
        lazy_shape: true,
        forced_fallback: true,
        in_tree: true,
        directory: dir.to_string_lossy().into_owned(),
        generator: "tools/setup_helpers/generate_code.py".to_owned(),
    };
    let request = Request {
        options: &options,
        impl_path: &[PathBuf::from("torch/csrc/lazy/ts_backend/ts_native_functions.cpp")],
        per_operator_headers: args.per_operator_headers,
        checks_shapes: true,
        strict: args.common.strict,
    };
    let mut files = make(&request, input, &renderer, session)?;
    files.iter_mut().for_each(|file| file.manager = LAZY);
    made.installs.push((LAZY, dir));
    made.files.extend(files);
    Ok(())
}

/// Makes the files of a lazy backend.
///
/// # Errors
/// The inputs have errors, or a file cannot be read.
pub(crate) fn make(
    request: &Request,
    input: Input,
    renderer: &Renderer,
    session: &mut Session,
) -> Result<Vec<OutputFile>, JobError> {
    let Input { record, functions, mut indices, tags, .. } = input;
    let tables = session.tables.clone();
    let mut grouped = group::group(&functions, Target::pytorch(&tables), &mut session.diagnostics);
    check::check_backend(&record, &grouped, &indices, &tables, &mut session.diagnostics);
    let others = other_nodes(&record, session);
    session.fail_on_errors(request.strict)?;
    grouped.sort_by_cached_key(functional_name);
    session.timings.lap("group");

    let Some(mut external) = External::new(&record, &functions, &grouped, &mut indices) else {
        let message = "nothing can be generated: the backend has no kernels below autograd";
        let none = Diagnostic::new(&codes::NOTHING_FOR_BACKEND, message).severity(Severity::Error);
        session
            .diagnostics
            .push(none.at(record.backend.span()).help("list operators under `full_codegen` or `supported`"));
        return Err(JobError::Input);
    };
    // The reference does not check `class_name` here.
    external.class_name = format!("{}NativeFunctions", external.key);
    let generated = record.full_codegen.iter().filter_map(|name| operator_name(name).ok()).collect();
    let expected = impl_path::Expected {
        external: &external,
        record: &record,
        functions: &functions,
        grouped: &grouped,
        indices: &indices,
        generated: &generated,
    };
    impl_path::check_kernel_sources(request.impl_path, &expected, session)?;
    let options = request.options;
    let shapes = match request.checks_shapes {
        true => Some(session.read_bytes(Path::new(&options.names.shape_inference_hdr))?),
        false => None,
    };
    let shapes = shapes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let style = Style {
        directory: &options.directory,
        in_tree: options.in_tree,
        deferred: Some(&options.names.backend_name),
        generator: &options.generator,
        hooks: Hooks::from_record(&record),
        guards: &record.guards,
        kernels: &record.kernels,
        decided: None,
    };
    let flags = Flags { per_operator_headers: request.per_operator_headers, ..Flags::default() };
    let mut parts = Parts {
        functions: &functions,
        indices: &indices,
        grouped: &grouped,
        tags: &tags,
        flags: &flags,
        renderer,
        tables: &tables,
    };
    let lazy = LazyBackend { options, record: &record, external: &external, others: &others, decided: None };
    let (mut decided, mut changed) = (None, None);
    if let Some(decider) = Decider::of_session(session) {
        let made = decide(&decider, &lazy, &parts, session)?;
        let mut own = indices.clone();
        made.rename(&mut own);
        let guarded = made.guarded(&functions, &external, &mut own);
        (decided, changed) = (Some(made), Some((own, guarded)));
    }
    let mut regrouped;
    if let Some((own, guarded)) = &changed {
        parts.indices = own;
        if let Some(guarded) = guarded {
            regrouped = group::group(guarded, Target::pytorch(&tables), &mut session.diagnostics);
            regrouped.sort_by_cached_key(functional_name);
            (parts.functions, parts.grouped) = (guarded, &regrouped);
        }
    }
    let (style, lazy) =
        (Style { decided: decided.as_ref(), ..style }, LazyBackend { decided: decided.as_ref(), ..lazy });
    let (mut files, mut found) = with_context(&parts, |ctx| {
        gather([stubs(ctx, &external, &style, &options.names.backend_name), lazy.files(ctx)])
    });
    if let Some(shapes) = &shapes {
        let undeclared = with_context(&parts, |ctx| lazy.undeclared(ctx, shapes));
        found.extend(undeclared.unwrap_or_else(|errors| errors.0));
    }
    session.diagnostics.extend(found);
    let hooks = Hooks::from_record(&record);
    hooks.apply(&mut files, renderer, &mut session.diagnostics)?;
    session.timings.lap("generate");
    session.fail_on_errors(request.strict)?;
    drop((grouped, others));
    discard((functions, indices));
    Ok(files)
}

/// Asks the caller of the program about all operators and nodes.
///
/// # Errors
/// A part cannot be made, or the caller's code failed.
fn decide(
    decider: &Decider,
    lazy: &LazyBackend<'_>,
    parts: &Parts,
    session: &mut Session,
) -> Result<Decided, JobError> {
    let more = |ctx: &Context<'_>, f: &NativeFunction| lazy.parts(ctx, f);
    let mut decided = Decided::of_operators(decider, (lazy.external, &lazy.record.guards), parts, &more, session)?;
    match with_context(parts, |ctx| lazy.other_parts(ctx)) {
        Ok(others) => {
            for (func, parts) in &others {
                decided.of_node(decider, func, parts, session)?;
            }
        }
        Err(Errors(found)) => session.diagnostics.extend(found),
    }
    session.check_errors()?;
    Ok(decided)
}

/// The sort key of groups.
fn functional_name(item: &Grouped) -> String {
    match item {
        Grouped::Function(f) => f.func.name.name.to_string(),
        Grouped::Group(g) => g.functional.func.name.name.to_string(),
    }
}

/// The nodes that are not operators.
fn other_nodes<'a>(record: &'a BackendRecord, session: &mut Session) -> Vec<OtherNode<'a>> {
    let mut found = Vec::new();
    for node in &record.non_native {
        match schema::whole_schema(&node.func, &session.tables) {
            Ok(located) => {
                let spans = located.spans(&node.func);
                found.push(OtherNode { record: node, func: located.schema, spans });
            }
            Err(error) => session.diagnostics.push(error.at_text(&node.func)),
        }
    }
    found
}
