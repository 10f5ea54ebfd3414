//! `torchgen-rs kernels`: the kernels that an operator library's YAML names, checked against its
//! sources.
//!
//! Invariant: sources change only with `--write`, and only by appending. Skeletons go to standard
//! output, everything else to standard error. PyTorch's own layout is not supported: its macros and
//! stubs hide kernels from any scan.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::matching::{self, Comparison, Homes, LocatedDefinition, difference};
use crate::diag::{Diagnostic, codes, did_you_mean, plural};
use crate::driver::family::GeneratorInfo;
use crate::driver::report::{Summary, write_data};
use crate::driver::templates::files_below;
use crate::driver::{JobError, Session};
use crate::families::torch::args::KernelsArgs;
use crate::families::torch::generators::{Context, Model, Namespaces, info};
use crate::families::torch::group;
use crate::families::torch::kernels::skeletons::{self as kernels, WantedKernel};
use crate::families::torch::library::command::{self as library, LibrarySource};
use crate::families::torch::library::settings;
use crate::families::torch::model::Target;
use crate::lang::cpp::{self, Definition, Form, signature};
use crate::render::{Contents, Renderer};
use crate::write::write_if_changed;

/// The endings of C++ sources and headers.
const ENDINGS: [&str; 14] =
    ["cpp", "cc", "cxx", "c++", "cu", "cuh", "h", "hh", "hpp", "hxx", "inl", "ipp", "mm", "hip"];

/// What `torchgen-rs list` prints.
#[rustfmt::skip]
pub(crate) const GENERATOR_INFO: GeneratorInfo = info!("kernels", "kernels", "skeletons of missing kernels", &[]);

/// Runs the job.
pub(crate) fn compare(args: &KernelsArgs, session: &mut Session) -> Result<Summary, JobError> {
    let LibrarySource { tags, libraries, .. } = library::read(&args.source_path, args.torch_path.as_deref(), session)?;
    let settings = settings::read_at(&args.source_path, (args.abi, None), session)?;
    session.check(args.common.strict)?;
    let renderer = library::renderer(&args.source_path, &args.common, None, session)?;
    let mut wanted: Vec<(WantedKernel, String)> = Vec::new();
    let mut own_namespaces = Vec::new();
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
        match kernels::wanted(&context, &settings) {
            Ok(kernels) => wanted.extend(kernels.into_iter().map(|kernel| (kernel, namespaces.include_dir.clone()))),
            Err(errors) => session.diagnostics.extend(errors.0),
        }
        own_namespaces.push(namespaces.native.clone());
    }
    session.check(args.common.strict)?;
    let (found, declared) = read_sources(&args.sources, session)?;
    let outcome = matching::compare(&wanted, &found, &declared);
    report(&renderer, &wanted, &found, &outcome, &own_namespaces, args.write, session)?;
    if !outcome.missing.is_empty() {
        if args.write {
            let written = write(args, &renderer, &wanted, &found, &outcome.missing, session)?;
            session.check(args.common.strict)?;
            return Ok(Summary { said: Some(written), ..Summary::default() });
        }
        let missing: Vec<&WantedKernel> = outcome.missing.iter().map(|i| &wanted[*i].0).collect();
        let text = kernels::skeletons(&renderer, &missing)?;
        write_data(&format!("{}\n", text.as_str().trim()))?;
    }
    session.check(args.common.strict)?;
    Ok(Summary { said: Some(format!("{}, all defined", plural(wanted.len(), "kernel"))), ..Summary::default() })
}

/// The definitions in the sources, in the order given, and the names of their declarations.
fn read_sources(
    paths: &[PathBuf],
    session: &mut Session,
) -> Result<(Vec<LocatedDefinition>, BTreeSet<String>), JobError> {
    let mut files = Vec::new();
    for path in paths {
        if session.seen.is_dir(path) {
            let is_source = |path: &Path| {
                path.extension().and_then(|ending| ending.to_str()).is_some_and(|ending| ENDINGS.contains(&ending))
            };
            files.extend(
                files_below(path, &mut session.seen)?.into_iter().map(|(_, path)| path).filter(|p| is_source(p)),
            );
        } else {
            files.push(path.clone());
        }
    }
    let mut found = Vec::new();
    let mut declared = BTreeSet::new();
    for path in files {
        let file = session.read_source(&path)?;
        let source = cpp::read(session.sources.text(file));
        declared.extend(source.declared);
        found.extend(source.definitions.into_iter().map(|definition| LocatedDefinition {
            file,
            path: path.clone(),
            signature: signature(&definition.returns, &definition.parameters),
            definition,
        }));
    }
    Ok((found, declared))
}

