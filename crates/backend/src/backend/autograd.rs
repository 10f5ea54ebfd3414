//! Derivatives for PyTorch's operators from a backend: nodes, and kernels at the backend's autograd
//! key.
//!
//! Invariant: everything is in the backend's own namespace and uses only what libtorch exports. An
//! operator without a composite kernel gets kernels for all of its variants; a composite operator
//! gets them for the variants that the backend has kernels for.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use torchgen_generators::inputs;

use serde::Serialize;

use super::contract;
use super::external::name_of;
use super::helpers;
use super::input::Parts;
use torchgen_api::autograd::{
    self, DEFAULT_KEY, DifferentiabilityInfos, InfoByKey, NativeFunctionWithDifferentiabilityInfo,
};
use torchgen_api::cpp;
use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_base::render::Fragment;
use torchgen_base::write::OutputFile;
use torchgen_generators::managers;
use torchgen_generators::variable_type::{self, Style};
use torchgen_generators::{AutogradContext, Namespaces, Outcome, autograd_functions};
use torchgen_kit::driver::context::FileContext;
use torchgen_kit::driver::data::Tables;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::group;
use torchgen_model::model::{DispatchKey, NativeFunction, Target};
use torchgen_model::records::BackendRecord;

const STYLE: Style = Style {
    kernel_prefix: "",
    jvp_decompositions: false,
    counts_versions: true,
    calls_operators: false,
    shares_kernels: false,
};

/// What the templates need.
#[derive(Serialize)]
struct Skeleton<'a> {
    /// The directory of the header in includes.
    directory: &'a str,
    /// What files are called after.
    name: &'a str,
    autograd_key: DispatchKey,
    /// The namespace of nodes and kernels.
    autograd: &'a str,
    /// Whether there are nodes.
    nodes: bool,
    /// Whether the author has functions for formulas.
    manual: bool,
    declarations: &'a [Fragment],
    definitions: &'a [Fragment],
    registrations: &'a [Fragment],
}

/// A path in the YAML of a backend, relative to the YAML.
pub(crate) fn beside(yaml: &Path, name: &str) -> PathBuf {
    yaml.parent().map_or_else(|| PathBuf::from(name), |directory| directory.join(name))
}

/// What surrounds the files of a backend.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    /// The backend's YAML.
    pub(super) yaml: &'a Path,
    /// The include path of generated headers.
    pub(super) directory: &'a str,
    /// PyTorch's headers, if they are at hand.
    pub(super) include: Option<&'a Path>,
}

/// The derivatives of a backend.
pub(super) struct Derivatives<'a> {
    /// The backend's key.
    pub(super) key: DispatchKey,
    target: Target<'a>,
    infos: DifferentiabilityInfos<'a>,
    /// The operators that get kernels of them.
    pub(super) matched: autograd::Matched<'a>,
    /// Whether the author has functions for formulas.
    manual: bool,
}

