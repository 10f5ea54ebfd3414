//! All files of a library, made from what its own files declare.
//!
//! Invariant: each namespace gets a directory tree of its own, unless there is only one.

use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::Purpose;
use super::checked::CheckedLibrary;
use super::derivatives::Formulas;
use super::flags;
use super::namespace::{self, Namespace, NamespaceFiles, Shared};
use super::package;
use super::source::LibrarySource;
use crate::library::kernels;
use crate::library::settings::Settings;
use crate::library::{MANAGER, laid_out, python};
use torchgen_api::autograd::Operators;
use torchgen_base::diag::Diagnostics;
use torchgen_base::render::Renderer;
use torchgen_base::write::OutputFile;
use torchgen_generators::args::GenerateArgs;
use torchgen_generators::inputs;
use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::output::GeneratedFiles;
use torchgen_kit::driver::templates::OverlayJob;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::group;
use torchgen_model::model::Target;
use torchgen_model::model::rules::Rules;

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
    Rules::serve(&session.tables, &mut renderer);
    session.overlay_templates_of(&mut renderer, &common.template_dir, job)?;
    Ok(renderer)
}

/// Makes the files of a library that was read.
pub fn make_from(
    source: LibrarySource,
    settings: Settings,
    args: &GenerateArgs,
    purpose: Purpose,
    session: &mut Session,
) -> Result<GeneratedFiles, JobError> {
    let (library, mut stock) = CheckedLibrary::new(source, settings, args, session)?;
    let tables = session.tables.clone();
    let renderer = renderer(&library.source.paths.root, &args.common, purpose.overlays(), session)?;
    session.timings.lap("templates");
    let view_groups = library.view_groups(&tables, &mut session.diagnostics);
    let formulas = Formulas::read_formulas(&library, session)?;
    let in_bodies = library.functions_in_bodies();
    let target = Target::library(&tables);
    let groups = in_bodies.iter().flat_map(|own| group::view_groups(own, target, &mut Diagnostics::new()));
    let groups: Vec<_> = groups.collect();
    let known = Operators {
        functions: &in_bodies.iter().flatten().collect::<Vec<_>>(),
        view_groups: &groups.iter().collect::<Vec<_>>(),
        target: library.formula_target(&tables),
        manual: formulas.manual(),
    };
    let derivatives = formulas.differentiate(&library, known, &mut stock, session)?;
    let libraries = &library.source.libraries;
    let flags = flags::flags_of(args, package::name(args, libraries, &tables)?);
    let sources: Vec<PathBuf> = args.kernels.iter().filter(|path| !path.as_os_str().is_empty()).cloned().collect();
    let kernels = match sources.as_slice() {
        [] => None,
        paths => Some(kernels::read_sources(paths, session)?),
    };
    let shared = Shared {
        library: &library,
        formulas: &formulas,
        derivatives: &derivatives,
        flags: &flags,
        renderer: &renderer,
        kernels: kernels.as_ref(),
        args,
        tables: &tables,
    };
    let mut made = Vec::new();
    for (((name, operators), view_groups), in_bodies) in libraries.iter().zip(&view_groups).zip(&in_bodies) {
        let namespace = Namespace { name, operators, view_groups, in_bodies };
        made.push((name.as_str(), namespace::files(&shared, namespace, session)?));
    }
    let files = gathered(&shared, made, session)?;
    if let Some(package) = &flags.python_package {
        package::refuse_replaced(package, &args.python_modules, &files)?;
    }
    let traced = session.trace.is_some();
    // Nobody reads the text in a run that only checks, and laying out takes a quarter of it.
    let mut files = match session.checks_only && !traced && args.hooks.is_none() {
        true => files,
        false => files.into_par_iter().map(|file| laid_out(file, traced)).collect(),
    };
    inputs::apply_hooks(session, args.hooks.as_deref(), &mut files, &renderer)?;
    let installs = vec![(MANAGER, args.install_dir.clone())];
    session.timings.count_rendered(&renderer);
    Ok(GeneratedFiles { installs, files, renderer })
}

/// The files of all namespaces, and those that they share.
fn gathered(
    shared: &Shared,
    made: Vec<(&str, NamespaceFiles)>,
    session: &mut Session,
) -> Result<Vec<OutputFile>, JobError> {
    let alone = made.len() == 1;
    let (mut files, mut parts) = (Vec::new(), Vec::new());
    for (namespace, own) in made {
        // A single namespace needs no folder of its own, and one package has them all.
        let tree = if alone { String::new() } else { format!("{}/", namespace.replace("::", "/")) };
        let is_shared = |file: &OutputFile| own.part.is_some() && file.path.starts_with("python/");
        files.extend(own.files.into_iter().map(|file| if is_shared(&file) { file } else { file.below(&tree) }));
        parts.extend(own.part);
    }
    if let Some(package) = &shared.flags.python_package {
        let settings = &shared.library.settings;
        let variant = settings.abi.package(settings);
        let version = shared.flags.package_version.as_deref();
        files.extend(python::outer(shared.renderer, package, version, &parts, &variant).map_err(|errors| {
            session.diagnostics.extend(errors.0);
            JobError::Input
        })?);
    }
    Ok(files)
}
