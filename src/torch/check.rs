//! `torchgen-rs check`: finds all errors in the YAML files of a source path at once.
//!
//! Invariant: nothing is written, and consequences of other errors are not reported. In a library
//! this reports everything that `generate` would report. ATen's generators are not run, since they
//! would take longer than all of this; errors that only the C++ or Python of an operator shows are
//! found by `generate`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use torchgen_generators::inputs;
use torchgen_kit::driver::data::Tables;

use torchgen_api::autograd;
use torchgen_aten::aten::tensor_body;
use torchgen_backend::backend::{check as backend, command as backend_command};
use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_base::yaml;
use torchgen_generators::args::CheckFlags;
use torchgen_generators::functionalization;
use torchgen_generators::inputs::{Operators, standard_tags};
use torchgen_generators::layout::{self, Layout};
use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::{JobError, Session};
use torchgen_library::run::{self as library, Purpose};
use torchgen_model::codes;
use torchgen_model::group;
use torchgen_model::group::deprecated::match_deprecated;
use torchgen_model::group::{NativeFunctionsGroup, NativeFunctionsViewGroup};
use torchgen_model::model::NativeFunction;
use torchgen_model::model::Target;
use torchgen_model::parse::entry::EntryOptions;
use torchgen_model::records::{self, FileKind};
use torchgen_model::release;

/// Checks sources without a family: those of PyTorch one by one, those of a library together.
///
/// # Errors
/// A file cannot be read, or the flags do not fit.
pub(super) fn check_without_family(
    sources: &[PathBuf],
    flags: &CheckFlags,
    common: &CommonArgs,
    session: &mut Session,
) -> Result<(), JobError> {
    let mut unreadable = Vec::new();
    let mut library_paths = Vec::new();
    for path in sources {
        match layout::find(std::slice::from_ref(path), flags.layout, session)? {
            Layout::Aten => session.apart(|session| aten(path, flags, common, session, &mut unreadable)),
            Layout::Library => library_paths.push(path.clone()),
        }
    }
    if !library_paths.is_empty() {
        if library_paths.len() == sources.len() && !flags.backend_yaml.is_empty() {
            return Err(Diagnostic::new(&codes::USAGE, "`--backend-yaml` needs PyTorch's own source path").into());
        }
        if library_paths.len() == sources.len() {
            flags.release.not_for_a_library(&library_paths[0])?;
        }
        let library_args = flags.generate(&library_paths, common)?;
        session.apart(|session| {
            keep(library::make(&library_args, Purpose::Library, session), &mut unreadable);
            for path in session.distinct(&flags.op_selection_yaml_path) {
                keep(inputs::selector_from_yaml(session, path), &mut unreadable);
            }
        });
    }
    if unreadable.is_empty() { Ok(()) } else { Err(JobError::Failed(unreadable)) }
}

/// The value, if there is one. Unreadable files are recorded; errors are already in the session,
/// which also knows that it was stopped.
fn keep<T>(result: Result<T, JobError>, unreadable: &mut Vec<Diagnostic>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(JobError::Input | JobError::Stopped) => None,
        Err(JobError::Failed(reasons)) => {
            unreadable.extend(reasons);
            None
        }
    }
}

