//! Reads a generator with all that it is about, and makes its files.
//!
//! Invariant: nothing is rendered after an error.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use indexmap::IndexMap;
use minijinja::Value;
use torchgen_base::diag::{Diagnostic, codes as shared, did_you_mean};
use torchgen_base::render::{Budget, Renderer};
use torchgen_base::yaml::Options;
use torchgen_kit::driver::args::{INPUT, OUTPUT};
use torchgen_kit::driver::request::{Document, Request};
use torchgen_kit::driver::{JobError, Session};

use super::called;
use super::codes;
use super::entries::{self, Section, version};
use super::folder::Folder;
use super::functions::{self, Warnings};
use super::manifest::{self, Manifest};
use super::provider::{Provider, Wanted};
use super::render::Engine;
use super::report::Report;
use super::things::Model;
use super::values::{self, wrong};

/// The flags that only this command has.
#[derive(Debug, Clone, Args)]
pub(crate) struct Flags<F: Args> {
    /// A generator of your own: its folder, or its manifest
    ///
    /// For YAML that does not name it.
    #[arg(long, short = 'g', value_name = "DIR", help_heading = INPUT)]
    pub(crate) generator: Option<PathBuf>,
    /// Set an option of the generator
    #[arg(long, value_name = "NAME=VALUE", action = clap::ArgAction::Append, help_heading = OUTPUT)]
    set: Vec<String>,
    /// Compare the files with those of this directory
    ///
    /// None is written if one differs. The first difference of each file is an error at the line of
    /// the template that writes it.
    #[arg(long, value_name = "DIR", help_heading = OUTPUT)]
    pub(crate) against: Option<PathBuf>,
    /// Run the tests in the generator's folder `tests`
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) test: bool,
    /// Write what those tests make, in place of what they expected
    #[arg(long, help_heading = OUTPUT, conflicts_with = "test")]
    pub(crate) bless: bool,
    /// Those of what it reads.
    #[command(flatten)]
    own: F,
}

/// What was read.
pub(crate) struct Read {
    pub(crate) folder: Folder,
    pub(crate) manifest: Manifest,
    pub(crate) model: Arc<Model>,
    options: IndexMap<String, Value>,
    data: Value,
}

/// Reads the manifest, the things that it is about, and the own YAML.
pub(crate) fn read<P: Provider>(
    request: &Request,
    flags: &Flags<P::Flags>,
    session: &mut Session,
) -> Result<Read, JobError> {
    let (folder, manifest, own) = declared(request, flags, session)?;
    let kinds = manifest.outputs.iter().flat_map(|output| &output.lists).flat_map(|(_, list)| &list.over);
    let wanted = Wanted {
        family: manifest.reads.as_ref(),
        sources: &request.sources,
        keys_off: &manifest.keys_off,
        kinds: kinds.map(|kind| kind.as_str()).collect(),
        common: &request.common,
    };
    let world = P::read(&wanted, &flags.own, session)?;
    session.check_errors()?;
    let mut model = Model::new(world);
    session.timings.lap("things");
    serves(&manifest, &model)?;
    let options = options(&manifest, &model, flags, session)?;
    let empty = |name: &String| Section { name: name.clone(), entries: Vec::new() };
    let mut sections: Vec<Section> = manifest.sections.keys().map(empty).collect();
    if manifest.reads.is_none() {
        for document in own {
            entries::read(document.root, &manifest, &mut model, &mut sections, &mut session.diagnostics);
        }
    }
    entries::sort(&manifest, &model, &mut sections);
    model.set_sections(sections);
    let data = folder.data(&manifest, session)?;
    session.timings.lap("entries");
    Ok(Read { folder, manifest, model: Arc::new(model), options, data })
}

