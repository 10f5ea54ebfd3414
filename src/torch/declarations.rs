//! `torchgen-rs declarations`: Declarations.yaml and RegistrationDeclarations.h alone, for tools
//! that read operators as data.
//!
//! Invariant: the bytes are those of a full run of `generate` without flags for backends. No
//! template of PyTorch's is needed, and no file besides native_functions.yaml, tags.yaml, and for a
//! library those that its library.yaml includes.

use std::path::{Path, PathBuf};
use torchgen_generators::inputs;

use torchgen_aten::aten::{declarations, registration_declarations};
use torchgen_generators::args::{DeclarationsArgs, LayoutChoice};
use torchgen_generators::inputs::stock::Stock;
use torchgen_generators::inputs::{Entries, Operators, standard_tags};
use torchgen_generators::layout::{self, Layout};
use torchgen_generators::managers;
use torchgen_generators::{Context, Model, Namespaces, gather, info};
use torchgen_kit::driver::data::Tables;
use torchgen_kit::driver::family::GeneratorInfo;
use torchgen_kit::driver::output::{self, GeneratedFiles, WriteOptions};
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{JobError, Session};
use torchgen_library::run::{self as library, LibraryPaths, LibraryYaml};
use torchgen_model::model::Target;
use torchgen_model::model::aten_keys::keys_without;
use torchgen_model::parse::entry::EntryOptions;
use torchgen_model::release;

/// What `torchgen-rs list` prints.
#[rustfmt::skip]
pub(crate) const GENERATOR_INFO: GeneratorInfo = info!("declarations", "declarations", "every operator as data, without the rest of ATen", &["Declarations.yaml", "RegistrationDeclarations.h"]);

/// Runs the job.
pub(crate) fn generate(args: &DeclarationsArgs, session: &mut Session) -> Result<Summary, JobError> {
    match aten(args, session)? {
        Some(aten) => release::settle(session, &aten, args.release.torch)?,
        None => args.release.not_for_a_library(&args.source_path)?,
    }
    let tables = session.tables.clone();
    let (path, target) = source(args, &tables, session)?;
    let beside = path.with_file_name("tags.yaml");
    let tags = match &args.tags {
        Some(path) => inputs::read_tags(session, path)?,
        None if session.is_given(&beside)? => inputs::read_tags(session, &beside)?,
        None => standard_tags(&tables),
    };
    let Entries { entries, unread, .. } = match target.outside_at {
        true => {
            let paths = LibraryPaths::new(std::slice::from_ref(&args.source_path), session);
            let yaml = LibraryYaml::read_library_yaml(&paths.root, session)?;
            library::read_entries(&paths, &yaml, &tags, &mut Stock::default(), session)?
        }
        false => {
            // The reference knows which keys PyTorch is built for without flags.
            let ignore_keys = keys_without(&[], &session.tables);
            let options = EntryOptions { target, valid_tags: &tags, ignore_keys: &ignore_keys };
            inputs::read_entries(session, &path, options)?
        }
    };
    let Operators { functions, indices } = Operators::new(entries, &unread, target, &mut session.diagnostics);
    session.fail_on_errors(args.common.strict)?;
    let renderer = session.renderer("torch", &args.common.template_dir)?;
    session.timings.lap("templates");
    let namespaces = Namespaces { schema: (!target.outside_at).then(|| "aten".to_owned()), ..Namespaces::aten() };
    let model = Model { functions: &functions, indices: &indices, grouped: &[], groups: &[], view_groups: &[] };
    let context = Context::new(target, &namespaces, model, &renderer).tags(&tags);
    let (yaml, header) = rayon::join(|| declarations::run(&context), || registration_declarations::run_alone(&context));
    let (files, found) = gather([yaml, header]);
    session.diagnostics.extend(found);
    session.timings.lap("generate");
    session.fail_on_errors(args.common.strict)?;
    let options =
        WriteOptions { common: &args.common, dry_run: args.dry_run, lists: args.output_dependencies.as_deref() };
    let installs = vec![(managers::CPU, args.install_dir.clone())];
    output::write(&options, GeneratedFiles { installs, files, renderer }, session)
}

/// The directory with `native/` and `templates/`, if the operators are PyTorch's.
fn aten(args: &DeclarationsArgs, session: &mut Session) -> Result<Option<PathBuf>, JobError> {
    let path = &args.source_path;
    if !session.seen.is_dir(path) {
        let native = path.parent().filter(|_| args.layout != Some(LayoutChoice::Library));
        return Ok(native.and_then(Path::parent).map(Path::to_owned));
    }
    let layout = layout::find(std::slice::from_ref(path), args.layout, session)?;
    Ok((layout == Layout::Aten).then(|| path.clone()))
}

/// The native_functions.yaml, and what it declares operators for.
fn source<'r>(
    args: &DeclarationsArgs,
    tables: &'r Tables,
    session: &mut Session,
) -> Result<(PathBuf, Target<'r>), JobError> {
    let (library, pytorch) = (Target::library(tables), Target::pytorch(tables));
    let path: &Path = &args.source_path;
    if !session.seen.is_dir(path) {
        let target = if args.layout == Some(LayoutChoice::Library) { library } else { pytorch };
        return Ok((path.to_owned(), target));
    }
    Ok(match layout::find(std::slice::from_ref(&args.source_path), args.layout, session)? {
        Layout::Aten => (path.join("native").join("native_functions.yaml"), pytorch),
        Layout::Library => (path.join("native_functions.yaml"), library),
    })
}
