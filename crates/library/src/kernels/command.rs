//! `torchgen-rs kernels`: the kernels that an operator library's YAML names, checked against its
//! sources, and those in Python against the modules of its package.
//!
//! Invariant: sources change only with `--write` or `--write-to`, and only by appending; `--tests`
//! writes new files. Skeletons go to standard output, everything else to standard error. PyTorch's
//! own layout is not supported: its macros and stubs hide kernels from any scan.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::python::ByModule;
use super::{test_skeletons, write};
use crate::library::fakes;
use crate::library::kernels::skeletons;
use crate::library::kernels::{self, Comparison, KernelSources, Report, WantedKernel, compare};
use crate::library::settings::Settings;
use crate::run::{LibraryPaths, LibrarySource, renderer};
use torchgen_base::diag::{Diagnostic, plural};
use torchgen_base::render::Renderer;
use torchgen_base::write::is_among;
use torchgen_generators::args::{KernelsArgs, last_source_path};
use torchgen_generators::inputs::Operators;
use torchgen_generators::layout::UNNAMED;
use torchgen_generators::query::{self, OperatorQuery};
use torchgen_generators::{Context, Model, Namespaces, info};
use torchgen_kit::driver::family::GeneratorInfo;
use torchgen_kit::driver::head::ByFamily;
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::group;
use torchgen_model::model::cpp_names::in_namespace;
use torchgen_model::model::{NativeFunction, Target};

/// What `torchgen-rs list` prints.
#[rustfmt::skip]
pub const GENERATOR_INFO: GeneratorInfo = info!("kernels", "kernels", "skeletons of missing kernels", &[]);

/// Compares, and prints or writes skeletons.
pub fn run(args: &KernelsArgs, session: &mut Session) -> Result<Summary, JobError> {
    write::check_flags(args)?;
    if let Some(error) = of_another_family(args, session) {
        return Err(error.into());
    }
    if let Some(directory) = &args.tests {
        return test_skeletons::write(args, directory.as_deref(), session);
    }
    let paths = LibraryPaths::new(&args.source_paths, session);
    let (source, yaml) = LibrarySource::with_yaml(paths, args.torch_path.as_deref(), session)?;
    let LibrarySource { paths, tags, libraries, .. } = source;
    let settings = yaml.settings(args.abi, None, session)?;
    session.fail_on_errors(args.common.strict)?;
    let operators: Vec<&Operators> = libraries.iter().map(|(_, operators)| operators).collect();
    if let Some(error) = args.only.iter().find_map(|word| query::unknown(word, &operators)) {
        return Err(error.into());
    }
    let queries: Vec<OperatorQuery<'_>> = args.only.iter().map(|word| OperatorQuery::new(word)).collect();
    let is_left_out = |f: &NativeFunction| !queries.is_empty() && !queries.iter().any(|query| query.is(f));
    let renderer = renderer(&paths.root, &args.common, None, session)?;
    let asked_for = AskedFor { tags: &tags, settings: &settings, is_left_out: &is_left_out };
    let LibraryKernels { wanted, include_dirs, mut own_namespaces, named } =
        LibraryKernels::new(&libraries, &asked_for, &renderer, session);
    if !queries.is_empty() {
        // Other functions in them may be kernels that were not asked for.
        own_namespaces.clear();
    }
    session.fail_on_errors(args.common.strict)?;
    let asked = || libraries.iter().flat_map(|(_, operators)| &operators.functions).filter(|f| !is_left_out(f));
    let (in_python, missing_functions) = fakes::missing_kernels(asked(), &args.python_modules, &paths.root, session)?;
    let modules = ByModule::new(&missing_functions);
    let needs_none = |f: &NativeFunction| !f.python_kernels.is_empty() || f.registers_itself();
    let needs_sources = !wanted.is_empty() || !asked().any(needs_none);
    if args.sources.is_empty() && needs_sources {
        let error = Diagnostic::new(&codes::USAGE, "there are no sources to compare with the YAML");
        let help = "name them with `--sources`; without it, they are in `kernels/` beside native_functions.yaml";
        return Err(error.help(help).into());
    }
    let writes = args.write || args.write_to.is_some();
    let (sources, outcome) = compared(args, &wanted, session)?;
    let report = Report {
        renderer: &renderer,
        wanted: &wanted,
        sources: &sources,
        own_namespaces: &own_namespaces,
        named: &named,
        writes,
    };
    session.diagnostics.extend(kernels::report(&report, &outcome)?);
    if !writes {
        session.diagnostics.extend(modules.report(&renderer)?);
    }
    if args.json {
        let facts = kernels::facts(&wanted, &sources, &outcome, &session.sources);
        let text =
            serde_json::to_string_pretty(&facts).map_err(|error| Diagnostic::new(&codes::USAGE, error.to_string()))?;
        session.host.print(&format!("{text}\n"))?;
    } else if !outcome.missing.is_empty() || !missing_functions.is_empty() {
        if writes {
            let missing: Vec<(&WantedKernel, &str)> =
                outcome.missing.iter().map(|i| (&wanted[*i], include_dirs[*i].as_str())).collect();
            session.fail_on_errors(args.common.strict)?;
            let written = write::write(args, &renderer, &missing, &modules, &sources.listed, session)?;
            return Ok(Summary { said: Some(written), ..Summary::default() });
        }
        let missing: Vec<&WantedKernel> = outcome.missing.iter().map(|i| &wanted[*i]).collect();
        let text = skeletons::skeletons(&renderer, &missing)?;
        let mut parts = vec![text.as_str().trim().to_owned()];
        let added = modules.additions(&renderer, true, session)?;
        parts.extend(added.iter().map(|addition| addition.added.trim().to_owned()));
        parts.retain(|part| !part.is_empty());
        session.host.print(&format!("{}\n", parts.join("\n\n")))?;
    }
    session.fail_on_errors(args.common.strict)?;
    Ok(Summary { said: Some(summary(wanted.len() + in_python, &outcome)), ..Summary::default() })
}

