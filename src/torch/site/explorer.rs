//! PyTorch's operators for an explorer: data that scripts of the pages read.
//!
//! Invariant: views of the facts, which `model` prints. What all operators have is in one file;
//! what only the page of an operator shows is in [`CHUNK`] operators a file, so that no page reads
//! all of it. Texts that occur again are numbers of a table.

use indexmap::IndexSet;
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;
use serde::Serialize;

use super::resolved;
use super::view::Frame;
use super::works::{COLUMNS, Column, Variants, cells};
use crate::torch::explain::view::at;
use crate::torch::facts::{Derivatives, OperatorFacts, Origin, TorchThing};
use torchgen_kit::facts::Output;

/// The operators of a file.
const CHUNK: usize = 64;

/// What all pages have.
#[derive(Debug, Serialize)]
pub(super) struct Explorer {
    #[serde(flatten)]
    frame: Frame,
    /// The number of operators.
    count: usize,
    /// The data of all operators, as JSON that can be in a script.
    #[serde(skip)]
    names: String,
    #[serde(skip)]
    operators: String,
    #[serde(skip)]
    chunks: Vec<String>,
}

/// A script with data.
#[derive(Debug, Serialize)]
pub(super) struct Data<'d> {
    /// Which of the data it is.
    name: &'d str,
    json: &'d str,
}

/// What a search and an overview need of all operators.
#[derive(Debug, Serialize)]
struct Overview {
    columns: [Column; COLUMNS.len()],
    /// Whether derivatives are known.
    formulas: bool,
    /// The runtime keys of each `grid`.
    keys: Vec<String>,
    /// The texts that records have by their numbers.
    texts: IndexSet<String>,
    operators: Vec<Record>,
}

#[derive(Debug, Serialize)]
struct Record {
    schema: String,
    kind: &'static str,
    /// The number of its group; operators without one have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<usize>,
    /// Key, function, why it exists, and through which operator, of each kernel.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kernels: Vec<Vec<usize>>,
    /// The cells of the columns.
    cells: Vec<usize>,
    /// A character for each runtime key: the kernel, or a dot.
    grid: String,
    /// Facts in words: `generated`, `view`, `structured`, …
    #[serde(skip_serializing_if = "Vec::is_empty")]
    words: Vec<usize>,
    /// The first and the last version of torch.
    versions: Vec<usize>,
}

/// The operators of a file.
#[derive(Debug, Serialize)]
struct Chunk<'t> {
    /// The texts that they have by their numbers.
    texts: IndexSet<&'t str>,
    operators: Vec<Detail<'t>>,
}

/// What only the page of an operator has.
#[derive(Debug, Serialize)]
struct Detail<'t> {
    at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    doc: Option<&'t str>,
    /// Role, name, type, alias and default of each argument and result.
    parts: Vec<Vec<usize>>,
    /// The convention of each function, where it is, and its declaration, taken apart at commas.
    signatures: Vec<Vec<usize>>,
    #[serde(skip_serializing_if = "is_empty")]
    derivatives: &'t [Derivatives],
    #[serde(skip_serializing_if = "is_empty")]
    outputs: &'t [Output],
}

fn is_empty<T>(list: &[T]) -> bool {
    list.is_empty()
}

impl Explorer {
    /// The data of all operators.
    pub(super) fn new(site: String, things: &[TorchThing]) -> Explorer {
        let operators: Vec<(&TorchThing, &OperatorFacts)> =
            things.iter().filter_map(|thing| Some((thing, thing.facts.of_operator()?))).collect();
        let names: Vec<&str> = operators.iter().map(|(thing, _)| thing.name.as_str()).collect();
        let chunks = operators.par_chunks(CHUNK).map(|own| script_json(&chunk(own)));
        Explorer {
            frame: Frame::new(site),
            count: operators.len(),
            names: script_json(&names),
            chunks: chunks.collect(),
            operators: script_json(&overview(&operators, things)),
        }
    }

    /// The scripts with data: their paths, and what is in them.
    pub(super) fn data(&self) -> Vec<(String, String, &str)> {
        let all = [("names", &self.names), ("operators", &self.operators)];
        let all = all.into_iter().map(|(name, json)| (format!("data/{name}.js"), name.to_owned(), json.as_str()));
        let chunks = self.chunks.iter().enumerate();
        all.chain(chunks.map(|(at, json)| (format!("data/{at}.js"), at.to_string(), json.as_str()))).collect()
    }
}

impl<'d> Data<'d> {
    pub(super) fn new(name: &'d str, json: &'d str) -> Data<'d> {
        Data { name, json }
    }
}