fn report(
    renderer: &Renderer,
    wanted: &[(WantedKernel, String)],
    found: &[LocatedDefinition],
    outcome: &Comparison,
    own_namespaces: &[String],
    writes: bool,
    session: &mut Session,
) -> Result<(), JobError> {
    for i in outcome.missing.iter().filter(|_| !writes) {
        let kernel = &wanted[*i].0;
        session.diagnostics.push(
            Diagnostic::new(&codes::KERNEL_MISSING, format!("{} is not defined anywhere", called(kernel)))
                .at(kernel.span)
                .note(format!("expected in namespace `{}`: {}", kernel.namespace, kernels::head(renderer, kernel)?))
                .help("`--write` appends a skeleton to the sources"),
        );
    }
    for (i, at) in &outcome.differs {
        let (kernel, one) = (&wanted[*i].0, &found[*at]);
        let own = signature(&kernel.returns, &kernel.parameters);
        let message = if one.signature == own {
            format!("{} is not visible outside this source", called(kernel))
        } else {
            format!("the definition of {} does not match its declaration", called(kernel))
        };
        session.diagnostics.push(
            Diagnostic::new(&codes::KERNEL_DIFFERS, message)
                .at(one.span())
                .note(format!("`{}` needs: {}", kernel.operator, kernels::head(renderer, kernel)?))
                .maybe_help(difference(&own, &one.signature)),
        );
    }
    for (i, first, second) in &outcome.repeated {
        session.diagnostics.push(
            Diagnostic::new(&codes::REPEATED_KERNEL, format!("two sources define {}", called(&wanted[*i].0)))
                .at_with(found[*second].span(), "second one")
                .also(found[*first].span(), "first one")
                .help("delete one; if they are for different builds, compile only one of the sources in each"),
        );
    }
    for at in &outcome.unnamed {
        let Definition { name, form, is_private, .. } = &found[*at].definition;
        let scope = name.rsplit_once("::").map_or("", |(scope, _)| scope);
        let counts = match form {
            Form::Function => own_namespaces.iter().any(|own| own == scope),
            Form::Impl | Form::Meta => true,
        };
        if *is_private || !counts {
            continue;
        }
        let names = wanted.iter().map(|(kernel, _)| kernel.full_name()).collect::<Vec<_>>();
        let near = did_you_mean(name, names.iter().map(String::as_str));
        let help = near.unwrap_or_else(|| "a helper can be `static` or in an anonymous namespace".to_owned());
        let message = format!("no operator has the kernel `{name}`");
        session.diagnostics.push(Diagnostic::new(&codes::UNNAMED_KERNEL, message).at(found[*at].span()).help(help));
    }
    Ok(())
}

fn called(kernel: &WantedKernel) -> String {
    let what = match kernel.form {
        Form::Function => "kernel",
        Form::Impl => "structured kernel",
        Form::Meta => "meta function",
    };
    format!("{what} `{}`", kernel.full_name())
}

/// Appends the skeletons, each to the source that has the most kernels for its key, or to a new
/// one.
fn write(
    args: &KernelsArgs,
    renderer: &Renderer,
    wanted: &[(WantedKernel, String)],
    found: &[LocatedDefinition],
    missing: &[usize],
    session: &mut Session,
) -> Result<String, JobError> {
    let homes = Homes::new(wanted, found);
    let mut by_file: BTreeMap<PathBuf, (String, Vec<&WantedKernel>)> = BTreeMap::new();
    for (kernel, include_dir) in missing.iter().map(|i| &wanted[*i]) {
        let path = match homes.of(kernel) {
            Some(path) => path.to_owned(),
            None => new_source(&args.sources, kernel, session),
        };
        by_file.entry(path).or_insert_with(|| (include_dir.clone(), Vec::new())).1.push(kernel);
    }
    let mut said = Vec::new();
    for (path, (include_dir, kernels)) in by_file {
        let mut text = match session.seen.is_file(&path) {
            true => {
                let file = session.read_text(&path)?;
                session.sources.text(file).to_owned()
            }
            false => kernels::source_head(renderer, &include_dir)?,
        };
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(kernels::skeletons(renderer, &kernels)?.as_str());
        write_if_changed(&path, &Contents::from(text)).map_err(|error| Diagnostic::from(&error))?;
        said.push(format!("{} in `{}`", plural(kernels.len(), "kernel"), path.display()));
    }
    Ok(format!("wrote {}", said.join(", ")))
}

/// The source for a key that has none yet: the one named after it, the only one given, or a new
/// one.
fn new_source(sources: &[PathBuf], kernel: &WantedKernel, session: &mut Session) -> PathBuf {
    let key = kernel.key.map_or("view".to_owned(), |key| key.to_string().to_lowercase());
    let directory = sources.iter().find(|path| session.seen.is_dir(path));
    if let Some(directory) = directory {
        let ending = if kernel.key.is_some_and(|key| key.is_cuda()) { "cu" } else { "cpp" };
        return directory.join(format!("kernels_{key}.{ending}"));
    }
    let named = sources.iter().find(|path| path.to_string_lossy().to_lowercase().contains(&key));
    named.or(sources.first()).cloned().unwrap_or_else(|| PathBuf::from("kernels.cpp"))
}
