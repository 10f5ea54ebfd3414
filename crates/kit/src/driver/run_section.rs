//! The section `run:` of a YAML file: values for flags, so that builds, hooks and users need not
//! repeat them.
//!
//! Invariant: a key means what the flag of the same name means. The command line passes the values
//! as flags before a command runs, so that they count for the identity of a run as flags do.
//! Whoever reads the file reports errors in the section.

use std::path::{Path, PathBuf};

use torchgen_base::diag::{Diagnostic, Diagnostics, Sources, Span, codes};
use torchgen_base::yaml::fields::Fields;
use torchgen_base::yaml::keys::{KeySpec, KeyTable, Others, Shape};
use torchgen_base::yaml::{self, Node, NodeKind, Options};

/// The name of the section.
pub const RUN: &str = "run";
/// `--out-dir`
pub const OUT_DIR: KeySpec = KeySpec::new("out_dir", Shape::Text, "The directory to write to, as `--out-dir`.");
/// `--strict`
pub const STRICT: KeySpec = KeySpec::new("strict", Shape::Bool, "Whether warnings are errors, as with `--strict`.");
/// `--template-dir`
pub const TEMPLATE_DIR: KeySpec =
    KeySpec::new("template_dir", Shape::Texts, "Directories of templates, as `--template-dir`.");
/// `--data-dir`
pub const DATA_DIR: KeySpec =
    KeySpec::new("data_dir", Shape::Texts, "Directories of tables of facts, as `--data-dir`.");

/// The section of families' files.
pub static FAMILY_KEYS: KeyTable = KeyTable {
    what: "the section `run`",
    keys: &[
        OUT_DIR,
        KeySpec::new("emit", Shape::Texts, "Additional outputs to write, as `--emit`."),
        STRICT,
        TEMPLATE_DIR,
        DATA_DIR,
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// The key `run` of a file whose section has these keys.
pub const fn section(keys: &'static KeyTable) -> KeySpec {
    KeySpec::new(
        RUN,
        Shape::Keys(keys),
        "Values for flags, with paths relative to this file. A flag of the command line replaces them.",
    )
}

/// The key `run` of families' files.
pub const FAMILY_SECTION: KeySpec = section(&FAMILY_KEYS);

/// The value of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// For a flag with values.
    Texts(Vec<String>),
    /// For a flag without.
    Switch(bool),
}

/// A section.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunSection {
    /// The directory of its file.
    pub dir: PathBuf,
    /// The values by key, in the order of the table.
    pub values: Vec<(&'static str, Value)>,
}

impl RunSection {
    /// Reads a section. Errors are diagnostics.
    pub fn read_section(node: Node, keys: &'static KeyTable, diagnostics: &mut Diagnostics) -> RunSection {
        let Some(mut fields) = Fields::new(node, keys, diagnostics) else { return RunSection::default() };
        let mut values = Vec::new();
        for key in keys.keys.iter().filter(|key| fields.has(key.name)).collect::<Vec<_>>() {
            let value = match key.shape {
                Shape::Bool => fields.take_bool(key.name).map(|value| Value::Switch(value.value)),
                Shape::Texts => fields
                    .take_texts(key.name)
                    .map(|texts| Value::Texts(texts.value.iter().map(|text| text.as_str().to_owned()).collect())),
                _ => fields.take_text(key.name).map(|text| Value::Texts(vec![text.as_str().to_owned()])),
            };
            values.extend(value.map(|value| (key.name, value)));
        }
        fields.finish();
        RunSection { dir: PathBuf::new(), values }
    }

    /// The section of a file, before a command reads it; `None` if it has none, or cannot be read.
    pub fn of_file(path: &Path, keys: &'static KeyTable) -> Option<RunSection> {
        let text = super::head::text_of(path);
        if !may_have_section(&text) {
            return None;
        }
        let (mut sources, mut unused) = (Sources::new(), Diagnostics::new());
        let file = sources.add(path.to_string_lossy(), text);
        let documents = yaml::parse_documents(&sources, file, Options::LIBRARY, &mut unused);
        let node = documents.into_iter().find_map(|mut root| take(&mut root).map(|(_, node)| node))?;
        let dir = path.parent().unwrap_or(Path::new("")).to_owned();
        Some(RunSection { dir, ..RunSection::read_section(node, keys, &mut unused) })
    }
}

/// Takes the section out of a document: the place of its key, and its value.
pub(crate) fn take(root: &mut Node) -> Option<(Span, Node)> {
    let NodeKind::Mapping(pairs) = &mut root.kind else { return None };
    let at = pairs.iter().position(|(key, _)| key.as_text().is_some_and(|text| text.as_str() == RUN))?;
    let (key, value) = pairs.remove(at);
    Some((key.span, value))
}

/// The error about a second section in the sources of one run.
pub(crate) fn second(key: Span, first: Span) -> Diagnostic {
    let error = Diagnostic::new(&codes::DUPLICATE_KEY, "the sources have a section `run` already");
    error.at(key).also(first, "the first one").help("keep one of them")
}

/// Whether a text may have the key. Parsing a large file takes longer than a run that is skipped.
fn may_have_section(text: &str) -> bool {
    text.match_indices(RUN).any(|(at, _)| {
        text[at + RUN.len()..].trim_start_matches(['"', '\'']).trim_start_matches([' ', '\t']).starts_with(':')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_of_files() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.yaml");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            RunSection::of_file(&path, &FAMILY_KEYS).map(|section| section.values)
        };
        let texts = |texts: &[&str]| Value::Texts(texts.iter().map(|text| (*text).to_owned()).collect());
        assert_eq!(read("family: x\n"), None);
        assert_eq!(read("doc: I run: away\n"), None);
        let all = [("out_dir", texts(&["a"])), ("emit", texts(&["b", "c"])), ("strict", Value::Switch(true))];
        assert_eq!(read("family: x\nrun:\n  strict: true\n  emit: [b, c]\n  out_dir: a\n").unwrap(), all);
        assert_eq!(read("a: b\n---\n{'run' : {out_dir: a}}\n").unwrap(), all[..1]);
        // Whoever reads the file reports these.
        assert_eq!(read("run: [a]\n").unwrap(), []);
        assert_eq!(read("run: {out_dirs: a, emit: b, strict: 3}\n").unwrap(), []);
        assert_eq!(RunSection::of_file(&dir.path().join("gone"), &FAMILY_KEYS), None);
    }
}
