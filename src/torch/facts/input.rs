//! What facts are read from: PyTorch's files, a library's, or the tables of a version of torch.
//!
//! Invariant: nothing is rendered. [`Input::outputs`] makes the files of the same sources.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::derivatives::OfBackend;
use super::shapes::Shapes;
use super::{Known, KnownInputs, TorchThing, derivatives as of_derivatives};
use crate::torch::check;
use torchgen_api::autograd;
use torchgen_aten::aten::command as aten;
use torchgen_aten::autograd::Request;
use torchgen_backend::backend::kernels::{self, Added};
use torchgen_base::diag::{Diagnostic, Diagnostics, Sources};
use torchgen_base::render::trace::Trace;
use torchgen_base::write::Plan;
use torchgen_generators::OutputKind;
use torchgen_generators::args::{LayoutChoice, ReleaseArgs, everything_of};
use torchgen_generators::inputs::{self, Operators, standard_tags};
use torchgen_generators::layout::{self, Layout};
use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::data::Tables;
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::facts::BUILT_IN;
use torchgen_library::library::settings::Settings;
use torchgen_library::run::{self as library, LibraryPaths, LibrarySource, Purpose};
use torchgen_model::codes;
use torchgen_model::group;
use torchgen_model::model::version::Version;
use torchgen_model::model::{DispatchKey, NativeFunction, Target};
use torchgen_model::parse::entry::EntryOptions;
use torchgen_model::{release, versions};

/// What to read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'a> {
    /// A directory; without one, the tables of a version.
    pub(crate) source: Option<&'a Path>,
    pub(crate) layout: Option<LayoutChoice>,
    pub(crate) autograd_dir: Option<&'a Path>,
    pub(crate) torch: Option<Version>,
    /// The YAML of a backend, whose kernels are added.
    pub(crate) backend: Option<&'a Path>,
    /// Whether to list the shape functions of a lazy backend.
    pub(crate) lazy: bool,
    /// The dispatch keys that the build lacks.
    pub(crate) without_keys: &'a BTreeSet<DispatchKey>,
}

/// All keys.
pub(crate) static ALL_KEYS: BTreeSet<DispatchKey> = BTreeSet::new();

/// The input of a run.
pub(crate) struct Input<'r> {
    source_path: PathBuf,
    target: Target<'r>,
    operators: Source,
    /// Where the derivatives are, if there are any.
    autograd_dir: Option<PathBuf>,
    /// There are no files: the operators are those of the program's tables.
    built_in: bool,
    shapes: Shapes,
    backend: Option<Added>,
    /// Whether operators have their signatures.
    signatures: bool,
}

/// The operators of an input.
enum Source {
    Aten(Operators),
    Library(Box<LibrarySource>, Settings),
}

/// Finds the layout of the source path, and makes the tables of the session those of its torch.
///
/// # Errors
/// There is no layout, or the version is not known.
pub(crate) fn settle(wanted: &Wanted<'_>, session: &mut Session) -> Result<Layout, JobError> {
    let Some(source) = wanted.source else {
        release::without_files(session, wanted.torch)?;
        return Ok(Layout::Aten);
    };
    let layout = layout::find(&[source.to_owned()], wanted.layout, session)?;
    if layout == Layout::Aten {
        release::settle(session, source, wanted.torch)?;
        return Ok(layout);
    }
    ReleaseArgs { torch: wanted.torch }.not_for_a_library(source)?;
    if let Some(path) = wanted.backend {
        let message =
            format!("`{}` is for PyTorch's operators, and `{}` has a library", path.display(), source.display());
        return Err(Diagnostic::new(&codes::USAGE, message).help("name PyTorch's sources with `-s`").into());
    }
    Ok(layout)
}