/// Reads the manifest with its folder; the documents of own YAML are returned as they are.
pub(crate) fn declared<F: Args>(
    request: &Request,
    flags: &Flags<F>,
    session: &mut Session,
) -> Result<(Folder, Manifest, Vec<Document>), JobError> {
    let documents = match &flags.generator {
        Some(_) => own_documents(request, session)?,
        None => request.documents("generator", session)?,
    };
    let (manifests, own): (Vec<Document>, Vec<Document>) =
        documents.into_iter().partition(|document| manifest::is_manifest(&document.root));
    let found = manifest_of(manifests, &own, flags.generator.as_deref(), session)?;
    let dir = above(&found.path);
    let Some(manifest) = manifest::read(found.root, &mut session.diagnostics) else { return Err(JobError::Input) };
    let folder = Folder::read(&dir, &request.common.template_dir, session)?;
    session.check_errors()?;
    Ok((folder, manifest, own))
}

/// The folder of the generator that a command line names.
pub(crate) fn folder_of<F: Args>(request: &Request, flags: &Flags<F>, session: &mut Session) -> PathBuf {
    let named = flags.generator.as_ref().or(request.sources.first());
    let path = named.map_or(Path::new("."), PathBuf::as_path);
    if session.seen.is_dir(path) { path.to_owned() } else { above(path) }
}

