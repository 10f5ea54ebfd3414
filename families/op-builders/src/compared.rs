//! What changes of op builders break: C++ code that calls them, and the numbers.
//!
//! Invariant: helpers and primitive operators are for bodies only, so their changes break nobody
//! else.

use torchgen_kit::changes::family::{As, Compared, Property, instead, maybe_optional, nothing_more};
use torchgen_kit::changes::kinds::{self, effect};
use torchgen_kit::changes::{Category, Effect, Group, Level, Own, Rules};
use torchgen_kit::ir::TRAITS_OF;

/// What is compared.
pub(super) static COMPARED: Compared = Compared {
    rules: Rules {
        accepts: maybe_optional,
        converts: maybe_optional,
        added: nothing_more,
        categories: |kind| match kind {
            "helper" | "operator" => &[],
            _ => &[Category::Source, Category::Numerics],
        },
        help: instead,
        effects: EFFECTS,
    },
    parts: &[
        ("input", As::Part("input", Group::Positional, "")),
        ("parameter", As::Part("parameter", Group::Positional, "")),
        ("module", As::Part("module", Group::Positional, "")),
        ("option", As::Part("option", Group::Keyword, "")),
        ("result", As::Result("result")),
    ],
    facts: &[REGISTERED, CODE, TRAITS_OF],
    relations: &[],
    made_from: "",
    only_placed: false,
};

const REGISTERED: Property = Property::new(
    "registered",
    Some((&kinds::CPP_FUNCTION_ADDED, "THING is registered as `KEY` now")),
    Some((&kinds::CPP_FUNCTION_REMOVED, "THING is not registered as `KEY` any more")),
    (&kinds::CPP_FUNCTION_ADDED, "THING is registered as `KEY` now"),
);

const CODE: Property = Property::value("code", (&kinds::BODY_CHANGED, "THING has another body"));

const CALLS: Effect = effect(Category::Source, Level::Breaking, "calls of its typed functions do not compile");

static EFFECTS: &[Own] = &[
    Own {
        kind: &kinds::ARGUMENT_RENAMED,
        part: "option",
        effects: &[effect(Category::Source, Level::Breaking, "calls that pass it by its name fail")],
    },
    Own { kind: &kinds::ARGUMENT_INSERTED, part: "", effects: &[CALLS] },
    Own { kind: &kinds::ARGUMENTS_REORDERED, part: "option", effects: &[CALLS] },
    Own {
        kind: &kinds::CPP_FUNCTION_REMOVED,
        part: "",
        effects: &[effect(Category::Source, Level::Breaking, "calls by that name do not compile, or fail")],
    },
];
