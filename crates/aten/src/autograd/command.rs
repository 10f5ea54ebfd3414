//! `torchgen-rs autograd` and `torchgen-rs generate-code`: do the job of PyTorch's tools/autograd.
//!
//! Invariant: both are the same job, with outputs in different places and other names in
//! "@generated" comments; see [`Request`]. Rule: tools/autograd/gen_autograd.py and
//! tools/setup_helpers/generate_code.py.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use torchgen_generators::inputs;

use super::comments::Comments;
use super::request::Request;
use crate::autograd::{annotated_fn_args, python_bindings, trace_type, variable_factories};
use torchgen_api::{autograd, cpp};
use torchgen_base::render::Renderer;
use torchgen_base::write::{Manager, OutputFile};
use torchgen_base::yaml;
use torchgen_generators::{
    AutogradContext, Generator, Namespaces, Outcome, ad_inplace_or_view, autograd_functions, functionalization, gather,
    info, variable_type, view_funcs,
};
use torchgen_kit::driver::context::FileContext;
use torchgen_kit::driver::family::GeneratorInfo;
use torchgen_kit::driver::output::{self, GeneratedFiles, WriteOptions};
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::templates::OverlayJob;
use torchgen_kit::driver::trace::timed;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::group::{self, NativeFunctionsViewGroup};
use torchgen_model::model::NativeFunction;
use torchgen_model::model::Target;
use torchgen_model::model::rules::Rules;
use torchgen_model::model::selector::Selector;
use torchgen_model::records;
use torchgen_model::release;

/// The directory of C++ files.
const CPP: Manager = Manager::new("autograd", Some("autograd_"));
/// The directory of the bindings of view metas.
const VIEW_METAS: Manager = Manager::new("functionalization", None);
/// The directory of Python files.
const PYTHON: Manager = Manager::new("python", Some("python_"));

/// What the generators of autograd's files work on.
struct Inputs<'c, 'a> {
    context: AutogradContext<'c, 'a>,
    /// What the generators of bindings get.
    bindings: python_bindings::Inputs<'c>,
    /// The same for files that Python reads.
    annotated: python_bindings::Inputs<'c>,
    view_groups: &'c [NativeFunctionsViewGroup<'a>],
    selector: &'c Selector,
}

/// A generator of autograd's files.
type AutogradGenerator = Generator<fn(&Request) -> bool, fn(&Inputs) -> Outcome>;

/// All generators of autograd's files, in the order in which they are listed.
#[rustfmt::skip]
const GENERATORS: &[AutogradGenerator] = &[
    Generator { info: info!("autograd", "autograd_functions", "nodes of the backward pass as Python sees them", &["python_functions.h", "python_functions_<N>.cpp"]), when: |r| r.python_bindings, run: |i| autograd_functions::python(&i.context) },
    Generator { info: info!("autograd", "python_bindings", "bindings for Python", &["python_*.cpp", "python_return_types.h"]), when: |r| r.python_bindings, run: |i| python_bindings::run(&i.bindings) },
    Generator { info: info!("autograd", "variable_type", "autograd's kernels", &["VariableType.h", "VariableType_<N>.cpp"]), when: |r| r.libtorch && !r.disable_autograd, run: |i| variable_type::run(&i.context) },
    Generator { info: info!("autograd", "ad_inplace_or_view", "version counters and views", &["ADInplaceOrViewType_<N>.cpp"]), when: |r| r.libtorch && !r.disable_autograd, run: |i| ad_inplace_or_view::run(&i.context) },
    Generator { info: info!("autograd", "trace_type", "kernels that record operators for TorchScript", &["TraceType_<N>.cpp"]), when: |r| r.libtorch && !r.disable_autograd, run: |i| trace_type::run(&i.context) },
    Generator { info: info!("autograd", "autograd_functions", "nodes of the backward pass", &["Functions.h", "Functions.cpp"]), when: |r| r.libtorch, run: |i| autograd_functions::libtorch(&i.context) },
    Generator { info: info!("autograd", "variable_factories", "factory functions of variables", &["variable_factories.h"]), when: |r| r.libtorch, run: |i| variable_factories::run(&i.context) },
    Generator { info: info!("autograd", "view_funcs", "replays of views", &["ViewFuncs.h", "ViewFuncs.cpp"]), when: |r| r.libtorch, run: |i| view_funcs::run(&i.context) },
    Generator { info: info!("autograd", "annotated_fn_args", "signatures for tests of __torch_function__", &["annotated_fn_args.py"]), when: |r| r.annotated, run: |i| annotated_fn_args::run(&i.annotated) },
    Generator { info: info!("autograd", "functionalization", "classes of views as Python sees them", &["ViewMetaClassesPythonBinding.cpp"]), when: |r| r.view_metas.is_some(), run: view_meta_bindings },
];

/// The generators, as `torchgen-rs list` prints them.
pub fn generators() -> impl Iterator<Item = GeneratorInfo> {
    GENERATORS.iter().map(|generator| generator.info)
}

fn view_meta_bindings(inputs: &Inputs) -> Outcome {
    let AutogradContext { files: FileContext { renderer, .. }, namespaces, .. } = inputs.context;
    let contents = functionalization::python_binding(renderer, inputs.view_groups, inputs.selector, namespaces)?;
    Ok(vec![OutputFile::new(VIEW_METAS, functionalization::PYTHON_BINDING, contents)])
}

/// Runs the job.
pub fn generate(request: &Request, session: &mut Session) -> Result<Summary, JobError> {
    let made = make(request, session)?;
    output::write(&WriteOptions { common: &request.common, dry_run: request.dry_run, lists: None }, made, session)
}