/// The directory of a file.
fn above(path: &Path) -> PathBuf {
    path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

/// The documents of YAML that need not name a family.
fn own_documents(request: &Request, session: &mut Session) -> Result<Vec<Document>, JobError> {
    let mut documents = Vec::new();
    for path in &request.sources {
        if session.seen.is_dir(path) {
            let request = Request { sources: vec![path.clone()], ..request.clone() };
            documents.extend(request.documents("generator", session)?);
            continue;
        }
        let roots = session.read_documents(path, Options::LIBRARY)?;
        documents.extend(roots.into_iter().map(|root| Document { path: path.clone(), root }));
    }
    Ok(documents)
}

/// The manifest: the one among the sources, or that which a flag or own YAML names.
fn manifest_of(
    manifests: Vec<Document>,
    own: &[Document],
    given: Option<&Path>,
    session: &mut Session,
) -> Result<Document, JobError> {
    let named = own.iter().find_map(|document| {
        let node = values::get(&document.root, "generator")?;
        let dir = document.path.parent().unwrap_or(Path::new(""));
        Some((dir.join(node.as_text()?.as_str()), Some(node.span)))
    });
    let mut all = manifests.into_iter();
    match (given.map(|path| (path.to_owned(), None)).or(named), all.next(), all.next()) {
        (None, Some(first), None) => Ok(first),
        (None, Some(first), Some(second)) => {
            let message = "the sources have two manifests";
            let error = Diagnostic::new(&codes::MANIFEST, message).at(second.root.span.at_start());
            let error = error.also(first.root.span.at_start(), "the first one");
            Err(error.help("name the folder of one generator with `-s`").into())
        }
        (None, None, _) => {
            let message = "the YAML does not name its generator";
            let at = own.first().map(|document| document.root.span.at_start());
            let error = Diagnostic::new(&codes::MANIFEST, message);
            let error = at.map_or(error.clone(), |at| error.at(at));
            Err(error.help("write `generator: DIR` in it, or name the folder with `-g`").into())
        }
        (Some((path, span)), ..) => {
            let path = if session.seen.is_dir(&path) { path.join("generator.yaml") } else { path };
            if !session.seen.is_file(&path) {
                let error = Diagnostic::new(&codes::MANIFEST, format!("there is no manifest `{}`", path.display()));
                return Err(span.map_or(error.clone(), |span| error.at(span)).into());
            }
            let mut roots = session.read_documents(&path, Options::LIBRARY)?.into_iter();
            match (roots.next(), roots.next()) {
                (Some(root), None) => Ok(Document { path, root }),
                _ => {
                    let message = format!("a manifest is one document, unlike `{}`", path.display());
                    Err(Diagnostic::new(&codes::MANIFEST, message).into())
                }
            }
        }
    }
}

/// Checks that the generator serves the torch of the run.
fn serves(manifest: &Manifest, model: &Model) -> Result<(), JobError> {
    let (Some(text), Some(torch)) = (&manifest.torch, model.world.torch()) else { return Ok(()) };
    for condition in text.as_str().split(',') {
        let condition = condition.trim();
        let sign = condition.len() - condition.trim_start_matches(['<', '>', '=']).len();
        let (sign, named) = condition.split_at(sign);
        let (Some(named), Some(own)) = (version(named), version(&torch)) else {
            return Err(wrong(text.span(), "`torch` is a list of versions such as `>=2.12`".to_owned()).into());
        };
        let fits = match sign {
            ">=" => own >= named,
            "<=" => own <= named,
            ">" => own > named,
            "<" => own < named,
            "" | "==" => own == named,
            _ => return Err(wrong(text.span(), "`torch` is a list of versions such as `>=2.12`".to_owned()).into()),
        };
        if !fits {
            let message = format!("`{}` is for torch {}, and this is torch {torch}", manifest.name, text.as_str());
            return Err(wrong(text.span(), message).into());
        }
    }
    Ok(())
}

/// The values of options.
fn options<F: Args>(
    manifest: &Manifest,
    model: &Model,
    flags: &Flags<F>,
    session: &Session,
) -> Result<IndexMap<String, Value>, JobError> {
    let usage = |message: String| Diagnostic::new(&shared::USAGE, message);
    let mut given: IndexMap<&str, Value> = IndexMap::new();
    let keys = model.world.dispatch_keys();
    for set in &flags.set {
        let Some((name, text)) = set.split_once('=') else {
            return Err(usage(format!("`--set {set}` has no value")).help("write `--set NAME=VALUE`").into());
        };
        let Some(option) = manifest.options.get(name) else {
            let error = usage(format!("the generator `{}` has no option `{name}`", manifest.name));
            return Err(error.maybe_help(did_you_mean(name, manifest.options.keys().map(String::as_str))).into());
        };
        let parse = |text: &str| {
            let value = option.ty.parse(text, &keys);
            value.map_err(|why| JobError::from(usage(format!("`--set {name}={text}`: {why}"))))
        };
        let value = match option.list {
            true => Value::from(text.split(',').map(parse).collect::<Result<Vec<_>, _>>()?),
            false => parse(text)?,
        };
        given.insert(name, value);
    }
    let mut all = IndexMap::new();
    for (name, option) in &manifest.options {
        let value = given.swap_remove(name.as_str()).or_else(|| option.default.clone());
        if value.is_none() && option.required && !session.checks_only {
            let error = usage(format!("the generator `{}` needs `--set {name}=VALUE`", manifest.name));
            return Err(error.maybe_help(option.doc.clone()).into());
        }
        all.insert(name.clone(), value.unwrap_or_else(|| Value::from(())));
    }
    Ok(all)
}

/// The files of a run: name and text of each.
pub(crate) fn files(
    read: &Read,
    renderer: &Renderer,
    session: &mut Session,
) -> Result<Vec<(String, String)>, JobError> {
    let Read { folder, manifest, model, options, data } = read;
    session.check_errors()?;
    let warnings = Warnings::default();
    let Some(mut environment) = folder.environment(session) else { return Err(JobError::Input) };
    functions::add(&mut environment, model, &manifest.types, &warnings);
    functions::add_comment(&mut environment);
    if !called::add(&mut environment, &manifest.python, &manifest.name, session)? {
        return Ok(Vec::new());
    }
    environment
        .add_global("options", Value::from_pairs(options.iter().map(|(name, value)| (name.clone(), value.clone()))));
    environment.add_global("data", data.clone());
    environment.add_global("torch", model.world.torch());
    environment.add_global(
        "generator",
        Value::from_pairs([
            ("name", Value::from(manifest.name.as_str())),
            ("about", Value::from(manifest.about.clone())),
        ]),
    );
    let mut report = Report::new(model, &folder.files);
    let engine = Engine {
        manifest,
        model,
        environment: &environment,
        files: &folder.files,
        renderer,
        options,
        in_order: !manifest.python.is_empty(),
        budget: Budget::default(),
    };
    let mut found = torchgen_base::diag::Diagnostics::new();
    let files = engine.files(&mut report, &mut found);
    report.warned(warnings.take(), &mut found);
    report.finish(&mut found);
    session.diagnostics.extend(found);
    session.timings.lap("templates");
    session.check_errors()?;
    Ok(files)
}