fn overview(operators: &[(&TorchThing, &OperatorFacts)], things: &[TorchThing]) -> Overview {
    let keys = resolved::keys();
    let mut groups: IndexSet<&str> = IndexSet::new();
    let mut texts: IndexSet<String> = IndexSet::new();
    let variants = Variants::new(things);
    let mut records = Vec::with_capacity(operators.len());
    for (thing, facts) in operators {
        let mut number = |text: &str| texts.insert_full(text.to_owned()).0;
        let mut kernels = Vec::new();
        let dispatch = resolved::with_generated(&thing.name, facts);
        for kernel in &*dispatch {
            let all = [kernel.key.as_str(), &kernel.function, origin(kernel.origin)];
            kernels.push(all.into_iter().chain(kernel.through.as_deref()).map(&mut number).collect());
        }
        let versions = facts.versions.iter().flat_map(|own| [Some(&own.since), own.until.as_ref()]).flatten();
        records.push(Record {
            schema: thing.schema.clone().unwrap_or_default(),
            kind: facts.schema_kind,
            group: thing.related("group").next().map(|group| groups.insert_full(group).0),
            tags: facts.tags.iter().map(|tag| number(tag)).collect(),
            kernels,
            cells: cells(thing, facts, None, &variants).iter().map(|cell| number(&cell.text)).collect(),
            grid: keys.iter().map(|key| letter(resolved::kernel_of(key, &dispatch))).collect(),
            words: words(facts).into_iter().map(&mut number).collect(),
            versions: versions.map(|version| number(version)).collect(),
        });
    }
    let formulas = operators.iter().any(|(_, facts)| !facts.derivatives.is_empty());
    Overview { columns: COLUMNS, formulas, keys, texts, operators: records }
}

/// The place of a kernel as a letter.
fn letter(place: Option<usize>) -> char {
    place.and_then(|place| char::from_digit(u32::try_from(place).ok()?, 36)).unwrap_or('.')
}

fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Dispatch => "written in dispatch",
        Origin::Default => "the default without dispatch",
        Origin::UfuncInnerLoop => "made of inner loops",
        Origin::Generated => "generated with its operator",
        Origin::Backend => "of a backend",
        Origin::Registered => "generated",
    }
}

fn words(facts: &OperatorFacts) -> Vec<&'static str> {
    let all = [
        ("generated", facts.generated),
        ("view", facts.view),
        ("structured", facts.structured || facts.structured_delegate.is_some()),
        ("symbolic sizes", facts.symint),
        ("factory", facts.factory),
        ("method", facts.variants.contains(&"method")),
    ];
    all.into_iter().filter(|(_, has)| *has).map(|(word, _)| word).collect()
}

fn chunk<'t>(operators: &[(&'t TorchThing, &'t OperatorFacts)]) -> Chunk<'t> {
    let mut texts = IndexSet::new();
    let operators = operators.iter().map(|(thing, facts)| detail(thing, facts, &mut texts)).collect();
    Chunk { texts, operators }
}

fn detail<'t>(thing: &'t TorchThing, facts: &'t OperatorFacts, texts: &mut IndexSet<&'t str>) -> Detail<'t> {
    let mut number = |text: &'t str| texts.insert_full(text).0;
    let mut parts = Vec::new();
    for part in &thing.parts {
        let text = |text: &'t Option<String>| text.as_deref().unwrap_or_default();
        let all = [&*part.role, text(&part.name), &part.ty, text(&part.alias), text(&part.default)];
        parts.push(all.into_iter().map(&mut number).collect());
    }
    let mut signatures = Vec::new();
    for own in thing.signatures.iter().filter(|own| !own.absent && own.form != "redispatch") {
        let all = [&*own.convention, own.scope.as_str()].into_iter().chain(own.text.split(", "));
        signatures.push(all.map(&mut number).collect());
    }
    Detail {
        at: at(thing.at.as_ref(), thing),
        doc: thing.doc.as_deref(),
        parts,
        signatures,
        derivatives: &facts.derivatives,
        outputs: &thing.outputs,
    }
}

/// Data as JSON that a script can have in it, wherever that script is: nothing in it ends an
/// element, begins a comment or is a line break of old engines.
fn script_json(data: &impl Serialize) -> String {
    let json = serde_json::to_string(data).expect("strings and numbers always serialize");
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_stays_data_in_a_script() {
        let hostile = "</script><!--&\u{2028}\u{2029}\"\\";
        let json = script_json(&[hostile]);
        assert!(!json.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{json}");
        assert_eq!(serde_json::from_str::<[String; 1]>(&json).expect("JSON"), [hostile]);
    }
}
