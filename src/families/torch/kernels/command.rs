//! `torchgen-rs kernels`: the kernels that an operator library's YAML names, checked against its
//! sources.
//!
//! Invariant: sources change only with `--write` or `--write-to`, and only by appending. Skeletons
//! go to standard output, everything else to standard error. PyTorch's own layout is not supported:
//! its macros and stubs hide kernels from any scan.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::diag::{Diagnostic, plural};
use crate::driver::family::GeneratorInfo;
use crate::driver::report::{Summary, write_data};
use crate::driver::{JobError, Session};
use crate::families::torch::args::KernelsArgs;
use crate::families::torch::generators::{Context, Model, Namespaces, info};
use crate::families::torch::group;
use crate::families::torch::library::command::{self as library, LibrarySource};
use crate::families::torch::library::kernels::skeletons::{self, WantedKernel};
use crate::families::torch::library::kernels::{self, Comparison, Report, compare};
use crate::families::torch::library::settings;
use crate::families::torch::library::sources::LibraryPaths;
use crate::families::torch::model::Target;
use crate::render::{Contents, Renderer};
use crate::write::write_if_changed;

/// What `torchgen-rs list` prints.
#[rustfmt::skip]
pub(crate) const GENERATOR_INFO: GeneratorInfo = info!("kernels", "kernels", "skeletons of missing kernels", &[]);

/// Compares, and prints or writes skeletons.
pub(crate) fn run(args: &KernelsArgs, session: &mut Session) -> Result<Summary, JobError> {
    let paths = LibraryPaths::new(&args.source_paths, session);
    let LibrarySource { tags, libraries, .. } = library::read(&paths, args.torch_path.as_deref(), session)?;
    let settings = settings::read_at(&paths.root, (args.abi, None), session)?;
    session.check(args.common.strict)?;
    let renderer = library::renderer(&paths.root, &args.common, None, session)?;
    let (mut wanted, mut include_dirs): (Vec<WantedKernel>, Vec<String>) = Default::default();
    let mut own_namespaces = Vec::new();
    let mut named: BTreeSet<String> = BTreeSet::new();
    for (namespace, operators) in &libraries {
        let (target, namespaces) = (Target::of_namespace(namespace), Namespaces::library(namespace));
        let grouped = group::group(&operators.functions, target, &mut session.diagnostics);
        let groups = group::groups(&grouped);
        let context = Context::new(
            target,
            &namespaces,
            Model {
                functions: &operators.functions,
                indices: &operators.indices,
                grouped: &grouped,
                groups: &groups,
                view_groups: &[],
            },
            &renderer,
        )
        .tags(&tags);
        match skeletons::wanted(&context, &settings) {
            Ok(kernels) => {
                include_dirs.extend(kernels.iter().map(|_| namespaces.include_dir.clone()));
                wanted.extend(kernels);
            }
            Err(errors) => session.diagnostics.extend(errors.0),
        }
        own_namespaces.push(namespaces.native.clone());
        let kernels = operators.functions.iter().flat_map(|f| operators.indices.iter().map(move |index| (f, index)));
        let kernels = kernels.filter_map(|(f, index)| index.get_kernel(f));
        named.extend(kernels.map(|kernel| format!("{}::{}", kernel.cpp_namespace, kernel.kernel)));
    }
    session.check(args.common.strict)?;
    let sources = kernels::read(&args.sources, session)?;
    let outcome = compare(&wanted, &sources);
    let writes = args.write || args.write_to.is_some();
    let report = Report {
        renderer: &renderer,
        wanted: &wanted,
        sources: &sources,
        own_namespaces: &own_namespaces,
        named: &named,
        writes,
    };
    session.diagnostics.extend(kernels::report(&report, &outcome)?);
    if !outcome.missing.is_empty() {
        if writes {
            let missing: Vec<(&WantedKernel, &str)> =
                outcome.missing.iter().map(|i| (&wanted[*i], include_dirs[*i].as_str())).collect();
            let written = write(args, &renderer, &missing, session)?;
            session.check(args.common.strict)?;
            return Ok(Summary { said: Some(written), ..Summary::default() });
        }
        let missing: Vec<&WantedKernel> = outcome.missing.iter().map(|i| &wanted[*i]).collect();
        let text = skeletons::skeletons(&renderer, &missing)?;
        write_data(&format!("{}\n", text.as_str().trim()))?;
    }
    session.check(args.common.strict)?;
    Ok(Summary { said: Some(summary(wanted.len(), &outcome)), ..Summary::default() })
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

/// Writes the skeletons, each to the file of its operator or to the one of `--write-to`.
fn write(
    args: &KernelsArgs,
    renderer: &Renderer,
    missing: &[(&WantedKernel, &str)],
    session: &mut Session,
) -> Result<String, JobError> {
    let mut by_file: BTreeMap<PathBuf, Vec<(&WantedKernel, &str)>> = BTreeMap::new();
    for (kernel, include_dir) in missing {
        let path = match &args.write_to {
            Some(path) => path.clone(),
            None => source_of(kernel, &args.sources, session),
        };
        by_file.entry(path).or_default().push((kernel, include_dir));
    }
    let mut said = Vec::new();
    for (path, kernels) in by_file {
        let mut text = match session.seen.is_file(&path) {
            true => {
                let file = session.read_text(&path)?;
                session.sources.text(file).to_owned()
            }
            false => String::new(),
        };
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let mut dirs: Vec<&str> = kernels.iter().map(|(_, dir)| *dir).collect();
        dirs.dedup();
        for dir in dirs.into_iter().filter(|dir| !text.contains(&skeletons::header(dir))).collect::<Vec<_>>() {
            text.push_str(&skeletons::include(renderer, dir)?);
        }
        let kernels: Vec<&WantedKernel> = kernels.into_iter().map(|(kernel, _)| kernel).collect();
        text.push_str(skeletons::skeletons(renderer, &kernels)?.as_str());
        write_if_changed(&path, &Contents::from(text)).map_err(|error| Diagnostic::from(&error))?;
        said.push(format!("{} in `{}`", plural(kernels.len(), "kernel"), path.display()));
    }
    Ok(format!("wrote {}", said.join(", ")))
}

/// The source of an operator's kernels: beside the others, with the operator's name.
fn source_of(kernel: &WantedKernel, sources: &[PathBuf], session: &mut Session) -> PathBuf {
    let ending = if kernel.key.is_some_and(|key| key.is_cuda()) { "cu" } else { "cpp" };
    let directory = match sources.iter().find(|path| session.seen.is_dir(path)) {
        Some(directory) => directory.clone(),
        None => sources.first().and_then(|path| path.parent()).unwrap_or(Path::new("")).to_owned(),
    };
    directory.join(format!("{}.{ending}", kernel.root_name))
}
