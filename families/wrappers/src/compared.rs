//! What changes of kernel wrappers break: programs on the device, and the backend's graph API.
//!
//! Invariant: PyTorch's operators are those of the run, also for the old state, unless the YAML
//! names files of its own.

use super::docs::SKIPPED;
use torchgen_kit::changes::family::{As, Compared, Property, instead, nothing_more, same_type};
use torchgen_kit::changes::kinds::{self, effect};
use torchgen_kit::changes::{Category, Group, Level, Own, Rules};

/// What is compared.
pub(super) static COMPARED: Compared = Compared {
    rules: Rules {
        accepts: same_type,
        converts: same_type,
        added: nothing_more,
        categories: |kind| match kind {
            "function" => &[Category::Source],
            _ => &[Category::Python, Category::Numerics],
        },
        help: instead,
        effects: EFFECTS,
    },
    parts: &[("parameter", As::Part("parameter", Group::Positional, "")), ("result", As::Result("result"))],
    facts: &[DECISION, LOSSY, IGNORED, CONDITIONS, RESULTS, SHAPE],
    relations: &[CALLS],
    made_from: "",
    only_placed: false,
};

/// How an operator is served; an operator without code has no fact.
const DECISION: Property = Property {
    absent: SKIPPED,
    ..Property::new(
        "decision",
        Some((&kinds::KERNEL_ADDED, "THING has a kernel now")),
        Some((&kinds::KERNEL_REMOVED, "THING has no kernel any more")),
        (&kinds::KERNEL_CHANGED, "the kernel of THING was OLD, and is NEW now"),
    )
};

const CALLS: Property = Property::new(
    "calls",
    None,
    None,
    (&kinds::KERNEL_CHANGED, "the kernel of THING called `OLD`, and calls `NEW` now"),
);

const LOSSY: Property = Property::new(
    "lossy",
    Some((&kinds::KERNEL_NARROWED, "THING supports only the default of `KEY` now")),
    Some((&kinds::KERNEL_WIDENED, "THING supports all values of `KEY` now")),
    (&kinds::KERNEL_WIDENED, "THING supports all values of `KEY` now"),
);

const IGNORED: Property = Property::flag("ignored", "THING ignores `KEY` now", "THING does not ignore `KEY` any more");

const CONDITIONS: Property = Property::new(
    "conditions",
    Some((&kinds::KERNEL_NARROWED, "THING has the condition `KEY` now")),
    Some((&kinds::KERNEL_WIDENED, "THING does not have the condition `KEY` any more")),
    (&kinds::KERNEL_WIDENED, "THING does not have the condition `KEY` any more"),
);

const RESULTS: Property =
    Property::new("results", None, None, (&kinds::BODY_CHANGED, "the results of THING were `OLD`, and are `NEW` now"));

const SHAPE: Property = Property::new(
    "shape",
    None,
    None,
    (&kinds::BODY_CHANGED, "the sizes of the result of THING were `OLD`, and are `NEW` now"),
);

static EFFECTS: &[Own] = &[
    Own {
        kind: &kinds::KERNEL_REMOVED,
        part: "",
        effects: &[effect(Category::Python, Level::Breaking, "calls on the device fail")],
    },
    Own {
        kind: &kinds::KERNEL_CHANGED,
        part: "",
        effects: &[effect(Category::Numerics, Level::Risky, "results may differ")],
    },
    Own {
        kind: &kinds::PROPERTY_CHANGED,
        part: "",
        effects: &[effect(Category::Numerics, Level::Risky, "results may differ")],
    },
    // The graph API has a method that nothing calls.
    Own { kind: &kinds::REMOVED, part: "", effects: &[] },
    Own {
        kind: &kinds::ADDED,
        part: "",
        effects: &[effect(Category::Source, Level::Breaking, "a graph API without it does not compile")],
    },
    Own {
        kind: &kinds::RENAMED,
        part: "",
        effects: &[effect(Category::Source, Level::Breaking, "a graph API with the old name does not compile")],
    },
];