/// Makes the files.
pub fn make(request: &Request, session: &mut Session) -> Result<GeneratedFiles, JobError> {
    release::settle(session, request.source_path(), request.torch)?;
    let tables = session.tables.clone();
    let target = Target::pytorch(&tables);
    let tags = inputs::read_tags(session, &request.tags)?;
    let operators = inputs::read_operators(session, &request.native_functions, &tags, &Default::default())?;
    let deprecated = if request.python_bindings {
        inputs::read_deprecated(session, &request.autograd_dir.join("deprecated.yaml"))?
    } else {
        Vec::new()
    };
    let selector = training_selector(session, request)?;
    inputs::report_unmatched(session, &selector, &operators.functions, target);
    // Some files do not need derivatives, which may then have errors or be missing.
    let wanted = request.python_bindings || request.libtorch;
    let path = request.autograd_dir.join("derivatives.yaml");
    let manual = match wanted {
        true => inputs::read_manual_text(session, &request.autograd_dir, target)?,
        false => String::new(),
    };
    if session.diagnostics.has_errors() && wanted {
        let functions: Vec<_> = operators.functions.iter().collect();
        inputs::look_at_derivatives(session, &path, &functions, target, &manual);
    }
    session.fail_on_errors(request.common.strict)?;
    let view_groups = group::view_groups(&operators.functions, target, &mut session.diagnostics);
    let (functions, groups): (Vec<_>, Vec<_>) = (operators.functions.iter().collect(), view_groups.iter().collect());
    let known = autograd::Operators { functions: &functions, view_groups: &groups, target, manual: &manual };
    let derivatives = match wanted {
        true => inputs::read_derivatives(session, &path, known)?,
        false => Default::default(),
    };
    session.fail_on_errors(request.common.strict)?;
    let mut selected: Vec<&NativeFunction> =
        operators.functions.iter().filter(|f| selector.is_native_function_selected_for_training(f)).collect();
    selected.sort_by_cached_key(|f| cpp::name(&f.func));
    let matched = autograd::match_differentiability_info(selected, &derivatives, target, &mut session.diagnostics);
    session.fail_on_errors(request.common.strict)?;

    session.timings.lap("derivatives");
    let renderer = autograd_renderer(session, request)?;
    session.timings.lap("templates");
    let comments = Comments::new(request, &mut session.seen)?;
    let namespaces = Namespaces::aten();
    let files = FileContext {
        renderer: &renderer,
        program: &comments.generator,
        template_dir: &comments.template_dir,
        manager: CPP,
    };
    let ctx = AutogradContext::new(target, &namespaces, &operators.functions, &matched, &derivatives, files);
    let bindings = python_bindings::Inputs {
        functions: &operators.functions,
        tags: &tags,
        deprecated: &deprecated,
        tables: &tables,
        files,
    };
    let annotated = python_bindings::Inputs { files: files.to(PYTHON), ..bindings };
    let inputs = Inputs { context: ctx, bindings, annotated, view_groups: &view_groups, selector: &selector };
    let selected: Vec<_> = GENERATORS.iter().filter(|generator| (generator.when)(request)).collect();
    let made: Vec<_> = selected.par_iter().map(|generator| timed(|| (generator.run)(&inputs))).collect();
    let timings = &mut session.timings;
    let (files, errors) = gather(selected.iter().zip(made).map(|(g, made)| timings.note(g.title(), made)));
    session.timings.lap("generate");
    session.diagnostics.extend(errors);
    session.fail_on_errors(request.common.strict)?;
    session.timings.count_rendered(&renderer);
    let mut installs = vec![(CPP, request.cpp_dir.clone()), (PYTHON, request.python_dir.clone())];
    installs.extend(request.view_metas.iter().map(|view_metas| (VIEW_METAS, view_metas.dir.clone())));
    Ok(GeneratedFiles { installs, files, renderer })
}

/// The templates of the autograd directory, and the one of ATen's that is rendered here.
fn autograd_renderer(session: &mut Session, request: &Request) -> Result<Renderer, JobError> {
    let mut renderer = Renderer::compiled("torch")?;
    Rules::serve(&session.tables, &mut renderer);
    renderer.set_trace(session.trace.clone());
    session.load_templates(&mut renderer, &request.autograd_dir.join("templates"))?;
    if let Some(view_metas) = &request.view_metas {
        let name = functionalization::PYTHON_BINDING;
        session.add_template(&mut renderer, name, &view_metas.templates.join(name))?;
    }
    let mut elsewhere = match &request.beside {
        Some(templates) if !request.common.template_dir.is_empty() => session.template_names(templates),
        _ => Default::default(),
    };
    // This one is rendered here.
    if request.view_metas.is_some() {
        elsewhere.remove(functionalization::PYTHON_BINDING);
    }
    let job = OverlayJob { folder: "autograd", other: "aten", elsewhere };
    session.overlay_templates_of(&mut renderer, &request.common.template_dir, Some(&job))?;
    Ok(renderer)
}

/// The operators that are used in training.
fn training_selector(session: &mut Session, request: &Request) -> Result<Selector, JobError> {
    if let Some(path) = &request.operators_yaml {
        return inputs::selector_from_yaml(session, path);
    }
    let Some(path) = &request.selected_op_list else { return Ok(Selector::nop()) };
    let root = session.read_yaml(path, yaml::Options::SAFE_LOAD)?;
    let names = records::read_names(root, &mut session.diagnostics);
    // All overloads are selected, whichever are named.
    let bases = names.iter().map(|name| (name.as_str().split('.').next().unwrap_or_default(), Some(name.span())));
    Ok(Selector::for_training(bases))
}
