//! What an operator works with: the columns of a table, and its cells.
//!
//! Invariant: each cell follows from the facts that `model` prints, but for `torch.vmap` of a
//! library's operator, which the generator of its rules decides.

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::torch::facts::{OperatorFacts, TorchThing};
use torchgen_library::library::BatchingKind;

/// A column.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Column {
    key: &'static str,
    title: &'static str,
    /// What it says, in a sentence.
    about: &'static str,
}

/// A cell.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Cell {
    title: &'static str,
    works: bool,
    /// How, or `no`.
    pub(super) text: String,
}

/// The operators by their group and kind.
pub(super) struct Variants<'t>(FxHashMap<(&'t str, &'t str), &'t str>);

/// The columns, in their order.
#[rustfmt::skip]
pub(super) const COLUMNS: [Column; 11] = [
    Column { key: "gradient", title: "Gradient", about: "What computes gradients." },
    Column { key: "forward", title: "Forward mode", about: "What computes tangents." },
    Column { key: "compile", title: "Compile", about: "How torch.compile learns the sizes of results." },
    Column { key: "vmap", title: "vmap", about: "How torch.vmap runs it for a batch." },
    Column { key: "out", title: "out=", about: "The variant that writes to a given tensor." },
    Column { key: "inplace", title: "In place", about: "The variant that changes its argument." },
    Column { key: "devices", title: "Devices", about: "The devices that have a kernel." },
    Column { key: "autocast", title: "Autocast", about: "The devices whose autocast has a kernel." },
    Column { key: "sharding", title: "Sharding", about: "What distributed tensors are sharded by." },
    Column { key: "aoti", title: "AOTInductor", about: "Compiled models call it by a C function." },
    Column { key: "onnx", title: "ONNX", about: "The operator of ONNX as which it is exported." },
];

/// The cells of an operator.
pub(super) fn cells(
    thing: &TorchThing,
    facts: &OperatorFacts,
    batching: Option<BatchingKind>,
    variants: &Variants<'_>,
) -> Vec<Cell> {
    let found = [
        gradient(facts),
        forward(facts),
        compiled(facts),
        vmap(facts, batching),
        variants.of(thing, "out"),
        variants.of(thing, "inplace"),
        devices(facts),
        autocast(facts),
        (!facts.dims.is_empty()).then(|| "by dims".to_owned()),
        facts.aoti.map(|_| "yes".to_owned()),
        facts.onnx.clone(),
    ];
    let cell = |(column, text): (&Column, Option<String>)| Cell {
        title: column.title,
        works: text.is_some(),
        text: text.unwrap_or_else(|| "no".to_owned()),
    };
    COLUMNS.iter().zip(found).map(cell).collect()
}

fn gradient(facts: &OperatorFacts) -> Option<String> {
    let formulas = facts.derivatives.iter().any(|own| !own.backward.is_empty());
    let how = match () {
        () if facts.autograd_kernel => "own kernel",
        () if formulas => "formula",
        () if facts.composite.implicit_autograd => "composite",
        () => return None,
    };
    Some(how.to_owned())
}

fn forward(facts: &OperatorFacts) -> Option<String> {
    let formulas = facts.derivatives.iter().any(|own| !own.forward.is_empty());
    let how = match () {
        () if formulas => "formula",
        () if facts.composite.implicit_autograd && !facts.autograd_kernel => "composite",
        () => return None,
    };
    Some(how.to_owned())
}

fn compiled(facts: &OperatorFacts) -> Option<String> {
    let composite = facts.composite;
    let has_meta = facts.dispatch.iter().any(|kernel| kernel.key == "Meta");
    let is_composite = composite.implicit_autograd || composite.explicit_autograd;
    let how = match () {
        () if facts.fake => "fake",
        () if facts.structured || facts.structured_delegate.is_some() => "meta function",
        () if has_meta => "Meta kernel",
        () if is_composite || composite.explicit_autograd_non_functional => "composite",
        () => return None,
    };
    Some(how.to_owned())
}

fn vmap(facts: &OperatorFacts, batching: Option<BatchingKind>) -> Option<String> {
    let how = match batching {
        Some(BatchingKind::AtOnce) => "at once",
        Some(BatchingKind::Pointwise) => "pointwise",
        Some(BatchingKind::Folded) => "by dims",
        Some(BatchingKind::Loop) => "loop",
        None if facts.composite.implicit_autograd => "composite",
        None => "loop of torch",
    };
    Some(how.to_owned())
}

impl<'t> Variants<'t> {
    /// Those of all things.
    pub(super) fn new(things: &'t [TorchThing]) -> Variants<'t> {
        let mut variants = FxHashMap::default();
        for thing in things {
            if let (Some(facts), Some(group)) = (thing.facts.of_operator(), thing.related("group").next()) {
                variants.entry((group, facts.schema_kind)).or_insert(thing.name.as_str());
            }
        }
        Variants(variants)
    }

    /// The variant of a kind in the group of an operator.
    fn of(&self, thing: &TorchThing, kind: &str) -> Option<String> {
        let found = self.0.get(&(thing.related("group").next()?, kind))?;
        Some(found.rsplit("::").next().unwrap_or_default().to_owned())
    }
}

fn devices(facts: &OperatorFacts) -> Option<String> {
    let composite = facts.composite;
    if composite.implicit_autograd || composite.explicit_autograd || composite.explicit_autograd_non_functional {
        return Some("all".to_owned());
    }
    let is_device = |key: &&str| {
        *key != "Meta"
            && !["Autograd", "Autocast", "Composite", "FuncTorch", "ADInplace", "Functionalize", "Tracer"]
                .iter()
                .any(|prefix| key.starts_with(prefix))
    };
    let keys: Vec<&str> = facts.dispatch.iter().map(|kernel| kernel.key.as_str()).filter(is_device).collect();
    (!keys.is_empty()).then(|| keys.join(", "))
}

fn autocast(facts: &OperatorFacts) -> Option<String> {
    let keys = facts.dispatch.iter().filter_map(|kernel| kernel.key.strip_prefix("Autocast"));
    let keys: Vec<&str> = keys.map(|key| if key.is_empty() { "CUDA" } else { key }).collect();
    if keys.is_empty() && facts.composite.implicit_autograd {
        return Some("composite".to_owned());
    }
    (!keys.is_empty()).then(|| keys.join(", "))
}