/// What becomes of a backend's derivatives, if it has any.
///
/// # Errors
/// A file cannot be read, or has errors, or those of `finish`.
pub(super) fn read_derivatives<T>(
    record: &BackendRecord,
    place: Place,
    functions: &[NativeFunction],
    tables: &Tables,
    session: &mut Session,
    finish: impl FnOnce(&Derivatives<'_>, &mut Session) -> Result<T, JobError>,
) -> Result<Option<T>, JobError> {
    let Some(name) = &record.derivatives else { return Ok(None) };
    let Some(key) = DispatchKey::parse(&format!("Autograd{}", record.backend)) else {
        let message = format!("`{}` has no autograd key, and so no derivatives", record.backend);
        session.diagnostics.push(Diagnostic::new(&codes::BACKEND_DERIVATIVE, message).at(name.span()));
        return Err(JobError::Input);
    };
    let path = beside(place.yaml, name);
    let target = Target { forward_mode: record.forward_mode, ..Target::backend(tables) };
    let view_groups = group::view_groups(functions, Target::pytorch(tables), &mut session.diagnostics);
    let manual = inputs::read_manual(session, path.parent().unwrap_or(Path::new(".")))?;
    let all: Vec<_> = functions.iter().collect();
    let view_groups: Vec<_> = view_groups.iter().collect();
    let known = autograd::Operators {
        functions: &all,
        view_groups: &view_groups,
        target,
        manual: manual.as_deref().unwrap_or_default(),
    };
    let records = inputs::derivative_records(session, &path)?;
    let mut infos = autograd::load(&records, known, &mut session.diagnostics);
    helpers::check_called_functions(
        &records,
        &helpers::Known { record, yaml: &path, include: place.include, functions: &all },
        session,
    )?;
    session.check_errors()?;
    one_key(&mut infos, key, &mut session.diagnostics);
    let matched = matched(record, functions, &infos, target, &mut session.diagnostics);
    session.check_errors()?;
    let is_served = |f: &NativeFunction| matched.functions.iter().any(|one| std::ptr::eq(one.func, f));
    contract::lost_gradients(record, functions.iter(), tables, is_served, &mut session.diagnostics);
    finish(&Derivatives { key, target, infos, matched, manual: manual.is_some() }, session).map(Some)
}

/// The files of a backend's derivatives, if it has any.
pub(super) fn files(
    record: &BackendRecord,
    place: Place,
    parts: &Parts,
    session: &mut Session,
) -> Result<Vec<OutputFile>, JobError> {
    let files = |derivatives: &Derivatives<'_>, session: &mut Session| made(record, place, parts, derivatives, session);
    Ok(read_derivatives(record, place, parts.functions, parts.tables, session, files)?.unwrap_or_default())
}

/// The files of these derivatives.
fn made(
    record: &BackendRecord,
    place: Place,
    parts: &Parts,
    derivatives: &Derivatives<'_>,
    session: &mut Session,
) -> Result<Vec<OutputFile>, JobError> {
    let Derivatives { key, target, ref infos, ref matched, manual } = *derivatives;
    let namespaces = Namespaces::backend(&record.cpp_namespace);
    let ctx = AutogradContext::new(
        target,
        &namespaces,
        parts.functions,
        matched,
        infos,
        FileContext::new(parts.renderer, managers::CPU),
    );
    let skeleton = Skeleton {
        directory: place.directory,
        name: name_of(record),
        autograd_key: key,
        autograd: &namespaces.autograd,
        nodes: infos.with_derivatives().next().is_some(),
        manual,
        declarations: &[],
        definitions: &[],
        registrations: &[],
    };
    match render(&ctx, &skeleton) {
        Ok(files) => Ok(files),
        Err(errors) => {
            session.diagnostics.extend(errors.0);
            Err(JobError::Input)
        }
    }
}

fn render(ctx: &AutogradContext, skeleton: &Skeleton) -> Outcome {
    let called = skeleton.name;
    let file = |name: String, template: &str, view: &Skeleton| {
        ctx.view_file(&name, &format!("torch/backend/{template}.j2"), view)
    };
    let (declarations, definitions): (Vec<_>, Vec<_>) =
        autograd_functions::nodes(ctx)?.into_iter().map(|node| (node.declaration, node.definition)).unzip();
    let mut files = Vec::new();
    if !declarations.is_empty() {
        let header = Skeleton { declarations: &declarations, ..*skeleton };
        files.push(file(format!("{called}AutogradFunctions.h"), "AutogradFunctions.h", &header)?);
        let source = Skeleton { definitions: &definitions, ..*skeleton };
        files.push(file(format!("{called}AutogradFunctions.cpp"), "AutogradFunctions.cpp", &source)?);
    }
    let kernels = variable_type::kernels(ctx, STYLE)?.into_iter().flat_map(|kernels| kernels.by_key);
    let (definitions, registrations): (Vec<_>, Vec<_>) =
        kernels.map(|kernel| (kernel.definition, kernel.registration)).unzip();
    let definitions: Vec<Fragment> = definitions.into_iter().flatten().collect();
    let source = Skeleton { definitions: &definitions, registrations: &registrations, ..*skeleton };
    files.push(file(format!("{called}VariableType.cpp"), "VariableType.cpp", &source)?);
    Ok(files)
}

/// Leaves each operator one set of formulas: those for the backend's key, or else the default ones.
fn one_key(derivatives: &mut DifferentiabilityInfos, key: DispatchKey, diagnostics: &mut Diagnostics) {
    for by_key in derivatives.by_operator.values_mut() {
        let own = if by_key.contains_key(&key) { key } else { DEFAULT_KEY };
        for (other, info) in by_key.iter().filter(|(other, _)| **other != key && **other != DEFAULT_KEY) {
            let message = format!("these formulas are for `{other}`, but the backend has kernels for `{key}`");
            diagnostics.push(Diagnostic::new(&codes::BACKEND_DERIVATIVE, message).at(info.span));
        }
        let only: InfoByKey = by_key.iter().filter(|(key, _)| **key == own).map(|(k, i)| (*k, i.clone())).collect();
        *by_key = Arc::new(only);
    }
}

/// The operators that get kernels. Those that cannot have any are reported.
fn matched<'a>(
    record: &BackendRecord,
    functions: &'a [NativeFunction],
    derivatives: &DifferentiabilityInfos<'a>,
    target: Target,
    diagnostics: &mut Diagnostics,
) -> autograd::Matched<'a> {
    let infos = || derivatives.by_operator.values().flat_map(|by_key| by_key.values());
    let names: HashSet<&str> = infos().map(|info| info.func.root_name()).collect();
    let mut wanted: Vec<&NativeFunction> = functions.iter().filter(|f| names.contains(f.root_name())).collect();
    wanted.sort_by_cached_key(|f| cpp::name(&f.func));
    let mut matched = autograd::match_differentiability_info(wanted, derivatives, target, diagnostics);
    matched.functions.retain(|one| one.info.is_some() && one.func.is_abstract);
    for info in infos() {
        let serves = |one: &NativeFunctionWithDifferentiabilityInfo| {
            one.info.iter().flat_map(|by_key| by_key.values()).any(|other| std::ptr::eq(other.func, info.func))
        };
        let f = info.func;
        let refuse = |message: String| {
            Diagnostic::new(&codes::BACKEND_DERIVATIVE, message).at(info.span).also(f.spans.func, "the operator")
        };
        let name = &f.func.name;
        if f.has_composite_implicit_autograd_kernel && f.is_view_op() {
            let message = format!("PyTorch composes view `{name}` of other views, and differentiates those");
            diagnostics.push(refuse(message).help("write derivatives of the views that it is composed of"));
        } else if !matched.functions.iter().any(serves) {
            let message = format!("`{name}` is composed of other operators, and the backend has no kernel for it");
            diagnostics.push(refuse(message).help(format!("list `{name}` under `supported`, and write its kernel")));
        }
    }
    for one in &matched.functions {
        let name = one.func.func.name.to_string();
        if let Some(listed) = record.autograd.iter().find(|listed| listed.as_str() == name) {
            let message = format!("`{name}` has both a derivative and a kernel for autograd");
            let derivative = one.info.iter().flat_map(|by_key| by_key.values()).next();
            let found = Diagnostic::new(&codes::BACKEND_DERIVATIVE, message).at(listed.span());
            let found = derivative.into_iter().fold(found, |found, info| found.also(info.span, "the derivative"));
            diagnostics.push(found.help("delete one of them: both would be registered for the same key"));
        }
    }
    matched
}
