//! PyTorch's operators for an explorer: data that scripts of the pages read.
//!
//! Invariant: views of the facts, which `model` prints. What all operators have is in one file;
//! what only the page of an operator shows is in [`CHUNK`] operators a file, so that no page reads
//! all of it. Texts that occur again are numbers of a table.

use indexmap::IndexSet;
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::changed::Changes;
use super::detail::{chunk, place};
use super::resolved;
use super::texts::Texts;
use super::works::{COLUMNS, Column, Variants, cells};
use crate::torch::facts::{OperatorFacts, Origin, TorchThing};
use torchgen_kit::site::Frame;

/// The operators of a file.
const CHUNK: usize = 64;

/// What all pages have.
#[derive(Debug, Serialize)]
pub(super) struct Explorer {
    #[serde(flatten)]
    frame: Frame,
    /// The number of operators.
    count: usize,
    /// The older torch that it is compared with.
    since: Option<String>,
    /// The scripts with data: the name of each, and JSON that can be in a script.
    #[serde(skip)]
    data: Vec<(String, String)>,
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
struct Overview<'t> {
    columns: [Column; COLUMNS.len()],
    /// Whether derivatives are known.
    formulas: bool,
    /// The runtime keys of each `grid`.
    keys: Vec<String>,
    /// The texts that records have by their numbers.
    texts: Texts<'t>,
    operators: Vec<Record>,
}

#[derive(Debug, Serialize)]
struct Record {
    schema: String,
    kind: usize,
    /// The number of its group; operators without one have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<usize>,
    /// How it comes from other operators, and from which.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    from: Vec<(usize, usize)>,
    /// The file and the line of its entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<(usize, usize)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<usize>,
    /// Key, function, why it exists, and through which operator, of each kernel.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kernels: Vec<Vec<usize>>,
    /// The cells of the columns.
    cells: Vec<usize>,
    /// A text with a character for each runtime key: the kernel, or a dot.
    grid: usize,
    /// Facts in words: `generated`, `view`, `structured`, …
    #[serde(skip_serializing_if = "Vec::is_empty")]
    words: Vec<usize>,
    /// The first and the last version of torch.
    versions: Vec<usize>,
    /// The files with code about it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<usize>,
}

impl Explorer {
    /// The data of all operators. `changes` are those since an older torch.
    pub(super) fn new(site: &str, things: &[TorchThing], changes: Option<&Changes<'_>>) -> Explorer {
        let operators: Vec<(&TorchThing, &OperatorFacts)> =
            things.iter().filter_map(|thing| Some((thing, thing.facts.of_operator()?))).collect();
        let names: Vec<&str> = operators.iter().map(|(thing, _)| thing.name.as_str()).collect();
        let formulas = operators.iter().any(|(_, facts)| !facts.derivatives.is_empty());
        let chunks = operators.par_chunks(CHUNK).map(|own| script_json(&chunk(own, formulas)));
        let chunks: Vec<String> = chunks.collect();
        let mut data = vec![
            ("names".to_owned(), script_json(&names)),
            ("operators".to_owned(), script_json(&overview(&operators, things, formulas))),
        ];
        data.extend(changes.map(|changes| ("changes".to_owned(), script_json(changes))));
        data.extend(chunks.into_iter().enumerate().map(|(at, json)| (at.to_string(), json)));
        let since = changes.map(|changes| changes.since().to_owned());
        Explorer { frame: Frame::new(site, ""), count: operators.len(), since, data }
    }

    /// The scripts with data: their paths, and what is in them.
    pub(super) fn data(&self) -> impl Iterator<Item = (String, Data<'_>)> {
        self.data.iter().map(|(name, json)| (format!("data/{name}.js"), Data { name, json }))
    }

    /// Whether it is compared with an older torch.
    pub(super) fn is_compared(&self) -> bool {
        self.since.is_some()
    }
}

fn overview<'t>(
    operators: &[(&'t TorchThing, &'t OperatorFacts)],
    things: &'t [TorchThing],
    formulas: bool,
) -> Overview<'t> {
    let keys = resolved::keys();
    let places: FxHashMap<&str, usize> = operators.iter().map(|(thing, _)| thing.name.as_str()).zip(0..).collect();
    let mut groups: IndexSet<&str> = IndexSet::new();
    let mut texts = Texts::default();
    let variants = Variants::new(things);
    let mut records = Vec::with_capacity(operators.len());
    for (thing, facts) in operators {
        let mut kernels = Vec::new();
        let dispatch = resolved::with_generated(&thing.name, facts);
        for kernel in &*dispatch {
            let all = [kernel.key.as_str(), &kernel.function, origin(kernel.origin)];
            let all = all.into_iter().chain(kernel.through.as_deref());
            kernels.push(texts.numbers(all.map(str::to_owned)));
        }
        let versions = facts.versions.iter().flat_map(|own| [Some(&own.since), own.until.as_ref()]).flatten();
        let grid: String = keys.iter().map(|key| letter(resolved::kernel_of(key, &dispatch))).collect();
        let cells = cells(thing, facts, None, &variants);
        records.push(Record {
            schema: thing.schema.clone().unwrap_or_default(),
            kind: texts.number(facts.schema_kind),
            group: thing.related("group").next().map(|group| groups.insert_full(group).0),
            from: sources(thing, facts).filter_map(|(how, of)| Some((texts.number(how), *places.get(of)?))).collect(),
            at: thing.at.as_ref().map(|at| place(at, thing, &mut texts)),
            tags: texts.numbers(facts.tags.iter().map(String::as_str)),
            kernels,
            cells: texts.numbers(cells.into_iter().map(|cell| cell.text)),
            grid: texts.number(grid),
            words: texts.numbers(words(facts)),
            versions: texts.numbers(versions.map(String::as_str)),
            files: texts.numbers(thing.outputs.iter().map(|output| output.file.as_str())),
        });
    }
    Overview { columns: COLUMNS, formulas, keys, texts, operators: records }
}

/// How an operator comes from others, and from which.
fn sources<'t>(thing: &'t TorchThing, facts: &'t OperatorFacts) -> impl Iterator<Item = (&'static str, &'t str)> {
    let of_view = thing.related("view_group").filter(|view| *view != thing.name);
    let how = if facts.schema_kind == "inplace" { "in place of the view" } else { "copy of the view" };
    let view = of_view.map(move |view| (how, view));
    let kernels = thing.related("delegates_to").map(|of| ("kernels of", of));
    view.chain(kernels).chain(thing.related("generated_from").map(|of| ("generated from", of)))
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