/// Checks PyTorch's own files.
fn aten(
    source_path: &Path,
    flags: &CheckFlags,
    common: &CommonArgs,
    session: &mut Session,
    unreadable: &mut Vec<Diagnostic>,
) {
    if keep(release::settle(session, source_path, flags.release.torch), unreadable).is_none() {
        return;
    }
    let tables = session.tables.clone();
    let target = Target::pytorch(&tables);
    let native = source_path.join("native");
    // If tags.yaml has no syntax tree at all, libtorch's tags are the best guess.
    let tags = keep(inputs::read_tags(session, &native.join("tags.yaml")), unreadable)
        .unwrap_or_else(|| standard_tags(&tables));
    let path = native.join("native_functions.yaml");
    let options = EntryOptions { target, valid_tags: &tags, ignore_keys: &BTreeSet::new() };
    let entries = keep(inputs::read_entries(session, &path, options), unreadable);
    let (entries, unread) = entries.map_or((None, BTreeSet::new()), |read| (Some(read.entries), read.unread));
    let operators = entries.map(|entries| Operators::new(entries, &unread, target, &mut session.diagnostics));
    let functions = operators.as_ref().map_or(&[][..], |operators| &operators.functions);
    let sound = operators.is_some() && !session.diagnostics.has_errors();
    let (groups, view_groups) = match sound {
        true => (
            group::group(functions, target, &mut session.diagnostics),
            group::view_groups(functions, target, &mut session.diagnostics),
        ),
        false => Default::default(),
    };
    let without_self: Vec<Diagnostic> = functions.iter().filter_map(tensor_body::without_self).collect();
    if !session.diagnostics.has_errors() {
        let found = not_functionalizable(functions, &group::groups(&groups), &view_groups, &tables);
        session.diagnostics.extend(found);
    } else if let Some(operators) = &operators {
        let mut unused = Diagnostics::new();
        let functions = operators.without_errors(&unread, target, &session.diagnostics, &mut unused);
        let groups = group::group(&functions, target, &mut unused);
        let view_groups = group::view_groups(&functions, target, &mut unused);
        // If the rest has errors in groups, those are reported already.
        if !unused.has_errors() {
            session.diagnostics.extend(not_functionalizable(
                &functions,
                &group::groups(&groups),
                &view_groups,
                &tables,
            ));
        }
    }
    session.diagnostics.extend(without_self);
    session.timings.lap("group");
    for path in session.distinct(&flags.op_selection_yaml_path) {
        if let Some(selector) = keep(inputs::selector_from_yaml(session, path), unreadable).filter(|_| sound) {
            inputs::report_unmatched(session, &selector, functions, target);
        }
    }
    let templates = source_path.join("templates");
    for path in session.distinct(&flags.backend_yaml) {
        // The errors of one file say nothing about the next.
        let before = std::mem::take(&mut session.diagnostics);
        let root = keep(inputs::read_kind(session, path, yaml::Options::OPERATORS, FileKind::Backend), unreadable);
        let record = root.and_then(|root| records::read_backend(root, &mut session.diagnostics));
        if let (Some(record), Some(operators)) = (record.filter(|_| sound), &operators) {
            backend::check_backend(&record, &groups, &operators.indices, &tables, &mut session.diagnostics);
            if !session.diagnostics.has_errors() {
                keep(backend_command::check_more(&record, path, &templates, operators, common, session), unreadable);
            }
        }
        let found = std::mem::replace(&mut session.diagnostics, before);
        session.diagnostics.extend(found);
    }
    let dir = autograd_dir(source_path, flags.autograd_dir.as_deref(), session).map_err(JobError::from);
    let Some(dir) = keep(dir, unreadable).flatten() else { return };
    let path = dir.join("derivatives.yaml");
    let Some(manual) = keep(inputs::read_manual_text(session, &dir, target), unreadable) else { return };
    let (all, groups): (Vec<&NativeFunction>, Vec<_>) = (functions.iter().collect(), view_groups.iter().collect());
    if sound {
        let known = autograd::Operators { functions: &all, view_groups: &groups, target, manual: &manual };
        if let Some(derivatives) = keep(inputs::read_derivatives(session, &path, known), unreadable)
            && !session.diagnostics.has_errors()
        {
            let all = all.iter().copied();
            autograd::match_differentiability_info(all, &derivatives, target, &mut session.diagnostics);
        }
    } else {
        inputs::look_at_derivatives(session, &path, &all, target, &manual);
    }
    session.timings.lap("derivatives");
    let path = dir.join("deprecated.yaml");
    if let Some(deprecated) = keep(inputs::read_deprecated(session, &path), unreadable).filter(|_| sound) {
        match_deprecated(&deprecated, &all, &mut session.diagnostics);
    }
    session.timings.lap("deprecated");
}

/// The operators that functionalization would refuse, without running it.
fn not_functionalizable(
    functions: &[NativeFunction],
    groups: &[NativeFunctionsGroup<'_>],
    view_groups: &[NativeFunctionsViewGroup<'_>],
    tables: &Tables,
) -> Vec<Diagnostic> {
    let mut found = functionalization::without_counterpart(functions, groups, view_groups, tables);
    found.extend(functionalization::unreplayable(view_groups, tables));
    found
}

/// The directory of derivatives.yaml and deprecated.yaml in PyTorch's layout: the given one, or
/// that of a checkout if the files exist.
///
/// # Errors
/// The derivatives.yaml of the checkout is not a file.
pub(crate) fn autograd_dir(
    source_path: &Path,
    given: Option<&Path>,
    session: &mut Session,
) -> Result<Option<PathBuf>, Diagnostic> {
    if let Some(dir) = given {
        return Ok(Some(dir.to_owned()));
    }
    let root = source_path.ancestors().nth(3).filter(|root| *root != Path::new("/"));
    let Some(root) = root else { return Ok(None) };
    let dir = root.join("tools").join("autograd");
    Ok(session.is_given(&dir.join("derivatives.yaml"))?.then_some(dir))
}
