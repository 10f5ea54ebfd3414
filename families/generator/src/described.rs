//! What the manifest in a folder says to commands and editors that make no files: its options and
//! outputs, and the JSON Schema of own YAML with the templates of its sections.
//!
//! Invariant: it is read as a run reads it; errors are those of the run.

use std::path::{Path, PathBuf};

use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::family::default_flags;
use torchgen_kit::driver::request::Request;
use torchgen_kit::driver::{JobError, Session};

use super::manifest::Manifest;
use super::provider::Provider;
use super::run::{Flags, declared, read};
use super::schema;

/// What a generator has, by name.
pub struct Listed {
    /// Its name.
    pub name: String,
    /// What it generates.
    pub about: String,
    /// The options for `--set`.
    pub options: Vec<String>,
    /// The sections of own YAML.
    pub entries: Vec<String>,
    /// The files, with their placeholders.
    pub files: Vec<String>,
    /// The templates that outputs name, each once.
    pub templates: Vec<String>,
}

/// What editors need of own YAML.
pub struct ForEditors {
    /// The JSON Schema, with the names of operators.
    pub schema: String,
    /// The templates that are rendered for each entry of a section, each with the section.
    pub templates: Vec<(String, PathBuf)>,
}

/// What the generator of a folder has.
///
/// # Errors
/// There is no manifest, or it has errors.
pub fn listed<P: Provider>(folder: &Path, session: &mut Session) -> Result<Listed, JobError> {
    let (request, flags) = of_folder::<P>(folder, session)?;
    let (_, Manifest { name, about, options, sections, outputs, .. }, _) = declared(&request, &flags, session)?;
    let templates = outputs.iter().flat_map(|output| {
        output.template.iter().chain(output.lists.iter().filter_map(|(_, list)| list.each.as_ref()))
    });
    let mut names: Vec<String> = Vec::new();
    for template in templates.filter(|template| !template.is_empty()) {
        if !names.iter().any(|known| known == template.as_str()) {
            names.push(template.to_string());
        }
    }
    Ok(Listed {
        name,
        about: about.unwrap_or_default(),
        options: options.into_keys().collect(),
        entries: sections.into_keys().collect(),
        files: outputs.iter().map(|output| output.file.to_string()).collect(),
        templates: names,
    })
}

/// What the manifest in a folder says of own YAML.
///
/// # Errors
/// There is no manifest, or it has errors.
pub fn for_editors<P: Provider>(folder: &Path, session: &mut Session) -> Result<ForEditors, JobError> {
    let (request, flags) = of_folder::<P>(folder, session)?;
    let read = read::<P>(&request, &flags, session)?;
    session.check_errors()?;
    let lists = read.manifest.outputs.iter().flat_map(|output| &output.lists);
    let rendered = lists.flat_map(|(_, list)| list.over.iter().map(|over| (over, list.each.as_ref())));
    let own = rendered.filter(|(over, _)| read.manifest.sections.contains_key(over.as_str()));
    let mut templates: Vec<(String, PathBuf)> =
        own.filter_map(|(over, each)| Some((over.as_str().to_owned(), folder.join(each?.as_str())))).collect();
    templates.dedup();
    Ok(ForEditors { schema: schema::text(&read.manifest, &read.model), templates })
}

/// The request about the generator of a folder, whose options have their defaults.
fn of_folder<P: Provider>(folder: &Path, session: &mut Session) -> Result<(Request, Flags<P::Flags>), JobError> {
    session.checks_only = true;
    let mut flags: Flags<P::Flags> = default_flags()?;
    flags.generator = Some(folder.to_owned());
    Ok((Request::to_check(Vec::new(), &CommonArgs::default()), flags))
}
