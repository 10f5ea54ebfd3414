//! What own YAML of a user's generator gets from the manifest that it names: keys and operators to
//! complete, and the templates of its entries.
//!
//! Invariant: a manifest is read once for each of its texts.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use gen_lsp_types::{Location, Position, Range};
use serde_json::Value;
use torchgen_kit::driver::Session;

use super::uri::uri_of;
use crate::families::for_editors;

/// What a manifest says.
pub(super) struct OwnManifest {
    /// The JSON Schema of own YAML.
    pub(super) schema: Value,
    /// Templates, each with the section whose entries it is rendered for.
    templates: Vec<(String, PathBuf)>,
}

/// The manifest that was read last, with its place and its text.
static LAST: Mutex<Option<(PathBuf, String, Arc<OwnManifest>)>> = Mutex::new(None);

/// What the manifest of a file says; `None` if the file names none, or if it has errors.
pub(super) fn manifest_of(path: &Path, text: &str) -> Option<Arc<OwnManifest>> {
    let named = text.lines().find_map(|line| line.strip_prefix("generator:"))?;
    let folder = path.parent()?.join(named.trim().trim_matches(['"', '\'']));
    let written = std::fs::read_to_string(folder.join("generator.yaml")).ok()?;
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((place, text, known)) = &*last
        && (place, text) == (&folder, &written)
    {
        return Some(Arc::clone(known));
    }
    let found = for_editors(&folder, &mut Session::default()).ok()?;
    let schema = serde_json::from_str(&found.schema).ok()?;
    let made = Arc::new(OwnManifest { schema, templates: found.templates });
    *last = Some((folder, written, Arc::clone(&made)));
    Some(made)
}

impl OwnManifest {
    /// The templates of the entry at a line.
    pub(super) fn templates_at(&self, text: &str, line: usize) -> Vec<Location> {
        let is_entry = text.lines().nth(line).is_some_and(|line| line.starts_with([' ', '-']));
        let above: Vec<&str> = text.lines().take(if is_entry { line } else { 0 }).collect();
        let section =
            above.iter().rev().find_map(|line| line.split_once(':').filter(|_| !line.starts_with([' ', '-', '#'])));
        let Some((section, _)) = section else { return Vec::new() };
        let start = Position { line: 0, character: 0 };
        let own = self.templates.iter().filter(|(own, _)| own == section);
        own.filter_map(|(_, path)| Some(Location { uri: uri_of(path)?, range: Range { start, end: start } })).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::schema::{at, keys, values};

    #[test]
    fn own_yaml_is_completed_and_leads_to_templates() {
        let directory = tempfile::tempdir().expect("a directory");
        let manifest = "family: generator\nname: rows\nentries:\n  rows:\n    operator: op\n    keys:\n      \
                        op: {type: operator, required: true}\n      speed: {type: [fast, slow]}\noutputs:\n\
                        - {file: a.txt, over: rows, each: row.j2}\n";
        std::fs::create_dir(directory.path().join("rows")).expect("a directory");
        std::fs::write(directory.path().join("rows/generator.yaml"), manifest).expect("a file");
        std::fs::write(directory.path().join("rows/row.j2"), "{{ op }}").expect("a file");
        let text = "family: generator\ngenerator: rows\nrows:\n- {op: abs}\n";
        let path = directory.path().join("ops.yaml");
        let own = manifest_of(&path, text).expect("a manifest");
        let entry = [Some("rows".to_owned()), None];
        let names: Vec<&str> = keys(&at(&own.schema, &entry)).into_iter().map(|(key, _)| key).collect();
        assert!(names.contains(&"op") && names.contains(&"speed"), "{names:?}");
        let of = |key: &str| values(&at(&own.schema, &[&entry[..], &[Some(key.to_owned())]].concat()));
        assert_eq!(of("speed"), ["fast", "slow"]);
        assert!(of("op").contains(&"add.Tensor".to_owned()));
        let templates = own.templates_at(text, 3);
        assert!(templates.len() == 1 && format!("{:?}", templates[0].uri).contains("row.j2"), "{templates:?}");
        assert!(own.templates_at(text, 2).is_empty());
        assert!(manifest_of(&path, "family: graph-ir\n").is_none());
    }
}
