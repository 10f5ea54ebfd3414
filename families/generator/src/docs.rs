//! The page of a generator's keys and options, with `--emit docs`.

use serde::Serialize;
use torchgen_base::render::View;

use super::manifest::{Manifest, OwnKey};

#[derive(Serialize)]
struct Page<'a> {
    name: &'a str,
    about: &'a Option<String>,
    options: Vec<Row<'a>>,
    sections: Vec<SectionView<'a>>,
}

#[derive(Serialize)]
struct SectionView<'a> {
    name: &'a str,
    doc: &'a Option<String>,
    keys: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    what: String,
    list: bool,
    required: bool,
    default: Option<String>,
    doc: &'a Option<String>,
}

fn row<'a>((name, key): (&'a String, &'a OwnKey)) -> Row<'a> {
    let default = key.default.as_ref().filter(|value| !value.is_none()).map(ToString::to_string);
    Row { name, what: key.ty.what(), list: key.list, required: key.required, default, doc: &key.doc }
}

/// The view of a manifest.
pub(crate) fn view(manifest: &Manifest) -> View {
    let sections = manifest.sections.iter().map(|(name, section)| SectionView {
        name,
        doc: &section.doc,
        keys: section.keys.iter().map(row).collect(),
    });
    View::new(&Page {
        name: &manifest.name,
        about: &manifest.about,
        options: manifest.options.iter().map(row).collect(),
        sections: sections.collect(),
    })
}
