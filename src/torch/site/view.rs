//! The pages of a site, for templates.
//!
//! Invariant: views of the facts, which `model` prints. A page is about the operators of one name:
//! its overloads and variants, in the order of the files.

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;

use super::works::{COLUMNS, Cell, Column, Variants, cells};
use crate::torch::explain::view::Explanation;
use crate::torch::facts::{OperatorFacts, TorchThing};
use torchgen_kit::facts::Part;
use torchgen_kit::site::{Block, Frame, Piece, blocks, summary};
use torchgen_library::library::{BatchingKind, WorksWith};
use torchgen_model::model::version::Version;

/// The list of all operators.
#[derive(Debug, Serialize)]
pub(super) struct Index<'p> {
    #[serde(flatten)]
    frame: Frame,
    pages: &'p [Page],
    columns: [Column; COLUMNS.len()],
}

/// The page of the operators of a name.
#[derive(Debug, Serialize)]
pub(super) struct Page {
    #[serde(flatten)]
    frame: Frame,
    /// The name with its namespace, `opkit::rms_norm`.
    name: String,
    /// The name of its file, without an ending.
    pub(super) file: String,
    summary: Vec<Piece>,
    /// What a search finds it by, in lower case.
    words: String,
    overloads: Vec<Overload>,
}

/// An operator.
#[derive(Debug, Serialize)]
struct Overload {
    /// Its place in links: `opkit.rms_norm.out`.
    anchor: String,
    namespace: String,
    /// Its name without namespace and overload, and its overload.
    operator: String,
    overload: String,
    explained: Explanation,
    text: Vec<Block>,
    parts: Vec<Part>,
    cells: Vec<Cell>,
    torch: Option<Torch>,
    /// The files with tests that name it.
    tests: Vec<String>,
    helper: bool,
}

/// The versions of torch that an operator works with.
#[derive(Debug, Serialize)]
struct Torch {
    /// The oldest one; none if the library leaves it out.
    since: Option<String>,
    newest: String,
    /// One build works with all of them.
    one_build: bool,
    /// The first version whose stable ABI passes its types.
    stable_since: Option<String>,
    /// The types that no version passes.
    refused: Vec<String>,
}

impl Torch {
    fn new(own: &WorksWith) -> Torch {
        Torch {
            since: own.since.map(|since| since.to_string()),
            newest: Version::NEWEST.to_string(),
            one_build: own.one_build,
            stable_since: own.stable.as_ref().ok().map(ToString::to_string),
            refused: own.stable.as_ref().err().cloned().unwrap_or_default(),
        }
    }
}

/// What is known only of a library's operator, beside its facts.
pub(super) struct OfLibrary {
    /// How `torch.vmap` runs it.
    pub(super) batching: Option<BatchingKind>,
    pub(super) torch: WorksWith,
    /// The files with tests that name it.
    pub(super) tests: Vec<String>,
}

/// The pages of a library.
pub(super) struct Site {
    frame: Frame,
    pub(super) pages: Vec<Page>,
}

impl Site {
    /// The pages of all operators, with what is known of each beside its facts.
    pub(super) fn new(things: &[TorchThing], known: &IndexMap<String, OfLibrary>) -> Site {
        let operators = || things.iter().filter_map(|thing| Some((thing, thing.facts.of_operator()?)));
        let mut namespaces: Vec<&str> = operators().map(|(_, facts)| facts.namespace.as_str()).collect();
        namespaces.dedup();
        let site = namespaces.join(", ");
        let variants = Variants::new(things);
        let mut named: IndexMap<String, Vec<(&TorchThing, &OperatorFacts)>> = IndexMap::new();
        for (thing, facts) in operators() {
            named.entry(format!("{}::{}", facts.namespace, facts.root_name)).or_default().push((thing, facts));
        }
        let page = |(name, operators): (String, Vec<(&TorchThing, &OperatorFacts)>)| {
            let overloads: Vec<Overload> = operators
                .iter()
                .filter_map(|(thing, facts)| {
                    let known = known.get(&thing.name);
                    let cells = cells(thing, facts, known.and_then(|own| own.batching), &variants);
                    overload(thing, facts, cells, known, things)
                })
                .collect();
            let doc = operators.iter().find_map(|(thing, _)| thing.doc.as_deref());
            Page {
                frame: Frame::new(&site, "operators/"),
                file: name.replace("::", "."),
                summary: summary(doc.unwrap_or_default()),
                words: words(&operators),
                name,
                overloads,
            }
        };
        let pages = named.into_iter().map(page).collect();
        Site { frame: Frame::new(&site, ""), pages }
    }

    /// The page that leads to all others.
    pub(super) fn index(&self) -> Index<'_> {
        Index { frame: self.frame.clone(), pages: &self.pages, columns: COLUMNS }
    }
}

fn overload(
    thing: &TorchThing,
    facts: &OperatorFacts,
    cells: Vec<Cell>,
    known: Option<&OfLibrary>,
    all: &[TorchThing],
) -> Option<Overload> {
    Some(Overload {
        anchor: thing.name.replace("::", "."),
        namespace: facts.namespace.clone(),
        operator: facts.operator.clone(),
        overload: facts.overload.clone(),
        explained: Explanation::of_thing(thing, all)?,
        text: thing.doc.as_deref().map(blocks).unwrap_or_default(),
        parts: thing.parts.clone(),
        cells,
        torch: known.map(|own| Torch::new(&own.torch)),
        tests: known.map(|own| own.tests.clone()).unwrap_or_default(),
        helper: facts.helper,
    })
}

/// Names, arguments, types, tags and keys.
fn words(operators: &[(&TorchThing, &OperatorFacts)]) -> String {
    let mut words: IndexSet<String> = IndexSet::new();
    for (thing, facts) in operators {
        let parts = thing.parts.iter().flat_map(|part| part.name.iter().chain([&part.ty]));
        let keys = facts.dispatch.iter().flat_map(|kernel| [&kernel.key, &kernel.function]);
        let all = [&thing.name].into_iter().chain(parts).chain(keys).chain(&facts.tags);
        words.extend(all.map(|word| word.to_lowercase()));
    }
    words.into_iter().collect::<Vec<_>>().join(" ")
}
