//! What editors ask of a generator: the JSON Schema of its own YAML, and the templates of a
//! section.
//!
//! Invariant: a manifest with errors says nothing here; `check` reports them.

use std::path::{Path, PathBuf};

use torchgen_kit::driver::Session;
use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::family::default_flags;
use torchgen_kit::driver::request::Request;

use super::provider::Provider;
use super::run::{Flags, read};
use super::schema;

/// What a manifest says of own YAML.
pub struct ForEditors {
    /// The JSON Schema, with the names of operators.
    pub schema: String,
    /// The templates that are rendered for each entry of a section, each with the section.
    pub templates: Vec<(String, PathBuf)>,
}

/// What the manifest in a folder says; `None` if it has errors.
pub fn for_editors<P: Provider>(folder: &Path) -> Option<ForEditors> {
    let mut session = Session::default();
    session.checks_only = true;
    let mut flags: Flags<P::Flags> = default_flags().ok()?;
    flags.generator = Some(folder.to_owned());
    let request = Request::to_check(Vec::new(), &CommonArgs::default());
    let read = read::<P>(&request, &flags, &mut session).ok()?;
    let lists = read.manifest.outputs.iter().flat_map(|output| &output.lists);
    let rendered = lists.flat_map(|(_, list)| list.over.iter().map(|over| (over, list.each.as_ref())));
    let own = rendered.filter(|(over, _)| read.manifest.sections.contains_key(over.as_str()));
    let mut templates: Vec<(String, PathBuf)> =
        own.filter_map(|(over, each)| Some((over.as_str().to_owned(), folder.join(each?.as_str())))).collect();
    templates.dedup();
    Some(ForEditors { schema: schema::text(&read.manifest, &read.model), templates })
}