impl<'r> Input<'r> {
    /// Reads the operators. `tables` are those of the session after [`settle`].
    ///
    /// # Errors
    /// A file cannot be read. Errors in files are diagnostics.
    pub(crate) fn read_operators(
        wanted: &Wanted<'_>,
        layout: Layout,
        tables: &'r Tables,
        session: &mut Session,
    ) -> Result<Input<'r>, JobError> {
        let source_path = wanted.source.unwrap_or(Path::new("")).to_owned();
        let mut backend = None;
        if layout == Layout::Aten {
            // The facts of all operators need the table, while one thread reads the files.
            rayon::spawn(|| {
                versions::spans();
            });
        }
        let (target, operators, autograd_dir) = match layout {
            Layout::Aten => {
                let (mut operators, dir) = match wanted.source {
                    Some(_) => {
                        let native = source_path.join("native");
                        let tags = inputs::read_tags(session, &native.join("tags.yaml"))?;
                        let path = native.join("native_functions.yaml");
                        let operators = inputs::read_operators(session, &path, &tags, wanted.without_keys)?;
                        (operators, check::autograd_dir(&source_path, wanted.autograd_dir, session)?)
                    }
                    None => {
                        let torch = wanted.torch.unwrap_or(Version::NEWEST);
                        (
                            of_version(torch, tables, wanted.without_keys, session)?,
                            wanted.autograd_dir.map(Path::to_owned),
                        )
                    }
                };
                session.check_errors()?;
                if let Some(path) = wanted.backend {
                    backend = Some(kernels::add(path, &mut operators, session)?);
                }
                (Target::pytorch(tables), Source::Aten(operators), dir)
            }
            Layout::Library => {
                let paths = LibraryPaths::new(std::slice::from_ref(&source_path), session);
                let (source, yaml) = LibrarySource::with_yaml(paths, None, session)?;
                let has_derivatives = session.is_given(&source_path.join("derivatives.yaml"))?;
                let settings = yaml.settings(None, None, session)?;
                let operators = Source::Library(Box::new(source), settings);
                (Target::library(tables), operators, has_derivatives.then(|| source_path.clone()))
            }
        };
        let shapes = Shapes::new(wanted.lazy, backend.as_ref());
        let built_in = wanted.source.is_none();
        let signatures = true;
        Ok(Input { source_path, target, operators, autograd_dir, built_in, shapes, backend, signatures })
    }

    /// The same, whose operators lack their signatures.
    pub(crate) fn without_signatures(self) -> Input<'r> {
        Input { signatures: false, ..self }
    }

    /// The operators of each namespace, or all of PyTorch's.
    pub(crate) fn into_operators(self) -> Vec<Operators> {
        match self.operators {
            Source::Aten(operators) => vec![operators],
            Source::Library(source, _) => source.libraries.into_iter().map(|(_, operators)| operators).collect(),
        }
    }

    /// The library and its settings, if it is one.
    pub(crate) fn library(&self) -> Option<(&LibrarySource, &Settings)> {
        match &self.operators {
            Source::Aten(_) => None,
            Source::Library(source, settings) => Some((source, settings)),
        }
    }

    /// The directory of derivatives.yaml, if there is one.
    pub(crate) fn formulas(&self) -> Option<&Path> {
        self.autograd_dir.as_deref()
    }

    /// Whether formulas are known: those of a library are, also if it has none.
    pub(crate) fn may_have_formulas(&self) -> bool {
        self.autograd_dir.is_some() || matches!(self.operators, Source::Library(..))
    }

    /// The operators of each namespace, or all of PyTorch's.
    pub(crate) fn all(&self) -> Vec<&Operators> {
        match &self.operators {
            Source::Aten(operators) => vec![operators],
            Source::Library(source, _) => source.libraries.iter().map(|(_, operators)| operators).collect(),
        }
    }

    /// The operators of all namespaces.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &NativeFunction> {
        self.all().into_iter().flat_map(|operators| &operators.functions)
    }

    /// The facts about some operators and their groups, without outputs.
    ///
    /// # Errors
    /// As [`pieces`](Input::pieces).
    pub(crate) fn things(
        &self,
        wanted: impl Fn(&NativeFunction) -> bool,
        session: &mut Session,
    ) -> Result<Vec<TorchThing>, JobError> {
        Ok(self.pieces(wanted, session, |things| things)?.into_iter().flatten().collect())
    }

    /// What `finish` makes of the same facts, some at a time, in order.
    ///
    /// # Errors
    /// The files of derivatives cannot be read. Errors in files are diagnostics.
    pub(crate) fn pieces<T: Send>(
        &self,
        wanted: impl Fn(&NativeFunction) -> bool,
        session: &mut Session,
        finish: impl Fn(Vec<TorchThing>) -> T + Sync,
    ) -> Result<Vec<T>, JobError> {
        let Input { target, ref operators, ref autograd_dir, ref shapes, ref backend, signatures, .. } = *self;
        let libraries = self.all();
        let settings = self.library().map(|(_, settings)| settings);
        let autograd_dir = autograd_dir.as_deref();
        let view_groups: Vec<_> = libraries
            .iter()
            .map(|operators| group::view_groups(&operators.functions, target, &mut session.diagnostics))
            .collect();
        let all: Vec<&NativeFunction> = libraries.iter().flat_map(|operators| &operators.functions).collect();
        let groups: Vec<_> = view_groups.iter().flatten().collect();
        let manual = match autograd_dir {
            Some(dir) => inputs::read_manual_text(session, dir, target)?,
            None => String::new(),
        };
        let known = autograd::Operators { functions: &all, view_groups: &groups, target, manual: &manual };
        let derivatives = match autograd_dir {
            Some(dir) => inputs::read_derivatives(session, &dir.join("derivatives.yaml"), known)?,
            None => Default::default(),
        };
        let of_backend = match (backend, operators) {
            (Some(backend), Source::Aten(operators)) => {
                of_derivatives::of_backend(backend, &operators.functions, session)?
            }
            _ => OfBackend::default(),
        };
        session.timings.lap("derivatives");
        let mut pieces = Vec::new();
        for (operators, view_groups) in libraries.into_iter().zip(&view_groups) {
            let functions = &operators.functions;
            let (mut of_matching, mut of_grouping) = (Diagnostics::new(), Diagnostics::new());
            let (matched, grouped) = rayon::join(
                || autograd::match_differentiability_info(functions, &derivatives, target, &mut of_matching),
                || group::group(functions, target, &mut of_grouping),
            );
            session.diagnostics.extend(of_matching.into_iter().chain(of_grouping));
            session.timings.lap("group");
            let known = Known::new(&KnownInputs {
                operators,
                grouped: &grouped,
                view_groups,
                target,
                settings,
                sources: &session.sources,
                shapes,
                of_backend: &of_backend,
                signatures,
            });
            let matched: Vec<_> = matched.functions.iter().filter(|found| wanted(found.func)).collect();
            pieces.extend(known.pieces(&matched, &finish));
            session.timings.lap("facts");
        }
        Ok(pieces)
    }

    /// Something about the operators of each namespace, without groups.
    pub(in crate::torch) fn each<T>(&self, sources: &Sources, about: impl Fn(&Known<'_>, &Tables) -> T) -> Vec<T> {
        let Input { target, ref shapes, .. } = *self;
        let of_backend = &OfBackend::default();
        let (grouped, view_groups, settings) = (&[][..], &[][..], None);
        let known = |operators| {
            let signatures = true;
            let own = KnownInputs {
                operators,
                grouped,
                view_groups,
                target,
                settings,
                sources,
                shapes,
                of_backend,
                signatures,
            };
            Known::new(&own)
        };
        self.all().into_iter().map(|operators| about(&known(operators), target.tables)).collect()
    }

    /// Everything that is generated, with autograd if its templates exist, and with marks if there
    /// is a trace; `None` if there are no templates.
    ///
    /// # Errors
    /// The files cannot be made.
    pub(crate) fn outputs(
        self,
        common: &CommonArgs,
        trace: Option<&Arc<Trace>>,
        session: &mut Session,
    ) -> Result<Option<Plan>, JobError> {
        session.trace = trace.cloned();
        let Input { source_path, operators, autograd_dir, built_in, .. } = self;
        if built_in {
            return Ok(None);
        }
        let autograd_dir = autograd_dir.as_deref();
        let mut args = everything_of(&[&source_path], common.clone())?;
        let made = match operators {
            Source::Library(source, settings) => {
                args.install_dir = PathBuf::new();
                library::make_from(*source, settings, &args, Purpose::Library, session)?
            }
            Source::Aten(_) if !session.seen.is_dir(&source_path.join("templates")) => return Ok(None),
            Source::Aten(_) => {
                // Nothing is compared with existing files.
                args.update_aoti_c_shim = true;
                (args.mps, args.xpu, args.mtia) = (true, true, true);
                let mut made = aten::make(&args, session)?;
                if let Some(dir) = autograd_dir.filter(|dir| session.seen.is_dir(&dir.join("templates"))) {
                    args.generate = Some(vec![OutputKind::Autograd, OutputKind::Python]);
                    args.autograd_dir = Some(dir.to_owned());
                    args.autograd_install_dir = Some("torch/csrc/autograd/generated".into());
                    if let Some(request) = Request::beside_aten(&args)? {
                        let more = torchgen_aten::autograd::command::make(&request, session)?;
                        made.installs.extend(more.installs);
                        made.files.extend(more.files);
                    }
                }
                made
            }
        };
        let mut plan = Plan::new();
        for (manager, dir) in made.installs {
            plan.install(manager, dir);
        }
        plan.add(made.files).map_err(|errors| JobError::Failed(errors.iter().map(Diagnostic::from).collect()))?;
        Ok(Some(plan))
    }
}

/// The operators of a version of torch, from the tables of the program.
fn of_version(
    torch: Version,
    tables: &Tables,
    ignore_keys: &BTreeSet<DispatchKey>,
    session: &mut Session,
) -> Result<Operators, JobError> {
    let text = versions::native_functions(torch);
    let name = format!("{BUILT_IN}native_functions.yaml of torch {torch}");
    let tags = standard_tags(tables);
    let target = Target::pytorch(tables);
    inputs::read_built_in(session, &name, text, EntryOptions { target, valid_tags: &tags, ignore_keys })
}