/// The operators whose kernels are compared.
struct AskedFor<'a> {
    tags: &'a BTreeSet<String>,
    settings: &'a Settings,
    is_left_out: &'a dyn Fn(&NativeFunction) -> bool,
}

/// What the YAML of all libraries says about kernels.
#[derive(Default)]
struct LibraryKernels {
    /// Those that were asked for.
    wanted: Vec<WantedKernel>,
    /// The directory with the headers of each of them.
    include_dirs: Vec<String>,
    own_namespaces: Vec<String>,
    /// The qualified names of all.
    named: BTreeSet<String>,
}

impl LibraryKernels {
    /// Errors are diagnostics.
    fn new(
        libraries: &[(String, Operators)],
        asked_for: &AskedFor<'_>,
        renderer: &Renderer,
        session: &mut Session,
    ) -> LibraryKernels {
        let mut found = LibraryKernels::default();
        let tables = session.tables.clone();
        for (namespace, operators) in libraries {
            let (target, namespaces) = (Target::of_namespace(namespace, &tables), Namespaces::library(namespace));
            let grouped = group::group(&operators.functions, target, &mut session.diagnostics);
            let groups = group::groups(&grouped);
            let model = Model {
                functions: &operators.functions,
                indices: &operators.indices,
                grouped: &grouped,
                groups: &groups,
                view_groups: &[],
            };
            let context = Context::new(target, &namespaces, model, renderer).tags(asked_for.tags);
            match kernels::wanted(&context, asked_for.settings) {
                Ok(mut kernels) => {
                    let others = operators.functions.iter().filter(|f| (asked_for.is_left_out)(f));
                    let others: BTreeSet<String> = others.map(NativeFunction::full_name).collect();
                    kernels.retain(|kernel| !others.contains(&kernel.operator));
                    found.include_dirs.extend(kernels.iter().map(|_| namespaces.include_dir.clone()));
                    found.wanted.extend(kernels);
                }
                Err(errors) => session.diagnostics.extend(errors.0),
            }
            found.own_namespaces.push(namespaces.native.clone());
            let kernels =
                operators.functions.iter().flat_map(|f| operators.indices.iter().map(move |index| (f, index)));
            let kernels = kernels.filter_map(|(f, index)| index.get_kernel(f));
            found.named.extend(kernels.map(|kernel| in_namespace(&kernel.cpp_namespace, &kernel.kernel)));
        }
        found
    }
}

/// The error for a source that belongs to a family whose kernels no command compares.
fn of_another_family(args: &KernelsArgs, session: &mut Session) -> Option<Diagnostic> {
    let source = last_source_path(&args.source_paths);
    if UNNAMED.is_in(source) || !session.seen.is_dir(source) {
        return None;
    }
    let found = ByFamily::sort_sources(&[source.to_owned()], UNNAMED);
    let (family, files) = found.families.first()?;
    let error = Diagnostic::new(&codes::WRONG_KIND, "`kernels` is for libraries with a native_functions.yaml");
    let error =
        error.note(format!("`{}` belongs to `{family}`, which has no kernels to compare", files[0].file.display()));
    Some(error.help("name the directory of a library with `-s`"))
}

/// Reads the sources and compares them with the wanted kernels. Files that skeletons would go to
/// are read too: they may have skeletons of an earlier run.
fn compared(
    args: &KernelsArgs,
    wanted: &[WantedKernel],
    session: &mut Session,
) -> Result<(KernelSources, Comparison), JobError> {
    let mut paths = args.sources.clone();
    loop {
        let sources = kernels::read_sources(&paths, session)?;
        let outcome = compare(wanted, &sources);
        let missing = outcome.missing.iter().map(|i| &wanted[*i]);
        let targets: BTreeSet<PathBuf> = match args.write || args.write_to.is_some() {
            true => missing.map(|kernel| write::target(args, kernel, session)).collect(),
            false => BTreeSet::new(),
        };
        let mut unread: Vec<PathBuf> = targets.into_iter().filter(|path| session.seen.is_file(path)).collect();
        unread.retain(|path| !is_among(path, &session.inputs));
        if unread.is_empty() {
            return Ok((sources, outcome));
        }
        paths.extend(unread);
    }
}

fn summary(count: usize, outcome: &Comparison) -> String {
    let mut said = format!("{}, all defined", plural(count, "kernel"));
    if !outcome.hidden.is_empty() {
        said.push_str(&format!("; {} perhaps by macros", outcome.hidden.len()));
    }
    if !outcome.adapted.is_empty() {
        let adapted = outcome.adapted.len();
        said.push_str(&format!("; {adapted} with other types, which `generate --kernels` converts"));
    }
    said
}
